#!/usr/bin/env python3
"""One extractor on pages in JSON lines, for bench/speed.py: as a program, or the CPU of its calls alone.

    python bench/speed_worker.py trafilatura < pages.jsonl > texts.jsonl
    python bench/speed_worker.py --calls records < pages.jsonl      # prints CPU seconds and the number of characters
    python bench/speed_worker.py fastwarc < crawl.warc.gz           # reads an archive

It runs in any environment that has orjson and the extractor, or fastwarc.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

import orjson

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

Page = dict[str, Any]
# Pages that are extracted before calls are measured.
WARM_UP = 10


def each(extract: Callable[[str], str]) -> Callable[[Iterable[Page]], Iterator[str]]:
    """The texts of pages, by a function of the HTML of one."""
    return lambda pages: (extract(page["html"]) for page in pages)


def peer(name: str) -> Callable[[Iterable[Page]], Iterator[str]]:
    """Another program, by its name in `bench.peers`."""
    from bench.peers import PEERS

    extract = PEERS[name].extract
    return each(lambda html: extract(html, "en"))


def lexbor() -> Callable[[Iterable[Page]], Iterator[str]]:
    """Bare parsing."""
    from selectolax.lexbor import LexborHTMLParser

    def parse(html: str) -> str:
        LexborHTMLParser(html)
        return ""

    return each(parse)


def records() -> Callable[[Iterable[Page]], Iterator[str]]:
    """Pipeline("en").records."""
    from ncfilters.pipeline import Pipeline

    pipeline = Pipeline("en")
    return lambda pages: (record["text"] for record in pipeline.records(pages))


def clean() -> Callable[[Iterable[Page]], Iterator[str]]:
    """Pipeline("en").clean of one page after the other."""
    from ncfilters.pipeline import Pipeline

    return each(Pipeline("en").clean)


def read_archive(archive: IO[bytes]) -> int:
    """Reads all records of a WARC file with fastwarc, which decodes nothing of them. Returns the number of bytes."""
    from fastwarc.warc import ArchiveIterator

    return sum(len(record.reader.read()) for record in ArchiveIterator(archive, parse_http=False))


OWN = {"lexbor": lexbor, "records": records, "clean": clean}


def main(arguments: Sequence[str]) -> None:
    """Runs the extractor that is named last, or reads an archive."""
    name = arguments[-1]
    if name == "fastwarc":
        read_archive(sys.stdin.buffer)
        return
    texts_of = OWN[name]() if name in OWN else peer(name)
    lines = sys.stdin.buffer
    if "--calls" not in arguments:
        for text in texts_of(map(orjson.loads, lines)):
            sys.stdout.buffer.write(orjson.dumps({"text": text}, option=orjson.OPT_APPEND_NEWLINE))
        return
    pages = [orjson.loads(line) for line in lines]
    for _ in texts_of(pages[:WARM_UP]):
        pass
    start = time.process_time()
    chars = sum(map(len, texts_of(pages)))
    print(time.process_time() - start, chars)


if __name__ == "__main__":
    main(sys.argv[1:])
