"""Bounds on markup that parsers would take too long for."""

from __future__ import annotations

import random
import re

import pytest
from operations import assert_linear, assert_linear_time
from selectolax.lexbor import LexborHTMLParser

from ncfilters.page import compiled_core, deep_markup, limits
from ncfilters.page.limits import limit_markup


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


DEEP = [
    "<div>" * 1000,
    "<div>" * 1001,
    "<DIV>" * 1001,
    "<div>a</div>" * 2000,
    "<b>" * 100,
    "<b>" * 101 + "x",
    "<b><p>" * 100 + "</b>" * 100 + "<i>" * 101,
    "<p>" * 5000,
    "<lin\u212a>" * 1001,
    "<span\u00e9>" * 1001,
    "<a<b>" * 1001,
    "<averyveryverylongname>" * 1001,
    "<averyveryverylongname>" * 999,
    "</div>" * 10 + "<div>" * 1000,
    "<div/x>" * 1001,
    "<div\u3000x>" * 1001,
    "< div>" * 2000 + "<//div>" * 3 + "<1>" * 2000,
    "<div" * 1001,
    "<",
    "a</",
    "<!--<div>-->" * 1001,
]


@pytest.mark.parametrize("html", DEEP, ids=range(len(DEEP)))
def test_a_compiled_look_finds_what_is_too_deep(html: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MIN_TAGS_TO_LIMIT", 0)
    limited = limits.limit_markup(html)
    monkeypatch.setattr(limits, "core", lambda: None)
    monkeypatch.setattr(deep_markup, "core", lambda: None)
    assert limited == limits.limit_markup(html)


def test_the_ends_of_tags_are_found_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    choice, shortened = random.Random(3).choice, 0
    parts = ("a", " ", "/", "=", '"', "'", "x=1", ' b="y>"', " c='<'", "\u00a0", "\x1c", "é", "=", "\n")
    for _ in range(1_500):
        inside = "".join(choice(parts) for _ in range(choice((3, 8, 20))))
        html = f"""{"x" * 14_000}<p {"a " * 100}{inside} '{"y" * 600}>{"z " * 15_000}'{inside}>{"x" * 30_000}"""
        found = limits.shorten_tags(html)
        with monkeypatch.context() as patch:
            patch.setattr(limits, "core", lambda: None)
            assert limits.shorten_tags(html) == found, html
        shortened += found != html
    assert shortened > 50


def test_deep_tags_are_dropped_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deep_markup, "MAX_DEPTH", 4)
    monkeypatch.setattr(limits, "MAX_FORMATTING", 2)
    often = ["<div>", "</div>", "<b>", "</b>", "<i x=y>", "<p>"]
    rare = "<!-- a -->|<!-->|<!--->|<!--x--!>|<!--|-->|<script>|</script>|<SCRIPT/>|</Script |<style>|</style|<svg>"
    rare += (
        "|</svg>|<path/>|<math>|</math>|<g />|</averyveryverylongname>|<averyveryverylongname>|<|</|>|é|<dſ>|<ſcript>"
    )
    rare += "|</scrİpt>|\u2003|<b\u2003x>|<a<b>|</I|😀|-|!|<AveryveryverylongnameX"
    parts = [*often * 30, *rare.split("|")]
    choices, dropped = random.Random(5).choices, 0
    for _ in range(2_000):
        html = "".join(choices(parts, k=40))
        found = deep_markup.limit_depth(html)
        with monkeypatch.context() as patch:
            patch.setattr(deep_markup, "core", lambda: None)
            assert deep_markup.limit_depth(html) == found, html
        dropped += found != html
    assert dropped > 100


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


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("part", NESTING)
def test_end_tags_of_other_elements_close_nothing(part: str, compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not compiled:
        monkeypatch.setattr(deep_markup, "core", lambda: None)
    assert tree_depth(deep_markup.limit_depth(part * 4_000)) <= deep_markup.MAX_DEPTH + 10


def test_misnested_tags_are_dropped_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    names = (
        "div span section table td p b a object svg math x-y template select option title form h1 rt li dd dt tr g mi"
    )
    parts = [
        f"<{end}{name}{close}>"
        for name in names.split()
        for end in ("", "/")
        for close in ("", "/", " a='b'/", " a=b/")
    ]
    parts += [
        "<!--",
        "-->",
        "<textarea>",
        "</textarea>",
        "<DIV\u00a0/>",
        "<x-yz = />",
        "\u3000",
        "<foreignObject>",
        "</X-Y>",
        *"<script> </script> <style> </style> <title> </TITLE > <![CDATA[ ]]> <!x <?> <plaintext>".split(),
        *"<p> </p> <rb>".split(),
        *"<p\ta='> '> \" ' <svg> </svg> <select> </select> </form> <div\u00e9> </div\u00e9> </>".split(" "),
    ]
    rnd = random.Random(11)
    for number in range(3_000):
        html = "".join(rnd.choices(rnd.sample(parts, 14), k=60))
        monkeypatch.setattr(deep_markup, "MAX_DEPTH", number % 9)
        monkeypatch.setattr(deep_markup, "FREE_DEPTH", number % 5)
        monkeypatch.setattr(deep_markup, "FREE_LOOKS", number % 60)
        monkeypatch.setattr(deep_markup, "LOOKS", number % 2)
        found = deep_markup.limit_depth(html)
        with monkeypatch.context() as patch:
            patch.setattr(deep_markup, "core", lambda: None)
            assert deep_markup.limit_depth(html) == found, html


SMALL = ["<ul class='some-name-of'><li>x", "<section id='abcdefghijklmnop'>", "<div></span>x"]


@pytest.mark.parametrize("part", SMALL)
def test_small_pages_have_few_elements_around_their_tags(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    html = part * (9_000 // part.count("<"))
    limited = limit_markup(html)
    assert tree_depth(limited) <= deep_markup.MAX_DEPTH + 10
    assert limits.limit_utf8(html.encode(), len(html), html.count("<")) in (None, limited.encode())
    monkeypatch.setattr(deep_markup, "core", lambda: None)
    assert limit_markup(html) == limited


@pytest.mark.parametrize("name", ["q._![+d[3pkqb", "a4:f*$c\\hdxua"])
def test_long_names_are_not_taken_for_others(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    html = f"<{name}>" * 3_000  # in the compiled core, they have the same number as td and p
    found, other = deep_markup.limit_depth(html), "x" * len(name)
    assert found.replace(name, other) == deep_markup.limit_depth(html.replace(name, other))
    assert 800 < found.count(f"<{name}>") <= deep_markup.MAX_DEPTH
    monkeypatch.setattr(deep_markup, "core", lambda: None)
    assert deep_markup.limit_depth(html) == found


def test_elements_around_too_many_tags_are_closed() -> None:
    html = deep_markup.limit_depth("<div>" * 500 + "<i></i>" * 4_000 + "<p>x")
    assert html.startswith("<div>" * 500 + "<i></i>") and html.endswith("</div><p>x")
    assert html.count("</div>") == 500 - deep_markup.FREE_DEPTH


@pytest.mark.parametrize("start", ["<div><svg></div>", "<svg><td>", "<x><svg></x>", "<svg><p>"])
def test_elements_nest_behind_a_drawing_that_is_left(start: str) -> None:
    html = deep_markup.limit_depth(start + "<x-y/>" * 5_000 + "<td><tr>" * 2_000)
    assert tree_depth(html) <= deep_markup.MAX_DEPTH + 10


@pytest.mark.parametrize("part", ["<div>a", "</h1>a", "<svg><mi></section>a<td><tr>", "<b><p>a</i>"])
def test_text_stays_where_elements_are_too_deep(part: str) -> None:
    html = "<div>" * 990 + part * 9_000 + "</div>a"
    limited = deep_markup.limit_depth(html)
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


def test_what_is_cut_is_found_alike_in_an_outline(monkeypatch: pytest.MonkeyPatch) -> None:
    choice, rnd = random.Random(9).choice, random.Random(10)
    core = compiled_core.core()
    if core is None:
        pytest.skip("no compiled core")
    monkeypatch.setattr(limits, "MAX_TAG_CHARS", 60)
    monkeypatch.setattr(limits, "MIN_TAGS_TO_LIMIT", 8)
    parts = "<svg> </svg> <svg\u3000a> <path/> <p> </p> <SVG> <svg\u00a0/> <!--x--> <script> </script> é 👍 x".split(
        " "
    )
    tags = ("<a href='{}'>", '<p data-page="{}">', "<p {}>", "<p srcdoc='{}", "<div é={} \u2003b>")
    cut = 0
    for _ in range(2_000):
        pieces = [choice(parts) for _ in range(30)]
        for _ in range(choice((0, 1, 3))):
            filling = "".join(
                rnd.choices("ab 'é\u3000\U0001f44dx=\">", weights=(*[9] * 10, 1), k=choice((10, 90, 200)))
            )
            pieces.insert(rnd.randrange(len(pieces)), choice(tags).format(filling))
        html = "".join(pieces)
        short = limits.shorten_utf8(html.encode())
        assert short in (None, limits.shorten_tags(html).encode()), html
        limited = limits.limit_utf8(html.encode(), len(html), html.count("<"))
        assert limited in (None, limits.limit_tags(html).encode()), html
        cut += len({html.encode(), short, limited} - {None}) > 1
    assert 500 < cut < 2_000


@pytest.mark.parametrize("letter", "\u0130\u0131\u017f\u212a")
def test_letters_that_may_be_ascii_in_another_case_have_no_outline(letter: str) -> None:
    assert limits.shorten_utf8(f"<p>{letter}".encode()) is None


def test_parts_are_cut_in_order() -> None:
    core = compiled_core.core()
    if core is None:
        pytest.skip("no compiled core")
    assert core.without("aébc👍d".encode(), [(1, 2), (4, 5)]) == b"abcd"
    assert core.without(b"abc", [(1, 9)]) == b"a"
    for wrong in ([(2, 1)], [(1, 2), (0, 1)], [(0, -1)], [7]):
        with pytest.raises(ValueError, match="not in order"):
            core.without(b"abc", wrong)
    for wrong_type in ([("a", "b")], [(1,)]):
        with pytest.raises(TypeError):
            core.without(b"abc", wrong_type)


@pytest.mark.parametrize("beyond", ["", "é", "\u3000", "\U0001f44d", "\u017f"])
def test_tags_of_a_name_are_all_found(beyond: str) -> None:
    core = compiled_core.core()
    if core is None:
        pytest.skip("no compiled core")
    html = f"{beyond}<svg><g/></SVG ><sVg a=1><svga></svg\n><<svg/>< svg><s\u017fvg><\u017fvg><"
    assert [tag.span() for tag in limits._svg_tags(html)] == [tag.span() for tag in limits._SVG_TAG.finditer(html)]
    assert core.next_tag(html, len(html), "svg") == core.next_tag("", 0, "svg") == -1
    roots = f"{beyond}<html></HTML><Body x></body><p><head>"
    assert [core.may_have_tags(roots, most, "html", "body") for most in (0, 3, 4)] == [True, True, False]


def test_svg_leaves_the_number_of_tags() -> None:
    drawing = "<svg><path/><g></g></svg>"
    for html in ("<p>x" * 9_000 + drawing * 300, "<p>x" * 12_000 + drawing * 3, "<p>é</p>" * 9_999 + drawing):
        limited = limits.limit_utf8(html.encode(), len(html), html.count("<"))
        assert limited in (None, limits.limit_tags(html).encode())


@pytest.mark.skipif(compiled_core.core() is None, reason="no compiled core here")
def test_tags_are_found_where_patterns_find_them() -> None:
    choice, core = random.Random(0).choice, compiled_core.core()
    parts = ["<", "</", "s", "V", "g", "svg", "SVG", "/", " ", "\u017f", "\xd7", "中", "🙂"]
    for _ in range(2_000):
        text = "".join(choice(parts) for _ in range(choice(range(40))))
        places = [tag.start() for tag in re.finditer("</?svg", text, re.I)]
        first = core.next_tag(text, 0, "svg")
        assert first == (places or [-1])[0] or not text.isascii() and (not places or 0 <= first <= places[0])
        for most in range(len(places)):
            assert core.may_have_tags(text, most, "svg", "title")
        assert not text.isascii() or not core.may_have_tags(text, len(places), "svg", "title")
