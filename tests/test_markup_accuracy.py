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
    "headings, right level": 95.4,
    "list items, right depth": 95.1,
    "code blocks found": 99.5,
    "code, lines and indents exact": 97.7,
    "code, language": 96.7,
    "inline code": 90.9,
    "table cells, right row and column": 94.1,
    "links, text and URL": 87.0,
    "images, src": 98.4,
    "images, alt": 99.2,
    "emphasis": 92.7,
    "block quotes, words": 89.1,
    "TeX found": 97.1,
    "TeX delimited": 93.6,
    "footnotes linked": 82.3,
}
# what one of the forms has more of
OWN_FIGURES_OF: dict[str, dict[str, float]] = {
    "Markdown": {"footnotes linked": 84.6, "TeX delimited": 97.1, "emphasis": 93.6},
    "HTML": {},
}
# set → every so many of its pages, and the figures of rows that enough of them have
SAMPLES: dict[str, tuple[int, dict[str, float]]] = {
    "wcxb-dev": (
        60,
        {"headings, right level": 89.4, "list items, right depth": 92.9, "links, text and URL": 86.1, "emphasis": 89.2},
    ),
    "dragnet-dev": (
        60,
        {"headings, right level": 85.8, "links, text and URL": 66.4, "images, src": 84.6, "emphasis": 92.1},
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
