"""nc-score: segments in, evidence for each out (NCleaner, stage 4).

nc-segment crawl.jsonl | nc-score -m en -m ncleaner-nonlexical | jq '.segments[].scores'
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Sequence

from ..errors import ModelError, UsageError
from ..scoring import base, registry
from ..scoring.base import Model
from ..scoring.justext import rules as justext_rules
from ..scoring.scorer import BATCH, scorer
from ..scoring.word_lm.text_normalization import NormalizedModel, text_normalizer
from ..streams.console import exit_status
from ..streams.runner import run_filter
from . import options

TOOL = "nc-score"


def option_parser() -> argparse.ArgumentParser:
    """The options of the command."""
    parser = options.filter_parser(
        TOOL,
        "Evidence for each segment: is it clean text or boilerplate?",
        f"nc-segment crawl.jsonl | {TOOL} -m en | nc-select",
        alias=(),
    )
    options.add_format(parser)
    parser.add_argument(
        "-m",
        "--model",
        action="append",
        metavar="NAME|PATH",
        help="a model by name or file; may be given again (default: en)",
    )
    parser.add_argument(
        "--limit", type=_perplexity, metavar="P", help="the perplexity of a score of 0, for models that have one"
    )
    parser.add_argument(
        "--explain",
        nargs="?",
        type=_reasons,
        const=3,
        metavar="N",
        help="add the strongest reasons for and against, so many of each (default: 3); for models of structure",
    )
    parser.add_argument("--list-models", action="store_true", help="say what models there are")
    _add_normalization(parser.add_argument_group("texts", "before models that have a perplexity read them"))
    _add_rules(parser.add_argument_group("jusText", "for models of the kind rules, in place of what their header says"))
    return parser


def _reasons(text: str) -> int:
    """What --explain says. Raises ArgumentTypeError."""
    if not re.fullmatch(r"[0-9]{1,4}", text) or not int(text):
        raise argparse.ArgumentTypeError(f"'{text}' is no number from 1; before a file, give one: --explain 3 {text}")
    return int(text)


def _perplexity(text: str) -> float:
    """What --limit says. Raises ArgumentTypeError."""
    if re.fullmatch(r"\d+[KMGkmg]", text):
        raise argparse.ArgumentTypeError(f"'{text}' is no perplexity; for the bytes of a record, --max-record {text}")
    return options.perplexity(text)


def _add_rules(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--stoplist", metavar="FILE|NAME", help="stop words of a file, or as justext:English of the package justext"
    )
    group.add_argument("--profile", choices=list(justext_rules.PROFILES), help="faithful to jusText, or improved")
    group.add_argument("--variant", choices=justext_rules.VARIANTS, help="the edition whose rules they are")
    for name, kind, metavar, what in (
        ("length-low", int, "N", "shorter segments, in characters, are short"),
        ("length-high", int, "N", "longer ones may be good"),
        ("stopwords-low", float, "SHARE", "with fewer stop words, 0 to 1, segments are bad"),
        ("stopwords-high", float, "SHARE", "with as many they may be good"),
        ("max-link-density", float, "SHARE", "with more of its characters in links, 0 to 1, a segment is bad"),
        ("copyright-length", int, "N", "© makes no longer segment bad"),
    ):
        group.add_argument(f"--{name}", type=kind, metavar=metavar, help=what)
    for name, what in (
        ("no-headings", "no headline is good (Java; see also nc-select)"),
        ("spaceless", "words are characters"),
        ("select-exact", "select is a whole element name"),
        ("list-items", "leave doubtful items of lists to their neighbours"),
        ("short-pages", "where nothing is good, take what is nearest to it"),
    ):
        group.add_argument(f"--{name}", action="store_true", default=None, help=what)


def changed(name: str, scoring: base.Model, args: argparse.Namespace, words: frozenset[str] | None) -> base.Model:
    """A model with the parameters that options give, and these stop words if any.

    Raises UsageError for other kinds than `rules`, and for what is out of range.
    """
    if not isinstance(scoring, justext_rules.JusTextRules):
        raise UsageError(
            f"{name}: a model of kind '{scoring.kind}': the options of jusText are for models of the kind 'rules'"
        )
    given = {name: value for name in justext_rules.NAMES if (value := getattr(args, name)) is not None}
    try:
        return scoring.changed(words, args.profile, **given)
    except ValueError as error:
        parameter, colon, cause = str(error).partition(":")
        option = "--" + parameter.replace("_", "-") if parameter in justext_rules.NAMES else parameter
        raise UsageError(option + colon + cause) from None


def list_models() -> str:
    """A line for each model: name, kind, language, what it is."""
    rows = []
    for name, path in registry.installed_models().items():
        try:
            header = registry.read_header(path)
            rows.append((name, header["kind"], header.get("language", ""), header.get("description", "")))
        except ModelError as error:
            rows.append((name, "damaged", "", str(error)))
    if lists := [name.removeprefix(registry.STOPLIST_MODEL_PREFIX) for name in registry.stoplist_models()]:
        rows.append(
            (registry.STOPLIST_MODEL_PREFIX + "LANG", "rules", "", f"jusText's rules; LANG is one of {' '.join(lists)}")
        )
    widths = [max(map(len, column)) for column in list(zip(*rows))[:3]] if rows else []
    return "".join("  ".join([*(cell.ljust(width) for cell, width in zip(row, widths)), row[3]]) + "\n" for row in rows)


def _loaded(args: argparse.Namespace) -> list[tuple[str, base.Model, str]]:
    """The models asked for, each with its name and what stands for it in records. Raises UsageError."""
    words = None
    if args.stoplist is not None:
        from ..scoring.justext import stoplist

        try:
            words = stoplist.find(args.stoplist)[0]
        except stoplist.StopListError as error:
            raise UsageError(str(error)) from None
    also = "".join(f"+{name}={value}" for name, value in _said(args))
    if also and not args.model:  # the rules themselves need no file
        rules = changed("justext", justext_rules.JusTextRules(frozenset(), justext_rules.Parameters()), args, words)
        out: list[tuple[str, base.Model, str]] = [("justext", rules, "justext" + also)]
        return _adapted(out, args)
    out = []
    for name in args.model or ["en"]:
        try:
            path = registry.find(name)
            header, scoring = registry.load_file(path)
        except ModelError as error:
            raise UsageError(str(error)) from None
        if also:
            scoring = changed(name, scoring, args, words)
        out.append((name, scoring, registry.signature(registry.model_name(path), header) + also))
    return _adapted(out, args)


def _adapted(loaded: list[tuple[str, base.Model, str]], args: argparse.Namespace) -> list[tuple[str, base.Model, str]]:
    """The models, with texts prepared and the limit set as options say. Raises UsageError."""
    if args.normalise or args.tokens or args.sentencepiece:
        loaded = _normalized(loaded, args)
    return loaded if args.limit is None else _limited(loaded, args.limit)


def _limited(loaded: Sequence[tuple[str, base.Model, str]], limit: float) -> list[tuple[str, base.Model, str]]:
    """The models, those that have a perplexity with that limit. Raises UsageError where none has."""
    out = []
    for name, scoring, signature in loaded:
        if hasattr(scoring, "limit"):
            scoring.limit = limit
            signature += f"+limit={limit:g}"
        out.append((name, scoring, signature))
    if not any(hasattr(scoring, "limit") for _, scoring, _ in out):
        kinds = ", ".join(f"{name} is of kind '{scoring.kind}'" for name, scoring, _ in out)
        raise UsageError(f"--limit {limit:g}: for models that have a perplexity: {kinds}")
    return out


def _said(args: argparse.Namespace) -> list[tuple[str, object]]:
    """The options of jusText that were given."""
    names = ("stoplist", "profile", *justext_rules.NAMES)
    return [(name, value) for name in names if (value := getattr(args, name)) is not None]


def main(argv: list[str] | None = None) -> int:
    """Runs the command and returns its exit status."""
    args = option_parser().parse_intermixed_args(argv)
    # numpy's linear algebra starts threads that table look-ups never use: a tenth of a second of CPU
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

    def start() -> int:
        if args.list_models:
            print(list_models(), end="")
            return 0
        loaded = _loaded(args)
        name, first, _ = loaded[0]
        if args.explain and not isinstance(first, base.ExplainingModel):
            raise UsageError(f"--explain: {name} is of kind '{first.kind}': only 'structure' can say why")
        models = [(name, scoring) for name, scoring, _ in loaded]
        work = scorer(models, [signature for _, _, signature in loaded], args.explain or 0)
        batch = max([BATCH, *(getattr(scoring, "batch_bytes", 0) for _, scoring, _ in loaded)])
        return run_filter(args.files, work, options.stream_options(TOOL, args, batch))

    return exit_status(TOOL, start)


def _add_normalization(group: argparse._ArgumentGroup) -> None:
    """The options of nc-score that say how texts are prepared."""
    group.add_argument(
        "--normalise", choices=["none", "lower", "ccnet"], help="as texts were normalised that the model is of (none)"
    )
    group.add_argument(
        "--tokens",
        choices=["spaces", "words", "pyplexity"],
        help="how texts are cut into words, for models of other programs (spaces)",
    )
    group.add_argument("--sentencepiece", metavar="FILE", help="a SentencePiece model that cuts words into pieces")


def _normalized(loaded: list[tuple[str, Model, str]], args: argparse.Namespace) -> list[tuple[str, Model, str]]:
    """Models with their names and signatures: those that have a perplexity get texts prepared as options say. Raises
    UsageError."""
    if args.tokens and args.sentencepiece:
        raise UsageError("--tokens and --sentencepiece: one of them")
    if not any(hasattr(scoring, "limit") for _, scoring, _ in loaded):
        raise UsageError("--normalise, --tokens and --sentencepiece are for models that have a perplexity")
    try:
        normalize = text_normalizer(args.normalise or "none", args.tokens, args.sentencepiece)
    except ModelError as error:
        raise UsageError(str(error)) from None
    file = os.path.basename(args.sentencepiece) if args.sentencepiece else None
    said = (("normalise", args.normalise), ("tokens", args.tokens), ("sentencepiece", file))
    also = "".join(f"+{name}={value}" for name, value in said if value)
    out: list[tuple[str, Model, str]] = []
    for name, scoring, signature in loaded:
        if hasattr(scoring, "limit"):
            cut = getattr(scoring, "tokens", "spaces")
            if cut != "spaces" and (args.tokens or args.sentencepiece):
                raise UsageError(f"{name}: its header says how its texts are cut: {cut}")
            scoring, signature = NormalizedModel(scoring, normalize), signature + also
        out.append((name, scoring, signature))
    return out
