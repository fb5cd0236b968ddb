"""Content that a page has but does not show: where it goes, and that nothing is said twice."""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable
from html import escape
from typing import Any

import pytest

from ncfilters import record
from ncfilters.features.document import Document
from ncfilters.page import hidden_content, html_parser, tidy
from ncfilters.page.profiles import PageOptions, blocks_of_html
from ncfilters.scoring import registry
from ncfilters.scoring.char_ngram import model as ngram_model
from ncfilters.scoring.char_ngram.alphabet import Alphabet
from ncfilters.scoring.char_ngram.counts import NgramCounts
from ncfilters.segmentation import segmenter
from ncfilters.selection import policies, selector
from ncfilters.selection.decision import DecisionPolicy
from ncfilters.selection.justext_context import NeighbourOptions, neighbour_policy

BODY = "It had rained all day in the town, and nobody went out. Then the sun came, and the children."


def linked(**fields: Any) -> str:
    return f'<script type="application/ld+json">{json.dumps(fields)}</script>'


def state(**fields: Any) -> str:
    return f"<script type=application/json>{json.dumps(fields)}</script>"


def found(html: str) -> list[tuple[str, str]]:
    return [(block["origin"], block["text"]) for block in blocks_of_html(html) if hidden_content.is_extra(block)]


def order(html: str) -> list[str]:
    return [block["text"] for block in blocks_of_html(html)]


@pytest.mark.parametrize(
    "html",
    [
        f"<p>{BODY}</p>" + linked(articleBody=BODY),
        "<p>It had rained all day in the town,<p><b>and nobody</b> went out. Then the <i>sun</i> came, and the children"
        + linked(articleBody=BODY),
        f"<p hidden>{BODY}</p>" + state(body=BODY),
        f"<p>{BODY}</p><iframe srcdoc='{BODY}'></iframe>",
        f"<p>{BODY}</p><template><p>{BODY}</p></template>",
        f"<head><meta name=description content='{BODY[:60]}…'></head><p>{BODY}</p>",
        f"<p>{BODY}</p>" + linked(description=escape(f"<p>{BODY}</p>")),
    ],
)
def test_what_is_shown_is_not_offered(html: str) -> None:
    assert found(html) == []


def test_nothing_is_offered_twice() -> None:
    html = f"<head><meta name=description content='{BODY}'>" + linked(description=BODY[:60]) + linked(articleBody=BODY)
    html += f"</head><p>x{state(body=BODY)}<iframe srcdoc='{BODY}'></iframe><template><p>{BODY}</p></template>"
    assert found(html) == [("srcdoc", BODY)]


def test_bodies_come_before_what_sums_them_up() -> None:
    html = linked(description=BODY[:60], articleBody=f"{BODY} The end.") + linked(description="Another thing.")
    assert found(html) == [("json-ld:articleBody", f"{BODY} The end."), ("json-ld:description", "Another thing.")]


def test_only_what_is_lacking_of_a_paragraph() -> None:
    html = f"<p>{BODY}</p>" + linked(articleBody=f"<p>{BODY} <a href=x>They went</a> to the river.</p><p>And back.")
    assert found(html) == [("json-ld:articleBody", "They went to the river."), ("json-ld:articleBody", "And back.")]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("one<br>two<br><br>three", ["one", "two", "three"]),
        ("&lt;p&gt;one&lt;/p&gt;&lt;p&gt;two &amp;amp; three", ["one", "two & three"]),
        ("one &amp;&#32;two", ["one & two"]),
        ("one\n\ntwo\r\nthree", ["one", "two", "three"]),
        ("<p>a &lt;p&gt; is a tag", ["a <p> is a tag"]),
        ("1 < 2 and 3 > 2", ["1 < 2 and 3 > 2"]),
        ("List<T> and Map<K, V>", ["List<T> and Map<K, V>"]),
        ("<pre>a\n  b</pre>", ["a\n  b"]),
        ("<style>no</style><!-- no --><p>yes</p><iframe srcdoc=no></iframe>", ["yes"]),
        ("<p></p> \n ", []),
    ],
)
def test_html_in_strings(text: str, expected: list[str]) -> None:
    assert [text for _, text in found(linked(articleBody=text))] == expected


@pytest.mark.parametrize("price, shown", [("49.00", "$49"), (49.0, "49 €"), ("1299", "1,299"), ("7.50", "7,50")])
def test_prices_that_are_shown(price: object, shown: str) -> None:
    offer = linked(offers={"price": price, "priceCurrency": "EUR"})
    assert found(f"<p>A lamp, {shown}</p>{offer}") == []
    assert found(f"<p>A lamp</p>{offer}") == [("json-ld:price", f"{price} EUR")]


def test_pages_with_prose_keep_their_data() -> None:
    head = f"<head><meta property=og:description content='Of rivers.'>{linked(name='Rivers')}{state(body=BODY)}</head>"
    assert [origin for origin, _ in found(f"{head}<p>Text")] == ["json-ld:name", "hydration", "meta"]
    prose = "".join(
        f"<p>This is sentence {number} of a text that has a lot to say of all that there was to be seen.</p>" * 2
        for number in range(9)
    )
    assert found(f"{head}{prose}") == []
    assert [origin for origin, _ in found(f"{head}<nav><a href=x>{'Some link text. ' * 100}</a></nav>")] != []


def test_places() -> None:
    html = "<p>a<iframe srcdoc='b'></iframe> c</p><iframe srcdoc='<p>d<p>e'></iframe><p>f<br>g</p>" + linked(text="h")
    assert order(html) == ["a c", "b", "d", "e", "f", "g", "h"]


def test_paths() -> None:
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
def test_origins_of_what_is_read(html: str, origins: list[str | None]) -> None:
    assert [block.get("origin") for block in blocks_of_html(f"<body>{html}")] == origins
    assert not any(segment.get("rule") == record.EMBEDDED for segment in segmenter.segment_html(f"<body>{html}"))


def test_noscript_does_not_repeat_what_is_shown() -> None:
    html = f"<body><p>{BODY}</p><noscript><p>{BODY}</p><p>Short.</p></noscript><p>Short.</p>"
    assert order(html) == [BODY, "Short.", "Short."]
    assert len(blocks_of_html(html, PageOptions(embedded=False))) == 4


@pytest.mark.parametrize("end", ["", "</iframe>", "\n"])
def test_frames_end_with_noscript(end: str) -> None:
    html = f"<body><noscript><iframe src=x height=0 />{end}</noscript><p>a</p><iframe src=y></iframe><p>b"
    for parser in html_parser.PARSERS:
        assert [block["text"] for block in blocks_of_html(html, PageOptions(parser))] == ["a", "b"]
        assert "<p>a</p>" in tidy.tidy_html(html, parser)


def test_both_parsers_find_the_same() -> None:
    html = f"<head><meta name=description content=x>{linked(text='Other words')}</head>"
    html += f"<div>a<iframe srcdoc='<p>b'></iframe></div><template><p>{BODY}</p></template>"
    html += state(body=BODY.replace("sun", "moon"))
    one, other = (blocks_of_html(html, PageOptions(parser)) for parser in html_parser.PARSERS)
    assert one == other and len(one) == 6


@pytest.mark.parametrize("value", ['"x" ' * 20_000, "&quot;" * 20_000 + BODY])
def test_long_values_of_attributes_are_read(value: str) -> None:
    html = f"<p>a</p><iframe class=b srcdoc='{value.replace('>', '&gt;')}' title=\"c\"></iframe>"
    assert found(html)[0][0] == "srcdoc"


def test_too_much_text_lacks_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    html = "<p>Some text.</p>" + linked(text="More.")
    monkeypatch.setattr(hidden_content, "MAX_VISIBLE_CHARS", 10)
    assert len(found(html)) == 1
    monkeypatch.setattr(hidden_content, "MAX_VISIBLE_CHARS", 9)
    assert found(html) == []


def test_blocks_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hidden_content, "MAX_BLOCKS", 3)
    assert len(found(linked(text=[f"Line {number}" for number in range(9)]))) == 3


# ---- what comes after --------------------------------------------------------------------------------------------

SHOWN = "<nav><a href=x>One</a> <a href=y>Two</a></nav><p>Line one<br>line two{}</p><p>Short{}</p><p>" + BODY
EXTRA = f"<template><p>{BODY.replace('town', 'city')}</p></template><iframe srcdoc='<b>Also'></iframe>"


def test_the_rest_does_not_change() -> None:
    rest = [found for found in segmenter.segment_html(SHOWN.format(EXTRA, EXTRA)) if "origin" not in found]
    assert rest == segmenter.segment_html(SHOWN.format("", ""))
    assert rest == segmenter.segment_html(SHOWN.format(EXTRA, EXTRA), PageOptions(embedded=False))
    extra = [found for found in segmenter.segment_html(SHOWN.format(EXTRA, EXTRA)) if "origin" in found]
    assert [(s["type"], s["rule"]) for s in extra] == [("p", "embedded"), ("h", "embedded")]


def scored(html: str, score: Callable[[str], float]) -> list[record.Record]:
    return [{**found, "score": score(found["text"])} for found in segmenter.segment_html(html)]


@pytest.mark.parametrize(
    "decide", [policies.threshold_policy(), neighbour_policy(), neighbour_policy(NeighbourOptions(decided_bits=2.0))]
)
def test_deciders_leave_it_out(decide: DecisionPolicy) -> None:
    judge = registry.load_quality("quality")
    both = []
    for html in (SHOWN.format(EXTRA, EXTRA), SHOWN.format("", "")):
        segments = scored(html, lambda text: 9.0 if text.endswith(".") else 1.0)
        both.append(selector.select_text({"segments": segments}, decide, quality_model=judge))
    assert both[0] == both[1] and both[0]["text"]


def test_scores_in_context_do_not_change() -> None:
    texts = {text: float(len(text) % 7 - 2) for text in ("Line one line two", "Short", BODY, "One Two")}
    model = Fixed(texts)
    with_extra, without = (segmenter.segment_html(SHOWN.format(*extra)) for extra in ((EXTRA, EXTRA), ("", "")))
    scores = [model.evidence([Document(segments)])[0]["score"] for segments in (with_extra, without)]
    assert [score for score, found in zip(scores[0], with_extra) if "origin" not in found] == scores[1]


class Fixed(ngram_model.CharNgramModel):
    """A model with scores for texts, and a context."""

    def __init__(self, scores: dict[str, float]) -> None:
        super().__init__(
            ngram_model.NgramParameters(1, 0.5, Alphabet("ascii"), context=5.0),
            NgramCounts.of_texts(1, Alphabet("ascii"), [], []),
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


def cpu_of(html: str) -> float:
    gc.collect()
    start = time.process_time()
    segmenter.segment_html(html)
    return time.process_time() - start


@pytest.mark.parametrize("name", LONG)
def test_time_is_linear(name: str) -> None:
    half, whole = LONG[name](50_000), LONG[name](100_000)
    for _ in range(3):  # noise can only make it slower
        before = min(cpu_of(half) for _ in range(2))
        after = cpu_of(whole)
        if after < 3 * before + 0.03:
            return
    pytest.fail(f"{before:.2f} s for half of the page, {after:.2f} s for the whole")
