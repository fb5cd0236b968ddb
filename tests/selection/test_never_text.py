"""What is no text of a page, whatever its scores."""

from __future__ import annotations

from ncfilters.selection.never_text import MAX_NOTE, RULES, without_boilerplate
from ncfilters.selection.scored_table import table_of


def test_landmarks_go_and_other_rules_stay() -> None:
    rules = [*sorted(RULES), "widget", "links", None]
    segments = [{"text": "Text.", "rule": rule} for rule in rules]
    assert without_boilerplate(table_of(segments), [True] * len(rules)) == [False] * len(RULES) + [True] * 3


def test_notes_for_browsers_without_scripts_go_and_texts_stay() -> None:
    note = {"text": "word " * (MAX_NOTE - 1), "origin": "noscript"}
    shown = {"text": "Text that browsers show. " * 30}
    for more, is_text in ("word", False), ("two words", True):
        table = table_of([note, shown, {"text": more, "origin": "noscript"}])
        assert without_boilerplate(table, [True] * 3) == [is_text, True, is_text]
    assert without_boilerplate(table_of([{"text": "word", "origin": "template"}]), [True]) == [True]


def test_nothing_is_kept_that_was_not() -> None:
    assert without_boilerplate(table_of([]), []) == []
    assert without_boilerplate(table_of([{"text": "Text."}]), [False]) == [False]
