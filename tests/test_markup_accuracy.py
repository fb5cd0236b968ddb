"""Markup does not get lost: headings, lists, code, tables, links … of the project's own pages, and of a fixed sample of
the development sets where they are.

The figures are those of `bench/markup.py` (per cent, the mean over pages that have the element) as measured when they
last changed on purpose: then measure again, and write them here.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("mdit_py_plugins")

from bench.markup import Figures, figures_of, means
from bench.markup_pages import gold_pages, own_pages

OWN_FIGURES = {
    "headings, right level": 94.0, "list items, right depth": 94.5, "code blocks found": 99.5,
    "code, lines and indents exact": 95.6, "code, language": 94.3, "inline code": 94.9,
    "table cells, right row and column": 89.2, "links, text and URL": 85.9, "images, src": 94.1, "images, alt": 94.8,
    "emphasis": 92.0, "block quotes, words": 84.6, "TeX found": 95.0, "TeX delimited": 91.4, "footnotes linked": 90.0,
}  # fmt: skip
# what one of the forms has more of
OWN_FIGURES_OF: dict[str, dict[str, float]] = {
    "Markdown": {"footnotes linked": 92.3, "TeX delimited": 95.0, "emphasis": 92.9},
    "HTML": {},
}
# set → every so many of its pages, and the figures of rows that enough of them have
SAMPLES: dict[str, tuple[int, dict[str, float]]] = {
    "wcxb-dev": (
        60,
        {"headings, right level": 89.5, "list items, right depth": 88.4, "links, text and URL": 86.7, "emphasis": 88.6},
    ),
    "dragnet-dev": (
        60,
        {"headings, right level": 85.8, "links, text and URL": 59.2, "images, src": 84.7, "emphasis": 92.2},
    ),
}
# points a figure may fall
SLACK = 0.5


def check(figures: Figures, expected: dict[str, float]) -> None:
    got = {row: round(mean, 1) for row, mean in means(figures).items()}
    assert all(got[row] >= figure - SLACK for row, figure in expected.items()), f"{got}, but it was {expected}"


@pytest.mark.slow
@pytest.mark.parametrize("form", ["Markdown", "HTML"])
def test_markup_of_own_pages_does_not_get_lost(form: str) -> None:
    check([figures_of(f"ours, {form}", page) for page in own_pages()], {**OWN_FIGURES, **OWN_FIGURES_OF[form]})


@pytest.mark.slow
@pytest.mark.parametrize("name", list(SAMPLES))
def test_markup_of_gold_sets_does_not_get_lost(data: Callable[[str], Path], name: str) -> None:
    every, expected = SAMPLES[name]
    folder = data(f"data/{name}.jsonl.xz").parent
    check([figures_of("ours, Markdown", page) for page in gold_pages(folder, name, every)], expected)
