"""nc-train: trains a model on pages with gold text.

    nc-train ngram -n 3 -q 0.5 -o my.model pages.jsonl && nc-segment crawl.jsonl | nc-score -m ./my.model | nc-select
    nc-train ngram --cv 10 --gold cleaned/ original/

The gold text labels the segments of a page (see `labelling`); each kind of model has a trainer. With --cv, models are
also evaluated on pages of sites that they were not trained on.
"""

from __future__ import annotations

import argparse
import errno
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ..errors import UsageError
from ..features import feature_groups
from ..scoring.word_lm.parameters import DEFAULT_LIMIT, ESTIMATORS
from ..streams import console
from . import options
from .trainers import KINDS, TOOL, witness_trainer

if TYPE_CHECKING:
    from ..training.base import PageTrainer, Trainer
    from ..training.fingerprint import RecordDigest


# The metrics of cross-validation.
METRICS = ("words", "cleaneval", "segments", "unlabelled", "bag")


def option_parser() -> argparse.ArgumentParser:
    """The options of the command."""
    parser = options.filter_parser(
        TOOL,
        "Train a model on pages with gold text.",
        f"{TOOL} ngram -o my.model pages.jsonl",
        before=[("kind", {"choices": list(KINDS), "help": "the kind of model"})],
    )
    options.add_fields(parser, "html", "text", "gold")
    parser.add_argument("-o", "--output", metavar="FILE", help="the model file; its card is written beside it")
    options.add_gold(parser)
    parser.add_argument("--lang", metavar="CODE", help="learn from the records with this field lang alone")
    parser.add_argument(
        "--max-pages", type=int, metavar="N", help="learn from at most N pages, of complete sites, the same every time"
    )
    parser.add_argument("--cv", type=int, metavar="K", help="cross-validate in K folds by domain and print the results")
    parser.add_argument(
        "--scored", metavar="FILE", help="ngram and structure, with --cv: write the pages with their held-out scores"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="the random seed (default: %(default)s)")
    _add_ngram(parser.add_argument_group("ngram and word"))
    _add_structure(parser.add_argument_group("structure"))
    _add_word(parser.add_argument_group("word"))
    stoplist = parser.add_argument_group("stoplist")
    stoplist.add_argument("--size", type=int, metavar="N", help="the number of words, at most (default: 500)")
    stoplist.add_argument(
        "--coverage", type=float, metavar="SHARE", help="the fewest words that cover this share of all running words"
    )
    stoplist.add_argument("--name", default="", metavar="NAME", help="the English name of the language")
    about = parser.add_argument_group("for the card")
    about.add_argument("--language", default="", metavar="CODE", help="the language")
    about.add_argument("--description", default="Trained with nc-train.", metavar="TEXT", help="a sentence")
    about.add_argument("--credit", action="append", default=[], metavar="TEXT", help="a corpus and its licence")
    return parser


def _add_ngram(group: Any) -> None:
    group.add_argument(
        "-n", type=int, metavar="N", help="length of n-grams: 1 to 8 characters (default: 3); 2 or 3 words (default: 2)"
    )
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
        help="ngram: the alphabet; frequent is for languages that need more than ASCII (default: %(default)s)",
    )
    group.add_argument(
        "--characters",
        type=int,
        default=200,
        metavar="N",
        help="ngram: the size of the alphabet of the folding frequent (default: %(default)s)",
    )
    group.add_argument(
        "--differential",
        action="store_true",
        help="ngram: train without labels: dirty counts are those of the page minus gold text",
    )
    group.add_argument(
        "--bias", type=float, default=0.0, metavar="BITS", help="ngram: subtracted from each score (default: 0)"
    )
    group.add_argument(
        "--context",
        type=float,
        default=0.0,
        metavar="BITS",
        help="ngram: the maximum by which neighbours change a score (default: 0)",
    )
    group.add_argument("--fit", action="store_true", help="ngram: fit bias and context to held-out sites")


def _add_structure(group: Any) -> None:
    group.add_argument("--no-words", dest="words", action="store_false", help="use no words of any language")
    group.add_argument(
        "--without",
        type=_groups,
        default=[],
        metavar="GROUP[,GROUP]",
        help=f"ablation: leave out groups of features: {', '.join(feature_groups.GROUPS)}",
    )


def _add_word(group: Any) -> None:
    group.add_argument(
        "--estimator",
        choices=list(ESTIMATORS),
        default="pyplexity",
        help="how probabilities are estimated (default: %(default)s)",
    )
    group.add_argument("--tokens", choices=["pyplexity", "words"], help="the tokenization (default: the estimator's)")
    group.add_argument("--lines", action="store_true", help="each line is a sentence")
    group.add_argument(
        "--perplexity-limit",
        type=float,
        default=DEFAULT_LIMIT,
        metavar="P",
        help="the perplexity of a score of 0 (default: %(default)g)",
    )
    group.add_argument(
        "--min-count", type=int, default=1, metavar="N", help="leave out rarer n-grams (default: %(default)s)"
    )


def _groups(text: str) -> list[str]:
    """Groups of features, in the order of GROUPS."""
    given = text.split(",")
    for group in given:
        if group not in feature_groups.GROUPS:
            raise argparse.ArgumentTypeError(f"'{group}' is not one of {', '.join(feature_groups.GROUPS)}")
    return [group for group in feature_groups.GROUPS if group in given]


# ---- the command --------------------------------------------------------------------------------------------


def main(argv: list[str] | None = None) -> int:
    """Runs the command and returns the exit status."""
    argv = sys.argv[1:] if argv is None else argv
    args = option_parser().parse_intermixed_args(argv)
    # with several threads, sums are rounded differently: the same pages would not make the same model everywhere
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

    def start() -> int:
        from ..dataset.gold_join import GoldLocation, Reading, consume_with_gold, describe_inputs  # start-up: readers
        from ..training.chosen_records import Choice, ChosenRecords

        _check(args)
        kind = KINDS[args.kind]
        args.n = kind.default_n if args.n is None else args.n
        try:
            trainer = kind.trainer(args)
        except ValueError as error:
            raise UsageError(str(error)) from None
        path = _output_path(args.output) if args.output else None
        records = ChosenRecords(trainer, Choice(args.lang, args.max_pages))
        status = consume_with_gold(
            [Reading(args.files, records.add, kind.plain)],
            GoldLocation(args.gold, dict(args.fields).get("gold")),
            options.stream_options(TOOL, args),
        )
        for problem in records.finish():
            console.warn(TOOL, problem)
            status = 1
        if status and args.strict:
            return status
        for what, number in trainer.counts().items():
            console.warn(TOOL, f"{what}: {number:,}")
        try:
            if args.cv is not None:
                _cross_validate(cast("PageTrainer", trainer), args)
            if path:
                _write(trainer, path, args, _recorded(argv, args), records.digest)
        except ValueError as error:
            raise UsageError(f"{describe_inputs(args.files)}: {error}") from None
        return status

    return console.exit_status(TOOL, start)


def _check(args: argparse.Namespace) -> None:
    """Checks the options that depend on one another. Raises UsageError."""
    if not args.output and args.cv is None:
        raise UsageError("-o FILE or --cv K is required")
    if args.cv is not None and args.cv < 2:
        raise UsageError(f"--cv {args.cv}: must be at least 2")
    if args.cv is not None and KINDS[args.kind].no_cv:
        raise UsageError(f"{KINDS[args.kind].no_cv}: leave out --cv")
    if args.scored and (args.kind not in ("ngram", "structure") or args.cv is None):
        raise UsageError("--scored is for ngram and structure, with --cv K")
    if args.fit and (args.bias or args.context):
        raise UsageError("--fit chooses bias and context: leave out --bias and --context")
    if args.fit and (args.kind != "ngram" or args.differential):
        raise UsageError("--fit is for ngram with labels: leave out --differential")
    if args.max_pages is not None and args.max_pages < 1:
        raise UsageError(f"--max-pages {args.max_pages}: must be at least 1")
    if args.without and args.kind != "structure":
        raise UsageError("--without is for structure")


def _output_path(output: str) -> Path:
    """The path of the model. Raises UsageError if no file can be written there, before the work."""
    path = Path(output)
    if path.is_dir():
        raise UsageError(f"{output}: {os.strerror(errno.EISDIR)}")
    if not path.parent.is_dir():
        raise UsageError(f"{output}: {os.strerror(errno.ENOENT)}")
    return path


def _cross_validate(trainer: PageTrainer, args: argparse.Namespace) -> None:
    """Prints the results of cross-validation. Raises ValueError if it is not possible, and OSError."""
    from ..evaluation.report.summary import evaluation_tables  # start-up: only --cv evaluates
    from ..evaluation.report.tables import table_lines
    from ..evaluation.results import System
    from ..training.cross_validation import FoldOptions, cross_validate, evaluate

    done = console.Progress(TOOL, args.cv, args.verbose).at
    system = System(f"{args.cv} folds", models={f"{args.kind} (n {args.n}, cross-validated)"})
    pages = list(cross_validate(trainer.pages, trainer.train, FoldOptions(args.cv, args.seed), done))
    if args.scored:
        # start-up: most runs write no records
        from ..streams.output_file import write_whole
        from ..streams.writers import json_line

        in_order = sorted(pages, key=lambda page: page.place)
        write_whole(args.scored, (json_line(page.scored_record()) for page in in_order))
    for table in evaluation_tables(evaluate(pages, system, METRICS), None, ()):
        sys.stdout.writelines([*table_lines(table, "table"), "\n"])


def _write(
    trainer: Trainer, path: Path, args: argparse.Namespace, command: Sequence[str], digest: RecordDigest
) -> None:
    """Writes the model and its card. Raises ValueError if there is no training data, and OSError."""
    from ..scoring.card import write_card  # start-up: only a trained model has a card
    from ..training import fingerprint

    about: dict[str, Any] = {
        "description": args.description,
        "language": args.language,
        "credits": args.credit,
        "seen": trainer.counts(),
        "command": shlex.join(command),
    }
    if KINDS[args.kind].has_fingerprint:
        about["made"] = fingerprint.of_training(trainer, digest, witness_trainer(args), args.kind)
    try:
        header = trainer.write(path, about)
        if "sha256" in header:  # a stop list has no card: it has comments
            write_card(path, header)
    except OSError as error:
        raise OSError(error.errno, error.strerror, error.filename or str(path)) from None


def _recorded(argv: Sequence[str], args: argparse.Namespace) -> list[str]:
    """The command line for the card: files without their folders."""
    paths = {*args.files, args.gold, args.output, args.scored}
    out = [TOOL]
    for word in argv:
        option, equals, value = word.partition("=")
        if word in paths:
            out.append(Path(word).name or word)
        elif value in paths:
            out.append(option + equals + (Path(value).name or value))
        else:
            out.append(word)
    return out
