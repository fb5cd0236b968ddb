"""The segment table: documents one after the other, categories, repeated texts, headings, sums."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ncfilters.features.categories import CATEGORIES, OTHER, READS
from ncfilters.features.document import Document, Head
from ncfilters.features.segment_table import build_table
from ncfilters.record import Segment


def segment(text: str, kind: str, path: str, **fields: Any) -> Segment:
    return {"text": text, "type": kind, "path": path, "tag": path.rpartition("/")[2], "links": 0, **fields}


PAGE: list[Segment] = [
    segment("Home", "l", "body/nav/ul/li", links=4, rule="nav"),
    segment("A walk", "h", "body/main/h1"),
    segment("We walked along the river for a whole day. Then it rained.", "p", "body/main/p"),
    segment("More", "h", "body/main/h2", bold=True),
    segment("Home", "l", "body/footer/ul/li", links=400, rule="unheard of", origin="json-ld:text"),
]


def test_documents_stand_one_after_the_other() -> None:
    table = build_table([Document(PAGE, Head("A walk")), Document([]), Document(PAGE[:2])])
    assert len(table) == 7
    assert [head.title for head in table.heads] == ["A walk", "", ""]
    assert table.sizes.tolist() == [5, 0, 2]
    assert table.document.tolist() == [0] * 5 + [2] * 2
    assert table.first.tolist() == [0] * 5 + [5] * 2
    assert table.last.tolist() == [4] * 5 + [6] * 2
    assert table.texts[5:] == ["Home", "A walk"]


def test_equal_texts_of_a_document_are_known() -> None:
    table = build_table([Document(PAGE), Document(PAGE[:1])])
    assert table.same.tolist() == [0, 1, 2, 3, 0, 5]
    before, after = table.repeated
    assert before.tolist() == [False, False, False, False, True, False]
    assert after.tolist() == [True, False, False, False, False, False]


def test_a_heading_applies_to_the_segments_below_it() -> None:
    long = segment("word " * 40, "h", "body/h2")
    table = build_table([Document([*PAGE, long, PAGE[0]]), Document(PAGE[:1])])
    assert table.heading.tolist() == [-1, -1, 1, 1, 3, 3, 3, -1]


def test_groups_are_numbered_without_gaps() -> None:
    table = build_table([Document(PAGE), Document(PAGE)])
    for name, group in table.groups.items():
        assert sorted(set(group.tolist())) == list(range(group.max() + 1)), name
    numbered, count = table.numbered_groups
    assert sorted(set(numbered.ravel().tolist())) == list(range(count))


def test_values_of_fields_are_categories() -> None:
    table = build_table([Document(PAGE)])

    def values(field: str) -> list[str]:
        return [CATEGORIES[field][code] if code >= 0 else "" for code in table.category(field).tolist()]

    assert values("type") == ["l", "h", "p", "h", "l"]
    assert values("rule") == ["nav", "", "", "", OTHER]
    assert values("origin") == ["", "", "", "", "json-ld"]
    assert table.flags[:, table.kind].tolist() == [[False, False, False, True, False], [False] * 5, [False] * 5]


def test_links_are_at_most_the_characters() -> None:
    assert build_table([Document(PAGE)]).links.tolist() == [4, 0, 0, 0, 4]


def test_prose_has_sentences_and_words() -> None:
    table = build_table([Document(PAGE)])
    assert table.prose.tolist() == [False, False, True, False, False]
    chars = len(PAGE[2]["text"])
    assert table.prose_chars.tolist() == [0, 0, chars, 0, 0]
    assert table.page_chars.tolist() == [[4 + 6 + chars + 4 + 4], [chars]]


def test_sums_by_document_are_zero_without_segments() -> None:
    table = build_table([Document([]), Document(PAGE[:2]), Document([]), Document(PAGE)])
    assert table.sum_by_document(np.arange(7)[None]).tolist() == [[0, 1, 0, 20]]


@pytest.mark.parametrize("field", READS)
@pytest.mark.parametrize("value", [None, 1.5, True, ["p"]])
def test_fields_of_other_types_are_refused(field: str, value: Any) -> None:
    with pytest.raises((ValueError, TypeError, AttributeError)):
        build_table([Document(PAGE), Document([PAGE[0], {**PAGE[1], field: value}])])
