"""The places of segments in the elements of a page, and groups of places.

elements = ElementTable()
places = Places(elements, [elements.add(path) for path in ("body/nav/li", "body/nav/li", "body/p")])
list(places.place), places.groups[1], places.groups[KINDS + 1]    # ([0, 0, 1], …): the groups of what shares a parent
"""

from __future__ import annotations

from typing import Any

from ..native.sums import zero_ints
from ..native.text_counts import PairNumbers
from ..page.element_table import ElementTable
from .schema import KINDS, SIG, STEPS_UP

_ANCESTORS = len(STEPS_UP)


class Places:
    """A place is an element that has segments: `nodes` has their rows in the table of *elements*, in order of
    appearance, and `place` the place of each segment.

    `groups` has for each place the groups of each of `schema.GROUP_KINDS`, numbered through all kinds from 0 without
    gaps; those of a kind begin at its number in `starts`. `members` has for each group the row, or the number of its
    shape or of its last two names, that its places have in common.
    """

    def __init__(self, elements: ElementTable, rows: list[int]) -> None:
        self.elements = elements
        self.nodes: list[int] = []
        self.place: Any = zero_ints(len(rows))
        self.groups: Any = zero_ints(0)
        self.starts: list[int] = []
        self.members: list[int] = []
        self._number(rows)
        self._group()

    def _number(self, rows: list[int]) -> None:
        """Numbers the elements of segments."""
        place, numbers = self.place, zero_ints(len(self.elements.parent))
        for at in range(len(rows)):
            row = rows[at]
            number = numbers[row]
            if not number:
                self.nodes.append(row)
                number = numbers[row] = len(self.nodes)
            place[at] = number - 1

    def _group(self) -> None:
        """Sets the groups of places."""
        elements = self.elements
        elements.read_shapes()
        parent, name, shape = elements.parent, elements.name, elements.shape
        pairs = PairNumbers()
        count = len(self.nodes)
        groups = self.groups = zero_ints(count * KINDS)
        ancestors = list(self.nodes)
        room = len(parent)
        for kind in range(KINDS):
            self.starts.append(len(self.members))
            numbers = zero_ints(room)
            for at in range(count):
                if kind < _ANCESTORS:
                    key = ancestors[at]
                    ancestors[at] = parent[key]
                elif kind == SIG:
                    key = shape[self.nodes[at]]
                else:
                    key = pairs.add(name[self.nodes[at]], name[parent[self.nodes[at]]])
                if not numbers[key]:
                    self.members.append(key)
                    numbers[key] = len(self.members)
                groups[at * KINDS + kind] = numbers[key] - 1
        self.starts.append(len(self.members))
