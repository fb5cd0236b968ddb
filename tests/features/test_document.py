"""What models read of a record: its segments, and the metadata of the page."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.features.document import NO_HEAD, Head, ModelInput, running_texts
from ncfilters.page.metadata import head_record

NO_KINDS = ("@no og", "@no ld")


@pytest.mark.parametrize(
    "fields, expected",
    [
        ({}, NO_HEAD),
        ({"head": None, "url": None}, NO_HEAD),
        ({"head": ["title"], "url": 7}, NO_HEAD),
        ({"head": {"title": 1, "description": None, "kinds": "og:x"}}, Head(names=NO_KINDS)),
        ({"head": {"title": "One", "kinds": ["og:x", 5, "Shop"]}}, Head("One", "", ("@og:x", "@shop", "@no ld"))),
        ({"head": {"description": "One.", "kinds": ["Shop"]}}, Head("", "One.", ("@shop", *NO_KINDS))),
        (
            {"url": "https://www.shop.example.org/"},
            Head(names=("@host www", "@host shop", "@host example", "@top org", "@depth 0")),
        ),
        (
            {"url": "http://a.b/Blog/2024/05/it-rained-and-rained-again?x=/y"},
            Head(names=("@top b", "@path blog", "@depth 4", "@last 5", "@number")),
        ),
        ({"url": "mailto:"}, Head(names=("@depth 0",))),
        ({"url": ""}, NO_HEAD),
    ],
)
def test_the_head_is_read_from_head_and_url(fields: dict[str, Any], expected: Head) -> None:
    segments = [{"text": "a"}]
    document = ModelInput.of_record({"segments": segments, **fields})
    assert document == ModelInput(segments, expected)
    assert document.segments is segments  # models write to the record's own segments


def test_documents_without_a_record_have_no_head() -> None:
    assert ModelInput.of_texts(["a", "b"]) == ModelInput([{"text": "a"}, {"text": "b"}], NO_HEAD)
    assert [len(ModelInput.of_texts(texts)) for texts in ([], ["a", "b"])] == [0, 2]


def test_long_fields_of_a_head_are_cut() -> None:
    fields = {"title": "a b " * 10**6, "description": "c" * 10**7, "kinds": ["k"] * 10**6}
    head = Head.of_record({"head": fields})
    assert len(head.title) == len(head.description) == head_record.MAX_TITLE_CHARS and len(head.names) == 3


def test_long_addresses_give_few_names() -> None:
    assert len(Head.of_record({"url": "http://" + "/a-b" * 9999}).names) < 20


def test_lines_of_poems_are_running_text_for_models() -> None:
    poem, code = {"text": "Roses are red.\nViolets", "lines": True}, {"text": "if x:\n  y", "pre": True}
    assert running_texts([ModelInput([poem]), ModelInput([code])]) == ["Roses are red. Violets", "if x:\n  y"]
