"""The tree of paths, and the groups in it."""

from __future__ import annotations

import random

import numpy as np
import pytest

from ncfilters.features import dom_tree as tree
from ncfilters.features.categories import GROUP_KINDS


def test_nodes_parents_and_depths() -> None:
    grown = tree.build_tree([["body/nav/li", "body/nav/li", "body/p"]])
    assert [grown.steps[step] for step in grown.step] == ["", "body", "nav", "li", "p"]
    assert grown.parent.tolist() == [0, 0, 1, 2, 1]
    assert grown.depth.tolist() == [0, 1, 2, 3, 2]
    assert grown.node.tolist() == [3, 3, 4]
    assert grown.places.tolist() == [3, 4]
    assert grown.place.tolist() == [0, 0, 1]


def test_documents_have_trees_of_their_own() -> None:
    grown = tree.build_tree([["body/p"], [], ["body/p", ""]])
    assert grown.document.tolist() == [0, 0, 0, 1, 2, 2, 2]
    assert grown.parent.tolist() == [0, 0, 1, 3, 4, 4, 5]
    assert grown.node.tolist() == [2, 6, 4]


def test_parents_precede_children_and_a_root_is_its_own() -> None:
    rnd = random.Random(1)
    documents = [["/".join(rnd.choices("abcd", k=rnd.randint(0, 12))) for _ in range(40)] for _ in range(5)]
    grown = tree.build_tree(documents)
    nodes = np.arange(len(grown.parent))
    roots = grown.parent == nodes
    assert roots.sum() == 5 and (grown.depth[roots] == 0).all()
    assert (grown.parent[~roots] < nodes[~roots]).all()
    assert (grown.depth[~roots] == grown.depth[grown.parent[~roots]] + 1).all()
    assert (grown.document == grown.document[grown.parent]).all()
    # the path of every node
    flat = [path for paths in documents for path in paths]
    for path, node in zip(flat, grown.node.tolist()):
        steps = []
        while not roots[node]:
            steps.append(grown.steps[grown.step[node]])
            node = int(grown.parent[node])
        assert "/".join(reversed(steps)) == path


def test_places_stand_in_order_of_appearance() -> None:
    grown = tree.build_tree([["body/div/p", "body", "body/div", "body/div/p"]])
    assert grown.node[[0, 1, 2]].tolist() == grown.places.tolist()
    assert grown.place.tolist() == [0, 1, 2, 0]


def test_signatures_leave_out_ids_alone() -> None:
    paths = ["body/div#a/p", "body/div#b/p", "body/div#a.x/p", "body/div.x/p#c", "body/p/div", "body/div/p"]
    grown = tree.build_tree([paths])
    a, b, ax, x, swapped, plain = grown.signature[grown.node].tolist()
    assert a == b == plain
    assert ax == x
    assert len({a, ax, swapped}) == 3


@pytest.mark.parametrize(
    "step, without",
    [("div#a.b.c", "div.b.c"), ("div#a", "div"), ("div.b", "div.b"), ("div#a.b#c", "div.b#c"), ("", "")],
)
def test_a_step_without_its_id(step: str, without: str) -> None:
    assert tree.without_id(step) == without


def test_groups_of_a_page() -> None:
    paths = [
        "body/nav#x/ul/li",  # 0
        "body/nav#y/ul/li",  # 1
        "body/nav#x/ul/li",  # 2
        "body/nav#x/ul/p",  # 3
        "body/main/ul/li",  # 4
        "body",  # 5
    ]
    grown = tree.build_tree([paths])
    groups = {name: group[grown.place].tolist() for name, group in tree.place_groups(grown).items()}
    assert tuple(groups) == GROUP_KINDS

    def partition(name: str) -> list[list[int]]:
        found: dict[int, list[int]] = {}
        for segment, group in enumerate(groups[name]):
            found.setdefault(group, []).append(segment)
        assert set(found) == set(range(len(found))), "ids have gaps"
        return sorted(found.values())

    assert partition("up0") == [[0, 2], [1], [3], [4], [5]]
    assert partition("up1") == [[0, 2, 3], [1], [4], [5]]
    assert partition("up2") == [[0, 2, 3], [1], [4], [5]]
    # three steps up: body; from body itself, the root
    assert partition("up3") == [[0, 1, 2, 3, 4], [5]]
    assert partition("up4") == [[0, 1, 2, 3, 4, 5]]
    assert partition("sig") == [[0, 1, 2], [3], [4], [5]]
    assert partition("sig2") == [[0, 1, 2, 4], [3], [5]]


def test_groups_do_not_span_documents() -> None:
    grown = tree.build_tree([["body/p", "body/p"], ["body/p", ""]])
    for name, group in tree.place_groups(grown).items():
        of_segments = group[grown.place]
        assert not set(of_segments[:2].tolist()) & set(of_segments[2:].tolist()), name


def test_deep_and_long_paths_are_bounded() -> None:
    deep = "/".join(f"s{number}" for number in range(400))
    grown = tree.build_tree([[deep, deep + "/p", "x" * 10000, "y" * 10000]])
    assert grown.depth.max() < 200
    assert grown.depth[grown.node].min() >= 1
    assert max(map(len, grown.steps)) <= 400
    first, second = grown.node[:2].tolist()
    assert grown.steps[grown.step[first]] == "s399" and grown.steps[grown.step[second]] == "p"
    assert grown.steps[grown.step[1]] == "s0"


def test_no_documents_and_empty_ones() -> None:
    assert tree.place_groups(tree.build_tree([]))["sig"].tolist() == []
    empty = tree.build_tree([[], []])
    assert empty.parent.tolist() == [0, 1] and empty.node.tolist() == []
    assert all(len(group) == 0 for group in tree.place_groups(empty).values())


def test_the_nodes_of_a_document_are_bounded() -> None:
    paths = [f"body/div#{number}/" + "/".join("d" * 90) for number in range(5000)]
    grown = tree.build_tree([paths, ["body/p"]])
    assert len(grown.parent) < 1.01 * tree.MAX_NODES
    assert grown.depth[grown.node[0]] == 92
    assert grown.node[-2] == 0, "in the root of its own document"
    assert grown.depth[grown.node[-1]] == 2
