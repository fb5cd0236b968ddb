"""nc-select: the clean text of scored segments, in one of several forms.

    nc-segment crawl.jsonl | nc-score | nc-select --as markdown

-f selects the output format, --as the form of the text.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING

from .. import record
from ..errors import ModelError, as_usage_errors, require_library
from ..installed import JUSTEXT_VARIANTS
from ..record import Record
from ..roles import DEFAULT_POLICY, POLICIES, ROLES
from ..selection import decision, expected_f, formats
from ..selection.formats import IMAGES, LINKS, TABLES, MarkupOptions, format_of
from ..selection.options import METHODS, ContentOptions, NeighbourOptions, PolicyOptions
from ..selection.selector import SelectionOptions, language_of, select_text, with_quality
from ..streams import writers
from ..streams.console import one_line, terminal_columns, uses_colour
from ..streams.runner import per_record, run_filter
from ..text.lazy_pattern import lazy_pattern
from ..text.scripts import primary
from . import options

if TYPE_CHECKING:
    from ..scoring.quality import QualityModel
    from ..selection.file_names import NameTemplate

TOOL = "nc-select"
# Bytes of a shard of Parquet.
SHARD_SIZE = 512 << 20
_LANGUAGE = lazy_pattern(r"\s*[A-Za-z]{2,3}(?:[-_]\w+)*\s*", re.ASCII)
# The parameters of jusText that --set sets, and what they take; nc-score has the others.
RULE_PARAMETERS = {"max-heading-distance": int, "no-headings": bool, "variant": str}


_OPTIONS = f"""
--decide {"|".join(METHODS)}: decision policy: a threshold on scores, the best expected F, the best sequence, no text
    from pages without content, or the classes of neighbours (default: %(default)s: expected for calibrated scores, else
    threshold)
-t --threshold BITS: keep segments with a higher score, in bits of log2 odds: 0 is even odds, 1 is 2:1, 3 is 8:1; higher
    values raise precision, lower values recall (default: 0)
--keep: keep segments in records
-o --output DIR: write one file per document, named by its id
--head-title: write the title of the page's head if no segment is the title
"""


def option_parser() -> argparse.ArgumentParser:
    parser = options.filter_parser(
        TOOL, "Select the clean text from scored segments.", f"nc-segment crawl.jsonl | nc-score | {TOOL}"
    )
    add_options(parser)
    options.add(parser, _OPTIONS, decide="auto", threshold=float)
    options.add_setting(parser, "jusText: for --decide justext", RULE_PARAMETERS)
    return parser


_STAGE_OPTIONS = f"""
-f --format text|jsonl|msgpack|wet|parquet: output format: text only, records with the field text, a WET file, or
    Parquet (default: text; nc-clean -o FILE: what its name says)
--as {"|".join(formats.OUTPUT_FORMS)}: output form of the text (default: plain, one paragraph per line; nc-clean
    -o FILE: what its name says)
--front-matter: write the metadata of documents in YAML before their Markdown: title, author, date, site and others,
    which nc-segment --markup finds
--chunks N: write records with pieces of Markdown of at most N words, each with its headings, for retrieval
--favour {"|".join(expected_f.OPERATING_POINTS)}: operating point: higher precision or higher recall (default: balance)
--no-rules: decide by score also on segments that nc-segment marks as boilerplate
--all: write all segments, each with its decision (keep: true|false, or + and -)
--lang CODES: drop documents in other languages than these, such as en or en,de
--min-quality Q: drop documents with predicted word precision below Q (0 to 1)
--name TEMPLATE: name the files of -o after the metadata of documents, such as {{date}}-{{title}}
--links {"|".join(LINKS)}: write links as they are, as their text alone, or in Markdown with their addresses at the end
    (default: %(default)s)
--images {"|".join(IMAGES)}: write images or not (default: %(default)s)
--tables {"|".join(TABLES)}: write tables as such, their rows as text, or nothing of them (default: %(default)s)
--policy {"|".join(POLICIES)}: what counts as content (default: %(default)s: title, text, captions, tables, code)
--with ROLES: also keep segments of these roles, separated by commas: {", ".join(ROLES)}
--without ROLES: drop segments of these roles
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the stage that nc-clean has, too."""

    def roles(text: str) -> frozenset[str]:
        return frozenset(text.split(","))

    options.add(
        parser,
        _STAGE_OPTIONS,
        **{"format": "text", "as": {"dest": "form", "default": "plain"}, "policy": DEFAULT_POLICY},
        **dict.fromkeys(("links", "images", "tables"), "keep"),
        **{"with": {"dest": "included", "type": roles, "default": frozenset()}},
        without={"dest": "excluded", "type": roles, "default": frozenset()},
        chunks=options.number("a number of words, 1 or more", 1),
        lang=_languages,
        min_quality=options.number("a number from 0 to 1", 0, 1, float),
        name=_name_template,
    )
    parser.set_defaults(
        decide="auto", threshold=None, keep=False, head_title=False, gzip=False, settings=[], to_file=False
    )


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


# ---- what they ask for -----------------------------------------------------------------------------------------


def _policy(args: argparse.Namespace) -> decision.PagePolicy:
    """The policy that the options ask for. Raises UsageError."""
    given = dict(args.settings)
    edition = given.pop("variant", "python")
    options.refuse(
        (args.decide != "justext" and args.settings, "--set requires --decide justext"),
        (args.head_title and "title" in args.excluded, "--head-title cannot be combined with --without title"),
        (edition not in JUSTEXT_VARIANTS, f"--set variant: expected {', '.join(JUSTEXT_VARIANTS)}, got {edition!r}"),
        (
            given.get("max_heading_distance", 0) < 0,
            "--set max-heading-distance: expected a number of characters, 0 or more",
        ),
    )
    neighbours = NeighbourOptions(published=edition == "java", **given)
    with as_usage_errors(ValueError):
        content = ContentOptions(args.policy, args.included, args.excluded)
        chosen = PolicyOptions(args.decide, args.threshold, args.rules, args.favour or "balance", neighbours, content)
    return decision.policy(chosen)


def output_sink(
    args: argparse.Namespace, settings: Callable[[], Record] | None = None
) -> Callable[[writers.ByteOutput], writers.Sink] | None:
    """The sink of the output; None for records. *settings* are what a manifest says of the run: by default those of
    this command. Raises UsageError."""
    if args.format == "parquet":
        require_library("pyarrow", "-f parquet needs", "parquet")
    elif args.format not in ("text", "wet"):
        return (lambda output: writers.Chunks(writers.Records(output, args.format))) if args.chunks else None

    def sink(output: writers.ByteOutput) -> writers.Sink:
        if args.format == "parquet":
            # start-up: pyarrow, only for this format
            from ..streams.parquet import ParquetShards, ParquetSink

            if not args.output:
                return ParquetSink(output)
            said = settings() if settings else options.settings(args, option_parser().parse_args([]))
            return ParquetShards(args.output, SHARD_SIZE, said)
        if args.format == "wet":
            from ..streams.wet_writer import WetWriter  # only for this format

            return WetWriter(output, args.gzip)
        form, text_of = _form(args), _text_of(args)
        if not args.output:
            return writers.Text(output, text_of, writers.TextFrame(form.head, form.between, form.tail, form.head_of))
        name_of = args.name.of if args.name else writers.by_id(writers.file_path)
        with as_usage_errors(OSError, args.output):
            frame = writers.TextFrame(form.file_head, tail=form.file_tail, head_of=form.head_of)
            return writers.Files(args.output, form.suffix, text_of, frame, name_of)

    return sink


def written_line(args: argparse.Namespace) -> Callable[[Record], bytes] | None:
    """What makes the bytes that the output has of a document; None if there is more than that to be done."""
    if args.format == "jsonl":
        if args.chunks:
            return lambda document: b"".join(map(writers.json_line, document["chunks"]))
        return writers.json_line
    if args.format != "text" or args.output or _form(args).head_of:
        return None
    text_of = _text_of(args)
    return lambda document: writers.text_bytes(text_of(document))


def _form(args: argparse.Namespace) -> formats.OutputForm:
    return formats.OUTPUT_FORMS["plain" if args.all and args.format == "text" else args.form]


def _text_of(args: argparse.Namespace) -> Callable[[Record], str]:
    """What is written of a document: its text, or with --all its segments, in colours if somebody watches."""
    shown: Callable[[Record], str] = itemgetter("text")
    if args.all:
        shown = partial(decision_listing, by_class=args.decide == "justext")
    if args.all and not args.output and not args.to_file and uses_colour():
        from ..selection.colour_listing import colour_listing  # start-up: only for people at a terminal

        shown = partial(colour_listing, columns=terminal_columns(), by_class=args.decide == "justext")
    return lambda document: "" if record.is_error(document) else shown(document)


class Selection:
    """What the stage does to a record. Raises UsageError."""

    def __init__(self, args: argparse.Namespace) -> None:
        _check(args)
        self._policy = _policy(args)
        self._languages, self._min_quality = args.lang, args.min_quality
        self._quality_model: QualityModel | None = None
        if args.format not in ("text", "wet") or args.min_quality is not None:
            from ..scoring import registry  # start-up: most text needs no model

            with as_usage_errors(ModelError):
                self._quality_model = registry.find_quality(None, args.min_quality is not None)
        is_text_alone = args.format == "text" and not formats.OUTPUT_FORMS[args.form].has_metadata
        self._options = SelectionOptions(
            args.form,
            bullets=args.format == "text" and not args.output,
            mark_segments=args.all,
            reasons=args.all,
            keep_segments=args.keep,
            head_title=args.head_title,
            markup=MarkupOptions(args.links, args.images, args.tables),
            front_matter=args.front_matter,
            complete_head=not is_text_alone or args.front_matter or args.head_title or bool(args.output),
            chunks=args.chunks,
        )

    @property
    def needs_roles(self) -> bool:
        return self._policy.options.content.needs_roles

    def __call__(self, document: Record) -> Record | None:
        if self._languages is not None and language_of(document) not in self._languages:
            return None
        selected = select_text(document, self._policy, self._options, self._quality_model)
        return with_quality(selected, self._min_quality)


def _check(args: argparse.Namespace) -> None:
    """Raises UsageError for options of the output that exclude each other."""
    if args.chunks:
        is_markdown = args.form == "markdown" and args.format in ("jsonl", "msgpack")
        options.refuse(
            (args.output, "--chunks writes records, to standard output or to a file of nc-clean -o chunks.jsonl"),
            (not is_markdown, "--chunks requires --as markdown and -f jsonl or msgpack"),
            (args.front_matter, "--chunks cannot be combined with --front-matter"),
            (args.all, "--chunks cannot be combined with --all"),
        )
    name = args.output or ""
    is_file = args.format == "text" and format_of(name) and not os.path.isdir(name)
    options.refuse(
        (args.all and args.format == "wet", "--all cannot be combined with -f wet, which has the text alone"),
        (name and args.format not in ("text", "parquet"), "-o writes text or Parquet only: omit -f"),
        (is_file, f"-o {name}: a folder is needed (or {name}/); one file: > {name}"),
        (args.name and not name, "--name requires -o"),
        (args.front_matter and args.form != "markdown", "--front-matter requires --as markdown"),
    )


@options.command(option_parser)
def main(args: argparse.Namespace) -> int:
    if args.chunks:
        args.form = "markdown" if args.form == "plain" else args.form
        args.format = "jsonl" if args.format == "text" else args.format
    selection = Selection(args)
    stream = options.stream_options(TOOL, args)
    return run_filter(args.files, per_record(selection), stream, output_sink(args))


def decision_listing(document: Record, by_class: bool = False) -> str:
    """A document for inspection, one line per segment: `+` if it is kept, its score, its type and role, its reason in
    brackets, its text. With *by_class*, a segment has its class from nc-score instead of its score.
    """
    from ..selection.reasons import remark  # start-up: only for --all

    lines = [one_line(f"# {document.get('id', '')} {document.get('url') or ''}").rstrip()]
    for segment in document["segments"]:
        text = segment["text"].replace("\n", " ")
        sign = "+" if segment["keep"] else "-"
        evidence = by_class and segment.get("class") or format(segment["score"], ".1f")
        kind = f"{segment['type']} {segment['role']}" if "role" in segment else segment["type"]
        why = f"[{said}] " if (said := remark(segment)) else ""
        line = f"{sign} {evidence:>9} <{kind}> {why}{text}"
        lines.append("\t".join(map(one_line, line.split("\t"))))
    return "\n".join(lines)
