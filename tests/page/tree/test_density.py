"""Pages with more tags, blocks or segments than their size allows give an error, before they take memory."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ncfilters.errors import RecordError
from ncfilters.page.blocks.visual_blocks import blocks
from ncfilters.page.profiles import PageOptions, head_and_blocks
from ncfilters.page.tidy import normalize_record
from ncfilters.page.tree import density, html_parser
from ncfilters.segmentation.segmenter import segment_record

OPTIONS = [PageOptions(), PageOptions(markup=True), PageOptions(profile="justext")]
# In characters, about those of the densest pages of the development sets, with twice their tags.
USUAL_ROW = "<li class=item><a href=/some/page>Some words</a>, <span>more</span></li>\n"


def error_of(work: Callable[[], object]) -> str:
    with pytest.raises(RecordError) as caught:
        work()
    return str(caught.value)


@pytest.mark.parametrize("options", OPTIONS)
def test_the_tree_is_estimated_before_the_page_is_parsed(options: PageOptions, monkeypatch: pytest.MonkeyPatch) -> None:
    page = "<p>x" * 20_000
    monkeypatch.setattr(html_parser, "lexbor_tree", lambda _: pytest.fail("the page was parsed"))
    message = (
        "a page of 80,000 characters whose tree takes 6,400,000 bytes; the limit for this size is 2,260,000 "
        "(--dense lifts it)"
    )
    assert error_of(lambda: segment_record({"html": page}, options)) == message
    assert error_of(lambda: normalize_record({"html": page})) == message


@pytest.mark.parametrize("options", OPTIONS)
def test_blocks_are_counted_while_they_are_made(options: PageOptions) -> None:
    page = "<p>some text x" * 9_500
    assert "a page of 3,717 blocks or more in 133,000" in error_of(lambda: head_and_blocks(page, options))


@pytest.mark.parametrize("options", OPTIONS)
def test_segments_are_counted_in_the_end(options: PageOptions) -> None:
    page = "<p>some text of a page, which is long<br>" * 3_500
    assert "a page of 3,500 segments in 143,500" in error_of(lambda: segment_record({"html": page}, options))
    assert len(head_and_blocks(page, options)[1]) == 3_500


def test_paths_that_all_differ_are_counted() -> None:
    page = "".join(f"<div id=a{at}><p>Some text of the page, which is long enough.</div>\n" for at in range(3_500))
    message = error_of(lambda: segment_record({"html": page}))
    assert message.startswith("a page of 3,500 different paths in 236,890 characters; the limit for this size is 1,092")
    assert len(segment_record({"html": page.replace("id=", "title=")})["segments"]) == 3_500


@pytest.mark.parametrize("options", OPTIONS)
def test_the_bounds_can_be_lifted(options: PageOptions) -> None:
    dense = PageOptions(profile=options.profile, markup=options.markup, dense=True)
    assert len(segment_record({"html": "<p>x" * 20_000}, dense)["segments"]) == 20_000
    assert normalize_record({"html": "<p>x" * 20_000}, dense=True)["html"].count("<p>") == 20_000


@pytest.mark.parametrize("options", OPTIONS)
def test_dense_real_pages_are_read(options: PageOptions) -> None:
    assert len(segment_record({"html": USUAL_ROW * 10_000}, options)["segments"]) == 10_000


def test_a_large_page_may_take_less_for_each_further_character() -> None:
    assert density.max_parser_bytes(5_000_000) == 113_000_000
    assert density.max_parser_bytes(50_000_000) == 788_000_000
    page = "<div>some words</div>\n"  # 21 bytes of the tree for each of their characters
    density.check_tree(page * 250_000)
    with pytest.raises(RecordError, match="the limit for this size is 326,676,160"):
        density.check_tree(page * 882_352)


def test_cells_of_numbers_are_read() -> None:
    density.check_tree("<tr><td>Name of a thing</td><td>1.5</td><td>12.25</td></tr>\n" * 80_000)
    density.check_tree("<tr><td>1995</td><td>12.5</td><td>34.5</td></tr>\n" * 2_000)  # numbers alone
    density.check_tree("<" * 100_000 + "< b" * 100_000)
    with pytest.raises(RecordError):
        density.check_tree("<td>12<td>" * 80_000)


@pytest.mark.parametrize(
    "part",
    [
        "<b>x</b> ",
        "<b a b c d e>x</b> ",
        "<p a=1 b=2 c=3>x</p>",
        "</p>",
        "</b a b c d e f g>",
        "<?x y?>z",
        "<table><td></table>",
        "</br ",
        "</b ",
        "<p x='<b y=\"' a b c d e f g h>\"",
        '<script>x<b a="</script><p a b c d e f g h>',
        "<svg><title><p a b c d e f g h>",
    ],
)
def test_what_takes_memory_cannot_be_hidden(part: str) -> None:
    with pytest.raises(RecordError):
        density.check_tree(part * (300_000 // len(part)))


def test_inline_elements_are_counted_with_markup() -> None:
    page = "<p>" + "some text <a href=/a>some link</a> " * 13_000
    message = (
        "a page of 9,084 links and other inline elements or more in 455,003 characters; the limit for this size is"
    )
    assert message in error_of(lambda: segment_record({"html": page}, PageOptions(markup=True)))
    assert len(segment_record({"html": page})["segments"]) == 1


@pytest.mark.parametrize(
    "html, number", [("<p>x" * 30, 30), ("<table>" + "<tr><td><p>x<p>y<td>z" * 10, 30), ("x<br>" * 30, 30)]
)
def test_reading_ends_at_the_last_block_that_a_page_may_have(html: str, number: int) -> None:
    tree = html_parser.parse_html(html)
    assert len(blocks(tree, None, number)) == number
    for most in (0, 1, 9, number - 1):
        with pytest.raises(OverflowError, match="blocks"):
            blocks(tree, None, most)
