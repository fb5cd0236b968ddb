"""The JSON of segments is what orjson writes of the segments that the Python functions make."""

from __future__ import annotations

import random
from typing import Any

import orjson
import pytest

from ncfilters.page import compiled_core, html_parser, justext_blocks, profiles, walks
from ncfilters.page.metadata import page_head
from ncfilters.page.profiles import DEFAULT_OPTIONS, PageOptions
from ncfilters.segmentation import compiled, landmarks, page_language, segmenter
from ncfilters.segmentation.json_segments import JsonSegments, json_segments, marked_segments, shown_segments

needs_core = pytest.mark.skipif(
    compiled_core.core() is None, reason="no compiled core here: python setup.py build_ext --inplace"
)
PARTS = (
    "<title>Rain</title><h1>Rain in the morning</h1><p>It rained all day, and then it stopped.",
    "<ul><li>One<li>Two<li>Three</ul>",
    "<ol start=3><li>One<p>and more</ol>",
    "<p>one<br>two<br>three<p>Roses are red,<br>Violets are blue.",
    "<p><b>Bold</b><br><b>again</b><p><b>A heading</b><p>x\x01y \x7f \u200b e\u0301 \x85 \ue000",
    "<pre>int x;\n  y\n</pre><pre><div>a\tb</div><div>c</div></pre><pre>\n</pre>",
    "<table><tr><td>a<td>b\u00a0c<tr><td>d<td>e</table>",
    "<nav><a href=/>Home</a> <a href=/a>About</a></nav><footer>© 2024 us</footer>",
    "<p>Home | About | Contact<p>© 2024 us<p>All rights reserved.<p>…<p>---<p>a » b › c",
    '<div class=\'a"b\\ c\' id="x\ty"><p>“quoted” \\ "text"\t/</div>',
    "<p hidden>hidden<p style='display:none'>none<p aria-hidden=true>readers",
    "<noscript><p>Text without scripts, which the page has nowhere else, and more.</noscript>",
    "<p>é 中文 🙂 «x»<p>IV. Part<p>(a) b<p>٣. x<p>¶<p>Heading¶",
    '<script type=application/ld+json>{"@type":"Article","articleBody":"It snowed. Nobody came."}</script>',
    "<template><p>A template with a sentence that is long enough to be prose, is it not?</template>",
    "<footer><h1>The title</h1><p>" + "word " * 90 + "</footer>",
)
PAGES = ["", *PARTS, "".join(PARTS), "".join(reversed(PARTS)), PARTS[0] * 30, "".join(PARTS[7:9]) * 5]


def reference(html: str, options: PageOptions = DEFAULT_OPTIONS) -> JsonSegments:
    head, blocks = profiles.head_and_blocks(html, options)
    segments = segmenter.segment_blocks(blocks, options.profile)
    return JsonSegments(head, orjson.dumps(segments), *page_language.language_of(page_language.likely_text(segments)))


@needs_core
@pytest.mark.parametrize("html", PAGES)
def test_it_is_the_json_of_the_segments(html: str) -> None:
    assert json_segments(html) == reference(html)


@needs_core
@pytest.mark.parametrize("html", PAGES)
def test_segments_in_a_capsule_are_the_same(html: str) -> None:
    found, expected = shown_segments(html), reference(html)
    assert found is not None
    dicts = compiled.dicts_of(found.segments)
    assert orjson.dumps(dicts) == expected.segments and found.number == len(dicts)
    assert (found.head, found.language, found.probability) == (expected.head, expected.language, expected.probability)
    for segment in dicts:
        segment["score"] = 1.0
    assert orjson.dumps(compiled.dicts_of(found.segments)) == expected.segments


@needs_core
@pytest.mark.parametrize(
    "field", [("links", 1 << 70), ("text", b""), ("pre", False), ("more", "x"), ("origin", "a\0b")]
)
def test_unusual_embedded_segments_are_for_python(field: tuple[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    embedded = segmenter.embedded_segments
    html = PARTS[0] + PARTS[-3]

    def unusual(blocks: Any, has_markup: bool) -> Any:
        segments = embedded(blocks, has_markup)
        for segment in segments:
            segment[field[0]] = field[1]
        return segments

    assert shown_segments(html) is not None
    monkeypatch.setattr(segmenter, "embedded_segments", unusual)
    assert shown_segments(html) is None


@needs_core
def test_the_language_is_identified_where_it_is_asked_for() -> None:
    html = "<p>It rained all day, and then it stopped. Nobody knows why."
    found, without = json_segments(html), json_segments(html, with_language=False)
    assert found is not None and without is not None
    assert (found.language, without.language, found.segments == without.segments) == ("en", "", True)


# What is particular to jusText's paragraphs.
PARAGRAPHS = (
    "<p>one<!-- x --> two<input>three<form> four <object>five</object></form>six",
    "<a href=/>one <b>two</b></a><br>\n<br>three<br><b>four<br><br>five</b><p><br>six",
    "<h2><a>one<table><tr><td>two</table>three</a>four</h2><ol><li>five<ul><li>six</ol><lib>seven",
    "<h1>one<li>two<p>three</h1>four<a>five<td>six<fieldset>seven",
    "<a name=x />one<br/><select><option>two</select><template>three<p>four</template>",
    "<p>\r\n one \u3000 two \n three\tfour\u00a0<p> \u2003 <p>x<p>é \u4e2d\u6587 🙂",
    "<svg><title>one</title><a>two</a><style>x</style></svg><math><mi>x</mi></math>",
    "<div>" * 120 + "<h3><select2>deep" + "</div>" * 60 + "less",
    "<x-y>one<z:h1>two</z:h1></x-y><x:li>three<h1:x>four",
    "a<!-- x --!>b<?php x?>c<![CDATA[d]]>e<? f",
    "<button><p>one</button>two<textarea>three</textarea></textarea>four<iframe>five <p></iframe>",
)


@needs_core
@pytest.mark.parametrize("html", [*PAGES, *PARAGRAPHS, "".join(PARAGRAPHS), "<head>".join(reversed(PARAGRAPHS))])
def test_the_same_of_paragraphs_of_justext(html: str) -> None:
    options = DEFAULT_OPTIONS._replace(profile="justext")
    segments = segmenter.segment_blocks(justext_blocks.blocks_of_html(html), "justext")
    language = page_language.language_of(page_language.likely_text(segments))
    expected = JsonSegments({}, orjson.dumps(segments), *language)
    assert json_segments(html, options) == reference(html, options) == expected


def test_markup_is_for_python() -> None:
    for profile in profiles.PROFILES:
        options = DEFAULT_OPTIONS._replace(markup=True, profile=profile)
        assert json_segments("<p>Text.", options) is None
        assert shown_segments("<p>Text.", options) is None


@pytest.mark.parametrize("html", ["<p>x" * 20_000, "<p>a\ud800b"])
def test_errors_are_for_python(html: str) -> None:
    found = json_segments(html)
    assert found is None or found == reference(html)


@needs_core
def test_options_are_those_of_pages() -> None:
    html = PARTS[0] + PARTS[-3]
    for options in (DEFAULT_OPTIONS._replace(embedded=False), DEFAULT_OPTIONS):
        found = json_segments(html, options)
        assert found is not None
        assert orjson.loads(found.segments) == segmenter.segment_html(html, options)
    dense = "<p>x" * 5_000
    found = json_segments(dense, DEFAULT_OPTIONS._replace(dense=True))
    assert found is not None and len(orjson.loads(found.segments)) == 5_000
    assert json_segments(dense) is None and shown_segments(dense) is None


@needs_core
@pytest.mark.parametrize("options", [DEFAULT_OPTIONS, PageOptions(markup=True), PageOptions(profile="justext")])
def test_many_segments_of_few_paths_are_read_at_once(options: PageOptions) -> None:
    def is_read(html: str) -> bool:
        if options.markup:
            return marked_segments(html, options, None) is not None
        return json_segments(html, options) is not None and (
            options != DEFAULT_OPTIONS or shown_segments(html) is not None
        )

    row = "<tr><td>Name of the thing, of which there are 12,345</td></tr>\n" * 5_000
    assert is_read(f"<table>{row}</table>")
    text = "Some text of a paragraph, in which it says what follows from that."
    assert is_read(f"<h2>A heading of the page</h2><p>{text}</p>\n" * 3_000)
    many = "".join(f"<div id=a{n}><p>Some text of a paragraph that is here.</div>" for n in range(4_000))
    assert is_read(many) == (options.profile == "justext")  # its paths have no ids


@needs_core
def test_head() -> None:
    html = "<title>Rain</title><p>Text."
    found = json_segments(html)
    assert found is not None
    assert found.head == page_head.head_of_page(profiles.html_parser.parse_html(html)) == {"title": "Rain"}


def test_without_a_core_there_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walks, "core_of_walk", lambda: None)
    assert json_segments(PARTS[0]) is None and shown_segments(PARTS[0]) is None


def nested(choose: random.Random, depth: int = 0) -> str:
    """Parts of a page in one another, with headings and texts of any length."""
    names = ("div class=cookie", "div", "nav", "header", "footer", "main", "div id=modal.é", "DIV class=Social-x")
    if depth == 4 or choose.random() < 0.4:
        tag = "h1" if choose.random() < 0.15 else "p"
        return f"<{tag}>{'word ' * choose.randint(1, 30)}</{tag}>"
    name = choose.choice(names)
    inner = "".join(nested(choose, depth + 1) for _ in range(choose.randint(1, 3)))
    return f"<{name}>{inner}</{name.split()[0]}>"


@needs_core
def test_wrappers_are_found_alike() -> None:
    choose, with_wrappers = random.Random(3), 0
    for _ in range(400):
        html = nested(choose) + nested(choose)
        assert json_segments(html) == reference(html), html
        with_wrappers += bool(landmarks.landmarks_without_wrappers(segmenter.segment_html(html)))
    assert 20 < with_wrappers < 380


@needs_core
def test_large_pages_are_read_by_the_parser_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(html_parser.PARSERS, "html5lib", lambda html: "<p>What the other parser has serialised.</p>")
    page = "<p>" + "Some words of a page. " * 1_000
    found = json_segments(page, PageOptions(parser="html5lib"))
    assert found is not None
    assert [segment["text"] for segment in orjson.loads(found.segments)] == ["What the other parser has serialised."]


@needs_core
def test_a_path_of_embedded_segments_counts_once() -> None:
    body = "".join(f"<p>{number} It rained all day in the town, and nobody went out.</p>" for number in range(3_000))
    page = f'<p>x</p><script type=application/ld+json>{{"@type":"Article","articleBody":"{body}"}}</script>'
    assert (found := json_segments(page)) is not None
    assert found.segments == orjson.dumps(segmenter.segment_html(page))
    assert (marked := marked_segments(page, PageOptions(markup=True), None)) is not None
    assert marked.json.segments == orjson.dumps(segmenter.segment_html(page, PageOptions(markup=True)))
