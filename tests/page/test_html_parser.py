"""Tidy HTML: regular markup of what can be seen."""

from __future__ import annotations

import re
from html import unescape

import pytest

from ncfilters.errors import RecordError
from ncfilters.page import block_builder, html_parser, limits, profiles, tidy
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
def test_tidy(html: str, expected: str, parser: str) -> None:
    assert body(html, parser) == expected


@pytest.mark.parametrize("parser", PARSERS)
def test_shadow_roots_stay(parser: str) -> None:
    out = tidy.tidy_html("<body><x-a><template shadowrootmode=open><style>p{}</style><p>a</p></template></x-a>", parser)
    assert '<shadow-root shadowrootmode="open"><p>a</p></shadow-root>' in out


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize(
    "html", ["", " ", "\ufeff", "<", "<!--", "</p>", "<!DOCTYPE html>", "&", "<a", '<a b="', "\x00"]
)
def test_hardly_anything(html: str, parser: str) -> None:
    assert "<body" in tidy.tidy_html(html, parser)


@pytest.mark.parametrize("parser", PARSERS)
def test_lone_surrogates(parser: str) -> None:
    assert [s["text"] for s in segmenter.segment_html("<p>a\ud800b</p>", profiles.PageOptions(parser))] in (
        ["ab"],
        ["a\ufffdb"],
    )


@pytest.mark.parametrize("parser", ["lexbor", "html5lib"])
def test_no_surrogate_comes_out(parser: str) -> None:
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
def test_markers(html: str, expected: str) -> None:
    assert expected in tidy.add_markers(tidy.tidy_html(html))


def test_bounded_depth_and_tags() -> None:
    deep = "<div>" * 30_000 + "x" + "</div>" * 30_000 + "<p>y</p>"
    assert limits.limit_markup(deep).count("<div>") == limits.MAX_DEPTH
    assert [block["text"] for block in block_builder.blocks(html_parser.parse_html(deep))] == ["x", "y"]
    shallow = "<div>a</div>" * 30_000
    assert limits.limit_markup(shallow) == shallow
    assert limits.limit_markup(f"<p data='{'x' * 40_000}'>text") == "<p>text"
    kept = f"<p class=a srcdoc='{'x' * 40_000}' b>"
    assert limits.limit_markup(f"{kept}text") == f"{kept}text"
    many = f"<p srcdoc=x {' '.join(f'a{n}=b' for n in range(10_000))}>"
    assert limits.limit_markup(f"{many}text") == "<p>text"
    assert limits.limit_markup("x" * 100_000) == "x" * 100_000


def test_normalized_records() -> None:
    record = tidy.normalize_record({"id": 1, "html": "<h1>A<br>B"})
    assert record["id"] == 1 and "&lt;h&gt; A<p></p>B" in record["html"]
    assert "<br>" in tidy.normalize_record({"html": "A<br>B"}, markers=False)["html"]
    with pytest.raises(RecordError, match="html: missing"):
        tidy.normalize_record({"id": 1})


def test_bytes_are_decoded() -> None:
    record = html_parser.decode_html({"html": "<meta charset=iso-8859-1><p>\x93caf\xe9\x94".encode("latin-1")})
    assert "“café”" in record["html"] and record["encoding"]


PAGE = """<title>t</title><body><h1>A title</h1><p>First paragraph, which is long enough to be one.</p>
<ul><li>one item<li>another <b>item</b></ul><ol start=4><li><p>a numbered one</p></ol>
<p>Line one<br>line two<br><br>A new paragraph.</p><h2><a href=x>Linked</a></h2>"""


def test_without_markers_the_stages_apart_are_the_stages_together() -> None:
    record = tidy.normalize_record({"html": PAGE}, markers=False)
    apart = segmenter.segment_record(profiles.render_record(record))
    assert apart["segments"] == segmenter.segment_html(PAGE)
    assert tidy.tidy_html(record["html"]) == record["html"]


def dumped(html: str) -> list[tuple[str, str]]:
    """What comes of a page by somebody else's renderer, which knows nothing of markers."""
    record = tidy.normalize_record({"html": html})
    text = unescape(re.sub(r"\s*<[^>]*>\s*", "\n", record["html"]))
    return [(s["type"], s["text"]) for s in segmenter.segment_text(text)]


def test_markers_are_honoured_in_dumps() -> None:
    found = dumped(PAGE)
    assert ("h", "A title") in found and ("l", "another item") in found and ("h", "Linked") in found


@pytest.mark.parametrize("html", ["<li><p>an item", "<li><div><p>an item", "<li>\n<p>an item"])
def test_markers_of_items_that_hold_paragraphs(html: str) -> None:
    assert dumped(f"<ul>{html}</ul>") == [("l", "an item")]


def test_markers_are_not_text_of_the_page() -> None:
    page = PAGE.replace("<br>", " ")  # which becomes a paragraph, as it should
    record = tidy.normalize_record({"html": page})
    apart = segmenter.segment_record(profiles.render_record(record))["segments"]
    assert [(s["type"], s["text"]) for s in apart] == [(s["type"], s["text"]) for s in segmenter.segment_html(page)]
