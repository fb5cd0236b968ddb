"""MathML in attributes: what is parsed together is as it is alone."""

from __future__ import annotations

from html import escape

import pytest
from page_rows import page_of

from ncfilters.page.markup import mathml_values
from ncfilters.page.markup.candidates import candidates_of
from ncfilters.page.markup.mathml_values import MathmlValues
from ncfilters.page.tree.html_parser import parse_html

SIMPLE = [
    f"<math xmlns='http://a.example/'><msup><mi>x</mi><mn>{n}</mn></msup><mo>&#x222b;</mo></math>" for n in range(5)
]
OPEN = [
    "<math><mi><mn>1</mn></math>",
    "<math></mrow><mi>x</math>",
    "<math><mtext>a<mrow>b</mtext></math>",
    "<math><mo/>a</math>",
]
OTHERS = [
    "<math><mi>x</mi></math><p>b",
    "<p>a</p><math><mi>y</mi></math>",
    "<math><b><p>x</math>",
    "<math a='>'>z</math>",
    "",
    "x",
]


def carriers_of(values: list[str]) -> str:
    return "".join(f'<span data-mathml="{escape(value)}">a</span>' for value in values)


def values_of(given: list[str]) -> MathmlValues:
    page = page_of(carriers_of(given))
    return MathmlValues(page, candidates_of(page).carriers)


def html_of(values: MathmlValues, value: str) -> str | None:
    math = values.math(value)
    return None if math is None else math[0].node_of(math[1]).html


@pytest.mark.parametrize("given", [SIMPLE, [*SIMPLE, *OPEN], [*OPEN, *SIMPLE], [*OTHERS, *SIMPLE, *OTHERS, *OPEN]])
@pytest.mark.parametrize("order", [1, -1])
def test_each_is_as_alone(given: list[str], order: int) -> None:
    values = values_of(given)
    for value in given[::order]:
        alone = parse_html(value).css_first("math")
        assert html_of(values, value) == (None if alone is None else alone.html)


def test_simple_ones_are_parsed_together(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed = []
    monkeypatch.setattr(mathml_values, "parse_html", lambda html: parsed.append(html) or parse_html(html))
    values = values_of([*SIMPLE, OTHERS[0], *SIMPLE])
    for value in [*SIMPLE, OTHERS[0], *SIMPLE]:
        assert html_of(values, value)
    assert parsed == [OTHERS[0]]
