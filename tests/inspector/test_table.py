"""Rows and queries of the table of documents."""

from __future__ import annotations

import pytest

from ncfilters.inspector.table import COLUMNS, Query, main_type, row_of


def row(**record: object) -> dict[str, object]:
    return dict(zip(COLUMNS, row_of(record)))


def test_a_row_says_what_the_record_has() -> None:
    found = row(
        id=7, url="https://www.a.example/b", html="<title>A &amp;\n B</title><p>x", lang="en", quality=0.5, gold="x"
    )
    assert (found["id"], found["site"], found["title"], found["lang"]) == ("7", "a.example", "A & B", "en")
    assert (found["quality"], found["gold"], found["length"], found["error"]) == (0.5, 1, 29, "")


def test_text_is_its_own_snippet_and_types_give_the_main_one() -> None:
    found = row(text="a  b\nc" * 200, page={"odds": 1, "types": {"article": 0.2, "forum": 0.7}})
    assert str(found["snippet"]).startswith("a b ca b c") and len(str(found["snippet"])) == 240
    assert found["type"] == "forum" and main_type({}) is None


def test_segments_have_their_length() -> None:
    assert row(segments=[{"text": "abc"}, {"text": "de"}, 7])["length"] == 5


@pytest.mark.parametrize(
    "record", [{"id": [1]}, {"url": 7}, {"head": "x"}, {"page": 1}, {"error": "bad"}, {"segments": 1}]
)
def test_odd_records_have_a_row(record: dict[str, object]) -> None:
    assert len(row_of(record)) == len(COLUMNS)


def test_a_query_is_a_condition_with_values() -> None:
    condition, values = Query.of({"q": "50%", "lang": "en", "min_length": "10", "only": "gold"}).condition()
    assert condition.count("?") == len(values)
    assert values[:2] == ["en", 10] and values[-1] == "%50\\%%"


@pytest.mark.parametrize("sort", ["n; DROP TABLE documents", "", "text"])
def test_an_unknown_order_is_the_one_of_the_input(sort: str) -> None:
    assert Query.of({"sort": sort}).order() == "n"


def test_what_is_no_number_is_not_a_condition() -> None:
    query = Query.of({"page": "x", "min_quality": "nan", "min_length": "1e99"})
    assert (query.page, query.condition()) == (1, ("", []))
