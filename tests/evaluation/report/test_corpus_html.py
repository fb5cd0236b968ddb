"""The report on a corpus is one page that loads nothing, in which names are text."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

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
