"""The segment table: categories, repeated texts, headings, sums."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
from uncompiled import both_forms

from ncfilters.features.categories import CATEGORIES, OTHER, READS
from ncfilters.features.columns import AFTER, BEFORE, EMBEDDED, H1, LINKS, NUMBERS, PROSE, RULED, TYPE_H
from ncfilters.features.document import Head, ModelInput
from ncfilters.page.blocks.block_table import BlockTable
from ncfilters.record import Segment

FORMS = pytest.mark.parametrize("form", both_forms("ncfilters.features.segment_table"), ids=lambda form: form.__name__)


def segment(text: str, kind: str, path: str, **fields: Any) -> Segment:
    return {"text": text, "type": kind, "path": path, "tag": path.rpartition("/")[2], "links": 0, **fields}


PAGE: list[Segment] = [
    segment("Home", "l", "body/nav/ul/li", links=4, rule="nav"),
    segment("A walk", "h", "body/main/h1"),
    segment("We walked along the river for a whole day. Then it rained.", "p", "body/main/p"),
    segment("More", "h", "body/main/h2", bold=True),
    segment("Home", "l", "body/footer/ul/li", links=400, rule="unheard of", origin="json-ld:text"),
]


def marked(table: Any, mark: int) -> list[bool]:
    return [value & mark != 0 for value in table.marks]


@FORMS
def test_a_row_for_each_segment(form: ModuleType) -> None:
    table = form.build_table(ModelInput(PAGE, Head("A walk")))
    assert (len(table), table.head.title) == (5, "A walk")
    assert table.texts[:2] == ["Home", "A walk"]
    assert len(form.build_table(ModelInput([]))) == 0


@FORMS
def test_equal_texts_are_known(form: ModuleType) -> None:
    table = form.build_table(ModelInput(PAGE))
    assert list(table.same) == [0, 1, 2, 3, 0]
    assert marked(table, BEFORE) == [False, False, False, False, True]
    assert marked(table, AFTER) == [True, False, False, False, False]


@FORMS
def test_a_heading_applies_to_the_segments_below_it(form: ModuleType) -> None:
    long = segment("word " * 40, "h", "body/h2")
    table = form.build_table(ModelInput([*PAGE, long, PAGE[0]]))
    assert list(table.heading) == [-1, -1, 1, 1, 3, 3, 3]


@FORMS
def test_values_of_fields_are_categories(form: ModuleType) -> None:
    table = form.build_table(ModelInput(PAGE))
    kinds = [table.kinds[kind] for kind in table.kind]

    def values(field: str) -> list[str]:
        codes = [categories[list(CATEGORIES).index(field)] for categories, _ in kinds]
        return [CATEGORIES[field][code] if code >= 0 else "" for code in codes]

    assert values("type") == ["l", "h", "p", "h", "l"]
    assert values("rule") == ["nav", "", "", "", OTHER]
    assert values("origin") == ["", "", "", "", "json-ld"]
    assert [flags for _, flags in kinds] == [(at == 3, False, False) for at in range(5)]
    assert marked(table, TYPE_H) == [False, True, False, True, False]
    assert marked(table, RULED) == [True, False, False, False, True]
    assert marked(table, H1) == [False, True, False, False, False]
    assert marked(table, EMBEDDED) == [False, False, False, False, True]


@FORMS
def test_links_are_at_most_the_characters(form: ModuleType) -> None:
    assert list(form.build_table(ModelInput(PAGE)).numbers)[LINKS::NUMBERS] == [4, 0, 0, 0, 4]


@FORMS
def test_prose_has_sentences_and_words(form: ModuleType) -> None:
    table = form.build_table(ModelInput(PAGE))
    assert marked(table, PROSE) == [False, False, True, False, False]
    chars = len(PAGE[2]["text"])
    assert (table.chars, table.prose_chars) == (4 + 6 + chars + 4 + 4, chars)


@FORMS
def test_a_table_of_blocks_is_read_as_its_records(form: ModuleType) -> None:
    blocks = BlockTable()
    for one in PAGE:
        blocks.append_record(one)
    ours, theirs = form.build_table(ModelInput(blocks)), form.build_table(ModelInput(PAGE))
    assert bytes(ours.numbers) == bytes(theirs.numbers) and bytes(ours.marks) == bytes(theirs.marks)
    assert ours.kinds == theirs.kinds and list(ours.kind) == list(theirs.kind)


@FORMS
@pytest.mark.parametrize("field", READS)
@pytest.mark.parametrize("value", [None, 1.5, True, ["p"]])
def test_fields_of_other_types_are_refused(form: ModuleType, field: str, value: Any) -> None:
    with pytest.raises((ValueError, TypeError, AttributeError)):
        form.build_table(ModelInput([PAGE[0], {**PAGE[1], field: value}]))
