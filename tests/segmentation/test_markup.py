"""Markup of blocks in their segments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ncfilters import record
from ncfilters.native.page_table import table_of
from ncfilters.page.markup.page_links import links_of_page
from ncfilters.page.metadata.meta_tags import declared_address
from ncfilters.page.profiles import PageOptions
from ncfilters.page.tree.html_parser import parse_html
from ncfilters.page.tree.survey import survey
from ncfilters.segmentation.cleaning import clean_text
from ncfilters.segmentation.markup import cleaned_positions
from ncfilters.segmentation.segmenter import segment_html

MARKUP = PageOptions(markup=True)
PAGES = sorted((Path(__file__).parent.parent / "data" / "markup").glob("*.html"))


def marked(html: str) -> list[tuple[Any, ...]]:
    """The text that each span of a page covers, its kind and its value."""
    return [
        (segment["text"][start:end], *entry)
        for segment in segment_html(html, MARKUP)
        for start, end, *entry in segment.get("spans", ())
    ]


@pytest.mark.parametrize(
    ("html", "spans"),
    [
        ("<p>&shy;a&#8203; <i>b&#8203; c</i>", [("b c", "em")]),
        ("<p>e&#769; e&#769; <b>e&#769;a</b>", [("éa", "strong")]),
        ("<p>e<b>&#769; a</b>", [("a", "strong")]),
        ("<p>&#8203; <b>&#8203;</b> a", []),
        ("<h2>Title <a href=#x>¶</a></h2>", []),
        ("<h2><a href=#x>Title ¶</a></h2>", [("Title", "link", "#x")]),
        ("<p>Roses are <i>red</i>,<br>violets are <b>blue</b>.", [("red", "em"), ("blue", "strong")]),
        ("<h1>One <i>two</i><br><b>three</b> four</h1>", [("two", "em"), ("three", "strong")]),
        ("<pre>a</pre><pre>b</pre><pre><b>c</b> d</pre>", [("c", "strong")]),
        ("<table><tr><td>a&#8203;<td>&#8203;<td><i>b</i></table>", [("b", "em")]),
    ],
)
def test_spans(html: str, spans: list[tuple[Any, ...]]) -> None:
    assert marked(html) == spans


def test_lines_of_a_paragraph() -> None:
    html = "<p>Roses are <i>red</i>,<br>violets <a href=x>are &#8203; blue</a>,<br><b>Sugar</b> is sweet."
    (segment,) = segment_html(html, MARKUP)
    text = segment["text"]
    assert [text[start:end] for start, end, *_ in segment["spans"]] == ["red", "are blue", "Sugar"]


def test_images_of_empty_blocks_go_to_the_next_segment() -> None:
    first, last = segment_html("<p>&#8203;<img src=a></p><p>A text.</p><p><img src=b>&#8203;</p>", MARKUP)[:1] * 2
    assert first["figure"] == [{"src": "a", "alt": ""}, {"src": "b", "alt": "", "after": True}]
    assert last is first


@pytest.mark.parametrize(
    "text", ["a\u200b  b", "\u200b \u200ba b\u200b ", "e\u0301x e\u0301", "a\x92b", "\u1100\u1161\u11a8 b", "a\n\n b"]
)
def test_positions_after_cleaning(text: str) -> None:
    new = clean_text(text)
    positions = cleaned_positions(text, new, range(len(text) + 1))
    assert positions == sorted(positions)
    assert (positions[0], positions[-1]) == (0, len(new))
    for at, place in enumerate(positions):
        if not text[at:] or not text[at - 1 : at].isspace() and text[at].isascii():
            assert clean_text(text[:at]) == new[:place].rstrip()


def test_text_is_the_same() -> None:
    html = (
        "<h1>A <b>title</b>¶</h1><p>One<br>two <img src=x> <i>three</i><ul><li>a<p>b</ul><table><tr><td>a<td>b</table>"
    )
    plain = [(segment["text"], segment["type"]) for segment in segment_html(html)]
    assert [(segment["text"], segment["type"]) for segment in segment_html(html, MARKUP)] == plain


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_spans_are_in_the_text_and_nested(page: Path) -> None:
    html = page.read_text(errors="replace")
    segments = segment_html(html, MARKUP)
    assert [segment["text"] for segment in segments] == [segment["text"] for segment in segment_html(html)]
    record.check_markup(segments, "segments")
    for segment in segments:
        ends = [len(segment["text"])]
        before = (0, -len(segment["text"]))
        for start, end, kind, *_ in segment.get("spans", ()):
            assert before <= (start, -end)
            before = (start, -end) if start < end or kind != "image" else (start, -len(segment["text"]))
            while len(ends) > 1 and ends[-1] <= start:
                ends.pop()
            assert end <= ends[-1] or start == end
            if start < end:
                ends.append(end)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_have_the_text_of_their_elements(page: Path) -> None:
    html = page.read_text(errors="replace")
    tree = parse_html(html)
    assert tree.root is not None
    table = table_of(tree.root)
    links = links_of_page(table, declared_address(survey(table)))
    texts: dict[str | None, list[Any]] = {}
    for node in tree.css("a[href]"):
        texts.setdefault(links.resolve(node.attributes["href"]), []).append(node)
    for segment in segment_html(html, MARKUP):
        for start, end, kind, *value in segment.get("spans", ()):
            if kind == "link" and not any(map(_is_rewritten, texts[value[0]])):
                own = _letters(segment["text"][start:end])
                assert any(own in _letters(node.text(deep=True)) for node in texts[value[0]])


def _is_rewritten(link: Any) -> bool:
    """Whether a link is in an element whose text is written in another way, or holds one."""
    return link.parent.tag in ("sup", "sub") or bool(link.css("sup, sub, math, script, style"))


def _letters(text: str) -> str:
    return "".join(clean_text(text).replace("¶", "").split())
