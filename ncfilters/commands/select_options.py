"""The options of nc-select, which nc-clean has, too, and the values that they accept."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from ..installed import DEFAULT_QUALITY_MODEL, JUSTEXT_VARIANTS
from ..roles import DEFAULT_POLICY, POLICIES, ROLES
from ..selection import expected_f, formats
from ..selection.forms.options import IMAGES, LINKS, TABLES
from ..selection.options import CALIBRATED_DECIDED_BITS, DECIDED_BITS, MAX_HEADING_DISTANCE, METHODS
from ..streams.console import COLOUR_CHOICES
from ..text.language_tags import primary
from ..text.lazy_pattern import lazy_pattern
from . import options

if TYPE_CHECKING:
    from ..selection.file_names import NameTemplate

_ELEMENT_NAME = lazy_pattern(r"[A-Za-z_][\w.-]*", re.ASCII)
_LANGUAGE = lazy_pattern(r"\s*[A-Za-z]{2,3}(?:[-_]\w+)*\s*", re.ASCII)


def add_options(parser: argparse.ArgumentParser, writes_files: bool = True) -> None:
    """The options of the stage except -o, which nc-clean has, too. Without *writes_files*, those for formats and files
    are left out, too."""
    if writes_files:
        _add_format(parser)
    _add_form_options(parser, writes_files)
    parser.add_argument(
        "--decide",
        choices=METHODS,
        default="auto",
        help="decision policy: a threshold on scores, the best expected F, the best sequence, no text from pages "
        "without content, or the classes of neighbours (default: %(default)s: expected for calibrated scores, else "
        "threshold)",
    )
    parser.add_argument(
        "--favour",
        choices=list(expected_f.OPERATING_POINTS),
        help="operating point: higher precision or higher recall (default: balance)",
    )
    parser.add_argument(
        "-t",
        "--threshold",
        type=float,
        metavar="BITS",
        help="keep segments with a higher score, in bits of log2 odds: 0 is even odds, 1 is 2:1, 3 is 8:1; higher "
        "values raise precision, lower values recall (default: 0)",
    )
    parser.add_argument("--per-char", action="store_true", help="divide scores by the length of the segment")
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
        "--tag",
        type=_element_name,
        metavar="NAME",
        help="keep all segments in the text, those not selected inside an element NAME",
    )
    parser.add_argument(
        "--lang",
        type=_languages,
        metavar="CODES",
        help="drop documents in other languages than these, such as en or en,de",
    )
    parser.add_argument(
        "--min-quality", type=_share, metavar="Q", help="drop documents with predicted word precision below Q (0 to 1)"
    )
    parser.add_argument(
        "--quality-model",
        metavar="NAME|PATH",
        help=f"model that predicts the quality (default: {DEFAULT_QUALITY_MODEL})",
    )
    if writes_files:
        _add_file_options(parser)
    parser.add_argument("--keep", action="store_true", help="keep segments in records")
    _add_markup_options(parser)
    _add_content_options(parser)
    _add_neighbour_options(parser.add_argument_group("jusText", "for --decide justext"))


def _add_format(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-f",
        "--format",
        choices=["text", "jsonl", "msgpack", "wet", "parquet"],
        default="text",
        help="output format: text only, records with the field text, a WET file, or Parquet (default: text; nc-clean "
        "-o FILE: what its name says)",
    )


def _add_file_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--name",
        type=_name_template,
        metavar="TEMPLATE",
        help="name the files of -o after the metadata of documents, such as {date}-{title}",
    )
    parser.add_argument("--gzip", action="store_true", help="compress each record of a WET file")
    parser.add_argument(
        "--shard-size",
        type=options.size,
        metavar="BYTES",
        help="about the size of the files of -f parquet -o DIR (K, M, G; default: 512M)",
    )


def _add_form_options(parser: argparse.ArgumentParser, writes_files: bool) -> None:
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
    if writes_files:
        parser.add_argument(
            "--chunks",
            type=_words,
            metavar="N",
            help="write records with pieces of Markdown of at most N words, each with its headings, for retrieval",
        )
    parser.add_argument(
        "--bullets",
        action=argparse.BooleanOptionalAction,
        help="write the bullets and numbers of list items in the form plain (default: on standard output, but not in "
        "records, in WET files and with -o)",
    )
    parser.add_argument(
        "--color",
        choices=COLOUR_CHOICES,
        default="auto",
        help="write --all in colours, with bars and folded lines: on a terminal, always, or never (default: "
        "%(default)s)",
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
    parser.add_argument(
        "--head-title", action="store_true", help="write the title of the page's head if no segment is the title"
    )


def _add_neighbour_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--max-heading-distance",
        type=_characters,
        metavar="N",
        help=f"maximum number of characters between a heading and its text (default: {MAX_HEADING_DISTANCE})",
    )
    group.add_argument("--no-headings", action="store_true", default=None, help="treat headings as other segments")
    group.add_argument("--variant", choices=JUSTEXT_VARIANTS, help="edition of jusText (default: python, the package)")
    group.add_argument(
        "--sure",
        type=_bits,
        metavar="BITS",
        help="derive classes from scores; segments this far from the threshold are decided without their neighbours "
        f"(default: {DECIDED_BITS:g}, or {CALIBRATED_DECIDED_BITS:g} for calibrated "
        "scores; for segments without a class)",
    )


def _element_name(text: str) -> str:
    if _ELEMENT_NAME.fullmatch(text):
        return text
    raise argparse.ArgumentTypeError(f"'{text}' is not the name of an element, such as ppl")


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


def _characters(text: str) -> int:
    if text.isdecimal():
        return int(text)
    raise argparse.ArgumentTypeError(f"'{text}' is not a number of characters, 0 or more")


def _words(text: str) -> int:
    if text.isdecimal() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"'{text}' is not a number of words, 1 or more")


def _bits(text: str) -> float:
    try:
        if 0 <= (bits := float(text)) < float("inf"):
            return bits
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"'{text}' is not a number of bits, 0 or more")


def _share(text: str) -> float:
    try:
        if 0 <= (share := float(text)) <= 1:
            return share
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"'{text}' is not a number from 0 to 1")
