"""Records of any shape, sent through every command and the inspector: none stops them, and an error names the field.

A record is one of a page of the project that all stages have gone through, with one to three of its values, at any
depth, exchanged for one of VALUES, doubled or left out. A *failure* is a record that does not come out, an error that
names an exception instead of the field, or an exception of the command or of the inspector.
"""

from __future__ import annotations

import copy
import json
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

NUM_RECORDS = 40

VALUES: list[Any] = [
    *(None, True, -1, 0, 7, 1 << 63, -(1 << 63), 1e308, 0.5, "", "x", "\ud800", "en", [], ["en"], [[]], [None], {}),
    *([0, 1, "link", "javascript:x"], {"a": 1, "b": "x"}, {"start": 0, "end": 9}, [[0, 99, "em"]], "9" * 400),
]
PAGE = """<html lang=en><head><title>Rain in the town - News</title><meta name=author content="Ann Lee">
<link rel=canonical href=https://a.example/rain><meta property=article:published_time content=2024-05-06>
<script type=application/ld+json>{"@type": "NewsArticle", "author": {"name": "Ann Lee"}, "datePublished": "2024-05-06"}
</script></head><body><nav><a href=/>Home</a> <a href=/about>About</a></nav><article><h1>Rain in the town</h1>
<p>It rained <em>all day</em>, and <a href=/b>nobody</a> went out before the evening<sup><a href=#n1>1</a></sup>.</p>
<ul><li>One thing<li>Another thing</ul><pre><code class=language-python>print(1)</code></pre>
<table><tr><th>Day<th>Rain<tr><td>Monday<td>3 mm</table><blockquote><p>He said that it would stop.</blockquote>
<figure><img src=/a.jpg alt="A street"><figcaption>The street.</figcaption></figure><p>\\(x^2\\) is a square.</p>
<ol><li id=n1>The evening of Monday.</ol></article>
<div class=comments><div class=comment><b class=author>Bob</b> <time>May 7</time><p>I was there, too.</div>
<div class=comment><b class=author>Eve</b> <time>May 8</time><p>I was not there, I think.</div></div></body></html>"""
# Command, options, and the fields that its input does not have.
Command = tuple[str, list[str], list[str]]
COMMANDS: list[Command] = [
    ("nc-normalize", [], []), ("nc-render", [], ["blocks"]), ("nc-segment", ["--markup"], ["segments"]),
    ("nc-segment", ["--markup"], []), ("nc-segment", ["--sentences"], ["segments", "html"]),
    ("nc-score", ["-m", "en", "--explain", "2"], []), ("nc-score", [], []),
    ("nc-score", ["-m", "justext-en", "-m", "perplexity-en"], []), ("nc-select", ["-f", "jsonl", "--as", "html"], []),
    ("nc-select", ["-f", "jsonl", "--as", "markdown", "--front-matter"], []),
    ("nc-select", ["-f", "jsonl", "--as", "xml"], []), ("nc-select", ["-f", "jsonl", "--as", "vertical", "--all"], []),
    ("nc-select", ["-f", "jsonl", "--as", "conllu", "--all"], []), ("nc-select", ["-f", "wet"], []),
    ("nc-select", ["-f", "text", "--as", "markdown", "--front-matter", "--links", "reference"], []),
    ("nc-select", ["-f", "jsonl", "--as", "markdown", "--chunks", "50"], []),
    ("nc-select", ["--name", "{date}-{title}", "-o", "folder"], []), ("nc-eval", ["-f", "json"], []),
    ("nc-train", ["ngram", "-o", "x.model"], []), ("nc-train", ["quality", "-o", "x.model"], []),
    ("nc-train", ["ngram", "--tune", "threshold"], []), ("nc-select", ["-f", "parquet", "-o", "out"], []),
    ("nc-corpus", ["filter", "-f", "jsonl"], []), ("nc-corpus", ["filter", "-f", "jsonl"], ["text"]),
    ("nc-corpus", ["stats", "-f", "json"], []), ("nc-corpus", ["stats"], ["text"]),
    ("nc-corpus", ["split", "-o", "parts"], ["url"]), ("nc-corpus", ["vertical"], ["text"]),
    ("nc-corpus", ["conllu"], ["text"]), ("nc-dedup", ["--mark"], []), ("nc-dedup", ["--near", "--mark"], ["text"]),
    ("nc-dedup", ["--paragraphs", "--mark"], ["text"]), ("nc-dedup", ["--ngrams", "2", "--mark"], []),
    ("nc-clean", ["-j", "1", "-f", "jsonl", "--as", "markdown"], ["segments"]),
    ("nc-clean", ["-j", "1", "-f", "parquet", "-o", "cleaned"], ["segments"]),
]  # fmt: skip


# Whose output, but for -f jsonl, is no record for each record.
WRITES_OTHERS = ("nc-select", "nc-eval", "nc-train", "nc-corpus")


@cache
def whole_record() -> dict[str, Any]:
    """A record that all stages have gone through."""
    commands = ["nc-segment --markup --keep", "nc-score", "nc-select -f jsonl --keep --as markdown"]
    line = json.dumps({"id": "a", "url": "https://a.example/rain", "html": PAGE}).encode()
    for command in commands:
        name, *options = command.split()
        line = subprocess.run([*_program(name), *options], input=line, capture_output=True, check=True).stdout
    return {**json.loads(line), "gold": {"text": "It rained all day."}, "labels": [True]}


def records(count: int, seed: int = 0) -> Iterator[dict[str, Any]]:
    """Records of any shape, with their numbers as `n`."""
    at = random.Random(seed)
    for number in range(count):
        record = copy.deepcopy(whole_record())
        for _ in range(at.randint(1, 3)):
            holders: list[Any] = [record]
            name = at.choice([name for name in record if name != "html"] or ["id"])
            while True:
                holder = holders[-1]
                value = holder.get(name) if isinstance(holder, dict) else holder[name]
                if not isinstance(value, (dict, list)) or not value or at.random() < 0.2:
                    break
                holders.append(value)
                name = at.choice(list(value) if isinstance(value, dict) else range(len(value)))
            _change(holder, name, at)
        yield {**record, "n": number}


def _change(holder: Any, name: Any, at: random.Random) -> None:
    way = at.random()
    if way < 0.1:
        holder.pop(name, None) if isinstance(holder, dict) else holder.pop(name)
    elif way < 0.2 and isinstance(holder, list):
        holder.append(copy.deepcopy(holder[name]))
    else:
        holder[name] = copy.deepcopy(at.choice(VALUES))


def _program(name: str) -> list[str]:
    return [sys.executable, str(ROOT / "bin" / name)]


def failures(command: Command, lines: list[dict[str, Any]], folder: str) -> list[str]:
    """What fails when a command reads the records."""
    name, options, without = command
    made = [{key: value for key, value in line.items() if key not in without} for line in lines]
    given = b"".join(map(_line, made))
    done = subprocess.run([*_program(name), *options], input=given, capture_output=True, cwd=folder)
    messages = done.stderr.decode(errors="replace")
    # too few pages are left to train on: a usage error
    allowed = (0, 1, 2) if name == "nc-train" else (0, 1)
    out = [] if done.returncode in allowed else [f"status {done.returncode}: {messages[:300]}"]
    out += re.findall(r"^Traceback .*|.*\b\w+(?:Error|Exception): .*", messages, re.M)
    if "--chunks" not in options and (name not in WRITES_OTHERS or {"jsonl", "parquet"} & {*options}):
        written = (
            _rows(Path(folder, options[-1])) if "parquet" in options else map(json.loads, done.stdout.splitlines())
        )
        numbers = [record.get("n") for record in written]
        out += ["records are lost, doubled or in another order"] if numbers != [line["n"] for line in lines] else []
    return out


def _rows(where: Path) -> Iterator[dict[str, Any]]:
    """The records of a file of Parquet, or of a folder of such files."""
    import pyarrow.parquet as pq

    from ncfilters.streams.columns import to_record

    for path in sorted(where.glob("*.parquet")) or [where]:
        yield from map(to_record, pq.read_table(path).to_pylist())


def _line(record: dict[str, Any]) -> bytes:
    return json.dumps(record).encode() + b"\n"


def inspector_failures(lines: list[dict[str, Any]], folder: str) -> list[str]:
    """What fails when the inspector reads and analyses the records, and shows each of them."""
    from collected import collected
    from starlette.testclient import TestClient

    from ncfilters.inspector.analysis import Analysis, Settings, analyse
    from ncfilters.inspector.app import Site, application

    path = Path(folder) / "records.jsonl"
    path.write_bytes(b"".join(map(_line, lines)))
    out: list[str] = []
    with collected(path) as collection:
        analysis = Analysis()
        if len(list(analyse(collection, analysis, Settings()))) != len(lines):
            out.append("documents are missing")
        client = TestClient(application(Site(collection, analysis)), "http://127.0.0.1")
        pages = [f"{page}/{number}" for number in range(len(lines)) for page in ("/d", "/api/d", "/report")]
        for page in ["/documents?sort=quality", *pages]:
            answer = client.get(page)
            if answer.status_code not in (200, 422) or re.search(r"\w+(Error|Exception): ", answer.text[:2000]):
                out.append(f"{page}: {answer.status_code} {answer.text[:80]}")
    return out


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join([command[0], *command[1]]))
def test_records_of_any_shape_stop_no_command(command: Command, tmp_path: Path) -> None:
    if "parquet" in command[1]:
        pytest.importorskip("pyarrow")
    assert failures(command, list(records(NUM_RECORDS)), str(tmp_path)) == []


@pytest.mark.slow
def test_records_of_any_shape_do_not_stop_the_inspector(tmp_path: Path) -> None:
    for library in ("httpx", "markdown_it", "multipart", "starlette"):
        pytest.importorskip(library)
    assert inspector_failures(list(records(NUM_RECORDS)), str(tmp_path)) == []
