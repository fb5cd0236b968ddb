"""Blocks have the names of the rules that are about their elements."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ncfilters.page.element_rules import element_rules
from ncfilters.page.page_options import PageOptions
from ncfilters.page.profiles import blocks_of_html

TAGS = ("p", "div", "span", "a", "b", "td", "tr", "table", "li", "ul", "img", "br", "h2", "sub", "pre")


def ruled(html: str, drop: str = "", keep: str = "", markup: bool = False) -> list[tuple[str, str]]:
    """The texts of the blocks of a page, and their rules."""
    options = PageOptions(markup=markup, elements=element_rules(drop, keep))
    return [(block["text"], block.get("element_rule", "")) for block in blocks_of_html(html, options)]


@pytest.mark.parametrize("markup", [False, True])
def test_the_innermost_element_with_a_rule_decides(markup: bool) -> None:
    html = "<div id=a>One<div id=b>two<p>three</p></div>four</div>five"
    assert ruled(html, "#a", "#b", markup) == [
        ("One", "drop #a"),
        ("two", "keep #b"),
        ("three", "keep #b"),
        ("four", "drop #a"),
        ("five", ""),
    ]


@pytest.mark.parametrize("markup", [False, True])
@pytest.mark.parametrize("tag", ["span", "a", "b", "em", "code", "sub"])
def test_an_inline_element_that_is_dropped_leaves_its_sentence(tag: str, markup: bool) -> None:
    html = f"<p>It rained <{tag} class=x>(more)</{tag}> all day."
    assert ruled(html, ".x", markup=markup) == [("(more)", "drop .x"), ("It rained all day.", "")]


@pytest.mark.parametrize("markup", [False, True])
@pytest.mark.parametrize("tag", ["span", "a", "b"])
def test_an_inline_element_that_is_kept_keeps_its_block(tag: str, markup: bool) -> None:
    html = f"<p>Price <{tag} class=x>5</{tag}><p>Text.<p><{tag} class=x></{tag}><p>End."
    assert ruled(html, keep=".x", markup=markup) == [("Price 5", "keep .x"), ("Text.", ""), ("End.", "")]


@pytest.mark.parametrize("markup", [False, True])
def test_cells(markup: bool) -> None:
    html = "<table><tr><td>a<td class=x>b<td>c<tr class=y><td>d<td>e</table>"
    assert ruled(html, ".x, .y", markup=markup) == [("a\tc", ""), ("d\te", "drop .y")]
    assert ruled(html, "table", ".x", markup=markup) == [("a\tb\tc", "keep .x"), ("d\te", "drop table")]


def test_images_that_are_dropped_are_no_figures() -> None:
    html = "<p>One.<div class=x><img src=http://a.example/a.png alt=A></div><p>Two."
    options = PageOptions(markup=True, elements=element_rules(".x"))
    assert all("figure" not in block for block in blocks_of_html(html, options))
    options = PageOptions(markup=True, elements=element_rules("img"))
    assert all("figure" not in block for block in blocks_of_html(html, options))


pages = st.lists(
    st.tuples(
        st.sampled_from(TAGS), st.sampled_from(["", "x", "y"]), st.booleans(), st.sampled_from(["", "a ", "b c"])
    ),
    max_size=20,
).map(
    lambda parts: "".join(
        f"</{tag}>" if is_end else f"<{tag} class='{name}' src='http://a.example/{name}'>{text}"
        for tag, name, is_end, text in parts
    )
)


@settings(max_examples=100)
@given(pages, st.booleans())
def test_rules_that_no_element_has_change_nothing(html: str, markup: bool) -> None:
    options = PageOptions(markup=markup, elements=element_rules(".z", "#z"))
    assert blocks_of_html(html, options) == blocks_of_html(html, PageOptions(markup=markup))


@settings(max_examples=100)
@given(pages, st.booleans())
def test_what_is_kept_only_marks(html: str, markup: bool) -> None:
    plain = [block["text"] for block in blocks_of_html(html, PageOptions(markup=markup))]
    assert [text for text, _ in ruled(html, keep=".x", markup=markup)] == plain


@settings(max_examples=100)
@given(pages, st.booleans())
def test_dropping_all_leaves_nothing_unmarked(html: str, markup: bool) -> None:
    assert all(rule == "drop body" for _, rule in ruled(html, "body", markup=markup))
