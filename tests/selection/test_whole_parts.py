"""What is kept or dropped as a whole: blocks, headings with their text, declared content, ingredients."""

from __future__ import annotations

from typing import Any

import pytest
from uncompiled import both_forms

from ncfilters.record import Record
from ncfilters.selection.decision import policy
from ncfilters.selection.selector import select_text
from ncfilters.selection.whole_parts import KINDS, decide_blocks, decide_headings, keep_declared, keep_ingredients

from .steps import after, assert_linear_step, page_with, row, words

# ---- the blocks of a page


def found(*rows: Record, before: str = "") -> list[tuple[str, list[int], list[int]]]:
    """The kind, the rows and the headings of each block."""
    page = page_with(*rows)
    kept = bytearray([one == "+" for one in before or "+" * len(rows)])
    first, *others = [
        [(KINDS[block.kind], block.rows, block.headings) for block in form.blocks(page, kept)]
        for form in both_forms("ncfilters.selection.whole_parts")
    ]
    assert others in ([], [first])
    return first


@pytest.mark.parametrize(
    ("paths", "blocks"),
    [
        ("body/ul/li", [("list", [0])]),
        ("body/div/ol.steps/li/div.text", [("list", [0])]),
        ("body/table/tbody/tr", [("table", [0])]),
        ("body/table/tbody/tr/td/ul/li", [("list", [0])]),
        ("body/dl.spec/dd", [("definitions", [0])]),
        ("body/blockquote/p", [("quote", [0])]),
        ("body/table.code/tr/td/pre", [("code", [0])]),
        ("body/section.footnotes/ol/li", [("note", [0])]),
        ("body/p/math", [("formula", [0])]),
        ("body/p body/ul-x/p body/div.table/p body/p.mathematics body/p.notes", []),
        ("body/ul/li body/ul/li body/p body/ul/li", [("list", [0, 1]), ("list", [3])]),
        ("body/ul/li body/ol/li", [("list", [0]), ("list", [1])]),
        ("body/ul/li body/ul/li/ul/li body/ul/li", [("list", [0, 1, 2])]),
        ("body/ul/li body/ul/li/div/ol/li body/ul/li", [("list", [0, 2]), ("list", [1])]),
    ],
)
def test_blocks(paths: str, blocks: list[tuple[str, list[int]]]) -> None:
    assert found(*[row(path=path) for path in paths.split()]) == [(*block, []) for block in blocks]


SAUCE = row("Sauce", "body/div.recipe/h4")


@pytest.mark.parametrize(
    ("headings", "rows"),
    [
        ([SAUCE], [[0, 2]]),
        ([SAUCE, SAUCE], [[0, 3]]),
        ([SAUCE] * 3, [[0], [4]]),
        ([SAUCE | {"type": "p"}], [[0], [2]]),
        ([SAUCE | {"path": "body/aside/h4"}], [[0], [2]]),
        ([SAUCE | {"text": "Sauce " * 20}], [[0], [2]]),
    ],
)
def test_groups_of_items_under_headings_are_one_list(headings: list[Record], rows: list[list[int]]) -> None:
    salt = row("Salt", "body/div.recipe/ul/li")
    blocks = found(salt, *headings, salt)
    assert [block[1] for block in blocks] == rows
    assert blocks[0][2] == ([*range(1, len(headings) + 1)] if len(rows) == 1 else [])


def test_elements_that_begin_with_marked_segments_are_menus() -> None:
    menu, item = row("Home", "body/ul/li", rule="nav"), row("Salt", "body/ul/li")
    assert found(row(path=""), row(path="")) == found(menu, menu, before="--") == []
    assert [block[1] for block in found(menu, item, menu, before="---")] == [[1, 2]]
    assert [block[1] for block in found(menu, item, before="+-")] == [[0, 1]]


# ---- blocks as a whole


TEXT = words(20, "body/main/article/p", 3.0)


def part(path: str, score: float = -0.5, text: str = "Monday\t3 mm", **fields: Any) -> Record:
    return row(text, f"body/main/article/{path}", score, **fields)


def items(*scores: float, **fields: Any) -> list[Record]:
    return [part("ul/li", score, marker="*", **fields) for score in scores]


def rows(*scores: float, path: str = "table/tbody/tr", tag: str = "tr", **fields: Any) -> list[Record]:
    return [part(path, score, tag=tag, **fields) for score in scores]


def parts(path: str, *scores: float, **fields: Any) -> list[Record]:
    return [part(path, score, **fields) for score in scores]


CELLS: dict[str, Any] = {"path": "table/tbody/tr/td", "tag": "td"}
HIDDEN = part("ul/li/span", -2.0, "Note:", hidden="display")


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        # lists
        (items(1, -2, 1), "+++"),
        (items(1, -4, -4), "---"),
        ([*items(1), *items(-2, rule="widget"), *items(1)], "+++"),
        ([*items(1, 1), part("h4", -2.0, "For the sauce"), *items(-2)], "++++"),
        ([HIDDEN, *items(1, 1, -1)], "-+++"),
        ([*items(1, 1), *items(-1, hidden="aria")], "+++"),
        (items(1, 1, -1, hidden="display"), "+++"),
        ([*items(1, 1), *items(-1, hidden=["display"])], "++-"),
        ([*items(1), *parts("ul/li/p", -3, -3)], "+--"),  # posts are no items
        ([*items(1, text="word " * 40), *items(*[-3] * 5)], "+-----"),  # a long text in a list of links
        # tables
        (rows(-0.5, 2, 2), "+++"),
        (rows(2, -6, -6, -6), "----"),
        ([part("table/caption", -2.0, "Rain"), *rows(2, 2)], "+++"),
        (rows(2, -2, path="table.navbox/tr"), "--"),
        ([*rows(2), *rows(-0.5, 2, **CELLS)], "+++"),  # beside pictures
        (rows(2, -4, -4, -4, **CELLS), "+---"),  # no row says it is data
        # definitions, code, quotes
        ([part("dl/dt", -2.0), part("dl/dd", 2.0), part("dl/dt", 2.0)], "+++"),
        ([part("dl/dt", -2.0), part("dl/dd", -2.0), part("dl/dt", 2.0)], "---"),
        (parts("pre", 1, -3), "++"),
        (parts("pre", 1, -3, -3, -3), "----"),
        (parts("blockquote/p", 1, -3), "++"),
        (parts("blockquote/p", 1, -3, -3, -3), "+---"),
        (parts("blockquote/p", 1, -3, -3, -3, post=2), "----"),
    ],
)
def test_blocks_are_kept_or_dropped_as_a_whole(block: list[Record], expected: str) -> None:
    assert after(decide_blocks, TEXT, *block) == "+" + expected
    marked = [one | {"item": 1, "table": 1, "code": 1, "quote": 1, "level": 2} for one in block]
    assert after(decide_blocks, TEXT, *marked) == "+" + expected


@pytest.mark.parametrize(
    ("segments", "expected"),
    [
        ([TEXT, *rows(-0.5, -0.5), TEXT], "++++"),
        ([TEXT, *parts("pre", -1), TEXT], "+++"),
        ([TEXT, *parts("blockquote/p", -0.5), TEXT], "+++"),
        ([TEXT, *items(-1, -1), TEXT], "++++"),
        ([TEXT, *items(-1, -1), *rows(-0.5, -0.5)], "+++++"),  # one block beside another
        # … but not the page
        (
            [words(20, "body/div/p"), *[row("Prev\tNext", "body/div.foot/table/tr", -0.5, tag="tr") for _ in "12"]],
            "+--",
        ),
        # too low scores, links, marked, hidden
        ([TEXT, *parts("pre", -2.5), TEXT], "+-+"),
        ([TEXT, *items(-0.5, -0.5, links=8), TEXT], "+--+"),
        ([TEXT, *parts("pre", -0.5, hidden="display"), TEXT, *parts("pre", -0.5, rule="island"), TEXT], "+-+-+"),
        # tables and code at the end of their element, notes anywhere, formulas below any text
        ([*parts("pre", -0.5), TEXT, *parts("pre", -0.5)], "-++"),
        ([TEXT, *items(-0.5, -0.5)], "+--"),
        ([TEXT, part("h3", -1.0, "Notes"), *parts("section.footnotes/ol/li", -4)], "+-+"),
        ([words(20, "body/main/p"), *parts("p/math", -9), TEXT], "+++"),
        # beside dropped text, in another element
        ([TEXT, *parts("p", -1), *parts("pre", -1), TEXT], "+--+"),
        ([words(20, "body/main/div/p"), *parts("div/pre", -0.5), words(20, "body/main/div/p")], "+++"),
        ([TEXT, *parts("div/p", -1)], "+-"),
        # the layout of a page is no table
        (
            [{**part("table/tr/td", -4.0), "text": TEXT["text"]}, {**part("table/tr/td", 3.0), "text": TEXT["text"]}],
            "-+",
        ),
        (rows(-4, 2, 2), "-++"),  # all of the page
        # pages without text or paths
        ([], ""),
        (items(-1, -1), "--"),
        ([row(path=""), row(path="", score=0.0)], "+-"),
    ],
)
def test_blocks_between_texts(segments: list[Record], expected: str) -> None:
    assert after(decide_blocks, *segments) == expected


# ---- headings


def heading(text: str, score: float = 1.0, path: str = "h2", **fields: Any) -> Record:
    return row(text, f"body/main/{path}", score) | {"type": "h"} | fields


PARAGRAPH, MORE = row("It rained all day.", score=4.0), row("More stories", "body/main/div", -5.0)
NINA, WEATHER, PART = heading("Nina", 0.5, "figure/cite"), heading("Weather"), heading("Autumn", path="h3")
DOUBT, EVERY = heading("Weather", -1.0), heading("Every day", 0.5, "h6")
INNER, OUTER = heading("Inner", 0.5, "div/h3"), heading("Outer", 0.5)
HEADLINE = heading("Bridge closed by rain", 0.5, links=21)
WRITERS = heading("Writers", 3.0, "div.item/h3/button#a.b/div/h4")


@pytest.mark.parametrize(
    ("segments", "expected"),
    [
        ([heading("Weather", -2.0), PARAGRAPH], "++"),
        ([heading("Related", -3.5), PARAGRAPH], "-+"),
        ([heading("Elsewhere", -1.0) | {"path": "body/aside/div/div/h2"}, PARAGRAPH], "-+"),
        ([heading("Bold", -1.0, "p"), PARAGRAPH], "-+"),
        ([heading("Wrapped", -1.0, "header/h2"), PARAGRAPH], "++"),
        ([heading("Wrapped", -1.0) | {"path": "body/h2"}, PARAGRAPH], "++"),
        ([PARAGRAPH, heading("Advertisement", -0.2, "h3"), PARAGRAPH], "+-+"),
        # what ends a text is no heading of the next one
        ([PARAGRAPH, NINA, WEATHER, PARAGRAPH], "++++"),
        ([PARAGRAPH, heading("Nina", 0.5, "div/h3"), WEATHER, PARAGRAPH], "+-++"),
        ([MORE, NINA, WEATHER, PARAGRAPH], "--++"),
        ([PARAGRAPH, NINA | {"links": 4}, WEATHER, PARAGRAPH], "+-++"),
        ([PARAGRAPH, NINA | {"part": "rest"}, WEATHER, PARAGRAPH], "+-++"),
        # the first of its parts, but not one of its own level
        ([DOUBT, PART, PARAGRAPH], "+++"),
        ([DOUBT, heading("Autumn"), PARAGRAPH], "-++"),
        ([DOUBT | {"path": "body/aside/div/h2"}, PART, PARAGRAPH], "-++"),
        # a short text between headings
        ([heading("Price", path="h3"), heading("From $29", 0.5, "p"), WEATHER, PARAGRAPH], "++++"),
        ([PARAGRAPH, EVERY, WEATHER, PARAGRAPH], "++++"),
        ([PARAGRAPH, EVERY, heading("Weather", -4.0), MORE], "+---"),
        # over dropped text, or over nothing
        ([PARAGRAPH, heading("More", 0.5), MORE], "+--"),
        ([PARAGRAPH, heading("More", 0.5)], "+-"),
        ([PARAGRAPH, heading("Sure", 2.5), MORE], "++-"),
        ([PARAGRAPH, HEADLINE, MORE], "++-"),
        ([PARAGRAPH, HEADLINE | {"links": 0}, MORE], "+--"),
        ([PARAGRAPH, heading("View details", 0.5, links=12), MORE], "+--"),
        # a section ends before a heading of its level
        ([OUTER, INNER, PARAGRAPH], "+++"),
        ([INNER, OUTER, PARAGRAPH], "-++"),
        ([OUTER, MORE, heading("Full", 0.5), PARAGRAPH], "--++"),
        # headings in a row are items; a page of headings keeps them
        ([heading("Kettle", 0.5), heading("Toaster", 0.5), heading("Oven", 0.5), PARAGRAPH], "++++"),
        ([heading("Lost", 0.5), MORE], "+-"),
        ([PARAGRAPH, heading("More", 0.5), PARAGRAPH | {"rule": "embedded"}, MORE], "+-+-"),
        ([], ""),
        ([DOUBT, MORE], "--"),
        # a number beside the heading of a button
        ([heading("2", -1.5, "div.item/h3/button#a.b/div/div", type="p"), WRITERS, PARAGRAPH], "-++"),
    ],
)
def test_headings_go_with_their_text(segments: list[Record], expected: str) -> None:
    assert after(decide_headings, *segments) == expected


@pytest.mark.parametrize("path", ["table/tbody/tr/td/p", "ul/li", "dl/dd.price", "blockquote/p"])
def test_the_last_value_of_a_table_or_list_is_no_heading(path: str) -> None:
    value = heading("$800", 0.5, path)
    assert after(decide_headings, value, value, WEATHER, PARAGRAPH) == "++++"
    assert after(decide_headings, MORE, value, WEATHER, PARAGRAPH) == "--++"


@pytest.mark.parametrize(
    ("path", "fields", "expected"),
    [
        ("div.item/div.head/button.open", {}, "+"),
        ("div.item/button", {}, "+"),
        ("div.item/summary", {"text": "そうですか？"}, "+"),
        ("div.item/h3.q/button", {"text": "Wetness", "type": "h"}, "+"),
        ("div.item/button", {"text": "Wetness"}, "-"),
        ("div.item/button", {"score": -3.5}, "-"),
        ("div.item/p", {}, "-"),
        ("form/div/div/button", {}, "-"),
        ("div.item/button-bar", {}, "-"),
        ("div.item/button", {"rule": "menu"}, "-"),
    ],
)
def test_what_opens_an_answer_is_kept_with_it(path: str, fields: Record, expected: str) -> None:
    question = row("How wet was it?", f"body/main/{path}", -2.5) | fields
    answer = row("Very.", "body/main/div.item/div.panel/p", 0.1)
    assert after(decide_headings, question, answer, PARAGRAPH) == expected + "++"
    assert after(decide_headings, question, answer | {"score": -0.1}, PARAGRAPH) == "--+"


# ---- what a page declares as its content

STEP = row("Bake", "body/p", 1.0, declared="HowToStep.name")
MENU, OVERLAY = STEP | {"path": "body/nav/a", "rule": "nav"}, STEP | {"path": "body/div#b1.overlay/p", "score": 0.5}
EGG = part("div.box/ul/li", -3.0, declared="Recipe.recipeIngredient", marker="*")
BUTTON = part("div.box/button", -3.0, "2x")


@pytest.mark.parametrize(
    ("segments", "expected"),
    [
        # neither menus nor copies
        ([MENU, STEP, OVERLAY], "-+-"),
        ([MENU, STEP, OVERLAY, OVERLAY | {"path": "body/div#b2.overlay/p", "text": "Serve"}], "-+++"),
        # with its headings
        ([part("div.box/h3"), BUTTON, BUTTON, EGG, EGG], "+--++"),
        ([part("div.box/div.header/h3"), EGG], "++"),
        ([part("div.box/h3"), part("div.box/h4"), EGG], "+++"),
        ([part("div.box/p", type="h"), EGG], "++"),
        ([part("div.other/div.header/h3"), EGG], "-+"),
        ([part("div.box/h3", rule="widget"), EGG], "-+"),
        ([row("Eggs", "body/div.a/div.box/h3"), EGG | {"path": "body/.../div.box/ul/li"}], "++"),
        ([row("Eggs", "body/div.a/div.box/h3"), EGG | {"path": "body/.../ul/li/div.box"}], "-+"),
    ],
)
def test_what_a_page_declares_is_kept(segments: list[Record], expected: str) -> None:
    assert after(keep_declared, *segments, before="-" * len(segments)) == expected


def test_what_a_page_declares_is_kept_with_its_list() -> None:
    salt = part("div.box/ul/li", -3.0, "Salt", marker="*")
    assert after(keep_declared, TEXT, EGG, salt, salt) == "++--"
    assert after(decide_blocks, TEXT, EGG, salt, salt, before="++--") == "++++"
    document = {"segments": [{"role_probability": 0.5, "role": "text", **one} for one in (TEXT, EGG, salt, salt)]}
    assert select_text({**document, "page": {"odds": 3.0}}, policy())["text"].count("Salt") == 2


# ---- ingredients


def lines(name: str, *texts: str, **fields: Any) -> list[Record]:
    return [row(text, f"body/{name}", -2.0, **fields) for text in texts or ("2 eggs", "Salt", "Pepper")]


INGREDIENTS = lines("ul.ingredients/li")
CARD = ("2 eggs", "Salt", "Pepper", "2 l milk")
NOTES = lines("div.wprm-recipe-notes-container/p", "Whip the eggs first. " * 20)
OTHER_NOTES = [*lines("div.comment-notes/p", "A note"), *lines("div.recipe-notes/div.nutrition-label/p", "5 g")]


@pytest.mark.parametrize(
    ("segments", "expected"),
    [
        (INGREDIENTS, "+++"),
        (lines("div#ingredients-44/p"), "+++"),
        (lines("dl.gz-list-ingredients/dd"), "+++"),
        (lines("div.recipe__ingredient/p"), "+++"),
        (lines("ul.ingredients/li", rule="island"), "+++"),
        (lines("ul.ingredientless/li"), "---"),
        (lines("ul.steps/li"), "---"),
        (lines("ul.ingredients/li", "2 eggs", "Salt"), "--"),  # too few
        (lines("ul.ingredients/li", "Milk", "Salt", "Pepper"), "---"),  # no number
        (lines("ul.ingredients/li", rule="links"), "---"),
        (lines("ul.ingredients/li", hidden="style"), "---"),
        (lines("li.ingredient/button.add"), "---"),
        (lines("div.ingredients/a.unit-conversion"), "---"),
        (lines("div.ingredients-filter/p"), "---"),
        # copies
        ([*lines("div.left/ul.ingredients/li"), *lines("ul#tab.ingredients/li")], "+++---"),
        ([*lines("li#a.ingredient", *CARD[:2]), *lines("li#b.ingredient", *CARD[:2])], "++++"),  # dough and topping
        ([*lines("ul.ingredients/li", "For four", *CARD), *lines("p.card_ingredients", "Card", *CARD)], "+++++-----"),
        # notes
        ([*INGREDIENTS, *NOTES, *OTHER_NOTES], "++++--"),
        ([*INGREDIENTS, NOTES[0] | {"path": "body/div.recipe_note/p"}], "++++"),
        (NOTES, "-"),
        ([*INGREDIENTS, NOTES[0] | {"text": "Notes", "type": "h"}, NOTES[0] | {"text": "Mix well."}], "+++--"),
    ],
)
def test_ingredients_and_notes_are_kept(segments: list[Record], expected: str) -> None:
    assert after(keep_ingredients, *segments, row("Mix well.")) == expected + "+"


def test_ingredients_of_a_page_of_which_nothing_is_kept() -> None:
    assert after(keep_ingredients, *INGREDIENTS) == "---" and after(keep_ingredients) == ""


def test_policies_keep_ingredients() -> None:
    page = page_with(*lines("ul.ingredients/li"), row("Mix well. " * 30))
    assert policy()(page, {"odds": 5.0}) == [True] * 4


# ---- time


@pytest.mark.parametrize("step", [decide_blocks, decide_headings, keep_declared, keep_ingredients])
def test_linear(step: Any) -> None:
    def segments(size: int) -> list[Record]:
        inner = [row(path=f"body/div{at}/pre", score=-1.0) for at in range(size)]
        mixed = [[*items(1), heading("b", path=f"h{at % 6 + 1}"), EGG, *INGREDIENTS] for at in range(size // 4)]
        return [TEXT, *inner, *[one for group in mixed for one in group]]

    assert_linear_step(step, segments)
