"""The figures of papers.py, with text and tables: figures 2 to 4 of NCleaner, quality prediction of StupidOS."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.gold_sets import GoldSet
from bench.support import log, markdown
from ncfilters.evaluation.report import plots
from ncfilters.evaluation.results import LOW_PRECISION, Evaluation, quality_split
from ncfilters.scoring.char_ngram.alphabet import Alphabet
from ncfilters.selection import policies
from ncfilters.training import quality_regression
from ncfilters.training.cross_validation import FoldOptions
from ncfilters.training.ngram_grid import NgramGrid
from ncfilters.training.operating_point import AlignedWords
from ncfilters.training.tuning import NS, QS, CurveOptions, learning_curve


def precision_gains(results: Evaluation, some: GoldSet, plots_folder: Path) -> Iterator[str]:
    """Figure 3: the gain in precision of each page."""
    both = zip(results.values(2, some.measure, "P"), results.values(0, some.measure, "P"))
    differences = [100 * ((ours or 0) - (theirs or 0)) for ours, theirs in both]
    plots.save(plots.precision_gains(differences, "NCleaner", "text dump"), plots_folder, f"gains-{some.name}")
    worse = sum(difference < 0 for difference in differences)
    much = sum(difference > 10 for difference in differences)
    yield (
        f"\nFigure 3: NCleaner's precision is below the dump's on {worse} of {len(differences)} pages, and more than "
        f"10 points above it on {much}.\n\n![gains in precision]({plots_folder.name}/gains-{some.name}.png)\n"
    )


def parameter_grid(some: GoldSet, plots_folder: Path, folds: int) -> Iterator[str]:
    """Figure 2: cross-entropy over n and q."""
    yield f"\n## Figure 2: parameters, on every fourth page of `{some.name}`\n"
    pages = some.pages[::4]
    for name in ("ascii", "nonlexical"):
        log(f"figure 2, {name}")
        grid = NgramGrid(pages, Alphabet(name), NS, FoldOptions(folds))
        entropies = grid.entropies(QS)
        words = AlignedWords(grid.pages)
        values = {point: 100 * words.measure(scores).f for point, scores in grid.scores(QS).items()}
        for what, draw, table, unit in (
            ("cross-entropy, bits per character", plots.cross_entropy, entropies, ".3f"),
            ("F of words, per cent", plots.task_f, values, ".2f"),
        ):
            title = f"{name} folding, {len(pages)} pages"
            picture = f"{'entropy' if unit == '.3f' else 'f'}-{name}"
            curves = {n: [table[n, q] for q in QS] for n in NS}
            plots.save(draw(QS, curves, title), plots_folder, picture)
            rows = [[str(n), *(format(table[n, q], unit) for q in QS)] for n in NS]
            yield f"\n{name} folding, {what}:\n\n![{what}]({plots_folder.name}/{picture}.png)\n\n"
            yield from markdown(["n", *(f"q = {q:g}" for q in QS)], rows)


def learning_curve_figure(train: GoldSet, test: GoldSet, plots_folder: Path) -> Iterator[str]:
    """Figure 4: the learning curve."""
    log("figure 4")
    curve = learning_curve(train.pages, CurveOptions(subsets=10), test.pages)
    table = curve.table()
    title = f"trained on {train.name}, tested on {test.name}"
    plots.save(plots.learning_curve(curve.sizes, curve.values, title), plots_folder, "learning-curve")
    yield f"\n## Figure 4: learning curve, {title}\n\n"
    yield "Random subsets, ten of each size; mean (5 % to 95 % of them).\n\n"
    yield f"![learning curve]({plots_folder.name}/learning-curve.png)\n\n"
    yield from markdown(table.header, table.rows)


def quality_prediction(some: GoldSet, scores: Sequence[Sequence[float]], plots_folder: Path) -> Iterator[str]:
    """StupidOS, section 4.4: precision predicted from the cleaned text, on sites that it was not fitted to."""
    decide = policies.threshold_policy()
    rows, actual, sites = [], [], []
    for page, segments, of_page in zip(some.pages, some.segments, scores):
        scored = [{**segment, "score": score} for segment, score in zip(segments, of_page)]
        example = quality_regression.quality_example({"segments": scored, "gold": page.gold.plain}, decide)
        if example:
            rows.append(example[0])
            actual.append(example[1])
            sites.append(page.domain)
    expected = quality_regression.held_out_predictions(rows, actual, sites)
    fit = quality_regression.goodness_of_fit(expected, actual)
    figure = plots.calibration([100 * value for value in expected], [100 * value for value in actual])
    plots.save(figure, plots_folder, "calibration")
    yield f"\n## Quality prediction (StupidOS, section 4.4), on `{some.name}`\n"
    yield (
        f"\nThe paper's linear model left a standard error of 13.76 points on the pages it was fitted to. Here, for "
        f"sites not fitted to, {100 * fit['standard error']:.1f} points of a standard deviation of "
        f"{100 * statistics.pstdev(actual):.1f} (R² {fit['R²']}, correlation {fit['correlation']}).\n"
        f"\n![predicted and actual precision]({plots_folder.name}/calibration.png)\n\n"
    )
    both = sorted(zip(expected, actual))
    head = ["nc-select --min-quality", "", "pages", "mean precision", f"below {LOW_PRECISION}"]
    facts = [fact for minimum in (0.7, 0.8, 0.86, 0.9) for fact in quality_split(both, minimum)]
    cells = [
        [f"{fact['minimum']:g}", fact["what"], str(fact["pages"]), f"{fact['precision']:.3f}", str(fact["bad"])]
        for fact in facts
    ]
    yield from markdown(head, cells, 2)
