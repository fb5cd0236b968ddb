"""What the tags of markup make."""

from __future__ import annotations

from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from uncompiled import both_forms

both = both_forms("ncfilters.page.tree.tag_counts")
FORMS = pytest.mark.parametrize("form", both, ids=lambda form: form.__name__)


@FORMS
@pytest.mark.parametrize(
    ("html", "counts"),
    [
        ("", (0, 0, 0)),
        ("<p id=a>One", (1, 1, 1)),
        ("<TABLE a='<b c>' d>", (4, 1, 3)),
        ("</p></BR></div x>y", (2, 1, 1)),
        ("<!-- a --><?b></>", (0, 3, 0)),
        ("<a b<c d>", (2, 0, 4)),
        ("<", (0, 0, 0)),
        ("</", (0, 1, 0)),
        ("<a", (1, 0, 0)),
    ],
)
def test_what_tags_make(form: ModuleType, html: str, counts: tuple[int, ...]) -> None:
    assert form.tag_counts(html.encode())[:3] == counts


@FORMS
def test_what_may_be_open(form: ModuleType) -> None:
    counts = form.tag_counts(b"<div><p><B><i>x</b></i></u><br><x-y>")
    assert (counts.tags, counts.starts, counts.around, counts.formatting) == (9, 4, 19, 2)


@FORMS
def test_what_the_parser_may_ignore(form: ModuleType) -> None:
    counts = form.tag_counts(b"<html><body><table><tr> <td>x</td> y<td></TD></tr></x>z<tr/>w<!></tr>")
    assert (counts.ignored, counts.moved, counts.roots) == (8, 2, 2)


@FORMS
@pytest.mark.parametrize("part", ["</br ", "<p x ", "<a b='<a c=\"", "< x ", "<p x=<!", "'\"<p a="])
def test_each_character_is_counted_few_times(form: ModuleType, part: str) -> None:
    counts = form.tag_counts(part.encode() * 10_000)
    assert sum(counts[:3]) <= len(part) * 10_000  # else each tag would be read to the end of the page


PIECES = [
    *"<>/='\" \nx",
    "<b",
    "</p>",
    "<table",
    "<Table>",
    "</br",
    "<!--",
    "<?",
    'a="',
    "<T\x0b",
    "é",
    " c='d'",
    ' e="f="',
]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_both_forms_count_the_same(html: str) -> None:
    assert len({form.tag_counts(html.encode()) for form in both}) == 1
