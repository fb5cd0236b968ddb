"""Elements that are kept or dropped as a whole, and those that go with the text around them."""

from __future__ import annotations

from typing import Any

import pytest
from operations import assert_linear

from ncfilters.errors import RecordError
from ncfilters.selection.policies import policy
from ncfilters.selection.scored_table import table_of
from ncfilters.selection.selector import select_text
from ncfilters.selection.whole_elements import fit_elements, keep_declared

Segment = dict[str, Any]
ARTICLE = "body/main/article"


def text(path: str = f"{ARTICLE}/p", words: int = 20) -> Segment:
    return {"text": "word " * words, "path": path, "score": 3.0, "links": 0, "role": "text"}


def part(path: str, score: float = -0.5, text: str = "Monday\t3 mm", **fields: Any) -> Segment:
    return {"text": text, "path": f"{ARTICLE}/{path}", "score": score, "links": 0, "role": "text", **fields}


def item(score: float = -0.5, path: str = "ul/li", **fields: Any) -> Segment:
    return part(path, score, marker="*", **fields)


def row(score: float = -0.5, path: str = "table/tbody/tr", **fields: Any) -> Segment:
    return part(path, score, tag="tr", **fields)


def kept(*segments: Segment) -> str:
    """The decisions as + and -, where segments above 0 bits are kept by score."""
    decisions = fit_elements(table_of(list(segments)), [segment["score"] > 0 for segment in segments], lambda: 0.0)
    return "".join("-+"[keep] for keep in decisions)


# ---- as a whole


def test_a_list_is_kept_or_dropped_whole() -> None:
    assert kept(text(), item(1.0), item(-2.0), item(1.0)) == "++++"
    assert kept(text(), item(1.0), item(-4.0), item(-4.0)) == "+---"
    assert kept(text(), item(1.0), item(-2.0, rule="widget"), item(1.0)) == "++++"


def test_a_list_is_kept_with_the_headings_in_it() -> None:
    sauce = part("h4", -2.0, "For the sauce", type="h")
    assert kept(text(), item(1.0), item(1.0), sauce, item(-2.0)) == "+++++"


def test_what_is_hidden_in_a_list_is_not_kept_with_it() -> None:
    hidden = part("ul/li/span", -2.0, "Note:", hidden="display")
    assert kept(text(), hidden, item(1.0), item(1.0), item(-1.0)) == "+-+++"
    assert kept(text(), item(1.0), item(1.0), item(-1.0, hidden="aria")) == "++++"
    assert kept(text(), *(item(score, hidden="display") for score in (1.0, 1.0, -1.0))) == "++++"
    assert kept(text(), item(1.0), item(1.0), item(-1.0, hidden=["display"])) == "+++-"


def test_posts_are_no_items() -> None:
    post = part("ul/li/p", -3.0)
    assert kept(text(), item(1.0), post, post) == "++--"


def test_a_table_is_kept_or_dropped_whole() -> None:
    assert kept(text(), row(), row(2.0), row(2.0)) == "++++"
    assert kept(text(), row(2.0), *[row(-6.0)] * 3) == "+----"
    caption = part("table/caption", -2.0, "Rain")
    assert kept(text(), caption, row(2.0), row(2.0)) == "++++"
    assert kept(text(), *[row(score, "table.navbox/tr") for score in (2.0, -2.0)]) == "+--"


def test_cells_beside_pictures_are_rows() -> None:
    cell = part("table/tbody/tr/td", -0.5, "Debian", tag="td")
    assert kept(text(), row(2.0), cell, {**cell, "score": 2.0}) == "++++"
    assert kept(text(), {**cell, "score": 2.0}, *[{**cell, "score": -4.0}] * 3) == "++---"  # no row says it is data


def test_a_table_for_layout_is_not_one_table() -> None:
    cell = "body/table/tbody/tr/td"
    assert kept({**text(cell), "score": -4.0}, text(cell)) == "-+"
    assert kept(*[row(score) for score in (-4.0, 2.0, 2.0)]) == "-++"  # all of the page


def test_definitions_are_one_specification() -> None:
    assert kept(text(), part("dl/dt", -2.0), part("dl/dd", 2.0), part("dl/dt", 2.0)) == "++++"
    assert kept(text(), part("dl/dt", -2.0), part("dl/dd", -2.0), part("dl/dt", 2.0)) == "+---"


def test_code_and_quotes() -> None:
    assert kept(text(), part("pre", 1.0), part("pre", -3.0)) == "+++"
    assert kept(text(), part("pre", 1.0), *[part("pre", -3.0)] * 3) == "+----"
    assert kept(text(), part("blockquote/p", 1.0), part("blockquote/p", -3.0)) == "+++"
    assert kept(text(), part("blockquote/p", 1.0), *[part("blockquote/p", -3.0)] * 3) == "++---"
    quoted = [part("blockquote/p", score, post=2) for score in (1.0, -3.0, -3.0, -3.0)]
    assert kept(text(), *quoted) == "+----"


def test_what_a_page_declares_is_content_with_its_list() -> None:
    egg, salt = item(-3.0, declared="Recipe.recipeIngredient"), item(-3.0)
    table = table_of([text(), egg, salt, salt])
    declared = keep_declared(table, [True, False, False, False])
    assert (declared, fit_elements(table, declared, lambda: 0.0)) == ([True, True, False, False], [True] * 4)
    document = {"segments": [{"type": "p", "role_probability": 0.5, **one} for one in (text(), egg, salt, salt)]}
    assert select_text({**document, "page": {"odds": 3.0}}, policy())["text"].count("Monday") == 3


def test_menus_and_copies_of_what_a_page_declares_are_none() -> None:
    step = {"text": "Bake", "declared": "HowToStep.name", "type": "p", "path": "body/p", "score": 1.0}
    menu, overlay = (
        {**step, "path": "body/nav/a", "rule": "nav"},
        {**step, "path": "body/div#b1.overlay/p", "score": 0.5},
    )
    assert keep_declared(table_of([menu, step, overlay]), [False] * 3) == [False, True, False]
    own = {**overlay, "path": "body/div#b2.overlay/p", "text": "Serve"}
    assert keep_declared(table_of([menu, step, overlay, own]), [False] * 4) == [False, True, True, True]


def test_what_a_page_declares_has_its_headings() -> None:
    def declared(*segments: Segment) -> str:
        table = table_of([text(), *segments])
        return "".join("-+"[keep] for keep in keep_declared(table, [True] + [False] * len(segments)))

    def heading(path: str, **fields: Any) -> Segment:
        return part(path, -2.0, "Ingredients", type="h", **fields)

    egg = item(-3.0, "div.box/ul/li", declared="Recipe.recipeIngredient")
    button = part("div.box/button", -3.0, "2x")
    assert declared(heading("div.box/h3"), button, button, egg, egg) == "++--++"
    assert declared(heading("div.box/div.header/h3"), egg) == "+++"
    assert declared(heading("div.box/h3"), heading("div.box/h4"), egg) == "++++"
    assert declared(heading("div.box/p"), egg) == "+++"
    assert declared(heading("div.other/div.header/h3"), egg) == "+-+"
    assert declared(heading("div.box/h3", rule="widget"), egg) == "+-+"
    long = {**egg, "path": "body/.../div.box/ul/li"}
    assert declared({**heading("h3"), "path": "body/div.a/div.box/h3"}, long) == "+++"


# ---- with the text around them


@pytest.mark.parametrize(
    ("segments", "expected"),
    [
        ([text(), row(), row(), text()], "++++"),
        ([text(), part("pre", -1.0), text()], "+++"),
        ([text(), part("blockquote/p"), text()], "+++"),
        ([text(), *[item(-1.0)] * 2, text()], "++++"),
        # too low scores, links, marked, hidden
        ([text(), part("pre", -2.5), text()], "+-+"),
        ([text(), *[item(links=8)] * 2, text()], "+--+"),
        ([text(), part("pre", hidden="display"), text(), part("pre", rule="island"), text()], "+-+-+"),
        # tables and code at the end of their element, notes anywhere, formulas below any text
        ([part("pre"), text(), part("pre")], "-++"),
        ([text(), item(), item()], "+--"),
        ([text(), part("h3", -1.0, "Notes", type="h"), part("section.footnotes/ol/li", -4.0)], "+-+"),
        ([text("body/main/p"), part("p/math", -9.0), text()], "+++"),
        # beside dropped text, in another element
        ([text(), part("p", -1.0), part("pre", -1.0), text()], "+--+"),
        ([text("body/main/div/p"), part("div/pre"), text("body/main/div/p")], "+-+"),
    ],
)
def test_elements_between_texts(segments: list[Segment], expected: str) -> None:
    assert kept(*segments) == expected


def test_pages_without_text_or_paths_stay_as_they_are() -> None:
    assert kept() == "" and kept(item(-1.0), item(-1.0)) == "--"
    plain = [{"text": name, "score": 1.0 - number} for number, name in enumerate("ab")]
    assert fit_elements(table_of(plain), [True, False], lambda: 0.0) == [True, False]


def test_decisions_are_the_same_with_markup() -> None:
    segments = [text(), item(1.0), item(-1.0), text(), part("pre", -1.0), text(), part("div/p", -1.0)]
    marked = [{**one, "item": 1, "table": 1, "code": 1, "quote": 1, "level": 2} for one in segments]
    assert kept(*segments) == kept(*marked) == "++++++-"


def test_links_that_are_no_number_are_an_error() -> None:
    with pytest.raises(RecordError, match=r"segments\[2\]\.links: expected an integer, got a string"):
        kept(text(), row(), {**row(), "links": "3"}, text())


def test_linear() -> None:
    def decide(size: int) -> list[bool]:
        segments = [text(), *(part(f"div{n}/pre", -1.0) for n in range(size))]
        return fit_elements(table_of(segments), [True] + [False] * size, lambda: 0.0)

    assert_linear(decide, lambda size: size, 500)


def test_a_long_text_in_a_list_of_links_does_not_keep_it() -> None:
    long = item(1.0, text="word " * 40)
    assert kept(text(), long, *[item(-3.0)] * 5) == "++-----"
