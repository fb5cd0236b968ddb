"""Statements of a page about itself."""

from __future__ import annotations

from ncfilters.page.metadata.statements import Reader, Statements, items_in, lines, statements_by_field


def test_statements_by_field() -> None:
    pair = ("Ann", "x")
    sources: dict[str, Statements] = {
        "byline": {"author": [pair]},
        "json-ld": {"author": [("Bob", "y")] * 2, "title": []},
        "rel-author": {"author": [pair] * 4, "license": [pair]},
        "unknown": {"author": [pair]},
        "meta": {"date": [(str(number), "z") for number in range(1500)], "author": [pair]},
        "time": {"date": [pair]},
    }
    out = statements_by_field(sources)
    assert out["author"] == [("json-ld", ("Bob", "y"))] * 2 + [("meta", pair), ("byline", pair)]
    assert len(out["date"]) == 1000 and out["license"] == [("rel-author", pair)]


def test_lines() -> None:
    assert lines([("meta", ("It  rained\n&amp; snowed", "x"))]) == ["It rained & snowed"]


def test_addresses_are_absolute() -> None:
    reader = Reader({}, "https://www.puddle.org/2012/rain")
    assert reader.address("../snow?a=b") == "https://www.puddle.org/snow?a=b"
    assert reader.address("https://a.org/b") == "https://a.org/b"
    for broken in ("javascript:alert(1)", "https://[", "https://a.org/a b"):
        assert reader.address(broken) == ""


def test_items_in_lists_and_places() -> None:
    values = [{"@graph": [{"a": 1}, [{"b": 2}]]}, {"other": {"c": 3}}, "text"]
    found = list(items_in(values, ("@graph",), 100))
    assert found == [values[0], {"a": 1}, {"b": 2}, values[1]]
    assert list(items_in(values, ("@graph",), 1)) == [values[0]]
