"""The options of nc-dedup, and which of them exclude each other.

args = option_parser().parse_args(["--near", "corpus.jsonl"])
check(args)    # args.kind: near
"""

from __future__ import annotations

import argparse
import os

from ..errors import UsageError
from ..streams.output_file import COMPRESSED, format_of
from . import options

TOOL = "nc-dedup"
DEFAULT_N = 5
# The options of one kind alone, and the kinds.
_OWN = {"threshold": ("near", "ngrams"), "ignore_digits": ("exact", "paragraphs"), "two_pass": ("exact", "near")}


def option_parser() -> argparse.ArgumentParser:
    """The options of the command."""
    parser = options.filter_parser(
        TOOL,
        "Drop documents, or paragraphs, that have been seen. `nc-dedup merge STATE OTHER...` adds other states to one.",
        f"nc-clean crawl.warc.gz -f jsonl | {TOOL} --state seen.db > corpus.jsonl",
    )
    options.add_format(parser)
    options.add_fields(parser, "text")
    kinds = parser.add_argument_group("what is a duplicate").add_mutually_exclusive_group()
    kinds.add_argument(
        "--exact",
        dest="kind",
        action="store_const",
        const="exact",
        help="a document whose text has been seen, apart from case, white space and Unicode composition (default)",
    )
    kinds.add_argument(
        "--near",
        dest="kind",
        action="store_const",
        const="near",
        help="a document that shares most of its 5-grams of words with a kept one (MinHash)",
    )
    kinds.add_argument(
        "--paragraphs",
        dest="kind",
        action="store_const",
        const="paragraphs",
        help="a paragraph that has been seen; a short one, on the same site",
    )
    kinds.add_argument(
        "--ngrams",
        type=_ngram_length,
        nargs="?",
        const=DEFAULT_N,
        metavar="N",
        help="a paragraph most of whose words lie in N-grams of words that have been seen, as onion has it "
        "(default: %(const)s)",
    )
    _add_settings(parser.add_argument_group("how duplicates are found"))
    _add_output(parser.add_argument_group("state and output"))
    return parser


def _add_settings(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--threshold",
        type=_share,
        metavar="SHARE",
        help="--near: the least similarity (Jaccard index) of duplicates (default: 0.72); --ngrams: the share of seen "
        "words above which a paragraph is a duplicate (default: 0.5)",
    )
    group.add_argument("--ignore-digits", action="store_true", help="digits are equal")
    group.add_argument(
        "--two-pass",
        action="store_true",
        help="read the input twice: what is kept does not depend on the order of documents",
    )
    group.add_argument(
        "--prefer",
        choices=("first", "longest", "best"),
        help="with --two-pass, which of several duplicates is kept: the first by id, the longest, or that of the "
        "highest quality (default: first)",
    )


def _add_output(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--state", metavar="FILE", help="what has been seen, for the next run (SQLite)")
    group.add_argument("--mark", action="store_true", help="mark duplicates instead of dropping them")
    group.add_argument("-o", "--output", metavar="FILE", help="write to FILE, compressed as its suffix says")
    group.add_argument(
        "--resume", action="store_true", help="go on with a run that was ended; requires --state, -o and files"
    )
    group.add_argument("--report", metavar="FILE", help="write an HTML page with samples of duplicates")


def _words(text: str) -> int:
    if text.isascii() and text.isdigit() and 0 < int(text) <= 1000:
        return int(text)
    raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1 to 1000")


def _ngram_length(text: str) -> int:
    if os.path.exists(text) and not text.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is a file: before it, give the number: --ngrams {DEFAULT_N} {text}")
    return _words(text)


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1
    if 0 < share <= 1:
        return share
    raise argparse.ArgumentTypeError(f"'{text}' is not a share above 0, to 1")


def check(args: argparse.Namespace) -> None:
    """Sets `kind`. Raises UsageError for options that exclude each other."""
    args.kind = args.kind or ("ngrams" if args.ngrams else "exact")
    for name, kinds in _OWN.items():
        if getattr(args, name) and args.kind not in kinds:
            option = "--" + name.replace("_", "-")
            raise UsageError(f"{option} requires {' or '.join('--' + kind for kind in kinds)}")
    if args.prefer and not args.two_pass:
        raise UsageError("--prefer requires --two-pass")
    if args.two_pass and not (args.files and all(map(os.path.isfile, args.files))):
        raise UsageError("--two-pass reads its input twice: give files")
    if args.resume and not (args.state and args.output and args.files and all(map(os.path.isfile, args.files))):
        raise UsageError("--resume requires --state, -o and files as input")
    if args.state == "":
        raise UsageError("--state: the name of the file is empty")
    _check_files(args)
    if args.resume and (args.two_pass or args.report):
        raise UsageError(f"--resume cannot be combined with --{'two-pass' if args.two_pass else 'report'}")


def _check_files(args: argparse.Namespace) -> None:
    """Raises UsageError for one file in two places, and for suffixes that -o has not."""
    written = {"--state": args.state, "-o": args.output, "--report": args.report}
    options.check_are_distinct(args.files, written)
    if args.output and format_of(args.output) not in (None, "jsonl", "msgpack"):
        raise UsageError(f"-o {args.output}: nc-dedup writes records, as JSON lines or MessagePack")
    if args.resume and os.path.splitext(args.output)[1] in COMPRESSED:
        raise UsageError(f"-o {args.output}: with --resume the output is not compressed")
