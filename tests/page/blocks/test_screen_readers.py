"""Text for screen readers, and what is drawn beside it."""

from __future__ import annotations

from types import ModuleType

import pytest
from uncompiled import both_forms

from ncfilters.native.element_names import number_of_tag
from ncfilters.native.page_table import PageTable, table_of
from ncfilters.page.tree.html_parser import parse_html

FORMS = pytest.mark.parametrize(
    "form", both_forms("ncfilters.page.blocks.screen_readers"), ids=lambda form: form.__name__
)


def rows(html: str, tag: str) -> tuple[PageTable, list[int]]:
    table = table_of(parse_html(html).root)
    return table, [row for row in range(table.size) if table.tag[row] == number_of_tag(tag)]


@FORMS
@pytest.mark.parametrize(
    "classes, expected",
    [
        ("sr-only", True),
        ("badge SR-ONLY", True),
        ("wprm-screen-reader-text", True),
        ("screen-reader-only", True),
        ("u-srOnly", True),
        ("visuallyhidden", True),
        ("govuk-visually-hidden", True),
        ("visually-hidden--inline", True),
        ("visuallyHidden_x1Y", True),
        ("a-offscreen", True),
        ("show-for-sr", True),
        ("v-visible-sr", True),
        ("bose-screenReaderText", True),
        ("cdr-rating__caption-sr_15-1-0", True),
        ("plp-price__sr-text", True),
        ("btn blind", True),
        ("window-blind", False),
        ("text clipped", True),
        ("sr-clipped", True),
        ("coupon-clipped", False),
        ("clipped-image", False),
        ("sr-only lg:not-sr-only", False),
        ("lg:sr-only", False),
        ("sr-onlyness", False),
        ("screenreaders", False),
        ("hidden", False),
    ],
)
def test_classes(form: ModuleType, classes: str, expected: bool) -> None:
    table, (row,) = rows(f"<span class='{classes}'>a</span>", "span")
    assert form.is_for_screen_readers(table, row) is expected


@FORMS
@pytest.mark.parametrize(
    "style, expected",
    [
        ("border:0;clip:rect(0 0 0 0);height:1px", True),
        ("clip: rect(0px, 0px, 0px, 0px)", True),
        ("clip:rect(1px,1px,1px,1px) !important", True),
        ("clip-path: inset(50%)", True),
        ("clip:rect(0, 200px, 200px, 0)", False),
        ("clip-path: inset(5px)", False),
        ("clip: auto", False),
    ],
)
def test_styles(form: ModuleType, style: str, expected: bool) -> None:
    table, (row,) = rows(f"<span style='{style}'>a</span>", "span")
    assert form.is_for_screen_readers(table, row) is expected


@FORMS
@pytest.mark.parametrize(
    "spoken, drawn, attributes, expected",
    [
        ("Was: $9.", "$9", "aria-hidden=true", True),
        ("EUR 20.46", "EUR<u>20</u>46", "aria-hidden=true", True),
        ("Was: $9.", "$8", "aria-hidden=true", False),
        ("3 of 5", "***", "aria-hidden=true", False),
        ("Was: $9.", "$9", "aria-hidden=false", False),
        ("Was: $9.", "$9", "", False),
        ("Teams and agents", "<u>Teams</u><u>and agents</u><u>Teams and</u><u>agents</u>", "aria-hidden=true", True),
    ],
)
def test_what_is_drawn_beside(form: ModuleType, spoken: str, drawn: str, attributes: str, expected: bool) -> None:
    table, (first,) = rows(f"<p><b class=sr-only>{spoken}</b> <i {attributes}>{drawn}</i>", "b")
    assert form.is_drawn_beside(table, first) is expected
    table, (second,) = rows(f"<p><i {attributes}>{drawn}</i> <b class=sr-only>{spoken}</b>", "i")
    assert form.is_read_beside(table, second) is (expected or attributes != "aria-hidden=true" and drawn == "$9")


@FORMS
def test_elements_beside(form: ModuleType) -> None:
    table, (first, second, third) = rows("<p><b>1</b> <b>2</b><!-- --><b>3</b>", "b")
    assert form.elements_beside(table, first) == [second]
    assert form.elements_beside(table, second) == [first]
    assert form.elements_beside(table, third) == []
