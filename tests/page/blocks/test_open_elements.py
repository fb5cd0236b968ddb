"""Open elements of the reader of blocks."""

from __future__ import annotations

from types import ModuleType

import pytest
from uncompiled import both_forms

from ncfilters.native.element_names import START, VALUE, number_of_tag
from ncfilters.native.page_table import PageTable, table_of
from ncfilters.page.blocks.open_elements import HeldElement
from ncfilters.page.tree.html_parser import parse_html

FORMS = pytest.mark.parametrize(
    "form", both_forms("ncfilters.page.blocks.open_elements"), ids=lambda form: form.__name__
)


def element(tag: str, attributes: str) -> tuple[PageTable, int]:
    table = table_of(parse_html(f"<{tag} {attributes}>text").root)
    return table, list(table.tag).index(number_of_tag(tag))


@FORMS
@pytest.mark.parametrize(
    "attributes, expected",
    [
        ("hidden style=display:none", "hidden"),
        ("style='DISPLAY :none'", None),
        ("style='DISPLAY:  none'", "display"),
        ("style=visibility:hidden", "display"),
        ("style aria-hidden=true", "aria"),
        ("aria-hidden=false", None),
        ("", None),
    ],
)
def test_attributes_that_hide_an_element(form: ModuleType, attributes: str, expected: str | None) -> None:
    assert form.hiding_in(*element("p", attributes)) == expected


@FORMS
@pytest.mark.parametrize(
    "tag, attributes, expected",
    [
        ("blockquote", "class='postcontent restore'", "div"),
        ("blockquote", "class='messageText ugc'", "div"),
        ("blockquote", "class=postcontents", "blockquote"),
        ("blockquote", "", "blockquote"),
        ("cite", "", "div"),
        ("p", "class=messageText", "p"),
    ],
)
def test_what_is_a_block_by_another_name(form: ModuleType, tag: str, attributes: str, expected: str) -> None:
    assert form.name_in(*element(tag, attributes)) == expected


@FORMS
@pytest.mark.parametrize(
    "attributes, expected",
    [
        ("class='a b' id=x", "p#x.a.b"),
        ("role=dialog class=a", "p:dialog.a"),
        ("role=alertdialog", "p:dialog"),
        ("role=contentinfo id=x", "p:contentinfo#x"),
        ("role=tooltip", "p:tooltip"),
        ("role=navigation", "p"),
        ("role", "p"),
    ],
)
def test_the_element_of_a_path(form: ModuleType, attributes: str, expected: str) -> None:
    assert form.path_element(*element("p", attributes), "p") == expected


@FORMS
@pytest.mark.parametrize(
    "value, number", [("=7", 7), ("=' -2x'", -2), ("=x", 1), ("=''", 1), ("", 1), ("=" + "9" * 20, 999999999)]
)
def test_numbers_of_attributes(form: ModuleType, value: str, number: int) -> None:
    assert form.number_in(*element("ol", f"start{value}"), START, 1) == number
    assert form.number_in(*element("li", f"value{value}"), VALUE, 1) == number
    assert form.number_in(*element("li", f"value{value}"), START, 5) == 5


def test_a_held_element_reads_as_a_node() -> None:
    held = HeldElement(*element("template", "class=a"))
    assert (held.tag, held.attributes, held.text()) == ("template", {"class": "a"}, "")
    assert held.html == '<template class="a">text</template>'
