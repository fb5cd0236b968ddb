"""A scored page as columns."""

from __future__ import annotations

from types import ModuleType

import pytest
from uncompiled import in_both_forms

from ncfilters.page.blocks.block_table import BlockTable
from ncfilters.record import Record
from ncfilters.selection.scored_page import DECLARED, HIDDEN, IS_ITEM, IS_PRE, NOSCRIPT, NOT_SHOWN

from .steps import row, words

FORMS = in_both_forms("selection.scored_page")
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
    assert page.score == [2.0, 1, -1.0]
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
def test_a_table_is_read_as_its_records(form: ModuleType) -> None:
    records: list[Record] = [{**one, "tag": "p", "path": one.get("path", "")} for one in SEGMENTS]
    table = BlockTable()
    for number, one in enumerate(records):
        fields = {name: value for name, value in one.items() if not name.startswith(("score", "role"))}
        table.append_record(fields | ({"hidden": "aria", "pre": True} if number else {}))
    for name in ("score", "role", "role_probability"):
        table.score(name, [one.get(name) for one in records])
    ours, theirs = form.page_of(table), form.page_of(list(table))
    for page in (ours, theirs):
        page.read_elements()
    for name in "names text type score rule visible role role_probability element same post part links marks".split():
        assert getattr(ours, name) == getattr(theirs, name), name
    seen = ours.seen()
    assert (len(seen), seen.score, list(seen.segments)) == (2, [2.0, -1.0], [table[0], table[2]])


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
    of_path = page.elements.add
    assert page.container([0, 1], 0.9) == of_path("body")
    assert page.container([0, 1], 0.75) == of_path("body/main/div")


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
