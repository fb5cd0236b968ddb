"""Bounds of pages, and pages that are read in parts."""

from __future__ import annotations

import time

import pytest
from operations import assert_linear
from uncompiled import is_compiled

from ncfilters.errors import RecordError
from ncfilters.native import parser_memory
from ncfilters.native.page_table import table_of
from ncfilters.page.blocks.visual_blocks import blocks
from ncfilters.page.profiles import PageOptions, blocks_of_html, head_and_blocks
from ncfilters.page.tidy import normalize_record, tidy_html
from ncfilters.page.tree import guards, html_parser
from ncfilters.page.tree.html_parser import PARSERS, lexbor_tree, placed_parts
from ncfilters.segmentation.segmenter import segment_record

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


def test_a_recipe_page_whose_paths_all_differ_is_read() -> None:
    page = "".join(
        f"<div class='recipe-step step-{at}'><span class='ingredient-{at} wprm-{at}'>Stir item {at} into the dough, "
        f"and let it rest</span>{' ' * 60}</div>\n"
        for at in range(3_653)
    )
    page += "<!--" + "x" * (720_000 - len(page)) + "-->"
    segments = segment_record({"html": page})["segments"]
    assert len({segment["path"] for segment in segments}) == 3_653


def test_what_is_allowed_is_read() -> None:
    attributes = " ".join(f"a{at}" for at in range(1_900))
    start = f"{'<div>' * 1_000}<p {attributes}>word</p>{' text' * 40_000}"
    assert len(head_and_blocks(f"{start}{MENU[:-9]}</select><p>end")[1]) > 2


def test_a_large_page_may_take_less_for_each_further_byte() -> None:
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


def test_a_part_may_have_places_of_others() -> None:
    html = "<div>" + PLACE.format("") + "</div><p>End."
    html += PART.format(0, '<p>a</p><!--$?--><template id="B:1"></template>wait<!--/$--><template id="P:2"></template>')
    html += PART.format(1, "<p>b</p>") + PART.format(2, "<p>c</p>")
    html += call('$RS("S:2","P:2")', '$RR("B:1","S:1",["/a.css"])', '$RC("B:0","S:0")')
    assert [block["text"] for block in blocks_of_html(html)] == ["a", "b", "c", "End."]


def test_tidy_pages_have_them_in_their_places() -> None:
    html = f"<p>{PLACE.format('')}</p><p>Two.</p>{PART.format(0, 'One.')}" + call('$RC("B:0","S:0")')
    assert tidy_html(html).partition("<body>")[2].startswith("<p>One.</p><p>Two.</p>")


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


def test_parts_that_hold_each_other_end() -> None:
    html = PART.format(0, '<template id="B:1"></template>') + PART.format(1, '<template id="B:0"></template>')
    assert "template" not in (placed(f"<p>x{html}" + call('$RC("B:0","S:0")', '$RC("B:1","S:1")')) or "")


def test_time_is_linear() -> None:
    size = 3_000
    html = "".join(f'<!--$?--><template id="B:{n}"></template>' for n in range(size))
    html += "".join(PART.format(n, f"<p>{n}</p>") for n in range(size))
    html += call(*[f'$RC("B:{n}","S:{n}")' for n in range(size)])
    start = time.process_time()
    assert (placed(html) or "").count("<p>") == size
    assert time.process_time() - start < 2
