"""nc-corpus: from documents to a corpus: filters by published rules.

    nc-clean crawl.warc.gz -f jsonl | nc-corpus filter --rules gopher,c4 --drop > corpus.jsonl

A verb reads documents, records with `text` or `segments`, in the one stream loop.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

from ..errors import UsageError
from ..streams.console import exit_status, warn
from ..streams.runner import per_record, run_filter
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


# verb → what it does
VERBS: dict[str, Callable[[argparse.Namespace], int]] = {"filter": filter_documents}
RECORD_FORMATS = ("jsonl", "msgpack")
# verb → the formats of its output, the default first; None is the format of the input
FORMATS: dict[str, tuple[str | None, ...]] = {"filter": (None, *RECORD_FORMATS)}
# option → the verbs that have it
VERBS_OF = {"rules": ("filter",), "drop": ("filter",)}


def option_parser() -> argparse.ArgumentParser:
    """The options of the command."""
    verb = {"choices": VERBS, "help": "mark or drop documents by published rules (filter)"}
    parser = options.filter_parser(
        TOOL, "From documents to a corpus.", f"{TOOL} filter --drop new.jsonl > corpus.jsonl", [("verb", verb)]
    )
    options.add_format(parser)
    parser.add_argument("--text-field", metavar="NAME", help="the field with the text (default: text)")
    group = parser.add_argument_group("filter")
    group.add_argument(
        "--rules",
        metavar="NAMES",
        help="sets of rules (c4, gopher, fineweb) or single rules such as gopher.words, separated by commas "
        "(default: all sets)",
    )
    group.add_argument("--drop", action="store_true", help="drop documents that break a rule, instead of marking them")
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
