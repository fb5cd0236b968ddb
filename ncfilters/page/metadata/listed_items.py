"""The items that a page lists: what one of them says of its author and its day is said of the item, not of the page.

item = "<li><h3><a href=/rain>Rain</a></h3><p class=byline>By Ann Lee</p>"
ListedItems(table_of(parse_html(f"<ul>{3 * item}</ul>").root)).has(3)    # True: row 3 is the first <li>
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from functools import cached_property

from ...native.element_names import HREF, ITEMTYPE, number_of_tag
from ...native.page_table import PageTable
from ...text.lazy_pattern import lazy_pattern
from ..tree.survey import rows_with

# Elements of one kind beside one another that are items of a list.
MIN_ITEMS = 3
_A, _H1 = number_of_tag("a"), number_of_tag("h1")
_LOWER_HEADINGS = [number_of_tag(f"h{level}") for level in range(2, 7)]
# Types of items of which one page may have several of its own: posts, authors, steps of its path.
_OWN_TYPES = lazy_pattern(r"(?:Posting|Person|Organization|ListItem)$")


class ListedItems:
    """The items of lists of a page, found when they are asked for: few pages need all."""

    def __init__(self, table: PageTable) -> None:
        self._table = table
        self._items: dict[int, frozenset[int]] = {}

    def has(self, row: int) -> bool:
        """Whether an element is an item: MIN_ITEMS or more beside one another have the same name and class, and are of
        the same type of things in microdata, or have a first heading that leads to another page."""
        if self._kind(row) is None:  # for speed: most
            return False
        parent = self._table.parent[row]
        if (items := self._items.get(parent)) is None:
            items = self._items[parent] = self._items_in(parent)
        return row in items

    def _items_in(self, parent: int) -> frozenset[int]:
        table = self._table
        kinds = {}
        row = parent + 1
        while row < table.end[parent]:
            if table.tag[row] >= 0 and (kind := self._kind(row)):
                kinds[row] = kind
            row = table.end[row]
        counts = Counter(kinds.values())
        return frozenset(row for row, kind in kinds.items() if counts[kind] >= MIN_ITEMS)

    def _kind(self, row: int) -> tuple[int, str | None, str] | None:
        """The tag, the class and the type of an element that may be an item; None of others."""
        table = self._table
        of_type = table.attribute_of(row, "itemtype") or "" if table.flags[row] & ITEMTYPE else ""
        if of_type and not _OWN_TYPES.search(of_type) or self._leads_away(row):
            return table.tag[row], table.attribute_of(row, "class"), of_type
        return None

    def _leads_away(self, row: int) -> bool:
        """Whether the first heading in an element has a link to another page, or is in one. A heading h1 is that of an
        article, below which a page may have the next ones."""
        table, links = self._table, self._links
        if (heading := _first(self._headings, row, table.end[row])) < 0:
            return False
        if _first(self._titles, row, table.end[row]) >= 0:
            return False
        if (link := _first(links, heading, table.end[heading])) < 0:
            link = table.parent[heading]
        return table.tag[link] == _A and "#" not in (table.attribute_of(link, "href") or "#")

    @cached_property
    def _headings(self) -> list[int]:
        rows = (rows_with(self._table, tag, 0, 0, self._table.size) for tag in _LOWER_HEADINGS)
        return sorted(row for found in rows for row in found)

    @cached_property
    def _titles(self) -> list[int]:
        return rows_with(self._table, _H1, 0, 0, self._table.size)

    @cached_property
    def _links(self) -> list[int]:
        return rows_with(self._table, _A, HREF, 0, self._table.size)


def _first(rows: list[int], start: int, end: int) -> int:
    """The first of some sorted *rows* from *start* to *end*; -1 if none is there."""
    place = bisect_left(rows, start)
    return rows[place] if place < len(rows) and rows[place] < end else -1
