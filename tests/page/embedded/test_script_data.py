"""Data in scripts: JSON, JSON-LD, hydration, declared content."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from operations import assert_linear

from ncfilters.page.embedded import script_data
from ncfilters.page.embedded.script_data import (
    INTERFACE_NAMES,
    MAX_PROSE_TEXTS,
    linked_texts,
    load_json,
    load_json_at,
    prose_texts,
)
from ncfilters.page.page_options import PageOptions
from ncfilters.page.profiles import blocks_of_html
from ncfilters.segmentation.segmenter import segment_html, segment_record
from ncfilters.text.scripts import is_prose

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
    monkeypatch.setattr(script_data, "MAX_CHARS", 20)
    monkeypatch.setattr(script_data, "MAX_LENIENT_CHARS", 10)
    assert (load_json('["a"]'), load_json('["a"];'), load_json('["aaaaaaaa"]')) == (["a"], ["a"], ["aaaaaaaa"])
    assert (load_json('["aaaaaaaa"];'), load_json(json.dumps(["a" * 20]))) == (None, None)


def test_value_at_a_place_in_a_text() -> None:
    assert load_json_at('a = {"b": [1]}; c()', 4) == {"b": [1]}
    assert load_json_at("a = {b: 1}", 4) is None
    assert load_json_at("[" * 100_000, 0) is None


def test_long_rest_of_a_text_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(script_data, "MAX_PREFIX_CHARS", 10)
    assert (load_json_at("a = [1, 2]", 4), load_json_at("[1, 2]; b()", 0)) == ([1, 2], None)


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


def test_bounds_of_values_and_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(script_data, "MAX_VALUES", 10)
    assert len(linked_texts({"text": ["a"] * 100})) == 8  # the object and the list are values, too
    data = json.dumps([f"{PROSE} That is text {number}." for number in range(MAX_PROSE_TEXTS + 10)])
    assert len(prose_texts([("application/json", data)] * 3)) == MAX_PROSE_TEXTS


STEP = "Beat the eggs with the salt until your arm hurts. Then bake all of it in the oven for an hour."


def recipe(ingredients: Any = (), steps: Any = ()) -> str:
    data = {"@type": "Recipe", "name": "Cake", "recipeIngredient": ingredients, "recipeInstructions": steps}
    return f'<script type="application/ld+json">{json.dumps(data)}</script>'


def marked(html: str) -> list[tuple[str, str]]:
    """The texts of blocks that are marked, and what they show."""
    return [(block["text"], block["declared"]) for block in blocks_of_html(html) if "declared" in block]


def test_declared_lines_and_microdata_are_marked() -> None:
    page = "<nav><a>Salt Lake City</a></nav><h1>Cake</h1><ul><li>2 Eggs<li>salt</ul><p>More salt" + recipe(
        ["2 eggs", "Salt"]
    )
    name = "Recipe.recipeIngredient"
    assert marked(page) == [("2 Eggs", name), ("salt", name)]
    page = "<div><div>1&nbsp;1/2</div><div>cups</div><div>flour</div></div>" + recipe("1 1/2 cups flour")
    assert [text for text, _ in marked(page)] == ["1 1/2", "cups", "flour"]
    page = """<div itemscope itemtype="https://schema.org/Recipe"><h1 itemprop=name>Cake</h1>
        <li itemprop="recipeIngredient">2 eggs<li itemprop=tool>an oven<li itemprop=text>Some words</div>"""
    assert marked(page) == [("2 eggs", "Recipe.recipeIngredient"), ("an oven", "Recipe.tool")]
    body = '{"@type": "Article", "articleBody": "It rained all day in the town."}'
    article = f'<script type="application/ld+json">{body}</script>'
    assert marked("<p>It rained all day in the town." + article) == []
    assert marked(f"<p>{STEP}") == []


@pytest.mark.parametrize(
    "declared",
    [STEP, f"<p>{STEP.replace('eggs', '<b>eggs</b>')}</p>", STEP.replace("Then", "&lt;br&gt;Then"), STEP.upper()],
)
def test_sentences_of_a_step(declared: str) -> None:
    first, second = STEP.split(". ")
    steps = [{"@type": "HowToStep", "name": "Bake", "text": declared}]
    for html in (f"<p>{STEP}", f"<p>{first}.<p>{second}"):
        assert {name for _, name in marked(html + recipe(steps=steps))} == {"HowToStep.text"}
        assert len(marked(html + recipe(steps=steps))) == html.count("<p>")


def test_segments_have_it_whatever_the_options() -> None:
    page = f"<ul><li>2 <b>eggs</b></ul><p>{STEP}" + recipe(["2 eggs"], STEP)
    expected = ["Recipe.recipeIngredient", "Recipe.recipeInstructions"]
    for options in (PageOptions(), PageOptions(markup=True), PageOptions(embedded=False)):
        assert [one["declared"] for one in segment_html(page, options) if "declared" in one] == expected
    rendered = {"blocks": blocks_of_html(page)}
    assert [one["declared"] for one in segment_record(rendered)["segments"] if "declared" in one] == expected


def test_linear() -> None:
    def read(size: int) -> Any:
        return marked("<li>salt" * size + recipe(["salt"] * size + ["pepper and salt and pepper"] * size))

    assert_linear(read, lambda size: size, 300)


PROSE = "It had rained all day in the town. Then the sun came, and with it the children."
DATA = json.dumps({"post": [{"body": PROSE}], "slug": "a-b"})
TEXTS_HYDRATION = [("post/body", PROSE)]


@pytest.mark.parametrize("text", [
    PROSE, f"<p class='x'>{PROSE}</p>", "“What,” she said, “will become of the children?”",
    "Three things are in the box: a lamp, a cable, and a book.",
    "Дождь шёл весь день, и никто не выходил на улицу из дома.", "昨天下了一整天的雨，谁也没有出门。后来太阳出来了。",
    "昨日は一日中雨が降っていて、誰も外に出ませんでした。",
    "Wir haben im Jahr 2020 mit über 30 Leuten in Berlin an der Sache gearbeitet.",
])  # fmt: skip
def test_text_that_is_prose(text: str) -> None:
    assert is_prose(text)


@pytest.mark.parametrize(("name", "is_interface"), [("i18n", True), ("Cookies", True), ("İcon", True), ("ıcon", False)])
def test_names_of_the_interface(name: str, is_interface: bool) -> None:
    assert bool(INTERFACE_NAMES.fullmatch(name)) == is_interface


def test_text_in_ascii_is_read_like_other_text() -> None:
    choice = random.Random(1).choice
    parts = [*"don't Word word WORD x1 (in it), \"so end. end.\" a-b [1] 1. ? 'A".split(" "), "\x1cab"]
    ends = (" ", "\n ", " \x1f ", "\x1c ")
    texts = ["don't " + "".join(choice(parts) + choice(ends) for _ in range(12)) for _ in range(2_000)]
    found = [is_prose(text) for text in texts]
    assert found == [is_prose(text.replace("n't", "n’t")) for text in texts]
    assert 100 < sum(found) < 1_900


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Add to cart",
        "https://example.org/a/b. c",
        "A lamp of brass with a cable and a book in a box",  # no sentence
        "M0 0 L 10 10 a 5 5 0 1 0 10. 7 z m 8 9 l 7 8 9 0 1.",
        "body { margin: 0 } .a { color: red; } and so on, and on, and on it goes.",
        "function (a) { return a } // it had rained all day in the town.",
        "We have {{count}} of them in the town, and they are all here now.",
        "12.5 13.6 14.7 15.8 16.9 18.0 19.1 20.2 21.3.",
        "px-4 md:flex w-1/2 h-3 text-sm bg-red-100 p-2 m-3 b-4 c-5.",
    ],
)
def test_text_that_is_no_prose(text: str) -> None:
    assert not is_prose(text)


@pytest.mark.parametrize("kind, script", [
    ("application/json", DATA), ("text/json", f"<!--{DATA}-->"), ("", f"window.__INITIAL_STATE__ = {DATA};"),
    ("text/javascript", f"  var state={DATA}"), ("module", f"\nwindow['a'] = {DATA};\nrun(window['a']);"),
    ("", f"window.A = JSON.parse({json.dumps(DATA)});"),
    ("", "window.A = " + DATA[:-1] + ', "x": undefined, "y":[undefined ,1]};'), ("application/json", json.dumps(DATA)),
    ("application/json", DATA + ";"),
    ("application/json", json.dumps(json.dumps({"post": {"body": PROSE}, "x": "y" * 40}))),
])  # fmt: skip
def test_scripts_with_data(kind: str, script: str) -> None:
    assert prose_texts([(kind, script)]) == TEXTS_HYDRATION


@pytest.mark.parametrize("kind, script", [
    ("application/ld+json", DATA), ("text/template", DATA), ("", f"window.A = {{body: {json.dumps(PROSE)}}}"),
    ("", f"if (a == {DATA}) b()"), ("", f"f({DATA})"), ("", f"window.A = JSON.parse('{DATA}')"),
    ("", f"window.A = {DATA[:-5]}"), ("application/json", DATA.replace("post", "messages")), ("application/json", '""'),
    ("application/json", "[[], {}, null, 7]. . "),
])  # fmt: skip
def test_scripts_without_data(kind: str, script: str) -> None:
    assert prose_texts([(kind, script)]) == []


def test_stream_of_react() -> None:
    long = "Né. " + PROSE
    rows = f'1:I[7,[],""]\n2:["$","p",null,{{"children":{json.dumps(PROSE)}}}]\n3:T{len(long.encode()):x},{long}4:[]\n'
    half = len(rows) // 2
    scripts = ["(self.__next_f=self.__next_f||[]).push([0])"]
    scripts += [f"self.__next_f.push([1,{json.dumps(part)}])" for part in (rows[:half], rows[half:])]
    assert prose_texts([("", script) for script in scripts]) == [("children", PROSE), ("text", long)]


@pytest.mark.parametrize("rows", ["0:Tfffffff,a. b. c", "0:T0,0:T0,", "x. y. z", ":\n:\n. . . ", '7:{"a": "b. c. d'])
def test_rows_with_wrong_lengths(rows: str) -> None:
    assert prose_texts([("", f"self.__next_f.push([1,{json.dumps(rows)}])")]) == []
