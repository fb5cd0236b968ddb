"""The tree of paths, and the groups in it."""

from __future__ import annotations

import random
from types import ModuleType

import pytest
from uncompiled import in_both_forms

from ncfilters.features.schema import GROUP_KINDS, KINDS

FORMS = in_both_forms("features.dom_tree")


@FORMS
def test_nodes_parents_and_depths(form: ModuleType) -> None:
    grown = form.build_tree(["body/nav/li", "body/nav/li", "body/p"])
    assert [grown.steps[step] for step in grown.step] == ["", "body", "nav", "li", "p"]
    assert grown.parent == [0, 0, 1, 2, 1]
    assert grown.depth == [0, 1, 2, 3, 2]
    assert grown.nodes == [3, 4]
    assert list(grown.place) == [0, 0, 1]
    rnd = random.Random(1)
    paths = ["/".join(rnd.choices("abcd", k=rnd.randint(0, 12))) for _ in range(200)]
    grown = form.build_tree(paths)
    assert (grown.parent[0], grown.depth[0]) == (0, 0)
    for node in range(1, len(grown.parent)):
        assert grown.parent[node] < node and grown.depth[node] == grown.depth[grown.parent[node]] + 1
    for path, place in zip(paths, grown.place):
        node, steps = grown.nodes[place], []
        while node:
            steps.append(grown.steps[grown.step[node]])
            node = grown.parent[node]
        assert "/".join(reversed(steps)) == path


@FORMS
def test_places_and_signatures_of_paths(form: ModuleType) -> None:
    grown = form.build_tree(["body/div/p", "body", "body/div", "body/div/p"])
    assert list(grown.place) == [0, 1, 2, 0]
    assert grown.nodes == [3, 1, 2]
    paths = ["body/div#a/p", "body/div#b/p", "body/div#a.x/p", "body/div.x/p#c", "body/p/div", "body/div/p"]
    grown = form.build_tree(paths)
    a, b, ax, x, swapped, plain = (grown.signature[node] for node in grown.nodes)
    assert a == b == plain
    assert ax == x
    assert len({a, ax, swapped}) == 3


@FORMS
@pytest.mark.parametrize(
    "step, without",
    [("div#a.b.c", "div.b.c"), ("div#a", "div"), ("div.b", "div.b"), ("div#a.b#c", "div.b#c"), ("", "")],
)
def test_a_step_without_its_id(form: ModuleType, step: str, without: str) -> None:
    assert form.without_id(step) == without


@FORMS
def test_groups_of_a_page(form: ModuleType) -> None:
    paths = [
        "body/nav#x/ul/li",  # 0
        "body/nav#y/ul/li",  # 1
        "body/nav#x/ul/li",  # 2
        "body/nav#x/ul/p",  # 3
        "body/main/ul/li",  # 4
        "body",  # 5
    ]
    grown = form.build_tree(paths)

    def partition(name: str) -> list[list[int]]:
        kind = GROUP_KINDS.index(name)
        found: dict[int, list[int]] = {}
        for segment, place in enumerate(grown.place):
            found.setdefault(grown.groups[place * KINDS + kind], []).append(segment)
        assert sorted(found) == list(range(grown.starts[kind], grown.starts[kind + 1])), "ids have gaps"
        return sorted(found.values())

    assert partition("up0") == [[0, 2], [1], [3], [4], [5]]
    assert partition("up1") == [[0, 2, 3], [1], [4], [5]]
    assert partition("up2") == [[0, 2, 3], [1], [4], [5]]
    # three steps up: body; from body itself, the root
    assert partition("up3") == [[0, 1, 2, 3, 4], [5]]
    assert partition("up4") == [[0, 1, 2, 3, 4, 5]]
    assert partition("sig") == [[0, 1, 2], [3], [4], [5]]
    assert partition("sig2") == [[0, 1, 2, 4], [3], [5]]


@FORMS
def test_paths_that_are_odd_or_many(form: ModuleType) -> None:
    grown = form.build_tree(["/a", "a", "a//b", "a/", "/", "//", ""])
    assert len(grown.nodes) == len(set(grown.nodes)) == 7
    empty = form.build_tree([])
    assert empty.parent == [0] and empty.nodes == [] and list(empty.groups) == []
    paths = [f"body/div#{number}/" + "/".join("d" * 90) for number in range(1600)]
    grown = form.build_tree(paths)
    assert len(grown.parent) < 1.01 * form.MAX_NODES
    assert grown.depth[grown.nodes[grown.place[0]]] == 92
    assert grown.nodes[grown.place[-1]] == 0, "in the root"
    deep = "/".join(f"s{number}" for number in range(400))
    grown = form.build_tree([deep, deep + "/p", "x" * 10000, "y" * 10000])
    assert max(grown.depth) < 200
    assert min(grown.depth[node] for node in grown.nodes) >= 1
    assert max(map(len, grown.steps)) <= 400
    first, second = grown.nodes[:2]
    assert grown.steps[grown.step[first]] == "s399" and grown.steps[grown.step[second]] == "p"
    assert grown.steps[grown.step[1]] == "s0"
