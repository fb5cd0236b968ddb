r"""MathML as TeX."""

from __future__ import annotations

import pytest
from operations import assert_linear
from page_rows import page_of, rows_of

from ncfilters.page.markup.mathml_tex import tex_of_mathml


def tex_of(markup: str) -> str:
    page = page_of(f"<p><math>{markup}</math>")
    return tex_of_mathml(page, rows_of(page, "math")[0])


@pytest.mark.parametrize(
    "markup, expected",
    [
        ("<mfrac><mi>a</mi><msup><mi>b</mi><mn>2</mn></msup></mfrac>", r"\frac{a}{b^2}"),
        ("<msup><mi>x</mi><mn>10</mn></msup>", "x^{10}"),
        ("<msup><msup><mi>x</mi><mn>2</mn></msup><mn>3</mn></msup>", "{x^2}^3"),
        ("<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", "x_i^2"),
        (
            "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi>",
            r"\sum_{i=1}^ni",
        ),
        ("<munder><mo>lim</mo><mrow><mi>x</mi><mo>→</mo><mi>∞</mi></mrow></munder>", r"\lim_{x\to\infty}"),
        ("<mi>sin</mi><mo>⁡</mo><mi>α</mi><mi>x</mi>", r"\sin\alpha x"),
        ("<mover><mi>x</mi><mo>¯</mo></mover><mover><mi>v</mi><mo>→</mo></mover>", r"\bar{x}\vec{v}"),
        ("<mover><mi>x</mi><mi>def</mi></mover>", r"\overset{\mathrm{def}}{x}"),
        ("<msup><mi>f</mi><mo>′</mo></msup><mo>≤</mo><mn>1</mn>", r"f'\leq1"),
        ("<msqrt><mi>a</mi><mo>+</mo><mi>b</mi></msqrt><mroot><mi>x</mi><mn>3</mn></mroot>", r"\sqrt{a+b}\sqrt[3]{x}"),
        ("<mtext>if x_1 {</mtext><mi mathvariant=bold>v</mi><mi>ℝ</mi>", r"\text{if x\_1 \{}\mathbf{v}\mathbb{R}"),
        (
            "<mrow><mo>(</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd>"
            "<mtd><mn>1</mn></mtd></mtr></mtable><mo>)</mo></mrow>",
            r"(\begin{matrix}1 & 0 \\ 0 & 1\end{matrix})",
        ),
        ("<mi>f</mi><mfenced><mi>x</mi><mi>y</mi></mfenced>", r"f\left(x,y\right)"),
        ("<semantics><mi>x</mi><annotation encoding=other>y</annotation></semantics>", "x"),
        ("<mo>{</mo><mn>50</mn><mo>%</mo><mo>}</mo>", r"\{50\%\}"),
        ("<!-- --><mrow> <mi>a</mi> <mspace width=1em /> <mi>b</mi></mrow>", r"a\quad b"),
        ("<mphantom><mi>x</mi></mphantom>", ""),
        ("<mfrac><mi>a</mi></mfrac>", "a"),
    ],
)
def test_tex(markup: str, expected: str) -> None:
    assert tex_of(markup) == expected


def test_deep_formulas_take_linear_time() -> None:
    assert_linear(tex_of, lambda size: "<msup><mi>x</mi>" * size, 100)
