"""The content of JSON-LD."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ncfilters.page import json_ld
from ncfilters.page.json_ld import load_json, texts

ARTICLE = {"@type": "Article", "articleBody": "It rained."}
FOUND = [("Article", "articleBody", "It rained.")]


@pytest.mark.parametrize("behind", ["", ";", " ;\n", "-->", "\n//]]>", "//-->\n", "/* ]]> */"])
@pytest.mark.parametrize("before", ["", "\ufeff", "<!--", "//<![CDATA[\n", "/* <![CDATA[ */", "// <!--\n"])
def test_wrappings(before: str, behind: str) -> None:
    assert load_json(before + json.dumps(ARTICLE) + behind) == ARTICLE


@pytest.mark.parametrize("text", ['["a\nb"]', '["a\tb",]', '[["a"],["b",],]'])
def test_what_is_forgiven(text: str) -> None:
    assert load_json(text) == json.loads(text.replace(",]", "]"), strict=False)


@pytest.mark.parametrize("text", ["", "{", "{a: 1}", "['a']", "[" * 100_000, "nothing", "NaN,", '{"a": 1} {"b": 2}'])
def test_what_is_not_read(text: str) -> None:
    assert load_json(text) is None


def test_what_is_too_long_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_ld, "MAX_CHARS", 20)
    monkeypatch.setattr(json_ld, "MAX_LENIENT_CHARS", 10)
    assert (load_json('["a"]'), load_json('["a"];'), load_json('["aaaaaaaa"]')) == (["a"], ["a"], ["aaaaaaaa"])
    assert (load_json('["aaaaaaaa"];'), load_json(json.dumps(["a" * 20]))) == (None, None)


@pytest.mark.parametrize(
    "value, expected",
    [
        (ARTICLE, FOUND),
        ([[ARTICLE]], FOUND),
        ({"@graph": [ARTICLE, {"@type": "WebSite", "description": "A site."}]}, FOUND),
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
def test_content(value: Any, expected: list[tuple[str, str, str]]) -> None:
    assert texts(value) == expected


def test_what_tells_something() -> None:
    question = {"@type": "Question", "name": "a", "acceptedAnswer": {"@type": "Answer", "text": "b"}}
    value = [
        question,
        {"@type": "Product", "name": "no", "description": "c", "price": 7},
        {**ARTICLE, "description": "no"},
    ]
    found = [("Question", "name", "a"), ("Answer", "text", "b"), ("Product", "description", "c"), *FOUND]
    assert texts(value, all_of_it=False) == found


def test_values_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_ld, "MAX_VALUES", 10)
    assert len(texts({"text": ["a"] * 100})) == 8  # the object and the list are values, too
