#!/usr/bin/env python3
"""The tables and figures of the NCleaner and StupidOS papers, on our gold sets.

    python bench/papers.py ../shared/data          # writes bench/papers.md, and plots to bench/papers/; half an hour
    python bench/papers.py ../shared/data -n 20    # of 20 pages of each set, to standard output

DATA is the folder of gold sets. Peers that are installed (trafilatura, jusText, Resiliparse, readability-lxml) are in
the same tables; the others are reported and left out.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench import paper_figures
from bench.gold_sets import (
    FOLDS,
    LEXICAL,
    NONLEXICAL,
    GoldSet,
    selected_texts,
    texts_above_zero,
    texts_by_rules,
    train_model,
)
from bench.peers import missing_note, peer_texts
from bench.small_models import small_models
from bench.support import BENCH, log, markdown
from ncfilters.dataset.labelled_pages import Folds
from ncfilters.evaluation import plots
from ncfilters.evaluation.results import LOW_PRECISION, Evaluation, averages, quality_split, signatures
from ncfilters.evaluation.significance import compare
from ncfilters.scoring.char_ngram.ngrams import Alphabet
from ncfilters.selection.decision import policy
from ncfilters.selection.options import PolicyOptions
from ncfilters.training import quality_trainer
from ncfilters.training.cross_validation import NS, QS, AlignedWords, curve_table, learning_curve
from ncfilters.training.ngram_trainer import NgramGrid, NgramOptions


def precision_gains(results: Evaluation, some: GoldSet, plots_folder: Path) -> Iterator[str]:
    """Figure 3: the gain in precision of each page."""
    both = zip(results.values(2, some.measure, "P"), results.values(0, some.measure, "P"))
    differences = [100 * ((ours or 0) - (theirs or 0)) for ours, theirs in both]
    plots.save(paper_figures.precision_gains(differences, "NCleaner", "text dump"), plots_folder, f"gains-{some.name}")
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
        grid = NgramGrid(pages, Alphabet(name), NS, Folds(folds))
        entropies = grid.entropies(QS)
        words = AlignedWords(grid.pages)
        values = {point: 100 * words.measure(scores).f for point, scores in grid.scores(QS).items()}
        for what, measure, table, unit in (
            ("cross-entropy, bits per character", "entropy", entropies, ".3f"),
            ("F of words, per cent", "f", values, ".2f"),
        ):
            title = f"{name} folding, {len(pages)} pages"
            picture = f"{measure}-{name}"
            curves = {n: [table[n, q] for q in QS] for n in NS}
            plots.save(plots.tuning(QS, curves, title, measure), plots_folder, picture)
            rows = [[str(n), *(format(table[n, q], unit) for q in QS)] for n in NS]
            yield f"\n{name} folding, {what}:\n\n![{what}]({plots_folder.name}/{picture}.png)\n\n"
            yield from markdown(["n", *(f"q = {q:g}" for q in QS)], rows)


def learning_curve_figure(train: GoldSet, test: GoldSet, plots_folder: Path) -> Iterator[str]:
    """Figure 4: the learning curve."""
    log("figure 4")
    curve = learning_curve(train.pages, NgramOptions(), tests=test.pages)
    table = curve_table(curve)
    title = f"trained on {train.name}, tested on {test.name}"
    plots.save(plots.learning_curve(*curve, title), plots_folder, "learning-curve")
    yield f"\n## Figure 4: learning curve, {title}\n\n"
    yield "Random subsets, ten of each size; mean (5 % to 95 % of them).\n\n"
    yield f"![learning curve]({plots_folder.name}/learning-curve.png)\n\n"
    yield from markdown(table.header, table.rows)


def quality_prediction(some: GoldSet, scores: Sequence[Sequence[float]], plots_folder: Path) -> Iterator[str]:
    """StupidOS, section 4.4: precision predicted from the cleaned text, on sites that it was not fitted to."""
    decide = policy(PolicyOptions("threshold"))
    rows, actual, sites = [], [], []
    for page, segments, of_page in zip(some.pages, some.segments, scores):
        scored = [{**segment, "score": score} for segment, score in zip(segments, of_page)]
        example = quality_trainer.quality_example({"segments": scored, "gold": page.gold.plain}, decide)
        if example:
            rows.append(example[0])
            actual.append(example[1])
            sites.append(page.domain)
    expected = quality_trainer.held_out_predictions(rows, actual, sites)
    fit = quality_trainer.goodness_of_fit(expected, actual)
    figure = paper_figures.calibration([100 * value for value in expected], [100 * value for value in actual])
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


MODELS = {"NCleaner": LEXICAL, "Non-lexical model": NONLEXICAL}
# The rows of the NCleaner paper's table 2: micro F, P, R; macro F, P, R.
PAPER_2 = {
    "Baseline": "91.23 84.16 99.58 85.32±15.11 79.00±20.14 96.74±02.13",
    "Heuristics only": "89.39 85.12 94.11 84.06±18.03 79.16±20.61 94.11±15.02",
    "NCleaner": "91.60 91.95 91.25 87.63±15.50 88.47±14.21 89.74±16.83",
    "Non-lexical model": "89.99 90.17 89.82 85.60±16.84 85.35±17.53 89.37±17.37",
}
# Of tables 3 and 4: F, P, R of words; F, P, R of labelled segments.
PAPER_3 = {
    "Baseline": "88.72 83.11 95.15 0.00 0.00 0.00",
    "NCleaner (HTML)": "92.73 94.70 90.83 60.85 69.30 54.24",
    "NCleaner (text)": "90.18 90.30 90.05 34.04 28.98 41.25",
    "Non-lexical (HTML)": "92.31 91.65 92.97 55.76 52.76 59.13",
    "Non-lexical (text)": "89.86 89.88 89.85 33.21 27.43 42.07",
}


@dataclass(frozen=True)
class PapersOptions:
    """The folder of gold sets, the folder for plots, and the number of pages of each set (all if None)."""

    data: Path
    plots: Path
    number: int | None = None


# ---- tables -------------------------------------------------------------------------------------------------


def internal_table(results: Evaluation, measure: str) -> Iterator[str]:
    """Table 2: micro and macro averages; paired t-tests against the first system, and of F against the second."""
    rows = []
    for number, system in enumerate(results.systems):
        averaged = averages(results.rows[number], [measure])
        micro = [f"{figure['value']:.2f}" for figure in averaged if figure["average"] == "micro"]
        macro = [f"{figure['value']:.2f} ± {figure['sd']:.2f}" for figure in averaged if figure["average"] == "macro"]
        tests = [_t_test(results, measure, number, 0, "F"), _t_test(results, measure, number, 0, "P")]
        rows.append([system.name, *micro, *macro, *tests, _t_test(results, measure, number, 1, "F")])
    against = ["F against baseline", "P against baseline", "F against heuristics"]
    head = ["", "F", "P", "R", "macro F", "macro P", "macro R", *against]
    yield from markdown(head, rows)


def _t_test(results: Evaluation, measure: str, number: int, other: int, part: str) -> str:
    if number <= other:
        return ""
    ours, theirs = ([100 * (value or 0) for value in results.values(n, measure, part)] for n in (number, other))
    test = compare(ours, theirs).t
    assert test is not None
    p = f"{test.p:.4f}" if test.p >= 0.0001 else f"{test.p:.0e}"
    return f"t = {test.statistic:.2f}, df = {test.n}, p = {p}; {test.low:+.2f} … {test.high:+.2f}"


def external_table(results: Evaluation, names: Sequence[str]) -> Iterator[str]:
    """Tables 3 and 4: micro-averages of words, and of labelled segment markers."""
    rows = []
    for system, measured in zip(results.systems, results.rows):
        averaged = {name: averages(measured, [name]) for name in names}
        cells = [
            f"{figure['value']:.2f}" for name in names for figure in averaged[name] if figure["average"] == "micro"
        ]
        rows.append([system.name, *cells])
    yield from markdown(["", *(f"{part}, {name}" for name in names for part in "FPR")], rows)


def printed_table(rows: dict[str, str], head: Sequence[str]) -> Iterator[str]:
    """A table as the paper prints it."""
    yield from markdown(["", *head], [[name, *row.split()] for name, row in rows.items()])


# ---- the document -------------------------------------------------------------------------------------------


def document(options: PapersOptions) -> Iterator[str]:
    """The pieces of bench/papers.md."""
    wcxb, cleaneval = (
        GoldSet(options.data / f"{name}.jsonl.xz", options.number) for name in ("wcxb-dev", "cleaneval-dev")
    )
    missing = missing_note()
    yield HEAD.format(folds=FOLDS, missing=missing and missing + " ")
    signed: list[str] = []
    yield "\n## Table 2: internal evaluation\n"
    yield "\nAs printed (158 pages of FIASCO, 2007):\n\n"
    yield from printed_table(PAPER_2, ["F", "P", "R", "macro F", "macro P", "macro R"])
    for some in (wcxb, cleaneval):
        yield from internal_section(some, options, signed)
    yield "\n## Tables 3 and 4: external evaluation\n"
    yield "\nAs printed (CleanEval test set, 674 pages; the models trained on FIASCO):\n\n"
    yield from printed_table(PAPER_3, ["F", "P", "R", "segments F", "P", "R"])
    yield from external_section(wcxb, cleaneval, signed)
    yield from external_section(cleaneval, wcxb, signed)
    yield from parameter_grid(wcxb, options.plots, FOLDS)
    yield from learning_curve_figure(wcxb, cleaneval, options.plots)
    yield from small_models(options.data, options.plots, options.number)
    yield from quality_prediction(wcxb, wcxb.cross_validated(LEXICAL), options.plots)
    yield (BENCH / "papers-notes.md").read_text(encoding="utf-8")
    yield "\n## Signatures\n\n"
    yield "".join(f"    {signature}\n" for signature in dict.fromkeys(signed))


def internal_section(some: GoldSet, options: PapersOptions, signed: list[str]) -> Iterator[str]:
    """Table 2 and figure 3 of a set. Signatures are added to *signed*."""
    log(f"table 2 on {some.name}")
    systems = {"Baseline (text dump)": some.dumps, "Heuristics only": texts_by_rules(some.pages)}
    for name, parameters in MODELS.items():
        systems[name] = texts_above_zero(some.pages, some.cross_validated(parameters))
    systems |= dict(peer_texts(some.records))
    results = some.evaluate(systems)
    how = "with segment markers as words" if some.has_markers else "no markers, as the gold has none"
    yield f"\n`{some.name}`, {len(some.pages)} pages, {FOLDS}-fold cross-validation by domain; {how}:\n\n"
    yield from internal_table(results, some.measure)
    signed += [fact["signature"] for fact in signatures(results)]
    yield from precision_gains(results, some, options.plots)


def external_section(train: GoldSet, test: GoldSet, signed: list[str]) -> Iterator[str]:
    """Tables 3 and 4 of models of one set on the other. Signatures are added to *signed*."""
    log(f"trained on {train.name}, tested on {test.name}")
    systems = {
        "Baseline (text dump)": test.dumps,
        "Heuristics only (HTML)": texts_by_rules(test.pages),
        "Heuristics only (text)": texts_by_rules(test.dumped_pages),
    }
    for name, parameters in MODELS.items():
        model = train_model(train.pages, parameters)
        systems[f"{name} (HTML)"] = selected_texts(model, test.pages)
        systems[f"{name} (text)"] = selected_texts(model, test.dumped_pages)
    systems |= dict(peer_texts(test.records))
    results = test.evaluate(systems)
    yield f"\nTrained on `{train.name}`, tested on `{test.name}`:\n\n"
    yield from external_table(results, results.names)
    signed += [fact["signature"] for fact in signatures(results)]


HEAD = """# The papers' tables and figures, on our gold sets

Made by `python bench/papers.py DATA`. Words and segment markers are aligned and counted as cleaneval.py does (Evert
2008, section 4); figures are per cent. micro: all pages pooled; macro: means over pages ± standard deviation. The
t-tests are paired, over pages, with the 95 % interval of the difference in points. Cross-validation has {folds} folds,
pages of a domain in the same. {missing}Peers print no segment markers.
"""


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, metavar="DATA", help="the folder of gold sets")
    parser.add_argument("-n", type=int, metavar="N", help="use N pages of each set, write to standard output (all)")
    args = parser.parse_args()
    if not args.n:
        text = "".join(document(PapersOptions(args.data, BENCH / "papers")))
        (BENCH / "papers.md").write_text(text, encoding="utf-8")
        return
    with tempfile.TemporaryDirectory() as folder:
        print("".join(document(PapersOptions(args.data, Path(folder, "papers"), args.n))), end="")


if __name__ == "__main__":
    main()
