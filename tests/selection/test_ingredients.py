"""The ingredients of a recipe."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.selection.ingredients import keep_ingredients
from ncfilters.selection.policies import policy
from ncfilters.selection.scored_table import table_of

STEP = {"text": "Mix well.", "path": "body/p", "type": "p", "score": 3.0}


def lines(name: str, *texts: str, **more: Any) -> list[dict[str, Any]]:
    texts = texts or ("2 eggs", "Salt", "Pepper")
    return [{"text": text, "path": f"body/{name}", "type": "l", "score": -2.0} | more for text in texts]


def kept(*segments: dict[str, Any]) -> list[bool]:
    """What is kept of a page of which the last segment was."""
    return keep_ingredients(table_of([*segments, STEP]), [False] * len(segments) + [True])[:-1]


@pytest.mark.parametrize(
    "name", ["ul.ingredients/li", "div#ingredients-44/p", "dl.gz-list-ingredients/dd", "div.recipe__ingredient/p"]
)
def test_ingredients_are_kept(name: str) -> None:
    assert kept(*lines(name)) == [True] * 3
    assert kept(*lines(name, rule="island")) == [True] * 3


@pytest.mark.parametrize(
    "segments",
    [
        lines("ul.ingredientless/li"),
        lines("ul.steps/li"),
        lines("ul.ingredients/li", "2 eggs", "Salt"),  # too few
        lines("ul.ingredients/li", "Milk", "Salt", "Pepper"),  # no number
        lines("ul.ingredients/li", rule="links"),
        lines("ul.ingredients/li", hidden="style"),
        lines("li.ingredient/button.add"),
        lines("div.ingredients/a.unit-conversion"),
    ],
)
def test_other_texts_stay_as_they_are(segments: list[dict[str, Any]]) -> None:
    assert not any(kept(*segments))


def test_a_copy_of_the_list_goes() -> None:
    desktop, mobile = lines("div.left/ul.ingredients/li"), lines("ul#tab.ingredients/li")
    assert kept(*desktop, *mobile) == [True] * 3 + [False] * 3
    dough, topping = lines("li#a.ingredient", "2 eggs", "Salt"), lines("li#b.ingredient", "2 eggs", "Salt")
    assert kept(*dough, *topping) == [True] * 4


def test_a_list_with_another_heading_is_a_copy() -> None:
    texts = ("2 eggs", "Salt", "Pepper", "2 l milk")
    page, card = lines("ul.ingredients/li", "For four", *texts), lines("div.card_ingredients/p", "Ingredients", *texts)
    assert kept(*page, *card) == [True] * 5 + [False] * 5


@pytest.mark.parametrize("name", ["div.wprm-recipe-notes-container", "div.recipe_note"])
def test_the_notes_of_a_recipe_are_kept(name: str) -> None:
    notes = lines(f"{name}/p", "Whip the eggs first. " * 20)
    others = [*lines("div.comment-notes/p", "A note"), *lines("div.recipe-notes/div.nutrition-label/p", "5 g")]
    assert kept(*lines("ul.ingredients/li"), *notes, *others) == [True] * 4 + [False] * 2
    assert kept(*notes) == [False]
    heading = {**notes[0], "text": "Notes", "type": "h"}
    again = [heading, {**notes[0], "text": STEP["text"]}]
    assert kept(*lines("ul.ingredients/li"), *again) == [True] * 3 + [False] * 2


def test_a_page_of_which_nothing_is_kept() -> None:
    assert keep_ingredients(table_of(lines("ul.ingredients/li")), [False] * 3) == [False] * 3
    assert keep_ingredients(table_of([]), []) == []


def test_policies_keep_them() -> None:
    segments = [*lines("ul.ingredients/li", score=-4.0), STEP | {"text": "Mix well. " * 30}]
    assert policy()(table_of(segments), {"odds": 5.0}) == [True] * 4
