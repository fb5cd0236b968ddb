"""What the commands share of options.

parser = filter_parser("nc-segment", "Pages to segments.", "nc-segment crawl.jsonl")
add_format(parser)
"""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Sequence
from typing import Any, NoReturn

from .. import __version__
from ..streams import runner

# A record's length, unless told otherwise: no page is that long.
MAX_RECORD, MOST = "256M", 1 << 40


def plain_parser(tool: str, what: str, example: str) -> argparse.ArgumentParser:
    """An option parser with what every command has."""
    out = _Parser(
        prog=tool,
        description=what,
        epilog=f"example:\n  {example}\n\nsee also:\n  man {tool}",
        allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    out.add_argument("--version", action="version", version=f"{tool} {__version__}", help="print the version")
    return out


def filter_parser(
    tool: str,
    what: str,
    example: str,
    before: Sequence[tuple[str, dict[str, Any]]] = (),
    alias: Sequence[str] = ("--limit",),
) -> argparse.ArgumentParser:
    """An option parser with what every filter has; *before* the files come other arguments. --max-record was --limit
    once, and still is where that is its *alias*."""
    out = plain_parser(tool, what, example)
    for name, how in before:
        out.add_argument(name, **how)
    out.add_argument("files", nargs="*", metavar="FILE", help="input; standard input where there is none, or for -")
    out.add_argument("--strict", action="store_true", help="stop at the first record that fails")
    out.add_argument("-v", "--verbose", action="store_true", help="say the counts on standard error at the end")
    out.add_argument("--unbuffered", action="store_true", help="write each record at once")
    out.add_argument(
        "--max-record",
        *alias,
        type=size,
        default=MAX_RECORD,
        metavar="BYTES",
        help="a longer record is an error (K, M, G; default %(default)s)",
    )
    return out


class _Parser(argparse.ArgumentParser):
    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """After --help and --version: what they print must have come out."""
        super().exit(runner.guarded(self.prog, lambda: status), message)


def add_format(to: argparse.ArgumentParser, *more: str, default: str = "what came in") -> None:
    """The -f option of filters that write records."""
    to.add_argument("-f", "--format", choices=["jsonl", "msgpack", *more], help=f"how to write (default: {default})")


def add_fields(to: argparse.ArgumentParser) -> None:
    """The options that map fields of other people's crawls."""
    to.add_argument("--html-field", metavar="NAME", help="the field that has the page's HTML (default: html)")
    to.add_argument("--text-field", metavar="NAME", help="the field that has plain text (default: text)")


def size(text: str) -> int:
    """The bytes that an option says, with K, M or G. Raises ArgumentTypeError."""
    found = re.fullmatch(r"(\d+)([KMG]?)", text, re.I)
    if not found or not int(found[1]):
        raise argparse.ArgumentTypeError(f"'{text}' is no number of bytes such as 1000000 or 256M")
    return min(int(found[1]) << {"": 0, "K": 10, "M": 20, "G": 30}[found[2].upper()], MOST)


def perplexity(text: str) -> float:
    """A perplexity, as options give it. Raises ArgumentTypeError."""
    try:
        limit = float(text)
    except ValueError:
        limit = math.nan
    if not 0 < limit < math.inf:
        raise argparse.ArgumentTypeError(f"'{text}' is no perplexity: a number above 0")
    return limit


def add_gold(to: argparse.ArgumentParser) -> None:
    """The options that say where gold text is."""
    to.add_argument("--gold", metavar="FILE|DIR", help="where the gold text is, if not in the records themselves")
    to.add_argument("--gold-field", metavar="NAME", help="the field that has the gold text (default: gold)")
