#!/usr/bin/env python3
"""How accurate all models are, compared with peers, on pages of sites that they were not trained on.

    python bench/accuracy.py ../shared/data --work work          # writes bench/accuracy.md; two hours on two cores
    python bench/accuracy.py ../shared/data --work work --ablation   # writes bench/ablation.md; twenty models more
    python bench/accuracy.py ../shared/data --only deciders      # one of the tables, to standard output
    python bench/accuracy.py ../shared/data --only seeds         # means over three seeds: four more cross-validations
    python bench/accuracy.py ../shared/data --pages 60           # 60 pages of each set, to standard output

DATA is the folder of gold sets. Models and scored pages stay in the folder --work: a second run continues there
(`heldout`), and after a change to the program or the data everything is computed again. Peers that are installed
(trafilatura, jusText, Resiliparse, readability-lxml) are in the same tables; the others are reported and left out.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench import accuracy_tables as tables
from bench.heldout import EMBEDDED_ORIGINS, FOLDS, SEEDS, SHARES, Work, WorkOptions, of_seed
from bench.peers import missing_note
from bench.support import BENCH, log
from bench.systems import SYSTEMS, VIEWS, Measurements
from ncfilters.evaluation.results import signatures
from ncfilters.features import schema

HEAD = """# Accuracy

Made by `python bench/accuracy.py DATA`, on {pages}. {missing}All figures are per cent.
Each model was trained without the sites that it is measured on: `nc-train --cv {folds} --scored` divides the pages into
{folds} folds by domain. `en` learns from the English pages of the first five sets, `xx` from all pages.
"""
ABLATION_HEAD = """# Ablation and learning curve

Made by `python bench/accuracy.py DATA --ablation`, on {pages}. All figures are per cent.
"""

# name → the function that makes the table, and the results of jobs that it reads
_OF_SYSTEMS = tuple(dict.fromkeys(read for own in SYSTEMS.values() for read in own.reads if read != "all"))
_WITHOUT = tuple(f"without {name}" for name in (*schema.GROUPS, *EMBEDDED_ORIGINS))
ACCURACY: dict[str, tuple[Callable[..., Iterator[str]], tuple[str, ...]]] = {
    "systems": (tables.systems_table, _OF_SYSTEMS),
    "groups": (tables.groups_table, _OF_SYSTEMS),
    "deciders": (tables.deciders_table, ("en", "xx")),
    "roles": (tables.roles_tables, ("en", "xx")),
    "calibration": (tables.calibration_table, ("en",)),
}
ABLATION: dict[str, tuple[Callable[..., Iterator[str]], tuple[str, ...]]] = {
    "ablation": (tables.ablation_table, ("complete", *_WITHOUT)),
    "curve": (tables.curve_table, ("complete", "en", *SHARES)),
}
# Not part of bench/accuracy.md: each of the four further cross-validations trains 30 networks.
SEVERAL_SEEDS: dict[str, tuple[Callable[..., Iterator[str]], tuple[str, ...]]] = {
    "seeds": (tables.seeds_table, ("en", "xx", *(of_seed(name, seed) for name in ("en", "xx") for seed in SEEDS)))
}
TABLES = ACCURACY | ABLATION | SEVERAL_SEEDS


@dataclass(frozen=True)
class AccuracyOptions:
    """The tables to make, and the folder for plots (none if None)."""

    tables: Sequence[str]
    plots: Path | None = None


def document(bench: Measurements, options: AccuracyOptions) -> Iterator[str]:
    """The pieces of bench/accuracy.md or of bench/ablation.md, or some of their tables."""
    missing = missing_note()
    log(missing or "all peers are installed")
    work = bench.work
    work.make(name for table in options.tables for name in TABLES[table][1])
    counts = ", ".join(f"{sum(1 for _ in work.pages(name)):,} pages of {name}" for name in work.files)
    head = ABLATION_HEAD if set(options.tables) <= set(ABLATION) else HEAD
    yield tables.filled(head, pages=counts, missing=missing and missing + " ", folds=FOLDS)
    for name in options.tables:
        make = TABLES[name][0]
        yield from make(bench, options.plots) if make is tables.calibration_table else make(bench)
    if list(options.tables) == list(ACCURACY):
        notes = BENCH / "accuracy-notes.md"
        yield notes.read_text(encoding="utf-8") if notes.exists() else ""
        yield "\n## Signatures\n\n"
        signed = (fact["signature"] for name in VIEWS for fact in signatures(bench.evaluation(name)))
        yield "".join(f"    {signature}\n" for signature in dict.fromkeys(signed))


def option_parser() -> argparse.ArgumentParser:
    """The options of the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, metavar="DATA", help="the folder of gold sets")
    parser.add_argument("--work", type=Path, metavar="DIR", help="keep results here, and continue with those found")
    parser.add_argument("--only", choices=TABLES, metavar="TABLE", help=f"one table: {', '.join(TABLES)}")
    parser.add_argument("--ablation", action="store_true", help="make bench/ablation.md instead of bench/accuracy.md")
    parser.add_argument("--pages", type=int, metavar="N", help="use N pages of each set (default: all)")
    parser.add_argument(
        "--output", type=Path, metavar="FILE", help="the file to write (default: that in bench/ for all its tables)"
    )
    parser.add_argument("-j", "--jobs", type=int, metavar="N", help="train N models at a time (default: one per core)")
    return parser


def main() -> None:
    """The command."""
    args = option_parser().parse_args()
    all_tables = BENCH / ("ablation.md" if args.ablation else "accuracy.md")
    output = args.output or (None if args.only or args.pages else all_tables)
    chosen = [args.only] if args.only else list(ABLATION if args.ablation else ACCURACY)
    options = AccuracyOptions(chosen, output.with_suffix("") if output else None)
    with tempfile.TemporaryDirectory() as folder:
        work = Work(WorkOptions(args.work or Path(folder), args.data, args.pages, args.jobs))
        text = "".join(document(Measurements(work), options))
    if output:
        output.write_text(text, encoding="utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
