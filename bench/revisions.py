#!/usr/bin/env python3
"""Compares the speed of two revisions of the project: CPU time of each filter on the same pages, in turn.

    python bench/revisions.py ../shared/data/wcxb-dev.jsonl.xz --pages 300 --before v0.1.0

Prints a table of user and system CPU: the least and the median of all runs, and the median of the ratios of the pairs.
The other revision is checked out to a temporary folder. Each filter runs in a process of its own, in turn.
"""

from __future__ import annotations

import argparse
import lzma
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# filter → what it reads; the first of each kind writes what the next read
STEPS = {
    "nc-segment": ("nc-segment", "pages", "segments"),
    "nc-score -m en": ("nc-score -m en", "segments", "scored"),
    "nc-score -m ncleaner-en": ("nc-score -m ncleaner-en", "segments", "scored-ngram"),
    "nc-select": ("nc-select", "scored", "text"),
}


def main() -> int:
    """Measures and prints a table; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages_file", type=Path, metavar="PAGES", help="records with html, packed with xz")
    parser.add_argument("--before", default="HEAD~1", metavar="REV", help="the other revision (default: %(default)s)")
    parser.add_argument("--pages", type=int, default=300, metavar="N", help="the first N pages (default: %(default)s)")
    parser.add_argument("--runs", type=int, default=7, metavar="N", help="pairs of runs (default: %(default)s)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, checked_out(args.before) as before:
        folder = Path(name)
        with lzma.open(args.pages_file) as file:
            (folder / "pages").write_bytes(b"".join(islice(file, args.pages)))
        print(f"CPU, ms a page ({args.pages} pages, {args.runs} pairs; {args.before} against this checkout)\n")
        print("| filter | before: least, median | now: least, median | ratio now/before |")
        print("|---|---|---|---|")
        for step, (command, source, result) in STEPS.items():
            then, now = [], []
            for _ in range(args.runs + 1):
                then.append(cpu(before / "bin" / command.split()[0], command.split()[1:], folder / source, None))
                now.append(
                    cpu(ROOT / "bin" / command.split()[0], command.split()[1:], folder / source, folder / result)
                )
            then, now = then[1:], now[1:]  # the first pair warms the caches
            ratio = statistics.median(b / a for a, b in zip(then, now))
            cells = [
                f"{1e3 * least / args.pages:.2f}"
                for runs in (then, now)
                for least in (min(runs), statistics.median(runs))
            ]
            print(f"| {step} | {cells[0]}, {cells[1]} | {cells[2]}, {cells[3]} | {ratio:.3f} |", flush=True)
    return 0


@contextmanager
def checked_out(revision: str) -> Iterator[Path]:
    """A checkout of the revision, for as long as it is needed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "checkout"
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", str(folder), revision], check=True)
        try:
            yield folder
        finally:
            subprocess.run([*git, "remove", "--force", str(folder)], check=True)


def cpu(program: Path, options: list[str], source: Path, result: Path | None) -> float:
    """Seconds of CPU that a filter takes to read *source* and write *result*."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": ""}
    environment.pop("PYTHONPATH", None)
    with open(result or os.devnull, "wb") as out:
        process = subprocess.Popen(
            [sys.executable, str(program), *options, str(source)],
            stdout=out,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{program.name} failed")
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    sys.exit(main())
