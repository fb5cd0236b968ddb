#!/usr/bin/env python3
"""Compares what commands write with compiled modules and without: the same bytes.

    python bench/same_forms.py ../shared/data/*-dev.jsonl.xz                  # every page of these sets
    python bench/same_forms.py ../shared/data/wcxb-dev.jsonl.xz --made 20000   # lines made at random from its pages
    python bench/same_forms.py ../shared/data/wcxb-dev.jsonl.xz --every 100

Each of COMMANDS runs on what the command before it writes. Messages are compared, too. Stops at the first command whose
output differs, and writes the line to a file. Exit status: 0; 1 if a line differs.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.compiled import compiled_modules, copy_with
from bench.made_pages import SAMPLED_PAGES, LineMaker, pages_of
from bench.support import BIN, log, read_lines

# Chains of commands: each command reads what the one before it has written.
COMMANDS = (
    ("nc-segment", "nc-score", "nc-select -f jsonl"),
    ("nc-segment --markup", "nc-score", "nc-select -f jsonl --as markdown --front-matter"),
    ("nc-segment --profile justext", "nc-score -m justext-en", "nc-select -f jsonl --decide justext"),
    ("nc-clean --as html",),
)
# Lines of one run of a command.
BATCH = 1_000
DIFFERING_LINE = "differing-line.jsonl"


def written(lines: Sequence[bytes], command: str, folder: Path) -> tuple[list[bytes], bytes]:
    """What a command of a folder writes: the lines, and the messages."""
    name, *options = command.split()
    done = subprocess.run(
        [sys.executable, str(folder / name), "--quiet", *options],
        input=b"".join(lines),
        capture_output=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        check=False,
    )
    return done.stdout.splitlines(keepends=True), done.stderr


def differing(lines: Sequence[bytes], commands: Sequence[str], folders: tuple[Path, Path]) -> tuple[str, bytes] | None:
    """The first command of a chain whose results differ, and the first line for which they do."""
    for command in commands:
        first, second = (written(lines, command, folder) for folder in folders)
        if first != second:
            return command, next((line for line in lines if alone_differs(line, command, folders)), b"".join(lines))
        lines = first[0]
    return None


def alone_differs(line: bytes, command: str, folders: tuple[Path, Path]) -> bool:
    """Whether the results of a command for one line differ."""
    first, second = (written([line], command, folder) for folder in folders)
    return first != second


def batches(lines: Iterable[bytes]) -> Iterator[list[bytes]]:
    """The lines, BATCH at once."""
    iterator = iter(lines)
    while batch := list(islice(iterator, BATCH)):
        yield batch


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, metavar="PAGES", help="records with html")
    parser.add_argument("--made", type=int, metavar="N", help="make N lines from their pages")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th page")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first line (default: %(default)s)")
    args = parser.parse_args()
    if not compiled_modules():
        raise SystemExit("nothing is compiled here: python setup.py build_ext --inplace")
    if args.made:
        maker = LineMaker(args.seed, list(pages_of(args.files, SAMPLED_PAGES)))
        lines: Iterable[bytes] = (maker.line() for _ in range(args.made))
    else:
        lines = (line.rstrip(b"\n") + b"\n" for file in args.files for line in read_lines(file)[:: args.every])
    number = 0
    with tempfile.TemporaryDirectory() as folder:
        folders = BIN, copy_with(Path(folder, "plain"), frozenset()) / "bin"
        for batch in batches(lines):
            number += len(batch)
            for commands in COMMANDS:
                if found := differing(batch, commands, folders):
                    Path(DIFFERING_LINE).write_bytes(found[1])
                    print(f"{found[0]}: output differs; the first such line is in {DIFFERING_LINE}")
                    return 1
            log(f"{number} lines, no difference")
    print(f"{number} lines, no difference")
    return 0


if __name__ == "__main__":
    sys.exit(main())
