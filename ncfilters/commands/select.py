"""nc-select: scored segments in, the text out, in the form asked for.

    nc-segment crawl.jsonl | nc-score -m en | nc-select --as markdown

-f says how documents are framed, --as how the text looks.
"""

from __future__ import annotations

import argparse
import re

from .. import record
from ..errors import ModelError, UsageError
from ..record import Record
from ..scoring import registry
from ..scoring.justext import rules as justext_rules
from ..scoring.quality import QualityModel
from ..selection import formats, justext_context, policies
from ..selection.policies import DecisionPolicy
from ..selection.selector import good, selected
from ..streams.console import exit_status
from ..streams.runner import per_record, run_filter
from ..streams.writers import Files, Output, Sink, Text, file_path
from . import options

TOOL = "nc-select"

# What may stand in a tag.
_TAG = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)


def option_parser() -> argparse.ArgumentParser:
    """The options of the command."""
    parser = options.filter_parser(
        TOOL, "Scored segments to the text that is clean.", f"nc-segment crawl.jsonl | nc-score -m en | {TOOL}"
    )
    parser.add_argument(
        "-f",
        "--format",
        choices=["text", "jsonl", "msgpack", "wet"],
        default="text",
        help="text alone, records with a field text, or a WET file (default: %(default)s)",
    )
    parser.add_argument(
        "--as",
        dest="form",
        choices=list(formats.FORMS),
        default="plain",
        help="how the text looks (default: %(default)s, a paragraph a line)",
    )
    parser.add_argument(
        "--decide",
        choices=policies.WAYS,
        default="auto",
        help="how: each segment by its score, for the best F to be expected, the best sequence, or by its neighbours; "
        "nothing of pages without text (default: %(default)s, expected where scores allow it, else threshold)",
    )
    parser.add_argument(
        "--favour", choices=list(policies.FAVOURS), help="cleaner text, or more of it (default: balance)"
    )
    parser.add_argument(
        "-t",
        "--threshold",
        type=float,
        metavar="BITS",
        help="keep what scores more; higher is cleaner, lower loses less (default: 0)",
    )
    parser.add_argument("--per-char", action="store_true", help="compare scores divided by the segment's length")
    parser.add_argument(
        "--no-rules", dest="rules", action="store_false", help="keep what nc-segment marked, if it scores so"
    )
    parser.add_argument(
        "--all", action="store_true", help="keep everything, and say with keep: true|false (or + and -) what would be"
    )
    parser.add_argument(
        "--tag", type=_tag, metavar="NAME", help="keep what would be dropped, too: inside an element of that name"
    )
    parser.add_argument(
        "--min-quality", type=_share, metavar="Q", help="drop pages whose predicted word precision is below Q, 0 to 1"
    )
    parser.add_argument(
        "--quality-model",
        metavar="NAME|PATH",
        help=f"the model that predicts it (default: {registry.DEFAULT_QUALITY_MODEL})",
    )
    parser.add_argument("-o", "--output", metavar="DIR", help="write a file for each document, named by its id")
    parser.add_argument("--gzip", action="store_true", help="pack each record of a WET file")
    parser.add_argument("--keep", action="store_true", help="keep segments in the record")
    _add_neighbours(parser.add_argument_group("jusText", "for --decide justext"))
    return parser


def _add_neighbours(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--max-heading-distance",
        type=_length,
        metavar="N",
        help=f"characters from a heading to text (default: {justext_context.MAX_HEADING_DISTANCE})",
    )
    group.add_argument("--no-headings", action="store_true", default=None, help="headings are as other segments")
    group.add_argument(
        "--variant", choices=justext_rules.VARIANTS, help="the edition to decide as (default: python, the package)"
    )
    group.add_argument(
        "--sure",
        type=_bits,
        metavar="BITS",
        help="make classes of scores: so far from the threshold, neighbours do not matter "
        f"(default: {justext_context.SURE:g}, where there is no class)",
    )


def _tag(text: str) -> str:
    if _TAG.fullmatch(text):
        return text
    raise argparse.ArgumentTypeError(f"'{text}' is no name of an element, such as ppl")


def _length(text: str) -> int:
    if text.isdecimal():
        return int(text)
    raise argparse.ArgumentTypeError(f"'{text}' is no number of characters, 0 or more")


def _bits(text: str) -> float:
    try:
        if 0 <= (bits := float(text)) < float("inf"):
            return bits
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"'{text}' is no number of bits, 0 or more")


def _decider(args: argparse.Namespace) -> DecisionPolicy:
    """What --decide asks for. Raises UsageError."""
    given = {
        name: value
        for name in ("max_heading_distance", "no_headings", "variant", "sure")
        if (value := getattr(args, name)) is not None
    }
    if args.decide != "justext":
        if given:
            raise UsageError(f"--{next(iter(given)).replace('_', '-')}: only with --decide justext")
        try:
            return policies.named(args.decide, args.threshold, args.per_char, args.rules, args.favour or "balance")
        except ValueError as error:
            raise UsageError(str(error)) from None
    if args.favour:
        raise UsageError("--favour: not with --decide justext")
    given["published"] = given.pop("variant", "python") == "java"
    threshold = args.threshold or 0.0
    return justext_context.by_neighbours(rules=args.rules, threshold=threshold, per_char=args.per_char, **given)


def _share(text: str) -> float:
    try:
        if 0 <= (share := float(text)) <= 1:
            return share
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"'{text}' is no number from 0 to 1")


def _judge(args: argparse.Namespace) -> QualityModel | None:
    """The model of quality, if something asks for one. Raises UsageError."""
    if args.format in ("text", "wet") and args.min_quality is None and args.quality_model is None:
        return None
    try:
        return registry.find_quality(args.quality_model, args.min_quality is not None)
    except ModelError as error:
        raise UsageError(str(error)) from None


def main(argv: list[str] | None = None) -> int:
    """Runs the command and returns its exit status."""
    args = option_parser().parse_intermixed_args(argv)

    def start() -> int:
        if args.output and args.format != "text":
            raise UsageError("-o writes text: leave out -f")
        if args.gzip and args.format != "wet":
            raise UsageError("--gzip: only with -f wet")
        decide = _decider(args)
        judge = _judge(args)

        def work(document: Record) -> Record | None:
            return good(selected(document, decide, args.form, args.all, args.keep, judge, args.tag), args.min_quality)

        form = formats.FORMS["plain" if args.all and args.format == "text" else args.form]

        def text_of(document: Record) -> str:
            if record.is_error(document):
                return ""
            return (
                shown(document, args.decide == "justext" and args.sure is None) if args.all else str(document["text"])
            )

        def sink(output: Output) -> Sink:
            if args.format == "wet":
                from ..streams.wet_writer import Wet

                return Wet(output, args.gzip)
            if args.output:
                try:
                    return Files(args.output, form.suffix, text_of, form.head, form.tail, file_path)
                except OSError as error:
                    raise UsageError(f"{args.output}: {error.strerror}") from None
            return Text(output, text_of, form.head, form.between, form.tail)

        to = sink if args.format in ("text", "wet") else None
        return run_filter(args.files, per_record(work), options.stream_options(TOOL, args), to)

    return exit_status(TOOL, start)


def shown(document: Record, classes: bool = False) -> str:
    """A document for people who want to look: `+` before what is kept, the rule or the score, the type, the text.

    With *classes*, the class that nc-score gave, where it did, in place of the score.
    """
    lines = [f"# {document.get('id', '')} {document.get('url') or ''}".rstrip()]
    for segment in document["segments"]:
        text = segment["text"].replace("\n", " ")
        sign = "+" if segment["keep"] else "-"
        # what has been weighed with the rest is no reason by itself
        rule = segment.get("rule") if document.get("page") is None else None
        why = rule or classes and segment.get("class") or format(segment["score"], ".1f")
        lines.append(f"{sign} {why:>9} <{segment['type']}> {text}")
    return "\n".join(lines)
