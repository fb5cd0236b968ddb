"""The extractor for datatrove, in a pipeline of the real package."""

from __future__ import annotations

import pytest

pytest.importorskip("datatrove", reason="datatrove is not installed")

from datatrove.data import Document

import ncfilters
from ncfilters.adapters.datatrove import NcfiltersExtractor

PAGE = "<nav><a href=/>Home</a></nav><h1>Rain</h1><p>It rained <b>all day</b> in the town, and nobody was surprised."


def test_documents_get_their_text() -> None:
    pages = [Document(PAGE, "1"), Document("<nav><a href=/>Home</a></nav>", "2"), Document(PAGE, "3")]
    done = list(NcfiltersExtractor().run(pages))
    assert [page.id for page in done] == ["1", "3"]
    assert {page.text for page in done} == {ncfilters.extract(PAGE).text}


def test_options_are_those_of_extract() -> None:
    (done,) = NcfiltersExtractor(form="markdown").run([Document(PAGE, "1")])
    assert "**all day**" in done.text


def test_a_page_that_cannot_be_read_does_not_stop_the_others() -> None:
    pages = [Document("https://a.example/page", "1"), Document(PAGE, "2")]
    assert [page.id for page in NcfiltersExtractor().run(pages)] == ["2"]


def test_wrong_options_are_refused_at_once() -> None:
    with pytest.raises(TypeError, match="colour"):
        NcfiltersExtractor(colour="red")
