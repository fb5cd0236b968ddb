"""Trees of pages: the parser, rows, surveys, addresses of mail, bounds, pages that are read in parts."""

from __future__ import annotations

import difflib
import json
import lzma
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from operations import assert_linear
from page_rows import page_of, rows_of
from uncompiled import in_both_forms, is_compiled

from ncfilters.errors import RecordError
from ncfilters.native import parser_memory
from ncfilters.native.element_names import CLASS, ID, number_of_tag, tag_groups
from ncfilters.native.page_table import table_of
from ncfilters.page import tidy
from ncfilters.page.blocks.block_reader import first_row
from ncfilters.page.blocks.visual_blocks import blocks
from ncfilters.page.metadata.declarations import head_of_page
from ncfilters.page.profiles import PageOptions, blocks_of_html, head_and_blocks
from ncfilters.page.tidy import normalize_record, tidy_html
from ncfilters.page.tree import elements, guards, html_parser
from ncfilters.page.tree.elements import (
    KINDS,
    NO_TAGS,
    SKIPPED,
    child_elements,
    children,
    elements_of,
    first_element,
    has_element,
    is_blank,
    name_at,
    next_row,
)
from ncfilters.page.tree.html_parser import lexbor_tree, placed_parts, source_of, with_addresses
from ncfilters.record import PageText
from ncfilters.segmentation import segmenter
from ncfilters.segmentation.segmenter import segment_record

PARSERS = list(html_parser.PARSERS)
HERE = Path(__file__).resolve().parents[2]
CRAWL = HERE / "data" / "crawl.jsonl"
DATA = HERE.parent.parent / "shared" / "data"
# set → pages that are read, pages that are compared, and characters they may have: html5lib is slow.
SAMPLE = {"cleaneval-dev": (58, 12, 30_000), "daniel-dev": (120, 6, 60_000), "wcxb-dev": (120, 7, 60_000)}
# Share of the segments that both parsers must have.
MIN_EQUAL = 0.995

TypedText = tuple[str, str]


def segments(html: str, parser: str) -> list[TypedText]:
    return [(s["type"], s["text"]) for s in segmenter.segment_html(html, PageOptions(parser))]


def equal(one: list[TypedText], other: list[TypedText]) -> int:
    """How many segments the two have in common, in order."""
    if one == other:
        return len(one)
    blocks = difflib.SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks)


def records(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def test_unknown_parser_is_an_error() -> None:
    with pytest.raises(ValueError, match="parser: expected lexbor or html5lib, got 'tidy'"):
        html_parser.parse_html("", "tidy")


def test_html_is_decoded_and_other_formats_are_errors() -> None:
    record = html_parser.decode_html({"html": "<meta charset=iso-8859-1><p>\x93caf\xe9\x94".encode("latin-1")})
    assert "“café”" in record["html"] and record["encoding"]
    with pytest.raises(RecordError, match="a PDF document, not an HTML page"):
        html_parser.decode_html({"html": b"%PDF-1.7\n"})
    record = {"id": 1, "html": "<p>caf\xe9"}
    assert html_parser.decode_html(record) is record
    with pytest.raises(RecordError, match="html: missing"):
        html_parser.decode_html({"id": 1})
    source = source_of("<p>caf\u00e9 \ud800")
    assert (source.utf8, source.text) == ("<p>caf\u00e9 \ufffd".encode(), "<p>caf\u00e9 \ufffd")
    assert source_of(source) is source


@pytest.mark.parametrize("kind", [str, str.encode, lambda text: PageText(text.encode())])
def test_utf_8_that_was_decoded_as_latin_1_is_decoded_as_utf_8(kind: Callable[[str], object]) -> None:
    record = html_parser.decode_html({"html": kind("<meta charset=utf-8><p>itâ\x80\x99s")})
    assert str(record["html"]).endswith("<p>it’s")
    assert record["encoding"] == {"name": "utf-8", "evidence": "content", "declared": "iso-8859-1"}


@pytest.mark.parametrize("parser", PARSERS)
def test_lone_surrogates_are_replaced(parser: str) -> None:
    found = segments("<p>a\ud800b</p>", parser)
    assert [text for _, text in found] in (["ab"], ["a\ufffdb"])


@pytest.mark.parametrize("parser", PARSERS)
def test_shadow_roots_are_elements_of_the_tree(parser: str) -> None:
    html = "<body><x-a><template shadowrootmode=open><p>a</p></template></x-a><template><p>b</p></template>"
    tree = html_parser.parse_html(html, parser)
    assert [node.text() for node in tree.css("shadow-root p")] == ["a"] == [node.text() for node in tree.css("p")]


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize("end", ["", "</iframe>", "\n"])
def test_frames_end_with_noscript(end: str, parser: str) -> None:
    html = f"<body><noscript><iframe src=x height=0 />{end}</noscript><p>a</p><iframe src=y></iframe><p>b"
    assert [block["text"] for block in blocks_of_html(html, PageOptions(parser))] == ["a", "b"]
    assert "<p>a</p>" in tidy.tidy_html(html, parser)


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize("end", ["", "</titlebar>", '</titlevalue="true">'])
def test_titles_end_before_the_next_tag(end: str, parser: str) -> None:
    html = f"<head><TITLE>It rained{end}<link href=x></head><body><p>a</p>"
    assert [block["text"] for block in blocks_of_html(html, PageOptions(parser))] == ["a"]
    assert head_of_page(table_of(html_parser.parse_html(html, parser).root))["title"] == "It rained"


@pytest.mark.parametrize(
    "html", ["<title>a<b></TITLE ><p>c", "<titles><p>a", "<p>a<title>b", "<!-- <title> --><p>a", "<TITLE>a<i></title>b"]
)
def test_titles_that_end_stay(html: str) -> None:
    closed = html_parser.close_title(html)
    assert closed == html or closed == html.replace("<p>", "</title><p>")
    assert html_parser.lexbor_tree(closed).html == html_parser.lexbor_tree(html).html


@pytest.mark.parametrize("record", records(CRAWL), ids=lambda record: str(record["id"]))
def test_both_parsers_agree_on_written_pages(record: dict[str, Any]) -> None:
    assert segments(record["html"], "lexbor") == segments(record["html"], "html5lib")


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLE)
def test_both_parsers_agree_on_real_pages(name: str) -> None:
    path = DATA / f"{name}.jsonl.xz"
    if not path.exists():
        pytest.skip(f"{path.name} is not here")
    num_pages, num_compared, max_chars = SAMPLE[name]
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        pages = [
            page for page in (json.loads(line)["html"] for line in islice(lines, num_pages)) if len(page) < max_chars
        ]
    assert len(pages) >= num_compared
    total = same = 0
    for page in pages[:: len(pages) // num_compared][:num_compared]:
        one, other = segments(page, "lexbor"), segments(page, "html5lib")
        total += max(len(one), len(other))
        same += equal(one, other)
    assert same >= MIN_EQUAL * total


@pytest.mark.parametrize("instruction", ["<?php echo 1 ?>", "<?xml:namespace prefix = o />", "<?xml version='1.0'?>"])
def test_processing_instructions_are_dropped(instruction: str) -> None:
    html = f"<body><p>one{instruction} two</p>"
    assert segments(html, "lexbor") == segments(html, "html5lib") == [("h", "one two")]


def test_frames_replace_the_body() -> None:
    for html, tag in (("<p><frameset><frame src=x></frameset>", "html"), ("<p>text<frameset>", "body")):
        table = table_of(html_parser.parse_html(html).root)
        assert table.name_of(first_row(table)) == tag


def test_names_of_elements() -> None:
    tags = [tag for tag in elements.INVISIBLE if KINDS[number_of_tag(tag)] != SKIPPED]
    assert tags == []
    names = [*elements.INVISIBLE, *elements.TEXTLESS, *elements.DATA_ATTRIBUTES]
    assert [name for name in names if name != name.lower()] == [] and len(set(names)) == len(names)


PAGE = page_of("<ul><!-- a --><li>a<li class='x y'>b <i class=x>c</i></ul> <p>")
(LIST,), ITEMS, (INNER,) = (rows_of(PAGE, name) for name in ("ul", "li", "i"))


def test_rows_of_elements_by_tag_class_and_place() -> None:
    assert elements_of(PAGE, 0, tag_groups({1: "ul"}), frozenset("x")) == [LIST, ITEMS[1], INNER]
    assert elements_of(PAGE, ITEMS[1], NO_TAGS, frozenset("x")) == [ITEMS[1], INNER]
    assert first_element(PAGE, ITEMS[0], NO_TAGS, frozenset("x")) == -1
    assert has_element(PAGE, LIST, tag_groups({1: "i"}))
    assert child_elements(PAGE, LIST) == ITEMS
    assert len(children(PAGE, LIST)) == 3
    assert next_row(PAGE, ITEMS[0]) == ITEMS[1]
    assert next_row(PAGE, ITEMS[1]) == -1
    assert is_blank(PAGE, next_row(PAGE, LIST)) and not is_blank(PAGE, LIST)
    assert (name_at(PAGE, LIST), name_at(PAGE, LIST + 1), name_at(PAGE, -1)) == ("ul", "", "")


CODE = "4223022c6c30"
SHOWN = "[email&#160;protected]"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f'<b class="x" data-cfemail="{CODE}">{SHOWN}</b>', f'<b class="x" data-cfemail="{CODE}">a@n.r</b>'),
        (f'<a href="/cdn-cgi/l/email-protection#{CODE}">Write</a>', '<a href="mailto:a@n.r">Write</a>'),
        (
            f"<a href='/cdn-cgi/l/email-protection' data-cfemail='{CODE}'>[email protected]</a>",
            f"<a href='mailto:a@n.r' data-cfemail='{CODE}'>a@n.r</a>",
        ),
    ],
)
def test_addresses_are_read(html: str, expected: str) -> None:
    link = '<a href="/cdn-cgi/l/email-protection">?</a>'
    assert with_addresses((html + link).encode()).decode() == expected + link


@pytest.mark.parametrize("code", ["42", "4223", "42ff", "424302", "zz", "422"])
def test_other_numbers_stay(code: str) -> None:
    html = f'<a href="/cdn-cgi/l/email-protection#{code}"><b data-cfemail="{code}">[email protected]</b></a>'.encode()
    assert with_addresses(html) == html


def test_which_addresses_of_mail_are_read() -> None:
    code = bytes([1, *(1 ^ ord(sign) for sign in '<a@b">')]).hex()
    html = f"<a href='/cdn-cgi/l/email-protection' data-cfemail={code}>[email protected]</a>"
    assert with_addresses(html.encode()).endswith(b">&lt;a@b&quot;&gt;</a>")
    html = f'<p>Write to <a href="/cdn-cgi/l/email-protection#{CODE}"><b data-cfemail="{CODE}">{SHOWN}</b></a>.'
    block = blocks_of_html(html, PageOptions(markup=True))[0]
    assert block["text"] == "Write to a@n.r."
    assert [span[3] for span in block["spans"] if span[2] == "link"] == ["mailto:a@n.r"]
    html = f'<a href="https://n.r/cdn-cgi/l/email-protection#{CODE}">?</a>'.encode()
    assert with_addresses(html) == html


def test_time_is_linear() -> None:
    html = b'"/cdn-cgi/l/email-protection"<b data-cfemail="' + b"0" * 1_000_000
    start = time.process_time()
    assert with_addresses(html) == html
    assert time.process_time() - start < 1


FORMS = in_both_forms("page.tree.survey")

PAGE_SURVEY = """<!doctype html><html itemtype=//schema.org/WebPage><head><title>One &amp; two</title>
<meta name=author content=A><meta property=og:title name=x content="T"><meta property name=y content=U><meta name=z>
<meta charset=utf-8>
<script type="application/LD+JSON; x">{"@type": "Article"}</script><script>1</script></head>
<body><svg><title>drawn</title></svg><p itemtype>Text.<title>late</title><meta name=late content></body>"""


@FORMS
def test_metas_titles_data_and_types_are_found(form: Any) -> None:
    found = form.survey(page_of(PAGE_SURVEY))
    assert (found.metas, found.titles, found.linked_data, found.item_types) == (
        [("author", "A"), ("og:title", "T"), ("y", "U")],
        [("One & two", False), ("drawn", True), ("late", False)],
        ['{"@type": "Article"}'],
        ["//schema.org/WebPage"],
    )


@FORMS
@pytest.mark.parametrize("html, expected", [
    ("<template shadowrootmode=open>a</template>", True), ("<div><template><p>a</template></div>", False),
    ("<iframe src=a></iframe>", False), ("<iframe src=a><p>Your browser has no frames.</iframe>", False),
    ("<noscript><iframe src=a></noscript><p>b", True),
])  # fmt: skip
def test_pages_that_need_another_look(form: Any, html: str, expected: bool) -> None:
    table = table_of(html_parser.lexbor_tree(html).root)  # as the parser makes it
    assert form.has_special(table) is expected


@FORMS
def test_elements_that_may_have_metadata_or_be_bylines(form: Any) -> None:
    table = page_of(
        "<link rel=Canonical href=/a><link rel=stylesheet><meta http-equiv=Content-Language content=en><h1 itemprop=x>a"
        "</h1><time>b</time><a rel='me\tAUTHOR license'>c</a><a rel=authors>d</a><i property='schema:dateP'>e</i>"
        "<b property='schema:datePublished'>f</b><svg><time/></svg>"
    )
    names = [table.name_of(row) for row in form.metadata_rows(table)]
    assert names == "link meta h1 h1 time a a b time".split()
    table = page_of("<p class='Byline author'>a</p><i class=AUTHORS>b</i><b class=x id=author>c</b><u class>d")
    assert [table.name_of(row) for row in form.byline_rows(table)] == ["p", "p", "i"]


@FORMS
def test_elements_are_found_by_tag_and_attributes(form: Any) -> None:
    page = page_of("<p id=a><b id=b><!-- c --></b><p class=d>e")
    names = [
        [page.name_of(row) for row in form.rows_with(page, tag, bits, 0, page.size)]
        for tag, bits in ((number_of_tag("p"), 0), (number_of_tag("p"), ID), (0, ID | CLASS), (0, 0))
    ]
    assert names == [["p", "p"], ["p"], ["p", "b", "p"], ["html", "head", "body", "p", "b", "p"]]


OPTIONS = [PageOptions(), PageOptions(markup=True), PageOptions(profile="justext")]
# In bytes, about those of the densest pages of the development sets, with twice their tags.
USUAL_ROW = "<li class=item><a href=/some/page>Some words</a>, <span>more</span></li>\n"
MENU = "<select>" + "<option>x" * 5_001
# What may be more, and a page that has more of it.
REFUSED = {
    "bytes in the parser": "<p>x" * 20_000,
    "open elements": "<div>" * 2_000,
    "attributes of a tag": f"<p {' '.join(f'a{at}' for at in range(2_001))}>x",
    "options": MENU.replace("option", "OPTION") + " ordinary text" * 20_000,
    "tags of <html> and <body>": "".join(f"<body a{at}=1>" for at in range(1_001)),
    "blocks": "<p>some text of x" * 9_500,
}
# Tags in pairs that leave an element open, whatever the names of the end tags.
NESTING = ["<div></span>", "<section></x>a ", "<div><object></div></object>", "<div><textarea></div></textarea>"]
NESTING += ["<div><!--</div>-->", "<svg><div></svg>", "<span><p></span><div></div>", "<div><p title='</div>'>"]
NESTING += ["<div><script><!--<script></script></div></script>", "<svg><style><div></style>"]
NESTING += ["<svg><form></li><input><font>", "</em><em></ruby></nobr/></object><b/>"]


@pytest.mark.parametrize("what", REFUSED)
def test_the_error_says_what_a_page_has_too_much_of(what: str) -> None:
    page = REFUSED[what]
    with pytest.raises(RecordError, match=f"^a page of {len(page):,} bytes has more than [0-9,]+ {what}, the limit"):
        segment_record({"html": page})
    if what != "blocks":
        with pytest.raises(RecordError, match=what):
            normalize_record({"html": page})
        with pytest.raises(RecordError, match=what):
            html_parser.parse_html(page, "html5lib")


@pytest.mark.parametrize("options", OPTIONS)
def test_blocks_are_counted_while_they_are_made(options: PageOptions) -> None:
    with pytest.raises(RecordError, match="more than 4,191 blocks"):
        head_and_blocks(REFUSED["blocks"], options)


def test_inline_elements_are_counted_with_markup() -> None:
    page = "<p>" + "some text <a href=/a>some link</a> " * 13_000
    with pytest.raises(RecordError, match="more than 9,083 links and other inline elements"):
        segment_record({"html": page}, PageOptions(markup=True))
    assert len(segment_record({"html": page})["segments"]) == 1


@pytest.mark.parametrize("part", NESTING)
def test_no_end_tag_hides_that_elements_are_open(part: str) -> None:
    with pytest.raises(RecordError, match=r"open elements|bytes in the parser"):
        html_parser.parse_html(part * 4_000 + " text" * 50_000)


@pytest.mark.parametrize("options", OPTIONS)
def test_dense_real_pages_are_read(options: PageOptions) -> None:
    assert len(segment_record({"html": USUAL_ROW * 10_000}, options)["segments"]) == 10_000


def test_pages_with_much_are_read() -> None:
    page = "".join(
        f"<div class='recipe-step step-{at}'><span class='ingredient-{at} wprm-{at}'>Stir item {at} into the dough, "
        f"and let it rest</span>{' ' * 60}</div>\n"
        for at in range(3_653)
    )
    page += "<!--" + "x" * (720_000 - len(page)) + "-->"
    segments = segment_record({"html": page})["segments"]
    assert len({segment["path"] for segment in segments}) == 3_653
    attributes = " ".join(f"a{at}" for at in range(1_900))
    start = f"{'<div>' * 1_000}<p {attributes}>word</p>{' text' * 40_000}"
    assert len(head_and_blocks(f"{start}{MENU[:-9]}</select><p>end")[1]) > 2
    assert guards.parser_bytes(5_000_000) == 111_600_000
    assert guards.parser_bytes(50_000_000) == 786_600_000


@pytest.mark.parametrize("what", ["bytes in the parser", "open elements"])
def test_where_the_parser_has_no_bounds_its_tree_is_checked(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser_memory, "limit_parser", lambda most: 0)
    monkeypatch.setattr(parser_memory, "is_bounded", lambda: False)
    with pytest.raises(RecordError, match=what):
        html_parser.parse_html(REFUSED[what])
    for page in (USUAL_ROW * 10_000, "<div>" * 1_000 + "x"):
        assert html_parser.parse_html(page).body is not None


@pytest.mark.skipif(not is_compiled("ncfilters.native.parser_memory"), reason="the plain form reads to the end")
@pytest.mark.parametrize("part", ["<div>", "<b id=a><p>", "<p a=b>", ">", "<!--", "<script>", "<svg>"])
def test_work_is_linear(part: str) -> None:
    assert_linear(lambda html: guards.check_markup(html.encode()), lambda n: part * n, 4_000)


@pytest.mark.parametrize(
    "html, number", [("<p>x" * 30, 30), ("<table>" + "<tr><td><p>x<p>y<td>z" * 10, 30), ("x<br>" * 30, 30)]
)
def test_reading_ends_at_the_last_block_that_a_page_may_have(html: str, number: int) -> None:
    tree = html_parser.parse_html(html)
    assert len(blocks(tree, None, number)) == number
    for most in (0, 1, 9, number - 1):
        with pytest.raises(OverflowError, match="blocks"):
            blocks(tree, None, most)


PLACE = '<!--$?--><template id="B:0"></template>{}<!--/$-->'
PART = '<div hidden id="S:{}">{}</div>'


def call(*calls: str) -> str:
    return "<script>function $RC(a,b){}" + ";".join(calls) + "</script>"


def placed(html: str) -> str | None:
    return placed_parts(table_of(lexbor_tree(html).root))


@pytest.mark.parametrize("parser", PARSERS)
def test_a_part_replaces_what_was_shown_until_then(parser: str) -> None:
    fallback = "<p>Loading <!--$-->a<!--/$--> list</p>"
    html = f"<p>One.</p><div>{PLACE.format(fallback)}</div><p>Three."
    html += PART.format(0, "<pre>Two.</pre>") + call('$RC("B:0","S:0")')
    blocks = blocks_of_html(html, PageOptions(parser))
    assert [(block["text"], block.get("hidden")) for block in blocks] == [
        ("One.", None),
        ("Two.", None),
        ("Three.", None),
    ]


def test_streamed_parts_stand_in_their_places() -> None:
    html = "<div>" + PLACE.format("") + "</div><p>End."
    html += PART.format(0, '<p>a</p><!--$?--><template id="B:1"></template>wait<!--/$--><template id="P:2"></template>')
    html += PART.format(1, "<p>b</p>") + PART.format(2, "<p>c</p>")
    html += call('$RS("S:2","P:2")', '$RR("B:1","S:1",["/a.css"])', '$RC("B:0","S:0")')
    assert [block["text"] for block in blocks_of_html(html)] == ["a", "b", "c", "End."]
    html = f"<p>{PLACE.format('')}</p><p>Two.</p>{PART.format(0, 'One.')}" + call('$RC("B:0","S:0")')
    assert tidy_html(html).partition("<body>")[2].startswith("<p>One.</p><p>Two.</p>")
    html = PART.format(0, '<template id="B:1"></template>') + PART.format(1, '<template id="B:0"></template>')
    assert "template" not in (placed(f"<p>x{html}" + call('$RC("B:0","S:0")', '$RC("B:1","S:1")')) or "")


@pytest.mark.parametrize(
    "html",
    [
        PLACE.format("wait") + call('$RC("B:0","S:0")'),
        PLACE.format("wait") + PART.format(0, "Text."),
        '<p id="B:0">a</p>' + PART.format(0, "Text.") + call('$RC("B:0","S:0")'),
        PART.format(0, PLACE.format("")) + call('$RC("B:0","S:0")'),
        PLACE.format("\ufdd0") + PART.format(0, "Text.") + call('$RC("B:0","S:0")'),
    ],
)
def test_other_pages_stay(html: str) -> None:
    assert placed(html) is None


def test_time_is_linear_of_guards() -> None:
    size = 3_000
    html = "".join(f'<!--$?--><template id="B:{n}"></template>' for n in range(size))
    html += "".join(PART.format(n, f"<p>{n}</p>") for n in range(size))
    html += call(*[f'$RC("B:{n}","S:{n}")' for n in range(size)])
    start = time.process_time()
    assert (placed(html) or "").count("<p>") == size
    assert time.process_time() - start < 2
