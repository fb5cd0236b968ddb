"""What is tried to make the tools lose or double documents: damaged archives, broken records, killed processes.

    python bench/faults.py -o bench/faults.md                      # hours
    python bench/faults.py --flips 100 --records 1000 --kills 2    # minutes

Every document that comes in comes out once, or an error says which is missing.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench import fault_archives, fault_kills, fault_records

NUM_FLIPS, NUM_RECORDS, NUM_KILLS = 10_000, 1_000_000, 50


def report(flips: int, records: int, kills: int) -> str:
    """The report; a part whose number is 0 is left out."""
    head, _, note = (__doc__ or "").strip().split("\n\n")
    parts = [f"# Faults\n\n{head}\n\n`python bench/faults.py -o bench/faults.md` writes this page.\n\n{note}"]
    if kills:
        with tempfile.TemporaryDirectory() as folder:
            parts.append(_part("Processes", fault_kills, fault_kills.table(fault_kills.rows(kills, Path(folder)))))
    if records:
        parts.append(_part("Records", fault_records, fault_records.table(fault_records.rows(records))))
    if flips:
        parts.append(_part("Archives", fault_archives, fault_archives.table(fault_archives.rows(flips))))
        parts.append(fault_archives.NOTES)
    return "\n\n".join(parts) + "\n"


def _part(title: str, module: object, table: str) -> str:
    first, _, *rest = (module.__doc__ or "").strip().split("\n\n")
    text = "\n\n".join([first, *rest])
    for name, value in vars(module).items():
        if name.startswith("NUM_"):
            text = text.replace(name, f"{value:,}")
    return f"## {title}\n\n{text}\n\n{table}"


def main() -> None:
    """Writes the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, help="write the report to this file (default: standard output)")
    parser.add_argument("--flips", type=int, default=NUM_FLIPS, help="bits that are flipped (default: %(default)s)")
    parser.add_argument("--records", type=int, default=NUM_RECORDS, help="records of a stream (default: %(default)s)")
    parser.add_argument("--kills", type=int, default=NUM_KILLS, help="kills of each process (default: %(default)s)")
    args = parser.parse_args()
    text = report(args.flips, args.records, args.kills)
    if args.output:
        args.output.write_text(text, encoding="utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
