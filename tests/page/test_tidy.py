"""Tidy HTML: regular markup of visible elements, and markers for other renderers."""

from __future__ import annotations

import re
from html import unescape

import pytest

from ncfilters.errors import RecordError
from ncfilters.page import profiles, tidy
from ncfilters.page.tree import html_parser
from ncfilters.segmentation import segmenter

PARSERS = list(html_parser.PARSERS)


def body(html: str, parser: str = "lexbor") -> str:
    found = re.search("<body[^>]*>(.*)</body>", tidy.tidy_html(html, parser), re.S)
    assert found
    return found[1].strip()


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize(
    "html, expected",
    [
        ("<p>one<p>two", "<p>one</p><p>two</p>"),
        ("<P CLASS=a ID='b'>one", '<p class="a" id="b">one</p>'),
        ("a &lt; b &amp; c &gt; d", "a &lt; b &amp; c &gt; d"),
        ("<p>&eacute;&copy;&#8217;", "<p>é©’</p>"),
        ("a&nbsp;b", "a&nbsp;b"),
        ("<ul><li>one<li>two</ul>", "<ul><li>one</li><li>two</li></ul>"),
        ("<script>1<2</script><style>p{}</style><p>a", "<p>a</p>"),
        ("<p>a<!-- b -->c<!---->d", "<p>acd</p>"),
        ("<p>a<img src=x>b<svg><text>no</text></svg>c", "<p>abc</p>"),
        ("<iframe><p>no</iframe><canvas>no</canvas><audio>no</audio><video>no</video>a", "a"),
        ("<body><noscript><p>a</noscript>", "<noscript><p>a</p></noscript>"),
        ("<body><template><p>no</p></template>a", "a"),
        ("<xmp><b></xmp>", "<pre>&lt;b&gt;</pre>"),
        ("<b><p>a</b>b", "<b></b><p><b>a</b>b</p>"),
        ("<table><tr><td>a<p>b</table>", "<table><tbody><tr><td>a<p>b</p></td></tr></tbody></table>"),
        ("<br/><hr/>a", "<br><hr>a"),
        ("<custom-tag x>a</custom-tag>", '<custom-tag x="">a</custom-tag>'),
    ],
)
def test_markup_is_regular(html: str, expected: str, parser: str) -> None:
    assert body(html, parser) == expected


@pytest.mark.parametrize("parser", PARSERS)
def test_shadow_roots_stay_as_elements(parser: str) -> None:
    out = tidy.tidy_html("<body><x-a><template shadowrootmode=open><style>p{}</style><p>a</p></template></x-a>", parser)
    assert '<shadow-root shadowrootmode="open"><p>a</p></shadow-root>' in out


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize(
    "html", ["", " ", "\ufeff", "<", "<!--", "</p>", "<!DOCTYPE html>", "&", "<a", '<a b="', "\x00"]
)
def test_pages_with_hardly_anything(html: str, parser: str) -> None:
    assert "<body" in tidy.tidy_html(html, parser)


@pytest.mark.parametrize("parser", ["lexbor", "html5lib"])
def test_surrogates_are_replaced(parser: str) -> None:
    tidy.tidy_html("<p>a\ud800b", parser).encode("utf-8")


def test_every_start_tag_is_regular() -> None:
    html = "<p a=1 b='x \"y\"' c d=\"<i>\" e=a>b><P\tX\n=\n1><q/a/b=c/><p 'x'=1 =y>z"
    for tag in re.findall("<[a-zA-Z][^>]*>", re.sub('"[^"]*"', '""', tidy.tidy_html(html))):
        assert re.fullmatch('<[a-z]+( [^ >][^ =>]*="")*>', tag)
    assert segmenter.segment_html(html)[-1]["text"].endswith("z")


def test_unknown_parser() -> None:
    with pytest.raises(ValueError, match="lexbor"):
        tidy.tidy_html("", "tidy")


@pytest.mark.parametrize(
    "html, expected",
    [
        ("<h1>Title</h1>", "<h1>&lt;h&gt; Title</h1>"),
        ('<h6 class="a">Title</h6>', '<h6 class="a">&lt;h&gt; Title</h6>'),
        ("<ul><li>one</li></ul>", "<ul><li>&lt;l&gt; one</li></ul>"),
        ("a<br>b", "a<p></p>b"),
        ("a<br>\n<br class=x> <br>b", "a<p></p>b"),
        ("<header>a</header><link>", "<header>a</header>"),
        ("<hr>", "<hr>"),
    ],
)
def test_headings_items_and_breaks_are_marked(html: str, expected: str) -> None:
    assert expected in tidy.add_markers(tidy.tidy_html(html))


def test_records_have_tidy_html() -> None:
    record = tidy.normalize_record({"id": 1, "html": "<h1>A<br>B"})
    assert record["id"] == 1 and "&lt;h&gt; A<p></p>B" in record["html"]
    assert "<br>" in tidy.normalize_record({"html": "A<br>B"}, markers=False)["html"]
    with pytest.raises(RecordError, match="html: missing"):
        tidy.normalize_record({"id": 1})


PAGE = """<title>t</title><body><h1>A title</h1><p>First paragraph, which is long enough to be one.</p>
<ul><li>one item<li>another <b>item</b></ul><ol start=4><li><p>a numbered one</p></ol>
<p>Line one<br>line two<br><br>A new paragraph.</p><h2><a href=x>Linked</a></h2>"""


def test_tidy_html_has_the_segments_of_the_page() -> None:
    record = tidy.normalize_record({"html": PAGE}, markers=False)
    apart = segmenter.segment_record(profiles.render_record(record))
    assert apart["segments"] == segmenter.segment_html(PAGE)
    assert tidy.tidy_html(record["html"]) == record["html"]


def dumped(html: str) -> list[tuple[str, str]]:
    """The segments of a plain text dump by a renderer that does not know the markers."""
    record = tidy.normalize_record({"html": html})
    text = unescape(re.sub(r"\s*<[^>]*>\s*", "\n", record["html"]))
    return [(s["type"], s["text"]) for s in segmenter.segment_text(text)]


def test_markers_in_dumps_give_types() -> None:
    segments = dumped(PAGE)
    assert ("h", "A title") in segments and ("l", "another item") in segments and ("h", "Linked") in segments


@pytest.mark.parametrize("html", ["<li><p>an item", "<li><div><p>an item", "<li>\n<p>an item"])
def test_markers_of_items_with_paragraphs(html: str) -> None:
    assert dumped(f"<ul>{html}</ul>") == [("l", "an item")]


def test_markers_are_no_text_of_the_page() -> None:
    page = PAGE.replace("<br>", " ")  # it would become a paragraph break
    record = tidy.normalize_record({"html": page})
    apart = segmenter.segment_record(profiles.render_record(record))["segments"]
    assert [(s["type"], s["text"]) for s in apart] == [(s["type"], s["text"]) for s in segmenter.segment_html(page)]
