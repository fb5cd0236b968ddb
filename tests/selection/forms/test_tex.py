"""TeX on one line."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin

from ncfilters.selection.forms.tex import MAX_TEX_CHARS, inline_tex, plain_tex


def test_comments_and_lines_go() -> None:
    assert inline_tex("x^2 % the square\n + 1\\%") == "x^2 + 1\\%"
    assert inline_tex("a\n\n  b\0") == "a b"


@pytest.mark.parametrize("tex", ["a$b", "\\text{$x$}", "a\\", "a\\\\\\", "x" * (MAX_TEX_CHARS + 1)])
def test_tex_that_would_end_the_formula(tex: str) -> None:
    assert inline_tex(tex) == ""


@pytest.mark.parametrize("tex", ["a\\$b", "a \\\\", "\\frac{1}{2}"])
def test_tex_that_does_not(tex: str) -> None:
    assert inline_tex(tex) == plain_tex(tex) == tex


def leaves(token: Token) -> list[Token]:
    return [leaf for child in token.children or [] for leaf in leaves(child)] or [token]


@pytest.mark.parametrize(
    "tex",
    [
        "<img src=x onerror=alert(1)>", "a<b>c</b>", "<!-- x -->", "<?x?>", "</p>", "a <script>alert(1)</script>",
        "<http://a.example>", "[x](javascript:alert(1))", "![x](a.jpg)", "[x][1]", "[1]", "[1](javascript:alert(1))",
        "[1][1]", "\\sqrt[1]{x}", "`a`", "``a``", "a &lt; b &#60;img&gt; &amp;",
        "\\begin{matrix}a&b\\\\[2pt]c&d\\end{matrix}",
    ],
)  # fmt: skip
@pytest.mark.parametrize("dollars", ["$", "$$"])
def test_formulas_have_no_markup(tex: str, dollars: str) -> None:
    written = inline_tex(tex)
    page = f"Text {dollars}{written}{dollars} `code` (a)\n\n[1]: https://a.example\n"
    found = [
        leaf for token in MarkdownIt("gfm-like", {"html": True, "linkify": False}).parse(page) for leaf in leaves(token)
    ]
    assert {leaf.type for leaf in found} <= {"paragraph_open", "paragraph_close", "text", "softbreak", "code_inline"}
    assert [leaf.content for leaf in found if leaf.type == "code_inline"] == ["code"]
    read = MarkdownIt().use(dollarmath_plugin, allow_space=True, double_inline=True).parse(page)
    (formula,) = [leaf.content for token in read for leaf in leaves(token) if leaf.type.startswith("math")]
    # a space means nothing in a formula, and neither do braces around a number
    same = "".join(formula.replace("\\lq ", "`").replace("[{1}]", "[1]").split())
    assert same == "".join(tex.split())
