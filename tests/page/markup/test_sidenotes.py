"""Footnotes in sentences."""

# ruff: noqa: E501
from __future__ import annotations

import pytest
from page_rows import page_of, texts_in

from ncfilters.page.markup.candidates import candidates_of
from ncfilters.page.markup.sidenotes import sidenotes
from ncfilters.page.markup.unlinked_notes import no_footnotes


@pytest.mark.parametrize(
    "html, texts, marks, labels",
    [
        ("<p>Rain.<d-footnote>Or snow.</d-footnote> Often.", ["Or snow."], [], []),
        (
            "<p>Rain.<label for=a class='margin-toggle sidenote-number'></label><input type=checkbox id=a>"
            "<span class=sidenote>Or snow.</span>",
            ["Or snow."], [], [],
        ),
        (
            "<p>Rain.<label class=margin-toggle>⊕</label><input type=checkbox><span class=marginnote>Or snow.</span>",
            ["Or snow."], ["⊕"], [],
        ),
        (
            "<p>Rain.<span class='ltx_note ltx_role_footnote'><sup class=ltx_note_mark>1</sup><span class=ltx_note_outer>"
            "<span class=ltx_note_content><sup class=ltx_note_mark>1</sup><span class='ltx_tag ltx_tag_note'>1</span>Or "
            "snow.</span></span></span> Often.",
            ["11Or snow."], ["1"], ["1", "1"],
        ),
        ("<p>Rain.<div class=sidenote>A box</div><p>Snow<span class=sidenote> </span>.", [], [], []),
    ],
)  # fmt: skip
def test_sidenotes(html: str, texts: list[str], marks: list[str], labels: list[str]) -> None:
    page, notes = page_of(html), no_footnotes()
    found = sidenotes(page, candidates_of(page).sidenotes, notes)
    assert texts_in(page, found) == texts
    assert texts_in(page, notes.references) == marks
    assert texts_in(page, notes.asides) == labels
    assert set(notes.references.values()) <= set(found.values())
