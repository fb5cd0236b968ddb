"""The analysis of all documents in the background."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ncfilters.inspector import indexing
from ncfilters.inspector.analysis import Analysis, Settings
from ncfilters.inspector.collection import Collection
from ncfilters.inspector.table import Query

DATA = Path(__file__).resolve().parent.parent / "data"


def rows(collection: Collection, **given: str) -> list[dict[str, object]]:
    query = Query.of(given)
    return collection.select(*query.condition(), query.order(), query.window).rows


def test_each_document_gets_its_figures(tmp_path: Path) -> None:
    pytest.importorskip("rapidfuzz", reason="rapidfuzz, of the extra web, is not installed")
    broken = tmp_path / "broken.jsonl"
    broken.write_text(json.dumps({"id": "broken"}) + "\n")
    with Collection([str(DATA / "pages-with-gold.jsonl"), str(broken)]) as collection:
        collection.read_all()
        numbers = list(indexing.analyse(collection, Analysis(), Settings()))
        assert numbers == list(range(len(collection))) and collection.analysed() == len(collection)
        gold = rows(collection, only="gold", sort="f")
        assert [row["f"] for row in gold] == sorted(row["f"] for row in gold)  # type: ignore[type-var]
        assert gold[-1]["lang"] and gold[-1]["snippet"] and gold[-1]["quality"] is not None
        assert "missing" in str(rows(collection, only="error")[0]["error"])


def test_the_thread_ends_when_it_is_told() -> None:
    made = []

    def make() -> Analysis:
        made.append(1)
        return Analysis()

    with Collection([str(DATA / "crawl.jsonl")]) as collection:
        collection.read_all()
        indexing.start(make, collection, Settings()).set()
    assert len(made) <= 1
