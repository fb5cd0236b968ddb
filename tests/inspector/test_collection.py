"""Collections: their pages, index, analysis and labels."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browsers import wait_for
from collected import collected

from ncfilters.errors import UsageError
from ncfilters.inspector.analysis import Analysis, Settings, analyse, start
from ncfilters.inspector.collection import MAX_PASTED, PAGE_ROWS, Collection, PastedPages, page_of, record_of
from ncfilters.inspector.labels import LabelFile, key_of, labelled_record

DATA = Path(__file__).resolve().parent.parent / "data"
CRAWL = DATA / "crawl.jsonl"
RECORDS = [json.loads(line) for line in CRAWL.read_text(encoding="utf-8").splitlines()]


def ids(collection: Collection, **given: str) -> list[str]:
    return [row["id"] for row in rows(collection, **given)]


def rows(collection: Collection, **query: str) -> list[Any]:
    return collection.select(query, (page_of(query) - 1) * PAGE_ROWS)[0]


def test_lines_stay_in_their_file() -> None:
    with collected(CRAWL) as collection:
        assert len(collection) == len(RECORDS) and collection.is_complete
        assert [collection.record(number) for number in range(len(RECORDS))] == RECORDS


def test_other_inputs_are_spooled(tmp_path: Path) -> None:
    packed, page = tmp_path / "crawl.jsonl.gz", tmp_path / "page.html"
    packed.write_bytes(gzip.compress(CRAWL.read_bytes()))
    page.write_bytes("<html><p>caf\xe9 au lait".encode("cp1252"))
    with collected(packed, page) as collection:
        assert collection.record(0) == RECORDS[0]
        assert collection.record(len(RECORDS))["html"] == "<html><p>café au lait"


def test_temporary_files_have_no_name_that_could_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with collected(CRAWL) as collection:
        assert os.listdir(tmp_path) == [] and collection.record(0)


def test_a_missing_file_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="No such file"):
        Collection(["/nowhere/at/all.jsonl"])


def test_a_broken_line_is_a_document_with_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "a", "text": "x"}\n{"id": broken\n\n{"id": "c", "text": "y"}\n')
    with collected(path) as collection:
        assert len(collection) == 3
        assert "not JSON" in collection.record(1)["error"]["message"]
        assert ids(collection, only="error") == [None]


def test_search_sort_filters_and_rows() -> None:
    with collected(CRAWL) as collection:
        assert ids(collection, q="tram saltmarsh") == ["news"]
        assert ids(collection, q="100%_") == []
        assert (
            ids(collection, sort="length", order="desc")[0] == max(RECORDS, key=lambda r: len(r.get("html", "")))["id"]
        )
        assert ids(collection, site="wendlegazette.example") == ["news"]
        assert collection.values_of("site", 100)
    with collected(CRAWL) as collection:
        collection.update(3, {"lang": "en", "quality": 0.5})
        assert [row["n"] for row in rows(collection, lang="en", min_quality="0.5")] == [3]


@pytest.mark.slow
def test_thirty_thousand_documents_do_not_slow_it_down(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    with path.open("w") as file:
        for number in range(30_000):
            url = f"http://www.site{number % 900}.example/{number}"
            file.write(
                json.dumps({"id": f"d{number}", "url": url, "text": f"Some text of page {number}", "lang": "en"}) + "\n"
            )
    with collected(path) as collection:
        for given in ({}, {"sort": "site", "page": "500"}, {"q": "page 27777"}, {"site": "site7.example"}):
            start = time.process_time()
            assert ids(collection, **given)
            assert time.process_time() - start < 0.2
        assert collection.record(29_999)["id"] == "d29999"


# ---- pasted
def test_the_last_pages_that_were_pasted_are_kept() -> None:
    pages = PastedPages()
    keys = [pages.add("<p>a"), *(pages.add("<p>b", "b.html") for _ in range(MAX_PASTED))]
    assert len(set(keys)) == len(keys)
    assert pages.record(keys[1]) == pages.record(keys[-1]) == {"html": "<p>b", "id": "b.html"}
    with pytest.raises(KeyError):
        pages.record(keys[0])


def test_markup_is_html_and_the_rest_is_text() -> None:
    assert record_of("<p>a") == {"html": "<p>a"}
    assert record_of("  <!doctype html><p>a")["html"]
    assert record_of("It rained. 1 < 2") == {"text": "It rained. 1 < 2"}
    assert record_of(b'<meta charset="iso-8859-1"><p>caf\xe9')["html"].endswith("café")


def test_each_document_gets_its_figures(tmp_path: Path) -> None:
    pytest.importorskip("rapidfuzz", reason="rapidfuzz, of the extra web, is not installed")
    broken = tmp_path / "broken.jsonl"
    broken.write_text(json.dumps({"id": "broken"}) + "\n")
    with collected(DATA / "pages-with-gold.jsonl", broken) as collection:
        numbers = list(analyse(collection, Analysis(), Settings()))
        assert numbers == list(range(len(collection))) and collection.analysed() == len(collection)
        gold = rows(collection, only="gold", sort="f")
        assert [row["f"] for row in gold] == sorted(row["f"] for row in gold)
        assert gold[-1]["lang"] and gold[-1]["snippet"] and gold[-1]["quality"] is not None
        assert "missing" in str(rows(collection, only="error")[0]["error"])


def test_the_thread_ends_with_the_collection() -> None:
    before = threading.active_count()
    with collected(DATA / "crawl.jsonl") as collection:
        start(Analysis, collection, Settings())
        assert threading.active_count() > before
    wait_for(lambda: threading.active_count() == before)


SEGMENTS = [
    {"text": "Home", "type": "l", "path": "body/nav", "score": -3.0, "keep": False},
    {"text": "It rained.", "type": "p", "path": "body/p", "score": 2.0, "keep": True},
]


def page(name: str, text: str = "It rained.") -> dict[str, object]:
    return {"id": name, "html": f"<p>{text}", "gold": {"text": text, "policy": "main"}, "labels": [True]}


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_pages_are_appended(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    labels = LabelFile(str(path))
    labels.save(page("a"))
    labels.save(page("b"))
    labels.save(page("a", "It snowed."))
    assert [line["id"] for line in lines(path)] == ["a", "b", "a"]
    assert len(labels) == 2
    assert labels.decisions("a") == [True] and labels.decisions("c") is None


def test_the_last_record_of_a_page_stays(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    labels = LabelFile(str(path))
    for one in (page("a"), page("b"), page("a", "It snowed.")):
        labels.save(one)
    path.chmod(0o600)
    with pytest.raises(UsageError, match=r"labels.jsonl: in use by another nc-inspect"):
        LabelFile(str(path))
    labels.compact()
    with pytest.raises(UsageError, match="in use"):
        LabelFile(str(path))
    del labels
    again = LabelFile(str(path))
    assert [(line["id"], line["html"]) for line in lines(path)] == [("a", "<p>It snowed."), ("b", "<p>It rained.")]
    assert path.stat().st_mode & 0o777 == 0o600
    assert again.decisions("b") == [True]
    assert [file.name for file in tmp_path.iterdir()] == ["labels.jsonl"]


@pytest.mark.parametrize("cut", [1, 2, 20, 60])
def test_a_line_that_was_cut_off_is_removed(cut: int, tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    LabelFile(str(path)).save(page("a"))
    whole = path.read_bytes()
    LabelFile(str(path)).save(page("b"))
    path.write_bytes(path.read_bytes()[:-cut])
    labels = LabelFile(str(path))
    assert path.read_bytes().startswith(whole)
    # a line without its line break alone is complete
    assert [line["id"] for line in lines(path)] == (["a", "b"] if cut == 1 else ["a"])
    labels.save(page("c"))
    assert lines(path)[-1]["id"] == "c"


@pytest.mark.parametrize("content", ["some text", "some text\n", '{"id": "a", "text": "no gold"}\n', "[1]\n"])
def test_a_file_of_something_else_is_left_alone(content: str, tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(content)
    with pytest.raises(UsageError, match="not a file of labelled pages"):
        LabelFile(str(path))
    assert path.read_text() == content


def test_a_folder_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="labels.jsonl: No such file"):
        LabelFile(str(tmp_path / "none" / "labels.jsonl"))


def test_the_gold_of_labels() -> None:
    document = {"id": "a", "html": "<p>", "segments": SEGMENTS, "models": ["x"], "lang": "en"}
    found = labelled_record(document, SEGMENTS, [True, True], "all")
    assert found == {
        "id": "a", "html": "<p>", "lang": "en", "gold": {"text": "Home\nIt rained.", "policy": "all"},
        "labels": [True, True],
    }  # fmt: skip
    with pytest.raises(ValueError, match="expected 2 decisions"):
        labelled_record(document, SEGMENTS, [True], "all")
    found = labelled_record({"id": "a", "text": "Home"}, SEGMENTS, [False, True], "main")
    assert found["segments"] == [{name: s[name] for name in ("text", "type", "path")} for s in SEGMENTS]
    assert "text" not in found and key_of({"url": "u"}) == "u"


def test_nc_train_learns_from_the_file(tmp_path: Path, run: Callable[..., subprocess.CompletedProcess[bytes]]) -> None:
    pytest.importorskip("rapidfuzz", reason="rapidfuzz, of the extra workshop, is not installed")
    labels = LabelFile(str(tmp_path / "labels.jsonl"))
    for number in range(3):
        html = f"<div>Home News {number} Subscribe</div><p>It rained all day in the valley, and nobody went out.</p>"
        document = {"id": f"p{number}", "url": f"http://s{number}.example/", "html": html}
        segments = [
            {"text": f"Home News {number} Subscribe", "type": "p"},
            {"text": "It rained all day in the valley, and nobody went out.", "type": "p"},
        ]
        labels.save(labelled_record(document, segments, [False, True], "main"))
    done = run("nc-train", "ngram", "-o", "new.model", "labels.jsonl")
    assert (done.returncode, (tmp_path / "new.model").exists()) == (0, True), done.stderr


def test_a_model_is_trained_beside_the_labels_or_says_why(tmp_path: Path) -> None:
    write = (
        "import sys; print('nc-train: pages: 3', file=sys.stderr); open(sys.argv[3], 'w').write(' '.join(sys.argv[1:]))"
    )
    labels = LabelFile(str(tmp_path / "labelled.jsonl"), [sys.executable, "-c", write])
    path, messages = labels.train()
    assert path == str(tmp_path / "labelled.ngram.model") and messages == "nc-train: pages: 3"
    assert Path(path).read_text() == f"ngram -o {path} {labels.path}"
    fail = [sys.executable, "-c", "import sys; sys.exit('nc-train: no training data')"]
    with pytest.raises(UsageError, match="no training data"):
        LabelFile(str(tmp_path / "others.jsonl"), fail).train()
