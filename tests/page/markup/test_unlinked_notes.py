"""Footnotes without links."""

from __future__ import annotations

import pytest
from page_rows import page_of, rows_of

from ncfilters.page.markup.candidates import candidates_of
from ncfilters.page.markup.unlinked_notes import add_unlinked_notes, is_first, may_be_unlinked, no_footnotes


@pytest.mark.parametrize(
    "html, marks, notes",
    [
        ("<p>It rains<sup>1</sup> and 10<sup>6</sup> m<sup>2</sup>.<p><sup>1</sup> Or snows.", 1, ["note-1"]),
        (
            "<p>It rains<sup>*</sup> or snows.<sup>†</sup><p><sup>*</sup>Often.<p><sup>†</sup>Seldom.",
            2,
            ["note-*", "note-†"],
        ),
        ("<p>It rains.<sup>[1]</sup> It rains.<sup>[1]</sup><p> <b><sup>[1]</sup></b> Often.", 2, ["note-1"]),
        # numbered anew, a note above its mark, a note without a mark, and a mark without a note
        ("<p>Rains<sup>1</sup><p><sup>1</sup> Often.<p>Snows<sup>1</sup><p><sup>1</sup> Seldom.", 0, []),
        ("<p><sup>1</sup> Often.<p>It rains<sup>1</sup>.", 0, []),
        ("<p>It rains.<p><sup>1</sup> Often.", 0, []),
        ("<p>It rains<sup>1</sup>.<p>Often.", 0, []),
    ],
)
def test_notes(html: str, marks: int, notes: list[str]) -> None:
    out = no_footnotes()
    page = page_of(html)
    add_unlinked_notes(page, out, candidates_of(page).superscripts)
    assert (len(out.references), sorted(out.definitions.values())) == (marks, notes)
    assert len(out.asides) == len(notes)


@pytest.mark.parametrize(
    ("superscripts", "may_be"), [("1 1", True), ("* 2 th", True), ("1 th", False), ("® ®", False), ("", False)]
)
def test_superscripts_that_may_be_marks(superscripts: str, may_be: bool) -> None:
    page = page_of("".join([f"<p>a<sup>{text}</sup>" for text in superscripts.split()]))
    assert may_be_unlinked(page, rows_of(page, "sup")) == may_be


def test_first() -> None:
    page = page_of("<p> <!-- --><b> <i>a</i></b><u>b</u>")
    block, first, second = rows_of(page, "p", "i", "u")
    assert is_first(page, first, block) and not is_first(page, second, block)
