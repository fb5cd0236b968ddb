"""Blocks as a table, and as records."""

from __future__ import annotations

from types import ModuleType

import pytest
from uncompiled import both_forms

FORMS = pytest.mark.parametrize("form", both_forms("ncfilters.page.blocks.block_table"), ids=lambda form: form.__name__)


@FORMS
def test_a_row_becomes_a_record_in_the_order_of_the_schema(form: ModuleType) -> None:
    table = form.BlockTable()
    row = table.append("It rained.", "li", "body/ul/li", 2)
    table.flags[row] |= form.BOLD | form.BR
    table.marker[row], table.type[row], table.rule[row] = "*", "l", "nav"
    assert list(table.record(row)) == "text tag path links br marker bold type rule".split()
    assert len(table) == 1


@FORMS
@pytest.mark.parametrize(
    "record",
    [
        {"text": "a", "tag": "p", "path": "body/p", "links": 0},
        {"text": "a", "tag": "p", "path": "p", "links": 1, "pre": True, "origin": "noscript", "lines": True},
        {"text": "a", "tag": "p", "path": "p", "links": 1, "hidden": "aria", "spans": [], "level": 2, "type": "h"},
    ],
)
def test_a_record_stays_as_it_is(form: ModuleType, record: dict[str, object]) -> None:
    table = form.BlockTable()
    table.append_record(record)
    assert table.records() == [record]
    assert list(table.record(0)) == list(record)


@FORMS
def test_rows_are_taken_and_cut_off(form: ModuleType) -> None:
    table = form.BlockTable()
    for text in "abcd":
        table.append(text, "p", "p", 1)
    table.truncate(3)
    table.take([2, 0])
    assert (table.text, len(table), {len(column) for column in table.columns()}) == (["c", "a"], 2, {2})


@FORMS
def test_the_origin_of_embedded_content_stands_after_its_markup(form: ModuleType) -> None:
    table = form.BlockTable()
    for origin in ("shadow", "template"):
        table.append_record({"text": "a", "tag": "p", "path": "p", "links": 0, "spans": [], "origin": origin})
    assert [list(record)[4:] for record in table.records()] == [["origin", "spans"], ["spans", "origin"]]
