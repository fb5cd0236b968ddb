"""Fields from the elements around a block."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.page.markup.markup_context import Context, Numbers, context_in
from ncfilters.page.open_elements import OpenBlock


def fields_in(*elements: str, **attributes: str) -> dict[str, Any]:
    """The fields of a block in elements from the outermost, the last with *attributes*."""
    context, numbers = Context(), Numbers()
    for number, name in enumerate(elements):
        own = attributes if number == len(elements) - 1 else {}
        context = context_in(
            context, OpenBlock(name, {n.replace("_", "-"): v for n, v in own.items()}, None, None), numbers
        )
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
        context = context_in(context, OpenBlock(name, {"class": classes}, None, None), numbers)
    assert context.fields["depth"] == 2


def test_items_are_numbered_on_the_page() -> None:
    numbers, item = Numbers(), OpenBlock("li", {}, None, None)
    first, second = (context_in(Context(), item, numbers).fields["item"] for _ in range(2))
    assert (first, second) == (1, 2)
