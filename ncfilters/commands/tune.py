"""nc-tune: the parameters of n-gram models by cross-validation, their threshold, and their learning curve.

nc-tune entropy pages-with-gold.jsonl        # bits per character over n and q (NCleaner, figure 2)
nc-tune f pages-with-gold.jsonl              # F over the same grid
nc-tune threshold --target-precision 0.95 pages-with-gold.jsonl
nc-tune curve --plot figures/ pages-with-gold.jsonl
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import ModelError, UsageError, require_library
from ..streams import console
from . import options

if TYPE_CHECKING:
    from ..dataset.labelled_pages import LabelledPage
    from ..evaluation.report.tables import Table
    from ..record import Record
    from ..scoring.base import Model
    from ..training.cross_validation import FoldOptions
    from ..training.learning_curve import CurveResult
    from ..training.ngram_trainer import NgramOptions
    from ..training.operating_point import ThresholdResult
    from ..training.search import GridResult

TOOL = "nc-tune"
SEARCHES = ("entropy", "f", "threshold", "curve")
# Options of a single search.
OPTIONS_OF = {"model": "threshold", "target_precision": "threshold", "test": "curve", "size": "curve"}
FORMATS = ("table", "tsv", "json", "markdown")


def option_parser() -> argparse.ArgumentParser:
    """The options of the command."""
    parser = options.filter_parser(
        TOOL,
        "Find the parameters of n-gram models by cross-validation, a threshold, or the learning curve.",
        f"{TOOL} f pages.jsonl",
        before=[
            (
                "what",
                {
                    "choices": SEARCHES,
                    "help": "what to compute: cross-entropy, F, operating points or a learning curve",
                },
            )
        ],
    )
    options.add_fields(parser, "html", "text", "gold")
    options.add_gold(parser)
    parser.add_argument(
        "-n", type=_numbers(int), metavar="N[,N…]", help="lengths of n-grams (default: 1 to 8; threshold, curve: 3)"
    )
    parser.add_argument(
        "-q",
        type=_numbers(float),
        metavar="Q[,Q…]",
        help="interpolation weights (default: 0.1 to 0.9; threshold, curve: 0.5)",
    )
    parser.add_argument(
        "--folding",
        action="append",
        choices=["ascii", "nonlexical", "frequent"],
        help="the alphabet; may be repeated (default: ascii and nonlexical; threshold, curve: ascii)",
    )
    parser.add_argument(
        "--characters",
        type=int,
        default=200,
        metavar="N",
        help="frequent: the size of the alphabet (default: %(default)s)",
    )
    parser.add_argument(
        "--cv", type=int, default=10, metavar="K", help="number of folds, by domain (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="the random seed (default: %(default)s)")
    parser.add_argument("-m", "--model", metavar="NAME|PATH", help="threshold: use this model instead of training")
    parser.add_argument("--target-precision", type=float, metavar="P", help="threshold: the precision to reach, 0 to 1")
    parser.add_argument("--test", metavar="FILE|DIR", help="curve: test on these pages instead of held-out ones")
    parser.add_argument("--size", type=_numbers(int), metavar="N[,N…]", help="curve: numbers of training pages")
    parser.add_argument(
        "--subsets", type=int, default=10, metavar="N", help="curve: random subsets of each size (default: %(default)s)"
    )
    parser.add_argument("-f", "--format", choices=FORMATS, default="table", help="output format (default: %(default)s)")
    parser.add_argument("--plot", metavar="DIR", help="write figures (PNG, SVG) to this folder")
    return parser


def main(argv: list[str] | None = None) -> int:
    """Runs the command and returns the exit status."""
    args = option_parser().parse_intermixed_args(argv)

    def start() -> int:
        from ..dataset.gold_join import describe_inputs  # start-up: --help needs no reader

        _check(args)
        require_library("rapidfuzz", "labelling pages needs")
        model, figures = _load(args.model), _plot_folder(args.plot)
        pages, tests, status = _read(args)
        if status and args.strict:
            return status
        try:
            find = {"threshold": _threshold, "curve": _curve}.get(args.what, _grids)
            _report(args.format, find(_Search(args, pages, tests, model)), figures)
        except ValueError as error:
            raise UsageError(f"{describe_inputs(args.files)}: {error}") from None
        return status

    return console.exit_status(TOOL, start)


# ---- options ------------------------------------------------------------------------------------------------


def _numbers(kind: Any) -> Any:
    def parse(text: str) -> list[Any]:
        try:
            return sorted({kind(part) for part in text.split(",")})
        except ValueError:
            raise argparse.ArgumentTypeError(f"'{text}' is not a list of numbers such as 1,2,3") from None

    return parse


def _check(args: argparse.Namespace) -> None:
    """Checks the options before the work. Raises UsageError."""
    for name, search in OPTIONS_OF.items():
        if getattr(args, name) is not None and args.what != search:
            raise UsageError(f"--{name.replace('_', '-')} is an option of nc-tune {search}")
    several = [name for name in ("n", "q", "folding") if len(getattr(args, name) or ()) > 1]
    if several and args.what in ("threshold", "curve"):
        raise UsageError(f"nc-tune {args.what} needs a single value of {several[0]}")
    if args.target_precision is not None and not 0 < args.target_precision <= 1:
        raise UsageError(f"--target-precision {args.target_precision:g}: must be above 0 and at most 1")
    if args.subsets < 1 or any(size < 1 for size in args.size or ()):
        raise UsageError("--subsets and --size must be at least 1")
    if args.cv < 2:
        raise UsageError(f"--cv {args.cv}: must be at least 2")
    try:
        model = _model_options(args)
        for n in args.n or [model.n]:
            for q in args.q or [model.q]:
                for folding in args.folding or [model.folding]:
                    replace(model, n=n, q=q, folding=folding)
    except ValueError as error:
        raise UsageError(str(error)) from None


def _model_options(args: argparse.Namespace) -> NgramOptions:
    """The parameters of the models of threshold and curve, which have one each. Raises ValueError."""
    from ..training.ngram_trainer import NgramOptions  # start-up: numpy

    given = {"n": args.n, "q": args.q, "folding": args.folding}
    return NgramOptions(characters=args.characters, **{name: values[0] for name, values in given.items() if values})


def _load(name: str | None) -> Model | None:
    if not name:
        return None
    from ..scoring import registry  # start-up: only one search uses a model

    try:
        return registry.load(name)
    except ModelError as error:
        raise UsageError(str(error)) from None


def _plot_folder(path: str | None) -> Path | None:
    """The folder of the figures, which is created. Raises UsageError if it cannot be, or nothing can be drawn."""
    if not path:
        return None
    from ..evaluation.report import plots  # start-up: most runs draw nothing

    plots.style()  # raises without matplotlib
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: {error.strerror}") from None
    return folder


# ---- pages --------------------------------------------------------------------------------------------------


def _read(args: argparse.Namespace) -> tuple[list[LabelledPage], list[LabelledPage], int]:
    """The pages with their gold text, those to test on, and the status. Raises UsageError if there are none.

    Pages that do not have their gold text are left out.
    """
    from ..dataset.gold_join import GoldLocation, Reading, consume_with_gold, describe_inputs  # start-up: readers

    files = [args.files, *([[args.test]] if args.test else [])]
    labelled: list[list[LabelledPage]] = [[] for _ in files]
    whole = args.model is not None  # a model may read more of a page than its text
    readings = [Reading(names, partial(_label, pages, whole)) for names, pages in zip(files, labelled)]
    stream = options.stream_options(TOOL, args)
    status = consume_with_gold(readings, GoldLocation(args.gold, dict(args.fields).get("gold")), stream)
    if status and args.strict:
        return [], [], status
    usable = [[page for page in pages if page.is_usable] for pages in labelled]
    for names, pages, good in zip(files, labelled, usable):
        if len(good) < len(pages):
            left_out = f"{len(pages) - len(good)} of {len(pages)} pages left out"
            console.warn(
                TOOL, f"{describe_inputs(names)}: {left_out}: less than a fifth of the gold text is on the page"
            )
        if not good:
            raise UsageError(f"{describe_inputs(names)}: no training data: no page contains its gold text")
    return usable[0], usable[1] if args.test else [], status


def _label(pages: list[LabelledPage], keep_record: bool, record: Record) -> Record:
    from ..dataset.labelled_pages import label_page  # start-up: readers

    pages.append(label_page(record, keep_record))
    return record


# ---- results ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Search:
    args: argparse.Namespace
    pages: Sequence[LabelledPage]
    tests: Sequence[LabelledPage]
    model: Model | None

    def folds(self) -> FoldOptions:
        from ..training.cross_validation import FoldOptions  # start-up: numpy

        return FoldOptions(self.args.cv, self.args.seed)

    def progress(self, total: int, unit: str) -> Callable[[int], None]:
        return console.Progress(TOOL, total, self.args.verbose, unit).at


# A table, the same as data, and what draws it into a folder.
_Finding = tuple["Table", dict[str, Any], Callable[[Path], None]]


def _grids(search: _Search) -> Iterator[_Finding]:
    from ..training.search import GridOptions, search_grid  # start-up: numpy

    args = search.args
    given = {"ns": args.n, "qs": args.q, "foldings": args.folding}
    chosen = {name: values for name, values in given.items() if values}
    grid = GridOptions(args.what, characters=args.characters, folds=search.folds(), **chosen)
    pages = f"{args.cv} folds, {len(search.pages)} pages"
    for result in search_grid(search.pages, grid, search.progress):
        yield result.table(), result.as_json(), partial(_draw_grid, result, pages)


def _threshold(search: _Search) -> Iterator[_Finding]:
    from ..training.operating_point import ThresholdOptions, operating_points  # start-up: numpy

    args = search.args
    chosen = ThresholdOptions(_model_options(args), search.folds(), args.target_precision)
    model = (args.model, search.model) if search.model else None
    result = operating_points(search.pages, chosen, model, search.progress)
    yield result.table, {"points": [point.as_json() for point in result.points]}, partial(_draw_points, result)


def _curve(search: _Search) -> Iterator[_Finding]:
    from ..training.learning_curve import SIZES, CurveOptions, learning_curve  # start-up: numpy

    args = search.args
    chosen = CurveOptions(_model_options(args), search.folds(), tuple(args.size or SIZES), args.subsets)
    result = learning_curve(search.pages, chosen, search.tests, search.progress)
    pages = f"{len(search.tests)} test pages" if search.tests else f"{len(search.pages)} cross-validated pages"
    yield result.table(), result.as_json(), partial(_draw_curve, result, pages)


def _report(output_format: str, findings: Iterator[_Finding], figures: Path | None) -> None:
    """Prints the findings, and plots them into a folder. Raises ValueError, OSError."""
    from ..evaluation.report.tables import table_lines  # start-up: usage errors print no table

    tables: list[Table] = []
    data: list[dict[str, Any]] = []
    for table, found, draw in findings:
        tables.append(table)
        data.append(found)
        if figures:
            draw(figures)
    if output_format == "json":
        print(json.dumps(data, indent=1, ensure_ascii=False))
    else:
        for table in tables:
            sys.stdout.writelines([*table_lines(table, output_format), *([] if output_format == "tsv" else ["\n"])])


def _draw_grid(result: GridResult, pages: str, folder: Path) -> None:
    from ..evaluation.report import plots  # start-up: matplotlib

    ns, qs = (sorted(set(axis)) for axis in zip(*result.values))
    draw = plots.cross_entropy if result.measure == "entropy" else plots.task_f
    figure = draw(qs, {n: [result.values[n, q] for q in qs] for n in ns}, f"{result.folding} folding, {pages}")
    plots.save(figure, folder, f"{result.measure}-{result.folding}")


def _draw_points(result: ThresholdResult, folder: Path) -> None:
    from ..evaluation.report import plots  # start-up: matplotlib

    plots.save(plots.precision_recall(*result.plotted(), result.chosen.threshold), folder, "precision-recall")


def _draw_curve(result: CurveResult, pages: str, folder: Path) -> None:
    from ..evaluation.report import plots  # start-up: matplotlib

    plots.save(plots.learning_curve(result.sizes, result.values, pages), folder, "learning-curve")
