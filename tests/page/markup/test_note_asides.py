"""Labels and links back in notes are found."""

from __future__ import annotations

import pytest

from ncfilters.page.html_parser import parse_html
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
    tree = parse_html(f"<p>Text<sup id=mark><a href='#n1'>1</a></sup></p><p id=n1>{note}</p>")
    out = no_footnotes()
    marks = tree.css("sup a")[:1]
    at = tree.css_first("#n1")
    assert at is not None
    NoteAsides(marks).add(at, out)
    found = [node.text(deep=True).strip() for node in tree.css("*") if node.mem_id in out.asides]
    assert found == expected


def test_ids_around() -> None:
    tree = parse_html(
        "<p id=p>Text<a id=before></a><sup id=mark><a href='#n1' name=link><i id=inner>1</i></a></sup></p>"
    )
    assert ids_around(tree.css_first("sup a")) == {"before", "mark", "link", "inner"}
