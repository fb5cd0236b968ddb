"""nc-select -f wet."""

from __future__ import annotations

import io
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from archives import DOCUMENTS
from fastwarc.warc import ArchiveIterator, WarcRecordType

from ncfilters.commands import select
from ncfilters.streams.html_pages import PageSelection
from ncfilters.streams.warc_reader import WarcReader

Verb = Callable[..., tuple[int, bytes, str]]
Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


def segments(document: dict[str, Any]) -> dict[str, Any]:
    """A document for nc-select that has its text as one segment."""
    rest = {name: value for name, value in document.items() if name != "text"}
    text = document["text"].replace("\ud800", "\ufffd")
    return {**rest, "segments": [{"text": text, "type": "p", "score": 1}] if text else []}


def test_wet_files_hold_the_texts_of_records(verb: Verb) -> None:
    documents = [segments(document) for document in DOCUMENTS]
    documents.insert(1, {"id": "bad", "segments": [{"text": "x", "type": "p"}]})
    status, out, err = verb(select.main, "-f", "wet", stdin=documents)
    assert (status, err) == (1, "nc-select: record 2 (bad): segments[0].score: missing; run nc-score first\n")
    source: list[Any] = [("x", io.BytesIO(out))]
    read: list[Any] = list(WarcReader(source, PageSelection(1 << 20)))
    jsonl = verb(select.main, "-f", "jsonl", stdin=documents)[1].splitlines()
    assert [record["text"] for record in read] == [json.loads(line)["text"] for line in jsonl if b'"error"' not in line]
    assert [record["text"] for record in read][0] == "Żółw 中文"


def test_a_url_that_is_too_long_fails_alone(verb: Verb) -> None:
    documents = [
        segments({"id": id, "url": "h" * size, "text": id}) for id, size in (("a", 1), ("b", 99_999), ("c", 1))
    ]
    status, out, err = verb(select.main, "-f", "wet", stdin=documents)
    assert (status, err) == (1, "nc-select: record 2 (b): url: too long for a WET file, more than 16,384 bytes\n")
    assert [
        record.reader.read() for record in ArchiveIterator(io.BytesIO(out), record_types=WarcRecordType.conversion)
    ] == [b"a", b"c"]


def test_a_folder_of_pages_becomes_a_wet_file(tmp_path: Path, run: Run) -> None:
    text = "The council decided on Monday that the old bridge will be repaired before the winter, and not replaced."
    page = f"<title>T</title><nav><a href=/>Home</a> | <a href=/x>More</a></nav><p>{text}</p><p>{text[:-1]} at all.</p>"
    for name in ("a.html", "b/c.html"):
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_text(page)
    data = b""
    for command in (("nc-warc", "in"), ("nc-segment",), ("nc-score",), ("nc-select", "-f", "wet")):
        done = run(*command, stdin=data)
        assert (done.returncode, done.stderr) == (0, b"")
        data = done.stdout
    again = [json.loads(line) for line in run("nc-warc", stdin=data).stdout.splitlines()]
    assert [record["url"] for record in again] == ["urn:x-ncfilters:a.html", "urn:x-ncfilters:b/c.html"]
    assert {record["text"] for record in again} == {f"{text}\n{text[:-1]} at all."}
