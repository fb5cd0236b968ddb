#!/usr/bin/env python3
"""The cleaning table of PyPlexity's paper (table 7), and the limit of perplexity that is best.

    python bench/cleaning.py ../shared/data        # writes bench/cleaning.md; six minutes of CPU

Wants the folder of gold sets and well-formed text that `perplexity-en` is trained on.
"""

from __future__ import annotations

import argparse
import json
import lzma
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from ncfilters.dataset import gold, labelled_pages
from ncfilters.evaluation import metrics
from ncfilters.evaluation.report.tables import Table, table_lines  # noqa: E402
from ncfilters.features.document import Document
from ncfilters.page.profiles import PageOptions  # noqa: E402
from ncfilters.scoring import registry
from ncfilters.scoring.scorer import Scorer  # noqa: E402
from ncfilters.segmentation import segmenter, sentences  # noqa: E402
from ncfilters.selection import justext_context
from ncfilters.selection.decision import DecisionPolicy
from ncfilters.selection.policies import policy  # noqa: E402
from ncfilters.selection.selector import select_text  # noqa: E402
from ncfilters.training import word_lm_trainer

FOLDS = 5
LIMITS = (1000, 2000, 4000, 6000, 8000, 10_000, 14_000, 20_000, 40_000, 100_000)
# What is cut and how it is decided: sentences or segments, and whether nc-segment's rules have a say. PyPlexity cuts
# sentences and knows no rules.
WAYS = {
    "segments, rules": (False, True),
    "sentences, rules": (True, True),
    "segments, no rules": (False, False),
    "sentences, no rules (as PyPlexity)": (True, False),
}
# estimator and n of the models that are compared
KINDS = (("pyplexity", 2), ("pyplexity", 3), ("interpolated", 2), ("kneser-ney", 3))
PAPER = {"jusText": "76.20", "Bigrams BNC (8K)": "79.76", "Bigrams BNC (10K)": "79.80"}

Segments = list[dict[str, Any]]


def pages(path: Path) -> list[dict[str, Any]]:
    """The records of a gold set, with their segments and sentences."""
    with lzma.open(path) as file, multiprocessing.Pool() as pool:
        return pool.map(_cut, file, 8)


def _cut(line: bytes) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(line)
    found = segmenter.segment_html(record["html"])
    about = {name: record.get(name) for name in ("id", "url", "gold")}
    return {**about, False: found, True: sentences.split_segments(found, record.get("lang") or "")}


def texts_of(records: Sequence[dict[str, Any]]) -> Iterator[str]:
    """The sentences of gold texts."""
    for record in records:
        for line in gold.gold_of(record).plain.splitlines():
            yield from sentences.split_text(line, "en")


def clean(path: Path) -> list[str]:
    """The sentences of well-formed text."""
    with lzma.open(path) as file:
        return [part for line in file for part in sentences.split_text(json.loads(line)["text"], "en")]


def kept(parts: Segments, perplexities: Sequence[float], limit: float, rules: bool) -> str:
    """The text below a limit."""
    chosen = [p for p, x in zip(parts, perplexities) if x < limit and not (rules and "rule" in p)]
    return "\n".join(part["text"] for part in sentences.join_sentences(chosen))


def curve(records: Sequence[dict[str, Any]], well_formed: list[str], kind: tuple[str, int]) -> dict[str, list[float]]:
    """For each way, the mean F of words (bags) at each limit, on pages of sites that the model has not seen."""
    places = {id(record): gold.domain(record) for record in records}
    parts = labelled_pages.folds([_Site(record, places[id(record)]) for record in records], FOLDS)
    sums = {way: [0.0] * len(LIMITS) for way in WAYS}
    for part in parts:
        held_out = {id(site.record) for site in part}
        others = [record for record in records if id(record) not in held_out]
        options = word_lm_trainer.WordModelOptions(kind[1], kind[0])
        made = word_lm_trainer.train_word_model([*well_formed, *texts_of(others)], options)
        for site in part:
            wanted = gold.gold_of(site.record)
            for way, (cut, rules) in WAYS.items():
                found = made.perplexities([p["text"] for p in site.record[cut]])
                for place, limit in enumerate(LIMITS):
                    text = kept(site.record[cut], found, limit, rules)
                    sums[way][place] += metrics.precision_recall_f(metrics.bag_overlap(text, wanted, False))[2]
    return {way: [100 * total / len(records) for total in totals] for way, totals in sums.items()}


class _Site:
    """A record and its site, for folds."""

    def __init__(self, record: dict[str, Any], domain: str) -> None:
        self.record, self.domain = record, domain


def similar(records: Sequence[dict[str, Any]], text_of: Callable[[dict[str, Any]], str]) -> float:
    """The mean similarity (per cent) of what is made of pages with their gold text."""
    found = [metrics.levenshtein_similarity(text_of(record), gold.gold_of(record), False) for record in records]
    return 100 * sum(found) / len(found)


def scored(name: str, cut: bool, decide: DecisionPolicy) -> Callable[[dict[str, Any]], str]:
    """What makes the text of a page by one of our models."""
    score = Scorer([registry.load_named(name)])

    def text_of(record: dict[str, Any]) -> str:
        (found,) = score([{"segments": [dict(part) for part in record[cut]]}])
        return str(select_text(found, decide)["text"])  # type: ignore[arg-type]

    return text_of


def document(data: Path) -> Iterator[str]:
    """bench/cleaning.md, piece by piece."""
    yield HEAD
    wcxb = pages(data / "wcxb-dev.jsonl.xz")
    well_formed = clean(data / "clean-text-en.jsonl.xz")
    with multiprocessing.Pool() as pool:
        curves = dict(zip(KINDS, pool.starmap(curve, [(wcxb, well_formed, kind) for kind in KINDS], 1)))
    head = ["limit", *WAYS]
    rows = [
        [f"{limit:,}", *(f"{curves[KINDS[0]][way][place]:.2f}" for way in WAYS)] for place, limit in enumerate(LIMITS)
    ]
    yield CURVE.format(folds=FOLDS, pages=len(wcxb))
    yield from table_lines(Table("", head, rows), "markdown")
    yield BEST
    rows = []
    for estimator, n in KINDS:
        cells = []
        for values in curves[estimator, n].values():
            best = max(range(len(LIMITS)), key=values.__getitem__)
            cells.append(f"{values[best]:.2f} at {LIMITS[best]:,}")
        rows.append([f"{estimator}, n = {n}", *cells])
    yield from table_lines(Table("", ["model", *WAYS], rows), "markdown")
    yield from table_seven(pages(data / "cleaneval-dev.jsonl.xz"))


def table_seven(records: Sequence[dict[str, Any]]) -> Iterator[str]:
    """The cleaning table: CleanEval similarity."""
    yield SEVEN.format(pages=len(records))
    rows = [[f"{name}, as printed", value] for name, value in PAPER.items()]
    made: Any = registry.load("perplexity-en")
    for way, (cut, rules) in WAYS.items():
        for limit in (2000, 4000, 8000, 10_000, 14_000, 40_000):

            def text_of(record: dict[str, Any], cut: bool = cut, rules: bool = rules, limit: int = limit) -> str:
                return kept(record[cut], made.perplexities([p["text"] for p in record[cut]]), limit, rules)

            rows.append([f"`perplexity-en`, {way}, limit {limit:,}", f"{similar(records, text_of):.2f}"])
    everything = similar(records, lambda record: "\n".join(part["text"] for part in record[False]))
    rows.append(["all text", f"{everything:.2f}"])
    rows.append(["`justext-en`, its own paragraphs", f"{similar(records, _justext()):.2f}"])
    rows.append(["`justext-en`, our segments", f"{similar(records, scored('justext-en', False, _neighbours())):.2f}"])
    for name, how in (("ncleaner-en", ""), ("en", ", in sample")):  # en has been trained on these pages
        rows.append([f"`{name}`{how}", f"{similar(records, scored(name, False, policy())):.2f}"])
    if (peer := _peer()) is not None:
        rows.append(["jusText (the package)", f"{similar(records, peer):.2f}"])
    yield from table_lines(Table("", ["system", "similarity"], rows), "markdown")


def _neighbours() -> DecisionPolicy:
    return justext_context.neighbour_policy()


def _justext() -> Callable[[dict[str, Any]], str]:
    made = registry.load("justext-en")
    decide = _neighbours()

    def text_of(record: dict[str, Any]) -> str:
        parts = segmenter.segment_html(HTML[record["id"]], PageOptions(profile="justext"))
        for field, values in made.evidence([Document(parts)])[0].items():
            for part, value in zip(parts, values):
                part[field] = value
        return str(select_text({"segments": parts}, decide)["text"])

    return text_of


def _peer() -> Callable[[dict[str, Any]], str] | None:
    try:
        import justext
    except ImportError:
        return None
    words = justext.get_stoplist("English")

    def text_of(record: dict[str, Any]) -> str:
        found = justext.justext(HTML[record["id"]].encode(), words, encoding="utf-8")
        return "\n".join(paragraph.text for paragraph in found if not paragraph.is_boilerplate)

    return text_of


# id → HTML of the CleanEval pages
HTML: dict[str, str] = {}

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
    parser.add_argument("--output", type=Path, default=HERE / "cleaning.md", metavar="FILE", help="where to write")
    args = parser.parse_args()
    with lzma.open(args.data / "cleaneval-dev.jsonl.xz") as file:
        HTML.update((record["id"], record["html"]) for record in map(json.loads, file))
    notes = HERE / "cleaning-notes.md"
    text = "".join(document(args.data)) + (notes.read_text(encoding="utf-8") if notes.exists() else "")
    args.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
