"""Tables, code and formulas that go with the text of their container."""

from __future__ import annotations

from typing import Any

import pytest
from operations import assert_linear

from ncfilters.errors import RecordError
from ncfilters.selection.container_details import is_displayed, is_menu, keep_in_container
from ncfilters.selection.scored_table import table_of

ARTICLE = "body/main/article"


def text(path: str = f"{ARTICLE}/p", words: int = 20) -> dict[str, Any]:
    return {"text": "word " * words, "path": path, "score": 3.0, "links": 0}


def part(path: str, score: float = -1.0, **fields: Any) -> dict[str, Any]:
    return {"text": "Monday\t3 mm", "path": f"{ARTICLE}/{path}", "score": score, "links": 0, **fields}


ROWS = [part("table/tbody/tr", table=1), part("table/tbody/tr", table=1)]
FORMULA = part("div.math", -2.5, spans=[[0, 11, "math", "x", "display"]])


@pytest.mark.parametrize(
    "segments, expected",
    [
        ([text(), *ROWS], [True, True]),
        ([text(), part("pre", code=1)], [True]),
        ([text(), FORMULA], [True]),
        ([text(), part("div.wrap/table/tbody/tr", table=1), part("div.wrap/table/tbody/tr", table=1)], [True, True]),
        ([text(), *(part("ul/li", -0.5, item=number) for number in (1, 2))], [True, True]),
        ([text(), part("blockquote/p", -0.5, quote=1)], [True]),
        ([text(), part("ul/li", -0.5, item=1), text(), part("ul/li", -1.5, item=2)], [True, True, False]),
        # a table of which a row is kept; a table in three wrappers; cells without <table>
        ([text(), {**ROWS[0], "score": 0.5}, ROWS[1]], [True, True]),
        ([text(), *(part("div/figure/table/tr", table=1) for _ in range(2))], [True, True]),
        ([text(), *(part("div/div/div", table=1) for _ in range(2))], [True, True]),
        # a box of links of a wiki
        ([text(), *(part("table.navbox-inner/tr", table=1) for _ in range(2))], [False, False]),
        # items of too low scores, menus, one element of which a part is kept
        ([text(), *(part("ul/li", item=number) for number in (1, 2))], [False, False]),
        ([text(), part("ul/li", -0.5, item=1, links=8)], [False]),
        ([text(), part("ul/li/ul/li", -0.5, item=2), part("ul/li", 0.5, item=1)], [False, True]),
        # one row, too low scores, menus, hidden, marked; a sentence with a formula
        ([text(), ROWS[0]], [False]),
        ([text(), part("table/tr", -3.5, table=1), part("table/tr", -3.5, table=1)], [False, False]),
        ([text(), part("pre", -2.5, code=1)], [False]),
        ([text(), *({**row, "links": 8} for row in ROWS)], [False, False]),
        ([text(), part("pre", code=1, hidden="display"), part("pre", code=2, rule="nav")], [False, False]),
        ([text(), {**FORMULA, "spans": [[0, 5, "math", "x"]]}], [False]),
        # before the text, in another container, in a container of little text, and in none
        ([part("pre", code=1), text()], [False, True]),
        ([text("body/main/div/p"), part("div/pre", code=1)], [False]),
        ([text("body/main/div/p"), text("body/main/article/div/p", 2), part("div/pre", code=1)], [True, False]),
        ([{**text(), "path": "body/p"}, {**part("pre", code=1), "path": "body/pre"}], [False]),
        ([text(), {"text": "a", "score": -1.0, "code": 1}], [False]),
    ],
)
def test_decisions(segments: list[dict[str, Any]], expected: list[bool]) -> None:
    kept = [segment["score"] > 0 for segment in segments]
    assert keep_in_container(table_of(segments), kept)[-len(expected) :] == expected


def test_what_is_kept_in_part_or_not_at_all() -> None:
    assert keep_in_container(table_of([text(), *ROWS]), [True, True, False]) == [True, True, True]
    items = [part("ul/li", -0.5, item=number) for number in (1, 2)]
    assert keep_in_container(table_of([text(), *items]), [True, True, False]) == [True, True, False]
    assert keep_in_container(table_of([text(), *ROWS]), [False] * 3) == [False] * 3


def test_menus() -> None:
    assert is_menu(part("div.nav.navbox/table/tr")) and is_menu(part("div#toc/ul/li"))
    assert not is_menu(part("div.tocology/table")) and not is_menu({"text": "a"})


def test_displayed() -> None:
    assert is_displayed(FORMULA) and not is_displayed(text())


def test_linear() -> None:
    def decide(size: int) -> list[bool]:
        segments = [text(), *(part(f"div{n}/pre", code=n) for n in range(size))]
        return keep_in_container(table_of(segments), [True] + [False] * size)

    assert_linear(decide, lambda size: size, 500)


def test_links_that_are_no_number_are_told() -> None:
    segments = [text(), ROWS[0], {**ROWS[1], "links": "3"}]
    with pytest.raises(RecordError, match=r"segments\[2\]\.links: expected an integer, got a string"):
        keep_in_container(table_of(segments), [True, False, False])
