"""Tables of elements and attributes."""

from __future__ import annotations

from ncfilters.page import block_builder, elements


def test_invisible_elements_make_no_blocks() -> None:
    tags = [
        tag
        for tag in elements.INVISIBLE
        if block_builder.HANDLERS[tag][0] is not block_builder.BlockBuilder.start_skipped
    ]
    assert tags == []


def test_names_are_in_lower_case_and_in_one_table() -> None:
    names = [*elements.INVISIBLE, *elements.TEXTLESS, *elements.DATA_ATTRIBUTES]
    assert [name for name in names if name != name.lower()] == [] and len(set(names)) == len(names)
