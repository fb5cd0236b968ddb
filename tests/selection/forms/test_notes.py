"""Footnotes and their labels."""

from __future__ import annotations

from typing import Any

from made_segments import p

from ncfilters.selection.forms.notes import NO_NOTES, Notes, note_id


def refer(*marks: tuple[str, str]) -> dict[str, Any]:
    text, spans = "Text", []
    for mark, name in marks:
        spans.append([len(text), len(text) + len(mark), "note", name])
        text += mark
    return p(text, spans=spans)


def note(name: str) -> dict[str, Any]:
    return p("In a letter.", note={"id": name})


def test_labels_are_the_marks_where_these_are_different() -> None:
    page = [refer(("[1]", "fn-1"), ("1", "fn-2"), ("*", "fn-3"), ("", "ä"), ("*", "]")), *map(note, ["fn-1", "fn-2"])]
    assert Notes.of([*page, note("fn-3"), note("ä"), note("]")]).labels == {
        "fn-1": "1",
        "fn-2": "fn-2",
        "fn-3": "fn-3",
        "ä": "4",
        "]": "5",
    }


def test_both_ends_are_needed() -> None:
    assert Notes.of([refer(("1", "a"))]) == NO_NOTES
    notes = Notes.of([refer(("1", "a")), note("b")])
    assert notes.labels == {}
    assert notes.label(note("b")) is None


def test_cells_are_no_footnotes() -> None:
    assert Notes.of([refer(("1901", "y")), {**note("y"), "table": 1}]) == NO_NOTES


def test_odd_notes_are_none() -> None:
    assert note_id({"note": 7}) is note_id({"note": {"id": 7}}) is note_id({}) is None
