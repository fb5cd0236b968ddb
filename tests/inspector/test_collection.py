"""The documents that are inspected."""

from __future__ import annotations

import gzip
import json
import os
import time
from pathlib import Path

import pytest

from ncfilters.errors import UsageError
from ncfilters.inspector import collection
from ncfilters.inspector.collection import KEY_PREFIX, Collection, PastedPages, record_of
from ncfilters.inspector.table import Query

DATA = Path(__file__).resolve().parent.parent / "data"
CRAWL = DATA / "crawl.jsonl"
RECORDS = [json.loads(line) for line in CRAWL.read_text(encoding="utf-8").splitlines()]


def ids(collection: Collection, **given: str) -> list[str]:
    query = Query.of(given)
    return [row["id"] for row in collection.select(*query.condition(), query.order(), query.window).rows]


def test_lines_stay_in_their_file() -> None:
    with Collection([str(CRAWL)]) as collection:
        collection.read_all()
        assert len(collection) == len(RECORDS) and collection.is_complete
        assert [collection.record(number) for number in range(len(RECORDS))] == RECORDS


def test_other_inputs_are_spooled(tmp_path: Path) -> None:
    packed, page = tmp_path / "crawl.jsonl.gz", tmp_path / "page.html"
    packed.write_bytes(gzip.compress(CRAWL.read_bytes()))
    page.write_bytes("<html><p>caf\xe9 au lait".encode("cp1252"))
    with Collection([str(packed), str(page)]) as collection:
        collection.read_all()
        assert collection.record(0) == RECORDS[0]
        assert collection.record(len(RECORDS))["html"] == "<html><p>café au lait"


def test_temporary_files_have_no_name_that_could_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with Collection([str(CRAWL)]) as collection:
        collection.read_all()
        assert os.listdir(tmp_path) == [] and collection.record(0)


def test_a_missing_file_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="No such file"):
        Collection(["/nowhere/at/all.jsonl"])


def test_a_broken_line_is_a_document_with_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "a", "text": "x"}\n{"id": broken\n\n{"id": "c", "text": "y"}\n')
    with Collection([str(path)]) as collection:
        collection.read_all()
        assert len(collection) == 3
        assert "not JSON" in collection.record(1)["error"]["message"]
        assert ids(collection, only="error") == [None]


def test_search_sort_and_filters() -> None:
    with Collection([str(CRAWL)]) as collection:
        collection.read_all()
        assert ids(collection, q="tram saltmarsh") == ["news"]
        assert ids(collection, q="100%_") == []
        assert (
            ids(collection, sort="length", order="desc")[0] == max(RECORDS, key=lambda r: len(r.get("html", "")))["id"]
        )
        assert ids(collection, site="wendlegazette.example") == ["news"]
        assert collection.values_of("site", 100)


def test_the_analysis_of_a_document_goes_to_its_row() -> None:
    with Collection([str(CRAWL)]) as collection:
        collection.read_all()
        collection.update(3, {"lang": "en", "quality": 0.5, "unknown": 1})
        query = Query.of({"lang": "en", "min_quality": "0.5"})
        assert [row["n"] for row in collection.select(*query.condition(), query.order(), query.window).rows] == [3]


@pytest.mark.slow
def test_a_hundred_thousand_documents_do_not_slow_it_down(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    with path.open("w") as file:
        for number in range(100_000):
            url = f"http://www.site{number % 900}.example/{number}"
            file.write(
                json.dumps({"id": f"d{number}", "url": url, "text": f"Some text of page {number}", "lang": "en"}) + "\n"
            )
    with Collection([str(path)]) as collection:
        collection.read_all()
        for given in ({}, {"sort": "site", "page": "1500"}, {"q": "page 77777"}, {"site": "site7.example"}):
            start = time.process_time()
            assert ids(collection, **given)
            assert time.process_time() - start < 0.5
        assert collection.record(99_999)["id"] == "d99999"


# ---- pasted
def test_pages_have_keys_that_nobody_guesses() -> None:
    pages = PastedPages()
    keys = [pages.add("<p>a"), pages.add("<p>b", "b.html")]
    assert len(set(keys)) == 2 and all(key.startswith(KEY_PREFIX) and len(key) >= 16 for key in keys)
    assert pages.record(keys[1]) == {"html": "<p>b", "id": "b.html"}
    with pytest.raises(KeyError):
        pages.record("p-other")


def test_the_first_pages_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collection, "MAX_CHARS", 100)
    pages = PastedPages()
    keys = [pages.add("<p>" + "x" * 37) for _ in range(3)]
    with pytest.raises(KeyError):
        pages.record(keys[0])
    assert pages.record(keys[2])


def test_markup_is_html_and_the_rest_is_text() -> None:
    assert record_of("<p>a") == {"html": "<p>a"}
    assert record_of("  <!doctype html><p>a")["html"]
    assert record_of("It rained. 1 < 2") == {"text": "It rained. 1 < 2"}
    assert record_of(b'<meta charset="iso-8859-1"><p>caf\xe9')["html"].endswith("café")
