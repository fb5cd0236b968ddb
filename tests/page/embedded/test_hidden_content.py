"""Content that a page does not show: what is found, what is read of it, what is visible already."""

from __future__ import annotations

import json
from collections.abc import Callable
from html import escape
from typing import Any

import pytest
from operations import assert_linear

from ncfilters import record
from ncfilters.errors import RecordError
from ncfilters.features.document import ModelInput
from ncfilters.page.blocks.visual_blocks import block_table
from ncfilters.page.embedded import hidden_content, visible_text
from ncfilters.page.embedded.visible_text import VisibleText, comparison_key
from ncfilters.page.profiles import PageOptions, blocks_of_html
from ncfilters.page.tree import html_parser
from ncfilters.page.tree.html_parser import page_table
from ncfilters.scoring import registry
from ncfilters.scoring.char_ngram import model as ngram_model
from ncfilters.scoring.char_ngram.ngrams import Alphabet, CharNgramCounts
from ncfilters.segmentation import segmenter
from ncfilters.selection import selector
from ncfilters.selection.decision import DecisionPolicy, policy
from ncfilters.selection.options import PolicyOptions

BODY = "It had rained all day in the town, and nobody went out. Then the sun came, and the children."


def linked(**fields: Any) -> str:
    return f'<script type="application/ld+json">{json.dumps(fields)}</script>'


def state(**fields: Any) -> str:
    return f"<script type=application/json>{json.dumps(fields)}</script>"


def hidden(html: str) -> list[tuple[str, str]]:
    return [
        (block["origin"], block["text"])
        for block in blocks_of_html(html)
        if block.get("origin", "shadow") not in record.SEEN
    ]


def order(html: str) -> list[str]:
    return [block["text"] for block in blocks_of_html(html)]


@pytest.mark.parametrize(
    "html",
    [
        f"<p>{BODY}</p>" + linked(articleBody=BODY),
        "<p>It had rained all day in the town,<p><b>and nobody</b> went out. Then the <i>sun</i> came, and the children"
        + linked(articleBody=BODY),
        f"<div hidden>{BODY}</div>" + state(body=BODY),
        f"<p>{BODY}</p><iframe srcdoc='{BODY}'></iframe>",
        f"<p>{BODY}</p><template><p>{BODY}</p></template>",
        f"<head><meta name=description content='{BODY[:60]}…'></head><p>{BODY}</p>",
        f"<p>{BODY}</p>" + linked(description=escape(f"<p>{BODY}</p>")),
    ],
)
def test_visible_text_is_not_repeated(html: str) -> None:
    assert hidden(html) == []


def test_texts_come_once_and_bodies_first() -> None:
    html = f"<head><meta name=description content='{BODY}'>" + linked(description=BODY[:60]) + linked(articleBody=BODY)
    html += f"</head><p>x{state(body=BODY)}<iframe srcdoc='{BODY}'></iframe><template><p>{BODY}</p></template>"
    assert hidden(html) == [("srcdoc", BODY)]
    html = linked(description=BODY[:60], articleBody=f"{BODY} The end.") + linked(description="Another thing.")
    assert hidden(html) == [("json-ld:articleBody", f"{BODY} The end."), ("json-ld:description", "Another thing.")]
    html = f"<p>{BODY}</p>" + linked(articleBody=f"<p>{BODY} <a href=x>They went</a> to the river.</p><p>And back.")
    assert hidden(html) == [("json-ld:articleBody", "They went to the river."), ("json-ld:articleBody", "And back.")]


@pytest.mark.parametrize("text, expected", [
    ("one<br>two<br><br>three", ["one", "two", "three"]),
    ("&lt;p&gt;one&lt;/p&gt;&lt;p&gt;two &amp;amp; three", ["one", "two & three"]),
    ("one &amp;&#32;two", ["one & two"]), ("one\n\ntwo\r\nthree", ["one", "two", "three"]),
    ("<p>a &lt;p&gt; is a tag", ["a <p> is a tag"]), ("1 < 2 and 3 > 2", ["1 < 2 and 3 > 2"]),
    ("List<T> and Map<K, V>", ["List<T> and Map<K, V>"]), ("<pre>a\n  b</pre>", ["a\n  b"]),
    ("<style>no</style><!-- no --><p>yes</p><iframe srcdoc=no></iframe>", ["yes"]), ("<p></p> \n ", []),
])  # fmt: skip
def test_html_in_strings_makes_blocks(text: str, expected: list[str]) -> None:
    assert [text for _, text in hidden(linked(articleBody=text))] == expected


@pytest.mark.parametrize("price, shown", [("49.00", "$49"), (49.0, "49 €"), ("1299", "1,299"), ("7.50", "7,50")])
def test_visible_prices_are_not_repeated(price: object, shown: str) -> None:
    offer = linked(offers={"price": price, "priceCurrency": "EUR"})
    assert hidden(f"<p>A lamp, {shown}</p>{offer}") == []
    assert hidden(f"<p>A lamp</p>{offer}") == [("json-ld:price", f"{price} EUR")]


def test_pages_with_prose_need_no_summaries() -> None:
    head = f"<head><meta property=og:description content='Of rivers.'>{linked(name='Rivers')}{state(body=BODY)}</head>"
    assert [origin for origin, _ in hidden(f"{head}<p>Text")] == ["json-ld:name", "hydration", "meta"]
    prose = "".join(
        f"<p>This is sentence {number} of a text that has a lot to say of all that there was to be seen.</p>" * 2
        for number in range(9)
    )
    assert hidden(f"{head}{prose}") == []
    assert [origin for origin, _ in hidden(f"{head}<nav><a href=x>{'Some link text. ' * 100}</a></nav>")] != []


def test_positions_and_paths_of_hidden_content() -> None:
    html = "<p>a<iframe srcdoc='b'></iframe> c</p><iframe srcdoc='<p>d<p>e'></iframe><p>f<br>g</p>" + linked(text="h")
    assert order(html) == ["a c", "b", "d", "e", "f", "g", "h"]
    html = '<div id=a><iframe srcdoc="<ul class=b><li>x"></iframe></div>' + linked(**{"@type": "A/b", "text": "y"})
    assert [block["path"] for block in blocks_of_html(html)] == ["body/div#a/iframe/ul.b/li", "json-ld/b/text"]
    assert blocks_of_html(state(**{"x#y.z": {"a b": BODY}}))[0]["path"] == "hydration/x_y_z/a_b"


@pytest.mark.parametrize(
    "html, origins",
    [
        ("<noscript><p>a</p></noscript><p>b", ["noscript", None]),
        ("<noscript>a<table><tr><td>b<td>c</table></noscript>d", ["noscript", "noscript", None]),
        ("<x-a><template shadowrootmode=open>a<p>b</p></template></x-a><p>c", ["shadow", "shadow", None]),
        ("<p>a <x-a><template shadowrootmode=open>b</template></x-a> c</p><p>d", ["shadow", None]),
        ("<div><template shadowrootmode=open></template>a</div>", [None]),
    ],
)
def test_origins_in_the_visible_tree(html: str, origins: list[str | None]) -> None:
    assert [block.get("origin") for block in blocks_of_html(f"<body>{html}")] == origins
    assert not any(segment.get("rule") == record.EMBEDDED for segment in segmenter.segment_html(f"<body>{html}"))


def test_noscript_does_not_repeat_visible_text() -> None:
    html = f"<body><p>{BODY}</p><noscript><p>{BODY}</p><p>Short.</p></noscript><p>Short.</p>"
    assert order(html) == [BODY, "Short.", "Short."]
    assert len(blocks_of_html(html, PageOptions(embedded=False))) == 4


def test_both_parsers_have_the_same_hidden_content() -> None:
    html = f"<head><meta name=description content=x>{linked(text='Other words')}</head>"
    html += f"<div>a<iframe srcdoc='<p>b'></iframe></div><template><p>{BODY}</p></template>"
    html += state(body=BODY.replace("sun", "moon"))
    one, other = (blocks_of_html(html, PageOptions(parser)) for parser in html_parser.PARSERS)
    assert one == other and len(one) == 6


@pytest.mark.parametrize("value", ['"x" ' * 20_000, "&quot;" * 20_000 + BODY])
def test_long_values_of_attributes_are_read(value: str) -> None:
    html = f"<p>a</p><iframe class=b srcdoc='{value.replace('>', '&gt;')}' title=\"c\"></iframe>"
    assert hidden(html)[0][0] == "srcdoc"


def test_pages_with_much_text_are_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    html = "<p>Some text.</p>" + linked(text="More.")
    monkeypatch.setattr(hidden_content, "MAX_VISIBLE_CHARS", 10)
    assert len(hidden(html)) == 1
    monkeypatch.setattr(hidden_content, "MAX_VISIBLE_CHARS", 9)
    assert hidden(html) == []


def test_bounds_of_blocks_and_parsed_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hidden_content, "MAX_BLOCKS", 3)
    assert len(hidden(linked(text=[f"Line {number}" for number in range(9)]))) == 3
    assert len(hidden(linked(text="".join(f"<p>Line {number}" for number in range(9))))) == 3
    monkeypatch.setattr(hidden_content, "MAX_PARSED", 3)
    different = "".join(f"<iframe srcdoc='<p>Frame {number}'></iframe>" for number in range(9))
    assert len(blocks_of_html(different)) == 3
    same = "<iframe srcdoc='<p>A frame'></iframe>" * 9 + "<iframe srcdoc='<p>Another'></iframe>"
    assert [block["text"] for block in blocks_of_html(same)] == ["A frame", "Another"]


# ---- later stages ------------------------------------------------------------------------------------------------
VISIBLE = "<nav><a href=x>One</a> <a href=y>Two</a></nav><p>Line one<br>line two{}</p><p>Short{}</p><p>" + BODY
EXTRA = f"<template><p>{BODY.replace('town', 'city')}</p></template><iframe srcdoc='<b>Also'></iframe>"


def test_hidden_content_does_not_change_other_segments() -> None:
    rest = [found for found in segmenter.segment_html(VISIBLE.format(EXTRA, EXTRA)) if "origin" not in found]
    assert rest == segmenter.segment_html(VISIBLE.format("", ""))
    assert rest == segmenter.segment_html(VISIBLE.format(EXTRA, EXTRA), PageOptions(embedded=False))
    extra = [found for found in segmenter.segment_html(VISIBLE.format(EXTRA, EXTRA)) if "origin" in found]
    assert [(s["type"], s["rule"]) for s in extra] == [("p", "embedded"), ("h", "embedded")]


def scored(html: str, score: Callable[[str], float]) -> list[record.Record]:
    return [{**found, "score": score(found["text"])} for found in segmenter.segment_html(html)]


@pytest.mark.parametrize("decide", [policy(PolicyOptions(method)) for method in ("threshold", "justext")])
def test_decisions_ignore_hidden_content(decide: DecisionPolicy) -> None:
    judge = registry.load_quality("quality")
    both = []
    for html in (VISIBLE.format(EXTRA, EXTRA), VISIBLE.format("", "")):
        segments = scored(html, lambda text: 9.0 if text.endswith(".") else 1.0)
        both.append(selector.select_text({"segments": segments}, decide, quality_model=judge))
    assert both[0] == both[1] and both[0]["text"]


def test_hidden_content_does_not_change_scores_in_context() -> None:
    texts = {text: float(len(text) % 7 - 2) for text in ("Line one line two", "Short", BODY, "One Two")}
    model = Fixed(texts)
    with_extra, without = (segmenter.segment_html(VISIBLE.format(*extra)) for extra in ((EXTRA, EXTRA), ("", "")))
    scores = [model.evidence([ModelInput(segments)])[0]["score"] for segments in (with_extra, without)]
    assert [score for score, found in zip(scores[0], with_extra) if "origin" not in found] == scores[1]


class Fixed(ngram_model.CharNgramModel):
    """A model with scores for texts, and a context."""

    def __init__(self, scores: dict[str, float]) -> None:
        super().__init__(
            ngram_model.CharNgramParameters(1, 0.5, Alphabet("ascii"), context=5.0),
            CharNgramCounts.of_texts(1, Alphabet("ascii"), [], []),
        )
        self._scores = scores

    def score_texts(self, texts: Any) -> Any:
        import numpy as np

        return np.array([self._scores.get(text, -9.0) for text in texts])


# ---- linear time -------------------------------------------------------------------------------------------------
LONG = {
    "deep lists": lambda n: f'<script type="application/ld+json">{"[" * n}{"]" * n}</script>',
    "deep objects": lambda n: '<script type="application/ld+json">{"text":"a.",' + '"a":{' * n,
    "items": lambda n: linked(itemListElement=[{"@type": "ListItem", "name": f"item {i}"} for i in range(n // 2)]),
    "sentences": lambda n: linked(text=" ".join(f"This is sentence {i}." for i in range(n))),
    "lines": lambda n: linked(text="\n".join(f"This is line {i}" for i in range(n))),
    "white space": lambda n: f'<script type="application/ld+json">{{{" " * n * 5};;</script>',
    "state": lambda n: state(a=[f"This is sentence {i} of all that there are here." for i in range(n)]),
    "scripts": lambda n: "<script>self.__next_f = (a. b. c</script>" * n,
    "rows": lambda n: f"<script>self.__next_f.push([1,{json.dumps('0:T4,a. b' * n)}])</script>",
    "templates": lambda n: f"<body>{'<template><p>' * n}x",
    "templates with text": lambda n: f"<body>{f'<template><p>{BODY}</template>' * (n // 10)}",
    "frames": lambda n: "<body>" + "<noscript><iframe src=x /></noscript>" * (n // 4),
    "srcdoc": lambda n: f"<body><iframe srcdoc='{'<p>text' * n}'></iframe>",
    "srcdoc in srcdoc": lambda n: "<body>" + "<iframe srcdoc='" * n,
    "long tags": lambda n: "<a b='" * n,
}


@pytest.mark.usefixtures("no_bounds")
@pytest.mark.parametrize("name", LONG)
def test_work_is_linear(name: str) -> None:
    try:
        assert_linear(segmenter.segment_html, LONG[name], 12_000)
    except RecordError as error:
        assert "open elements" in str(error)


ARTICLE = '<script type="application/ld+json">{"@type": "Article", "articleBody": "It rained."}</script>'
PROSE = "It had rained all day in the town, and nobody went out. Then the sun came, and the children."


def texts(html: str, sparse: bool = True) -> list[hidden_content.HiddenText]:
    table = page_table(html)
    holders: list[Any] = []
    return hidden_content.hidden_texts(table, holders, len(block_table(table, holders)), sparse)


def test_where_hidden_texts_stand() -> None:
    assert texts(ARTICLE) == [
        hidden_content.HiddenText(0, 0, "json-ld:articleBody", "json-ld/Article/articleBody", "It rained.")
    ]
    html = f"<p>a<iframe srcdoc='<p>b'></iframe></p><p>c</p><template><p>{PROSE}</p></template>{ARTICLE}"
    assert [(text.position, text.origin) for text in texts(html)] == [
        (1, "srcdoc"),
        (2, "template"),
        (2, "json-ld:articleBody"),
    ]
    assert texts(f"<p>a<template><p>{PROSE} {{{{ name }}}}</p></template>") == []
    description = "<meta name=Description content='Rain.'><meta property=og:description content='Sun.'>"
    page = f"<html><!-- a --><head>{ARTICLE}</head><body>{description}<svg>{ARTICLE}</svg>"
    assert [text.source for text in texts(page)] == ["It rained.", "Rain.", "Sun."]
    assert len(texts(f"<head>{ARTICLE}<frameset><frame>")) == 1  # all of a page without a body is read for blocks


def test_only_pages_with_little_prose_have_descriptions_and_hydration_data(monkeypatch: pytest.MonkeyPatch) -> None:
    html = f'<meta name=description content=Rain><script type=application/json>{{"body": "{PROSE}"}}</script><p>a'
    assert [text.origin for text in texts(html)] == ["hydration", "meta"]
    assert texts(html, sparse=False) == []
    monkeypatch.setattr(hidden_content, "MAX_HYDRATED_BLOCKS", 0)
    assert [text.origin for text in texts(html)] == ["meta"]


def test_links_and_short_blocks_are_no_prose() -> None:
    assert not hidden_content.has_little_prose([PROSE * 12], [0])
    assert hidden_content.has_little_prose([PROSE * 12], [len(PROSE) * 12])
    assert hidden_content.has_little_prose(["It rained."] * 500, [0] * 500)


PAGE = "The river rose by two metres. Nobody was hurt. “It’s over,” they said on Tuesday in the town hall."


@pytest.mark.parametrize(
    "text",
    [
        "The river rose by two metres.",
        "the river  rose\nby two metres",
        'THE RIVER ROSE BY TWO METRES. "It\'s over," they said on Tuesday in the town hall.',
        "The river rose by two me\u00adtres. No\u200bbody was hurt.",
        "Nobody was hurt. The river rose by two metres.",  # in another order
        "… they said on Tuesday in the town hall…",
        "",
        "—!",
    ],
)
def test_visible_sentences_are_not_missing(text: str) -> None:
    assert VisibleText(PAGE).add_missing(text) == []


@pytest.mark.parametrize(
    "text, expected",
    [
        ("The bridge is closed.", ["The bridge is closed."]),
        (f"{PAGE} The bridge is closed.", ["The bridge is closed."]),
        (f"The bridge is closed. {PAGE} The road is not.", ["The bridge is closed.", "The road is not."]),
        ("The bridge is closed. So is the road. Nobody was hurt.", ["The bridge is closed. So is the road."]),
        # a short sentence stays with those before it
        ("The bridge across it is closed. Hurt. The road along it is not, for now.", None),
        ("河水上涨了两米。桥梁已经关闭，所有的人都回家了，没有人知道什么时候再打开。", None),
    ],
)
def test_other_sentences_are_missing(text: str, expected: list[str] | None) -> None:
    assert VisibleText(PAGE).add_missing(text) == (expected or [text])


def test_what_of_a_text_is_visible() -> None:
    words = "It is said that the river has not been so high for a hundred and twenty years or more, in the town"
    other = "It is said that the road has been closed ever since a lorry went into the river"
    assert VisibleText(f"{words}.").add_missing(words.replace("hundred", "HUNDRED ") + "…") == []
    assert VisibleText(f"{words}.").add_missing(words.replace("high", "low")) == []
    assert VisibleText(f"{words}.").add_missing(other) == [other]
    visible = VisibleText(PAGE)
    assert visible.add_missing("The bridge is closed.") == ["The bridge is closed."]
    assert visible.add_missing("The bridge is closed!") == []
    assert visible.add_if_missing("a\tb c") and not visible.add_if_missing("A\tb\tc")
    assert VisibleText("Дождь шёл весь день.").add_missing("Дождь шёл весь день") == []
    assert VisibleText("Дождь шёл весь день.").add_missing("Снег шёл всю ночь") == ["Снег шёл всю ночь"]
    assert comparison_key("A1 — “b”\u00a0c…\n2") == b"a1bc2"
    assert comparison_key("\ud83d x") == b"x"
    assert comparison_key("H₂O, 10⁶, 5²") == comparison_key("H2O 106 52")


def test_long_searches_end_and_all_texts_are_visible_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visible_text, "MAX_SEARCHED_BYTES", 200)
    visible = VisibleText(PAGE)
    assert visible.add_missing("The bridge is closed.") and not visible.add_missing("The road is closed.")


def test_long_comparisons_take_linear_time() -> None:
    def compare(text: str) -> None:
        VisibleText("a" * len(text)).add_missing(f"{text[: len(text) // 3]}b{text[: len(text) // 3]}")

    assert_linear(compare, lambda size: "a" * size, 200_000)
