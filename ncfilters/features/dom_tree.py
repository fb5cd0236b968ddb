"""The tree of elements around the segments of a page, rebuilt from their paths, and groups of segments in it.

tree = build_tree(["body/nav/li", "body/nav/li", "body/p"])
[tree.nodes[place] for place in tree.place]    # [3, 3, 4]: the nodes are the root, body, nav, li and p
tree.groups[1], tree.groups[KINDS + 1]         # the numbers of what shares a parent, for the places 0 and 1
"""

from __future__ import annotations

from array import array
from typing import Any

from ..native.sums import zero_ints
from ..native.text_counts import common_length
from ..native.word_sets import PairNumbers
from ..page.blocks import dom_path
from ..page.blocks.dom_path import bounded_path, without_id
from .schema import KINDS, SIG, STEPS_UP

# Nodes of a page, which bounds memory. Beyond, a new path counts as the root. The largest page of the WCXB
# development set has 1,582.
MAX_NODES = 1 << 17
_MAX_NODES, _MAX_PATH_CHARS, _ANCESTORS = MAX_NODES, dom_path.MAX_PATH_CHARS, len(STEPS_UP)


class DomTree:
    """The nodes of a page, parents before their children; the root, which is its own parent, is the first.

    For each node: `parent`; `depth`, 0 for the root; `step`, an index into `steps`; `signature`, the same number for
    two nodes whose paths differ in ids alone; `last_two`, the same for those with the same last two steps. A place is a
    node that has segments: `nodes` has their nodes in order of appearance, and `place` the place of each segment.

    `groups` has for each place the groups of each of `categories.GROUP_KINDS`, numbered through all kinds from 0
    without gaps; those of a kind begin at its number in `starts`. `members` has for each group the node, or the number
    of `signature` or `last_two`, that its places have in common.
    """

    def __init__(self) -> None:
        self.parent, self.depth, self.step, self.signature, self.last_two = [0], [0], [0], [0], [0]
        self.steps = [""]
        self.nodes: list[int] = []
        self.place: Any = array("i")
        self.groups: Any = array("i")
        self.starts: list[int] = []
        self.members: list[int] = []
        # A node has a number for its parent and its step; a step for its name.
        self._node_of = PairNumbers()
        self._node_of.add(0, 0)
        self._number_of = {"": 0}
        self._plain_of = [0]
        self._plain = {"": 0}
        self._signatures = PairNumbers()
        self._signatures.add(-1, 0)
        self._pairs = PairNumbers()
        self._pairs.add(0, 0)
        # The path that was added last: where each of its steps ends, and their nodes.
        self._path, self._ends, self._trail = "", [0], [0]

    def add(self, path: str) -> int:
        """The node of a path, which is added with its ancestors if it is new; the root if there is no room for it."""
        if not path:
            return 0
        ends, trail, size = self._ends, self._trail, len(path)
        shared = common_length(path, self._path)
        end = ends[-1]
        while len(ends) > 1 and (end > shared or (end < size and path[end] != "/")):
            ends.pop()
            trail.pop()
            end = ends[-1]
        has_room = len(self.parent) <= _MAX_NODES
        node, start = trail[-1], end + (len(ends) > 1)
        self._path = path
        while start <= size:
            # a slash before the first step makes it another one
            first = start + (start == 0 and path[0] == "/")
            end = path.find("/", first)
            end = end if end >= 0 else size
            above = -1 if first > start else node
            node = self._child(node, above, path[first:end], has_room)
            if node < 0:
                self._path = path[: ends[-1]]
                return 0
            ends.append(end)
            trail.append(node)
            start = end + 1
        return node

    def _child(self, parent: int, above: int, name: str, has_room: bool) -> int:
        """The node of a step below another one (*above*: -1 for a path that begins with a slash); -1 for a new one if
        there is no room for it."""
        step, size = self._step(name), self._node_of.size
        node = self._node_of.add(above, step) if has_room else self._node_of.find(above, step)
        if node == size:
            self.parent.append(parent)
            self.depth.append(self.depth[parent] + 1)
            self.step.append(step)
            self.signature.append(self._signatures.add(self.signature[parent], self._plain_of[step]))
            self.last_two.append(self._pairs.add(step, self.step[parent]))
        return node

    def _step(self, name: str) -> int:
        """The number of a step."""
        number = self._number_of.get(name)
        if number is not None:
            return number
        number = self._number_of[name] = len(self.steps)
        self.steps.append(name)
        self._plain_of.append(self._plain.setdefault(without_id(name), len(self._plain)))
        return number

    def read(self, paths: list[str]) -> None:
        """Sets the places of segments with these paths."""
        size = len(paths)
        place = self.place = zero_ints(size)
        places = PairNumbers()
        last, number = "", -1
        for at in range(size):
            path = paths[at]
            if number < 0 or path != last:
                last = path
                node = self.add(path if len(path) <= _MAX_PATH_CHARS else bounded_path(path))
                number = places.add(node, 0)
                if number == len(self.nodes):
                    self.nodes.append(node)
            place[at] = number

    def group(self) -> None:
        """Sets the groups of places."""
        count, room = len(self.nodes), len(self.parent)
        groups = self.groups = zero_ints(count * KINDS)
        ancestors = list(self.nodes)
        for kind in range(KINDS):
            self.starts.append(len(self.members))
            numbers = zero_ints(room)
            for at in range(count):
                if kind < _ANCESTORS:
                    key = ancestors[at]
                    ancestors[at] = self.parent[key]
                else:
                    key = self.signature[self.nodes[at]] if kind == SIG else self.last_two[self.nodes[at]]
                if not numbers[key]:
                    self.members.append(key)
                    numbers[key] = len(self.members)
                groups[at * KINDS + kind] = numbers[key] - 1
        self.starts.append(len(self.members))


def build_tree(paths: list[str]) -> DomTree:
    """The tree of the segments' paths; a path is `name#id.class` joined by `/`. The empty path is the root."""
    tree = DomTree()
    tree.read(paths)
    tree.group()
    return tree
