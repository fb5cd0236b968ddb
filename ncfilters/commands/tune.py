"""nc-tune: the parameters of n-gram models, tried by cross-validation; where to decide; how many pages are enough.

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
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..dataset import gold_join
from ..errors import UsageError
from ..evaluation.report.tables import Table, table_lines
from ..record import Record
from ..streams import console
from ..training.search import TOOL
from . import options

if TYPE_CHECKING:
    from ..dataset.labelled_pages import LabelledPage

WHAT = ("entropy", "f", "threshold", "curve")
# What options are for that are not for all.
ONLY = {"model": "threshold", "target_precision": "threshold", "test": "curve", "size": "curve"}
FORMATS = ("table", "tsv", "json", "markdown")
# Random subsets of each number of pages.
SUBSETS = 10


def option_parser() -> argparse.ArgumentParser:
    """What the command understands."""
    parser = options.filter_parser(
        TOOL,
        "Parameters of n-gram models by cross-validation, operating points, learning curves.",
        f"{TOOL} f pages-with-gold.jsonl",
        before=[("what", {"choices": WHAT, "help": "what to look for"})],
    )
    options.add_fields(parser)
    options.add_gold(parser)
    parser.add_argument("-n", type=_numbers(int), metavar="N[,N…]", help="lengths of n-grams (default: 1 to 8; 3)")
    parser.add_argument("-q", type=_numbers(float), metavar="Q[,Q…]", help="interpolation (default: 0.1 to 0.9; 0.5)")
    parser.add_argument(
        "--folding",
        action="append",
        choices=["ascii", "nonlexical", "frequent"],
        help="how characters are folded; may be given again (default: ascii and nonlexical; ascii)",
    )
    parser.add_argument(
        "--characters",
        type=int,
        default=200,
        metavar="N",
        help="frequent: characters kept apart (default: %(default)s)",
    )
    parser.add_argument("--cv", type=int, default=10, metavar="K", help="folds, by domain (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of what is random (default: %(default)s)")
    parser.add_argument("-m", "--model", metavar="NAME|PATH", help="threshold: judge by this model, without training")
    parser.add_argument("--target-precision", type=float, metavar="P", help="threshold: the precision wanted, 0 to 1")
    parser.add_argument("--test", metavar="FILE|DIR", help="curve: test on these pages instead of held-out ones")
    parser.add_argument("--size", type=_numbers(int), metavar="N[,N…]", help="curve: numbers of training pages")
    parser.add_argument(
        "--subsets", type=int, default=SUBSETS, metavar="N", help="curve: subsets of each size (default: %(default)s)"
    )
    parser.add_argument("-f", "--format", choices=FORMATS, default="table", help="how to write (default: %(default)s)")
    parser.add_argument("--plot", metavar="DIR", help="write figures (PNG, SVG)")
    return parser


def _numbers(kind: Any) -> Any:
    def parse(text: str) -> list[Any]:
        try:
            return sorted({kind(part) for part in text.split(",")})
        except ValueError:
            raise argparse.ArgumentTypeError(f"'{text}' is no list of numbers such as 1,2,3") from None

    return parse


def main(argv: list[str] | None = None) -> int:
    """The command; the exit status."""
    args = option_parser().parse_intermixed_args(argv)

    def start() -> int:
        where = _checked(args)
        pages, tests, status = read(args)
        if status and args.strict:
            return status
        try:
            _reported(args, pages, tests, where)
        except ValueError as error:
            raise UsageError(f"{gold_join.describe_inputs(args.files)}: {error}") from None
        return status

    return console.exit_status(TOOL, start)


def _checked(args: argparse.Namespace) -> Path | None:
    """Where plots go. Raises UsageError for what cannot be: better before the work than after it."""
    for name, what in ONLY.items():
        if getattr(args, name) is not None and args.what != what:
            raise UsageError(f"--{name.replace('_', '-')} is for nc-tune {what}")
    several = [name for name in ("n", "q", "folding") if len(getattr(args, name) or ()) > 1]
    if several and args.what in ("threshold", "curve"):
        raise UsageError(f"nc-tune {args.what} wants one {several[0]}")
    if args.target_precision is not None and not 0 < args.target_precision <= 1:
        raise UsageError(f"--target-precision {args.target_precision:g}: above 0, at most 1")
    if args.subsets < 1 or any(size < 1 for size in args.size or ()):
        raise UsageError("--subsets and --size want numbers from 1 on")
    if args.cv < 2:
        raise UsageError(f"--cv {args.cv}: at least 2 folds")
    _check_model(args)
    if args.model:
        from ..training import search

        search.loaded(args.model)
    if not args.plot:
        return None
    from ..evaluation.report import plot_style

    plot_style.style()  # raises where nothing can be drawn
    where = Path(args.plot)
    try:
        where.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{where}: {error.strerror}") from None
    return where


def _check_model(args: argparse.Namespace) -> None:
    from ..training.learners import check_ngram

    for n in args.n or [3]:
        for q in args.q or [0.5]:
            for folding in args.folding or ["ascii"]:
                try:
                    check_ngram(
                        argparse.Namespace(n=n, q=q, folding=folding, characters=args.characters, bias=0.0, context=0.0)
                    )
                except ValueError as error:
                    raise UsageError(str(error)) from None


def read(args: argparse.Namespace) -> tuple[list[LabelledPage], list[LabelledPage], int]:
    """The pages with their gold, those to test on, and the status. Raises UsageError where there are none.

    Pages on which their gold text is not found are left out.
    """
    from ..dataset import labelled_pages

    files = [args.files, *([[args.test]] if args.test else [])]
    found: list[list[LabelledPage]] = [[] for _ in files]

    def taker(pages: list[LabelledPage]) -> Any:
        def take(page: Record) -> Record:
            pages.append(labelled_pages.label_page(page))
            return page

        return take

    status = gold_join.consume_with_gold(
        [gold_join.Reading(names, taker(pages)) for names, pages in zip(files, found)],
        gold_join.GoldLocation(args.gold, args.gold_field),
        options.stream_options(TOOL, args),
    )
    if status and args.strict:
        return [], [], status
    usable = [[page for page in pages if page.is_usable] for pages in found]
    for names, pages, good in zip(files, found, usable):
        if len(good) < len(pages):
            left_out = f"pages left out, because their gold text does not stand on them: {len(pages) - len(good)}"
            console.warn(TOOL, f"{gold_join.describe_inputs(names)}: {left_out} of {len(pages)}")
        if not good:
            raise UsageError(f"{gold_join.describe_inputs(names)}: nothing to learn from: no page with gold text on it")
    return usable[0], usable[1] if args.test else [], status


def _reported(
    args: argparse.Namespace, pages: Sequence[LabelledPage], tests: Sequence[LabelledPage], where: Path | None
) -> None:
    """Prints what was asked for, and plots it. Raises ValueError, OSError."""
    tables: list[Table] = []
    data: list[dict[str, Any]] = []
    for table, found, draw in _looked(args, pages, tests):
        tables.append(table)
        data.append(found)
        if where:
            draw(where)
    if args.format == "json":
        print(json.dumps(data, indent=1, ensure_ascii=False))
    else:
        for table in tables:
            sys.stdout.writelines([*table_lines(table, args.format), *([] if args.format == "tsv" else ["\n"])])


Looked = Iterator[tuple[Table, dict[str, Any], Callable[[Path], Any]]]


def _looked(args: argparse.Namespace, pages: Sequence[LabelledPage], tests: Sequence[LabelledPage]) -> Looked:
    """What was found: a table, the same as data, and what draws it into a folder."""
    from ..training import search

    if args.what in ("entropy", "f"):
        for table, found in search.over_grid(args, pages):
            yield table, found, partial(_draw_grid, args.what, found, f"{args.cv} folds, {len(pages)} pages")
    elif args.what == "threshold":
        table, found, curve, chosen = search.operating_point(args, pages)
        yield table, found, partial(_draw_points, search.thinned(curve, chosen), chosen["threshold"])
    else:
        table, found = search.learning_curve(args, pages, tests)
        of = f"{len(tests)} test pages" if tests else f"{len(pages)} cross-validated pages"
        yield table, found, partial(_draw_curve, found, of)


def _draw_grid(what: str, found: dict[str, Any], of: str, where: Path) -> None:
    from ..evaluation.report import plots

    values = {(fact["n"], fact["q"]): fact["value"] for fact in found["values"]}
    ns, qs = (sorted(set(some)) for some in zip(*values))
    draw = plots.cross_entropy if what == "entropy" else plots.task_f
    figure = draw(qs, {n: [values[n, q] for q in qs] for n in ns}, f"{found['folding']} folding, {of}")
    plots.save(figure, where, f"{what}-{found['folding']}")


def _draw_points(shown: tuple[list[float], list[float], list[float]], chosen: float, where: Path) -> None:
    from ..evaluation.report import plots

    plots.save(plots.precision_recall(*shown, chosen), where, "precision-recall")


def _draw_curve(found: dict[str, Any], of: str, where: Path) -> None:
    from ..evaluation.report import plots

    measured = {name: found[name] for name in ("precision", "recall", "F")}
    plots.save(plots.learning_curve(found["sizes"], measured, of), where, "learning-curve")
