"""JSON with the mistakes that pages make."""

from __future__ import annotations

import json

import pytest

from ncfilters.page.embedded import lenient_json
from ncfilters.page.embedded.lenient_json import load_json, load_json_at

ARTICLE = {"@type": "Article", "articleBody": "It rained."}


@pytest.mark.parametrize("after", ["", ";", " ;\n", "-->", "\n//]]>", "//-->\n", "/* ]]> */"])
@pytest.mark.parametrize("before", ["", "\ufeff", "<!--", "//<![CDATA[\n", "/* <![CDATA[ */", "// <!--\n"])
def test_comments_and_cdata_around_the_value(before: str, after: str) -> None:
    assert load_json(before + json.dumps(ARTICLE) + after) == ARTICLE


@pytest.mark.parametrize("text", ['["a\nb"]', '["a\tb",]', '[["a"],["b",],]'])
def test_line_breaks_and_superfluous_commas(text: str) -> None:
    assert load_json(text) == json.loads(text.replace(",]", "]"), strict=False)


@pytest.mark.parametrize("text", ["", "{", "{a: 1}", "['a']", "[" * 100_000, "nothing", "NaN,", '{"a": 1} {"b": 2}'])
def test_text_without_a_value(text: str) -> None:
    assert load_json(text) is None


def test_long_text_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lenient_json, "MAX_CHARS", 20)
    monkeypatch.setattr(lenient_json, "MAX_LENIENT_CHARS", 10)
    assert (load_json('["a"]'), load_json('["a"];'), load_json('["aaaaaaaa"]')) == (["a"], ["a"], ["aaaaaaaa"])
    assert (load_json('["aaaaaaaa"];'), load_json(json.dumps(["a" * 20]))) == (None, None)


def test_value_at_a_place_in_a_text() -> None:
    assert load_json_at('a = {"b": [1]}; c()', 4) == {"b": [1]}
    assert load_json_at("a = {b: 1}", 4) is None
    assert load_json_at("[" * 100_000, 0) is None


def test_long_rest_of_a_text_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lenient_json, "MAX_PREFIX_CHARS", 10)
    assert (load_json_at("a = [1, 2]", 4), load_json_at("[1, 2]; b()", 0)) == ([1, 2], None)
