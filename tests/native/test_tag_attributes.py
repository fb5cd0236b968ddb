"""The attributes of a tag are counted as a parser reads them, by both forms alike."""

from __future__ import annotations

from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from uncompiled import both_forms

both = both_forms("ncfilters.native.tag_attributes")
FORMS = pytest.mark.parametrize("form", both)
PARTS = [
    "<",
    "p",
    ">",
    " ",
    "/",
    "=",
    "'",
    '"',
    "a",
    "<!--",
    "-->",
    "<script",
    "</SCRIPT>",
    "<title>",
    "b=c",
    "é",
    "\0",
]


@FORMS
@pytest.mark.parametrize(
    ("html", "number"),
    [
        ("<p>a b c", 0),
        ("<p id=a class='b c' d>", 3),
        ('<br a="<p b c d>" e/>', 2),
        ("<p a=1\n/b = 2 =c>", 3),
        ("<!-- <p a b c> --><p d>", 1),
        ("<script>'<p a b c>'</script><p d e>", 2),
        ("<sCript>a<b c d e</scripT f><p d>", 1),
        ("</p a b c><p", 0),
        ("<p a='b c > d", 1),
    ],
)
def test_number_of_attributes(form: ModuleType, html: str, number: int) -> None:
    assert form.most_attributes(html.encode()) == number


@given(st.lists(st.sampled_from(PARTS), max_size=40))
def test_both_forms_count_alike(parts: list[str]) -> None:
    html = "".join(parts).encode()
    assert len({form.most_attributes(html) for form in both}) == 1
