"""Spans as a tree."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
from made_segments import p
from uncompiled import both_forms

from ncfilters.errors import RecordError
from ncfilters.selection.forms.spans import MAX_DEPTH, Node, heading_nodes, inline_nodes, span_kinds, text_of, walk


def nodes(text: str, *spans: list[Any], **more: Any) -> list[Any]:
    return inline_nodes(p(text, spans=list(spans), **more))


def em(*content: Any) -> Node:
    return Node("em", None, list(content))


def test_spans_nest() -> None:
    assert nodes("a bc d", [2, 4, "em"], [3, 4, "strong"]) == ["a ", em("b", Node("strong", None, ["c"])), " d"]
    assert nodes("ab", [0, 2, "link", "u"], [0, 0, "image", {"src": "i"}]) == [
        Node("link", "u", [Node("image", {"src": "i"}), "ab"])
    ]
    assert nodes("ab", [2, 2, "link", "u"], [2, 2, "image", {"src": "i"}]) == [
        "ab",
        Node("link", "u", [Node("image", {"src": "i"})]),
    ]


def test_what_overlaps_ends_with_its_parent() -> None:
    assert nodes("abcd", [0, 2, "em"], [1, 3, "strong"]) == [em("a", Node("strong", None, ["b"])), "cd"]
    assert nodes("ab", [1, 9, "em"], [5, 9, "strong"]) == ["a", em("b")]


def test_white_space_is_outside() -> None:
    assert nodes("a b c", [1, 4, "em"]) == ["a ", em("b"), " c"]
    assert nodes(" a ", [0, 3, "em"]) == [em("a")]
    assert nodes("a  b", [1, 3, "em"]) == ["a  b"]


def test_like_in_like_and_beside_like_are_one() -> None:
    assert nodes("abc", [0, 3, "em"], [1, 2, "em"]) == [em("abc")]
    assert nodes("ab", [0, 1, "em"], [1, 2, "em"]) == [em("ab")]
    assert nodes("ab", [0, 1, "link", "u"], [1, 2, "link", "u"]) == [Node("link", "u", ["a"]), Node("link", "u", ["b"])]


def test_places_follow_white_space() -> None:
    assert nodes("a\n  b c", [4, 5, "em"]) == ["a ", em("b"), " c"]
    assert nodes("a \n b  c", [4, 5, "em"], lines=True) == ["a\n", em("b"), " c"]
    assert inline_nodes(p("x\ty", spans=[[0, 1, "em"], [2, 3, "strong"]]), 2, 3) == [Node("strong", None, ["y"])]
    assert nodes("a\0b", [1, 3, "em"]) == ["a ", em("b")]


def test_depth_is_bounded() -> None:
    kinds = ["em", "strong", "del", "mark", "sup", "sub", "code", "link"] * 10
    spans = [[0, 1, kind, *(["u"] if kind == "link" else [])] for kind in kinds]
    assert len(list(walk(nodes("a", *spans)))) <= MAX_DEPTH
    assert text_of(nodes("a", *spans)) == "a"


@pytest.mark.parametrize(
    "span",
    [7, [], [0, 1], ["0", 1, "em"], [1, 0, "em"], [-1, 1, "em"], [0, 1, 2], [0, 1, "link"], [0, 0, "image", "i"]],
)
def test_wrong_spans_are_errors(span: Any) -> None:
    with pytest.raises(RecordError, match="spans: expected"):
        nodes("text", span)


def test_a_heading_that_is_all_bold() -> None:
    def heading(*spans: list[Any]) -> list[Any]:
        return heading_nodes(p("a b", spans=list(spans)))

    assert heading([0, 3, "strong"]) == ["a b"]
    assert heading([0, 3, "em"], [0, 3, "strong"]) == [em(Node("strong", None, ["a b"]))]
    assert heading([0, 3, "link", "u"], [0, 3, "strong"], [2, 3, "em"]) == [Node("link", "u", ["a ", em("b")])]
    assert heading([0, 1, "strong"]) == [Node("strong", None, ["a"]), " b"]


def test_kinds() -> None:
    assert span_kinds([p("a", spans=[[0, 1, "em"], 7, [0, 1, []]]), p("b")]) == {"em"}
    assert nodes("x²", [1, 2, "sup", "2"]) == ["x", Node("text", "2", ["²"])]


def test_references_at_the_end_of_a_link_are_after_it() -> None:
    spans = [[0, 8, "link", "https://a.org/"], [0, 8, "strong"], [7, 8, "sup"], [7, 8, "note", "n"]]
    link, mark = inline_nodes({"text": "Ann Lee1", "spans": spans})
    assert isinstance(link, Node) and isinstance(mark, Node)
    assert (link.kind, text_of([link]), mark.kind, text_of([mark])) == ("link", "Ann Lee", "sup", "1")
    (link,) = inline_nodes({"text": "Ann1 Lee", "spans": [spans[0], [3, 4, "note", "n"]]})
    assert text_of([link]) == "Ann1 Lee"


def test_formulas_that_pages_write_as_code() -> None:
    (formula,) = inline_nodes({"text": "x^2", "spans": [[0, 3, "code"], [0, 3, "math", "x^2"]]})
    assert isinstance(formula, Node) and formula.kind == "math"


def test_a_link_over_two_lines_is_one() -> None:
    spans = [[0, 1, "link", "https://a.org/"], [2, 3, "link", "https://a.org/"], [4, 5, "link", "https://b.org/"]]
    nodes = inline_nodes({"text": "a\nb\nc", "lines": True, "spans": spans})
    assert [text_of([node]) for node in nodes] == ["a\nb", "\n", "c"]


def test_links_to_the_same_place_beside_each_other_are_one() -> None:
    spans = [[0, 1, "link", "https://x/"], [2, 3, "link", "https://x/"], [4, 5, "link", "https://y/"]]
    first, space, second = inline_nodes({"text": "a b c", "type": "p", "spans": spans})
    assert (first, space, second) == (Node("link", "https://x/", ["a b"]), " ", Node("link", "https://y/", ["c"]))
    apart = [[0, 1, "link", "https://x/"], [3, 4, "link", "https://x/"]]
    assert len(inline_nodes({"text": "a, b", "type": "p", "spans": apart})) == 3


@pytest.mark.parametrize("form", both_forms("ncfilters.selection.forms.spans"), ids=lambda form: form.__name__)
def test_nodes_are_equal_by_what_they_hold(form: ModuleType) -> None:
    node = form.Node("em", None, ["a"])
    assert node == form.Node("em", None, ["a"]) and repr(node) == "Node('em', None, ['a'])"
    assert node != form.Node("em") and node != form.Node("strong", None, ["a"]) and node != "a"
    found = form.inline_nodes({"text": "A good day", "spans": [[2, 6, "em"], [7, 10, "link", "u"]]})
    assert found == ["A ", form.Node("em", None, ["good"]), " ", form.Node("link", "u", ["day"])]
