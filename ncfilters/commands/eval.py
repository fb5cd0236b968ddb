"""nc-eval: selected text beside its gold text; how good it is, and whether another system is better.

    nc-segment pages.jsonl | nc-score | nc-select -f jsonl | nc-eval --gold pages.jsonl
    nc-eval --gold pages.jsonl ours.jsonl theirs.jsonl
    nc-eval --savings --before pages.jsonl ours.jsonl theirs.jsonl

Each FILE is a system: records with `text`, or a folder of texts. The first is what the others are compared with.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..evaluation.efficiency import savings
from ..streams import console, runner
from . import options

if TYPE_CHECKING:
    from ..dataset.gold import Gold
    from ..evaluation.results import Evaluation, System

TOOL = "nc-eval"

# In the order they are shown; those that apply to none of the pages are left out.
NAMES = ("words", "cleaneval", "segments", "unlabelled", "similarity", "bag", "rouge", "required", "forbidden")
FORMATS = ("table", "tsv", "json", "markdown", "cleaneval")
# What the gold must have for a measure.
NEEDS = {
    **dict.fromkeys(("cleaneval", "segments", "unlabelled"), "segment markers (<p>, <h>, <l>)"),
    "required": "snippets in gold.with",
    "forbidden": "snippets in gold.without",
}


# ---- the command --------------------------------------------------------------------------------------------


def option_parser() -> argparse.ArgumentParser:
    """What the command understands."""
    parser = options.filter_parser(
        TOOL, "How good selected text is, beside its gold text.", f"{TOOL} --gold pages.jsonl ours.jsonl theirs.jsonl"
    )
    options.add_gold(parser)
    parser.add_argument("--text-field", metavar="NAME", help="the field that has the text (default: text)")
    parser.add_argument(
        "-m",
        "--measure",
        action="append",
        choices=NAMES,
        metavar="MEASURE",
        help=f"a measure; may be given again (default: all that apply): {', '.join(NAMES)}",
    )
    parser.add_argument("-f", "--format", choices=FORMATS, default="table", help="how to write (default: %(default)s)")
    parser.add_argument("--pages", action="store_true", help="the figures of each page instead (tsv, json)")
    parser.add_argument("--by", metavar="FIELD", help="figures for each value of a field, such as page_type or lang")
    parser.add_argument("-a", "--ascii", action="store_true", help="leave characters outside ASCII out")
    parser.add_argument("-u", "--unlabelled", action="store_true", help="-f cleaneval: all segment markers are <p>")
    parser.add_argument("--skip-missing", action="store_true", help="measure only pages that every system has")
    parser.add_argument(
        "--min-quality",
        type=float,
        action="append",
        metavar="Q",
        help="show what nc-select --min-quality would keep (default: 0.8 and 0.9)",
    )
    parser.add_argument("--worst", type=int, metavar="N", help="show the N pages where systems differ most, aligned")
    parser.add_argument("--align", metavar="DIR", help="write an alignment of each page")
    parser.add_argument("--html", metavar="FILE", help="write one HTML page with everything")
    parser.add_argument("--plot", metavar="DIR", help="write figures (PNG, SVG)")
    parser.add_argument("-j", "--jobs", type=int, metavar="N", help="processes (default: one for each core)")
    savings.add_options(parser)
    return parser


def main(argv: list[str] | None = None) -> int:
    """The command; the exit status."""
    args = option_parser().parse_intermixed_args(argv)

    def start() -> int:
        savings.check(args)
        if args.savings:
            return savings.report(args, options.stream_options(TOOL, args))
        from ..dataset import gold
        from ..evaluation import systems

        _check(args)
        golds = gold.read_gold(args.gold, args.max_record, args.gold_field) if args.gold else None
        found, own, status = systems.read(args, options.stream_options(TOOL, args))
        if status and args.strict:
            console.warn(TOOL, "a record failed, so nothing is measured (--strict)")
        if status > 1 or (status and args.strict):
            return status
        write(found, systems.matched(TOOL, found, own if golds is None else golds, args), args)
        return status

    return console.exit_status(TOOL, start)


def write(found: Sequence[System], golds: dict[str, Gold], args: argparse.Namespace) -> None:
    """Measures, and writes all that is asked for. Raises UsageError, OSError."""
    from ..evaluation.report import export
    from ..evaluation.results import Evaluation

    as_cleaneval = args.format == "cleaneval"
    names = list(dict.fromkeys(args.measure or NAMES))
    if as_cleaneval:  # counts by itself
        names = ["words"] if args.html or args.plot else []
    results = Evaluation(found, golds, names, args.ascii, args.jobs)
    for name in args.measure or ():
        if name not in results.names:
            raise UsageError(f"-m {name}: there is no page it applies to, for the gold has no {NEEDS[name]}")
    if args.by and not any(results.group(args.by)):
        raise UsageError(f"--by {args.by}: no page has this field, neither with its gold nor with its text")
    if args.align:
        with _named(args.align):
            export.write_alignments(results, args.align, as_cleaneval, args.unlabelled)
    if args.html:
        with _named(args.html):
            export.write_report(results, args.html, args.by)
    if args.plot:
        if len(found) == 1 and not found[0].quality:
            console.warn(TOOL, "--plot: nothing to draw of one system whose records have no quality")
        with _named(args.plot):
            export.write_plots(results, args.plot)
    out = runner.standard_output(options.stream_options(TOOL, args))
    for text in _written(results, args):
        out.write(text.encode("utf-8", "replace"))
    out.flush()


@contextmanager
def _named(path: str) -> Iterator[None]:
    """An OSError says where it was, also when a disk is full."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, error.filename or path) from None


def _check(args: argparse.Namespace) -> None:
    """Raises UsageError for options that do not go together, and for places that cannot be written to."""
    for what, formats in (
        ("pages", ("tsv", "json")),
        ("worst", ("table", "markdown")),
        ("unlabelled", ("cleaneval",)),
        ("by", FORMATS[:4]),
        ("measure", FORMATS[:4]),
        ("min_quality", FORMATS[:4]),
    ):
        if getattr(args, what) and args.format not in formats:
            option = what.replace("_", "-")
            raise UsageError(f"--{option} wants -f {' or -f '.join(formats)}, not -f {args.format}")
    if args.format == "cleaneval" and len(args.files) > 1:
        raise UsageError("-f cleaneval is for one system")
    if (args.worst is not None and args.worst < 1) or (args.jobs is not None and args.jobs < 1):
        raise UsageError("--worst and -j want a number from 1 on")
    savings.check_standard_input(args.gold, args.files)
    if args.measure and "words" not in args.measure:
        for what in ("worst", "html", "plot"):
            if getattr(args, what):
                raise UsageError(f"--{what} wants the measure words")
    args.min_quality = args.min_quality or [0.8, 0.9]
    _check_places(args)


def _check_places(args: argparse.Namespace) -> None:
    """Makes folders that are to be written to. Raises UsageError where that or writing is not possible."""
    for what in ("align", "plot", "html"):
        path = getattr(args, what)
        try:
            if path and what == "html":
                open(path, "ab").close()
            elif path:
                os.makedirs(path, exist_ok=True)
        except OSError as error:
            raise UsageError(f"--{what} {path}: {error.strerror}") from None
    if args.plot:
        from ..evaluation.report import plot_style

        plot_style.style()  # raises where there is no matplotlib


def _written(results: Evaluation, args: argparse.Namespace) -> Iterator[str]:
    """The report in the format asked for."""
    from ..evaluation import results as facts
    from ..evaluation.report import export
    from ..evaluation.report.summary import tables
    from ..evaluation.report.tables import lines

    if args.format == "cleaneval":
        yield from export.as_cleaneval(results, args.unlabelled)
    elif args.format == "json":
        yield export.as_json(_everything(results, args))
    elif args.format == "tsv" and args.pages:
        yield from export.long(facts.pages(results, args.by))
    elif args.format == "tsv":
        figures = [{"group": "", **fact} for fact in facts.figures(results)]
        groups = facts.groups(results, args.by) if args.by else []
        yield from export.long(export.signed(figures + groups, results))
    else:
        for table in tables(results, args.by, args.min_quality):
            yield from lines(table, args.format)
            yield "\n"
        if args.worst:
            yield from export.worst(results, args.worst)


def _everything(results: Evaluation, args: argparse.Namespace) -> dict[str, Any]:
    from ..evaluation import results as facts

    out: dict[str, Any] = {"figures": facts.figures(results)}
    if args.by:
        out["groups"] = facts.groups(results, args.by)
    if len(results.systems) > 1:
        out["comparisons"] = facts.comparisons(results)
    for number, system in enumerate(results.systems):
        if system.quality and "words" in results.names:
            out.setdefault("calibration", []).extend(facts.calibration(system, results, number))
            predicted = facts.predictions(system, results, number)
            for minimum in args.min_quality:
                out.setdefault("quality", []).extend(
                    {"system": system.name, **fact} for fact in facts.apart(predicted, minimum)
                )
    if args.pages:
        out["pages"] = facts.pages(results, args.by)
    out["signatures"] = facts.signatures(results)
    return out
