"""nc-eval --savings: what cleaning saves, in place of the quality of the text.

    nc-eval --savings --before pages.jsonl ours.jsonl theirs.jsonl

Documents, bytes and words; with tantivy also the size of an index, the time of its queries, and their costs.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..streams import console, runner

if TYPE_CHECKING:  # start-up: --help needs none of them
    from ..evaluation.efficiency.corpus_counts import CleanedCorpus, RawCorpus
    from ..evaluation.efficiency.savings import SavingsOptions
    from ..evaluation.results import Facts

# The options on the quality of the text, and those on the savings: they exclude each other.
_QUALITY_OPTIONS = (
    "gold gold_field measure pages by ascii unlabelled skip_missing min_quality worst align html plot jobs".split()
)
_SAVINGS_OPTIONS = "before html_field no_index queries seed repeats carbon watts cleaning_seconds".split()


def add_options(to: argparse.ArgumentParser) -> None:
    """Adds the options of --savings. None has a default here, so that their use without --savings can be detected."""
    group = to.add_argument_group("savings", "with --savings, which needs no gold text")
    group.add_argument("--savings", action="store_true", help="measure what cleaning saves, instead of accuracy")
    group.add_argument(
        "--before", metavar="FILE|DIR", help="the pages before cleaning, if not in the records of the first system"
    )
    group.add_argument("--html-field", metavar="NAME", help="field with the page's HTML (default: html)")
    group.add_argument("--no-index", action="store_true", help="only count documents, bytes and words; build no index")
    group.add_argument(
        "--queries", type=int, metavar="N", help="number of queries, sampled from the text (default: 1000)"
    )
    group.add_argument("--seed", type=int, metavar="N", help="random seed of the queries (default: 1)")
    group.add_argument("--repeats", type=int, metavar="N", help="number of runs; times are medians (default: 3)")
    group.add_argument("--carbon", type=float, metavar="KG", help="kg of CO2 per kWh (default: 0.341)")
    group.add_argument("--watts", type=float, metavar="W", help="power of the computer (default: 170)")
    group.add_argument(
        "--cleaning-seconds",
        type=float,
        action="append",
        metavar="S",
        help="CPU seconds of the cleaning; given once, or for each system in order",
    )


def check_options(args: argparse.Namespace) -> None:
    """Raises UsageError for options that need or exclude --savings, and for numbers out of range."""
    for name in _QUALITY_OPTIONS if args.savings else _SAVINGS_OPTIONS:
        if getattr(args, name) not in (None, False):
            option = name.replace("_", "-")
            raise UsageError(f"--{option} {'cannot be combined with' if args.savings else 'needs'} --savings")
    if not args.savings:
        return
    if args.format == "cleaneval":
        raise UsageError("--savings needs -f table or -f tsv or -f json or -f markdown, not -f cleaneval")
    cleaning = args.cleaning_seconds or []
    for name, least in (("queries", 0), ("repeats", 1), ("carbon", 0), ("watts", 0)):
        if (value := getattr(args, name)) is not None and not least <= value < math.inf:
            raise UsageError(f"--{name} needs a number of at least {least}")
    if not all(0 <= value < math.inf for value in cleaning):
        raise UsageError("--cleaning-seconds needs a number of at least 0")
    if len(cleaning) not in (0, 1, len(args.files or "-")):
        raise UsageError(f"--cleaning-seconds: {len(cleaning)} values for {len(args.files or '-')} systems")
    check_standard_input(args.before, args.files)


def check_standard_input(other: str | None, files: Sequence[str]) -> None:
    """Raises UsageError if standard input is to be read twice."""
    if sum(name == "-" or name.endswith("=-") for name in [other or "", *(files or "-")]) > 1:
        raise UsageError("standard input can be read only once: name a file for the other input")


def report(args: argparse.Namespace, options: runner.StreamOptions) -> int:
    """Reads, measures and writes; returns the exit status. Without tantivy there are only counts.

    Raises UsageError, OSError.
    """
    # start-up
    from ..evaluation.efficiency import search_index
    from ..evaluation.efficiency.corpus_counts import CorpusInputs, read_corpora

    stored = not args.no_index
    if stored:
        try:
            search_index.engine()
        except UsageError as missing:
            console.warn(options.tool, f"{missing}; without it there are only counts")
            stored = False
    raw, systems, status = read_corpora(CorpusInputs(args.files, args.before, stored), options)
    if status and args.strict:
        console.warn(options.tool, "a record failed: no evaluation (--strict)")
    if status > 1 or (status and args.strict):
        return status
    report_coverage(options.tool, raw, systems)
    out = runner.standard_output(options)
    for text in _output(raw, systems, _savings_options(args, len(systems), stored), args.format):
        out.write(text.encode("utf-8", "replace"))
    out.flush()
    return status


def report_coverage(tool: str, raw: RawCorpus, systems: Sequence[CleanedCorpus]) -> None:
    """Reports missing and unknown pages. Raises UsageError if there is nothing to compare."""
    if not raw.documents:
        raise UsageError("no page before cleaning: give records with html (--before FILE)")
    for system in systems:
        missing = system.missing
        examples = ", ".join(map(repr, missing[:3]))
        if len(missing) == raw.documents:
            raise UsageError(f"{system.name}: no text has the id of a page before cleaning, such as {examples}")
        if missing:
            count = f"{len(missing)} of {raw.documents} pages missing"
            console.warn(tool, f"{system.name}: {count}, such as {examples}: counted as dropped")
        if system.unknown:
            s = "s" * (system.unknown > 1)
            console.warn(tool, f"{system.name}: {system.unknown} page{s} left out: no page before cleaning has the id")


def _savings_options(args: argparse.Namespace, systems: int, stored: bool) -> SavingsOptions:
    """The options for what is measured; those that are not given have their defaults."""
    # start-up
    from ..evaluation.efficiency.costs import EnergyRates, IndexOptions
    from ..evaluation.efficiency.savings import SavingsOptions

    def given(*names: str) -> dict[str, Any]:
        return {name: value for name in names if (value := getattr(args, name)) is not None}

    cleaning = args.cleaning_seconds or []
    rates = EnergyRates(**given("carbon", "watts"), cleaning=cleaning * systems if len(cleaning) == 1 else cleaning)
    index = IndexOptions(**given("queries", "seed", "repeats"))
    return SavingsOptions(index if stored else None, rates)


def _output(raw: RawCorpus, systems: Sequence[CleanedCorpus], options: SavingsOptions, form: str) -> Iterator[str]:
    """The savings in the format of -f."""
    from ..evaluation.efficiency.savings import savings  # start-up

    facts, signatures = savings(raw, systems, options)
    if form == "json":
        from ..evaluation.report.export import json_text  # start-up

        yield json_text({"savings": facts, "signatures": signatures})
    elif form == "tsv":
        # start-up
        from ..evaluation.efficiency.costs import with_signatures
        from ..evaluation.report.export import tsv_lines

        yield from tsv_lines(with_signatures(facts, signatures))
    else:
        yield from _tables(facts, signatures, form)


def _tables(facts: Facts, signatures: Facts, form: str) -> Iterator[str]:
    # start-up
    from ..evaluation.report.summary import savings_tables
    from ..evaluation.report.tables import table_lines

    for table in savings_tables(facts, signatures):
        yield from table_lines(table, form)
        yield "\n"
