"""What marks of notes and links back look like."""

from __future__ import annotations

import pytest
from page_rows import page_of, rows_of

from ncfilters.page.markup.note_marks import function_of, is_arrow, is_back_id, is_mark, is_note_id, may_be_mark


@pytest.mark.parametrize("text", ["1", "[12]", "iv", "a", "*", "††", "¹²", "note 3", "(2)."])
def test_texts_of_marks(text: str) -> None:
    assert is_mark(text) and is_mark(text.upper())


@pytest.mark.parametrize("text", ["", "12345", "see", "1 One", "*†‡§¶"])
def test_texts_of_other_links(text: str) -> None:
    assert not is_mark(text)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("↩", True),
        ("^", True),
        ("↩︎2", True),
        ("↩ 2nd", False),
        ("^2 m", False),
        ("[Back to top]", True),
        ("1", False),
        ("", False),
    ],
)
def test_texts_of_links_back(text: str, expected: bool) -> None:
    assert is_arrow(text) is expected


def test_ids() -> None:
    assert all(map(is_note_id, ["fn1", "_ftn2", "cite_note-Name-3", "FN-4", "sdfootnote5sym"]))
    assert not any(map(is_note_id, ["fn", "top", "section-1"]))
    assert all(map(is_back_id, ["fnref1", "_ftnref2", "cite_ref-3", "sdfootnote5anc"]))
    assert not any(map(is_back_id, ["fn1", "top"]))


@pytest.mark.parametrize(
    "attributes, expected",
    [
        ({"href": "#a"}, (False, False)),
        ({"href": "#a", "role": "doc-noteref"}, (True, False)),
        ({"href": "#a", "class": "reversefootnote"}, (False, True)),
        ({"href": "#a", "data-footnote-ref": None}, (True, False)),
    ],
)
def test_attributes(attributes: dict[str, str | None], expected: tuple[bool, bool]) -> None:
    assert function_of(attributes) == expected


@pytest.mark.parametrize(
    "html, expected",
    [("<a href='#x'>1", True), ("<a href='#fn1'>see", True), ("<a href='#x'>Skip", False), ("<a href='#'>1", False)],
)
def test_marks(html: str, expected: bool) -> None:
    page = page_of(html)
    assert may_be_mark(page, rows_of(page, "a")[0]) is expected
