"""Content that a page declares and shows: which blocks are marked."""

from __future__ import annotations

import json
from typing import Any

import pytest
from operations import assert_linear

from ncfilters.page.page_options import PageOptions
from ncfilters.page.profiles import blocks_of_html
from ncfilters.segmentation.segmenter import segment_html, segment_record

STEP = "Beat the eggs with the salt until your arm hurts. Then bake all of it in the oven for an hour."


def recipe(ingredients: Any = (), steps: Any = ()) -> str:
    data = {"@type": "Recipe", "name": "Cake", "recipeIngredient": ingredients, "recipeInstructions": steps}
    return f'<script type="application/ld+json">{json.dumps(data)}</script>'


def marked(html: str) -> list[tuple[str, str]]:
    """The texts of blocks that are marked, and what they show."""
    return [(block["text"], block["declared"]) for block in blocks_of_html(html) if "declared" in block]


def test_lines_of_a_recipe() -> None:
    page = "<nav><a>Salt Lake City</a></nav><h1>Cake</h1><ul><li>2 Eggs<li>salt</ul><p>More salt" + recipe(
        ["2 eggs", "Salt"]
    )
    name = "Recipe.recipeIngredient"
    assert marked(page) == [("2 Eggs", name), ("salt", name)]


def test_a_line_in_several_blocks() -> None:
    page = "<div><div>1&nbsp;1/2</div><div>cups</div><div>flour</div></div>" + recipe("1 1/2 cups flour")
    assert [text for text, _ in marked(page)] == ["1 1/2", "cups", "flour"]


@pytest.mark.parametrize(
    "declared",
    [STEP, f"<p>{STEP.replace('eggs', '<b>eggs</b>')}</p>", STEP.replace("Then", "&lt;br&gt;Then"), STEP.upper()],
)
def test_sentences_of_a_step(declared: str) -> None:
    first, second = STEP.split(". ")
    steps = [{"@type": "HowToStep", "name": "Bake", "text": declared}]
    for html in (f"<p>{STEP}", f"<p>{first}.<p>{second}"):
        assert {name for _, name in marked(html + recipe(steps=steps))} == {"HowToStep.text"}
        assert len(marked(html + recipe(steps=steps))) == html.count("<p>")


def test_microdata() -> None:
    page = """<div itemscope itemtype="https://schema.org/Recipe"><h1 itemprop=name>Cake</h1>
        <li itemprop="recipeIngredient">2 eggs<li itemprop=tool>an oven<li itemprop=text>Some words</div>"""
    assert marked(page) == [("2 eggs", "Recipe.recipeIngredient"), ("an oven", "Recipe.tool")]


def test_other_properties_are_not_marked() -> None:
    body = '{"@type": "Article", "articleBody": "It rained all day in the town."}'
    article = f'<script type="application/ld+json">{body}</script>'
    assert marked("<p>It rained all day in the town." + article) == []
    assert marked(f"<p>{STEP}") == []


def test_segments_have_it_whatever_the_options() -> None:
    page = f"<ul><li>2 <b>eggs</b></ul><p>{STEP}" + recipe(["2 eggs"], STEP)
    expected = ["Recipe.recipeIngredient", "Recipe.recipeInstructions"]
    for options in (PageOptions(), PageOptions(markup=True), PageOptions(embedded=False)):
        assert [one["declared"] for one in segment_html(page, options) if "declared" in one] == expected
    rendered = {"blocks": blocks_of_html(page)}
    assert [one["declared"] for one in segment_record(rendered)["segments"] if "declared" in one] == expected


def test_linear() -> None:
    def read(size: int) -> Any:
        return marked("<li>salt" * size + recipe(["salt"] * size + ["pepper and salt and pepper"] * size))

    assert_linear(read, lambda size: size, 300)
