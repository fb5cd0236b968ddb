"""The plots of a corpus."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

from ncfilters.corpus.statistics import Statistics
from ncfilters.evaluation.report.corpus_plots import corpus_plots

pytest.importorskip("matplotlib", reason="matplotlib is not installed")


def plots(*documents: dict[str, Any]) -> dict[str, str]:
    counts = Statistics()
    for document in documents:
        counts.add(document)
    return dict(corpus_plots(counts.facts(5)))


MANY = [
    {
        "text": "It rained. " * number,
        "url": f"http://{'x$<' * 9}{number}.example/",
        "lang": "en" if number % 3 else "zh",
        "quality": number / 40,
        "duplicate": "near" if number % 2 else None,
        "head": {"date": str(1_000 + 40 * number)},
        "filter": [{"rule": "gopher.words", "value": 1}],
    }
    for number in range(40)
]


def test_there_is_a_plot_for_each_kind_of_data() -> None:
    found = plots(*MANY)
    assert len(found) == 7
    assert "Documents by year: 40 of 40 have a date." in found
    for svg in found.values():
        ElementTree.fromstring(svg)
    assert "(none)" not in found["Words of the largest sites."]


def test_equal_data_gives_equal_plots() -> None:
    assert plots(*MANY) == plots(*MANY)


def test_there_is_none_without_data() -> None:
    assert plots() == {}
    assert list(plots({"text": "It rained.", "lang": "en"})) == ["Documents by their length, to a factor of 2."]
