"""The report on a corpus is one page that loads nothing, in which names are text."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from ncfilters.corpus.statistics import Statistics
from ncfilters.errors import UsageError
from ncfilters.evaluation.report import corpus_html

pytest.importorskip("matplotlib", reason="matplotlib is not installed")


def test_the_page_loads_nothing_and_escapes_names() -> None:
    counts = Statistics()
    counts.add({"text": "It rained.", "lang": "<script>alert(1)</script>", "url": "http://a.example/"})
    counts.add({"text": "It rained.", "lang": "\ud800", "url": "http://b.example/"})
    page = corpus_html.corpus_page(counts.facts(5))
    addresses = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            assert tag != "script"
            addresses.extend(value for name, value in attrs if name in ("src", "href"))

    Reader().feed(page)
    assert len(addresses) == 3
    assert all((address or "").startswith("data:image/svg+xml;base64,") for address in addresses)
    assert "&lt;script&gt;" in page


def test_a_folder_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        corpus_html.write(Statistics().facts(5), str(tmp_path / "none" / "x.html"))


def plots(*documents: dict[str, Any]) -> dict[str, bytes]:
    counts = Statistics()
    for document in documents:
        counts.add(document)
    return dict(corpus_html.corpus_plots(counts.facts(5)))


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
    assert b"(none)" not in found["Words of the largest sites."]


def test_equal_data_gives_equal_plots() -> None:
    assert plots(*MANY) == plots(*MANY)


def test_there_is_none_without_data() -> None:
    assert plots() == {}
    assert list(plots({"text": "It rained.", "lang": "en"})) == ["Documents by their length, to a factor of 2."]
