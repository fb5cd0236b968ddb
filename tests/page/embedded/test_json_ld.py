"""The content of JSON-LD."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.page.embedded import json_ld
from ncfilters.page.embedded.json_ld import linked_texts

ARTICLE = {"@type": "Article", "articleBody": "It rained."}
TEXTS = [("Article", "articleBody", "It rained.")]


@pytest.mark.parametrize(
    "value, expected",
    [
        (ARTICLE, TEXTS),
        ([[ARTICLE]], TEXTS),
        ({"@graph": [ARTICLE, {"@type": "WebSite", "description": "A site."}]}, TEXTS),
        ({"@type": ["BlogPosting", "Article"], "text": "a"}, [("BlogPosting", "text", "a")]),
        ({"@type": "https://schema.org/Event", "name": "a"}, [("Event", "name", "a")]),
        ({"@type": "schema:Event", "name": "a"}, [("Event", "name", "a")]),
        ({"@type": "Article", "author": {"@type": "Thing", "description": "no"}}, []),
        ({"@type": "Person", "description": "no"}, []),
        ({"@type": "WebPage", "name": "no", "description": "a"}, [("WebPage", "description", "a")]),
        ({"text": ["a", "b", 7, None, ""]}, [("", "text", "a"), ("", "text", "b")]),
        ({"text": {"@value": "a", "@language": "en"}}, [("", "text", "a")]),
        ({"url": "no", "keywords": "no", "@id": "no"}, []),
        (  # in order, the own text first
            {"step": [{"@type": "HowToStep", "text": "b"}, {"@type": "HowToStep", "text": "c"}], "name": "a"},
            [("", "name", "a"), ("HowToStep", "text", "b"), ("HowToStep", "text", "c")],
        ),
        (
            {"@type": "Product", "offers": {"@type": "Offer", "price": 7, "priceCurrency": "EUR"}},
            [("Offer", "price", "7 EUR")],
        ),
        ({"offers": {"@type": "AggregateOffer", "lowPrice": "5", "price": None}}, []),
        ({"offers": {"lowPrice": "5.00"}}, [("", "price", "5.00")]),
        (
            {"additionalProperty": [{"@type": "PropertyValue", "name": "Width", "value": "7\ncm"}]},
            [("PropertyValue", "property", "Width\t7 cm")],
        ),
        ({"@type": "PropertyValue", "name": "Width", "value": {"a": "b"}}, []),
        ({"text": "a\ud800"}, [("", "text", "a\ufffd")]),
        ({"@type": {"a": 1}, "text": {"b": {"c": "d"}}}, []),
        (None, []),
        ("text", []),
    ],
)
def test_texts_of_values(value: Any, expected: list[tuple[str, str, str]]) -> None:
    assert linked_texts(value) == expected


def test_without_names_prices_and_summaries() -> None:
    question = {"@type": "Question", "name": "a", "acceptedAnswer": {"@type": "Answer", "text": "b"}}
    value = [
        question,
        {"@type": "Product", "name": "no", "description": "c", "price": 7},
        {**ARTICLE, "description": "no"},
    ]
    expected = [("Question", "name", "a"), ("Answer", "text", "b"), ("Product", "description", "c"), *TEXTS]
    assert linked_texts(value, everything=False) == expected


def test_visited_values_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_ld, "MAX_VALUES", 10)
    assert len(linked_texts({"text": ["a"] * 100})) == 8  # the object and the list are values, too
