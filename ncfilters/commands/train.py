"""nc-train: pages with gold text in, a model out.

    nc-train ngram -n 3 -q 0.5 -o my.model pages.jsonl && nc-segment crawl.jsonl | nc-score -m ./my.model | nc-select
    nc-train ngram --cv 10 --gold cleaned/ original/

The gold text says which of a page's segments are clean (see `material`); what each kind of model learns of them, see
`learners`. With --cv the model is also judged on pages of sites that it has not seen.
"""

from __future__ import annotations

import argparse
import errno
import os
import shlex
import sys
from collections.abc import Container, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..dataset import gold_join
from ..errors import UsageError
from ..features import feature_groups
from ..scoring.card import write_card
from ..streams import console
from . import options

if TYPE_CHECKING:
    from ..training.learners import Learner

TOOL = "nc-train"

KINDS = ("ngram", "structure", "word", "stoplist", "quality")
# How word models estimate (see `word`, which is not imported for the names alone).
ESTIMATORS = ("pyplexity", "pyplexity-misaligned", "interpolated", "kneser-ney")
# Kinds that --cv is not for.
NOT_VALIDATED = {
    "stoplist": "a stop list judges no pages and cannot be cross-validated",
    "quality": "quality is always held against sites it was not fitted to",
}
# Options that say how to count, and not what.
ELSEWHERE = ("--memory", "--temp")
# What cross-validation measures.
MEASURES = ("words", "cleaneval", "segments", "unlabelled", "bag")


def cross_validated(learner: Learner, args: argparse.Namespace) -> None:
    """Prints how good the model is on pages of sites it was not trained on. Raises ValueError where it cannot be, and
    OSError."""
    from ..evaluation.report.summary import evaluation_tables
    from ..evaluation.report.tables import table_lines
    from ..evaluation.results import Evaluation, System
    from ..training.cross_validation import selected, validated

    progress = console.Progress(TOOL, args.cv, args.verbose)
    system = System(f"{args.cv} folds", models={f"{args.kind} (n {args.n}, cross-validated)"})
    golds = {}
    for number, (page, scores) in enumerate(
        validated(learner.pages, args.cv, learner.trained, args.seed, progress.at, learner.documents), 1
    ):
        key = page.key if page.key not in golds else f"{page.key} ({number})"
        system.texts[key] = selected(page, scores)
        golds[key] = page.gold
        if args.scored:
            for part, score in zip(learner.documents[id(page)]["segments"], scores):
                part["score"] = score
    if args.scored:
        from ..streams.writers import json_line

        with open(args.scored, "wb") as file:
            file.writelines(map(json_line, learner.documents.values()))
    for table in evaluation_tables(Evaluation([system], golds, MEASURES), None, ()):
        sys.stdout.writelines([*table_lines(table, "table"), "\n"])


# ---- the command --------------------------------------------------------------------------------------------


def option_parser() -> argparse.ArgumentParser:
    """What the command understands."""
    parser = options.filter_parser(
        TOOL,
        "Pages with gold text to a model.",
        f"{TOOL} ngram -o my.model pages-with-gold.jsonl",
        before=[("kind", {"choices": KINDS, "help": "the kind of model"})],
    )
    options.add_fields(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="the model file; its card goes beside it")
    options.add_gold(parser)
    parser.add_argument("--cv", type=int, metavar="K", help="cross-validate in K folds by domain, and say the figures")
    parser.add_argument(
        "--scored", metavar="FILE", help="--cv of ngram and structure: write the pages, scored by what never saw them"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="shuffles domains (default: %(default)s)")
    _add_ngram(parser.add_argument_group("ngram and word"))
    _add_word(parser.add_argument_group("word and stoplist"))
    about = parser.add_argument_group("for the card")
    about.add_argument("--language", default="", metavar="CODE", help="the language")
    about.add_argument("--name", default="", metavar="NAME", help="stoplist: the language's English name")
    about.add_argument("--description", default="Trained with nc-train.", metavar="TEXT", help="a sentence")
    about.add_argument("--credit", action="append", default=[], metavar="TEXT", help="a corpus and its licence")
    return parser


def _add_ngram(group: Any) -> None:
    group.add_argument("-n", type=int, metavar="N", help="length of n-grams: characters, 1 to 8 (3); words, 2 or 3 (2)")
    group.add_argument(
        "-q",
        type=float,
        default=0.5,
        metavar="Q",
        help="ngram: weight of each shorter history, between 0 and 1 (default: %(default)s)",
    )
    group.add_argument(
        "--folding",
        choices=["ascii", "nonlexical", "frequent"],
        default="ascii",
        help="ngram: how characters are folded (default: %(default)s); "
        "frequent is for languages ASCII does not do justice to",
    )
    group.add_argument(
        "--characters",
        type=int,
        default=200,
        metavar="N",
        help="frequent: so many characters are kept apart (default: %(default)s)",
    )
    group.add_argument(
        "--differential", action="store_true", help="ngram: count pages less gold, as the papers do, without labels"
    )
    group.add_argument("--bias", type=float, default=0.0, metavar="BITS", help="ngram: taken from every score (0)")
    group.add_argument(
        "--context", type=float, default=0.0, metavar="BITS", help="ngram: what neighbours may add or take (0)"
    )
    group.add_argument("--no-words", dest="words", action="store_false", help="structure: know no word of any language")
    group.add_argument(
        "--without",
        type=_groups,
        default=[],
        metavar="GROUP[,GROUP]",
        help=f"structure: leave out, to measure what it brings: {', '.join(feature_groups.GROUPS)}",
    )
    group.add_argument("--fit", action="store_true", help="ngram: fit bias and context to sites held out")


def _groups(text: str) -> list[str]:
    """The groups that are left out, in the order they are known in."""
    given = text.split(",")
    for group in given:
        if group not in feature_groups.GROUPS:
            raise argparse.ArgumentTypeError(f"{group!r} is no group: {', '.join(feature_groups.GROUPS)}")
    return [group for group in feature_groups.GROUPS if group in given]


def _add_word(group: Any) -> None:
    group.add_argument(
        "--estimator",
        choices=ESTIMATORS,
        default=ESTIMATORS[0],
        help="word: how probabilities are made of counts (default: %(default)s)",
    )
    group.add_argument(
        "--tokens", choices=["pyplexity", "words"], help="word: how texts are cut into words (default: see man)"
    )
    group.add_argument("--lines", action="store_true", help="word: each line is a sentence")
    group.add_argument(
        "--memory",
        type=options.size,
        default="1G",
        metavar="BYTES",
        help="word: count in about so much memory, and the rest on disk (K, M, G; default %(default)s)",
    )
    group.add_argument("--temp", metavar="DIR", help="word: where on disk (default: TMPDIR, or /tmp)")
    group.add_argument(
        "--perplexity-limit",
        type=float,
        default=8000.0,
        metavar="P",
        help="word: the perplexity at which a score is 0 (default: %(default)s)",
    )
    group.add_argument(
        "--min-count", type=int, default=1, metavar="N", help="word: leave rarer n-grams out (default: %(default)s)"
    )
    group.add_argument("--size", type=int, metavar="N", help="stoplist: so many words (default: 500)")
    group.add_argument("--coverage", type=float, metavar="SHARE", help="stoplist: as many as cover this share of text")


def main(argv: list[str] | None = None) -> int:
    """The command; the exit status."""
    argv = sys.argv[1:] if argv is None else argv
    args = option_parser().parse_intermixed_args(argv)
    # with several threads, sums are rounded otherwise, and the same pages would not make the same model everywhere
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

    def start() -> int:
        path = _checked(args)
        from ..training.learners import LEARNERS

        kind = LEARNERS[args.kind]
        learner = kind.of(args)
        status = gold_join.consume_with_gold(
            [gold_join.Reading(args.files, learner.learn, kind.plain)],
            gold_join.GoldLocation(args.gold, args.gold_field),
            options.stream_options(TOOL, args),
        )
        if status and args.strict:
            return status
        seen = learner.seen()
        print("".join(f"{TOOL}: {what}: {number:,}\n" for what, number in seen.items()), end="", file=sys.stderr)
        try:
            if args.cv is not None:
                cross_validated(learner, args)
            if path:
                _write(learner, path, seen, args, argv)
        except ValueError as error:
            raise UsageError(f"{gold_join.describe_inputs(args.files)}: {error}") from None
        return status

    return console.exit_status(TOOL, start)


def _checked(args: argparse.Namespace) -> Path | None:
    """Where the model goes; fills in what depends on the kind. Raises UsageError for what cannot be."""
    from ..training.learners import LEARNERS

    if not args.output and args.cv is None:
        raise UsageError("-o FILE is wanted, or --cv K")
    if args.cv is not None and args.cv < 2:
        raise UsageError(f"--cv {args.cv}: at least 2 folds")
    if args.cv is not None and args.kind in NOT_VALIDATED:
        raise UsageError(f"{NOT_VALIDATED[args.kind]}: leave --cv out")
    if args.scored and (args.kind not in ("ngram", "structure") or args.cv is None):
        raise UsageError("--scored wants the kind ngram or structure, and --cv K")
    if args.fit and (args.bias or args.context):
        raise UsageError("--fit finds bias and context: leave out --bias and --context")
    if args.fit and (args.kind != "ngram" or args.differential):
        raise UsageError("--fit wants the kind ngram and labels: leave out --differential")
    if args.without and args.kind != "structure":
        raise UsageError("--without wants the kind structure")
    if args.size is None and args.coverage is None:
        args.size = 500
    kind = LEARNERS[args.kind]
    args.n = kind.n if args.n is None else args.n
    try:
        kind.check(args)
    except ValueError as error:
        raise UsageError(str(error)) from None
    return _place(args.output) if args.output else None


def _write(learner: Learner, path: Path, seen: dict[str, int], args: argparse.Namespace, argv: list[str]) -> None:
    """Writes the model and its card. Raises ValueError where there is nothing to learn from, OSError."""
    about = {
        "description": args.description,
        "language": args.language,
        "credits": args.credit,
        "seen": seen,
        "command": shlex.join([TOOL, *_without_folders(argv, {*args.files, args.gold, args.output, args.scored})]),
    }
    try:
        header = learner.write(path, about)
        if "sha256" in header:  # a stop list is its own card
            write_card(path, header)
    except OSError as error:
        raise OSError(error.errno, error.strerror, error.filename or str(path)) from None


def _without_folders(argv: Sequence[str], paths: Container[str]) -> Iterator[str]:
    """A command line without the folders of its files, which are nobody else's business, and without what changes
    nothing in the model."""
    words = iter(argv)
    for word in words:
        option, equals, value = word.partition("=")
        if option in ELSEWHERE:
            if not equals:
                next(words, None)
        elif word in paths:
            yield Path(word).name or word
        elif value in paths:
            yield option + equals + (Path(value).name or value)
        else:
            yield word


def _place(output: str) -> Path:
    """Where the model goes. Raises UsageError where no file can be: better before the work than after it."""
    path = Path(output)
    if path.is_dir():
        raise UsageError(f"{output}: {os.strerror(errno.EISDIR)}")
    if not path.parent.is_dir():
        raise UsageError(f"{output}: {os.strerror(errno.ENOENT)}")
    return path
