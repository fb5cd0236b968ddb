"""Blocks as a table, and as records."""

from __future__ import annotations

from types import ModuleType

import pytest
from uncompiled import both_forms

FORMS = pytest.mark.parametrize("form", both_forms("ncfilters.page.block_table"), ids=lambda form: form.__name__)


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
