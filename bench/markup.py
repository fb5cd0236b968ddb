#!/usr/bin/env python3
"""What is left of headings, lists, tables, code, links, images, emphasis, quotes, formulas and footnotes.

    python bench/markup.py ../shared/data            # writes bench/markup.md; ten minutes
    python bench/markup.py                           # the pages written for the project alone, to standard output
    python bench/markup.py --failures                # what ours gets wrong on them, row by row and page by page
    python bench/markup.py ../shared/data --show PAGE

DATA is the folder of gold sets. Systems that are installed (`pip install trafilatura readability-lxml`) are compared.
"""

from __future__ import annotations

import argparse
import os
import pprint
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.markup_elements import ROWS, Elements, elements_of_html, elements_of_markdown, invented, scores
from bench.markup_pages import SETS, Page, gold_pages, own_pages
from bench.support import BENCH, Record, log, markdown

OURS = "ours, Markdown"


@dataclass(frozen=True)
class System:
    """A system: the package (ours has none), how it is called, and what it makes of a page."""

    package: str
    call: str
    output: Callable[[Record], str]
    is_html: bool = False

    @property
    def version(self) -> str | None:
        """The version of the package; "" for ours, None where it is not installed."""
        try:
            return version(self.package) if self.package else ""
        except PackageNotFoundError:
            return None

    def elements(self, page: Record) -> Elements:
        """The elements of its output; none where it fails."""
        try:
            text = self.output(page)
        except Exception:  # a system may raise any exception for a page that it cannot read
            text = ""
        return (elements_of_html if self.is_html else elements_of_markdown)(text, page["url"])


@cache
def _pipeline(form: str) -> Any:
    from ncfilters.pipeline import Pipeline  # the other systems do without

    return Pipeline(form=form, markup=True)


def _ours(form: str) -> Callable[[Record], str]:
    return lambda page: str(_pipeline(form).record(dict(page))["text"])


def _trafilatura(form: str) -> Callable[[Record], str]:
    def output(page: Record) -> str:
        from trafilatura import extract  # an optional dependency

        options = {"include_links": True, "include_images": True, "include_formatting": True, "include_tables": True}
        text = extract(page["html"], url=page["url"], output_format=form, include_comments=True, **options)
        return text or ""

    return output


def _resiliparse(page: Record) -> str:
    from resiliparse.extract.html2text import extract_plain_text  # an optional dependency

    options = {"preserve_formatting": "minimal_html", "main_content": True, "links": True, "alt_texts": True}
    return str(extract_plain_text(page["html"], **options))


def _readability(page: Record) -> str:
    from readability import Document  # an optional dependency

    document = Document(page["html"], url=page["url"])
    return f"<h1>{document.short_title()}</h1>{document.summary(html_partial=True)}"


TRAFILATURA_OPTIONS = "include_links, include_images, include_formatting, include_tables, include_comments, url"
SYSTEMS = {
    OURS: System("", "nc-segment --markup | nc-score | nc-select --as markdown", _ours("markdown")),
    "ours, HTML": System("", "nc-segment --markup | nc-score | nc-select --as html", _ours("html"), is_html=True),
    "trafilatura, Markdown": System(
        "trafilatura", f'output_format="markdown", {TRAFILATURA_OPTIONS}', _trafilatura("markdown")
    ),
    "trafilatura, HTML": System(
        "trafilatura", f'output_format="html", {TRAFILATURA_OPTIONS}', _trafilatura("html"), is_html=True
    ),
    "readability, HTML": System("readability-lxml", "h1 of short_title(), then summary()", _readability, is_html=True),
    "Resiliparse, HTML": System(
        "resiliparse",
        'main_content, preserve_formatting="minimal_html", links, alt_texts, list_bullets',
        _resiliparse,
        is_html=True,
    ),
}


def system_labels() -> dict[str, str]:
    """The systems that are installed: name with version → name."""
    return {
        f"{name} ({system.version})" if system.version else name: name
        for name, system in SYSTEMS.items()
        if system.version is not None
    }


Figures = list[tuple[str, dict[str, float], dict[str, bool]]]  # page, figure of each row, what is invented

HEAD = """# Markup: what a page says besides its words

`python bench/markup.py DATA` writes this page. Figures are per cent: the mean over the pages that have the element. The
same code reads and scores all systems: markdown-it-py parses Markdown (CommonMark with tables and strike-through of
GitHub, footnotes, `$…$`), lxml reads HTML (`bench/markup_elements.py`). F is that of two
multisets. Text is compared by its words, lower-cased; code and TeX by their characters.

| row | what must agree |
| --- | --- |
| headings | level and words |
| list items | depth and words, without those of inner lists, tables and code |
| code blocks | found: 80 % of the characters; exact: all lines and indents; language: of blocks that have one |
| inline code | the text |
| table cells | row, column and words; rows without text do not count |
| links | words and absolute URL; the page itself and places in it do not count |
| images | absolute URL; and alternative text |
| emphasis | `em` or `strong`, and words; not in headings and header cells |
| block quotes | the words in them |
| TeX | found: anywhere in the output; delimited: as a formula |
| footnotes | the word before the mark, and the text that the mark leads to |

Systems:

{systems}"""
OWN = """
## Pages written for the project

{number} pages in the markup of generators and content systems, with navigation, rails and footers, each with the
Markdown that a careful reader would write (`tests/data/markup`). Ours is developed on them. In brackets: of the pages
without the element, how many per cent have it in the output.
"""
MARKDOWN = """
## {name}

{number} pages of static sites, with the Markdown that their authors wrote.
"""
GOLD = """
## {name}

{number} pages: every {every}th{types}.
The elements are those of the DOM whose text lies in the gold text, found by aligning words; lxml parses the page. What
the output has beyond the gold text counts as wrong. The truth is rougher here: pages have bold and lists for the
layout, some gold texts are incomplete, and they have no images, which count if gold text is on both sides.
"""


def figures_of(name: str, page: Page) -> tuple[str, dict[str, float], dict[str, bool]]:
    """The figures of a system on a page."""
    found = output_of(name, page)
    return page.name, scores(page.expected, found), invented(page.expected, found)


def output_of(name: str, page: Page) -> Elements:
    """The elements of a system's output; not a title that the gold text lacks."""
    found = SYSTEMS[name].elements(page.record)
    if page.title:
        for level in range(1, 7):
            key = (level, page.title)
            if key not in page.expected.headings:
                found.headings.pop(key, None)
    return found


def measure(name: str, pages: Sequence[Page], processes: int) -> Figures:
    """The figures of a system on all pages."""
    log(f"{name}: {len(pages)} pages")
    with ProcessPoolExecutor(processes) as pool:
        return list(pool.map(partial(figures_of, name), pages, chunksize=4))


def means(figures: Figures) -> dict[str, float]:
    """The mean of each row over the pages that have the element, per cent."""
    values = {row: [scores[row] for _, scores, _ in figures if row in scores] for row in ROWS}
    return {row: 100 * sum(found) / len(found) for row, found in values.items() if found}


def table(pages: Sequence[Page], processes: int, with_invented: bool) -> Iterator[str]:
    """The lines of a table: a row for each element, a column for each system."""
    labels = system_labels()
    results = {name: measure(name, pages, processes) for name in labels.values()}
    rows = []
    for row in ROWS:
        cells = []
        for figures in results.values():
            extra = [invented[row] for _, _, invented in figures if row in invented]
            mean = means(figures).get(row)
            shown = "" if mean is None else f"{mean:.1f}"
            if with_invented:
                shown += f" ({100 * sum(extra) / len(extra):.0f})" if extra else ""
            cells.append(shown)
        number = sum(row in scores for _, scores, _ in results[OURS])
        rows.append([row, str(number), *cells])
    yield from (line.rstrip("\n") for line in markdown(["", "pages", *labels], rows))


def failures(pages: Sequence[Page]) -> Iterator[str]:
    """For each row the pages where ours is wrong, with what is missing and what is too much."""
    out: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for page in pages:
        found = output_of(OURS, page)
        for row, value in scores(page.expected, found).items():
            if value < 1:
                out[row].append((value, f"{page.name}: {100 * value:.0f}\n{difference(row, page.expected, found)}"))
    for row in ROWS:
        yield f"\n## {row}: {len(out[row])} pages\n"
        yield from (text for _, text in sorted(out[row]))


def difference(row: str, expected: Elements, found: Elements) -> str:
    """What is missing (-) and what is too much (+)."""
    name = ROWS[row][1] or {"code": "code", "images": "alts", "TeX": "formulas"}[row.split(",")[0].split()[0]]
    pair = [getattr(one, name) for one in (expected, found)]
    wanted, got = (one if isinstance(one, Counter) else Counter(one) for one in pair)
    lines = [f"    - {str(key)[:200]}" for key in wanted - got] + [f"    + {str(key)[:200]}" for key in got - wanted]
    return "\n".join(lines[:24])


def report(data: Path, processes: int) -> Iterator[str]:
    """The lines of the page."""
    lines = [f"- {label}: {SYSTEMS[name].call}" for label, name in system_labels().items()]
    yield HEAD.format(systems="\n".join(lines))
    pages = list(own_pages())
    yield OWN.format(number=len(pages))
    yield from table(pages, processes, True)
    for name, every in SETS.items():
        pages = list(gold_pages(data, name, every))
        types = " of the types article, documentation and forum" if name == "wcxb-dev" else ""
        head = MARKDOWN if name == "sources-dev" else GOLD
        yield head.format(name=name, number=len(pages), every=every, types=types)
        yield from table(pages, processes, False)


def main() -> None:
    """Runs the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, help="the folder of gold sets")
    parser.add_argument("-j", "--processes", type=int, default=2)
    parser.add_argument("--set", choices=SETS, help="the pages of this set alone")
    parser.add_argument("--failures", action="store_true", help="print what ours gets wrong")
    parser.add_argument("--show", metavar="PAGE", help="print the elements of a page, its output and what is wrong")
    args = parser.parse_args()
    if args.data and not (args.failures or args.show or args.set):
        (BENCH / "markup.md").write_text("\n".join(report(args.data, args.processes)) + "\n", encoding="utf-8")
        return
    pages = list(gold_pages(args.data, args.set, SETS[args.set]) if args.set else own_pages())
    if args.show:
        show(next(page for page in pages if page.name == args.show))
    else:
        print("\n".join(failures(pages) if args.failures else table(pages, args.processes, not args.set)))


def show(page: Page) -> None:
    """Prints what is expected of a page and what ours writes."""
    print(SYSTEMS[OURS].output(page.record))
    pprint.pprint({**asdict(page.expected), "text": ""}, width=160)
    print("\n".join(failures([page])))


if __name__ == "__main__":
    main()
