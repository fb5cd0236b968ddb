#!/usr/bin/env python3
"""Compares the speed of two revisions of the project: CPU time of each filter on the same pages, in turn.

    python bench/revisions.py ../shared/data/wcxb-dev.jsonl.xz --before v0.1.0          # 300 pages, seven pairs of runs
    python bench/revisions.py ../shared/data/wcxb-dev.jsonl.xz --pages 20 --runs 2      # a quick look, at HEAD~1

Prints a table of user and system CPU: the least and the median of all runs, and the median of the ratios of the pairs.
The other revision is checked out to a temporary folder. Each filter runs in a separate process, in turn.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.support import ROOT, read_lines

# filter and options → the file it reads, and the file it writes; filters read what earlier ones write
STEPS = {
    "nc-segment": ("pages", "segments"),
    "nc-score -m en": ("segments", "scored"),
    "nc-score -m ncleaner-en": ("segments", "scored-ngram"),
    "nc-select": ("scored", "text"),
}


@dataclass(frozen=True)
class RevisionOptions:
    """The file of pages and how many of them are used, the other revision, and the number of pairs of runs."""

    file: Path
    pages: int = 300
    before: str = "HEAD~1"
    runs: int = 7


def print_table(options: RevisionOptions) -> None:
    """Measures, and prints a row for each filter."""
    with tempfile.TemporaryDirectory() as name, checked_out(options.before) as before:
        folder = Path(name)
        (folder / "pages").write_bytes(b"".join(read_lines(options.file)[: options.pages]))
        print(f"CPU, ms a page ({options.pages} pages, {options.runs} pairs; {options.before} and this checkout)\n")
        print("| filter | before: least, median | now: least, median | ratio now/before |")
        print("|---|---|---|---|")
        for step, (source, result) in STEPS.items():
            pairs = []
            for _ in range(options.runs + 1):
                then = filter_cpu(before, step, folder / source, None)
                pairs.append((then, filter_cpu(ROOT, step, folder / source, folder / result)))
            pairs = pairs[1:]  # the first pair warms the caches
            ratio = statistics.median(now / then for then, now in pairs)
            cells = [
                f"{1e3 * min(seconds) / options.pages:.2f}, {1e3 * statistics.median(seconds) / options.pages:.2f}"
                for seconds in zip(*pairs)
            ]
            print(f"| {step} | {cells[0]} | {cells[1]} | {ratio:.3f} |", flush=True)


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


def filter_cpu(checkout: Path, step: str, source: Path, result: Path | None) -> float:
    """CPU seconds that a filter of a checkout takes to read *source* and write *result* (or nothing)."""
    program, *options = step.split()
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": ""}
    environment.pop("PYTHONPATH", None)
    command = [sys.executable, str(checkout / "bin" / program), *options, str(source)]
    with open(result or os.devnull, "wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{program} failed")
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, metavar="PAGES", help="records with html")
    parser.add_argument("--before", default="HEAD~1", metavar="REV", help="the other revision (default: %(default)s)")
    parser.add_argument("--pages", type=int, default=300, metavar="N", help="use N pages (default: %(default)s)")
    parser.add_argument("--runs", type=int, default=7, metavar="N", help="pairs of runs (default: %(default)s)")
    args = parser.parse_args()
    print_table(RevisionOptions(args.file, args.pages, args.before, args.runs))


if __name__ == "__main__":
    main()
