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
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import model, stream, train
from .record import Record
from .table import Table, lines

if TYPE_CHECKING:
    from .folding import Folding
    from .grid import Task
    from .material import Page
    from .model import Model

TOOL = "nc-tune"

WHAT = ("entropy", "f", "threshold", "curve")
FORMATS = ("table", "tsv", "json", "markdown")
# The grid of figure 2, and finer.
NS, QS = range(1, 9), [tenth / 10 for tenth in range(1, 10)]
# Precisions of which `threshold` shows the operating points.
PRECISIONS = (0.80, 0.85, 0.90, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98, 0.99)
# Pages of the learning curve, and the random subsets of so many.
SIZES = (5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 1500, 2000, 5000, 10000)
SUBSETS = 10
# Points of a precision-recall curve that are drawn.
CURVE = 40
# Below this share of all recall that can be had, precision is chance.
LEAST = 0.1


# ---- the grid -----------------------------------------------------------------------------------------------


def over_grid(args: argparse.Namespace, pages: Sequence[Page]) -> Iterator[tuple[Table, dict[str, Any]]]:
    """For each folding, cross-entropy or F over n and q: a table, and the same as data."""
    for name in args.folding or ["ascii", "nonlexical"]:
        values = _values(args, pages, name)
        if args.what == "entropy":
            best = min(values, key=lambda point: (values[point], point))
            title, unit = f"{name}: cross-entropy of held-out text, bits per character", ".3f"
        else:
            best = max(values, key=lambda point: (values[point], -point[0], -point[1]))
            title, unit = f"{name}: F of words, pooled over held-out pages, per cent", ".2f"
        rows = [[str(n), *(format(values[n, q], unit) for q in args.q or QS)] for n in sorted({n for n, _ in values})]
        table = Table(
            f"{title}; best n = {best[0]}, q = {best[1]:g}: {values[best]:{unit}}",
            ["n", *(f"q = {q:g}" for q in args.q or QS)],
            rows,
        )
        data = [
            {"folding": name, "n": n, "q": q, "measure": args.what, "value": value} for (n, q), value in values.items()
        ]
        yield table, {"folding": name, "best": {"n": best[0], "q": best[1]}, "values": data}


def _values(args: argparse.Namespace, pages: Sequence[Page], name: str) -> dict[tuple[int, float], float]:
    """Cross-entropy (bits per character) or F (per cent) for each n and q. The n-grams, which are large, are gone when
    it is done."""
    from .grid import Grid, Task

    progress = stream.Progress(TOOL, args.cv, args.verbose)
    grid = Grid(pages, folding(name, pages, args.characters), args.n or NS, args.cv, args.seed, progress.at)
    if args.what == "entropy":
        return grid.entropies(args.q or QS)
    task = Task(grid.pages)
    return {point: 100 * task.at(scores)[2] for point, scores in grid.scores(args.q or QS).items()}


def folding(name: str, pages: Sequence[Page], characters: int) -> Folding:
    """A folding for all pages: which characters are frequent is not cross-validated."""
    from .folding import Folding
    from .learners import frequent

    return Folding(
        name, frequent((text for page in pages for text in page.texts), characters) if name == "frequent" else ""
    )


# ---- the operating point ------------------------------------------------------------------------------------


def points(task: Task, scores: Any, wanted: Sequence[float]) -> list[dict[str, Any]]:
    """For each precision wanted that can be had, the threshold with the most recall, and what it buys.

    Thresholds are in bits; precision, recall and F in [0, 1].
    """
    import numpy as np

    thresholds, precisions, recalls = task.curve(scores)
    out = []
    for target in wanted:
        there = np.flatnonzero(precisions >= target)
        if len(there):
            place = there[np.argmax(recalls[there])]
            precision, recall, f = task.at(scores, float(thresholds[place]))
            out.append(
                {
                    "target": target,
                    "threshold": float(thresholds[place]),
                    "precision": precision,
                    "recall": recall,
                    "F": f,
                }
            )
    return out


def thinned(task: Task, scores: Any, chosen: float) -> tuple[list[float], list[float], list[float]]:
    """Recalls and precisions (per cent) and thresholds at CURVE points as far apart in recall, and at *chosen*."""
    import numpy as np

    thresholds, _, recalls = task.curve(scores)
    wanted = np.linspace(recalls[0], LEAST * recalls[0], CURVE)
    places = np.searchsorted(-recalls, -wanted).clip(0, len(recalls) - 1)
    shown = sorted({chosen, *thresholds[places].round(1).tolist()})
    points = [task.at(scores, threshold) for threshold in shown]
    return [100 * recall for _, recall, _ in points], [100 * precision for precision, _, _ in points], shown


def operating_point(args: argparse.Namespace, pages: Sequence[Page]) -> tuple[Table, dict[str, Any], Any]:
    """Thresholds for precisions, by cross-validation, or with -m by a model on pages it was not trained on.

    Raises UsageError where the target cannot be reached.
    """
    import numpy as np

    from .grid import Task

    pages = [page for page in pages if page.is_usable]
    judged = list(_judged(args, pages))
    scores = np.array([score for _, page_scores in judged for score in page_scores], float)
    task = Task([page for page, _ in judged])
    wanted = [args.target_precision] if args.target_precision is not None else PRECISIONS
    found = points(task, scores, wanted)
    precision, recall, f = task.at(scores)
    if args.target_precision is not None and not found:
        most = float(task.curve(scores)[1].max())
        raise stream.UsageError(f"a precision of {args.target_precision:g} is not reached: the most is {most:.4f}")
    zero: dict[str, Any] = {"target": None, "threshold": 0.0, "precision": precision, "recall": recall, "F": f}
    rows = [
        [
            "" if point["target"] is None else f"{point['target']:.2f}",
            f"{point['threshold']:.2f}",
            *(f"{100 * float(point[name] or 0):.2f}" for name in ("precision", "recall", "F")),
        ]
        for point in (zero, *found)
    ]
    how = f"{args.model}" if args.model else f"{args.cv} folds"
    table = Table(
        f"nc-select -t: precision against recall ({how}, {len(pages)} pages, words pooled, per cent)",
        ["precision wanted", "threshold (bits)", "precision", "recall", "F"],
        rows,
    )
    return table, {"points": [zero, *found]}, (task, scores, found[0] if args.target_precision is not None else zero)


def _judged(args: argparse.Namespace, pages: Sequence[Page]) -> Iterator[tuple[Page, list[float]]]:
    """Pages and the scores of their segments."""
    from .crossval import judged, validated

    if args.model:
        yield from zip(pages, judged(loaded(args.model), pages))
        return

    progress = stream.Progress(TOOL, args.cv, args.verbose)
    yield from validated(pages, args.cv, lambda material: trained(args, material), args.seed, progress.at)


def trained(args: argparse.Namespace, material: Any) -> Model:
    """The model of nc-train with the options given."""
    from .learners import ngram

    n, q = ((args.n or [3])[0], (args.q or [0.5])[0])
    return ngram(material, n, q, (args.folding or ["ascii"])[0], args.characters, False)


def loaded(name: str) -> Model:
    """A model by name or file. Raises UsageError."""
    try:
        return model.load(name)
    except model.ModelError as error:
        raise stream.UsageError(str(error)) from None


# ---- the learning curve -------------------------------------------------------------------------------------


def learning_curve(
    args: argparse.Namespace, pages: Sequence[Page], tests: Sequence[Page]
) -> tuple[Table, dict[str, Any]]:
    """Precision, recall and F of models of random subsets of the pages (NCleaner, figure 4).

    They are tested on *tests*, or, where there are none, each subset on a fold of which it has no domain.
    """
    import random

    from .material import Material, folds

    pages = [page for page in pages if page.is_usable]
    parts = [list(tests)] if tests else folds(pages, args.cv, args.seed)
    draw = random.Random(args.seed)
    most = len(pages) if tests else len(pages) - max(map(len, parts))
    sizes = [*(size for size in args.size or SIZES if size < most), most]
    out: dict[str, list[list[float]]] = {name: [] for name in ("precision", "recall", "F")}
    progress = stream.Progress(TOOL, len(sizes) * args.subsets, args.verbose)
    for number, size in enumerate(sizes):
        found = []
        for subset in range(args.subsets):
            progress.at(number * args.subsets + subset)
            test = parts[subset % len(parts)]
            apart = {id(page) for page in test}
            rest = [page for page in pages if id(page) not in apart]
            material = Material(draw.sample(rest, min(size, len(rest))))
            found.append(_tested(args, material, test))
            if size == most and tests:
                break  # there is but one subset of all
        for place, name in enumerate(out):
            out[name].append([100 * scores[place] for scores in found])
    progress.at(len(sizes) * args.subsets)
    return _curve_table(sizes, out), {"sizes": sizes, **out}


def _tested(args: argparse.Namespace, material: Any, test: Sequence[Page]) -> tuple[float, float, float]:
    import numpy as np

    from .crossval import judged
    from .grid import Task

    scores = judged(trained(args, material), test)
    return Task(test).at(np.array([score for page in scores for score in page], float))


def _curve_table(sizes: Sequence[int], values: dict[str, list[list[float]]]) -> Table:
    import numpy as np

    rows = []
    for place, size in enumerate(sizes):
        cells = []
        for of_sizes in values.values():
            low, high = np.percentile(of_sizes[place], (5, 95))
            cells.append(f"{np.mean(of_sizes[place]):.2f} ({low:.2f}-{high:.2f})")
        rows.append([str(size), *cells])
    title = "words pooled over test pages, per cent: mean of random subsets (5 % to 95 % of them)"
    return Table(title, ["training pages", *values], rows)


# ---- the command --------------------------------------------------------------------------------------------


def options() -> argparse.ArgumentParser:
    """What the command understands."""
    parser = stream.parser(
        TOOL,
        "Parameters of n-gram models by cross-validation, operating points, learning curves.",
        f"{TOOL} f pages-with-gold.jsonl",
        before=[("what", {"choices": WHAT, "help": "what to look for"})],
    )
    stream.add_fields(parser)
    parser.add_argument("--gold", metavar="FILE|DIR", help="where the gold text is, if not in the records themselves")
    parser.add_argument("--gold-field", metavar="NAME", help="the field that has the gold text (default: gold)")
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
            return [kind(part) for part in text.split(",")]
        except ValueError:
            raise argparse.ArgumentTypeError(f"'{text}' is no list of numbers such as 1,2,3") from None

    return parse


def main(argv: list[str] | None = None) -> int:
    """The command; the exit status."""
    args = options().parse_intermixed_args(argv)

    def start() -> int:
        _check(args)
        pages, status = read(args, args.files)
        tests = read(args, [args.test])[0] if args.test else []
        if status and args.strict:
            return status
        try:
            _reported(args, pages, tests)
        except ValueError as error:
            raise stream.UsageError(str(error)) from None
        return status

    return stream.guarded(TOOL, start)


def _check(args: argparse.Namespace) -> None:
    if args.target_precision is not None and not 0 < args.target_precision <= 1:
        raise stream.UsageError(f"--target-precision {args.target_precision:g}: above 0, at most 1")
    if args.subsets < 1 or any(size < 1 for size in args.size or ()):
        raise stream.UsageError("--subsets and --size want numbers from 1 on")
    if any(not 0 < q < 1 for q in args.q or ()):
        raise stream.UsageError("-q: between 0 and 1")


def read(args: argparse.Namespace, files: Sequence[str]) -> tuple[list[Page], int]:
    """The pages with their gold, and the status."""
    from . import material

    pages: list[Page] = []

    def learn(page: Record) -> Record:
        pages.append(material.page(page))
        return page

    args.files = files
    status = train.learned(TOOL, args, learn)
    if not pages:
        raise stream.UsageError("no page with gold: nothing to learn from")
    return pages, status


def _reported(args: argparse.Namespace, pages: Sequence[Page], tests: Sequence[Page]) -> None:
    """Prints what was asked for, and plots it. Raises ValueError, UsageError, OSError."""
    where = Path(args.plot) if args.plot else None
    if where:
        from . import figures

        where.mkdir(parents=True, exist_ok=True)
    tables: list[Table] = []
    data: list[dict[str, Any]] = []
    if args.what in ("entropy", "f"):
        for table, found in over_grid(args, pages):
            tables.append(table)
            data.append(found)
            if where:
                draw = figures.cross_entropy if args.what == "entropy" else figures.task_f
                values = {(fact["n"], fact["q"]): fact["value"] for fact in found["values"]}
                ns, qs = sorted({n for n, _ in values}), sorted({q for _, q in values})
                name = f"{args.what}-{found['folding']}"
                title = f"{found['folding']} folding, {args.cv} folds, {len(pages)} pages"
                figures.save(draw(qs, {n: [values[n, q] for q in qs] for n in ns}, title), where, name)
    elif args.what == "threshold":
        table, found, (task, scores, chosen) = operating_point(args, pages)
        tables.append(table)
        data.append(found)
        if where:
            point = round(chosen["threshold"], 2)
            figures.save(figures.precision_recall(*thinned(task, scores, point), point), where, "precision-recall")
    else:
        table, found = learning_curve(args, pages, tests)
        tables.append(table)
        data.append(found)
        if where:
            curves = {name: found[name] for name in ("precision", "recall", "F")}
            title = f"{len(tests) or len(pages)} {'test' if tests else 'cross-validated'} pages"
            figures.save(figures.learning_curve(found["sizes"], curves, title), where, "learning-curve")
    if args.format == "json":
        print(json.dumps(data, indent=1, ensure_ascii=False))
    else:
        for table in tables:
            sys.stdout.writelines([*lines(table, args.format), *([] if args.format == "tsv" else ["\n"])])
