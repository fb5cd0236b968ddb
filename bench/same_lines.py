#!/usr/bin/env python3
"""Compares what nc-segment writes with its compiled cores and without: the same bytes, from a line in to a line out.

    python bench/same_lines.py ../shared/data/*-dev.jsonl.xz                          # all lines of these sets
    python bench/same_lines.py ../shared/data/wcxb-dev.jsonl.xz --fuzz 100000
    python bench/same_lines.py ../shared/data/wcxb-dev.jsonl.xz --options=--markup    # or other options

With --fuzz N, N lines are made instead, from pages as `same_walks` makes them with embedded content, in records with
other fields; some are damaged. Messages are compared, too. Prints the number of lines that differ, and writes the first
to a file. Exit status: 0; 1 if a line differs.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import orjson

from bench.same_walks import FUZZED_PAGES, PageMaker, pages_of
from bench.support import log, read_lines
from ncfilters.page import compiled_core

COMMAND = [sys.executable, str(Path(__file__).resolve().parent.parent / "bin" / "nc-segment")]
# Lines of one run of the command, and those between two lines on standard error.
BATCH, REPORTED = 1_000, 20_000
DIFFERING_LINE = "differing-line.jsonl"

SENTENCE = "The river rose by two metres on Tuesday, and nobody in the town was hurt. It fell again after a week."
OTHER = (
    "A new bridge will open in spring, they say, \u201cif the weather allows\u201d. Érd \u4e2d\u6587\u3002 10\u00b2 m."
)
EMBEDDED = (
    '<script type="application/ld+json">{"@type":"Article","articleBody":"%s"}</script>',
    '<script type="application/ld+json">{"@type":"Product","name":"A","description":"%s","price":1}</script>',
    '<script type=application/LD+JSON>[{"@type":"Question","name":"Why?","acceptedAnswer":{"text":"<p>%s"}},]</script>',
    '<script>window.__STATE__ = {"post": {"body": "%s"}};</script>',
    '<script type="application/json">{"a": ["%s", "<b>x</b>"]}</script>',
    "<template><p>%s</p></template>",
    "<template shadowrootmode=open><p>%s</p></template>",
    '<iframe srcdoc="&lt;p>%s"></iframe>',
    "<noscript><p>%s</p></noscript>",
    "<noscript><iframe src=a></noscript><p>%s",
    '<meta name=description content="%s">',
    '<META property="OG:Description" name=x content="%s">',
    '<div data-page=\'{"a": "%s"}\'>',
    "<p>%s",
    "<title>%s",
    "</title>",
    "<h1>%s</h1><p>By <a href=/author/ann>Ann Lee</a> | 3 May 2024",
    "<p class=byline>Written by ANN LEE, MD and Bob O\u2019Neill<p>Updated: 03/05/24 10:30",
    "<p>Posted on 2024-05-03 by Zo\u00eb M\u00fcller</p><p>Last updated</p><p>May 5, 2024</p>",
    "<p>About Ann Lee<p>Ann Lee is a writer. She lives by the sea. %s",
    '<meta name=author content="Lee, Ann"><title>Rain - The Gazette</title>',
    "<!-- %s -->",
    "<style>%s</style>",
)
FIELDS: tuple[Any, ...] = (
    ("url", "http://site.example/a"),
    ("lang", "de"),
    ("lang", ""),
    ("lang_probability", 1),
    ("head", {"title": "Snow", "kinds": []}),
    ("head", 7),
    ("text", OTHER),
    ("date", None),
    ("\u00fc\u0001", [1.50, {"x": [True, "\u2028"]}]),
    ("nc", 1),
    ("more", {"$base64": "AAEC"}),
)
UNUSUAL_FIELDS: tuple[Any, ...] = (
    ("blocks", []),
    ("segments", []),
    ("error", {"stage": "nc-warc", "message": "x"}),
    ("nc", 2),
    ("id", 1.5),
    ("html", None),
    ("more", 10**30),
)


class LineMaker:
    """Makes lines at random, from a seed and pieces of real pages."""

    def __init__(self, seed: int, pages: Sequence[str]) -> None:
        self._random, self._pages = random.Random(seed), PageMaker(seed, pages)

    def line(self) -> bytes:
        """A line."""
        chance = self._random.random
        record = dict([("id", "a"), ("html", self._page()), *self._some(FIELDS, 3)])
        if chance() < 0.1:
            record |= dict(self._some(UNUSUAL_FIELDS, 1))
        items = list(record.items())
        self._random.shuffle(items)
        line = self._written(dict(items))
        if chance() < 0.05:
            line = self._damaged(line)
        return line.replace(b"\n", b" ") + b"\n"

    def _page(self) -> str:
        parts = [self._pages.page() for _ in range(self._random.choice((1, 1, 2)))]
        for form in self._some(EMBEDDED, 4):
            text = self._random.choice((SENTENCE, OTHER, f"{SENTENCE} {OTHER}"))
            parts.insert(self._random.randint(0, len(parts)), form.replace("%s", text))
        return "".join(parts)

    def _some(self, items: Sequence[Any], most: int) -> list[Any]:
        return [self._random.choice(items) for _ in range(self._random.randint(0, most))]

    def _written(self, record: dict[str, Any]) -> bytes:
        try:
            return orjson.dumps(record, option=self._random.choice((0, orjson.OPT_INDENT_2)))
        except (TypeError, orjson.JSONEncodeError):  # lone surrogates, large numbers
            return json.dumps(record).encode()

    def _damaged(self, line: bytes) -> bytes:
        out = bytearray(line)
        for _ in range(self._random.randint(1, 3)):
            at = self._random.randrange(len(out))
            out[at : at + self._random.randint(0, 2)] = self._random.choice(
                (
                    b"",
                    b"\\",
                    b'"',
                    b"\xff",
                    b"\\u12",
                    b"\\ud83d",
                    b"\\ud83d\\ude00",
                    b"\\u0000",
                    b"\x00",
                    b"\t",
                    b",",
                    b"}",
                    b"\xc3",
                )
            )
        return bytes(out)


def written(lines: Sequence[bytes], walk: str, options: Sequence[str]) -> tuple[list[bytes], bytes]:
    """What the command writes: the lines, and the messages."""
    environment = {**os.environ, compiled_core.VARIABLE: walk}
    done = subprocess.run(
        [*COMMAND, "--quiet", *options], input=b"".join(lines), capture_output=True, env=environment, check=False
    )
    return done.stdout.splitlines(), done.stderr


def differing(lines: Sequence[bytes], options: Sequence[str]) -> list[bytes]:
    """The lines of a batch whose results differ; all, if only the messages do."""
    ours, theirs = (written(lines, walk, options) for walk in (compiled_core.COMPILED, compiled_core.PYTHON))
    if ours == theirs:
        return []
    if len(lines) == 1:
        return list(lines)
    middle = len(lines) // 2
    parts = differing(lines[:middle], options) + differing(lines[middle:], options)
    return parts or list(lines)


def batches(lines: Iterable[bytes]) -> Iterator[list[bytes]]:
    """The lines, BATCH at once."""
    iterator = iter(lines)
    while batch := list(islice(iterator, BATCH)):
        yield batch


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, metavar="PAGES", help="records with html")
    parser.add_argument("--fuzz", type=int, metavar="N", help="make N lines")
    parser.add_argument("--options", default="", help="options of nc-segment")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first line (default: %(default)s)")
    args = parser.parse_args()
    if compiled_core.core() is None:
        raise SystemExit("there is no compiled core here: python setup.py build_ext --inplace")
    if args.fuzz:
        maker = LineMaker(args.seed, list(pages_of(args.files, FUZZED_PAGES)))
        lines = (maker.line() for _ in range(args.fuzz))
    else:
        lines = (line.rstrip(b"\n") + b"\n" for file in args.files for line in read_lines(file))
    found: list[bytes] = []
    number = 0
    for batch in batches(lines):
        number += len(batch)
        found += differing(batch, args.options.split())
        if not number % REPORTED:
            log(f"{number} lines, {len(found)} differ")
    if found:
        Path(DIFFERING_LINE).write_bytes(found[0])
    print(f"{number} lines, {len(found)} differ" + (f"; the first one is in {DIFFERING_LINE}" if found else ""))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
