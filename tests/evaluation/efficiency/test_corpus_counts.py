"""The size of a corpus before and after cleaning: counts, joins by id, texts on disk."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ncfilters.errors import RecordError
from ncfilters.evaluation.efficiency.corpus_counts import (
    CleanedCorpus,
    CorpusCounts,
    CorpusInputs,
    RawCorpus,
    StoredTexts,
    raw_text,
    read_corpora,
)
from ncfilters.streams.runner import StreamOptions

PAGE = "<title>T</title><script>x()</script><nav><a href=/>Home</a></nav><p>Über <b>die</b> Brücke<div hidden>no"


def records(path: Path, pages: list[dict[str, Any]]) -> str:
    path.write_text("".join(json.dumps(page) + "\n" for page in pages))
    return str(path)


def read(*files: str, before: str | None = None) -> tuple[RawCorpus, list[CleanedCorpus], int]:
    return read_corpora(CorpusInputs(files, before), StreamOptions("nc-eval"))


def test_stored_texts_are_read_as_written() -> None:
    texts = StoredTexts()
    expected = ["über", "", "日本語\n", "a\0b", "x" * 100_000]
    for n, text in enumerate(expected):
        texts.append(text)
        assert texts[n // 2] == expected[n // 2]  # reads between writes
    assert list(texts) == expected == [texts[n] for n in range(len(texts))]
    texts.append("lone \ud800")
    assert texts[5] == "lone ?"


@pytest.mark.parametrize(
    ("text", "documents", "size", "words"),
    [
        ("two words", 1, 9, 2),
        ("Über\u00a0die\n\n", 1, 12, 2),
        ("日本語 and 你好", 1, 20, 6),
        ("<h>Title\n<p>Some text", 1, 15, 3),
        (" \n", 0, 0, 0),
        ("<p>", 0, 0, 0),
        ("", 0, 0, 0),
    ],
)
def test_counts_of_a_text(text: str, documents: int, size: int, words: int) -> None:
    counts = CorpusCounts("ours", stored=True)
    counts.count(text)
    assert (counts.documents, counts.bytes, counts.words) == (documents, size, words)
    assert counts.texts is not None
    assert len(counts.texts) == documents


def test_texts_of_scripts_without_spaces_are_stored_by_words() -> None:
    counts = CorpusCounts("ours", stored=True)
    counts.count("你好 and")
    assert counts.texts is not None
    assert counts.texts[0].split() == ["你", "好", "and"]
    assert CorpusCounts("ours", stored=False).texts is None


def test_raw_text_is_the_text_without_tags() -> None:
    assert raw_text({"html": PAGE}).split("\n") == ["Home", "Über die Brücke", "no"]
    assert raw_text({"html": PAGE.encode("utf-8")}) == raw_text({"html": PAGE})
    assert raw_text({"html": ""}) == ""


def test_a_raw_corpus_counts_pages_and_text() -> None:
    before = RawCorpus()
    before.add({"id": 1, "html": PAGE})
    before.add({"url": "u", "html": b"<p>caf\xe9"})
    before.add({"id": "text", "text": "as it is"})
    assert (before.documents, before.bytes) == (3, len(PAGE.encode()) + 7 + 8)
    assert (before.text.documents, before.text.words) == (3, 5 + 1 + 3)


@pytest.mark.parametrize(
    ("page", "message"),
    [({"html": "x"}, "id: missing"), ({"id": "2"}, "html: missing"), ({"id": "1", "html": "x"}, "occurs twice")],
)
def test_wrong_pages_are_errors(page: dict[str, Any], message: str) -> None:
    before = RawCorpus()
    before.add({"id": "1", "html": "one"})
    with pytest.raises(RecordError, match=message):
        before.add(page)
    assert (before.documents, before.bytes, before.text.words) == (1, 3, 1)


def test_a_cleaned_corpus_counts_known_pages() -> None:
    before = RawCorpus()
    for n in range(4):
        before.add({"id": n, "html": f"<p>page {n}"})
    after = CleanedCorpus("ours", before)
    after.add({"id": 2, "text": "page"})
    after.add({"id": 0, "text": ""})
    after.add({"id": "no", "text": "of no page"})
    assert (after.documents, after.words, after.unknown, after.missing) == (1, 1, 1, ["1", "3"])
    for page, message in (({"id": 2, "text": "x"}, "occurs twice"), ({"id": 1}, "text: missing"), ({}, "id: missing")):
        with pytest.raises(RecordError, match=message):
            after.add(page)
    assert after.words == 1


def test_texts_are_those_of_pages_whose_files_have_other_names() -> None:
    before = RawCorpus()
    for id in ("1", "2"):
        before.add({"id": id, "html": "<p>a"})
    after = CleanedCorpus("x", before)
    for id in ("1.html", "2-cleaned", "3"):
        after.add({"id": id, "text": "a"})
    assert (after.documents, after.unknown, after.missing) == (2, 1, [])


def test_pages_may_be_in_the_first_systems_records(tmp_path: Path) -> None:
    first = [{"id": n, "html": f"<p>page {n}<p>menu", "text": f"page {n}"} for n in range(3)]
    second = [{"id": 1, "text": "page"}]
    before, (one, two), status = read(f"one={records(tmp_path / 'a', first)}", f"two={records(tmp_path / 'b', second)}")
    assert status == 0
    assert (before.documents, before.text.words, one.words, two.words) == (3, 9, 6, 1)
    assert (one.missing, two.missing) == ([], ["0", "2"])


def test_pages_of_before_have_priority(tmp_path: Path) -> None:
    pages = records(tmp_path / "pages", [{"id": n, "html": "<p>one two three"} for n in range(2)])
    texts = records(tmp_path / "a", [{"id": n, "html": "<p>other", "text": "one"} for n in range(2)])
    before, (after,), status = read(texts, before=pages)
    assert (before.text.words, after.words, after.missing, status) == (6, 2, [], 0)


def test_records_that_fail_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    error = {"stage": "nc-segment", "message": "no"}
    pages = [{"id": 1, "html": "a b", "text": "a"}, {"id": 2, "text": "x"}, {"id": 3, "html": "c", "error": error}]
    before, (after,), status = read(records(tmp_path / "a", pages))
    assert (before.documents, after.words, status) == (1, 1, 1)
    assert "record 2 (2): html: missing" in capsys.readouterr().err
