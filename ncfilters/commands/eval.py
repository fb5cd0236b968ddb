"""nc-eval: the quality of extracted text, and whether the difference between two systems is significant.

    nc-segment pages.jsonl | nc-score | nc-select -f jsonl | nc-eval --gold pages.jsonl
    nc-eval --gold pages.jsonl ours.jsonl theirs.jsonl

Each FILE is a system: records with `text`, or a folder of texts. The others are compared with the first.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ..errors import UsageError, as_usage_errors, errors_at, require_library
from ..streams import console, runner
from . import options

if TYPE_CHECKING:  # start-up: --help needs none of them
    from ..dataset.gold import Gold
    from ..evaluation.results import Evaluation
    from ..evaluation.systems import System

TOOL = "nc-eval"

# In the order of the output; metrics that apply to none of the pages are omitted.
METRIC_NAMES = ("words", "cleaneval", "segments", "unlabelled", "similarity", "bag", "required", "forbidden")
FORMATS = ("table", "tsv", "json", "markdown", "cleaneval")
# What the gold must have for a metric.
GOLD_REQUIREMENTS = {
    **dict.fromkeys(("cleaneval", "segments", "unlabelled"), "segment markers (<p>, <h>, <l>)"),
    "required": "snippets in gold.with",
    "forbidden": "snippets in gold.without",
}
MINIMA = 0.8, 0.9  # of nc-select --min-quality, of which a table says what they would keep
_MAX_EXAMPLES = 3  # of ids in a message


_OPTIONS = f"""
-m --measure MEASURE: metric; may be repeated (default: all that apply): {", ".join(METRIC_NAMES)}
-f --format {"|".join(FORMATS)}: output format (default: %(default)s)
--pages: write the figures of each page: with -f tsv only these, with -f json too
--by FIELD: add figures for each value of a field, such as page_type or lang
-a --ascii: ignore characters outside ASCII
-u --unlabelled: -f cleaneval: treat all segment markers as <p>
--skip-missing: evaluate only pages that every system has
--worst N: add the alignments of the N pages with the largest differences
--align DIR: write an alignment of each page to a file in DIR
-j --jobs N: number of processes (default: one per core)
"""


def option_parser() -> argparse.ArgumentParser:
    parser = options.filter_parser(
        TOOL, "Evaluate extracted text against gold text.", f"{TOOL} --gold pages.jsonl ours.jsonl theirs.jsonl"
    )
    options.add_fields(parser, "gold")
    options.add_gold(parser)
    many = options.number("a number, 1 or more", 1)
    measure = {"action": "append", "choices": METRIC_NAMES}
    options.add(parser, _OPTIONS, measure=measure, format="table", worst=many, jobs=many)
    return parser


@options.command(option_parser)
def main(args: argparse.Namespace) -> int:
    # start-up: not for --help, nor for usage errors above
    from ..dataset import gold
    from ..evaluation.systems import join_to_gold, read_systems

    _check_options(args)
    gold_field = dict(args.fields).get("gold")
    golds = gold.read_gold(args.gold, options.max_record(), gold_field) if args.gold else None
    own_field = (gold_field or "gold") if golds is None else None
    systems, own_golds, status = read_systems(args.files, own_field, options.stream_options(TOOL, args))
    if status and args.strict:
        console.warn(TOOL, "a record failed: no evaluation (--strict)")
    if status > 1 or (status and args.strict):
        return status
    if golds is not None:
        systems = [join_to_gold(system, golds) for system in systems]
    write_results(systems, matched_golds(systems, own_golds if golds is None else golds, args), args)
    return status


def matched_golds(systems: Sequence[System], golds: dict[str, Gold], args: argparse.Namespace) -> dict[str, Gold]:
    """The gold texts to evaluate with: all, or with --skip-missing those of pages that every system has.

    Reports pages that do not match; raises UsageError if none does.
    """
    from ..evaluation.metrics import MARKER  # start-up

    if not golds:
        raise UsageError(
            f"{', '.join(args.files) or 'standard input'}: no record has gold text in the field gold: "
            "give its file with --gold, or its field with --field gold=NAME"
        )
    for system in systems:
        missing = [key for key in golds if key not in system.texts]
        unknown = [key for key in system.texts if key not in golds]
        if len(missing) == len(golds):
            where = args.gold or "the records"
            problem = f"no text has the id of a gold text in {where}, such as {_examples(golds)}"
            ids = f"; ids of texts: {_examples(system.texts)}" if system.texts else ": there is no text"
            raise UsageError(f"{system.name}: {problem}{ids}")
        if missing:
            fate = "left out" if args.skip_missing else "counted as empty (--skip-missing leaves them out)"
            count = f"{len(missing)} of {len(golds)} pages missing"
            console.warn(TOOL, f"{system.name}: {count}, such as {_examples(missing)}: {fate}")
        if any(gold.has_markers for gold in golds.values()) and not any(map(MARKER.search, system.texts.values())):
            hint = "(nc-select --as cleaneval writes them)"
            console.warn(TOOL, f"{system.name}: no segment markers, unlike the gold {hint}")
        if unknown:
            count = f"{len(unknown)} page{'s' * (len(unknown) > 1)} without gold"
            console.warn(TOOL, f"{system.name}: {count}, such as {_examples(unknown)}: left out")
    if args.skip_missing:
        golds = {key: gold for key, gold in golds.items() if all(key in system.texts for system in systems)}
        if not golds:
            raise UsageError("no page is in all systems: there is nothing to compare")
    return golds


def _examples(keys: Iterable[str]) -> str:
    return ", ".join(repr(key) for key, _ in zip(keys, range(_MAX_EXAMPLES))) or "none"


def write_results(systems: Sequence[System], golds: dict[str, Gold], args: argparse.Namespace) -> None:
    """Evaluates, and writes everything that the options ask for. Raises UsageError, OSError."""
    # start-up
    from ..evaluation import report
    from ..evaluation.metrics import WordOptions
    from ..evaluation.results import Evaluation

    as_cleaneval = args.format == "cleaneval"
    names = list(dict.fromkeys(args.measure or METRIC_NAMES))
    if as_cleaneval:  # it counts by itself
        names = []
    results = Evaluation(systems, golds, names, args.ascii, args.jobs)
    for name in args.measure or ():
        if name not in results.names:
            raise UsageError(f"-m {name}: applies to no page, since the gold has no {GOLD_REQUIREMENTS[name]}")
    if args.by and not any(results.field_values(args.by)):
        raise UsageError(f"--by {args.by}: neither the gold texts nor the texts have this field")
    if args.align:
        with errors_at(args.align):
            word_options = WordOptions(args.ascii, unlabelled=args.unlabelled) if as_cleaneval else None
            report.write_alignments(results, args.align, word_options)
    out = runner.standard_output(options.stream_options(TOOL, args))
    for text in _output(results, args):
        out.write(text.encode("utf-8", "replace"))
    out.flush()


def _check_options(args: argparse.Namespace) -> None:
    """Raises UsageError for options that exclude each other, missing libraries, and outputs that cannot be written."""
    for name, formats in (
        ("pages", ("tsv", "json")),
        ("worst", ("table", "markdown")),
        ("unlabelled", ("cleaneval",)),
        ("by", FORMATS[:4]),
        ("measure", FORMATS[:4]),
    ):
        if getattr(args, name) and args.format not in formats:
            option = name.replace("_", "-")
            raise UsageError(f"--{option} needs -f {' or -f '.join(formats)}, not -f {args.format}")
    if args.format == "cleaneval" and len(args.files) > 1:
        raise UsageError("-f cleaneval is for one system")
    if sum(name == "-" or name.endswith("=-") for name in [args.gold or "", *(args.files or "-")]) > 1:
        raise UsageError("standard input can be read only once: name a file for the other input")
    if args.measure and "words" not in args.measure and args.worst:
        raise UsageError("--worst needs the measure words")
    if len(args.files) > 1 and args.format != "cleaneval":
        require_library("scipy", "comparing systems needs")
    if args.format != "cleaneval" and "similarity" in (args.measure or METRIC_NAMES):
        require_library("rapidfuzz", "the measure similarity needs")
    with as_usage_errors(OSError, f"--align {args.align}"):
        if args.align:
            os.makedirs(args.align, exist_ok=True)


def _output(results: Evaluation, args: argparse.Namespace) -> Iterator[str]:
    """The results in the format of -f."""
    # start-up
    from ..evaluation import report
    from ..evaluation import results as facts
    from ..evaluation.tables import table_lines, tsv_lines

    if args.format == "cleaneval":
        yield from report.cleaneval_table(results, args.unlabelled)
    elif args.format == "json":
        yield report.json_text(results, args.by, MINIMA, args.pages)
    elif args.format == "tsv" and args.pages:
        yield from tsv_lines(facts.page_figures(results, args.by))
    elif args.format == "tsv":
        figures = [{"group": "", **fact} for fact in facts.figures(results)]
        groups = facts.group_figures(results, args.by) if args.by else []
        yield from tsv_lines(report.with_signatures(figures + groups, results))
    else:
        for table in report.evaluation_tables(results, args.by, MINIMA):
            yield from table_lines(table, args.format)
            yield "\n"
        if args.worst:
            yield from report.worst_pages(results, args.worst)
