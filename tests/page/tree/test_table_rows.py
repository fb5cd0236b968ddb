"""Elements of a page table."""

from __future__ import annotations

from page_rows import page_of, rows_of

from ncfilters.native.element_names import tag_groups
from ncfilters.page.tree.table_rows import (
    NO_TAGS,
    child_elements,
    children,
    elements_of,
    first_element,
    has_element,
    is_blank,
    name_at,
    next_row,
)

PAGE = page_of("<ul><!-- a --><li>a<li class='x y'>b <i class=x>c</i></ul> <p>")
(LIST,), ITEMS, (INNER,) = (rows_of(PAGE, name) for name in ("ul", "li", "i"))


def test_elements_by_their_tags_and_classes() -> None:
    assert elements_of(PAGE, 0, tag_groups({1: "ul"}), frozenset("x")) == [LIST, ITEMS[1], INNER]
    assert elements_of(PAGE, ITEMS[1], NO_TAGS, frozenset("x")) == [ITEMS[1], INNER]
    assert first_element(PAGE, ITEMS[0], NO_TAGS, frozenset("x")) == -1
    assert has_element(PAGE, LIST, tag_groups({1: "i"}))


def test_children_and_what_is_beside() -> None:
    assert child_elements(PAGE, LIST) == ITEMS
    assert len(children(PAGE, LIST)) == 3
    assert next_row(PAGE, ITEMS[0]) == ITEMS[1]
    assert next_row(PAGE, ITEMS[1]) == -1
    assert is_blank(PAGE, next_row(PAGE, LIST)) and not is_blank(PAGE, LIST)
    assert (name_at(PAGE, LIST), name_at(PAGE, LIST + 1), name_at(PAGE, -1)) == ("ul", "", "")
