"""The table of a page: both forms have the same rows."""

from __future__ import annotations

import os
import subprocess
import sys
from types import ModuleType
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser
from uncompiled import both_forms, is_compiled

from ncfilters.native.element_names import BLANK, COMMENT, EMPTY, HIDDEN, ID, TAG_NUMBERS, TEXT, number_of_tag

NAME = "ncfilters.native.page_table"
PAGES = (
    "<p>One <b>two</b>",
    "<!doctype html><title>a</title><!-- b --><p id=c class='d e' hidden>f é 中<b data-g>h<br></b> i",
    "<svg xlink:href=j><foreignObject>k<title>l</title></foreignObject></svg><x-y z>m</x-y>",
    "<p> <pre>\n\xa0</pre>\x00<table><td>1<td>2</table>",
    "",
)
FORMS = pytest.mark.parametrize("form", both_forms(NAME), ids=lambda form: form.__name__)


def rows(table: Any) -> list[tuple[Any, ...]]:
    out = []
    for row in range(table.size):
        own: Any = None
        if table.tag[row] == TEXT:
            own = table.text_of(row)
        elif table.tag[row] >= 0:
            own = table.name_of(row), table.attributes_of(row), table.text_below(row), table.has_text(row)
        columns = [getattr(table, name)[row] for name in ("tag", "parent", "before", "end", "flags")]
        out.append((*columns, own, table.node_of(row).mem_id))
    return out


@FORMS
def test_a_row_for_each_node_in_order(form: ModuleType) -> None:
    number_of_tag("p")
    table = form.table_of(LexborHTMLParser("<p id=a hidden>One<!-- two --> <b>three").body)
    assert [*table.tag][1:4] == [TAG_NUMBERS["p"], TEXT, COMMENT]
    assert [*table.parent] == [-1, 0, 1, 1, 1, 1, 5]
    assert [*table.before] == [-1, -1, -1, 2, 3, 4, -1]
    assert [*table.end] == [7, 7, 3, 4, 5, 7, 7]
    assert table.flags[1] == ID | HIDDEN and table.flags[4] == BLANK
    assert table.text_below(1) == "One three"
    assert table.attribute_of(1, "id") == "a" and table.attribute_of(1, "class") is None
    assert table.attribute_of(1, "hidden") in (None, "") and "hidden" in table.attributes_of(1)


@pytest.mark.skipif(not is_compiled(NAME), reason="the module is not compiled")
@pytest.mark.parametrize("page", PAGES)
def test_both_forms_have_the_same_rows(page: str) -> None:
    root = LexborHTMLParser(page).root
    plain, compiled = (rows(form.table_of(root)) for form in both_forms(NAME))
    assert compiled == plain


@pytest.mark.skipif(not is_compiled(NAME), reason="the module is not compiled")
def test_without_the_known_structures_the_table_is_read_by_nodes() -> None:
    compiled = both_forms(NAME)[1]
    root = LexborHTMLParser(PAGES[1]).root
    wanted = rows(compiled.table_of(root))
    compiled.read_by_nodes()
    try:
        table = compiled.table_of(root)
        assert table.nodes is not None and rows(table) == wanted
    finally:
        assert compiled.probe()
    assert compiled.table_of(root).nodes is None


def test_names_of_attributes_stay_where_rules_name_more_tags() -> None:
    # freed memory is overwritten: once the names were freed, and the table that points to them grew until it was full
    code = """
from selectolax.lexbor import LexborHTMLParser
from ncfilters.native import element_names, page_table
for number in range(40):
    element_names.number_of_tag(f"x-{number}")
    table = page_table.table_of(LexborHTMLParser("<p data-tex=a eeimg=b>x").body)
print(table.flags[1] == element_names.TEX)
"""
    environment = {**os.environ, "PYTHONMALLOC": "debug", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60)
    assert done.stdout == "True\n", done.stderr


@FORMS
def test_empty_text(form: ModuleType) -> None:
    table = form.table_of(LexborHTMLParser("<p></p>").body)
    assert not table.has_text(0) and table.text_below(0) == "" and not table.flags[0] & EMPTY
