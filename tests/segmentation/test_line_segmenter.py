"""Lines with segments are those that nc-segment writes of records."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import orjson
import pytest

from bench.same_walks import PageMaker
from ncfilters.page import compiled_core
from ncfilters.page.profiles import DEFAULT_OPTIONS, PageOptions
from ncfilters.record import VERSION, Record
from ncfilters.segmentation.head_fields import complete_head
from ncfilters.segmentation.line_segmenter import line_parser, segment_line
from ncfilters.segmentation.page_language import with_language
from ncfilters.segmentation.segmenter import segment_record
from ncfilters.streams.json_lines import WrittenLine, parse_line
from ncfilters.streams.writers import json_line

needs_core = pytest.mark.skipif(
    compiled_core.core() is None, reason="no compiled core here: python setup.py build_ext --inplace"
)
HTML = "<title>Rain</title><p>It <a href=x>rained</a> all day, and then it stopped.<img src=rain.jpg>"
USUAL: list[Record] = [
    {"html": HTML},
    {"id": "a", "url": "http://site.example/", "html": HTML, "date": "2024-01-02", "more": [1, {"x": None}]},
    {"html": HTML, "text": "It rained", "nc": VERSION, "id": 7},
    {"lang": "de", "html": HTML},
    {"lang": None, "html": HTML, "id": "a"},
    {"lang": "", "lang_probability": 1, "html": ""},
    {"head": {"title": "Snow"}, "html": HTML},
    {"head": 7, "html": HTML, "error": "none"},
    {"html": HTML, "bytes": {"$base64": "AAEC"}, "ünï": "cödé \x01 \u2028"},
]
UNUSUAL: list[Any] = [
    {"id": "a"},
    {"html": None},
    {"html": 7},
    {"html": {"$base64": "PHA+"}},
    {"html": HTML, "blocks": []},
    {"html": HTML, "segments": []},
    {"html": HTML, "nc": 2},
    {"html": HTML, "id": 1.5},
    {"html": HTML, "error": {"stage": "nc-warc", "message": "x"}},
    {"html": "<p>x" * 20_000},
    [],
]


MARKUP = PageOptions(markup=True)


def reference(line: bytes, options: PageOptions = DEFAULT_OPTIONS) -> bytes:
    record = parse_line(line)
    assert isinstance(record, dict)
    out = complete_head(with_language(segment_record(record, options)))
    out.setdefault("nc", VERSION)
    return json_line(out)


@needs_core
@pytest.mark.parametrize("record", USUAL)
@pytest.mark.parametrize("option", [0, orjson.OPT_INDENT_2])
def test_lines_are_those_of_records(record: Record, option: int) -> None:
    line = orjson.dumps(record, option=option).replace(b"\n", b" ") + b"\n"
    assert segment_line(line) == reference(line)
    assert segment_line(line, MARKUP) == reference(line, MARKUP)


MARKED = [
    "<h1>Rain</h1><p>By <a href=/authors/x>Ann Lee</a>"
    "<p>It <em>rained</em>\u200b all\u00ad <b>day</b>.<br>Then it <i>stopped</i>.",
    "<p>a \\(x\\) b $$y$$ c<pre><code class=language-sh>make\n  all</code></pre><ol><li>d<br>e <code>f</code></ol>",
    "<img src=a.jpg>\u200b<p>\u200b<img src=b.jpg></p><p>c<p>\u200b <img src=d.jpg></p><p>e\u200b<br>f<img src=g.jpg>",
    '<table><tr><th>a<th>b<tr><td>c \ufb01<td colspan=2><b>d</b></table><blockquote>e"\\\x01\u2028</blockquote>',
    "<p>a<noscript><p>It has rained for so many days in a row, we forgot.</p></noscript><p>b"
    "<template><b>c</b></template>"
    "<p>It has rained for so many days in a row, we forgot."
    '<script type="application/ld+json">{"@type":"Article","articleBody":"It rained <b>all</b> day."}</script>',
    "<p>a<img class=latex alt='x^2' src=x.png>b",
    "<p>a<br>\u200b<br>b<p>c <em>d</em><br>\u200b<img src=e.jpg><br>f",  # a line that is empty once it is clean
    "<p>\udc80 <a href=b>c</a>",
    "",
]


@needs_core
@pytest.mark.parametrize("html", MARKED)
def test_markup_is_that_of_records(html: str) -> None:
    line = json.dumps({"id": "a", "url": "http://site.example/2024/05/06/x", "html": html}).encode()
    written = segment_line(line, MARKUP)
    assert written is None and "\udc80" in html or written == reference(line, MARKUP)


@needs_core
def test_random_pages_with_markup() -> None:
    maker = PageMaker(1, [page for page in MARKED if page])
    lines = [json.dumps({"url": "http://site.example/", "html": maker.page()}).encode() for _ in range(300)]
    written = [(line, out) for line in lines if (out := segment_line(line, MARKUP)) is not None]
    assert len(written) > 200
    assert [line for line, out in written if out != reference(line, MARKUP)] == []


ODD = [
    *"ab.",
    *" \t\u00a0\u2000\u2003\u3000",
    *"\u00ad\u00ad\u200b\ufeff\x01\ue000\ufffc",
    *"é中한Я¶\u0301\x95\u200d",
    "<br>",
]


def odd_page(random: Random) -> str:
    def text() -> str:
        return "".join(random.choices(ODD, k=random.randint(0, 7)))

    forms = ("{}", "<em>{}</em>", "<a href=x>{}</a>", "<b>{}<i>a</i></b>", "<img src=a alt='{}'>", "<sup>{}</sup>")
    blocks = (
        "<table><tr><td>{}<td>{}<tr><td>{}</table>",
        "<p>{}{}{}",
        "<h2>{}{}{}<a href=#a>¶</a></h2>",
        "<pre>{}\n{}{}",
    )
    return "".join(
        random.choice(blocks).format(*(random.choice(forms).format(text()) for _ in range(3))) for _ in range(5)
    )


@needs_core
def test_characters_that_are_left_out() -> None:
    lines = [json.dumps({"html": odd_page(Random(seed))}).encode() for seed in range(500)]
    for options in (DEFAULT_OPTIONS, MARKUP):
        written = [(line, out) for line in lines if (out := segment_line(line, options)) is not None]
        assert len(written) > 450
        assert [line for line, out in written if out != reference(line, options)] == []


@needs_core
def test_every_character_is_cleaned_alike() -> None:
    codes = [*range(0xD800), *range(0xE000, 0x11000), *range(0x1F000, 0x1FB00)]
    for start in range(0, len(codes), 10_000):
        html = "".join(f"<p>a{chr(code)}b <em>{chr(code)} c<p>a{chr(code)}" for code in codes[start : start + 10_000])
        line = json.dumps({"html": html}).encode()
        for options in (PageOptions(dense=True), PageOptions(markup=True, dense=True)):
            assert segment_line(line, options) == reference(line, options)


@pytest.mark.parametrize("record", UNUSUAL)
def test_others_are_for_python(record: Any) -> None:
    assert segment_line(orjson.dumps(record)) is segment_line(orjson.dumps(record), MARKUP) is None


@pytest.mark.parametrize("line", [b"", b"{", b'{"html":"<p>a"', b'{"html":"<p>a\\ud800 b"}', b'{"html":"<p>\xff"}'])
def test_damaged_lines(line: bytes) -> None:
    found = segment_line(line)
    assert found is None or found == reference(line)


def test_escapes_and_repeated_names() -> None:
    for line in (
        b'{"html":"<p>\\u00e9\\ud83d\\ude42\\/\\t\\n\\"</p>", "a":1, "a":2}',
        b'{"html":"<p>one","html":"<p>two","\\u0069d":"x"}',
        b' {"\\u0068tml" : "<p>one" , "id" : 1.0e2x}',
    ):
        found = segment_line(line)
        assert found is None or found == reference(line)


@needs_core
def test_parser_of_lines() -> None:
    parse = line_parser(DEFAULT_OPTIONS)
    written = parse(b'{"html":"<p>It rained."}')
    assert type(written) is WrittenLine
    assert written.line == reference(b'{"html":"<p>It rained."}')
    assert parse(b'{"text":"It rained."}') == {"text": "It rained."}
    assert "not JSON" in str(parse(b"x"))
