"""Pages to documents."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ncfilters
from ncfilters import Document, extract, extract_many
from ncfilters.errors import RecordError

PAGE = """<html lang=en><title>Rain - The Gazette</title><meta property=og:site_name content="The Gazette">
<meta property=article:published_time content=2024-05-03><nav><a href=/>Home</a></nav>
<article><h1>Rain</h1><p>By Ann Lee</p><p>It rained <b>all day</b> in the
<a href=/town>town</a> by the sea.</p></article>"""


def test_a_document_has_text_and_metadata() -> None:
    page = extract(PAGE, url="http://a.example/rain", model="en")
    assert (page.title, page.authors, page.date, page.site) == ("Rain", ["Ann Lee"], "2024-05-03", "The Gazette")
    assert (page.language, page.url, page.error) == ("en", "http://a.example/rain", None)
    assert str(page) == page.text == "Rain\nBy Ann Lee\nIt rained all day in the town by the sea."
    assert [segment["keep"] for segment in page.segments] == [False, True, True, True]
    assert page.head["evidence"]["date"] == "meta article:published_time"
    assert page.quality is not None and 0 <= page.quality <= 1


def test_forms_and_options() -> None:
    page = extract(PAGE, url="http://a.example/rain", form="markdown", front_matter=True, links="drop")
    assert page.text.startswith('---\ntitle: "Rain"\n')
    assert page.text.endswith("It rained **all day** in the town by the sea.")
    assert "](http://a.example/town)" in extract(PAGE, url="http://a.example/rain", form="markdown").text
    with pytest.raises(ValueError, match="form: expected"):
        extract(PAGE, form="word")
    assert "By Ann Lee" not in extract(PAGE, content=ncfilters.ContentOptions(excluded=frozenset(["byline"]))).text
    with pytest.raises(TypeError, match=r"content: expected ncfilters.ContentOptions, got 'article'"):
        extract(PAGE, content="article")
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
        extract(PAGE, colour="red")


def test_bytes_and_files(tmp_path: Path) -> None:
    data = "<meta charset=windows-1252><p>The café on the pier opens at noon.".encode("cp1252")
    file = tmp_path / "page.html"
    file.write_bytes(data)
    assert extract(data).text == extract(file).text == "The café on the pier opens at noon."


def test_what_is_no_html(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("page.html").touch()
    with pytest.raises(ValueError, match=r"page\.html is the path of a file.*pathlib\.Path\('page\.html'\)"):
        extract("page.html")
    with pytest.raises(ValueError, match="is an address, not HTML: fetch the page"):
        extract("https://a.example/rain")
    for clean in (ncfilters.clean, ncfilters.Pipeline("en").clean):
        with pytest.raises(ValueError, match=r"give pathlib\.Path\('page\.html'\)\.read_bytes\(\)"):
            clean("page.html")
        with pytest.raises(ValueError, match="is an address, not HTML: fetch the page"):
            clean("https://a.example/rain")
        assert clean("none.html") == "none.html"
    with pytest.raises(TypeError, match="str, bytes or a path object, not int"):
        extract(7)  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        extract(Path("none.html"))
    with pytest.raises(ncfilters.ModelError):
        extract("<p>Rain", model="none such")
    assert extract("It rained all day, and nobody went out before the evening.").error is None
    assert extract("").text == ""
    assert extract(PAGE).text == ncfilters.clean(PAGE)


@pytest.mark.parametrize("jobs", [1, 2])
def test_many_pages_in_order(jobs: int) -> None:
    pages: list[Any] = [{"id": number, "html": f"<p>It rained for {number} days in the town."} for number in range(40)]
    texts = [f"It rained for {number} days in the town." for number in range(40)]
    pages[3:3] = [{"id": "none"}, 7, Path("none.html")]
    documents = list(extract_many(pages, jobs=jobs, model="en"))
    assert [str(document.error) for document in documents[3:6]] == [
        "html, blocks and text: all missing", "a page is str, bytes or a path object, not int",
        "none.html: No such file or directory",
    ]  # fmt: skip
    assert isinstance(documents[3].error, RecordError) and documents[3].record == {"id": "none"}
    assert [document.text for document in documents if not document.error] == texts


class Deadly(str):
    """A text that ends the process that gets it from another one."""

    def __reduce__(self) -> Any:
        return os._exit, (9,)


def test_a_page_with_which_processes_die_has_an_error() -> None:
    pages: list[Any] = [{"id": number, "html": f"<p>It rained for {number} days in the town."} for number in range(70)]
    pages[20] = {"id": 20, "html": Deadly("<p>It rained.")}
    documents = list(extract_many(pages, jobs=2, model="en"))
    assert str(documents[20].error) == "the process that worked on it ended with status 9"
    assert documents.pop(20).record == {"id": 20}
    assert not any(document.error for document in documents)
    numbers = [*range(20), *range(21, 70)]
    assert [document.text for document in documents] == [f"It rained for {n} days in the town." for n in numbers]


def test_pages_are_read_as_documents_are_taken() -> None:
    taken = 0

    def pages() -> Iterator[str]:
        nonlocal taken
        for taken in itertools.count(1):
            yield f"<p>It rained for {taken} days in the town."

    first: Document = next(extract_many(pages(), model="en"))
    assert first.text == "It rained for 1 days in the town."
    assert taken < 100


def test_jobs_must_be_a_number_above_0() -> None:
    with pytest.raises(ValueError, match="jobs: expected 1 or more, got 0"):
        next(extract_many([], jobs=0))
    with pytest.raises(TypeError, match="pages: expected several, got str: extract reads one page"):
        next(extract_many(PAGE))


def test_public_names() -> None:
    assert dir(ncfilters) == sorted(ncfilters.__all__)
    assert all(getattr(ncfilters, name) for name in ncfilters.__all__)
    with pytest.raises(AttributeError, match="no attribute 'none'"):
        _ = ncfilters.none
