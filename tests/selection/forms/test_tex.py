"""TeX on one line."""

from __future__ import annotations

import pytest

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
