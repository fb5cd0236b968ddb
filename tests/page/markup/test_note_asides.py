"""Labels and links back in notes are found."""

from __future__ import annotations

import pytest
from page_rows import page_of, rows_of, texts_in

from ncfilters.page.markup.note_asides import NoteAsides, ids_around
from ncfilters.page.markup.unlinked_notes import no_footnotes


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        ("<sup>1</sup> A note.", ["1"]),
        ("<b>[1]</b> A note.", ["[1]"]),
        ("<b>(see)</b> A note.", []),
        ("<!-- a --> <span>[12]</span> A note.", ["[12]"]),
        ("A note <b>[1]</b>.", []),
        ("A note. <a href='#r1'>↩</a>", ["↩"]),
        ("A note. <sup><a href='#r1'>↩</a></sup>", ["↩"]),
        ("A note. <a href='#mark'><img alt='' src=back.svg></a>", [""]),
        ("A note. <a href='#other'><img alt='' src=back.svg></a>", []),
        ("A note of <a href='#mark'>the text</a>.", []),
        ("<span class=fn-label>Note 1:</span> A note.", ["Note 1:"]),
    ],
)
def test_asides(note: str, expected: list[str]) -> None:
    page = page_of(f"<p>Text<sup id=mark><a href='#n1'>1</a></sup></p><p id=n1>{note}</p>")
    out = no_footnotes()
    NoteAsides(page, rows_of(page, "a")[:1]).add(rows_of(page, "p")[1], out)
    assert texts_in(page, out.asides) == expected


def test_ids_around() -> None:
    page = page_of("<p id=p>Text<a id=before></a><sup id=mark><a href='#n1' name=link><i id=inner>1</i></a></sup></p>")
    assert ids_around(page, rows_of(page, "a")[1]) == {"before", "mark", "link", "inner"}
