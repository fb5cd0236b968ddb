"""nc-corpus: from documents to a corpus: statistics, filters by published rules.

    nc-clean crawl.warc.gz -f jsonl | nc-corpus filter --rules gopher,c4 --drop > corpus.jsonl
    nc-corpus stats corpus.jsonl --report corpus.html

A verb reads documents, records with `text` or `segments`, in the one stream loop.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Sequence

from ..errors import UsageError, require_library
from ..record import Record, is_error
from ..streams.console import exit_status, hint_at_terminal, warn
from ..streams.runner import per_record, run, run_filter
from . import options

TOOL = "nc-corpus"


def filter_documents(args: argparse.Namespace) -> int:
    """Marks or drops documents that break published rules. Raises UsageError."""
    from ..corpus.filtering import Filtering  # start-up: NumPy
    from ..corpus.rules import SETS, chosen

    try:
        filtering = Filtering(chosen(",".join(SETS) if args.rules is None else args.rules), args.drop)
    except ValueError as error:
        raise UsageError(f"--rules: {error}") from None
    status = run_filter(args.files, per_record(filtering.mark), options.stream_options(TOOL, args))
    if not args.quiet:
        for line in filtering.report():
            warn(TOOL, line)
    return status


def count_documents(args: argparse.Namespace) -> int:
    """Writes the counts of a corpus, as tables, as JSON or as an HTML report. Raises UsageError and OSError."""
    from ..corpus.statistics import Statistics  # start-up: NumPy

    if args.report:
        require_library("jinja2", "--report needs")
        require_library("matplotlib", "--report needs", "plots")
    statistics = Statistics()

    def count(document: Record) -> Record:
        statistics.add(document)
        return document

    def failure() -> None:
        statistics.failed += 1

    status = _read(args, args.files, count, failure)
    facts = statistics.facts(args.number)
    if args.report:
        from ..evaluation.report import corpus_html  # optional: matplotlib and Jinja2

        corpus_html.write(facts, args.report)
    elif args.format == "json":
        _write([_json(facts)])
    else:
        from ..evaluation.report import corpus_tables, tables  # start-up

        found = corpus_tables.corpus_tables(facts)
        _write(["\n".join("".join(tables.table_lines(table, args.format or "table")) for table in found)])
    return status


# verb → what it does
VERBS: dict[str, Callable[[argparse.Namespace], int]] = {"filter": filter_documents, "stats": count_documents}
RECORD_FORMATS = ("jsonl", "msgpack")
# verb → the formats of its output, the default first; None is the format of the input
FORMATS: dict[str, tuple[str | None, ...]] = {"filter": (None, *RECORD_FORMATS), "stats": ("table", "json", "markdown")}
# option → the verbs that have it
VERBS_OF = {"rules": ("filter",), "drop": ("filter",), "report": ("stats",)}


def option_parser() -> argparse.ArgumentParser:
    """The options of the command."""
    verb = {"choices": VERBS, "help": "mark or drop documents by published rules (filter), or count them (stats)"}
    parser = options.filter_parser(
        TOOL, "From documents to a corpus.", f"{TOOL} filter --drop new.jsonl > corpus.jsonl", [("verb", verb)]
    )
    formats = list(dict.fromkeys(name for names in FORMATS.values() for name in names if name))
    parser.add_argument(
        "-f",
        "--format",
        choices=formats,
        help="output format (default: filter: the format of the first input; stats: table)",
    )
    parser.add_argument("--text-field", metavar="NAME", help="the field with the text (default: text)")
    group = parser.add_argument_group("filter")
    group.add_argument(
        "--rules",
        metavar="NAMES",
        help="sets of rules (c4, gopher, fineweb) or single rules such as gopher.words, separated by commas "
        "(default: all sets)",
    )
    group.add_argument("--drop", action="store_true", help="drop documents that break a rule, instead of marking them")
    group = parser.add_argument_group("stats")
    group.add_argument("--report", metavar="FILE", help="write one HTML page with tables and plots, instead of tables")
    group.add_argument(
        "-n", "--number", type=_count, default=20, metavar="N", help="the number of sites (default: %(default)s)"
    )
    return parser


def main(argv: list[str] | None = None) -> int:
    """Runs the command and returns its exit status."""
    args = option_parser().parse_intermixed_args(argv)

    def start() -> int:
        _check(args)
        return VERBS[args.verb](args)

    return exit_status(TOOL, start)


def _check(args: argparse.Namespace) -> None:
    """Raises UsageError for options and formats that the verb does not have."""
    for name, verbs in VERBS_OF.items():
        if getattr(args, name) not in (None, False) and args.verb not in verbs:
            raise UsageError(f"{args.verb}: --{name.replace('_', '-')} is an option of {', '.join(verbs)}")
    if args.format not in (None, *FORMATS[args.verb]):
        known = ", ".join(name for name in FORMATS[args.verb] if name)
        raise UsageError(f"{args.verb}: -f {args.format}: formats are {known}")


# ---- what verbs share -------------------------------------------------------------------------------------------


class _Failures:
    """A sink that calls a function for each record that failed, and discards all."""

    def __init__(self, failure: Callable[[], None]) -> None:
        self._failure = failure

    def write(self, record: Record) -> None:
        if is_error(record):
            self._failure()

    def close(self) -> None:
        pass


def _read(
    args: argparse.Namespace, files: Sequence[str], function: Callable[[Record], Record], failure: Callable[[], None]
) -> int:
    """Passes all documents to *function*, and calls *failure* for each record that failed. Returns the exit status."""
    from ..streams.inputs import open_inputs  # start-up: orjson
    from ..streams.readers import RecordReader

    stream = options.stream_options(TOOL, args)._replace(to_files=True)
    hint_at_terminal(TOOL, files, args.quiet)
    return run(RecordReader(open_inputs(files), args.max_record), per_record(function), _Failures(failure), stream)


def _write(lines: Iterable[str]) -> None:
    """Writes lines to standard output. Raises OSError."""
    from ..streams.writers import Output  # start-up: orjson

    out = Output(watched=False)
    for line in lines:
        out.write(line.encode("utf-8", "replace"))
    out.flush()


def _json(facts: object) -> str:
    """Facts as one line of JSON."""
    import json  # start-up: not for --help

    return json.dumps(facts, ensure_ascii=False) + "\n"


def _count(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 0 on")
    return int(text)
