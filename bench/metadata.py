#!/usr/bin/env python3
"""The metadata of pages by nc-segment --markup and by two libraries, and their time.

    python bench/metadata.py ../shared/data           # writes bench/metadata.md; six minutes
    python bench/metadata.py ../shared/data -n 50     # of 50 pages of each set, to standard output

DATA is the folder of gold sets. Libraries that are installed (`pip install trafilatura htmldate`) are compared.
"""

from __future__ import annotations

import argparse
import importlib
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.support import BENCH, Record, log, markdown, read_pages
from ncfilters.page.metadata.complete_head import complete_head
from ncfilters.page.metadata.titles import title_key
from ncfilters.page.profiles import PageOptions
from ncfilters.segmentation.page_language import with_language
from ncfilters.segmentation.segmenter import segment_record

Reader = Callable[[Record], Record]

OURS = "ours"
# A press page was published on the day of its id, or up to so many days before it was fetched.
MAX_DAYS = 3
HEAD = """# The metadata of pages

`python bench/metadata.py DATA` writes this page. Ours is the field `head` of `nc-segment --markup`, without a model.
{missing}

Titles are compared by their letters and digits, authors as sets of names, in any order, dates by the day. The gold
standard of `wcxb-dev` names a title for each page, and the author and the date that the page shows; sometimes, that is
the site or its staff, whom ours names where the page shows them or the site is named after a person, and the day of
the last change. Its articles are {articles} of {pages} pages. `fundus-dev` are articles of the press, `recipes-dev`
recipes. The ids of `daniel-dev` have the day on which the page was fetched: a date is taken for right if it is that day
or one of the {days} before.

## Accuracy

Per cent of the pages for which the gold standard has the field. *wrong*: names that the gold standard does not have.
*unasked*: an author where the gold standard has none.

"""
COST = """
## Time

CPU time for each page of `wcxb-dev`, in milliseconds. The first line is nc-segment with and without `--markup` in one
process; the libraries parse the page for metadata alone. Other work on the machine makes these figures higher.

"""


def names(author: Any) -> frozenset[str]:
    """The names of an author field, comparable."""
    text = ", ".join(author) if isinstance(author, list) else str(author or "")
    return frozenset(key for part in re.split(r"[,;&]| and | with ", text) if (key := title_key(part)))


def letters(text: Any) -> str:
    """A title, comparable."""
    return title_key(str(text or "")).replace(" ", "")


def ours(page: Record) -> Record:
    """The head of a page by nc-segment --markup."""
    record = segment_record({"html": page["html"], "url": page.get("url")}, PageOptions(markup=True))
    head: Record = complete_head(with_language(record)).get("head", {})
    return head


def _trafilatura(page: Record) -> Record:
    extract = importlib.import_module("trafilatura.metadata").extract_metadata
    found = extract(page["html"], default_url=page.get("url"))
    fields = {name: getattr(found, name) for name in ("title", "author", "date", "language")}
    return {**fields, "site": found.sitename}


def _htmldate(page: Record) -> Record:
    return {"date": importlib.import_module("htmldate").find_date(page["html"], url=page.get("url"))}


LIBRARIES: dict[str, Reader] = {"trafilatura": _trafilatura, "htmldate": _htmldate}


def readers() -> dict[str, Reader]:
    """Ours, and the libraries that are installed."""
    return {OURS: ours, **{name: read for name, read in LIBRARIES.items() if find_spec(name)}}


def judged(page: Record, found: Record) -> Counter[str]:
    """What is right and wrong in the metadata *found* of a page."""
    gold, out = page.get("gold", {}), Counter[str]()
    if gold.get("title"):
        out["title pages"] += 1
        out["title"] += letters(found.get("title")) == letters(gold["title"])
        said, asked = names(found.get("author")), names(gold.get("author"))
        if asked:
            out["author pages"] += 1
            out["author"] += said == asked
            out["wrong"] += bool(said) and not said & asked
        else:
            out["unasked pages"] += 1
            out["unasked"] += bool(said)
    if gold.get("site"):
        out["site pages"] += 1
        out["site"] += letters(found.get("site")) == letters(gold["site"])
    if gold.get("date"):
        out["date pages"] += 1
        out["date"] += str(found.get("date") or "")[:10] == gold["date"][:10]
    if day := re.fullmatch(r"daniel/(\d{4})(\d\d)(\d\d)_.*", str(page.get("id"))):
        out["press date pages"] += 1
        out["language pages"] += 1
        out["language"] += str(found.get("language") or "").split("-")[0] == page["lang"]
        if said_day := found.get("date"):
            distance = (date(int(day[1]), int(day[2]), int(day[3])) - date.fromisoformat(said_day[:10])).days
            out["press date"] += 0 <= distance <= MAX_DAYS
            out["press date false"] += distance < 0
    return out


COLUMNS = (
    ("title", "title"), ("author", "author"), ("wrong", "author"), ("unasked", "unasked"), ("date", "date"),
    ("site", "site"), ("press date", "press date"), ("press date false", "press date"), ("language", "language"),
)  # fmt: skip


def accuracy_table(groups: dict[str, dict[str, Counter[str]]]) -> Iterator[str]:
    """The rows of a table: for each group of pages and each system the per cent of each column."""
    rows = []
    for group, systems in groups.items():
        for system, counts in systems.items():
            cells = [
                f"{100 * counts[name] / of:.1f}"
                if (of := counts[f"{base} pages"]) and counts[f"{system} {base}"]
                else "–"
                for name, base in COLUMNS
            ]
            rows.append([f"{group}, {system}", *cells])
    return markdown(["pages", *[name for name, _ in COLUMNS]], rows)


def measure(pages: Sequence[Record], systems: dict[str, Reader]) -> tuple[dict[str, Counter[str]], dict[str, float]]:
    """For each system what is right and wrong of the pages, and its CPU time in milliseconds a page."""
    counts: dict[str, Counter[str]] = {}
    times: dict[str, float] = {}
    for system, read in systems.items():
        total = Counter[str]()
        start = time.process_time()
        found = [read(page) for page in pages]
        times[system] = 1e3 * (time.process_time() - start) / max(len(pages), 1)
        for page, fields in zip(pages, found):
            total += judged(page, fields)
        for name, base in COLUMNS:
            field = {"wrong": "author", "unasked": "author", "press date": "date", "press date false": "date"}.get(
                name, name
            )
            total[f"{system} {base}"] += any(field in fields for fields in found)
        counts[system] = total
        log(f"{system}: {times[system]:.1f} ms a page")
    return counts, times


def report(folder: Path, number: int | None) -> Iterator[str]:
    """The lines of the page."""
    systems = readers()
    wcxb = read_pages(folder / "wcxb-dev.jsonl.xz", number)
    articles = [page for page in wcxb if page.get("page_type") == "article"]
    others = [page for page in wcxb if page.get("page_type") != "article"]
    groups = {}
    groups["wcxb-dev, articles"], times = measure(articles, systems)
    groups["wcxb-dev, others"], other_times = measure(others, systems)
    for name in ("fundus-dev", "recipes-dev", "daniel-dev"):
        groups[name] = measure(read_pages(folder / f"{name}.jsonl.xz", number), systems)[0]
    versions = ", ".join(f"{name} {version(name)}" for name in systems if name != OURS)
    missing = f"Compared: {versions}." if versions else "No library is installed to compare."
    yield HEAD.format(missing=missing, articles=len(articles), pages=len(wcxb), days=MAX_DAYS)
    yield from accuracy_table(groups)
    yield COST
    share = len(articles) / max(len(wcxb), 1)
    mean = {name: share * times[name] + (1 - share) * other_times[name] for name in systems}
    plain = _plain_time(wcxb)
    rows = [["nc-segment, and with --markup", f"{plain:.1f}, {mean[OURS]:.1f}"]]
    rows += [[name, f"{mean[name]:.1f}"] for name in systems if name != OURS]
    yield from markdown(["system", "ms a page"], rows)


def _plain_time(pages: Sequence[Record]) -> float:
    start = time.process_time()
    for page in pages:
        with_language(segment_record({"html": page["html"], "url": page.get("url")}, PageOptions()))
    return 1e3 * (time.process_time() - start) / max(len(pages), 1)


def main() -> int:
    """Writes the page, or a part of it to standard output."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("data", type=Path, metavar="DATA", help="folder of the gold sets")
    parser.add_argument("-n", "--number", type=int, metavar="N", help="pages of each set (default: all)")
    args = parser.parse_args()
    text = "".join(report(args.data, args.number))
    if args.number:
        sys.stdout.write(text)
    else:
        (BENCH / "metadata.md").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
