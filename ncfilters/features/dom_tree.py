"""The tree of elements around the segments of documents, rebuilt from their paths, and groups of segments in it.

    tree = build_tree([["body/nav/li", "body/nav/li", "body/p"]])
    tree.node                     # [3, 3, 4]: the nodes are the root, body, nav, li and p
    place_groups(tree)["up1"]     # [0, 1]: for each place, what shares its parent

Everything after the dictionaries is arithmetic on whole arrays. Ancestors are found by pointer doubling: the ancestor
2^k steps up of each node gives the ancestor 2^(k+1) steps up with a single look-up.
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
from .categories import STEPS_UP

Ints = NDArray[np.int64]

# Nodes of a document, which bounds memory. Beyond, a new path counts as the root. The largest page of the WCXB
# development set has 1,582.
MAX_NODES = 1 << 17
# Odd multipliers that spread numbers over 64 bits: 2^64 over the golden ratio, and two from splitmix64.
_SPREAD, _MIX, _MIX_2 = (np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))


@dataclass(frozen=True)
class DomTree:
    """The nodes of all documents, parents before their children. Each document has a root, which is its own parent.

    For each node: `parent`; `depth`, 0 for roots; `step`, an index into `steps`; `signature`, the same number for two
    nodes of a document whose paths differ in ids alone; `document`. A place is a node that has segments: `places` holds
    their nodes in order of appearance. For each segment: `place`, an index into `places`, and `node`.
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


def build_tree(documents: Sequence[Sequence[str]]) -> DomTree:
    """The tree of the segments' paths, for each document; a path is `name#id.class` joined by `/`. The empty path is
    the root."""
    parents: list[int] = []
    names: list[str] = []
    roots: list[int] = []
    nodes: list[int] = []
    for paths in documents:
        roots.append(len(parents))
        nodes += map(_add_nodes(paths, parents, names).__getitem__, paths)
    parent, node = np.array(parents, np.int64), np.array(nodes, np.int64)
    starts = np.zeros(len(parent), np.int64)
    starts[roots[1:]] = 1
    steps: dict[str, int] = defaultdict(count().__next__)  # numbers them in order of appearance
    step = np.fromiter(map(steps.__getitem__, names), np.int64, len(names))
    depth = ancestor_sums(np.where(np.arange(len(parent)) == parent, 0, 1), parent)
    # the first segment of each node: of several values, the last one assigned stays, so the order is reversed
    first = np.empty(len(parent), np.int64)
    first[node[::-1]] = np.arange(len(node))[::-1]
    places = node[first[node] == np.arange(len(node))]
    rank = np.empty(len(parent), np.int64)
    rank[places] = np.arange(len(places))
    signature = _signatures(_steps_without_ids(steps)[step], parent, depth)
    return DomTree(parent, depth, step, tuple(steps), signature, np.cumsum(starts), places, rank[node], node)


def _add_nodes(paths: Sequence[str], parents: list[int], names: list[str]) -> dict[str, int]:
    """Adds the nodes of a document to *parents* and *names*; returns the node of each path and of its ancestors."""
    root = len(parents)
    parents.append(root)
    names.append("")
    node_of = {"": root}
    get = node_of.get

    def add(path: str) -> int:
        above, _, name = path.rpartition("/")
        parent = get(above)
        if parent is None:
            parent = add(above)
        node_of[path] = node = len(parents)
        parents.append(parent)
        names.append(name)
        return node

    for path in dict.fromkeys(paths):
        if path not in node_of:
            if len(node_of) > MAX_NODES:
                node_of[path] = root
            elif len(path) <= MAX_PATH_CHARS:
                add(path)
            else:
                short = bounded_path(path)
                node_of[path] = node_of[short] if short in node_of else add(short)
    return node_of


def _steps_without_ids(steps: Mapping[str, int]) -> Ints:
    """For each step the number of the same step without its id, a new number if there is no such step."""
    out = np.arange(len(steps))
    new: dict[str, int] = {}
    for name, number in steps.items():
        if "#" in name:
            plain = without_id(name)
            existing = steps.get(plain)
            out[number] = new.setdefault(plain, len(steps) + len(new)) if existing is None else existing
    return out


def bounded_path(path: str) -> str:
    """The path; if it is longer than MAX_PATH_CHARS, its first and last steps."""
    if len(path) <= MAX_PATH_CHARS:
        return path
    return f"{path[:PATH_HEAD_CHARS].rpartition('/')[0]}/.../{path[-PATH_TAIL_CHARS:].partition('/')[2]}"


def without_id(step: str) -> str:
    """`div.post` for `div#main.post`."""
    name, _, rest = step.partition("#")
    at = rest.find(".")
    return name + rest[at:] if at >= 0 else name


def ancestor_sums(values: NDArray[Any], parent: Ints) -> NDArray[Any]:
    """For each node the sum of *values* over the node and its ancestors. The values of roots must be 0."""
    total: NDArray[Any] = values + values[parent]
    higher = parent[parent]
    while not np.array_equal(higher, parent):
        parent = higher
        total, higher = total + total[parent], parent[parent]
    return total


def last_ancestors(above: Ints) -> Ints:
    """For each node the last one on the way up along *above*, which maps the last ones to themselves."""
    higher = above[above]
    while not np.array_equal(higher, above):
        above, higher = higher, higher[higher]
    return above


def _signatures(step: Ints, parent: Ints, depth: Ints) -> NDArray[np.uint64]:
    """A hash of each node's path: the sum of a hash of the step and the depth of each of its elements.

    Two paths of a page have the same hash with a probability of 2^-40.
    """
    mixed = (step.astype(np.uint64) + np.uint64(1)) * _SPREAD + depth.astype(np.uint64) * _MIX
    mixed ^= mixed >> np.uint64(30)
    mixed *= _MIX_2
    mixed ^= mixed >> np.uint64(27)
    mixed *= _MIX
    mixed ^= mixed >> np.uint64(31)
    mixed[depth == 0] = 0
    out: NDArray[np.uint64] = ancestor_sums(mixed, parent)
    return out


def place_groups(tree: DomTree) -> dict[str, Ints]:
    """For each kind of group (`categories.GROUP_KINDS`) the group of each place, numbered from 0 without gaps. Groups
    never span documents.

    `up0` to `up4`: places with the same ancestor that many steps up, or the root. `sig`: with the same signature.
    `sig2`: with the same last two steps.
    """
    places, nodes = tree.places, len(tree.parent)
    out: dict[str, Ints] = {}
    at = places
    for steps in STEPS_UP:
        out[f"up{steps}"] = dense_ids(at, nodes)
        at = tree.parent[at]
    document = tree.document[places]
    signature = tree.signature[places] + document.astype(np.uint64) * _SPREAD
    out["sig"] = np.unique(signature, return_inverse=True)[1]
    last = tree.step[places] * len(tree.steps) + tree.step[tree.parent[places]]
    out["sig2"] = np.unique(last * (int(document.max(initial=0)) + 1) + document, return_inverse=True)[1]
    return out


def dense_ids(ids: Ints, size: int) -> Ints:
    """The ids, which are below *size*, renumbered from 0 without gaps, in order."""
    used = np.zeros(size, np.int64)
    used[ids] = 1
    out: Ints = (np.cumsum(used) - 1)[ids]
    return out
