"""nc-corpus: from documents to a corpus: statistics, filters by published rules.

    nc-clean crawl.warc.gz -f jsonl | nc-corpus filter --rules gopher,c4 --drop > corpus.jsonl
    nc-corpus stats corpus.jsonl --report corpus.html

A verb reads documents, records with `text` or `segments`, in the one stream loop.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from ..errors import UsageError, require_library
from ..record import Record, is_error
from ..streams.console import exit_status, hint_at_terminal, warn
from ..streams.runner import per_record, run, run_filter
from . import options

if TYPE_CHECKING:  # start-up
    from ..evaluation.report.tables import Table
    from ..streams.inputs import Input

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

    status = _read(args, _opened(args.files), count, failure)
    facts = statistics.facts(args.number)
    if args.report:
        from ..evaluation.report import corpus_html  # optional: matplotlib and Jinja2

        corpus_html.write(facts, args.report)
    elif args.format == "json":
        _write([_json(facts)])
    else:
        from ..evaluation.report.corpus_tables import corpus_tables  # start-up

        _write_tables(corpus_tables(facts), args.format)
    return status


def compare_corpora(args: argparse.Namespace) -> int:
    """Writes the key words and bigrams of two corpora. Raises UsageError and OSError."""
    from ..corpus.keyness import KeyOptions, keyness  # start-up
    from ..corpus.term_counts import CorpusTerms

    if len(args.files) != 2:
        raise UsageError(f"keyness: two corpora are needed, A and B, not {len(args.files)}")
    corpora = CorpusTerms(args.terms), CorpusTerms(args.terms)
    inputs = [_opened([name]) for name in args.files]  # both must be there before the first is read
    status = 0
    for source, terms in zip(inputs, corpora):
        status = max(status, _read(args, source, terms.add))
        if status > 1 or status and args.strict:
            return status
    chosen = KeyOptions(
        args.min_frequency, args.min_documents, args.min_likelihood, args.number, args.sort or "log-ratio"
    )
    facts = keyness(*corpora, chosen)
    if not args.quiet:
        for kind in ("words", "bigrams"):
            if lost := facts[kind]["undercount"]:
                warn(TOOL, f"{kind}: frequencies may be up to {lost:,} too low; --terms N counts more of them")
    if args.format == "json":
        _write([_json(facts)])
        return status
    from ..evaluation.report import corpus_tables, export  # start-up

    if args.format == "tsv":
        _write(export.tsv_lines(corpus_tables.keyness_facts(facts)))
    else:
        _write_tables(corpus_tables.keyness_tables(facts, args.files), args.format)
    return status


# verb → what it does
VERBS: dict[str, Callable[[argparse.Namespace], int]] = {
    "stats": count_documents,
    "keyness": compare_corpora,
    "filter": filter_documents,
}
RECORD_FORMATS = ("jsonl", "msgpack")
# verb → the formats of its output, the default first; None is the format of the input
FORMATS: dict[str, tuple[str | None, ...]] = {
    "stats": ("table", "markdown", "json"),
    "keyness": ("table", "markdown", "tsv", "json"),
    "filter": (None, *RECORD_FORMATS),
}
# option → the verbs that have it
VERBS_OF = {"rules": ("filter",), "drop": ("filter",), "report": ("stats",), "sort": ("keyness",)}


def option_parser() -> argparse.ArgumentParser:
    """The options of the command."""
    verb = {
        "choices": VERBS,
        "help": "count documents (stats), compare two corpora (keyness), mark or drop documents by published "
        "rules (filter)",
    }
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
    parser.add_argument(
        "-n",
        "--number",
        type=_count,
        default=20,
        metavar="N",
        help="the number of sites (stats), or of words and bigrams of each corpus (keyness; default: %(default)s)",
    )
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
    _add_keyness(parser.add_argument_group("keyness"))
    return parser


def _add_keyness(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--sort",
        choices=("log-ratio", "log-likelihood"),
        help="sort by the size of the difference, or by the evidence for it (default: log-ratio)",
    )
    for name, default, what in (
        ("--min-frequency", 5, "only terms that occur at least N times in the corpus where they are key"),
        ("--min-documents", 3, "only terms that occur in at least N documents there"),
        ("--terms", 1_000_000, "forget the rarest of more than N words or bigrams of a corpus"),
    ):
        group.add_argument(name, type=_count, default=default, metavar="N", help=f"{what} (default: %(default)s)")
    group.add_argument(
        "--min-likelihood",
        type=float,
        default=15.13,
        metavar="X",
        help="only terms with at least this log-likelihood (default: %(default)s, which is p < 0.0001)",
    )


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


def _opened(files: Sequence[str]) -> list[Input]:
    """The files, opened. Raises UsageError."""
    from ..streams.inputs import open_inputs  # start-up

    return open_inputs(files)


def _read(
    args: argparse.Namespace,
    inputs: list[Input],
    function: Callable[[Record], Record],
    failure: Callable[[], None] = lambda: None,
) -> int:
    """Passes all documents to *function*, and calls *failure* for each record that failed. Returns the exit status."""
    from ..streams.readers import RecordReader  # start-up: orjson

    stream = options.stream_options(TOOL, args)._replace(to_files=True)
    hint_at_terminal(TOOL, args.files, args.quiet)
    return run(RecordReader(inputs, args.max_record), per_record(function), _Failures(failure), stream)


def _write(lines: Iterable[str]) -> None:
    """Writes lines to standard output. Raises OSError."""
    from ..streams.writers import Output  # start-up: orjson

    out = Output(watched=False)
    for line in lines:
        out.write(line.encode("utf-8", "replace"))
    out.flush()


def _write_tables(found: Iterable[Table], form: str | None) -> None:
    """Writes tables with an empty line between them. Raises OSError."""
    from ..evaluation.report.tables import table_lines  # start-up

    _write(["\n".join("".join(table_lines(table, form or "table")) for table in found)])


def _json(facts: object) -> str:
    """Facts as one line of JSON."""
    import json  # start-up: not for --help

    return json.dumps(facts, ensure_ascii=False) + "\n"


def _count(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 0 on")
    return int(text)
