"""nc-eval --savings: what there is less of after cleaning; not how good the text is.

    nc-eval --savings --before pages.jsonl ours.jsonl theirs.jsonl

Documents, bytes and words; with tantivy an inverted index, its searches, and what they cost.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...errors import UsageError
from ...streams import console, runner

if TYPE_CHECKING:
    from ..results import Facts
    from .corpus_counts import After, Before

# The options that say how good a text is, and those that say what it saves: not both.
_GOOD = "gold gold_field measure pages by ascii unlabelled skip_missing min_quality worst align html plot jobs".split()
_SAVING = "before html_field no_index queries seed repeats carbon watts cleaning_seconds".split()


def add_options(to: argparse.ArgumentParser) -> None:
    """The options of --savings. None of them has a default here, so that one without --savings is told."""
    own = to.add_argument_group("what cleaning saves")
    own.add_argument(
        "--savings", action="store_true", help="in place of all this, what there is less of than before; needs no gold"
    )
    own.add_argument(
        "--before", metavar="FILE|DIR", help="the pages as they were, if not in the first system's records"
    )
    own.add_argument("--html-field", metavar="NAME", help="the field that has the page's HTML (default: html)")
    own.add_argument("--no-index", action="store_true", help="count only, make no index")
    own.add_argument("--queries", type=int, metavar="N", help="so many queries, sampled from the text (default: 1000)")
    own.add_argument("--seed", type=int, metavar="N", help="other queries (default: 1)")
    own.add_argument("--repeats", type=int, metavar="N", help="times are medians of so many (default: 3)")
    own.add_argument("--carbon", type=float, metavar="KG", help="kg of CO2 a kWh (default: 0.341)")
    own.add_argument("--watts", type=float, metavar="W", help="what the computer takes (default: 170)")
    own.add_argument(
        "--cleaning-seconds",
        type=float,
        action="append",
        metavar="S",
        help="CPU seconds that cleaning took; given once, or for each system in order",
    )


def check(args: argparse.Namespace) -> None:
    """Raises UsageError for options that do not go with --savings, or not without, and for wrong numbers."""
    for what in _GOOD if args.savings else _SAVING:
        if getattr(args, what) not in (None, False):
            option = what.replace("_", "-")
            raise UsageError(f"--{option} is {'not' if args.savings else 'only'} for --savings")
    if not args.savings:
        return
    if args.format == "cleaneval":
        raise UsageError("--savings wants -f table or -f tsv or -f json or -f markdown, not -f cleaneval")
    cleaning = args.cleaning_seconds or []
    for what, least in (("queries", 0), ("repeats", 1), ("carbon", 0), ("watts", 0)):
        if (value := getattr(args, what)) is not None and not least <= value < math.inf:
            raise UsageError(f"--{what} wants a number from {least} on")
    if not all(0 <= value < math.inf for value in cleaning):
        raise UsageError("--cleaning-seconds wants a number from 0 on")
    if len(cleaning) not in (0, 1, len(args.files or "-")):
        raise UsageError(f"--cleaning-seconds: {len(cleaning)} of them for {len(args.files or '-')} systems")
    check_standard_input(args.before, args.files)


def check_standard_input(of: str | None, files: Sequence[str]) -> None:
    if sum(name == "-" or name.endswith("=-") for name in [of or "", *(files or "-")]) > 1:
        raise UsageError("standard input can be read once: give files too")


def report(args: argparse.Namespace, options: runner.StreamOptions) -> int:
    """Reads, measures and writes; the exit status. Without tantivy there are counts alone.

    Raises UsageError, OSError.
    """
    from . import corpus_counts, search_index

    tool = options.tool
    stored = not args.no_index
    if stored:
        try:
            search_index.engine()
        except UsageError as missing:
            console.warn(tool, f"{missing}; without it there are counts alone")
            stored = False
    before, found, status = corpus_counts.read(args, stored, options)
    if status and args.strict:
        console.warn(tool, "a record failed, so nothing is measured (--strict)")
    if status > 1 or (status and args.strict):
        return status
    corpus_counts.tell(tool, before, found)
    out = runner.standard_output(options)
    for text in written(before, found, stored, args):
        out.write(text.encode("utf-8", "replace"))
    out.flush()
    return status


def written(before: Before, found: Sequence[After], stored: bool, args: argparse.Namespace) -> Iterator[str]:
    """The report in the format asked for."""
    from . import carbon, costs

    facts = costs.counts(before, found)
    cleaning = args.cleaning_seconds or []
    rates = costs.Rates(
        carbon.CARBON if args.carbon is None else args.carbon,
        carbon.WATTS if args.watts is None else args.watts,
        cleaning * len(found) if len(cleaning) == 1 else cleaning,
    )
    indexed = None
    if stored:
        given = ((args.queries, costs.QUERIES), (args.seed, costs.SEED), (args.repeats, costs.REPEATS))
        indexed = costs.measured(
            [before.text, *found], *(default if value is None else value for value, default in given)
        )
        names = [one.name for one in (before.text, *found)]
        facts += costs.searching(names, indexed) + costs.costs(names, indexed, rates)
    signed = costs.signatures(before.documents, indexed, rates, found[0].name)
    yield from _formed(args.format, facts, signed)


def _formed(form: str, facts: Facts, signed: Facts) -> Iterator[str]:
    if form == "json":
        from ..report.export import as_json

        yield as_json({"savings": facts, "signatures": signed})
    elif form == "tsv":
        from ..report.export import long
        from . import costs

        yield from long(costs.signed(facts, signed))
    else:
        from ..report.summary import savings_tables
        from ..report.tables import lines

        for table in savings_tables(facts, signed):
            yield from lines(table, form)
            yield "\n"
