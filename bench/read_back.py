#!/usr/bin/env python3
"""Whether parsers read the text of pages back from Markdown, HTML and TEI, and nothing else.

    python bench/read_back.py ../shared/data --every 10
    python bench/read_back.py ../shared/data --set wcxb --show    # the first words that differ, page by page
    python bench/read_back.py ../shared/data --every 1 --part 2/8 --processes 1    # the second eighth of all pages

All segments of a page are written, whether they are text or not. Markdown is parsed by markdown-it-py, HTML by
html5lib.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from read_back import differences  # noqa: E402

from bench.support import Record, read_lines  # noqa: E402
from ncfilters.page.profiles import PageOptions  # noqa: E402
from ncfilters.segmentation.segmenter import segment_record  # noqa: E402


def pages(folder: Path, every: int, name: str) -> Iterator[Record]:
    """Every *every*th page of the gold sets whose file begins with *name*."""
    for path in sorted(folder.glob(f"{name}*-dev.jsonl.xz")):
        for record in map(json.loads, islice(read_lines(path), 0, None, every)):
            yield {"id": f"{path.name} {record.get('id')}", "url": record.get("url"), "html": record["html"]}


def check(record: Record) -> tuple[str, dict[str, str]]:
    """The id of a page, and what differs in each form."""
    return record["id"], differences(segment_record(record, PageOptions(markup=True)))


def _part(text: str) -> tuple[int, int]:
    number, of = map(int, text.split("/"))
    if not 1 <= number <= of:
        raise ValueError(text)
    return number, of


def main() -> int:
    """Prints how many pages differ in each form."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--every", type=int, default=10)
    parser.add_argument("--set", default="", help="a set alone, such as wcxb")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--part", type=_part, default=(1, 1), metavar="K/N", help="the Kth of N parts of the pages")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    args = parser.parse_args()
    counts: Counter[str] = Counter()
    number, of = args.part
    chosen = islice(pages(args.data, args.every, args.set), number - 1, None, of)
    with ProcessPoolExecutor(args.processes) as pool:
        for page, found in pool.map(check, chosen, chunksize=8):
            counts["pages"] += 1
            counts.update(list(found))
            for form, words in found.items() if args.show else ():
                print(f"{page}: {form}: {words}", flush=True)
    print(", ".join(f"{name} {number}" for name, number in counts.items()))
    return int(len(counts) > 1)


if __name__ == "__main__":
    sys.exit(main())
