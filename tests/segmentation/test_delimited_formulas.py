r"""Formulas with TeX's delimiters in the text."""

from __future__ import annotations

from typing import Any

import pytest
from operations import assert_linear

from ncfilters.page.blocks.block_table import table_of
from ncfilters.segmentation import delimited_formulas
from ncfilters.segmentation.delimited_formulas import mark_delimited


def spans_of(text: str, **fields: Any) -> list[Any]:
    return marked({"text": text, **fields}).get("spans", [])


def marked(segment: dict[str, Any]) -> dict[str, Any]:
    """A segment with its formulas."""
    table = table_of([segment])
    mark_delimited(table)
    return table.record(0)


@pytest.mark.parametrize(
    "text, expected",
    [
        (r"If \(x\) is", [[3, 8, "math", "x"]]),
        (r"\[ x \]", [[0, 7, "math", "x", "display"]]),
        ("A $$x^2$$ b", [[2, 9, "math", "x^2", "display"]]),
        (r"\begin{align}x\end{align}", [[0, 25, "math", r"\begin{align}x\end{align}", "display"]]),
        (r"\(a\) and \(b\)", [[0, 5, "math", "a"], [10, 15, "math", "b"]]),
        ("From $5 to $6, $$", []),
        (r"C:\(temp", []),
        (r"\(\)", []),
        (r"\begin{itemize}x\end{itemize}", []),
    ],
)
def test_formulas(text: str, expected: list[Any]) -> None:
    assert spans_of(text) == expected


@pytest.mark.parametrize(
    "text, expected",
    [
        ("If $x^2$ is $n$ or $a_1 + b$", ["x^2", "n", "a_1 + b"]),
        (r"$\alpha$ costs $5 or $6", [r"\alpha"]),
        ("$n$ alone, $HOME_DIR/$USER and $PATH:$X", []),
        ("From $5-$6 to US$7 and $8$", []),
        (r"$x_i$ is in $\mathbb{R}$, and the word $word$ is not", ["x_i", r"\mathbb{R}"]),
        ("$ x^2 $ and $x^2$3", []),
    ],
)
def test_single_dollars(text: str, expected: list[str]) -> None:
    assert [span[3] for span in spans_of(text)] == expected


def test_other_spans() -> None:
    assert spans_of(r"\(a_b\)", spans=[[2, 3, "em"]]) == [[0, 7, "math", "a_b"]]
    assert spans_of(r"\(a\)", spans=[[0, 5, "link", "b"]]) == [[0, 5, "link", "b"], [0, 5, "math", "a"]]
    assert spans_of(r"\(a\)", spans=[[0, 5, "code"]]) == [[0, 5, "code"]]
    assert spans_of(r"x\(a\)", spans=[[0, 4, "em"]]) == [[0, 4, "em"]]
    assert spans_of(r"\(a\)", code=1) == spans_of(r"\(a\)", pre=True) == []


def test_linear() -> None:
    for text in (r"\(a", r"\(a\)", "$$a", r"\begin{align}a"):
        assert_linear(spans_of, lambda size, text=text: text * size, 500)


@pytest.mark.parametrize("opened", ["\\(", "\\[", "\\begin{align}", "\\( \\begin{align} \\[ "])
def test_formulas_after_delimiters_without_an_end_are_found(opened: str) -> None:
    text: Any = opened * (12_000 // len(opened)) + " x" * 2_100 + r" \(a\) $$b$$ \[c\] \begin{align}d\end{align}"
    assert [text[first:last] for first, last, *_ in spans_of(text)] == [
        r"\(a\)", "$$b$$", r"\[c\]", r"\begin{align}d\end{align}"
    ]  # fmt: skip


@pytest.mark.parametrize("text", [r"\(a \(b\) ", r"\[ \( x\] y\) ", r"\begin{align} \(x\end{align} ", "$a$ \\(\\) $$ "])
def test_long_texts_have_the_formulas_of_short_ones(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for minimum in (0, 1 << 40):
        monkeypatch.setattr(delimited_formulas, "MIN_SEARCHED", minimum)
        found.append(spans_of(text * 300))
    assert found[0]
    assert found[0] == found[1]
