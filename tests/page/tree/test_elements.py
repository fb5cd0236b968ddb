"""Tables of elements and attributes."""

from __future__ import annotations

from ncfilters.native.element_names import number_of_tag
from ncfilters.page.blocks.element_kinds import KINDS, SKIPPED
from ncfilters.page.tree import elements


def test_invisible_elements_make_no_blocks() -> None:
    tags = [tag for tag in elements.INVISIBLE if KINDS[number_of_tag(tag)] != SKIPPED]
    assert tags == []


def test_names_are_in_lower_case_and_in_one_table() -> None:
    names = [*elements.INVISIBLE, *elements.TEXTLESS, *elements.DATA_ATTRIBUTES]
    assert [name for name in names if name != name.lower()] == [] and len(set(names)) == len(names)
