"""A long stream of records, of which one in a hundred is broken, in thirty ways: whether each is counted, and whether
memory grows.

    print(table(rows(num_records=1_000_000)))

A record is a piece of a page of the project. nc-clean reads the same records as JSON lines and as MessagePack, with one
process and with two. Each must come out once, in order, and a broken one with an error; the outputs must be the same,
but for the messages about what is no record at all, which differ in the two formats. Memory is that of all processes
of nc-clean, sampled while it works; its slope is the median of the slopes between any two samples of the second half
(Theil and Sen), which pages that the system takes away for a while, and a process that ends, do not change.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from statistics import median
from typing import Any

import msgpack

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "tests" / "data" / "pages" / "original"
PIECE, EVERY, SEED = 1_500, 100, 18
SAMPLE_SECONDS = 1.0

# What is wrong with a record: the same in both formats.
VALUES: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "html is a number": lambda r: {**r, "html": 7},
    "html is a list": lambda r: {**r, "html": [r["html"]]},
    "html is an object": lambda r: {**r, "html": {"text": r["html"]}},
    "html is null": lambda r: {**r, "html": None},
    "html is false": lambda r: {**r, "html": False},
    "no html": lambda r: {"id": r["id"]},
    "text is a number": lambda r: {"id": r["id"], "text": 1.5},
    "text is a list": lambda r: {"id": r["id"], "text": []},
    "blocks is a string": lambda r: {"id": r["id"], "blocks": "p"},
    "a block without text": lambda r: {"id": r["id"], "blocks": [{"path": "p"}]},
    "a block that is a number": lambda r: {"id": r["id"], "blocks": [7]},
    "the text of a block is a number": lambda r: {"id": r["id"], "blocks": [{"text": 7}]},
    "segments is a number": lambda r: {"id": r["id"], "segments": 7},
    "a segment without text": lambda r: {"id": r["id"], "segments": [{"type": "p"}]},
    "the text of a segment is null": lambda r: {"id": r["id"], "segments": [{"text": None}]},
    "links of a segment is a string": lambda r: {"id": r["id"], "segments": [{"text": "a", "links": "b"}]},
    "a later version": lambda r: {**r, "nc": 99},
    "the version is a string": lambda r: {**r, "nc": "1"},
    "url is a number": lambda r: {**r, "url": 7},
    "blocks is a number": lambda r: {"id": r["id"], "blocks": 7},
    "an error of an earlier program": lambda r: {**r, "error": {"stage": "x", "message": "y"}},
}
# What is no record: the line, and the value of MessagePack.
NO_RECORDS: dict[str, tuple[Callable[[bytes], bytes], Any]] = {
    "cut": (lambda line: line[: len(line) // 2], "text"),
    "without its first half": (lambda line: line[len(line) // 2 :], 1.5),
    "an array": (lambda line: b"[" + line + b"]", [1]),
    "a number": (lambda line: b"7", 2.5),
    "a string": (lambda line: b'"text"', "more text"),
    "null": (lambda line: b"null", None),
    "a wrong escape": (lambda line: line[:-1] + b', "x": "\\q"}', False),
    "a control character": (lambda line: line[:-1] + b', "x": "\x01"}', True),
    "two values": (lambda line: line + b" " + line, b"bytes"),
}
WAYS = [*VALUES, *NO_RECORDS]


@dataclass
class Stream:
    """What came of one run."""

    documents: int = 0
    broken: int = 0
    missing: int = 0  # of all
    unmarked: int = 0  # broken without an error
    wrong: int = 0  # whole, but with an error
    pages_per_second: float = 0.0
    memory: list[tuple[int, float]] = field(default_factory=list)  # documents so far, MB of all processes
    output: list[int] = field(default_factory=list)  # a hash of each document

    @property
    def slope(self) -> float:
        """MB for each 100,000 documents, in the second half of the run: the median of the slopes between samples."""
        samples = self.memory[len(self.memory) // 2 :]
        slopes = [(y - b) / (x - a) for (a, b), (x, y) in combinations(samples, 2) if x > a]
        return 1e5 * median(slopes) if slopes else 0.0


def pieces() -> list[str]:
    """The pages of the project."""
    return [path.read_text(encoding="utf-8", errors="replace") for path in sorted(PAGES.glob("*.html"))]


def made(number: int, pages: list[str]) -> tuple[dict[str, Any], str]:
    """A record, and in which way it is broken, if it is."""
    at = random.Random(number * SEED)
    page = at.choice(pages)
    place = at.randrange(max(len(page) - PIECE, 1))
    record = {"id": number, "html": f"<title>{number}</title>{page[place : place + PIECE]}"}
    return record, WAYS[number // EVERY % len(WAYS)] if number % EVERY == EVERY // 2 else ""


def packed(number: int, pages: list[str], form: str) -> bytes:
    """A record as it is written in a format, broken or whole."""
    record, way = made(number, pages)
    if way in VALUES:
        record = VALUES[way](record)
    if form == "msgpack":
        data: bytes = msgpack.packb(NO_RECORDS[way][1] if way in NO_RECORDS else record)
        return data
    line = json.dumps(record).encode()
    return (NO_RECORDS[way][0](line) if way in NO_RECORDS else line) + b"\n"


def run(num_records: int, form: str, jobs: int) -> Stream:
    """Feeds the records to nc-clean, and counts what comes out."""
    out, pages = Stream(), pieces()
    begin = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "bin" / "nc-clean"), "-j", str(jobs), "-f", "jsonl"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdin and process.stdout
    threading.Thread(target=_feed, args=(process.stdin, num_records, pages, form), daemon=True).start()
    last = 0.0
    for number, line in enumerate(process.stdout):
        count_document(out, json.loads(line), made(number, pages)[1], number)
        if time.monotonic() - last > SAMPLE_SECONDS:
            last = time.monotonic()
            out.memory.append((number, memory(process.pid)))
    process.wait()
    out.missing = num_records - out.documents
    out.pages_per_second = num_records / (time.monotonic() - begin)
    return out


def _feed(to: Any, num_records: int, pages: list[str], form: str) -> None:
    with to:
        for number in range(num_records):
            to.write(packed(number, pages, form))


def count_document(out: Stream, document: dict[str, Any], way: str, number: int) -> None:
    """Counts a document that came out in the place of that number, which was broken in that way, or not at all."""
    out.documents += 1
    out.broken += bool(way)
    error = document.pop("error", None)
    out.unmarked += bool(way) and error is None
    out.wrong += not way and (error is not None or document.get("id") != number)
    if way not in NO_RECORDS:
        document["message"] = error
    out.output.append(hash(json.dumps(document, sort_keys=True)))


def memory(pid: int) -> float:
    """MB of a process and those below it; of shared pages their part."""
    return sum(map(_proportional, _tree(pid))) / 1024


def _tree(pid: int) -> Iterator[int]:
    yield pid
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return
    for child in children:
        yield from _tree(int(child))


def _proportional(pid: int) -> int:
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    except OSError:
        pass
    return 0


def rows(num_records: int) -> list[tuple[str, Stream, int]]:
    """Each run, and how many of its documents differ from those of the first."""
    os.environ.setdefault("PYTHONHASHSEED", "0")
    found: list[tuple[str, Stream, int]] = []
    for form, jobs in (("jsonl", 1), ("msgpack", 1), ("jsonl", 2)):
        stream = run(num_records, form, jobs)
        first = found[0][1] if found else stream
        differ = sum(a != b for a, b in zip(stream.output, first.output))
        found.append((f"{'JSON lines' if form == 'jsonl' else 'MessagePack'}, -j {jobs}", stream, differ))
    return found


def table(rows: list[tuple[str, Stream, int]]) -> str:
    """The runs as a table."""
    text = [
        "| input | records | broken | missing | broken without an error | whole with an error | unlike the first run "
        "| memory, MB | slope, MB per 100,000 |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, stream, differ in rows:
        most = max((size for _, size in stream.memory), default=0.0)
        figures = (stream.documents, stream.broken, stream.missing, stream.unmarked, stream.wrong, differ)
        counts = " | ".join(f"{figure:,}" for figure in figures)
        text.append(f"| {name} | {counts} | {most:.0f} | {stream.slope:+.2f} |")
    return "\n".join(text)
