"""Tags in bytes."""

from __future__ import annotations

from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from operations import assert_linear_time
from uncompiled import both_forms

both = both_forms("ncfilters.native.markup_bytes")
FORMS = pytest.mark.parametrize("form", both, ids=lambda form: form.__name__)


@FORMS
@pytest.mark.parametrize("tag", ["<a/>", "<a />", "<a b='c'/>", "<a b=c />", "<a b='>'/>", '<a b="/>" c/>', "<a 'b/>"])
def test_a_tag_ends_itself(form: ModuleType, tag: str) -> None:
    html = f"{tag}'".encode()
    assert form.tag_end(html, 2) == len(tag) and form.ends_itself(html, 2, len(tag))


@FORMS
@pytest.mark.parametrize("tag", ["<a>", "<a b=c/>", "<a b= />", "<a b='/>'>", "<a / >"])
def test_a_slash_in_a_value_ends_no_tag(form: ModuleType, tag: str) -> None:
    html = f"{tag}'".encode()
    assert form.tag_end(html, 2) == len(tag) and not form.ends_itself(html, 2, len(tag))


@FORMS
@pytest.mark.parametrize("tag", ["<a", "<a b='>", "<a b=", '<a b="c" d', '<a ="b">c"'])
def test_tags_that_do_not_end_are_none(form: ModuleType, tag: str) -> None:
    assert (form.tag_end(tag.encode(), 2) > len(tag)) is (not tag.endswith('c"'))


@FORMS
def test_names(form: ModuleType) -> None:
    names = form.NameTable([b"p", b"blockquote", b"h1"])
    html = b"<P>x</BlockQuote x><h1/><h2><pre>"
    assert [names.number_at(html, at, form.name_end(html, at)) for at in (1, 6, 20, 25, 29)] == [0, 1, 2, -1, -1]
    assert form.name_at(html, 6) == b"blockquote" and form.name_end(html, 6) == 16
    assert form.name_at(b"<" + b"AB" * 20, 1) == b"ab" * 20
    assert form.find_byte(html, ord("x"), 4, 100) == html.rindex(b"x", 0, 19) or form.find_byte(html, 0, 0, 9) == -1


@FORMS
@pytest.mark.parametrize("part", ["<a b='", "a=b ", "a='b' ", 'a="b" ', "/", "<a ", '"'])
def test_a_tag_is_read_in_linear_time(form: ModuleType, part: str) -> None:
    assert_linear_time(lambda html: form.tag_end(html.encode(), 2), lambda size: "<a " + part * size, 20_000)
    assert_linear_time(lambda html: form.count_attributes(html.encode(), 2), lambda size: "<a " + part * size, 20_000)


PIECES = [*"<>/='\" \nx", "<b", "</p>", 'a="b"', ' c="d="', " e='f'", " g", "é"]


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_both_forms_read_the_same(html: str) -> None:
    utf8 = html.encode()
    for at in range(len(utf8)):
        assert len({form.tag_end(utf8, at) for form in both}) == 1
        assert len({form.count_attributes(utf8, at) for form in both}) == 1
        assert len({form.name_at(utf8, at) for form in both}) == 1
        assert len({form.name_end(utf8, at) for form in both}) == 1
        if (end := both[0].tag_end(utf8, at)) <= len(utf8):
            assert len({form.ends_itself(utf8, at, end) for form in both}) == 1
