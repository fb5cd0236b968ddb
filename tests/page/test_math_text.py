"""Formulas in running text, of the parser's nodes; the cases are those of `test_formulas`."""

from __future__ import annotations

from ncfilters.page import math_text
from ncfilters.page.html_parser import parse_html


def test_a_formula_on_a_line() -> None:
    node = parse_html("<p><math><msup><mn>10</mn><mn>6</mn></msup></math>").css_first("math")
    assert node is not None and math_text.math_text(node) == "10⁶"
