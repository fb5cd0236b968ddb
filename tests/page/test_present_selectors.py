"""Selectors that match something on a page."""

from __future__ import annotations

import pytest

from bench.same_walks import PageMaker
from ncfilters.page import compiled_core
from ncfilters.page.html_parser import parse_html
from ncfilters.page.present_selectors import PresentSelectors

SELECTORS = (
    "table, sup, a[href*='#'], img[alt^='\\\\'], img[alt^='$'], [style*='white-space: pre'], .x, p.figure, "
    "[role='heading'], [name], [class$='CAPTION' i], [type^='math/'], [class~='AVATAR' i], "
    "link[rel='canonical' i], [rel~='author' i]"
)
NOTE_LINK = "a[href*='#']"
needs_core = pytest.mark.skipif(
    compiled_core.core() is None, reason="no compiled core here: python setup.py build_ext --inplace"
)


def present(html: str, selectors: str = SELECTORS) -> str:
    return PresentSelectors(selectors, note_links=[NOTE_LINK]).of(parse_html(html))


@needs_core
def test_those_that_match_nothing_are_left_out() -> None:
    assert present("<p>a") == ""
    assert present("<p class='a x'>b<table>") == "table, .x"
    assert present("<link rel='Author canonical'><img alt='\\x'>") == "img[alt^='\\\\'], [rel~='author' i]"


@needs_core
@pytest.mark.parametrize(
    ("link", "counts"),
    [
        ("<a href=#n1>one more</a>", True),
        ("<a href=#x>[12]</a>", True),
        ("<a href=#x>iv.</a>", True),
        ("<a href=#x>*</a>", True),
        ("<a href=#x>\u00b9</a>", True),
        ("<a href=#x>note\n 1234</a>", True),
        ("<a href=#x>†</a>", True),
        ("<a href=#x>nb&nbsp;²</a>", True),
        ("<a href=#x>\u212a</a>", True),
        ("<a href=#x>[email&nbsp;protected]</a>", False),
        ("<a href=#x>Español</a>", False),
        ("<a href=#x>lower-armenian 2</a>", True),
        ("<a href=#a-cite_note-2>any</a>", True),
        ("<h2><a href=#>\u00b6</a></h2>", True),
        ("<h2><a href=#> </a></h2>", True),
        ("<h2><a href=# class='my Header-Anchor'>any</a></h2>", True),
        ("<h2><a href=# class=title>any</a></h2>", False),
        ("<a href=#comment-12>any</a>", False),
        ("<a href=#x>6 Comments</a>", False),
        ("<a href=#content>Skip to content</a>", False),
        ("<a href=#>1</a>", False),
        ("<a href=x>1</a>", False),
        ("<a href=#x></a>", False),
    ],
)
def test_links_to_notes(link: str, counts: bool) -> None:
    assert present(f"<p>a{link}", NOTE_LINK) == (NOTE_LINK if counts else "")


@pytest.mark.parametrize("seed", range(3))
def test_the_elements_are_those_of_all_selectors(seed: int) -> None:
    maker, selectors = PageMaker(seed, []), PresentSelectors(SELECTORS)
    for _ in range(200):
        tree = parse_html(maker.page())
        assert [node.mem_id for node in selectors.nodes(tree)] == [node.mem_id for node in tree.css(SELECTORS)]


@needs_core
def test_lists_of_selectors() -> None:
    selectors = PresentSelectors("p, table", "b, i, [name]", "a")
    assert selectors.parts_of(parse_html("<p name=x><i>a")) == ["p", "i, [name]", ""]


LISTS = (
    "p, .side, [name]",
    "ol[class^='Dp-'], [rel~='author'], [class~='AVATAR' i]",
    "[type^='math/'], [class*='x y']",
)
CASES = (
    "<!doctype html><p class='a side' name>b<p class=Side>c<ol class=dp-x><ol class=Dp-x>",
    "<p class=SIDE>quirks<a rel=AUTHOR>d</a><b class='avatar\x0bx'>e</b><b class='avatar\tx y'>f</b>",
    "<!doctype html><script type=MATH/tex></script><p class=side><script type=math/tex></script><i class='X Y'>",
    "<svg><a xlink:href=#x name=y>g</a></svg><frameset>",
    "",
)


@pytest.mark.parametrize("html", CASES)
def test_a_search_finds_what_the_parser_finds(html: str) -> None:
    tree = parse_html(html)
    found = PresentSelectors(*LISTS).search(tree)
    for selectors in LISTS:
        nodes = [node.mem_id for node in tree.css(selectors)]
        assert [node.mem_id for node in found.nodes(selectors)] == nodes
        assert found.has(selectors) == bool(nodes)


def test_found_nodes_are_those_of_the_parser() -> None:
    tree = parse_html("<ul><li id=a>One <b>two</b><li>Three</ul>")
    found = PresentSelectors("li, b").search(tree).nodes("li, b")
    del tree  # a node keeps its page
    assert [(node.tag, node.attributes, node.text(deep=True)) for node in found] == [
        ("li", {"id": "a"}, "One two"),
        ("b", {}, "two"),
        ("li", {}, "Three"),
    ]
    assert found[1].parent == found[0] and found[0].css_first("b").mem_id == found[1].mem_id


def test_other_selectors_are_refused() -> None:
    with pytest.raises(ValueError, match="expected a simple one, got div > p"):
        PresentSelectors("a, div > p")


def test_elements_in_an_element() -> None:
    selectors = PresentSelectors("b, .x, [lang='EN']")
    tree = parse_html("<div><p><b>a</b><i class='x y'>b</i></p></div><p lang=EN><b>c</b></p>")
    first, second = tree.css("p")
    assert [node.tag for node in selectors.nodes_in(first)] == ["b", "i"]
    assert [node.tag for node in selectors.nodes_in(second)] == ["p", "b"]
    assert selectors.may_be_in(first)
    italics = tree.css_first("i")
    assert [node.mem_id for node in selectors.nodes_in(italics)] == [italics.mem_id]


def test_case_of_a_class_in_an_element_is_for_the_parser() -> None:
    page = parse_html("<!doctype html><p class=X>a")
    element = page.css_first("p")
    assert PresentSelectors(".x").nodes_in(element) == element.css(".x")
