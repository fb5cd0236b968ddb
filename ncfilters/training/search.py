"""What nc-tune looks for: the best n and q over a grid, a threshold, how many pages are enough; as tables and data.

    for table, found in over_grid(args, pages):
        print(found["best"])        # {"n": 3, "q": 0.5}

Pages are those of `material`; *args* the options of nc-tune.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import ModelError, UsageError
from ..evaluation.report.tables import Table
from ..scoring import registry
from ..streams import console

if TYPE_CHECKING:
    from ..dataset.labelled_pages import LabelledPage
    from ..scoring.base import Model
    from ..scoring.char_ngram.alphabet import Alphabet
    from .ngram_grid import Task

TOOL = "nc-tune"

# The grid of figure 2, and finer.
NS, QS = range(1, 9), [tenth / 10 for tenth in range(1, 10)]
# Precisions of which `threshold` shows the operating points.
PRECISIONS = (0.80, 0.85, 0.90, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98, 0.99)
# Pages of the learning curve, and the random subsets of so many.
SIZES = (5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 1500, 2000, 5000, 10000)
# Points of a precision-recall curve that are drawn.
CURVE = 40


# ---- the grid -----------------------------------------------------------------------------------------------


def over_grid(args: argparse.Namespace, pages: Sequence[LabelledPage]) -> Iterator[tuple[Table, dict[str, Any]]]:
    """For each folding, cross-entropy or F over n and q: a table, and the same as data."""
    for name in dict.fromkeys(args.folding or ["ascii", "nonlexical"]):
        values = _values(args, pages, name)
        if args.what == "entropy":
            best = min(values, key=lambda point: (values[point], point))
            title, unit = f"{name}: cross-entropy of held-out text, bits per character", ".3f"
        else:
            best = max(values, key=lambda point: (values[point], -point[0], -point[1]))
            title, unit = f"{name}: F of words, pooled over held-out pages, per cent", ".2f"
        ns, qs = (sorted(set(some)) for some in zip(*values))
        rows = [[name, str(n), *(format(values[n, q], unit) for q in qs)] for n in ns]
        table = Table(
            f"{title}; best n = {best[0]}, q = {best[1]:g}: {values[best]:{unit}}",
            ["folding", "n", *(f"q={q:g}" for q in qs)],
            rows,
        )
        data = [
            {"folding": name, "n": n, "q": q, "measure": args.what, "value": value} for (n, q), value in values.items()
        ]
        yield table, {"folding": name, "best": {"n": best[0], "q": best[1]}, "values": data}


def _values(args: argparse.Namespace, pages: Sequence[LabelledPage], name: str) -> dict[tuple[int, float], float]:
    """Cross-entropy (bits per character) or F (per cent) for each n and q. The n-grams, which are large, are gone when
    it is done."""
    from .ngram_grid import Grid, Task

    progress = console.Progress(TOOL, args.cv, args.verbose)
    grid = Grid(pages, folding(name, pages, args.characters), args.n or NS, args.cv, args.seed, progress.at)
    if args.what == "entropy":
        return grid.entropies(args.q or QS)
    task = Task(grid.pages)
    return {point: 100 * task.at(scores)[2] for point, scores in grid.scores(args.q or QS).items()}


def folding(name: str, pages: Sequence[LabelledPage], characters: int) -> Alphabet:
    """A folding for all pages: which characters are frequent is not cross-validated."""
    from ..scoring.char_ngram.alphabet import Alphabet
    from .learners import frequent

    return Alphabet(
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
            out.append(_point(task, scores, target, float(thresholds[place])))
    return out


def _point(task: Task, scores: Any, target: float | str | None, threshold: float) -> dict[str, Any]:
    precision, recall, f = task.at(scores, threshold)
    return {"target": target, "threshold": threshold, "precision": precision, "recall": recall, "F": f}


def thinned(curve: Any, chosen: dict[str, Any]) -> tuple[list[float], list[float], list[float]]:
    """Recalls, precisions (per cent) and thresholds of a curve (see `Task.curve`) at about CURVE points, as far apart
    in recall, and at the chosen one."""
    import numpy as np

    thresholds, precisions, recalls = curve
    places = np.unique(
        np.searchsorted(-recalls, -np.linspace(recalls[0], recalls[-1], CURVE)).clip(0, len(recalls) - 1)
    )
    return (
        [*(100 * recalls[places]).tolist(), 100 * chosen["recall"]],
        [*(100 * precisions[places]).tolist(), 100 * chosen["precision"]],
        [*thresholds[places].round(1).tolist(), chosen["threshold"]],
    )


def operating_point(
    args: argparse.Namespace, pages: Sequence[LabelledPage]
) -> tuple[Table, dict[str, Any], Any, dict[str, Any]]:
    """Thresholds for precisions, by cross-validation, or with -m by a model on pages it was not trained on: a table,
    the same as data, the whole curve (see `Task.curve`), and the point that is chosen: that of the precision wanted,
    or a threshold of 0.

    Raises ValueError where the target cannot be reached.
    """
    import numpy as np

    from .ngram_grid import Task

    judged = list(_judged(args, pages))
    scores = np.array([score for _, page_scores in judged for score in page_scores], float)
    task = Task([page for page, _ in judged])
    curve = task.curve(scores)
    target = args.target_precision
    found = points(task, scores, PRECISIONS if target is None else [target])
    if target is not None and not found:
        raise ValueError(f"a precision of {target:g} is not reached: the most is {curve[1].max():.4f}")
    thresholds, precisions, recalls = curve
    best = int(np.argmax(precisions * recalls / np.maximum(precisions + recalls, 1e-9)))
    best_f = [] if target is not None else [_point(task, scores, "best F", float(thresholds[best]))]
    found = [_point(task, scores, None, 0.0), *best_f, *found]
    rows = [
        [
            "" if point["target"] is None else f"{point['target']}",
            f"{point['threshold']:.2f}",
            *(f"{100 * point[name]:.2f}" for name in ("precision", "recall", "F")),
        ]
        for point in found
    ]
    how = args.model or f"{args.cv} folds"
    table = Table(
        f"nc-select -t: precision against recall ({how}, {len(pages)} pages, words pooled, per cent)",
        ["precision wanted", "threshold (bits)", "precision", "recall", "F"],
        rows,
    )
    return table, {"points": found}, curve, found[0 if target is None else 1]


def _judged(args: argparse.Namespace, pages: Sequence[LabelledPage]) -> Iterator[tuple[LabelledPage, list[float]]]:
    """Pages and the scores of their segments."""
    from .cross_validation import judged, validated

    if args.model:
        yield from zip(pages, judged(loaded(args.model), pages))
        return

    progress = console.Progress(TOOL, args.cv, args.verbose)
    yield from validated(pages, args.cv, lambda material: trained(args, material), args.seed, progress.at)


def trained(args: argparse.Namespace, material: Any) -> Model:
    """The model of nc-train with the options given."""
    from .learners import ngram

    n, q = ((args.n or [3])[0], (args.q or [0.5])[0])
    return ngram(material, n, q, (args.folding or ["ascii"])[0], args.characters, False)


def loaded(name: str) -> Model:
    """A model by name or file. Raises UsageError."""
    try:
        return registry.load(name)
    except ModelError as error:
        raise UsageError(str(error)) from None


# ---- the learning curve -------------------------------------------------------------------------------------


def learning_curve(
    args: argparse.Namespace, pages: Sequence[LabelledPage], tests: Sequence[LabelledPage]
) -> tuple[Table, dict[str, Any]]:
    """Precision, recall and F of models of random subsets of the pages (NCleaner, figure 4).

    They are tested on *tests*, or, where there are none, each subset on a fold of which it has no domain.
    """
    import random

    from ..dataset.labelled_pages import LabelledPages, folds

    parts = [list(tests)] if tests else folds(pages, args.cv, args.seed)
    draw = random.Random(args.seed)
    most = len(pages) if tests else len(pages) - max(map(len, parts))
    sizes = [*(size for size in args.size or SIZES if size < most), most]
    out: dict[str, list[list[float]]] = {name: [] for name in ("precision", "recall", "F")}
    progress = console.Progress(TOOL, len(sizes) * args.subsets, args.verbose, "models")
    for number, size in enumerate(sizes):
        found = []
        for subset in range(args.subsets):
            progress.at(number * args.subsets + subset)
            test = parts[subset % len(parts)]
            apart = {id(page) for page in test}
            rest = [page for page in pages if id(page) not in apart]
            material = LabelledPages(draw.sample(rest, min(size, len(rest))))
            found.append(_tested(args, material, test))
            if size == most and tests:
                break  # there is but one subset of all
        for place, name in enumerate(out):
            out[name].append([100 * scores[place] for scores in found])
    progress.at(len(sizes) * args.subsets)
    return _curve_table(sizes, out), {"sizes": sizes, **out}


def _tested(args: argparse.Namespace, material: Any, test: Sequence[LabelledPage]) -> tuple[float, float, float]:
    import numpy as np

    from .cross_validation import judged
    from .ngram_grid import Task

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
