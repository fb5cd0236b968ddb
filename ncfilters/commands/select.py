"""nc-select: the clean text of scored segments, in one of several forms.

    nc-segment crawl.jsonl | nc-score | nc-select --as markdown

-f selects the output format, --as the form of the text.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from dataclasses import replace

from .. import record
from ..errors import ModelError, UsageError, require_library
from ..record import Record
from ..roles import DEFAULT_POLICY, POLICIES, ROLES
from ..scoring import registry
from ..scoring.justext import rules as justext_rules
from ..scoring.quality import QualityModel
from ..selection import expected_f, formats, justext_context, policies
from ..selection.decision import DecisionPolicy
from ..selection.file_names import NameTemplate
from ..selection.forms.options import IMAGES, LINKS, TABLES, MarkupOptions
from ..selection.options import MAX_HEADING_DISTANCE, METHODS, ContentOptions, NeighbourOptions, PolicyOptions
from ..selection.selector import SelectionOptions, language_of, select_text, with_quality
from ..streams.console import exit_status, one_line
from ..streams.runner import per_record, run_filter
from ..streams.writers import ByteOutput, Files, Sink, Text, TextFrame, by_id, file_path
from ..text.language_tags import primary
from . import options

TOOL = "nc-select"

_ELEMENT_NAME = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
_LANGUAGE = re.compile(r"\s*[A-Za-z]{2,3}(?:[-_]\w+)*\s*", re.ASCII)
# The options that require --decide justext.
_NEIGHBOUR_OPTIONS = ("max_heading_distance", "no_headings", "variant", "sure")


def option_parser() -> argparse.ArgumentParser:
    """The options of the command."""
    parser = options.filter_parser(
        TOOL, "Select the clean text from scored segments.", f"nc-segment crawl.jsonl | nc-score | {TOOL}"
    )
    add_options(parser)
    parser.add_argument("-o", "--output", metavar="DIR", help="write one file per document, named by its id")
    return parser


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the stage except -o, which nc-clean has, too."""
    _add_form_options(parser)
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
        help=f"model that predicts the quality (default: {registry.DEFAULT_QUALITY_MODEL})",
    )
    parser.add_argument(
        "--name",
        type=_name_template,
        metavar="TEMPLATE",
        help="name the files of -o after the metadata of documents, such as {date}-{title}",
    )
    parser.add_argument("--gzip", action="store_true", help="compress each record of a WET file")
    parser.add_argument("--keep", action="store_true", help="keep segments in records")
    _add_markup_options(parser.add_argument_group("markup", "for records of nc-segment --markup, where a form has it"))
    _add_content_options(parser.add_argument_group("content", "what belongs to the text, by the roles of segments"))
    _add_neighbour_options(parser.add_argument_group("jusText", "for --decide justext"))


def _add_form_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-f",
        "--format",
        choices=["text", "jsonl", "msgpack", "wet", "parquet"],
        default="text",
        help="output format: text only, records with the field text, a WET file, or Parquet (default: %(default)s)",
    )
    parser.add_argument(
        "--as",
        dest="form",
        choices=list(formats.OUTPUT_FORMS),
        default="plain",
        help="output form of the text (default: %(default)s, one paragraph per line)",
    )
    parser.add_argument(
        "--front-matter",
        action="store_true",
        help="write the metadata of documents in YAML before their Markdown: title, author, date, site and others, "
        "which nc-segment --markup finds",
    )
    parser.add_argument(
        "--bullets",
        action=argparse.BooleanOptionalAction,
        help="write the bullets and numbers of list items in the form plain (default: on standard output, but not in "
        "records, in WET files and with -o)",
    )


def _add_markup_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--links",
        choices=LINKS,
        default="keep",
        help="write links as they are, as their text alone, or in Markdown with their addresses at the end (default: "
        "%(default)s)",
    )
    group.add_argument("--images", choices=IMAGES, default="keep", help="write images or not (default: %(default)s)")
    group.add_argument(
        "--tables",
        choices=TABLES,
        default="keep",
        help="write tables as such, their rows as text, or nothing of them (default: %(default)s)",
    )


def _add_content_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--policy",
        choices=list(POLICIES),
        default=DEFAULT_POLICY,
        help="what counts as content (default: %(default)s: title, text, captions, tables, code)",
    )
    group.add_argument(
        "--with",
        dest="included",
        type=_roles,
        default=frozenset(),
        metavar="ROLES",
        help=f"also keep segments of these roles, separated by commas: {', '.join(ROLES)}",
    )
    group.add_argument(
        "--without",
        dest="excluded",
        type=_roles,
        default=frozenset(),
        metavar="ROLES",
        help="drop segments of these roles",
    )
    group.add_argument(
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
    group.add_argument(
        "--variant", choices=justext_rules.VARIANTS, help="edition of jusText (default: python, the package)"
    )
    group.add_argument(
        "--sure",
        type=_bits,
        metavar="BITS",
        help="derive classes from scores; segments this far from the threshold are decided without their neighbours "
        f"(default: {justext_context.DECIDED_BITS:g}, or {justext_context.CALIBRATED_DECIDED_BITS:g} for calibrated "
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


def _policy(args: argparse.Namespace) -> DecisionPolicy:
    """The policy that the options ask for. Raises UsageError."""
    given = [name for name in _NEIGHBOUR_OPTIONS if getattr(args, name) is not None]
    if args.decide != "justext" and given:
        raise UsageError(f"--{given[0].replace('_', '-')} requires --decide justext")
    if args.decide not in ("auto", "threshold", "justext") and (args.threshold is not None or args.per_char):
        option = "--per-char" if args.threshold is None else "-t"
        raise UsageError(f"{option} requires --decide threshold or justext")
    if args.favour and args.decide == "justext":
        raise UsageError("--favour cannot be combined with --decide justext")
    if args.favour not in (None, "balance") and args.per_char:
        raise UsageError("--favour cannot be combined with --per-char")
    distance = args.max_heading_distance
    neighbours = NeighbourOptions(
        max_heading_distance=MAX_HEADING_DISTANCE if distance is None else distance,
        no_headings=bool(args.no_headings),
        published=args.variant == "java",
        decided_bits=args.sure,
    )
    favour = args.favour or "balance"
    if both := args.included & args.excluded:
        raise UsageError(f"{', '.join(sorted(both))}: both in --with and in --without")
    if args.head_title and "title" in args.excluded:
        raise UsageError("--head-title cannot be combined with --without title")
    content = ContentOptions(args.policy, args.included, args.excluded)
    return policies.policy(
        PolicyOptions(args.decide, args.threshold, args.per_char, args.rules, favour, neighbours, content)
    )


def _quality_model(args: argparse.Namespace) -> QualityModel | None:
    """The quality model, if the output needs one. Raises UsageError."""
    if args.format in ("text", "wet") and args.min_quality is None and args.quality_model is None:
        return None
    try:
        return registry.find_quality(args.quality_model, args.min_quality is not None)
    except ModelError as error:
        raise UsageError(str(error)) from None


def output_sink(args: argparse.Namespace) -> Callable[[ByteOutput], Sink] | None:
    """The sink of the output; None for records. Raises UsageError."""
    if args.format == "parquet":
        return parquet_sink(args)
    if args.format not in ("text", "wet"):
        return None
    form = formats.OUTPUT_FORMS["plain" if args.all and args.format == "text" else args.form]
    by_class = args.decide == "justext" and args.sure is None

    def text_of(document: Record) -> str:
        if record.is_error(document):
            return ""
        return decision_listing(document, by_class) if args.all else str(document["text"])

    def sink(output: ByteOutput) -> Sink:
        if args.format == "wet":
            from ..streams.wet_writer import WetWriter  # only for this format

            return WetWriter(output, args.gzip)
        if args.output:
            name_of = args.name.of if args.name else by_id(file_path)
            try:
                frame = TextFrame(form.file_head, tail=form.file_tail, head_of=form.head_of)
                return Files(args.output, form.suffix, text_of, frame, name_of)
            except OSError as error:
                raise UsageError(f"{args.output}: {error.strerror}") from None
        return Text(output, text_of, TextFrame(form.head, form.between, form.tail, form.head_of))

    return sink


def parquet_sink(args: argparse.Namespace) -> Callable[[ByteOutput], Sink]:
    """The sink for -f parquet. Raises UsageError."""
    require_library("pyarrow", "-f parquet needs", "parquet")

    def sink(output: ByteOutput) -> Sink:
        from ..streams.columns.parquet_writer import ParquetSink  # start-up: pyarrow, only for this format

        return ParquetSink(output)

    return sink


def processing(args: argparse.Namespace) -> Callable[[Record], Record | None]:
    """What the stage does to a record. Raises UsageError."""
    if args.output and args.format != "text":
        raise UsageError("-o writes text only: omit -f")
    if args.gzip and args.format != "wet":
        raise UsageError("--gzip requires -f wet")
    if args.name and not args.output:
        raise UsageError("--name requires -o")
    if args.front_matter and args.form != "markdown":
        raise UsageError("--front-matter requires --as markdown")
    policy = _policy(args)
    quality_model = _quality_model(args)
    bullets = args.format == "text" and not args.output if args.bullets is None else args.bullets
    has_title = "title" not in args.excluded
    markup = MarkupOptions(args.links, args.images, args.tables)
    selection = SelectionOptions(args.form, bullets, args.all, args.keep, args.tag, has_title, args.head_title, markup)
    selection = replace(selection, front_matter=args.front_matter)

    def process(document: Record) -> Record | None:
        if args.lang is not None and language_of(document) not in args.lang:
            return None
        return with_quality(select_text(document, policy, selection, quality_model), args.min_quality)

    return process


def main(argv: list[str] | None = None) -> int:
    """Runs the command and returns its exit status."""
    args = option_parser().parse_intermixed_args(argv)

    def start() -> int:
        process = per_record(processing(args))
        return run_filter(args.files, process, options.stream_options(TOOL, args), output_sink(args))

    return exit_status(TOOL, start)


def decision_listing(document: Record, by_class: bool = False) -> str:
    """A document for inspection, one line per segment: `+` if it is kept, its rule or score, its type and role, its
    text. With *by_class*, a segment has its class from nc-score instead of its score.
    """
    lines = [one_line(f"# {document.get('id', '')} {document.get('url') or ''}").rstrip()]
    for segment in document["segments"]:
        text = segment["text"].replace("\n", " ")
        sign = "+" if segment["keep"] else "-"
        # with a page, the rule is a feature of the model, not a reason by itself
        rule = segment.get("rule") if document.get("page") is None else None
        reason = rule or by_class and segment.get("class") or format(segment["score"], ".1f")
        kind = f"{segment['type']} {segment['role']}" if "role" in segment else segment["type"]
        line = f"{sign} {reason:>9} <{kind}> {text}"
        lines.append("\t".join(map(one_line, line.split("\t"))))
    return "\n".join(lines)
