"""What a stream of pages holds before and after: counts, matching by id, texts on disk."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pytest

from ncfilters.commands.eval import options
from ncfilters.errors import RecordError, UsageError
from ncfilters.evaluation.efficiency import corpus_counts
from ncfilters.evaluation.efficiency.corpus_counts import After, Before, Holding, Texts, raw_text

PAGE = "<title>T</title><script>x()</script><nav><a href=/>Home</a></nav><p>Über <b>die</b> Brücke<p hidden>no"


def written(path: Path, pages: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(page) + "\n" for page in pages))
    return path


def read(*args: str | Path) -> tuple[Before, list[After], int]:
    namespace: argparse.Namespace = options().parse_args(["--savings", *map(str, args)])
    return corpus_counts.read("nc-eval", namespace, stored=True)


def test_texts_wait_on_disk_as_they_were() -> None:
    texts = Texts()
    wanted = ["über", "", "日本語\n", "a\0b", "x" * 100_000]
    for n, text in enumerate(wanted):
        texts.add(text)
        assert texts[n // 2] == wanted[n // 2]  # reading between does no harm
    assert list(texts) == wanted == [texts[n] for n in range(len(texts))]
    texts.add("lone \ud800")
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
def test_counts(text: str, documents: int, size: int, words: int) -> None:
    holding = Holding("ours", stored=True)
    holding.add(text)
    assert (holding.documents, holding.bytes, holding.words) == (documents, size, words)
    assert holding.texts is not None
    assert len(holding.texts) == documents


def test_texts_of_scripts_without_spaces_are_stored_by_words() -> None:
    holding = Holding("ours", stored=True)
    holding.add("你好 and")
    assert holding.texts is not None
    assert holding.texts[0].split() == ["你", "好", "and"]
    assert Holding("ours", stored=False).texts is None


def test_raw_text_is_all_but_tags() -> None:
    assert raw_text({"html": PAGE}).split("\n") == ["Home", "Über die Brücke", "no"]
    assert raw_text({"html": PAGE.encode("utf-8")}) == raw_text({"html": PAGE})
    assert raw_text({"html": ""}) == ""


def test_before() -> None:
    before = Before()
    before.take({"id": 1, "html": PAGE})
    before.take({"url": "u", "html": b"<p>caf\xe9"})
    before.take({"id": "text", "text": "as it is"})
    assert (before.documents, before.bytes) == (3, len(PAGE.encode()) + 7 + 8)
    assert (before.text.documents, before.text.words) == (3, 5 + 1 + 3)


@pytest.mark.parametrize(
    ("page", "message"),
    [({"html": "x"}, "id: missing"), ({"id": "2"}, "html: missing"), ({"id": "1", "html": "x"}, "a second time")],
)
def test_wrong_pages(page: dict[str, Any], message: str) -> None:
    before = Before()
    before.take({"id": "1", "html": "one"})
    with pytest.raises(RecordError, match=message):
        before.take(page)
    assert (before.documents, before.bytes, before.text.words) == (1, 3, 1)


def test_after() -> None:
    before = Before()
    for n in range(4):
        before.take({"id": n, "html": f"<p>page {n}"})
    after = After("ours", before)
    after.take({"id": 2, "text": "page"})
    after.take({"id": 0, "text": ""})
    after.take({"id": "no", "text": "of nobody"})
    assert (after.documents, after.words, after.unknown, after.missing) == (1, 1, 1, ["1", "3"])
    for page, message in (({"id": 2, "text": "x"}, "second time"), ({"id": 1}, "text: missing"), ({}, "id: missing")):
        with pytest.raises(RecordError, match=message):
            after.take(page)
    assert after.words == 1


def test_pages_in_the_first_systems_records(tmp_path: Path) -> None:
    first = [{"id": n, "html": f"<p>page {n}<p>menu", "text": f"page {n}"} for n in range(3)]
    second = [{"id": 1, "text": "page"}]
    before, (one, two), status = read(f"one={written(tmp_path / 'a', first)}", f"two={written(tmp_path / 'b', second)}")
    assert status == 0
    assert (before.documents, before.text.words, one.words, two.words) == (3, 9, 6, 1)
    assert (one.missing, two.missing) == ([], ["0", "2"])


def test_pages_before_have_priority(tmp_path: Path) -> None:
    pages = written(tmp_path / "pages", [{"id": n, "html": "<p>one two three"} for n in range(2)])
    records = written(tmp_path / "a", [{"id": n, "html": "<p>other", "text": "one"} for n in range(2)])
    before, (after,), status = read("--before", pages, records)
    assert (before.text.words, after.words, after.missing, status) == (6, 2, [], 0)


def test_records_that_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    error = {"stage": "nc-segment", "message": "no"}
    pages = [{"id": 1, "html": "a b", "text": "a"}, {"id": 2, "text": "x"}, {"id": 3, "html": "c", "error": error}]
    before, (after,), status = read(written(tmp_path / "a", pages))
    assert (before.documents, after.words, status) == (1, 1, 1)
    assert "record 2 (2): html: missing" in capsys.readouterr().err


def test_nothing_to_compare() -> None:
    before = Before()
    with pytest.raises(UsageError, match="no page as it was"):
        corpus_counts.tell("nc-eval", before, [After("ours", before)])
    before.take({"id": "1", "html": "x"})
    with pytest.raises(UsageError, match="ours: none of the pages before, such as '1'"):
        corpus_counts.tell("nc-eval", before, [After("ours", before)])
