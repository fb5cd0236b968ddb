"""Options, profiles, rules of elements, tidying, and the trees that parsers construct."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from ncfilters.errors import RecordError
from ncfilters.native.page_table import table_of
from ncfilters.page import profiles, tidy
from ncfilters.page.element_rules import ElementRules, SelectorError, SiteRules, element_rules, marked_rows
from ncfilters.page.page_options import DEFAULT_OPTIONS, PROFILES, PageOptions
from ncfilters.page.profiles import blocks_of_html, dump_record, head_and_blocks, render_record
from ncfilters.page.tidy import tidy_html
from ncfilters.page.tree import html_parser
from ncfilters.page.tree.html_parser import parse_html
from ncfilters.segmentation import segmenter
from ncfilters.segmentation.segmenter import segment_html, segment_record


def test_options_are_those_of_the_commands_and_do_not_change() -> None:
    assert PageOptions() == DEFAULT_OPTIONS == PageOptions("lexbor", PROFILES[0], True, False, False)
    with pytest.raises(AttributeError):
        DEFAULT_OPTIONS.markup = True  # type: ignore[misc]


DATA = Path(__file__).resolve().parents[1] / "data" / "tree-construction"
PAGES: dict[str, str] = dict(map(json.loads, (DATA / "inputs.jsonl").read_text(encoding="utf-8").splitlines()))
DIFFERENCES: dict[str, str] = json.loads((DATA / "differences.json").read_text(encoding="utf-8"))


def texts(html: str, parser: str) -> list[str]:
    return [segment["text"] for segment in segment_html(html, PageOptions(parser))]


def test_both_parsers_give_the_same_text() -> None:
    assert len(PAGES) > 1_600
    different = {name for name, html in PAGES.items() if texts(html, "lexbor") != texts(html, "html5lib")}
    assert different == set(DIFFERENCES)
    assert all(DIFFERENCES.values())


@pytest.mark.parametrize("parser", ["lexbor", "html5lib"])
@pytest.mark.parametrize(("profile", "markup"), [("visual", True), ("justext", False)])
def test_no_page_fails(parser: str, profile: str, markup: bool) -> None:
    for html in PAGES.values():
        document = segment_record(
            {"html": html, "url": "http://a.example/"}, PageOptions(parser, profile, True, markup)
        )
        assert isinstance(document["segments"], list)


def test_tidy_pages_have_the_same_text() -> None:
    different = [name for name, html in PAGES.items() if texts(html, "lexbor") != texts(tidy_html(html), "lexbor")]
    # elements in elements that markup does not give: <a> in <a>, <a> in <plaintext>
    assert different == ["tests1/78", "tests19/99"]


PAGE = "<title>T</title><h1>A</h1><p>b<br>c<iframe srcdoc='<p>d'></iframe>"


def texts_of_profiles(options: PageOptions) -> list[str]:
    return [block["text"] for block in blocks_of_html(PAGE, options)]


def test_profiles_make_different_blocks_and_heads() -> None:
    assert texts_of_profiles(PageOptions()) == ["A", "b", "c", "d"]
    assert texts_of_profiles(PageOptions(profile="justext")) == ["A", "b c"]
    assert texts_of_profiles(PageOptions(embedded=False)) == ["A", "b", "c"]
    assert head_and_blocks(PAGE)[0] == {"title": "T"}
    assert head_and_blocks(PAGE, PageOptions(profile="justext"))[0] == {}


@pytest.mark.parametrize("profile", ["visual", "justext"])
def test_unknown_parser_is_an_error(profile: str) -> None:
    with pytest.raises(ValueError, match="parser: expected lexbor or html5lib, got 'x'"):
        blocks_of_html(PAGE, PageOptions("x", profile))


def test_records_have_blocks_or_text_instead_of_html() -> None:
    record = {"id": 1, "html": PAGE}
    assert list(render_record(record)) == ["id", "head", "blocks"]
    assert record == {"id": 1, "html": PAGE}
    record = dump_record({"id": 1, "html": "<p>one two three four</p>".replace(" ", "  ")}, width=20)
    assert record == {"id": 1, "text": "   one two three\n   four"}


@pytest.mark.parametrize("stage", [render_record, dump_record])
def test_records_need_html(stage: Any) -> None:
    with pytest.raises(RecordError, match="html: missing"):
        stage({"text": "x"})


PAGE_ELEMENT_RULES = "<aside class=a>One<p id=x>two</p></aside><div class='b c'><span>three</span></div>"


def marks(rules: ElementRules, url: str | None = None, html: str = PAGE_ELEMENT_RULES) -> dict[str, str]:
    """The rules of elements, by their ids and classes."""
    table = table_of(parse_html(html).root)
    found = marked_rows(table, rules, url)
    return {
        table.attribute_of(row, "id") or table.attribute_of(row, "class") or "": name for row, name in found.items()
    }


def test_rules_of_elements_by_their_selectors() -> None:
    assert marks(element_rules("aside, .b", "#x")) == {"a": "drop aside", "b c": "drop .b", "x": "keep #x"}
    assert marks(element_rules()) == {}
    assert marks(element_rules("article")) == {}
    assert marks(element_rules(".a", ".a")) == {"a": "keep .a"}
    (rules,) = element_rules(r""":is(aside, p), [title="a, b"], .a\,b""", " ")
    assert rules == SiteRules(drop=(":is(aside, p)", '[title="a, b"]', r".a\,b"))


@pytest.mark.parametrize("text, caret", [
    ("aside, ..b", 8), ("a[", 2), ("div > > p", 6), (":foo", 1), ("p:not(x", 7), ("a,,b", 2), ("a, b,", 5),
    ("p:contains('x')", 2), ("@media", 0), ("p { }", 2), ("#", 1),
])  # fmt: skip
def test_a_wrong_selector_has_a_caret_under_the_place(text: str, caret: int) -> None:
    with pytest.raises(SelectorError, match="^drop_elements: no CSS selector\n") as raised:
        element_rules(drop=text)
    assert raised.value.shown == (f"  {text}", f"  {' ' * caret}^")


def test_a_file_has_rules_for_hosts(tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text("""["Example.org"]\ndrop = ["aside", ".b"]\n["*"]\nkeep = "#x"\n""")
    rules = element_rules(file=file)
    assert rules == (SiteRules("example.org", ("aside", ".b")), SiteRules("*", (), ("#x",)))
    everywhere, there = {"x": "keep #x"}, {"a": "drop aside", "b c": "drop .b", "x": "keep #x"}
    assert marks(rules) == marks(rules, "https://notexample.org/") == everywhere
    assert marks(rules, "https://example.org/a") == marks(rules, "https://www.example.org:80/") == there


@pytest.mark.parametrize(
    "text, message",
    [
        ("x", r"rules.toml: Expected '='"),
        ("a = 1", r'rules.toml: \["a"\]: expected drop and keep'),
        ("[a]\nremove = 'p'", r'rules.toml: \["a"\]: expected drop and keep'),
        ("[a]\ndrop = 1", r'rules.toml: \["a"\] drop: expected a string or an array of strings'),
        ("[a]\ndrop = ['p', 1]", r'rules.toml: \["a"\] drop: expected a string or an array'),
        ("[a]\nkeep = ['p', 'a[']", r'rules.toml: \["a"\] keep: no CSS selector\n  a\[\n    \^'),
    ],
)
def test_a_wrong_file_is_an_error(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text(text)
    with pytest.raises(ValueError, match=message):
        element_rules(file=file)


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


@pytest.mark.parametrize("html, expected", [
    ("<h1>Title</h1>", "<h1>&lt;h&gt; Title</h1>"), ('<h6 class="a">Title</h6>', '<h6 class="a">&lt;h&gt; Title</h6>'),
    ("<ul><li>one</li></ul>", "<ul><li>&lt;l&gt; one</li></ul>"), ("a<br>b", "a<p></p>b"),
    ("a<br>\n<br class=x> <br>b", "a<p></p>b"), ("<header>a</header><link>", "<header>a</header>"), ("<hr>", "<hr>"),
])  # fmt: skip
def test_headings_items_and_breaks_are_marked(html: str, expected: str) -> None:
    assert expected in tidy.add_markers(tidy.tidy_html(html))


def test_records_have_tidy_html_and_the_segments_of_the_page() -> None:
    record = tidy.normalize_record({"id": 1, "html": "<h1>A<br>B"})
    assert record["id"] == 1 and "&lt;h&gt; A<p></p>B" in record["html"]
    assert "<br>" in tidy.normalize_record({"html": "A<br>B"}, markers=False)["html"]
    with pytest.raises(RecordError, match="html: missing"):
        tidy.normalize_record({"id": 1})
    record = tidy.normalize_record({"html": PAGE_TIDY}, markers=False)
    apart = segmenter.segment_record(profiles.render_record(record))
    assert apart["segments"] == segmenter.segment_html(PAGE_TIDY)
    assert tidy.tidy_html(record["html"]) == record["html"]


PAGE_TIDY = """<title>t</title><body><h1>A title</h1><p>First paragraph, which is long enough to be one.</p>
<ul><li>one item<li>another <b>item</b></ul><ol start=4><li><p>a numbered one</p></ol>
<p>Line one<br>line two<br><br>A new paragraph.</p><h2><a href=x>Linked</a></h2>"""


def dumped(html: str) -> list[tuple[str, str]]:
    """The segments of a plain text dump by a renderer that does not know the markers."""
    record = tidy.normalize_record({"html": html})
    text = unescape(re.sub(r"\s*<[^>]*>\s*", "\n", record["html"]))
    return [(s["type"], s["text"]) for s in segmenter.segment_text(text)]


def test_markers_in_dumps_give_types_and_are_no_text_of_the_page() -> None:
    segments = dumped(PAGE_TIDY)
    assert ("h", "A title") in segments and ("l", "another item") in segments and ("h", "Linked") in segments
    page = PAGE_TIDY.replace("<br>", " ")  # it would become a paragraph break
    record = tidy.normalize_record({"html": page})
    apart = segmenter.segment_record(profiles.render_record(record))["segments"]
    assert [(s["type"], s["text"]) for s in apart] == [(s["type"], s["text"]) for s in segmenter.segment_html(page)]


@pytest.mark.parametrize("html", ["<li><p>an item", "<li><div><p>an item", "<li>\n<p>an item"])
def test_markers_of_items_with_paragraphs(html: str) -> None:
    assert dumped(f"<ul>{html}</ul>") == [("l", "an item")]
