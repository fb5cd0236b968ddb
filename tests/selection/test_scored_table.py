"""Segments as columns."""

from __future__ import annotations

import re
from types import ModuleType
from typing import Any

import pytest
from uncompiled import both_forms

FORMS = pytest.mark.parametrize("form", both_forms("ncfilters.selection.scored_table"), ids=lambda form: form.__name__)
SEGMENTS: list[dict[str, Any]] = [
    {"text": "It rained.", "type": "p", "path": "body/p", "score": 2.0, "marker": "*"},
    {"text": "Not seen", "type": "h", "score": 1, "rule": "embedded", "role": "text", "role_probability": 0.5},
    {"text": "", "type": "p", "path": "body/p", "score": -1.0},
]


@FORMS
def test_columns_have_a_row_for_each_segment(form: ModuleType) -> None:
    table = form.table_of(SEGMENTS)
    assert len(table) == 3 and form.table_of(table) is table
    assert (table.text, table.type) == (["It rained.", "Not seen", ""], ["p", "h", "p"])
    assert (table.path, table.score) == (["body/p", "", "body/p"], [2.0, 1, -1.0])
    assert (table.rule, table.visible) == ([None, "embedded", None], [0, 2])
    assert (table.role, table.role_probability) == ([None, "text", None], [None, 0.5, None])
    assert (table.places(), table.paths) == ([0, 1, 0], ["body/p", ""])


@FORMS
def test_a_table_without_rows(form: ModuleType) -> None:
    table = form.table_of([])
    assert (len(table), table.words(), table.places(), table.visible) == (0, [], [], [])


@FORMS
def test_other_scores_and_fewer_rows(form: ModuleType) -> None:
    table = form.table_of(SEGMENTS).with_scores([3.0, 4.0, 5.0])
    assert table.score == [3.0, 4.0, 5.0] and table.text[0] == "It rained."
    assert (table.seen().score, table.seen().text) == ([3.0, 5.0], ["It rained.", ""])


@FORMS
def test_scripts_without_spaces_count_two_characters_a_word(form: ModuleType) -> None:
    texts = ["one two,  three", "", "中文网页的正文", "żółć i jaźń", "中"]
    assert form.word_counts(texts) == [3, 1, 1 + 7 / 2, 3, 1.5]


@FORMS
def test_matches_of_paths(form: ModuleType) -> None:
    table = form.table_of([{"text": "", "path": path} for path in ("body/ul.menu/li", "body/p", "body/ul.menu/li")])
    found = table.matches(re.compile("[.]menu"), ("menu", "list"))
    assert [match is not None for match in found] == [True, False]
    assert [found[place] is not None for place in table.places()] == [True, False, True]
    assert table.matches(re.compile("p"), ("list",)) == []
