"""The options of nc-select, which nc-clean has, too, and the values that they accept."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from ..roles import DEFAULT_POLICY, POLICIES, ROLES
from ..selection import expected_f, formats
from ..selection.forms.options import IMAGES, LINKS, TABLES
from ..selection.options import METHODS
from ..text.language_tags import primary
from ..text.lazy_pattern import lazy_pattern
from . import options

if TYPE_CHECKING:
    from ..selection.file_names import NameTemplate

_LANGUAGE = lazy_pattern(r"\s*[A-Za-z]{2,3}(?:[-_]\w+)*\s*", re.ASCII)


# The parameters of jusText that --set sets, and what they take; nc-score has the others.
RULE_PARAMETERS = {"max-heading-distance": int, "no-headings": bool, "variant": str}


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the stage that nc-clean has, too: all but -o and those of `add_own`."""
    _add_format(parser)
    _add_form_options(parser)
    parser.add_argument(
        "--favour",
        choices=list(expected_f.OPERATING_POINTS),
        help="operating point: higher precision or higher recall (default: balance)",
    )
    parser.add_argument(
        "--no-rules",
        dest="rules",
        action="store_false",
        help="decide by score also on segments that nc-segment marks as boilerplate",
    )
    parser.add_argument(
        "--all", action="store_true", help="write all segments, each with its decision (keep: true|false, or + and -)"
    )
    parser.add_argument(
        "--lang",
        type=_languages,
        metavar="CODES",
        help="drop documents in other languages than these, such as en or en,de",
    )
    parser.add_argument(
        "--min-quality",
        type=options.number("a number from 0 to 1", 0, 1, float),
        metavar="Q",
        help="drop documents with predicted word precision below Q (0 to 1)",
    )
    parser.add_argument(
        "--name",
        type=_name_template,
        metavar="TEMPLATE",
        help="name the files of -o after the metadata of documents, such as {date}-{title}",
    )
    _add_markup_options(parser)
    _add_content_options(parser)
    parser.set_defaults(
        decide="auto", threshold=None, keep=False, head_title=False, gzip=False, settings=[], to_file=False
    )


def add_own(parser: argparse.ArgumentParser) -> None:
    """The options of nc-select alone."""
    parser.add_argument(
        "--decide",
        choices=METHODS,
        default="auto",
        help="decision policy: a threshold on scores, the best expected F, the best sequence, no text from pages "
        "without content, or the classes of neighbours (default: %(default)s: expected for calibrated scores, else "
        "threshold)",
    )
    parser.add_argument(
        "-t",
        "--threshold",
        type=float,
        metavar="BITS",
        help="keep segments with a higher score, in bits of log2 odds: 0 is even odds, 1 is 2:1, 3 is 8:1; higher "
        "values raise precision, lower values recall (default: 0)",
    )
    parser.add_argument("--keep", action="store_true", help="keep segments in records")
    parser.add_argument(
        "--head-title", action="store_true", help="write the title of the page's head if no segment is the title"
    )
    options.add_setting(parser.add_argument_group("jusText", "for --decide justext"), RULE_PARAMETERS)


def _add_format(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-f",
        "--format",
        choices=["text", "jsonl", "msgpack", "wet", "parquet"],
        default="text",
        help="output format: text only, records with the field text, a WET file, or Parquet (default: text; nc-clean "
        "-o FILE: what its name says)",
    )


def _add_form_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--as",
        dest="form",
        choices=list(formats.OUTPUT_FORMS),
        default="plain",
        help="output form of the text (default: plain, one paragraph per line; nc-clean -o FILE: what its name says)",
    )
    parser.add_argument(
        "--front-matter",
        action="store_true",
        help="write the metadata of documents in YAML before their Markdown: title, author, date, site and others, "
        "which nc-segment --markup finds",
    )
    parser.add_argument(
        "--chunks",
        type=options.number("a number of words, 1 or more", 1),
        metavar="N",
        help="write records with pieces of Markdown of at most N words, each with its headings, for retrieval",
    )


def _add_markup_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--links",
        choices=LINKS,
        default="keep",
        help="write links as they are, as their text alone, or in Markdown with their addresses at the end (default: "
        "%(default)s)",
    )
    parser.add_argument("--images", choices=IMAGES, default="keep", help="write images or not (default: %(default)s)")
    parser.add_argument(
        "--tables",
        choices=TABLES,
        default="keep",
        help="write tables as such, their rows as text, or nothing of them (default: %(default)s)",
    )


def _add_content_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--policy",
        choices=list(POLICIES),
        default=DEFAULT_POLICY,
        help="what counts as content (default: %(default)s: title, text, captions, tables, code)",
    )
    parser.add_argument(
        "--with",
        dest="included",
        type=_roles,
        default=frozenset(),
        metavar="ROLES",
        help=f"also keep segments of these roles, separated by commas: {', '.join(ROLES)}",
    )
    parser.add_argument(
        "--without",
        dest="excluded",
        type=_roles,
        default=frozenset(),
        metavar="ROLES",
        help="drop segments of these roles",
    )


def _roles(text: str) -> frozenset[str]:
    names = frozenset(text.split(","))
    if unknown := sorted(names.difference(ROLES)):
        raise argparse.ArgumentTypeError(f"'{unknown[0]}' is not a role: choose from {', '.join(ROLES)}")
    return names


def _name_template(text: str) -> NameTemplate:
    from ..selection.file_names import NameTemplate  # start-up: most runs name no files

    try:
        return NameTemplate(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"'{text}': {error}") from None


def _languages(text: str) -> frozenset[str]:
    if all(map(_LANGUAGE.fullmatch, codes := text.strip().split(","))):
        return frozenset(map(primary, codes))
    raise argparse.ArgumentTypeError(f"'{text}' is not a list of language codes, such as en,de")
