#!/usr/bin/env python3
"""Cleaning by perplexity: the best perplexity limit by cross-validation, and table 7 of PyPlexity's paper.

    python bench/cleaning.py ../shared/data        # writes bench/cleaning.md; six minutes of CPU
    python bench/cleaning.py ../shared/data -n 20  # of 20 pages of each set, to standard output

DATA is the folder of gold sets; it also has the well-formed text that `perplexity-en` is trained on.
"""

from __future__ import annotations

import argparse
import json
import lzma
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.peers import PEERS
from bench.support import BENCH, Record, markdown, read_lines
from ncfilters.dataset import gold
from ncfilters.dataset.labelled_pages import fold_places
from ncfilters.evaluation import metrics
from ncfilters.page.profiles import PageOptions
from ncfilters.scoring import registry
from ncfilters.scoring.scorer import Scorer
from ncfilters.scoring.word_lm.parameters import WordModelParameters
from ncfilters.segmentation import segmenter, sentences
from ncfilters.selection.decision import DecisionPolicy, policy
from ncfilters.selection.options import PolicyOptions
from ncfilters.selection.selector import select_text
from ncfilters.training.word_trainers import train_word_model, word_parameters

FOLDS = 5
LIMITS = (1000, 2000, 4000, 6000, 8000, 10_000, 14_000, 20_000, 40_000, 100_000)
# Limits in table 7.
PRINTED_LIMITS = (2000, 4000, 8000, 10_000, 14_000, 40_000)


@dataclass(frozen=True)
class Cut:
    """The units that are scored: sentences or segments; and whether segments that the rules of nc-segment mark are
    left out. PyPlexity scores sentences, without rules."""

    sentences: bool
    rules: bool

    def parts(self, page: Page) -> Segments:
        """The sentences or segments of a page."""
        return page.sentences if self.sentences else page.segments


CUTS = {
    "segments, rules": Cut(False, True),
    "sentences, rules": Cut(True, True),
    "segments, no rules": Cut(False, False),
    "sentences, no rules (as PyPlexity)": Cut(True, False),
}
# The models that are compared.
MODELS = tuple(
    word_parameters(n, estimator) for estimator, n in (("pyplexity", 2), ("pyplexity", 3), ("interpolated", 2))
)
# Similarity in table 7 of the paper.
PRINTED = {"jusText": "76.20", "Bigrams BNC (8K)": "79.76", "Bigrams BNC (10K)": "79.80"}

Segments = list[dict[str, Any]]


@dataclass(frozen=True)
class Page:
    """A page of a gold set, its segments and its sentences."""

    html: str
    gold: gold.Gold
    domain: str
    segments: Segments
    sentences: Segments


def read_set(path: Path, number: int | None) -> list[Page]:
    """The pages of a gold set; the first *number*, if given."""
    with multiprocessing.Pool() as pool:
        return pool.map(_page, read_lines(path)[:number], 8)


def _page(line: bytes) -> Page:
    record: Record = json.loads(line)
    segments = segmenter.segment_html(record["html"])
    parts = sentences.split_segments(segments, record.get("lang") or "")
    return Page(record["html"], gold.gold_of(record), gold.domain(record), segments, parts)


def gold_sentences(pages: Sequence[Page]) -> Iterator[str]:
    """The sentences of gold texts."""
    for page in pages:
        for line in page.gold.plain.splitlines():
            yield from sentences.split_text(line, "en")


def well_formed_sentences(path: Path, number: int | None) -> list[str]:
    """The sentences of well-formed text; of the first *number* records, if given."""
    with lzma.open(path) as file:
        return [part for line in islice(file, number) for part in sentences.split_text(json.loads(line)["text"], "en")]


def text_below(limit: float, parts: Segments, perplexities: Sequence[float], rules: bool) -> str:
    """The text of the parts whose perplexity is below a limit."""
    chosen = [p for p, value in zip(parts, perplexities) if value < limit and not (rules and "rule" in p)]
    return "\n".join(part["text"] for part in sentences.join_sentences(chosen))


def limit_curves(pages: Sequence[Page], well_formed: list[str], options: WordModelParameters) -> dict[str, list[float]]:
    """For each cut, the mean F of words (bags) at each of LIMITS, on pages of sites that the model has not seen."""
    sums = {name: [0.0] * len(LIMITS) for name in CUTS}
    for fold in fold_places([page.domain for page in pages], FOLDS):
        held_out = set(fold)
        others = [page for at, page in enumerate(pages) if at not in held_out]
        model = train_word_model([*well_formed, *gold_sentences(others)], options)
        for page in [pages[at] for at in fold]:
            for name, cut in CUTS.items():
                perplexities = model.perplexities([part["text"] for part in cut.parts(page)]).tolist()
                for place, limit in enumerate(LIMITS):
                    text = text_below(limit, cut.parts(page), perplexities, cut.rules)
                    sums[name][place] += metrics.precision_recall_f(metrics.bag_overlap(text, page.gold, False))[2]
    return {name: [100 * total / len(pages) for total in totals] for name, totals in sums.items()}


# ---- systems of table 7: functions of a page that return its text -------------------------------------------------


def similarity(pages: Sequence[Page], text_of: Callable[[Page], str]) -> float:
    """The mean similarity (per cent) of texts and gold texts."""
    values = [metrics.levenshtein_similarity(text_of(page), page.gold, False) for page in pages]
    return 100 * sum(values) / len(values)


def by_perplexity(cut: Cut, limit: float) -> Callable[[Page], str]:
    """The text that `perplexity-en` keeps."""
    model: Any = registry.load("perplexity-en")

    def text_of(page: Page) -> str:
        parts = cut.parts(page)
        return text_below(limit, parts, model.perplexities([part["text"] for part in parts]), cut.rules)

    return text_of


def by_model(name: str, decide: DecisionPolicy, profile: str = "visual") -> Callable[[Page], str]:
    """The text that one of our models keeps."""
    score = Scorer([registry.load_named(name)])

    def text_of(page: Page) -> str:
        segments = segmenter.segment_html(page.html, PageOptions(profile=profile))
        (scored,) = score([{"segments": segments}])
        return str(select_text(scored, decide)["text"])  # type: ignore[arg-type]

    return text_of


# ---- the document -------------------------------------------------------------------------------------------------


def document(data: Path, number: int | None) -> Iterator[str]:
    """The pieces of bench/cleaning.md."""
    yield HEAD
    wcxb = read_set(data / "wcxb-dev.jsonl.xz", number)
    well_formed = well_formed_sentences(data / "clean-text-en.jsonl.xz", number)
    with multiprocessing.Pool() as pool:
        curves = pool.starmap(limit_curves, [(wcxb, well_formed, options) for options in MODELS], 1)
    rows = [[f"{limit:,}", *(f"{curves[0][name][place]:.2f}" for name in CUTS)] for place, limit in enumerate(LIMITS)]
    yield CURVE.format(folds=FOLDS, pages=len(wcxb))
    yield from markdown(["limit", *CUTS], rows)
    yield BEST
    rows = []
    for options, curve in zip(MODELS, curves):
        best = [max(range(len(LIMITS)), key=values.__getitem__) for values in curve.values()]
        cells = [f"{values[at]:.2f} at {LIMITS[at]:,}" for at, values in zip(best, curve.values())]
        rows.append([f"{options.estimator}, n = {options.n}", *cells])
    yield from markdown(["model", *CUTS], rows)
    yield from table_seven(read_set(data / "cleaneval-dev.jsonl.xz", number))


def table_seven(pages: Sequence[Page]) -> Iterator[str]:
    """The cleaning table: CleanEval similarity."""
    yield SEVEN.format(pages=len(pages))
    neighbours = policy(PolicyOptions("justext"))
    systems = {
        **{
            f"`perplexity-en`, {name}, limit {limit:,}": by_perplexity(cut, limit)
            for name, cut in CUTS.items()
            for limit in PRINTED_LIMITS
        },
        "all text": lambda page: "\n".join(part["text"] for part in page.segments),
        "`justext-en`, its own paragraphs": by_model("justext-en", neighbours, "justext"),
        "`justext-en`, our segments": by_model("justext-en", neighbours),
        "`ncleaner-en`": by_model("ncleaner-en", policy()),
        "`en`, in sample": by_model("en", policy()),  # these pages are in its training data
    }
    if PEERS["jusText"].version:
        systems["jusText (the package)"] = lambda page: PEERS["jusText"].extract(page.html, "en")
    rows = [[f"{name}, as printed", value] for name, value in PRINTED.items()]
    rows += [[name, f"{similarity(pages, text_of):.2f}"] for name, text_of in systems.items()]
    yield from markdown(["system", "similarity"], rows)


HEAD = """# Perplexity as a cleaner: the best limit, and table 7 of PyPlexity's paper

Made by `python bench/cleaning.py DATA`. Models are trained on `clean-text-en` and the gold text of pages; figures are
per cent.
"""
CURVE = """
## The limit, by cross-validation

Mean F of words (bags) on `wcxb-dev`, {pages} pages, {folds} folds by domain; word pairs, PyPlexity's interpolation:

"""
BEST = """
The best limit of each estimator:

"""
SEVEN = """
## The cleaning table (table 7)

CleanEval similarity: 1 - Levenshtein distance over the words of the longer text, mean over the {pages} pages of
`cleaneval-dev`, which no word model has seen. The paper's row is the CleanEval test set.

"""


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, metavar="DATA", help="the folder of gold sets")
    parser.add_argument("-n", type=int, metavar="N", help="use N pages of each set, write to standard output (all)")
    args = parser.parse_args()
    text = "".join(document(args.data, args.n))
    if args.n:
        print(text, end="")
        return
    notes = BENCH / "cleaning-notes.md"
    text += notes.read_text(encoding="utf-8") if notes.exists() else ""
    (BENCH / "cleaning.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
