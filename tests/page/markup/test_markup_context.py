"""Fields from the elements around a block."""

from __future__ import annotations

from typing import Any

import pytest
from page_rows import page_of, rows_of

from ncfilters.page.blocks.open_elements import OpenElement
from ncfilters.page.markup.markup_context import Context, Numbers, context_in


def context_of(around: Context, name: str, numbers: Numbers, **attributes: str) -> Context:
    """The context of the blocks in an element."""
    own = "".join([f" {key.replace('_', '-')}='{value}'" for key, value in attributes.items()])
    page = page_of(f"<{name}{own}>")
    return context_in(page, around, OpenElement(rows_of(page, name)[0], name, None, None), numbers)


def fields_in(*elements: str, **attributes: str) -> dict[str, Any]:
    """The fields of a block in elements from the outermost, the last with *attributes*."""
    context, numbers = Context(), Numbers()
    for number, name in enumerate(elements):
        own = attributes if number == len(elements) - 1 else {}
        context = context_of(context, name, numbers, **own)
    return context.fields


@pytest.mark.parametrize(
    ("elements", "fields"),
    [
        (["body", "p"], {}),
        (["body", "h3"], {"level": 3}),
        (["ul", "li"], {"depth": 1, "item": 1}),
        (["li"], {"depth": 1, "item": 1}),
        (["ul", "li", "ol", "li", "p"], {"depth": 2, "item": 2}),
        (["blockquote", "blockquote", "p"], {"quote": 2}),
        (["blockquote", "ul", "li", "h2"], {"quote": 1, "depth": 1, "item": 1, "level": 2}),
    ],
)
def test_fields(elements: list[str], fields: dict[str, Any]) -> None:
    assert fields_in(*elements) == fields


@pytest.mark.parametrize(("value", "level"), [("3", 3), ("0", 1), ("12", 6), ("x", 2)])
def test_role_of_a_heading(value: str, level: int) -> None:
    assert fields_in("div", role="heading", aria_level=value) == {"level": level}


def test_lists_of_documents_have_their_level_in_a_class() -> None:
    context, numbers = Context(), Numbers()
    for name, classes in (("ul", "c1 lst-kix_x9-1 start"), ("li", "")):
        context = context_of(context, name, numbers, **{"class": classes})
    assert context.fields["depth"] == 2


def test_items_are_numbered_on_the_page() -> None:
    numbers = Numbers()
    first, second = (context_of(Context(), "li", numbers).fields["item"] for _ in range(2))
    assert (first, second) == (1, 2)
