"""The tree of elements around the segments of documents, from their paths alone; and the groups segments form in it.

    tree = grow([["body/nav/li", "body/nav/li", "body/p"]])
    tree.node                    # [3, 3, 4]: nodes are the root, body, nav, li, p
    groups(tree)["up1"]          # [0, 0, 1]: what shares the element around its own

Everything after the dictionaries is arithmetic on whole arrays. Ancestors are found by doubling: who knows the
ancestor 2^k steps up of every node knows the one 2^(k+1) steps up by a single look-up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..page.dom_path import MAX_PATH_CHARS, PATH_HEAD_CHARS, PATH_TAIL_CHARS

Ints = NDArray[np.int64]

# Nodes of a document, so that memory is bounded; a path that is new when there are more is taken for the root. The
# largest of the WCXB development pages has 1,582.
MAX_NODES = 1 << 17
# Groups by an ancestor so many steps up.
UP = range(5)
GROUPS = (*(f"up{steps}" for steps in UP), "sig", "sig2")
# Odd numbers that spread products over 64 bits (2^64 over the golden ratio, and two from splitmix64).
_SPREAD, _MIX, _MORE = (np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))


@dataclass(frozen=True)
class Tree:
    """The nodes of all documents, parents before their children; each document has a root of its own, its own parent.

    Of each node: `parent`; `depth`, 0 for roots; `step`, an index into `steps`; `signature`, a number that two nodes of
    a document share when their paths differ in ids alone; `document`. A place is a node that has
    segments, in order of appearance: `places` has their nodes. Of each segment: `place` and `node`.
    """

    parent: Ints
    depth: Ints
    step: Ints
    steps: tuple[str, ...]
    signature: NDArray[np.uint64]
    document: Ints
    places: Ints
    place: Ints
    node: Ints


def grow(documents: Sequence[Sequence[str]]) -> Tree:
    """The tree of the paths of documents' segments, `name#id.class` joined by `/`; the empty path is the root."""
    parents: list[int] = []
    names: list[str] = []
    roots: list[int] = []
    nodes: list[int] = []
    for paths in documents:
        roots.append(len(parents))
        nodes += map(_nodes(paths, parents, names).__getitem__, paths)
    parent, node = np.array(parents, np.int64), np.array(nodes, np.int64)
    new = np.zeros(len(parent), np.int64)
    new[roots[1:]] = 1
    steps: dict[str, int] = defaultdict(count().__next__)  # a number for each, in order
    step = np.fromiter(map(steps.__getitem__, names), np.int64, len(names))
    depth = summed(np.where(np.arange(len(parent)) == parent, 0, 1), parent)
    # read backwards, the first segment of a node stays
    first = np.empty(len(parent), np.int64)
    first[node[::-1]] = np.arange(len(node))[::-1]
    places = node[first[node] == np.arange(len(node))]
    rank = np.empty(len(parent), np.int64)
    rank[places] = np.arange(len(places))
    signature = _signatures(_plain(steps)[step], parent, depth)
    return Tree(parent, depth, step, tuple(steps), signature, np.cumsum(new), places, rank[node], node)


def _nodes(paths: Sequence[str], parents: list[int], names: list[str]) -> dict[str, int]:
    """The nodes of a document by their paths; made with what is above them, and added to all *parents* and *names*."""
    root = len(parents)
    parents.append(root)
    names.append("")
    known = {"": root}
    get = known.get

    def made(path: str) -> int:
        above, _, name = path.rpartition("/")
        parent = get(above)
        if parent is None:
            parent = made(above)
        known[path] = node = len(parents)
        parents.append(parent)
        names.append(name)
        return node

    for path in dict.fromkeys(paths):
        if path not in known:
            if len(known) > MAX_NODES:
                known[path] = root
            elif len(path) <= MAX_PATH_CHARS:
                made(path)
            else:
                short = bounded(path)
                known[path] = known[short] if short in known else made(short)
    return known


def _plain(steps: Mapping[str, int]) -> Ints:
    """For each step the number of the same step without an id, a new one where there is none."""
    out = np.arange(len(steps))
    new: dict[str, int] = {}
    for name, number in steps.items():
        if "#" in name:
            plain = without_id(name)
            found = steps.get(plain)
            out[number] = new.setdefault(plain, len(steps) + len(new)) if found is None else found
    return out


def bounded(path: str) -> str:
    """Of a path longer than MAX_PATH_CHARS the first and the last steps."""
    if len(path) <= MAX_PATH_CHARS:
        return path
    return f"{path[:PATH_HEAD_CHARS].rpartition('/')[0]}/.../{path[-PATH_TAIL_CHARS:].partition('/')[2]}"


def without_id(step: str) -> str:
    """`div#main.post` without `#main`."""
    name, _, rest = step.partition("#")
    at = rest.find(".")
    return name + rest[at:] if at >= 0 else name


def summed(values: NDArray[Any], parent: Ints) -> NDArray[Any]:
    """For each node the sum of *values* over itself and its ancestors. Those of roots must be 0."""
    total: NDArray[Any] = values + values[parent]
    higher = parent[parent]
    while not np.array_equal(higher, parent):
        parent = higher
        total, higher = total + total[parent], parent[parent]
    return total


def lifted(above: Ints) -> Ints:
    """For each node where one arrives who follows *above* to the end, a node that is its own."""
    higher = above[above]
    while not np.array_equal(higher, above):
        above, higher = higher, higher[higher]
    return above


def _signatures(plain: Ints, parent: Ints, depth: Ints) -> NDArray[np.uint64]:
    """A number for each node by the steps above it: the sum of what step and depth are mixed to. The chance that two
    paths of a page have the same is 2^-40."""
    mixed = (plain.astype(np.uint64) + np.uint64(1)) * _SPREAD + depth.astype(np.uint64) * _MIX
    mixed ^= mixed >> np.uint64(30)
    mixed *= _MORE
    mixed ^= mixed >> np.uint64(27)
    mixed *= _MIX
    mixed ^= mixed >> np.uint64(31)
    mixed[depth == 0] = 0
    out: NDArray[np.uint64] = summed(mixed, parent)
    return out


def groups(tree: Tree) -> dict[str, Ints]:
    """Of each place, the group it is in, by several kinds of groups (GROUPS); groups never span documents.

    `up0` to `up4`: the same ancestor so many steps up (or the root). `sig`: the same signature. `sig2`: the same last
    two steps. Ids are dense from 0.
    """
    places, nodes = tree.places, len(tree.parent)
    out: dict[str, Ints] = {}
    at = places
    for steps in UP:
        out[f"up{steps}"] = dense(at, nodes)
        at = tree.parent[at]
    document = tree.document[places]
    signature = tree.signature[places] + document.astype(np.uint64) * _SPREAD
    out["sig"] = np.unique(signature, return_inverse=True)[1]
    last = tree.step[places] * len(tree.steps) + tree.step[tree.parent[places]]
    out["sig2"] = np.unique(last * (int(document.max(initial=0)) + 1) + document, return_inverse=True)[1]
    return out


def dense(ids: Ints, size: int) -> Ints:
    """The same groups with ids from 0 without gaps, in order; *ids* are below *size*."""
    used = np.zeros(size, np.int64)
    used[ids] = 1
    out: Ints = (np.cumsum(used) - 1)[ids]
    return out
