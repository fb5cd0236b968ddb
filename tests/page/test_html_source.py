"""The HTML of a page before it is parsed."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ncfilters.page import broken_markup, deep_markup, limits
from ncfilters.page.compiled_core import core
from ncfilters.page.html_parser import close_title, lexbor_tree, parse_html
from ncfilters.page.html_source import source_of, source_of_utf8
from ncfilters.page.limits import MAX_TAG_CHARS, limit_markup
from ncfilters.page.survey import has_special

SLOW_MACHINES = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
NEEDS_CORE = pytest.mark.skipif(core() is None, reason="no compiled core")

DEPTHS = (deep_markup.MAX_DEPTH, *deep_markup.bounds())


def test_text_and_utf8_are_the_same_page() -> None:
    html = "<title>a</title><p>\u0107\U0001f44d <b>c</b>\0"
    source = source_of(html)
    assert (source.text, source.num_chars, source.num_tags) == (html, len(html), 5)
    assert source_of(source) is source
    if core() is not None:
        again = source_of_utf8(html.encode())
        assert (again.text, again.num_chars, again.is_plain) == (html, len(html), True)
        assert parse_html(again).html == parse_html(html).html


@pytest.mark.parametrize("without_core", [False, True])
def test_lone_surrogates_are_for_the_parser(without_core: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if without_core:
        monkeypatch.setattr("ncfilters.page.html_source.core", lambda: None)
    source = source_of("<p>\udc80")
    assert source.text == "<p>\udc80" and source.num_chars == 4 and not source.is_plain
    assert parse_html(source).html == lexbor_tree("<p>\udc80").html


@pytest.mark.parametrize(
    ("html", "may_be_special"),
    [
        ("<p>text<br>", False),
        ("<templates><i><t>&lt;template>", False),
        ("<TEMPLATE shadowrootmode=open>", True),
        ("<template\n>", True),
        ('<iframe src="a" height=1></iframe>', False),
        ("<iframe></IFRAME >", False),
        ("<iframe>text</iframe>", True),
        ("<iframe src=a> </iframe>", True),
        ('<iframe a="></iframe>">text', True),
        ("<iframe a='></iframe>'>text", True),
        ('<iframe a=b="></iframe>">text', True),
        ('<iframe a=x" b="></iframe>">text', True),
        ("<iframe", False),
        ("<iframe ", True),
    ],
)
@pytest.mark.parametrize("more", ["", "\u0107", "\U0001f44d"], ids=["1 byte", "2 bytes", "4 bytes"])
def test_a_scan_of_markup(html: str, may_be_special: bool, more: str) -> None:
    page = f"{more}<p>{more}" * 7 + html
    found = source_of(page)
    assert found.num_tags == page.count("<")
    assert found.may_be_special is may_be_special or core() is None
    assert found.may_be_special or not has_special(lexbor_tree(page))


@SLOW_MACHINES
@given(
    st.lists(st.sampled_from(["<iframe", "</iframe", "<template", ">", '"', "'", "=", " ", "a", "\u0107", "<!--", "`"]))
)
def test_a_scan_finds_what_the_tree_has(parts: list[str]) -> None:
    page = "".join(parts)
    assert source_of(page).may_be_special or not has_special(lexbor_tree(page))


LONG = "<i title='" + "x" * MAX_TAG_CHARS
# Markup that html_parser and limits change, and markup like it that they leave.
CHANGED = [
    "<title>a<p>b",
    "<TITLE\n>a<p>b",
    "<t\u0131tle>a<p>b",
    LONG,
    LONG + "'>",
    LONG + ">'>",
    "a" * 20_000 + LONG + "\u2028'>",
    "<b>" * 7 + "<p>" * 4_000 + "</b>" * 6,
    "<\u017f>" * 7 + "<p>" * 4_000,
    "<p>" * 10_001,
    "<table>" + "<tr><td>x</td>" * 2_999 + "y" * 500_000,
    "<table>" + "<tr>x<td><p>y</p></td>" * 1_700 + "y" * 500_000,
]
LEFT = [
    "<title>a</title><title>b",
    "<p>" + "x" * 100_000 + "</p>",
    "<i title='>" + "x" * 20_000 + "'>",
    "< b" + "x" * 100_000,
    "<b>" * 6 + "<p>" * 4_000,
    "<b>a</b>" * 2_500,
    "<table>" + "<tr><td>x<i></i></td>" * 1_700 + "y" * 500_000,
]


def is_changed(html: str) -> bool:
    return limit_markup(close_title(html)) != html


@pytest.mark.parametrize("before", ["", "\u0107" * 7_000])
@pytest.mark.parametrize("html", [*CHANGED, *LEFT])
def test_pages_that_would_be_changed_are_not_plain(html: str, before: str) -> None:
    assert not source_of(before + html).is_plain or not is_changed(before + html)


@NEEDS_CORE
def test_the_examples_are_some_of_both() -> None:
    assert all(source_of(html).is_plain for html in LEFT) and not any(map(is_changed, LEFT))
    assert sum(map(is_changed, CHANGED)) >= 9


@SLOW_MACHINES
@given(
    st.lists(
        st.sampled_from(
            ["<i ", "<b>", "</b>", "<", ">", "'", '"', "=", " ", "/", "xxxxx", "\u0107", "\xa0", "<td>", "<tr\n>"]
        )
    ),
    st.integers(1, 300),
)
def test_a_plain_page_is_left_as_it_is(parts: list[str], times: int) -> None:
    page = "".join(parts * times)
    with pytest.MonkeyPatch.context() as patch:
        for module, name, value in [
            (limits, "MAX_TAG_CHARS", 130),
            (broken_markup, "MIN_TAGS", 20),
            (broken_markup, "MIN_COPIED", 2_000),
            (broken_markup, "MAX_COPIES", 500),
        ]:
            patch.setattr(module, name, value)
        patch.setattr(
            "ncfilters.page.html_source._LIMITS",
            (65, 20, broken_markup.MAX_NESTED, broken_markup.RUN_LENGTH, 2_000, 500, broken_markup.MAX_EQUAL, *DEPTHS),
        )
        assert not source_of(page).is_plain or not is_changed(page)


FORMATTING = "<b> </b> <B\n> <i> <i/> <i\u2028> </I > <font a=\u0107> <font a> </font> <u> <tt> </tt> <s <em>"
FORMATTING_PARTS = [
    *FORMATTING.split(" "),
    "</em\u0107>",
    "<bb>",
    "<table>",
    "</table>",
    "<td>",
    "</tr>",
    "<p>",
    "<p>x<p>",
]


@NEEDS_CORE
def test_end_tags_of_elements_that_are_not_open_close_none() -> None:
    compiled = core()
    assert compiled.may_leave_open(b"<I><B><U><S>" * 30, 200) is False
    assert compiled.may_leave_open(b"<b></I>" * 30, 20), "counts of another page"


@NEEDS_CORE
@SLOW_MACHINES
@given(st.lists(st.sampled_from(FORMATTING_PARTS)), st.integers(1, 30))
def test_copies_of_formatting_elements_are_counted_as_in_python(parts: list[str], times: int) -> None:
    page = "".join(parts * times)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(broken_markup, "MIN_TAGS", 10)
        patch.setattr(broken_markup, "MAX_COPIES", 50)
        patch.setattr(
            "ncfilters.page.html_source._LIMITS",
            (15_000, 10, broken_markup.MAX_NESTED, 32, 10**9, 50, broken_markup.MAX_EQUAL, *DEPTHS),
        )
        is_plain = source_of(page).is_plain
        if page.isascii() and page.count("<table>") <= 32:
            assert is_plain is not is_changed(page)
        assert not is_plain or not is_changed(page)
