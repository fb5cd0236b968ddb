"""A scored page as columns, and the table of its elements."""

from __future__ import annotations

from types import ModuleType

import pytest
from operations import assert_linear, assert_linear_time
from uncompiled import both_forms

from ncfilters.page.blocks.dom_path import MAX_PATH_CHARS
from ncfilters.record import Record
from ncfilters.selection.element_table import CELL, COMMENT, LIST, LOWEST_LEVEL, TABLE
from ncfilters.selection.scored_page import DECLARED, HIDDEN, IS_ITEM, IS_PRE, NOSCRIPT, NOT_SHOWN

from .steps import row, words

FORMS, TABLES = [
    pytest.mark.parametrize("form", both_forms(f"ncfilters.selection.{name}"), ids=lambda form: form.__name__)
    for name in ("scored_page", "element_table")
]
SEGMENTS: list[Record] = [
    {"text": "It rained.", "type": "p", "path": "body/p", "score": 2.0, "marker": "*"},
    {"text": "Not seen", "type": "h", "score": 1, "rule": "embedded", "role": "text", "role_probability": 0.5},
    {"text": "It rained.", "type": "p", "path": "body/p", "score": -1.0, "post": 3, "part": "rest", "links": 2},
]


@FORMS
def test_columns_have_a_row_for_each_segment(form: ModuleType) -> None:
    page = form.page_of(SEGMENTS)
    assert len(page) == 3 and form.page_of(page) is page
    assert (page.text, page.type) == (["It rained.", "Not seen", "It rained."], ["p", "h", "p"])
    assert (page.path, page.score) == (["body/p", "", "body/p"], [2.0, 1, -1.0])
    assert (page.rule, page.visible) == ([None, "embedded", None], [0, 2])
    assert (page.role, page.role_probability) == ([None, "text", None], [None, 0.5, None])
    assert page.elements is None
    page.read_elements()
    assert (page.element, page.same) == ([2, 0, 2], [0, 1, 0])
    assert (page.post, page.part, page.links) == ([-1, -1, 3], ["", "", "rest"], [0, 0, 2])
    table = page.elements
    page.read_elements()
    assert page.elements is table
    other = page.with_scores([3.0, 4.0, 5.0])
    assert (other.score, other.text, other.main) == ([3.0, 4.0, 5.0], page.text, page)
    assert (other.seen().score, other.seen().text) == ([3.0, 5.0], ["It rained."] * 2)


@FORMS
def test_a_page_without_rows(form: ModuleType) -> None:
    page = form.page_of([])
    page.read_elements()
    assert (len(page), page.words(), page.visible, page.marks, len(page.elements)) == (0, [], [], [], 1)
    assert (page.mean_score([]), page.link_share([]), page.container([], 0.9)) == (0, 0, 0)


@FORMS
def test_marks(form: ModuleType) -> None:
    fields: list[Record] = [{}, {"marker": "1."}, {"pre": True}, {"hidden": "aria"}, {"hidden": ["display"]}]
    fields += [{"origin": "noscript", "declared": "articleBody"}, {"origin": "template"}]
    page = form.page_of([{"text": "", **one} for one in fields])
    page.read_elements()
    assert page.marks == [0, IS_ITEM, IS_PRE, HIDDEN, HIDDEN | NOT_SHOWN, NOSCRIPT | DECLARED, 0]


@FORMS
def test_scripts_without_spaces_count_two_characters_a_word(form: ModuleType) -> None:
    texts = ["one two,  three", "", "中文网页的正文", "żółć i jaźń", "中"]
    assert form.word_counts(texts) == [3, 1, 1 + 7 / 2, 3, 1.5]


@FORMS
def test_sizes_of_rows(form: ModuleType) -> None:
    page = form.page_of([words(3, "body/main/div/p", 2.0, links=7), words(1, "body/aside/p", -2.0)])
    page.read_elements()
    assert (page.size([0, 1]), page.chars([0, 1]), page.mean_score([0, 1]), page.total) == (4, 18, 1.0, 4)
    assert (page.link_share([0]), page.link_share([1])) == (0.5, 0)
    of_path = page.elements.of_path
    assert page.container([0, 1], 0.9) == of_path["body"]
    assert page.container([0, 1], 0.75) == of_path["body/main/div"]


@FORMS
@pytest.mark.parametrize(
    ("types", "is_article", "is_list"),
    [
        ({"article": 0.7, "listing": 0.2, "forum": 0.1}, True, False),
        ({"article": 0.5, "listing": 0.2, "collection": 0.2, "forum": 0.1}, True, True),
        ({"article": 0.4, "forum": 0.6}, False, False),
        ({}, True, False),
        (None, True, False),
    ],
)
def test_what_a_page_may_be(form: ModuleType, types: Record | None, is_article: bool, is_list: bool) -> None:
    page = form.page_of([row()])
    page.evidence = {"odds": 5.0} if types is None else {"odds": 5.0, "types": types}
    assert (page.is_article(), page.is_list()) == (is_article, is_list)


# ---- elements


@TABLES
def test_elements(form: ModuleType) -> None:
    table = form.ElementTable(["body/ul#a.menu/li", "body/ul#b.menu/li", "", "body/ul#a.menu/li", "body/h3.x/b"])
    assert table.name == ["", "body", "ul#a.menu", "li", "ul#b.menu", "li", "h3.x", "b"]
    assert table.parent == [0, 0, 1, 2, 1, 4, 1, 6] and table.depth == [0, 1, 2, 3, 2, 3, 2, 3]
    assert table.of_path["body/ul#b.menu/li"] == 5 and table.of_path[""] == 0 and len(table) == 8
    assert table.level == [LOWEST_LEVEL] * 6 + [3, 3]
    assert table.shape[3] == table.shape[5] and table.shape[2] == table.shape[4] != table.shape[6]
    assert table.inside[3] & LIST and not table.signs[3] & LIST and not table.inside[7] & LIST


@TABLES
@pytest.mark.parametrize(
    ("path", "level"), [("body/h1", 1), ("body/div/h6.x", 6), ("body/header/p", 7), ("body/p.h1", 7), ("body/h4/h2", 2)]
)
def test_the_level_of_a_heading_is_that_of_its_element(form: ModuleType, path: str, level: int) -> None:
    table = form.ElementTable([path])
    assert table.level[table.of_path[path]] == level


@TABLES
def test_nearest_and_outermost_elements_and_sums(form: ModuleType) -> None:
    table = form.ElementTable(["body/ul/li/ol/li", "body/table/tr/td/ul", "body/p"])
    assert [table.name[at] for at in table.nearest(LIST)] == ["", "", "ul", "ul", "ol", "ol", *[""] * 3, "ul", ""]
    assert [table.name[at] for at in table.nearest(LIST, True)] == ["", "", *["ul"] * 4, *[""] * 3, "ul", ""]
    assert table.nearest(TABLE | CELL)[table.of_path["body/table/tr/td/ul"]] == table.of_path["body/table/tr/td"]
    assert table.nearest(LIST) is table.nearest(LIST) and not any(table.nearest(COMMENT))
    item = table.of_path["body/ul/li"]
    assert [at for at, is_in in enumerate(table.subtree(item)) if is_in] == [3, 4, 5]
    assert [at for at in range(len(table)) if table.is_in(at, item)] == [3, 4, 5]
    assert table.sums([1.0] * len(table)) == [11, 10, 4, 3, 2, 1, 4, 3, 2, 1, 1]


@TABLES
def test_long_paths_are_cut(form: ModuleType) -> None:
    path = "body/" + "div.x/" * MAX_PATH_CHARS + "ul/li"
    table = form.ElementTable([path, "body/p"])
    assert len(table) < MAX_PATH_CHARS // 4 and table.inside[table.of_path[path]] & LIST
    assert "..." in table.name and table.is_in(table.of_path[path], table.of_path["body"])
    assert set(table.names_below_cut(table.of_path[path])) == {"div.x", "ul"}
    assert table.names_below_cut(table.of_path["body/p"]) == []


@TABLES
def test_linear(form: ModuleType) -> None:
    def read(paths: list[str]) -> None:
        table = form.ElementTable(paths)
        table.nearest(LIST), table.sums([1.0] * len(table)), table.subtree(1)

    assert_linear(read, lambda size: [f"body/div#a{at}.b/ul/li.c{at % 9}" for at in range(size)], 500)
    assert_linear_time(read, lambda size: ["body/" + "a/" * 50_000 * size, "body/p" + "x" * 100_000 * size], 1)
