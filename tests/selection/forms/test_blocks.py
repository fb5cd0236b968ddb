"""Segments as a tree of blocks."""

from __future__ import annotations

from typing import Any

import pytest
from made_segments import h, item, p, row

from ncfilters.page.dom_path import ELLIPSIS
from ncfilters.selection.forms.blocks import block_tree, heading_level, holders, is_below, names_source
from ncfilters.selection.forms.images import is_sign, with_images_at_captions
from ncfilters.selection.forms.markdown import markdown
from ncfilters.selection.forms.notes import note_labels
from ncfilters.selection.forms.spans import text_of


def outline(blocks: list[Any]) -> list[Any]:
    """Blocks as nested lists of texts."""
    out: list[Any] = []
    for block in blocks:
        match block.kind:
            case "item_list":
                out.append([(item.value[0], outline(item.content)) for item in block.content])
            case "quote":
                out.append({"quote": outline(block.content)})
            case "footnote":
                out.append({block.value: outline(block.content)})
            case "table":
                out.append({"cells": sum(len(row.content) for row in block.content)})
            case "images":
                out.append(([image["src"] for image in block.value], text_of(block.content) or None))
            case _:
                out.append(text_of(block.content))
    return out


def blocks_of(*segments: dict[str, Any]) -> list[Any]:
    return block_tree(segments, note_labels(segments))


def tree(*segments: dict[str, Any]) -> list[Any]:
    return outline(blocks_of(*segments))


def li(text: str, number: int, depth: int = 1, marker: str = "", **more: Any) -> dict[str, Any]:
    marked = {"marker": marker} if marker else {}
    path = "body" + "/ul/li" * depth
    return {"text": text, "type": "l", "path": path, "item": number, "depth": depth, **marked, **more}


def test_what_items_hold() -> None:
    # items hold what has their number
    page = [li("a", 1, marker="*"), li("b", 2, 2, "*"), li("more of b", 2, 2, type="p"), li("more of a", 1), li("c", 3)]
    assert tree(*page, p("x")) == [[(None, ["a", [(None, ["b", "more of b"])], "more of a"]), (None, ["c"])], "x"]
    # a paragraph of an item whose first one is not selected
    assert tree(li("rest", 4, type="p"), li("b", 5, marker="*")) == [[(None, ["rest"]), (None, ["b"])]]
    # headings code and tables in items
    page = [li("a", 1), li("H", 1, type="h", level=3), li("x = 1", 1, type="p", pre=True)]
    table = {**row("b", "c"), "path": "body/ul/li/table/tr", "table": 1}
    assert tree(*page, table) == [[(None, ["a", "H", "x = 1", {"cells": 2}])]]
    # numbers that begin again are another list
    page = [li("a", 1, marker="1."), li("b", 2, marker="2."), li("c", 3, marker="1."), li("d", 4, marker="*")]
    assert tree(*page) == [[(1, ["a"]), (2, ["b"])], [(1, ["c"])], [(None, ["d"])]]
    # the number of a heading is none of its list
    title = {**li("1. Rain", 1, marker="*"), "type": "h", "level": 3}
    assert tree(title, li("Wet.", 1), li("2. Snow", 2, marker="*")) == [[(None, ["1. Rain", "Wet."])], [(2, ["Snow"])]]
    # items without markup are by their looks
    page = [item("a"), {**p("more"), "path": "body/ul/li/p"}, item("b", 2), p("x"), {"text": "1. y", "type": "l"}]
    assert tree(*page) == [[(None, ["a", "more", [(None, ["b"])]])], "x", [(1, ["y"])]]
    # what looks like an item is one without markup or with a marker
    looks = [{"text": text, "type": "l", "path": "body/p"} for text in ("– a", "2. b", "• c", "d")]
    assert tree(*looks) == [[(None, ["– a"])], [(2, ["b"])], [(None, ["c"]), (None, ["d"])]]
    assert tree(*looks, h("x") | {"level": 1}) == ["– a", [(2, ["b"])], [(None, ["c"])], "d", "x"]
    # a number in bold or a link with its words begins no item
    spans = [[0, 7, "strong"]]
    bold, alone = (p("1. Rain, snow", type="l", spans=one) for one in (spans, [[0, 2, "strong"]]))
    assert tree(bold) == ["1. Rain, snow"]
    assert tree(alone) == [[(1, ["Rain, snow"])]]
    assert tree({**bold, "item": 1, "depth": 1, "marker": "1.", "path": "body/ol/li"}) == [[(1, ["Rain, snow"])]]

    # items whose long paths lack other elements are in one list
    def post(number: int, gap: str, end: str = "ul.posts") -> dict[str, Any]:
        return li("a", number, path=f"body/.../{gap}div.topic/{end}/li.post/p")

    assert len(tree(post(1, "main/"), post(2, ""), post(3, "main/"))) == 1
    assert len(tree(post(1, "main/"), post(2, "", "ul.others"))) == 2


def test_quotes_and_lists_in_the_order_of_the_path() -> None:
    inner = li("b", 1, path="body/ul/li/blockquote/p", type="p", quote=1)
    assert tree(li("a", 1), inner, li("c", 1)) == [[(None, ["a", {"quote": ["b"]}, "c"])]]
    outer = li("a", 1, path="body/blockquote/ul/li", quote=1)
    assert tree(p("x", quote=1), outer, p("y", quote=2), p("z")) == [
        {"quote": ["x", [(None, ["a"])], {"quote": ["y"]}]},
        "z",
    ]
    assert tree(p("x", path="body/blockquote/p"), p("y", path="body/p")) == [{"quote": ["x"]}, "y"]


def test_where_images_stand() -> None:
    # images and their captions
    caption = p("The mill", tag="figcaption", figure=[{"src": "a", "caption": "The mill"}])
    assert tree(caption) == [(["a"], "The mill")]
    assert tree(p("x", figure=[{"src": "a"}, {"src": "b", "after": True}])) == [(["a"], None), "x", (["b"], None)]
    assert tree(p("x", figure=[{"src": "a", "after": True}]), p("y", tag="figcaption")) == ["x", (["a"], "y")]
    images = [{"src": "a"}, {"src": "b", "caption": "The mill"}, {"src": "c", "after": True}]
    assert tree({**caption, "figure": images}) == [(["a"], None), (["b"], "The mill"), (["c"], None)]
    # images at the edges of a text are blocks
    one, other = [0, 0, "image", {"src": "a"}], [1, 1, "image", {"src": "b"}]
    assert tree(p("x", spans=[one, other])) == [(["a"], None), "x", (["b"], None)]
    assert tree(p("x", type="h", level=2, spans=[one])) == ["x", (["a"], None)]
    inside = [0, 1, "math", "E"]
    assert tree(p("x y", spans=[one, other]), p("z", spans=[one, inside])) == ["x y", "z"]
    assert tree(li("x", 1, spans=[one])) == [[(None, ["x"])]]
    # of a picture in several sizes the largest is written
    small = [{"src": f"/160w/{name}.jpg", "after": True} for name in "ab"]
    large = [{"src": f"/400x600/{name}.jpg"} for name in "ba"]
    assert tree(p("x", figure=small), p("y", figure=large)) == ["x", (["/400x600/a.jpg", "/400x600/b.jpg"], None), "y"]
    images = [{"src": f"a.jpg?imwidth={width}"} for width in (315, 96)]
    assert tree(p("x", figure=images)) == [(["a.jpg?imwidth=315"], None), "x"]
    # a caption below the rows stays there
    rows = [{**row("a", "b"), "table": 1}, {**row("c", "d"), "table": 1}]
    caption = p("Rain", tag="caption", table=1)
    assert tree(*rows, caption) == [{"cells": 4}, "Rain"]
    assert tree(caption, *rows) == [{"cells": 4}]
    # images above the first footnote are not in it
    mark = p("It rained.1", spans=[[10, 11, "note", "n"]])
    note = p("Not much.", note={"id": "n"}, figure=[{"src": "rain.jpg"}])
    assert tree(mark, note) == ["It rained.1", (["rain.jpg"], None), {"1": ["Not much."]}]


def test_footnotes_hold_lists_and_quotes() -> None:
    page = [p("x1", spans=[[1, 2, "note", "n"]]), li("y", 1, note={"id": "n"}), p("z", note={"id": "n"}), p("w")]
    assert tree(*page) == ["x1", {"1": ["y", "z"]}, "w"]
    inner = {"note": {"id": "n"}, "depth": 1, "item": 1}
    mark = p("It rained.1", spans=[[10, 11, "note", "n"]])
    notes = [
        p("Not much:", **inner, marker="1.", path="body/ol/li#n/p"),
        p("A drop", **{**inner, "depth": 2, "item": 2}, marker="*", path="body/ol/li#n/ul/li"),
        p("Two drops", **{**inner, "depth": 2, "item": 3}, marker="*", path="body/ol/li#n/ul/li"),
        p("Rain, they said.", **inner, quote=1, path="body/ol/li#n/blockquote/p"),
        p("Snow, they said.", **inner, quote=1, new_quote=1, path="body/ol/li#n/blockquote/p"),
        p("No more.", **inner, path="body/ol/li#n/p"),
    ]
    notes[-1]["figure"] = [{"src": "a", "alt": "", "quote": 0, "depth": 0, "after": True}]
    items = [(None, ["A drop"]), (None, ["Two drops"])]
    quotes = [{"quote": ["Rain, they said."]}, {"quote": ["Snow, they said."]}]
    assert tree(mark, *notes) == ["It rained.1", {"1": ["Not much:", items, *quotes, "No more.", (["a"], None)]}]


def test_tables_code_and_levels() -> None:
    # tables hold their segments
    assert tree(row("a", "b"), row("c")) == [{"cells": 3}]
    # levels
    assert [heading_level(s) for s in (h("a", 3), h("b"), p("c", level=2), {**h("d", 3), "level": 9})] == [
        3,
        None,
        2,
        None,
    ]
    # with markup only tables with a number are tables
    layout = {**row("a\tb"), "path": "body/table/tr"}
    assert tree(layout) == [{"cells": 2}]
    assert tree(layout, p("c", spans=[[0, 1, "em"]])) == ["a\tb", "c"]
    # lists in code are its lines
    line = li("a\n  b", 1, pre=True, path="body/pre.linenums/ol/li")
    assert tree(line) == ["a\n  b"]
    inside = li("a", 2, pre=True, path="body/ul/li/pre")
    assert tree(li("Do:", 2, marker="*"), inside) == [[(None, ["Do:", "a"])]]
    # code that is a formula
    formula = p("x^2", pre=True, spans=[[0, 3, "code"], [0, 3, "math", "x^2", "display"]])
    assert [block.kind for block in blocks_of(formula)] == ["paragraph"]
    # deep lists are bounded
    page = [li(str(depth), depth, depth, "*") for depth in range(1, 500)]
    assert str(tree(*page)).count("[(") <= 500


def test_images_outside_of_a_list_or_a_quote() -> None:
    def photo(name: str, **fields: Any) -> dict[str, Any]:
        return {"src": name, "alt": "", **fields}

    around = [
        photo("a", depth=0),
        photo("b"),
        photo("c", after=True),
        *(photo(name, depth=0, after=True) for name in "df"),
    ]
    inner = li("two", 2, depth=2, marker="*", figure=[photo("e", depth=1, after=True)])
    assert tree(li("one", 1, marker="1.", figure=around), li("two", 2, marker="2.")) == [
        (["a"], None),
        [(1, [(["b"], None), "one", (["c"], None)])],
        (["d", "f"], None),
        [(2, ["two"])],
    ]
    assert tree(li("one", 1, marker="*"), inner, li("three", 3, marker="*")) == [
        [(None, ["one", [(None, ["two"])], (["e"], None)]), (None, ["three"])]
    ]
    quote = {"text": "Two", "type": "p", "path": "body/blockquote/p", "quote": 1}
    assert tree(p("One"), {**quote, "figure": [photo("a", quote=0), photo("b", quote=0, after=True)]}) == [
        "One",
        (["a"], None),
        {"quote": ["Two"]},
        (["b"], None),
    ]


def test_images_outside_of_a_table() -> None:
    photo = {"src": "a", "alt": ""}
    rows = [{**row("One", "two"), "table": 1}, {**row("three", "four"), "table": 1}]
    rows[0]["figure"] = [{**photo, "src": "a", "table": 0}]
    rows[1]["figure"] = [{**photo, "src": name, "table": 0, "after": True} for name in "cd"]
    rows[1]["figure"].insert(0, {**photo, "src": "b", "after": True})
    caption = p("Rain", tag="caption", table=1)
    images = [(["a"], None), {"cells": 4}, "Rain", (["c", "d"], None)]
    assert tree(p("Before."), *rows, caption, p("After.")) == ["Before.", *images, "After."]
    (table,) = (block for block in blocks_of(*rows) if block.kind == "table")
    assert [block.kind for block in table.content[1].content[1].content] == ["paragraph", "image"]
    in_list = [{**one, "path": "body/ul/li/table/tr"} for one in rows]
    in_list[1]["figure"] = [{**photo, "src": "c", "table": 0, "depth": 0, "after": True}]
    assert tree(li("one", 1, marker="*"), *in_list) == [[(None, ["one", (["a"], None), {"cells": 4}])], (["c"], None)]


# ---- captions ----
def image(**more: Any) -> dict[str, Any]:
    return {"src": "https://a.org/rain.jpg", "caption": "Rain.", **more}


def test_images_belong_to_their_captions() -> None:
    caption = p("Rain.", tag="figcaption")
    expected = [p("It rained.", figure=[]), {**caption, "figure": [image()]}]
    assert with_images_at_captions([p("It rained.", figure=[image(after=True)]), caption]) == expected
    assert with_images_at_captions([caption, p("It rained.", figure=[image()])]) == expected[::-1]
    other = {"src": "https://a.org/snow.jpg"}
    page = [p("It rained.", figure=[other, image(after=True)]), p("Rain.", tag="figcaption")]
    assert with_images_at_captions(page)[0]["figure"] == [other]
    for stays in (
        [p("It rained.", figure=[other]), p("Rain.")],
        [p("It rained.", figure=[image()]), p("Rain.")],
        [p("It rained.", figure=[image(after=True)]), p("Snow.")],
        [p("It rained.", figure=[image(after=True)]), p("Rain.", table=1)],
    ):
        assert list(with_images_at_captions(stays)) == stays
    sign = {"src": "https://a.org/GlutenFree.svg?v=1", "alt": "GlutenFree"}
    assert is_sign(sign, {"text": "Gluten free"})
    assert not is_sign(sign, {"text": "Free of gluten"})
    assert not is_sign({**sign, "src": "https://a.org/GlutenFree.jpg"}, {"text": "Gluten free"})
    assert not is_sign({**sign, "alt": "…"}, {"text": "!"})
    assert not is_sign({"src": "a.svg"}, {"text": "Gluten free"})


# ---- quotes ----
def test_paths_and_sources_of_quotes() -> None:
    path = "body/blockquote.a/ul/li/blockquote-x/blockquote/p"
    inner = (0, "body/blockquote.a/ul/li/blockquote-x/blockquote")
    assert holders(path, 2, 1) == [(0, "body/blockquote.a"), (1, ""), inner]
    assert holders(path, 1, 0) == holders("body/.../blockquote/p", 1, 0) == [(0, "")]
    assert names_source(p("Ann", path="body/footer/blockquote/footer/p"), "body/footer/blockquote")
    assert not names_source(p("Yes", path="body/footer/blockquote/p"), "body/footer/blockquote")
    assert names_source(p("Ann", tag="blockquote"), "body/blockquote.twitter-tweet")
    assert not names_source(p("Ann", tag="blockquote"), "")


def quoted(*paths: str) -> str:
    """Segments in quotes, one a letter."""
    segments = [p(letter, path=path, quote=path.count("blockquote")) for letter, path in zip("abcdef", paths)]
    return markdown(segments, {})


@pytest.mark.parametrize(
    ("paths", "text"),
    [
        (["blockquote/p", "blockquote/p"], "> a\n>\n> b"),
        (["blockquote.a/p", "blockquote.b/p"], "> a\n\n> b"),
        (["blockquote/p", "blockquote/footer", "blockquote/footer", "blockquote/p"], "> a\n>\n> b\n>\n> c\n\n> d"),
        (["blockquote/p", "blockquote/blockquote.x/p", "blockquote/p"], "> a\n>\n> > b\n>\n> c"),
        (["blockquote/cite", "blockquote/ul/li"], "> a\n\n> b"),
    ],
)
def test_quotes_in_a_row(paths: list[str], text: str) -> None:
    assert quoted(*[f"body/{path}" for path in paths]) == text


# ---- what paths say ----
@pytest.mark.parametrize(
    ("path", "quotes", "depth", "expected"),
    [
        ("/body/p", None, 0, []), ("/body/ul/li/ul/li", None, 2, [1, 2]), ("/body/blockquote/ul/li", 1, 1, [0, 1]),
        ("/body/ul/li/blockquote/p", 1, 1, [1, 0]), ("/body/ul/li/blockquote/p", 0, 1, [1]),
        ("/body/p", 1, 2, [0, 1, 2]),  # the path is shortened
    ],
)  # fmt: skip
def test_holders(path: str, quotes: int | None, depth: int, expected: list[int]) -> None:
    assert [level for level, _ in holders(path, quotes, depth)] == expected


@pytest.mark.parametrize(("path", "list_path", "expected"), [
    ("/body/ul/li", "/body/ul", True), ("/body/ul", "/body/ul", True), ("/body/ul[2]", "/body/ul", False),
    (f"/a{ELLIPSIS}/div/ul", f"/b{ELLIPSIS}/ul", True), (f"/a{ELLIPSIS}/div/ol", f"/b{ELLIPSIS}/ul", False),
])  # fmt: skip
def test_is_below(path: str, list_path: str, expected: bool) -> None:
    assert is_below(path, list_path) is expected
