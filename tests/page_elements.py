"""Tables of elements that tests make from paths."""

from __future__ import annotations

from collections.abc import Iterable

from ncfilters.page.element_table import ElementTable


def elements_of(paths: Iterable[str]) -> ElementTable:
    """The table of the elements with these paths."""
    table = ElementTable()
    for path in paths:
        table.add(path)
    return table
