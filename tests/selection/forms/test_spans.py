"""Spans and anchors."""

# ruff: noqa: E501
from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
from made_segments import h, p
from uncompiled import in_both_forms

from ncfilters.selection.forms.blocks import block_tree
from ncfilters.selection.forms.spans import MAX_DEPTH, Node, inline_nodes, text_of, walk, without_bold


def nodes(text: str, *spans: list[Any], **more: Any) -> list[Any]:
    return inline_nodes(p(text, spans=list(spans), **more))


def em(*content: Any) -> Node:
    return Node("em", None, list(content))


def test_spans_nest_within_their_parents() -> None:
    assert nodes("a bc d", [2, 4, "em"], [3, 4, "strong"]) == ["a ", em("b", Node("strong", None, ["c"])), " d"]
    assert nodes("ab", [0, 2, "link", "u"], [0, 0, "image", {"src": "i"}]) == [
        Node("link", "u", [Node("image", {"src": "i"}), "ab"])
    ]
    assert nodes("ab", [2, 2, "link", "u"], [2, 2, "image", {"src": "i"}]) == [
        "ab",
        Node("link", "u", [Node("image", {"src": "i"})]),
    ]
    assert nodes("abcd", [0, 2, "em"], [1, 3, "strong"]) == [em("a", Node("strong", None, ["b"])), "cd"]
    assert nodes("ab", [1, 9, "em"], [5, 9, "strong"]) == ["a", em("b")]
    assert nodes("a b c", [1, 4, "em"]) == ["a ", em("b"), " c"]
    assert nodes(" a ", [0, 3, "em"]) == [em("a")]
    assert nodes("a  b", [1, 3, "em"]) == ["a  b"]
    assert nodes("abc", [0, 3, "em"], [1, 2, "em"]) == [em("abc")]
    assert nodes("ab", [0, 1, "em"], [1, 2, "em"]) == [em("ab")]
    assert nodes("ab", [0, 1, "link", "u"], [1, 2, "link", "u"]) == [Node("link", "u", ["a"]), Node("link", "u", ["b"])]
    assert nodes("a\n  b c", [4, 5, "em"]) == ["a ", em("b"), " c"]
    assert nodes("a \n b  c", [4, 5, "em"], lines=True) == ["a\n", em("b"), " c"]
    assert inline_nodes(p("x\ty", spans=[[0, 1, "em"], [2, 3, "strong"]]), 2, 3) == [Node("strong", None, ["y"])]
    assert nodes("a\0b", [1, 3, "em"]) == ["a ", em("b")]


def test_kinds_formulas_and_depth() -> None:
    assert nodes("x²", [1, 2, "sup", "2"]) == ["x", Node("text", "2", ["²"])]
    (formula,) = inline_nodes({"text": "x^2", "spans": [[0, 3, "code"], [0, 3, "math", "x^2"]]})
    assert isinstance(formula, Node) and formula.kind == "math"
    kinds = ["em", "strong", "del", "mark", "sup", "sub", "code", "link"] * 10
    spans = [[0, 1, kind, *(["u"] if kind == "link" else [])] for kind in kinds]
    assert len(list(walk(nodes("a", *spans)))) <= MAX_DEPTH
    assert text_of(nodes("a", *spans)) == "a"


def test_a_heading_that_is_all_bold() -> None:
    def heading(*spans: list[Any]) -> list[Any]:
        return without_bold(nodes("a b", *spans))

    assert heading([0, 3, "strong"]) == ["a b"]
    assert heading([0, 3, "em"], [0, 3, "strong"]) == [em(Node("strong", None, ["a b"]))]
    assert heading([0, 3, "link", "u"], [0, 3, "strong"], [2, 3, "em"]) == [Node("link", "u", ["a ", em("b")])]
    assert heading([0, 1, "strong"]) == [Node("strong", None, ["a"]), " b"]


def test_links_and_references_beside_each_other() -> None:
    # references at the end of a link are after it
    spans = [[0, 8, "link", "https://a.org/"], [0, 8, "strong"], [7, 8, "sup"], [7, 8, "note", "n"]]
    link, mark = inline_nodes({"text": "Ann Lee1", "spans": spans})
    assert isinstance(link, Node) and isinstance(mark, Node)
    assert (link.kind, text_of([link]), mark.kind, text_of([mark])) == ("link", "Ann Lee", "sup", "1")
    (link,) = inline_nodes({"text": "Ann1 Lee", "spans": [spans[0], [3, 4, "note", "n"]]})
    assert text_of([link]) == "Ann1 Lee"
    # a link over two lines is one
    spans = [[0, 1, "link", "https://a.org/"], [2, 3, "link", "https://a.org/"], [4, 5, "link", "https://b.org/"]]
    nodes = inline_nodes({"text": "a\nb\nc", "lines": True, "spans": spans})
    assert [text_of([node]) for node in nodes] == ["a\nb", "\n", "c"]
    # links to the same place beside each other are one
    spans = [[0, 1, "link", "https://x/"], [2, 3, "link", "https://x/"], [4, 5, "link", "https://y/"]]
    first, space, second = inline_nodes({"text": "a b c", "type": "p", "spans": spans})
    assert (first, space, second) == (Node("link", "https://x/", ["a b"]), " ", Node("link", "https://y/", ["c"]))
    apart = [[0, 1, "link", "https://x/"], [3, 4, "link", "https://x/"]]
    assert len(inline_nodes({"text": "a, b", "type": "p", "spans": apart})) == 3


@in_both_forms("selection.forms.spans")
def test_nodes_are_equal_by_what_they_hold(form: ModuleType) -> None:
    node = form.Node("em", None, ["a"])
    assert node == form.Node("em", None, ["a"]) and repr(node) == "Node('em', None, ['a'])"
    assert node != form.Node("em") and node != form.Node("strong", None, ["a"]) and node != "a"
    found = form.inline_nodes({"text": "A good day", "spans": [[2, 6, "em"], [7, 10, "link", "u"]]})
    assert found == ["A ", form.Node("em", None, ["good"]), " ", form.Node("link", "u", ["day"])]


URL = "https://x.y/#a"


def heading(text: str, *links: tuple[int, int], url: str = URL) -> dict[str, Any]:
    return {**h(text), "level": 2, "spans": [[start, end, "link", url] for start, end in links]}


def written(segment: dict[str, Any], url: str | None = None, **labels: str) -> tuple[str, list[str]]:
    """The text of the only block, and the kinds of nodes in it."""
    blocks = block_tree([segment], labels, url)
    texts = [inner for block in blocks for inner in (block.content if labels else [block])]
    return " | ".join(text_of(block.content) for block in texts), [n.kind for b in texts for n in walk(b.content)]


@pytest.mark.parametrize(("text", "at"), [("The heap#", 8), ("The heap ¶", 9), ("The heap🔗", 8)])
def test_links_to_the_heading_itself(text: str, at: int) -> None:
    assert written(heading(text, (at, at + 1))) == ("The heap", [])


def test_signs_and_links_of_headings_and_notes() -> None:
    # other links and signs stay
    for segment in (heading("C #", (0, 1)), heading("C #", (2, 3), url="https://x.y/")):
        assert written(segment) == ("C #", ["link"])
    assert written(heading("In C# now", (0, 5))) == ("In C# now", ["link"])
    assert written(p("Note #")) == ("Note #", [])
    assert written(heading("a #", (0, 1), (2, 3))) == ("a", ["link"])
    # paragraphs that are no notes stay
    page = p("^ Rhodes", note={"id": "n"}, spans=[[0, 1, "link", URL]])
    assert written(page) == ("^ Rhodes", ["link"])
    # a segment of asides alone is left out
    assert block_tree([p("↩", spans=[[0, 1, "aside"]])], {}) == []
    # signs that label footnotes
    assert written(p("† In a letter.", note={"id": "n"}), n="note-1") == ("In a letter.", [])


@pytest.mark.parametrize(("text", "links", "expected"), [
    ("A sorted list. ↩︎", [(15, 17)], "A sorted list."), ("^ Rhodes, A.", [(0, 1)], "Rhodes, A."),
    ("^ a b Rhodes", [(2, 3), (4, 5)], "^ a b Rhodes"), ("[1] With the dog.", [(0, 3)], "With the dog."),
    ("[ 1] With the dog.", [(2, 3)], "With the dog."), ("[ 1]", [(2, 3)], ""),
    ("See a and b.", [(4, 5)], "See a and b."), ("1", [], "1"),
])  # fmt: skip
def test_links_back_from_footnotes(text: str, links: list[tuple[int, int]], expected: str) -> None:
    segment = p(text, note={"id": "n"}, spans=[[start, end, "link", URL] for start, end in links])
    assert written(segment, n="1")[0] == expected


@pytest.mark.parametrize(
    ("text", "spans", "expected"),
    [
        ("[1]. Rain or snow. ↩", [[0, 3, "aside"], [5, 9, "em"], [19, 20, "aside"]], [em("Rain"), " or snow."]),
        ("11 Rain", [[0, 1, "aside"], [0, 1, "sup"], [1, 2, "aside"]], ["Rain"]),
        ("Rain 1 or snow", [[0, 14, "em"], [5, 7, "aside"], [10, 14, "strong"]], [em("Rain or ", Node("strong", None, ["snow"]))]),
        ("(1)¶x", [[3, 4, "link", URL], [4, 5, "math", "x"]], ["(1)", Node("math", ("x", False), ["x"])]),
    ],
)  # fmt: skip
def test_asides(text: str, spans: list[Any], expected: list[Any]) -> None:
    assert nodes(text, *spans) == expected


def test_headings_that_are_links() -> None:
    path = "body/main/section#a/h2"
    assert written({**heading("The heap", (0, 8)), "path": path}) == ("The heap", [])
    for other in ("body/main/section#b/h2", "body/main/section/h2"):
        assert written({**heading("The heap", (0, 8)), "path": other})[1] == ["link"]
    page = "https://x.y/rain"
    for url in (f"{page}#id3", f"{page}#", "#id3", f"{page}/"):
        assert written(heading("The heap", (0, 8), url=url), f"{page}#top") == ("The heap", [])
    for url in ("https://x.y/snow#id3", f"{page}?page=2"):
        assert written(heading("The heap", (0, 8), url=url), page)[1] == ["link"]
    assert written(heading("The heap", (4, 8), url=f"{page}#id3"), page)[1] == ["link"]
    assert written(heading("The heap", (0, 8), url="/"))[1] == ["link"]


@pytest.mark.parametrize(("text", "label", "expected"), [
    ("1. In a letter.", "1", "In a letter."), ("[1] In a letter.", "1", "In a letter."),
    ("2. In a letter.", "1", "2. In a letter."), ("1984 was a year.", "1984", "1984 was a year."),
])  # fmt: skip
def test_labels_of_footnotes_that_are_plain_text(text: str, label: str, expected: str) -> None:
    (note,) = block_tree([p(text, note={"id": "n"}), p(text, note={"id": "n"})], {"n": label})
    assert [text_of(block.content) for block in note.content] == [expected, text]


def test_images_beside_a_link_to_an_editor_stay() -> None:
    image = {"src": "https://x.y/rain.jpg", "alt": ""}
    edit = p("[edit]", spans=[[0, 6, "aside"]], figure=[{**image, "after": True}])
    assert [block.kind for block in block_tree([h("Heaps"), edit, p("Sand.")], {})] == [
        "paragraph",
        "images",
        "paragraph",
    ]
