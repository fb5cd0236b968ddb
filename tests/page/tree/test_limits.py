"""Bounds on markup that parsers would take too long for."""

from __future__ import annotations

import pytest
from operations import assert_linear, assert_linear_time
from selectolax.lexbor import LexborHTMLParser

from ncfilters.page.tree import deep_markup, limits
from ncfilters.page.tree.limits import limit_markup


def test_depth_is_bounded() -> None:
    deep = "<div>" * 30_000 + "x" + "</div>" * 30_000 + "<p>y</p>"
    bounded = limit_markup(deep)
    assert bounded.count("<div>") == bounded.count("</div>") == deep_markup.MAX_DEPTH
    assert bounded.endswith("</div><p>y</p>")


def test_pages_that_are_not_deep_stay() -> None:
    shallow = "<div>a</div>" * 30_000
    assert limit_markup(shallow) == shallow
    assert limit_markup("x" * 100_000) == "x" * 100_000


def test_open_formatting_elements_are_bounded() -> None:
    html = "<p><font><i>a" * 20_000
    assert limit_markup(html).count("<font>") + limit_markup(html).count("<i>") == limits.MAX_FORMATTING
    assert limit_markup(html).count("<p>") == limit_markup(html).count("a") == 20_000


@pytest.mark.parametrize("name", ["svg", "math"])
def test_closed_tags_of_drawings_and_formulas_do_not_nest(name: str) -> None:
    html = f"<{name}><{name}>{'<path/>' * 11_000}</{name}></{name}>" + "<div>" * 400 + "text"
    assert limit_markup(html).count("<div>") == 400


def test_the_content_of_drawings_is_left_out_of_pages_with_many_tags() -> None:
    drawing = "<svg viewBox='0 0 1 1'><title>Icon</title><path d=x /></svg>"
    assert limit_markup(f"<p>{drawing * 9_000}text") == "<p>" + "<svg viewBox='0 0 1 1'></svg>" * 9_000 + "text"
    assert limit_markup(f"<p>{drawing}text") == f"<p>{drawing}text"


@pytest.mark.parametrize(
    "part", ["<svg><p>text</p></svg>", "<script>'<svg>'</script>text</svg>", "<!--<svg>-->x</svg>"]
)
def test_what_may_be_text_stays(part: str) -> None:
    assert limit_markup(part * 9_000) == part * 9_000


@pytest.mark.parametrize("part", ["<script>'<div>'</script>", "<!-- <div> -->", "<STYLE>/* <div> */</STYLE >"])
def test_tags_in_comments_and_scripts_do_not_nest(part: str) -> None:
    assert limit_markup(part * 9_000 + "<div>" * 900).count("<div>") == 9_900


def test_tags_of_many_options_are_dropped() -> None:
    assert "<option" not in limit_markup("<select>" + "<option value=1>a</option>" * 6_000)
    few = "<select>" + "<option>a</option>" * 1_000 + "</select>" + "<b>x</b>" * 9_000
    assert limit_markup(few) == few


def test_attributes_of_long_tags_are_dropped() -> None:
    assert limit_markup(f"<p data='{'x' * 40_000}'>text") == "<p>text"
    many = f"<p srcdoc=x {' '.join(f'a{n}=b' for n in range(10_000))}>"
    assert limit_markup(f"{many}text") == "<p>text"


@pytest.mark.parametrize("name", ["srcdoc", "data-page", "DATA-PROPS"])
def test_few_long_attributes_with_content_stay(name: str) -> None:
    tag = f"<p class=a {name}='{'x' * 40_000}' b>"
    assert limit_markup(f"{tag}text") == f"{tag}text"


def test_number_of_long_tags_that_stay_is_bounded() -> None:
    tag = f"<p srcdoc='{'x' * 40_000}'>"
    assert limit_markup(tag * 30).count("srcdoc") == limits.MAX_EXAMINED_TAGS


@pytest.mark.parametrize("part", ["<a b='", "<div", "<b><p>", "<option>x", "<p a=b>", ">", "<!--", "<script>", "<svg>"])
def test_work_is_linear(part: str) -> None:
    assert_linear(limit_markup, lambda n: part * n, 30_000)


# Tags in pairs that leave an element open, whatever the names of the end tags.
NESTING = ["<div></span>", "<section></x>a ", "<div><object></div></object>", "<div></p>", "<form><section></form>"]
NESTING += [
    "<div><textarea></div></textarea>",
    "<div><!--</div>-->",
    "<button><div></button></div></x>",
    "<svg><div></svg>",
]
NESTING += [
    "<h1><h2></h2><section></h1>",
    "<x><div></x></y>",
    "<a><div></a></a>",
    "<svg/><div></svg>",
    "<svg><p><x-y/></svg>",
]
NESTING += ["<span><li></span><span><dd></span>", "<li><div><li><section></div>", "<li><dd>", "<math><td>"]
NESTING += ["<span><p></span><div></div>", "<div><p title='</div>'>", "<math><![CDATA[</math>]]>", "<div><!x </div>"]
NESTING += ["<div><title><!--</title>", "<div\u00a0></div>", "<div><script><!--<script></script></div></script>"]
NESTING += ["<select><input><div></select>", "<svg><style><div></style>", "<font><ruby><dd></form><rb><span>"]
NESTING += ['<div a="\'></div>">']
# Parts of tables and forms in drawings, some of which the parser leaves.
NESTING += ["<svg><mi></section><td><tr>", "<a><svg><td><section><option></select>", "<form><mi><input><svg>"]
NESTING += ["</em><em></ruby></nobr/></object><b/>", "<em><b></em>", "<span><b></span>x", "<div><b></div>x"]
NESTING += ["</section><rt></dd></foreignObject><section><foreignObject><i>"]
NESTING += ["<svg><form></li><input><font>", "<li><tr><svg><option><button>", "<td><tr><math><b><select></button>"]


def tree_depth(html: str) -> int:
    """How deep the parser nests elements."""
    depth, node = 0, LexborHTMLParser(html).body
    deepest = 0
    while node is not None:
        deepest = max(deepest, depth)
        if node.first_child is not None:
            node, depth = node.first_child, depth + 1
            continue
        while node is not None and node.next is None:
            node, depth = node.parent, depth - 1
            if depth <= 0:
                return deepest
        node = node.next if node is not None else None
    return deepest


def without_depth(html: str) -> str:
    return deep_markup.limit_depth(html.encode(), len(html)).decode()


@pytest.mark.parametrize("part", NESTING)
def test_end_tags_of_other_elements_close_nothing(part: str) -> None:
    assert tree_depth(without_depth(part * 4_000)) <= deep_markup.MAX_DEPTH + 10


SMALL = ["<ul class='some-name-of'><li>x", "<section id='abcdefghijklmnop'>", "<div></span>x"]


@pytest.mark.parametrize("part", SMALL)
def test_small_pages_have_few_elements_around_their_tags(part: str) -> None:
    html = part * (9_000 // part.count("<"))
    assert tree_depth(limit_markup(html)) <= deep_markup.MAX_DEPTH + 10


def test_elements_around_too_many_tags_are_closed() -> None:
    html = without_depth("<div>" * 500 + "<i></i>" * 4_000 + "<p>x")
    assert html.startswith("<div>" * 500 + "<i></i>") and html.endswith("</div><p>x")
    assert html.count("</div>") == 500 - deep_markup.FREE_DEPTH


@pytest.mark.parametrize("start", ["<div><svg></div>", "<svg><td>", "<x><svg></x>", "<svg><p>"])
def test_elements_nest_behind_a_drawing_that_is_left(start: str) -> None:
    html = without_depth(start + "<x-y/>" * 5_000 + "<td><tr>" * 2_000)
    assert tree_depth(html) <= deep_markup.MAX_DEPTH + 10


@pytest.mark.parametrize("part", ["<div>a", "</h1>a", "<svg><mi></section>a<td><tr>", "<b><p>a</i>"])
def test_text_stays_where_elements_are_too_deep(part: str) -> None:
    html = "<div>" * 990 + part * 9_000 + "</div>a"
    limited = without_depth(html)
    assert len(limited) < len(html) or limited.count("</div>") > html.count("</div>")
    assert LexborHTMLParser(limited).text(deep=True) == "a" * 9_001


LONG_TAGS = {
    "a quote in a name": f'<a "{"x" * 7_000}>{"y" * 7_990}',
    "no tag ends": f'<a b="{"x" * 7_000}>{"y" * 7_990}" c',
    "no sign ends one": f"<a {'x' * 14_997}",
}


@pytest.mark.parametrize("name", LONG_TAGS)
def test_long_tags_are_found_in_linear_time(name: str) -> None:
    assert_linear_time(limits.shorten_tags, lambda n: LONG_TAGS[name] * n, 150)


def test_long_tags_are_cut_after_many_that_do_not_end() -> None:
    few, many = (LONG_TAGS["no tag ends"] * (limits.MAX_EXAMINED_TAGS + more) for more in (0, 3))
    assert limits.shorten_tags(few) == few
    assert len(few) < len(limits.shorten_tags(many)) < len(many)
