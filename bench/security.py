"""What is tried against the promises of docs/security.md, how often, and with which result.

    python bench/security.py --large -o bench/security.md                # minutes
    python bench/security.py --large --models 300 --records 100000       # hours

[Faults](faults.md) has damaged archives, broken streams and killed processes; [Hostile pages](hostile.md) has time and
memory.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench import any_records, content_codings, damaged_models, regex_bait

NUM_MODELS, NUM_RECORDS, NUM_ARCHIVED = 4, 100, 2_000

# What is tried, the number of tries, the result, and what failed.
Row = tuple[str, int, str, list[str]]


def rows(
    models: int, records: int, patterns: Sequence[regex_bait.Sizes] = (regex_bait.SMALL,), archived: int = 0
) -> Iterator[Row]:
    """The rows; a part whose number is 0, or that is empty, is left out."""
    for outcome in damaged_models.rows(models) if models else ():
        counts = f"{outcome.refused:,} refused, {outcome.same:,} same scores, {outcome.other:,} other, finite scores"
        yield f"model, {outcome.fault}", outcome.tries, counts, outcome.failures
    for command, count, failed in any_records.rows(records) if records else ():
        yield f"records of any shape, `{command.strip()}`", count, "all come out, errors name the field", failed
    for sizes in patterns:
        number = sum(not regex_bait.is_bounded(name) for name, _ in regex_bait.patterns())
        found = [f"{name} with {text!r}: {growth:.1f}" for name, text, growth in regex_bait.bait_of_patterns(sizes)]
        chars = " and ".join(f"{size:,}" for size in sizes.chars)
        result = f"time grows at most {sizes.growth} times as much as the text"
        yield f"patterns, each with texts of its own pieces, of {chars} characters", number, result, found
    if archived:
        yield content_codings.row(archived)


def report(found: Iterator[Row]) -> str:
    """The rows as a page."""
    head, command, note = (__doc__ or "").strip().split("\n\n")
    lines = [f"# Attacks\n\n{head}\n\n`{command.split('  #')[0].strip()}` writes this page.\n\n{note}\n"]
    lines += ["| tried | times | what came of it, but for failures | failures |", "|---|--:|---|--:|"]
    for what, times, result, failed in found:
        print(what, *failed, sep="\n    ", file=sys.stderr)
        lines.append(f"| {what} | {times:,} | {result} | {len(failed)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Writes the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, default="/dev/stdout", help="write the page to this file")
    parser.add_argument("--models", type=int, default=NUM_MODELS, help="tries of each fault (default: %(default)s)")
    parser.add_argument("--records", type=int, default=NUM_RECORDS, help="for each command (default: %(default)s)")
    parser.add_argument("--archived", type=int, default=NUM_ARCHIVED, help="pages in archives (default: %(default)s)")
    parser.add_argument("--large", action="store_true", help="long texts for patterns, too")
    args = parser.parse_args()
    patterns = [regex_bait.SMALL, *[regex_bait.LARGE] * args.large]
    args.output.write_text(report(rows(args.models, args.records, patterns, args.archived)), encoding="utf-8")


if __name__ == "__main__":
    main()
