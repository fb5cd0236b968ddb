"""The options of nc-corpus, and which verb has which.

parser = option_parser("nc-corpus", ["stats", "filter"])
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable

from ..errors import UsageError
from . import options

RECORD_FORMATS = ("jsonl", "msgpack")
# verb → the formats of its output, the default first; None is the format of the input
FORMATS: dict[str, tuple[str | None, ...]] = {
    "stats": ("table", "markdown", "json"),
    "keyness": ("table", "markdown", "tsv", "json"),
    "filter": (None, *RECORD_FORMATS),
    "split": RECORD_FORMATS,
    "vertical": ("text",),
    "conllu": ("text",),
}
# option → the verbs that have it
VERBS_OF = {
    "rules": ("filter",),
    "drop": ("filter",),
    "report": ("stats",),
    "sort": ("keyness",),
    **dict.fromkeys(("output", "by", "shares", "seed"), ("split",)),
}


def option_parser(tool: str, verbs: Iterable[str]) -> argparse.ArgumentParser:
    """The options of the command, which has these *verbs*."""
    verb = {
        "choices": list(verbs),
        "help": "count documents (stats), compare two corpora (keyness), mark or drop documents by published "
        "rules (filter), write them to files to train and test on (split), or as tokens (vertical, conllu)",
    }
    parser = options.filter_parser(
        tool, "From documents to a corpus.", f"{tool} filter --drop new.jsonl > corpus.jsonl", [("verb", verb)]
    )
    formats = list(dict.fromkeys(name for names in FORMATS.values() for name in names if name))
    parser.add_argument(
        "-f",
        "--format",
        choices=formats,
        help="output format (default: filter: the format of the first input; stats and keyness: table)",
    )
    options.add_fields(parser, "text")
    parser.add_argument(
        "-n",
        "--number",
        type=options.count,
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
    group = parser.add_argument_group("split")
    group.add_argument("-o", "--output", metavar="DIR", help="the folder of train.jsonl, dev.jsonl and test.jsonl")
    group.add_argument(
        "--by", choices=("site", "hash"), help="documents of one site, or of one text, stay together (default: site)"
    )
    group.add_argument("--shares", type=_shares, metavar="N,N,N", help="the shares of the parts (default: 98,1,1)")
    group.add_argument(
        "--seed", type=options.count, metavar="N", help="another number gives another split (default: 0)"
    )
    return parser


def _add_keyness(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--sort",
        choices=("log-ratio", "log-likelihood"),
        help="sort by the size of the difference, or by the evidence for it (default: log-ratio)",
    )
    group.add_argument(
        "--min-likelihood",
        type=float,
        default=15.13,
        metavar="X",
        help="only terms with at least this log-likelihood (default: %(default)s, which is p < 0.0001)",
    )


def check(args: argparse.Namespace) -> None:
    """Raises UsageError for options and formats that the verb does not have."""
    for name, verbs in VERBS_OF.items():
        value = getattr(args, name)
        if value is not None and value is not False and args.verb not in verbs:
            raise UsageError(f"{args.verb}: --{name.replace('_', '-')} is an option of {', '.join(verbs)}")
    if args.format not in (None, *FORMATS[args.verb]):
        known = ", ".join(name for name in FORMATS[args.verb] if name)
        raise UsageError(f"{args.verb}: -f {args.format}: formats are {known}")


def _shares(text: str) -> tuple[float, ...]:
    if not re.fullmatch(r"[0-9]{1,6}(,[0-9]{1,6}){2}", text) or not re.search("[1-9]", text):
        raise argparse.ArgumentTypeError(f"'{text}' is not three shares such as 98,1,1")
    return tuple(map(float, text.split(",")))
