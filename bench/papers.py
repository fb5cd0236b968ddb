#!/usr/bin/env python3
"""The tables and figures of the NCleaner and StupidOS papers, on data that we have.

    python bench/papers.py ../shared/data        # writes bench/papers.md and the figures in bench/papers/; half an hour

Wants the folder of gold sets. Peers that are installed (trafilatura, jusText, Resiliparse, readability-lxml) stand in
the same tables; those that are not are named and left out.
"""

from __future__ import annotations

import argparse
import json
import lzma
import multiprocessing
import os
import random
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from ncfilters.dataset import labelled_pages
from ncfilters.dataset.labelled_pages import LabelledPage, LabelledPages  # noqa: E402
from ncfilters.evaluation.aggregate import averages, measure_page, score_part  # noqa: E402
from ncfilters.evaluation.report import plots
from ncfilters.evaluation.report.tables import Table, table_lines  # noqa: E402
from ncfilters.evaluation.results import LOW_PRECISION, Evaluation, System, quality_split  # noqa: E402
from ncfilters.evaluation.signatures import signatures  # noqa: E402
from ncfilters.evaluation.significance import compare  # noqa: E402
from ncfilters.page import block_builder, html_parser, text_dump
from ncfilters.scoring.base import Model
from ncfilters.scoring.char_ngram.alphabet import Alphabet  # noqa: E402
from ncfilters.scoring.registry import load  # noqa: E402
from ncfilters.segmentation import segmenter
from ncfilters.selection import policies
from ncfilters.training import quality_regression, search
from ncfilters.training.cross_validation import FoldOptions, cross_validate, kept_text, score_pages
from ncfilters.training.learning_curve import CurveOptions, learning_curve
from ncfilters.training.ngram_grid import NgramGrid
from ncfilters.training.ngram_trainer import NgramOptions, train_ngram
from ncfilters.training.operating_point import AlignedWords

FOLDS = 10
# The papers' two models: n, q, folding.
LEXICAL, NONLEXICAL = (3, 0.5, "ascii"), (6, 0.4, "nonlexical")
MODELS = {"NCleaner": LEXICAL, "Non-lexical model": NONLEXICAL}
# The rows of the paper's table 2: micro F, P, R; macro F, P, R.
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


# ---- pages and systems --------------------------------------------------------------------------------------


class Set:
    """A gold set: its pages segmented from HTML and from a plain dump, the dumps, and the segments from HTML."""

    def __init__(self, path: Path) -> None:
        with lzma.open(path) as file:
            self.records = [json.loads(line) for line in file]
        self.name = path.name.partition(".")[0]
        with multiprocessing.Pool() as pool:
            made = pool.map(_segmented, self.records, 8)
        self.pages = [page for page, _, _, _ in made]
        self.texts = [page for _, page, _, _ in made]
        self.dumps = [dump for _, _, dump, _ in made]
        self.segments = [segments for _, _, _, segments in made]

    def results(self, systems: Mapping[str, Sequence[str]]) -> Evaluation:
        """The measures of each system's texts."""
        golds = {page.key: page.gold for page in self.pages}
        made = [System(name, dict(zip(golds, texts))) for name, texts in systems.items()]
        return Evaluation(made, golds, (self.measure, *(("segments",) if self.marked else ())))

    @property
    def marked(self) -> bool:
        """Whether the gold has segment markers."""
        return self.pages[0].gold.has_markers

    @property
    def measure(self) -> str:
        """The measure of words: with markers as words where the gold has them, as in the papers."""
        return "cleaneval" if self.marked else "words"


def _segmented(record: dict[str, Any]) -> tuple[LabelledPage, LabelledPage, str, list[dict[str, Any]]]:
    blocks = block_builder.blocks(html_parser.parse_html(record["html"], "lexbor"))
    dump = text_dump.dump(blocks)
    about = {name: value for name, value in record.items() if name != "html"}
    text = labelled_pages.label_page({**about, "segments": segmenter.segment_text(dump)})
    segments = segmenter.segment_blocks(blocks)  # of the blocks themselves: last
    page = labelled_pages.label_page({**about, "segments": segments})
    return page, text, dump, segments


def trained(pages: Sequence[LabelledPage], n: int, q: float, folding: str) -> Model:
    """One of the papers' models."""
    return train_ngram(LabelledPages(pages), NgramOptions(n, q, folding))


def cross_validated(pages: Sequence[LabelledPage], parameters: tuple[int, float, str]) -> list[list[float]]:
    """The scores of each page's segments by models of pages of other domains."""
    scored = cross_validate(pages, lambda some: trained(some.pages, *parameters), FoldOptions(FOLDS))
    return [page.scores for page in sorted(scored, key=lambda page: page.place)]


def selected(model: Model, pages: Sequence[LabelledPage]) -> list[str]:
    """The text that a model keeps of each page."""
    return [kept_text(scored.page, scored.scores) for scored in score_pages(model, pages)]


def heuristics(pages: Sequence[LabelledPage]) -> list[str]:
    """What the rules of nc-segment leave of each page."""
    return [kept_text(page, [1.0] * len(page.texts)) for page in pages]


# ---- peers --------------------------------------------------------------------------------------------------


def _trafilatura(html: str, lang: str) -> str:
    import trafilatura

    return trafilatura.extract(html, include_comments=True, include_tables=True, with_metadata=False) or ""


def _justext(html: str, lang: str) -> str:
    import justext

    name = {"en": "English", "el": "Greek", "pl": "Polish", "ru": "Russian"}.get(lang)
    stop = justext.get_stoplist(name) if name else frozenset()
    options = {} if name else {"stopwords_low": 0, "stopwords_high": 0}
    found = justext.justext(html.encode(), stop, encoding="utf-8", **options)
    return "\n".join(paragraph.text for paragraph in found if not paragraph.is_boilerplate)


def _resiliparse(html: str, lang: str) -> str:
    from resiliparse.extract.html2text import extract_plain_text

    return str(extract_plain_text(html, main_content=True))


def _readability(html: str, lang: str) -> str:
    import lxml.html
    from readability import Document

    return str(lxml.html.fromstring(Document(html).summary()).text_content())


PEERS: dict[str, tuple[str, Callable[[str, str], str]]] = {
    "trafilatura": ("trafilatura", _trafilatura),
    "jusText": ("justext", _justext),
    "Resiliparse": ("resiliparse", _resiliparse),
    "readability": ("readability-lxml", _readability),
}


def peers(records: Sequence[dict[str, Any]], lang: str = "en") -> Iterator[tuple[str, list[str]]]:
    """The text of each page by each peer that is installed; "" where it fails."""
    for name, (package, function) in PEERS.items():
        try:
            number = version(package)
        except PackageNotFoundError:
            continue
        with multiprocessing.Pool() as pool:
            yield f"{name} {number}", pool.map(partial(_extracted, function, lang), (r["html"] for r in records), 8)


def _extracted(function: Callable[[str, str], str], lang: str, html: str) -> str:
    try:
        return function(html, lang)
    except Exception:  # what a peer does with a page it cannot read is to give nothing
        return ""


# ---- tables -------------------------------------------------------------------------------------------------


def internal(results: Evaluation, measure: str) -> Table:
    """Table 2: micro and macro averages; paired t-tests against the first system, and of F against the second."""
    rows = []
    for number, system in enumerate(results.systems):
        found = averages(results.rows[number], [measure])
        micro = [f"{figure.value:.2f}" for figure in found if figure.average == "micro"]
        macro = [f"{figure.value:.2f} ± {figure.sd:.2f}" for figure in found if figure.average == "macro"]
        tests = [_t(results, measure, number, 0, "F"), _t(results, measure, number, 0, "P")]
        rows.append([system.name, *micro, *macro, *tests, _t(results, measure, number, 1, "F")])
    against = ["F against baseline", "P against baseline", "F against heuristics"]
    head = ["", "F", "P", "R", "macro F", "macro P", "macro R", *against]
    return Table("", head, rows)


def _t(results: Evaluation, measure: str, number: int, other: int, part: str) -> str:
    if number <= other:
        return ""
    ours, theirs = ([100 * (value or 0) for value in results.values(n, measure, part)] for n in (number, other))
    test = compare(ours, theirs).t
    assert test is not None
    p = f"{test.p:.4f}" if test.p >= 0.0001 else f"{test.p:.0e}"
    return f"t = {test.statistic:.2f}, df = {test.n}, p = {p}; {test.low:+.2f} … {test.high:+.2f}"


def external(results: Evaluation, names: Sequence[str]) -> Table:
    """Tables 3 and 4: micro-averages of words, and of labelled segment markers."""
    rows = []
    for system, measured in zip(results.systems, results.rows):
        found = {name: averages(measured, [name]) for name in names}
        cells = [f"{figure.value:.2f}" for name in names for figure in found[name] if figure.average == "micro"]
        rows.append([system.name, *cells])
    return Table("", ["", *(f"{part}, {name}" for name in names for part in "FPR")], rows)


def printed(paper: dict[str, str], head: Sequence[str]) -> Table:
    """A table of the paper, as it is printed there."""
    return Table("", ["", *head], [[name, *row.split()] for name, row in paper.items()])


# ---- the document -------------------------------------------------------------------------------------------


def document(data: Path, pictures: Path, notes: str) -> Iterator[str]:
    """bench/papers.md, piece by piece."""
    wcxb, cleaneval = (Set(data / f"{name}.jsonl.xz") for name in ("wcxb-dev", "cleaneval-dev"))
    missing = [name for name, (package, _) in PEERS.items() if not _is_installed(package)]
    yield HEAD.format(folds=FOLDS, missing=f"Not installed, and left out: {', '.join(missing)}. " if missing else "")
    signed: list[str] = []
    yield "\n## Table 2: internal evaluation\n"
    yield "\nAs printed (158 pages of FIASCO, 2007):\n\n"
    yield from table_lines(printed(PAPER_2, ["F", "P", "R", "macro F", "macro P", "macro R"]), "markdown")
    for some in (wcxb, cleaneval):
        say(f"table 2 on {some.name}")
        systems = {"Baseline (text dump)": some.dumps, "Heuristics only": heuristics(some.pages)}
        scores = {name: cross_validated(some.pages, parameters) for name, parameters in MODELS.items()}
        systems |= {name: list(map(kept_text, some.pages, found)) for name, found in scores.items()}
        systems |= dict(peers(some.records))
        results = some.results(systems)
        how = "with segment markers as words" if some.marked else "no markers, as the gold has none"
        yield f"\n`{some.name}`, {len(some.pages)} pages, {FOLDS}-fold cross-validation by domain; {how}:\n\n"
        yield from table_lines(internal(results, some.measure), "markdown")
        signed += [fact["signature"] for fact in signatures(results)]
        yield from gains(results, some, pictures)
        if some is wcxb:
            quality_section = list(predicted(some, scores["NCleaner"], pictures))
    yield "\n## Tables 3 and 4: external evaluation\n"
    yield "\nAs printed (CleanEval test set, 674 pages; the models trained on FIASCO):\n\n"
    yield from table_lines(printed(PAPER_3, ["F", "P", "R", "segments F", "P", "R"]), "markdown")
    for train, test in ((wcxb, cleaneval), (cleaneval, wcxb)):
        say(f"trained on {train.name}, tested on {test.name}")
        systems = {
            "Baseline (text dump)": test.dumps,
            "Heuristics only (HTML)": heuristics(test.pages),
            "Heuristics only (text)": heuristics(test.texts),
        }
        for name, parameters in MODELS.items():
            model = trained(train.pages, *parameters)
            systems[f"{name} (HTML)"] = selected(model, test.pages)
            systems[f"{name} (text)"] = selected(model, test.texts)
        systems |= dict(peers(test.records))
        results = test.results(systems)
        yield f"\nTrained on `{train.name}`, tested on `{test.name}`:\n\n"
        yield from table_lines(external(results, results.names), "markdown")
        signed += [fact["signature"] for fact in signatures(results)]
    yield from figure_two(wcxb, pictures)
    yield from learning(wcxb, cleaneval, pictures)
    yield from languages(data, pictures)
    yield from quality_section
    yield notes
    yield "\n## Signatures\n\n"
    yield "".join(f"    {signature}\n" for signature in dict.fromkeys(signed))


HEAD = """# The papers' tables and figures, on data that we have

Made by `python bench/papers.py DATA`. Words and segment markers are aligned and counted as cleaneval.py does (Evert
2008, section 4); figures are per cent. micro: all pages pooled; macro: means over pages ± standard deviation. The
t-tests are paired, over pages, with the 95 % interval of the difference in points. Cross-validation has {folds} folds,
pages of a domain in the same. {missing}Peers print no segment markers.
"""


def gains(results: Evaluation, some: Set, pictures: Path) -> Iterator[str]:
    """Figure 3: how precision changes, page by page."""
    both = zip(results.values(2, some.measure, "P"), results.values(0, some.measure, "P"))
    differences = [100 * ((ours or 0) - (theirs or 0)) for ours, theirs in both]
    plots.save(plots.precision_gains(differences, "NCleaner", "text dump"), pictures, f"gains-{some.name}")
    worse = sum(difference < 0 for difference in differences)
    much = sum(difference > 10 for difference in differences)
    yield (
        f"\nFigure 3: NCleaner's precision is below the dump's on {worse} of {len(differences)} pages, and more than "
        f"10 points above it on {much}.\n\n![gains in precision](papers/gains-{some.name}.png)\n"
    )


def figure_two(some: Set, pictures: Path) -> Iterator[str]:
    """Figure 2: cross-entropy over n and q."""
    yield f"\n## Figure 2: parameters, on every fourth page of `{some.name}`\n"
    pages = some.pages[::4]
    for name in ("ascii", "nonlexical"):
        say(f"figure 2, {name}")
        found = NgramGrid(pages, Alphabet(name), search.NS, FoldOptions(FOLDS))
        entropies = found.entropies(search.QS)
        words = AlignedWords(found.pages)
        values = {point: 100 * words.measure(scores).f for point, scores in found.scores(search.QS).items()}
        for what, draw, table, unit in (
            ("cross-entropy, bits per character", plots.cross_entropy, entropies, ".3f"),
            ("F of words, per cent", plots.task_f, values, ".2f"),
        ):
            title = f"{name} folding, {len(pages)} pages"
            picture = f"{'entropy' if unit == '.3f' else 'f'}-{name}"
            plots.save(
                draw(search.QS, {n: [table[n, q] for q in search.QS] for n in search.NS}, title), pictures, picture
            )
            rows = [[str(n), *(format(table[n, q], unit) for q in search.QS)] for n in search.NS]
            yield f"\n{name} folding, {what}:\n\n![{what}](papers/{picture}.png)\n\n"
            yield from table_lines(Table("", ["n", *(f"q = {q:g}" for q in search.QS)], rows), "markdown")


def learning(train: Set, test: Set, pictures: Path) -> Iterator[str]:
    """Figure 4: the learning curve."""
    say("figure 4")
    found = learning_curve(train.pages, CurveOptions(subsets=10), test.pages)
    table = found.table()
    title = f"trained on {train.name}, tested on {test.name}"
    plots.save(plots.learning_curve(found.sizes, found.values, title), pictures, "learning-curve")
    yield f"\n## Figure 4: learning curve, {title}\n\n"
    yield "Random subsets, ten of each size; mean (5 % to 95 % of them).\n\n"
    yield "![learning curve](papers/learning-curve.png)\n\n"
    yield from table_lines(Table("", table.header, table.rows), "markdown")


def predicted(some: Set, scores: Sequence[Sequence[float]], pictures: Path) -> Iterator[str]:
    """StupidOS, section 4.4: precision predicted from the cleaned text, for sites the prediction was not fitted to."""
    decide = policies.threshold_policy()
    rows, actual, sites = [], [], []
    for page, segments, judged in zip(some.pages, some.segments, scores):
        scored = [{**found, "score": score} for found, score in zip(segments, judged)]
        found = quality_regression.quality_example({"segments": scored, "gold": page.gold.plain}, decide)
        if found:
            rows.append(found[0])
            actual.append(found[1])
            sites.append(page.domain)
    expected = quality_regression.held_out_predictions(rows, actual, sites)
    held = quality_regression.goodness_of_fit(expected, actual)
    figure = plots.calibration([100 * value for value in expected], [100 * value for value in actual])
    plots.save(figure, pictures, "calibration")
    yield f"\n## Quality prediction (StupidOS, section 4.4), on `{some.name}`\n"
    yield (
        f"\nThe paper's linear model left a standard error of 13.76 points on the pages it was fitted to. Here, for "
        f"sites not fitted to, {100 * held['standard error']:.1f} points of a standard deviation of "
        f"{100 * statistics.pstdev(actual):.1f} (R² {held['R²']}, correlation {held['correlation']}).\n"
        "\n![predicted and actual precision](papers/calibration.png)\n\n"
    )
    both = sorted(zip(expected, actual))
    head = ["nc-select --min-quality", "", "pages", "mean precision", f"below {LOW_PRECISION}"]
    facts = [fact for minimum in (0.7, 0.8, 0.86, 0.9) for fact in quality_split(both, minimum)]
    cells = [
        [f"{fact['minimum']:g}", fact["what"], str(fact["pages"]), f"{fact['precision']:.3f}", str(fact["bad"])]
        for fact in facts
    ]
    yield from table_lines(Table("", head, cells, frozenset((0, 1))), "markdown")


# ---- other languages ----------------------------------------------------------------------------------------

# The recipe of models/make; pages, and random subsets of so many.
SMALL = NgramOptions(3, 0.8, "frequent", 20, bias=3.0, context=15.0)
SIZES, SUBSETS = (5, 10, 20, 30, 50), 10


def languages(data: Path, pictures: Path) -> Iterator[str]:
    """Small models of at most 50 pages: bag-F on the pages of other sites, beside peers, and the learning curves."""
    found: dict[str, dict[str, float]] = {}
    curves: dict[str, list[list[float]]] = {}
    counts = []
    for lang in ("el", "pl", "ru", "zh"):
        say(f"small models, {lang}")
        train, test = (_pages(data, lang, rest) for rest in (False, True))
        pages = [labelled_pages.label_page(record) for record in test]
        counts.append(f"{lang} {len(train)} and {len(test)}")
        usable = [page for page in map(labelled_pages.label_page, train) if page.is_usable]
        curves[lang] = [
            [_bag_f(train_ngram(LabelledPages(subset), SMALL), pages) for subset in _subsets(usable, size)]
            for size in SIZES
        ]
        systems = {f"ncleaner-{lang}": selected(train_ngram(LabelledPages(usable), SMALL), pages)}
        systems["without bias and context"] = selected(
            train_ngram(LabelledPages(usable), replace(SMALL, bias=0.0, context=0.0)), pages
        )
        systems["ncleaner-nonlexical"] = selected(load("ncleaner-nonlexical"), pages)
        systems |= dict(peers(test, lang))
        for name, texts in systems.items():
            found.setdefault(name.replace(f"-{lang}", "-*"), {})[lang] = _mean_bag(texts, pages)
    yield "\n## Small models of other languages\n"
    yield (
        "\nTrained on at most 50 pages of `daniel-dev` (`models/pages`), tested on those of other sites (pages to "
        f"train and to test on: {', '.join(counts)}). bag-F, per cent; in Chinese words are characters.\n\n"
    )
    rows = [[name, *(f"{values[lang]:.1f}" for lang in values)] for name, values in found.items()]
    yield from table_lines(Table("", ["", *curves], rows), "markdown")
    yield f"\nLearning curves: mean (lowest-highest) of {SUBSETS} random subsets of the training pages.\n"
    figure = plots.learning_curve(SIZES, curves, "bag-F on other sites, small models")
    plots.save(figure, pictures, "learning-curve-languages")
    yield "\n![learning curves](papers/learning-curve-languages.png)\n\n"
    rows = [
        [str(size), *(f"{statistics.fmean(v[n]):.1f} ({min(v[n]):.1f}-{max(v[n]):.1f})" for v in curves.values())]
        for n, size in enumerate(SIZES)
    ]
    yield from table_lines(Table("", ["training pages", *curves], rows), "markdown")


def _pages(data: Path, lang: str, rest: bool) -> list[dict[str, Any]]:
    """The pages to train on, or the rest."""
    command = [str(HERE.parent / "models" / "pages"), "--lang", lang, *(["--rest"] if rest else [])]
    out = subprocess.run([sys.executable, *command, data / "daniel-dev.jsonl.xz"], check=True, capture_output=True)
    return [json.loads(line) for line in out.stdout.splitlines()]


def _subsets(pages: Sequence[LabelledPage], size: int) -> list[list[LabelledPage]]:
    draw = random.Random(size)
    if size >= len(pages):
        return [list(pages)]
    return [draw.sample(list(pages), size) for _ in range(SUBSETS)]


def _bag_f(model: Model, pages: Sequence[LabelledPage]) -> float:
    return _mean_bag(selected(model, pages), pages)


def _mean_bag(texts: Sequence[str], pages: Sequence[LabelledPage]) -> float:
    """The mean bag-F, per cent."""
    return 100 * statistics.fmean(
        score_part(measure_page(text, page.gold, ["bag"]), "bag", "F") or 0.0 for text, page in zip(texts, pages)
    )


def _is_installed(package: str) -> bool:
    try:
        return bool(version(package))
    except PackageNotFoundError:
        return False


def say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="the folder of gold sets")
    args = parser.parse_args()
    notes = (HERE / "papers-notes.md").read_text(encoding="utf-8")
    text = "".join(document(args.data, HERE / "papers", notes))
    (HERE / "papers.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
