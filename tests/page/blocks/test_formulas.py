"""Formulas in running text."""

from __future__ import annotations

import pytest
from operations import assert_linear

from ncfilters.native.element_names import number_of_tag
from ncfilters.native.page_table import table_of
from ncfilters.page.blocks.formulas import math_text
from ncfilters.page.profiles import blocks_of_html
from ncfilters.page.tree.html_parser import parse_html

ROW = "<mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow>"
SUM = f"<math><semantics>{ROW}<annotation encoding=x>a+b</annotation></semantics></math>"


@pytest.mark.parametrize(
    "html, expected",
    [
        (SUM, "a+b"),
        ("<msup><mn>10</mn><mn>6</mn></msup>", "10⁶"),
        ("<msup>\n <mi>e</mi>\n <mrow><mo>−</mo><mi>x</mi></mrow>\n</msup>", "e^(−x)"),
        ("<msub><mi>x</mi><mi>i</mi></msub><msub><mi>V</mi><mtext>max</mtext></msub>", "xᵢV_max"),
        ("<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>", "x₁²"),
        ("<mfrac><mn>1</mn><mn>2</mn></mfrac>", "1/2"),
        ("<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mi>c</mi></mfrac>", "(a+b)/c"),
        ("<msqrt><mn>2</mn></msqrt><mroot><mi>x</mi><mn>3</mn></mroot>", "√2³√x"),
        ("<mtable><mtr><mtd>1</mtd><mtd>2</mtd></mtr><mtr><mtd>3</mtd><mtd>4</mtd></mtr></mtable>", "1, 2; 3, 4"),
        ("<mtext>if </mtext><mi>x</mi>", "if x"),
        ("<mspace/>", ""),
    ],
)
def test_formulas_on_a_line(html: str, expected: str) -> None:
    page = parse_html(f"<p><math>{html.removeprefix('<math>').removesuffix('</math>')}</math>")
    table = table_of(page.root)
    assert math_text(table, list(table.tag).index(number_of_tag("math"))) == expected


def test_alternative_text_of_an_empty_formula() -> None:
    assert blocks_of_html("<p>Let <math alttext='x &lt; 1'><mspace/></math> be")[0]["text"] == "Let x < 1 be"


@pytest.mark.parametrize(
    "html",
    [
        SUM,
        f'<span class="mwe-math-mathml-inline" style="display: none;">{SUM}</span><img alt="a+b">',
        f'<span class=katex><span class=katex-mathml>{SUM}</span>'
        '<span class=katex-html aria-hidden=true><span>a</span><span>+b</span></span></span>',
        '<span class=tex style="display:none">a+b</span><img src=f.png>',
        '<script type="math/tex">a+b</script>',
        '<span class=MathJax_Preview>a+b</span><script type="math/tex; mode=display">a + b</script>',
        f'<span class=MathJax><nobr aria-hidden=true>a+b</nobr><span class=MJX_Assistive_MathML>{SUM}</span></span>'
        '<script type="math/tex">a + b</script>',
        '<span class=math style="display:none">a + b</span><span class="math shown">a+b</span>',
    ],
)  # fmt: skip
def test_a_formula_is_once_in_its_sentence(html: str) -> None:
    blocks = blocks_of_html(f"<p>Where {html} is the sum.")
    assert [(block["text"], "hidden" in block) for block in blocks] == [("Where a+b is the sum.", False)]


def test_an_image_for_readers_without_scripts_is_in_its_sentence() -> None:
    blocks = blocks_of_html(
        "<p>Where <noscript><img alt=x src=a.png></noscript><span></span> is the sum.<noscript>b</noscript>"
    )
    assert [block["text"] for block in blocks] == ["Where is the sum.", "b"]


def test_a_hidden_formula_in_tex() -> None:
    (block,) = blocks_of_html("<p>Where <span hidden>\\(a+b\\)</span><img> is the sum.")
    assert block["text"] == "Where \\(a+b\\) is the sum."


def test_other_hidden_text_is_a_block() -> None:
    blocks = blocks_of_html("<p>Some <span hidden>secret</span> text <i aria-hidden=true>★</i> here.")
    assert [(block["text"], block.get("hidden")) for block in blocks] == [
        ("secret", "hidden"),
        ("Some text ★ here.", None),
    ]


def test_formulas_take_linear_time() -> None:
    for open_tag in ("<math><msup>", "<mrow>", "<span hidden>", "<i aria-hidden=true>a", "<span class=math hidden>"):
        assert_linear(blocks_of_html, lambda size, tag=open_tag: "<p>a" + tag * size + "x", 200)
