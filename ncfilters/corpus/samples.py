"""A page with samples of duplicates, each beside the document that it is a duplicate of.

samples = Samples(20)
samples.add("b", "a", 0.9, "It rained.")
samples.html("3 documents, 1 duplicate")
"""

from __future__ import annotations

import random
import re
import sqlite3
from difflib import SequenceMatcher
from html import escape
from typing import NamedTuple

# Characters of a text that are shown.
EXCERPT = 3000
_HEAD = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>Duplicates</title>
<style>body{font:15px/1.45 system-ui,sans-serif;max-width:75em;margin:2em auto;padding:0 1em}
table{width:100%;table-layout:fixed;border-collapse:collapse;margin:0 0 2em}
td,th{vertical-align:top;text-align:left;padding:.5em;border:1px solid #ccc;overflow-wrap:anywhere;white-space:pre-wrap}
ins{background:#dff3df;text-decoration:none}del{background:#fbe3e3;text-decoration:none}</style>
"""


class _Sample(NamedTuple):
    """A duplicate: its name, that of the document it is a duplicate of, how similar they are, and its text."""

    name: str
    of: str | None
    similarity: float | None
    text: str
    is_part: bool


class Samples:
    """*count* of the duplicates, each as likely as any other, and the beginnings of documents in a temporary file."""

    def __init__(self, count: int) -> None:
        self._count, self._seen = count, 0
        self._random = random.Random(1)
        self._samples: list[_Sample] = []
        self._texts = sqlite3.connect("", isolation_level=None)
        self._texts.execute("CREATE TABLE texts (name TEXT PRIMARY KEY, text TEXT)")

    def remember(self, name: str, text: str) -> None:
        """Keeps the text of a document that may have duplicates."""
        self._texts.execute("INSERT OR IGNORE INTO texts VALUES (?, ?)", (name, text[:EXCERPT]))

    def add(self, name: str, of: str | None, similarity: float | None, text: str, is_part: bool = False) -> None:
        """Takes a duplicate into account, or one paragraph (reservoir sampling, Vitter 1985, algorithm R)."""
        self._seen += 1
        sample = _Sample(name, of, similarity, text[:EXCERPT], is_part)
        if len(self._samples) < self._count:
            self._samples.append(sample)
        elif (place := self._random.randrange(self._seen)) < self._count:
            self._samples[place] = sample

    def html(self, summary: str) -> str:
        """The page. Words that one of two texts has alone are coloured."""
        rows = "".join(map(self._row, self._samples))
        return f"{_HEAD}<h1>Duplicates</h1><p>{escape(summary)}</p>{rows or '<p>There are none.</p>'}</html>\n"

    def _row(self, sample: _Sample) -> str:
        similar = "" if sample.similarity is None else f", similarity {sample.similarity:.2f}"
        head = f"<tr><th>{escape(sample.name)}: dropped{similar}<th>{escape(sample.of or 'seen in earlier documents')}"
        found = self._texts.execute("SELECT text FROM texts WHERE name = ?", (sample.of,)).fetchone()
        if not found or sample.is_part:
            why = "" if not sample.of else "has the same" if sample.is_part else "its text is not in this run"
            return f"<table>{head}<tr><td>{escape(sample.text)}<td>{why}</table>"
        left, right = _compared(sample.text, found[0])
        return f"<table>{head}<tr><td>{left}<td>{right}</table>"


def _compared(one: str, other: str) -> tuple[str, str]:
    words, others = (re.findall(r"[\u3040-\u9fff]|[^\s\u3040-\u9fff]+|\s+", text) for text in (one, other))
    left, right = [], []
    for kind, start, end, other_start, other_end in SequenceMatcher(None, words, others, False).get_opcodes():
        mine, theirs = escape("".join(words[start:end])), escape("".join(others[other_start:other_end]))
        left.append(mine if kind == "equal" or not mine else f"<del>{mine}</del>")
        right.append(theirs if kind == "equal" or not theirs else f"<ins>{theirs}</ins>")
    return "".join(left), "".join(right)
