"""nc-train: trains a model on pages with gold text, or finds its parameters.

    nc-train ngram -n 3 -q 0.5 -o my.model pages.jsonl && nc-segment crawl.jsonl | nc-score -m ./my.model | nc-select
    nc-train ngram --cv 10 --gold cleaned/ original/
    nc-train ngram --tune entropy pages.jsonl       # bits per character over n and q (NCleaner, figure 2)

The gold text labels the segments of a page (see `labelling`); each kind of model has a trainer. With --cv, models are
also evaluated on pages of sites that they were not trained on.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ..errors import ModelError, UsageError, as_usage_errors, errors_at, require_library
from ..features import schema
from ..scoring.word_lm.parameters import DEFAULT_LIMIT, ESTIMATORS
from ..streams import console
from . import options

if TYPE_CHECKING:
    from ..dataset.labelled_pages import LabelledPage
    from ..training.base import PageTrainer, StepsDone, Trainer
    from ..training.cross_validation import TuneOptions

TOOL = "nc-train"
# The default of -n, if the kind has one; whether plain text will do; and why it has no --cv.
KINDS: dict[str, tuple[int | None, bool, str]] = {
    "ngram": (3, False, ""),
    "structure": (None, False, ""),
    "word": (2, True, ""),
    "stoplist": (None, True, "a stop list scores no pages and cannot be cross-validated"),
    "quality": (None, False, "quality models are always validated on held-out sites"),
}
# Options of which --tune takes several values.
LISTS = ("n", "q", "folding")
FOLDINGS = ("ascii", "nonlexical", "frequent")
# The metrics of cross-validation.
METRICS = ("words", "cleaneval", "segments", "unlabelled", "bag")
# What --tune finds, and of this what has several values of n, q and folding.
SEARCHES = ("entropy", "f", "threshold", "curve")
GRIDS = SEARCHES[:2]
# Options of a model that is written, which --tune has no use for.
OF_MODELS = ("output", "scored", "differential", "bias", "context", "fit")


_OPTIONS = f"""
-o --output FILE: the model file; its card is written beside it
--lang CODE: learn from the records with this field lang alone
--max-pages N: learn from at most N pages, of complete sites, the same every time
--cv K: cross-validate in K folds by domain and print the results
--scored FILE: ngram and structure, with --cv: write the pages with their held-out scores
--seed N: the random seed (default: %(default)s)
-n N: length of n-grams: 1 to 8 characters (default: 3), 2 or 3 words (default: 2); words of a stop list, at most
    (default: 500, or as many as --coverage asks for)
ngram
-q Q: weight of each shorter history, between 0 and 1 (default: 0.5)
--folding NAME: the alphabet: {", ".join(FOLDINGS)}, which is for languages that need more than ASCII (default: ascii)
--characters N: the size of the alphabet of the folding frequent (default: %(default)s)
--differential: train without labels: dirty counts are those of the page minus gold text
--bias BITS: subtracted from each score (default: 0)
--context BITS: the maximum by which neighbours change a score (default: 0)
--fit: fit bias and context to held-out sites
ngram, without a model
--tune {"|".join(SEARCHES)}: print the cross-entropy or F of models over n, q and folding (lists such as -n 2,3), the
    thresholds that reach precisions, or the learning curve, by cross-validation (--cv, default: 10)
-m --model NAME|PATH: --tune threshold: those of this model
--plot DIR: --tune entropy, f and curve: write figures (PNG, SVG) to this folder
structure
--no-words: use no words of any language
--without GROUP[,GROUP]: ablation: leave out groups of features: {", ".join(schema.GROUPS)}
word
--estimator {"|".join(ESTIMATORS)}: how probabilities are estimated (default: %(default)s)
--lines: each line is a sentence
--perplexity-limit P: the perplexity of a score of 0 (default: %(default)g)
stoplist
--coverage SHARE: the fewest words that cover this share of all running words
--name NAME: the English name of the language
for the card
--language CODE: the language
--description TEXT: a sentence
--credit TEXT: a corpus and its licence
"""


def option_parser() -> argparse.ArgumentParser:
    parser = options.filter_parser(
        TOOL,
        "Train a model on pages with gold text, or find its parameters.",
        f"{TOOL} ngram -o my.model pages.jsonl",
        before=[("kind", {"choices": list(KINDS), "help": "the kind of model"})],
    )
    options.add_fields(parser, "html", "text", "gold")
    options.add_gold(parser)
    options.add(
        parser,
        _OPTIONS,
        **dict.fromkeys(("max_pages", "cv"), int),
        seed=0,
        n=_values(int),
        q=_values(float),
        folding=_values(_folding),
        characters=200,
        bias=0.0,
        context=0.0,
        without={"type": _groups, "default": []},
        estimator="pyplexity",
        perplexity_limit=DEFAULT_LIMIT,
        coverage=float,
        name="",
        language="",
        credit=[],
        description="Trained with nc-train.",
    )
    return parser


def _values(kind: Callable[[str], Any]) -> Callable[[str], list[Any]]:
    """What reads a list of values of a *kind*, of which only --tune takes several."""

    def values(text: str) -> list[Any]:
        try:
            return sorted({kind(part) for part in text.split(",")})
        except ValueError:
            example = "ascii,nonlexical" if kind is _folding else "1,2,3"
            raise argparse.ArgumentTypeError(f"'{text}' is not a value or a list such as {example}") from None

    return values


def _folding(text: str) -> str:
    if text not in FOLDINGS:
        raise ValueError
    return text


def _groups(text: str) -> list[str]:
    """Groups of features, in the order of GROUPS."""
    given = text.split(",")
    for group in given:
        if group not in schema.GROUPS:
            raise argparse.ArgumentTypeError(f"'{group}' is not one of {', '.join(schema.GROUPS)}")
    return [group for group in schema.GROUPS if group in given]


# ---- the command --------------------------------------------------------------------------------------------


def main(argv: list[str] | None = None) -> int:
    argv = sys.argv[1:] if argv is None else argv
    args = option_parser().parse_intermixed_args(argv)
    # with several threads, sums are rounded differently: the same pages would not make the same model everywhere
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

    def start() -> int:
        from ..dataset.gold import GoldLocation, consume_with_gold, describe_inputs  # start-up: readers
        from ..training.base import ChosenRecords

        _check(args)
        grid = take_first_values(args)
        with as_usage_errors(ValueError):
            trainer = make_trainer(args)
            search = _search(args, grid) if args.tune else None
        path = options.output_path(args.output) if args.output else None
        records = ChosenRecords(trainer, args.lang, args.max_pages)
        where = GoldLocation(args.gold, dict(args.fields).get("gold"))
        status = consume_with_gold(
            args.files, records.add, where, options.stream_options(TOOL, args), plain=KINDS[args.kind][1]
        )
        for problem in records.finish():
            console.warn(TOOL, problem)
            status = 1
        if status and args.strict:
            return status
        with as_usage_errors(ValueError, describe_inputs(args.files)):
            if search:
                _tune(cast("PageTrainer", trainer).pages, search, args)
                return status
            for what, number in trainer.counts().items():
                console.warn(TOOL, f"{what}: {number:,}")
            if args.cv is not None:
                _cross_validate(cast("PageTrainer", trainer), args)
            if path:
                _write(trainer, path, args, _recorded(argv, args), records.digest())
        return status

    return console.exit_status(TOOL, start)


def _check(args: argparse.Namespace) -> None:
    """Checks the options that depend on one another. Raises UsageError."""
    has_cv, no_cv = args.cv is not None, KINDS[args.kind][2]
    no_scores = args.kind not in ("ngram", "structure") or not has_cv
    no_labels = args.kind != "ngram" or args.differential
    options.refuse(
        (not args.tune and args.model, "--model is for --tune"),
        (not args.tune and args.plot, "--plot is for --tune"),
        (args.tune and args.kind != "ngram", "--tune is for ngram"),
        (args.model and args.tune != "threshold", "--model is for --tune threshold"),
        (args.plot and args.tune == "threshold", "--plot is for --tune entropy, f and curve"),
        *((args.tune and getattr(args, name), f"--tune writes no model: leave out --{name}") for name in OF_MODELS),
        (not (args.tune or args.output or has_cv), "-o FILE, --cv K or --tune WHAT is required"),
        (has_cv and args.cv < 2, f"--cv {args.cv}: must be at least 2"),
        (has_cv and no_cv, f"{no_cv}: leave out --cv"),
        (args.scored and no_scores, "--scored is for ngram and structure, with --cv K"),
        (args.fit and (args.bias or args.context), "--fit chooses bias and context: leave out --bias and --context"),
        (args.fit and no_labels, "--fit is for ngram with labels: leave out --differential"),
        (args.max_pages is not None and args.max_pages < 1, f"--max-pages {args.max_pages}: must be at least 1"),
        (args.without and args.kind != "structure", "--without is for structure"),
    )
    for name in LISTS:
        if len(getattr(args, name) or ()) > 1 and args.tune not in GRIDS:
            raise UsageError(f"{'-' if len(name) < 2 else '--'}{name}: one value, or --tune {' or '.join(GRIDS)}")


def take_first_values(args: argparse.Namespace) -> dict[str, list[Any]]:
    """Replaces the values of n, q and folding by the first of each, or by the default of the kind; returns those that
    were given, by the names that `TuneOptions` has for them."""
    given = {f"{name}s": values for name in LISTS if (values := getattr(args, name))}
    for name, default in zip(LISTS, (KINDS[args.kind][0], 0.5, "ascii")):
        setattr(args, name, (getattr(args, name) or [default])[0])
    return given


def make_trainer(args: argparse.Namespace) -> Trainer:
    """The trainer that the options describe. Raises ValueError for values out of range, and UsageError.

    A kind imports its own trainer alone: others take longer to start, or need libraries that are not installed.
    """
    if args.kind in ("ngram", "structure", "quality") or args.kind == "word" and args.cv is not None:
        require_library("rapidfuzz", "labelling pages needs")
    if args.kind == "ngram":
        from ..training import ngram_trainer  # start-up: NumPy

        names = ("q", "folding", "characters", "differential", "bias", "context", "fit")
        parameters = ngram_trainer.NgramOptions(args.n, **{name: getattr(args, name) for name in names})
        # a model may read more of a page than its text
        return ngram_trainer.make_trainer(parameters, bool(args.scored or args.model))
    if args.kind == "structure":
        require_library("scipy", "the kind structure needs")
        from ..training import structure_trainer  # start-up: SciPy

        if args.n is not None:
            raise ValueError("-n: structure models have n-grams of their own")
        network = structure_trainer.StructureOptions(args.words, args.seed, without=tuple(args.without))
        return structure_trainer.make_trainer(network, partial(_progress, args))
    if args.kind == "word":
        from ..training.word_trainers import WordModelTrainer, word_parameters  # start-up: NumPy

        model = word_parameters(args.n, args.estimator, args.perplexity_limit)
        return WordModelTrainer(model, args.lines, args.language, args.cv is not None)
    if args.kind == "stoplist":
        from ..training.word_trainers import StoplistTrainer  # start-up: NumPy

        size = 500 if args.n is None and args.coverage is None else args.n
        return StoplistTrainer(size, args.coverage, args.name)
    from ..training.quality_trainer import QualityTrainer  # start-up: NumPy

    return QualityTrainer()


def witness_trainer(args: argparse.Namespace) -> Callable[[], Trainer]:
    """Makes trainers with the options of the command, for the witness of its model (see `training.base`)."""
    without = {"verbose": False, "cv": None, "scored": None, "model": None}
    return lambda: make_trainer(argparse.Namespace(**{**vars(args), **without}))


def _progress(args: argparse.Namespace, total: int, unit: str) -> StepsDone:
    """Reports the number of steps that are done."""
    return console.Progress(TOOL, total, args.verbose, unit).at


def _search(args: argparse.Namespace, grid: dict[str, Any]) -> TuneOptions:
    """What --tune finds, and over which *grid*. Raises UsageError, and ValueError for values out of range."""
    from ..dataset.labelled_pages import Folds  # start-up: numpy
    from ..scoring import registry
    from ..training.cross_validation import TuneOptions
    from ..training.ngram_trainer import NgramOptions

    if args.plot:
        require_library("matplotlib", "plots need", "plots")
        with as_usage_errors(OSError, args.plot):
            os.makedirs(args.plot, exist_ok=True)
    with as_usage_errors(ModelError):
        model = registry.load_named(args.model) if args.model else None
    one = NgramOptions(args.n, args.q, args.folding, args.characters)
    return TuneOptions(args.tune, one, Folds(args.cv or 10, args.seed), model, **grid)


def _tune(pages: Sequence[LabelledPage], search: TuneOptions, args: argparse.Namespace) -> None:
    """Prints what is found, and plots it. Raises ValueError if there is no training data, and OSError."""
    from ..evaluation import plots  # start-up: as above
    from ..evaluation.tables import table_lines
    from ..training.cross_validation import tune

    usable = [page for page in pages if page.is_usable]
    if not usable:
        raise ValueError("no training data: no page contains its gold text")
    if left_out := len(pages) - len(usable):
        why = "less than a fifth of the gold text is on the page"
        console.warn(TOOL, f"{left_out} of {len(pages)} pages left out: {why}")
    for table, figure, name in list(tune(usable, search, partial(_progress, args))):
        if figure and args.plot:
            plots.save(figure(), Path(args.plot), name)
        sys.stdout.writelines([*table_lines(table, "table"), "\n"])


def _cross_validate(trainer: PageTrainer, args: argparse.Namespace) -> None:
    """Prints the results of cross-validation. Raises ValueError if it is not possible, and OSError."""
    from ..dataset.labelled_pages import Folds  # start-up: only --cv evaluates
    from ..evaluation.report import evaluation_tables
    from ..evaluation.systems import System
    from ..evaluation.tables import table_lines
    from ..streams.output_file import write_whole
    from ..streams.writers import json_line
    from ..training.cross_validation import cross_validate, evaluate

    system = System(f"{args.cv} folds", models={f"{args.kind} (n {args.n or 0}, cross-validated)"})
    done = _progress(args, args.cv, "folds")
    pages = list(cross_validate(trainer.pages, trainer.train, Folds(args.cv, args.seed), done))
    if args.scored:
        in_order = sorted(pages, key=lambda page: page.place)
        write_whole(args.scored, (json_line(page.scored_record()) for page in in_order))
    for table in evaluation_tables(evaluate(pages, system, METRICS), None, ()):
        sys.stdout.writelines([*table_lines(table, "table"), "\n"])


def _write(trainer: Trainer, path: Path, args: argparse.Namespace, command: Sequence[str], digest: str) -> None:
    """Writes the model and its card. Raises ValueError if there is no training data, and OSError."""
    from ..scoring.inspection import write_card  # start-up: only a trained model has a card
    from ..training.base import fingerprint

    about: dict[str, Any] = {
        "description": args.description,
        "language": args.language,
        "credits": args.credit,
        "seen": trainer.counts(),
        "command": shlex.join(command),
    }
    is_list = args.kind == "stoplist"  # it has no card, and its header is comments
    if not is_list:
        about["made"] = fingerprint(trainer, digest, witness_trainer(args), args.kind)
    with errors_at(str(path)):
        header = trainer.write(path, about)
        if not is_list:
            write_card(path, header)


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
