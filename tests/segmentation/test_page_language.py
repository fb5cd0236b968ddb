"""The language of a page: that of its text, on pages that mislead."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from uncompiled import both_forms

from ncfilters.page.blocks.block_table import table_of
from ncfilters.segmentation.page_language import SAMPLE_CHARS, SEGMENT_CHARS, with_language
from ncfilters.segmentation.segmenter import segment_record

FORMS = pytest.mark.parametrize(
    "form", both_forms("ncfilters.segmentation.page_language"), ids=lambda form: form.__name__
)

PAGES = Path(__file__).parents[1] / "data" / "language-pages.jsonl"
GREEK = "Το τελευταίο τραμ φεύγει από το λιμάνι στις έντεκα και δέκα."


@pytest.mark.parametrize("page", list(map(json.loads, PAGES.open(encoding="utf-8"))), ids=lambda page: str(page["id"]))
def test_language_of_pages_that_mislead(page: dict[str, Any]) -> None:
    found = with_language(segment_record({"html": page["html"]}))
    assert found["lang"] == page["lang"]


def test_fields_come_before_the_segments() -> None:
    record = with_language({"id": 1, "segments": [{"text": GREEK}]})
    assert list(record) == ["id", "lang", "lang_probability", "segments"]
    assert record["lang"] == "el" and record["lang_probability"] == round(record["lang_probability"], 3) > 0.9


@pytest.mark.parametrize("lang", ["en", "zho,eng", 7])
def test_known_language_is_kept(lang: object) -> None:
    record = {"lang": lang, "segments": [{"text": GREEK}]}
    assert with_language(record) == record


@pytest.mark.parametrize("lang", [None, ""])
def test_empty_language_is_none(lang: object) -> None:
    assert with_language({"lang": lang, "segments": [{"text": GREEK}]})["lang"] == "el"


@FORMS
def test_sample_is_bounded_and_of_several_segments(form: ModuleType) -> None:
    sample = form.likely_text(table_of([{"text": f"{number} " + "word " * 1000} for number in range(10, 50)]))
    assert SAMPLE_CHARS <= len(sample) < SAMPLE_CHARS + SEGMENT_CHARS + 10
    assert [line[:2] for line in sample.split("\n")] == ["10", "11", "12", "13"]


@FORMS
def test_running_text_comes_before_menus_and_tables(form: ModuleType) -> None:
    text = {"text": "A sentence of the text that the page is about, and somebody wrote it. " * 3}
    others: list[dict[str, Any]] = [
        {"text": "m " * 200, "rule": "nav"},
        {"text": "l " * 200, "links": 400},
        {"text": "p " * 200, "pre": True},
        {"text": "h " * 200, "hidden": "display"},
        {"text": "t\t" * 200},
    ]
    assert form.likely_text(table_of([*others, text])) == text["text"].strip()[:SEGMENT_CHARS].strip()
    assert form.likely_text(table_of(others[3:])).startswith("h")
    assert form.likely_text(table_of(others[:1])).startswith("m")
    assert form.likely_text(table_of([])) == ""
