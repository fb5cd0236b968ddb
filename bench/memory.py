#!/usr/bin/env python3
"""The peak of memory of the filters: on a stream of pages, and on pages of nothing but tags.

    python bench/memory.py ../shared/data/wcxb-dev.jsonl.xz                      # writes bench/memory.md
    python bench/memory.py pages.jsonl --megabytes 5 --rounds 1 -o /dev/stdout

Each filter reads the whole stream, from a file or from standard input. nc-segment reads the pages of tags, many of
which are beyond its limits. The peak is that of resident memory, as `/usr/bin/time -f %M` has it: the most of the
rounds. A MB has 2^20 bytes.
"""

from __future__ import annotations

import argparse
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.hostile import FAMILIES, page_of
from bench.support import BENCH, BIN, command_environment, json_line, log, markdown


class Streamed(NamedTuple):
    """A filter, the file that it reads, the one that its output goes to, and whether it reads standard input."""

    command: str
    source: str = "pages"
    result: str = "result"
    is_input: bool = False


STREAMED = (
    Streamed("nc-segment", result="segmented"), Streamed("nc-segment", is_input=True), Streamed("nc-segment --markup"),
    Streamed("nc-clean -j 1 -m en"), Streamed("nc-score -m en", "segmented", "scored"),
    Streamed("nc-select -f jsonl", "scored"),
)  # fmt: skip
# Families of `hostile` that are nothing but tags with little text.
TAGS = (
    "nested blocks", "nested blocks with text", "nested quotes", "nested tables", "paragraphs",
    "paragraphs as short as many may be", "items", "line breaks", "empty elements", "formatting in formatting", "links",
    "attributes without values", "rows of data", "cells of a table", "tables",
)  # fmt: skip
# Megabytes of these pages; megabytes that a process may take for a stream, and for the largest of these pages.
MEGABYTES = (5, 50)
MAX_STREAM, MAX_TAGS = 80, 1300
# A process has at least the peak of the one that starts it: this one is small. It prints status and peak.
_STARTER = """
import os, sys
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, used = os.wait4(child, 0)
print(os.waitstatus_to_exitcode(status), used.ru_maxrss, file=sys.stderr)
"""


def peak(command: str, source: Path, result: Path, is_input: bool = False) -> float:
    """The peak of memory, in MB, of a filter that reads a file, by its name or as standard input. Exits if it fails;
    status 1 is no failure: a page may be beyond a limit."""
    name, *options = command.split()
    arguments = [sys.executable, str(BIN / name), *options, *([] if is_input else [str(source)])]
    with source.open("rb") as file, result.open("wb") as out:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _STARTER, *arguments],
            stdin=file if is_input else subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.PIPE,
            env=command_environment(),
            check=True,
        )
    status, size = map(int, done.stderr.split()[-2:])
    if status not in (0, 1):
        raise SystemExit(f"{command}: exit status {status}")
    return size / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def of_stream(folder: Path, rounds: int) -> Iterator[list[str]]:
    """The rows of the filters on a stream: the peak over what it may be, and in MB."""
    for streamed in STREAMED:
        log(streamed.command)
        result = folder / streamed.result
        peaks = [peak(streamed.command, folder / streamed.source, result, streamed.is_input) for _ in range(rounds)]
        name = f"{streamed.command}{' <' * streamed.is_input}"
        yield [name, f"{max(peaks) / MAX_STREAM:.2f}", f"{max(peaks):.0f}", f"{min(peaks):.0f}"]


def of_tags(folder: Path, megabytes: Sequence[int]) -> Iterator[list[str]]:
    """The rows of pages of tags: the peak for the largest over what it may be, in MB, and over the size of each."""
    source = folder / "tags"
    for family in TAGS:
        log(family)
        peaks = []
        for size in megabytes:
            page = page_of(FAMILIES[family], size * 1_000_000)
            source.write_bytes(json_line({"id": family, "html": page}))
            peaks.append(peak("nc-segment", source, folder / "result"))
        times = [f"{found / size:.1f}" for found, size in zip(peaks, megabytes)]
        yield [family, f"{peaks[-1] / MAX_TAGS:.2f}", f"{peaks[-1]:.0f}", *times]


def report(stream: Sequence[Sequence[str]], tags: Sequence[Sequence[str]], megabytes: Sequence[int]) -> Iterator[str]:
    """The lines of the tables: ratios, then MB."""
    yield from ("## A stream of pages", "", f"Over {MAX_STREAM} MB, which a process may take.", "")
    yield from markdown(["", "ratio", "MB, most", "least"], stream)
    title = f"## Pages of nothing but tags, of {' and '.join(map(str, megabytes))} MB"
    yield from ("", title, "", f"nc-segment, over {MAX_TAGS:,} MB, which it may take for the largest.", "")
    yield from markdown(["", "ratio", "MB", *(f"times {size} MB" for size in megabytes)], tags)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", type=Path, metavar="PAGES", help="records with html, compressed or not")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="rounds (default: %(default)s)")
    parser.add_argument(
        "--megabytes",
        type=int,
        nargs="*",
        default=MEGABYTES,
        metavar="MB",
        help="sizes of pages of tags (default: 5 50)",
    )
    parser.add_argument("-o", type=Path, default=BENCH / "memory.md", metavar="FILE", help="default: %(default)s")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "pages").symlink_to(args.pages.resolve())
        stream = [*of_stream(folder, args.rounds)]
        tags = [*of_tags(folder, args.megabytes)] if args.megabytes else []
    about = (
        f"By `bench/memory.py`: the peak of resident memory for {args.pages.name.partition('.')[0]}; "
        f"{args.rounds} rounds; Python {platform.python_version()} on {platform.system()}."
    )
    lines = ["# Memory", "", about, "", *(line.rstrip("\n") for line in report(stream, tags, args.megabytes))]
    args.o.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
