"""The section of papers.py on other languages: small models of at most 50 pages, tested on other sites.

sys.stdout.writelines(small_models(Path("data"), Path("plots"), None))
"""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from bench.gold_sets import selected_texts, train_model
from bench.peers import peer_texts
from bench.support import ROOT, Record, log, markdown
from ncfilters.dataset import labelled_pages
from ncfilters.dataset.labelled_pages import LabelledPage
from ncfilters.evaluation import plots
from ncfilters.evaluation.results import measure_page, score_part
from ncfilters.scoring import registry
from ncfilters.training.ngram_trainer import NgramOptions

LANGUAGES = ("el", "pl", "ru", "zh")
# The parameters of models/make.
SMALL = NgramOptions(3, 0.8, "frequent", 20, bias=3.0, context=15.0)
# The learning curve: numbers of training pages, and random subsets of each.
SIZES, SUBSETS = (5, 10, 20, 30, 50), 10


def small_models(data: Path, plots_folder: Path, number: int | None) -> Iterator[str]:
    """Small models of at most 50 pages: bag-F on the pages of other sites, compared with peers; and learning curves."""
    values: dict[str, dict[str, float]] = {}
    curves: dict[str, list[list[float]]] = {}
    counts = []
    for lang in LANGUAGES:
        log(f"small models, {lang}")
        train, test = (_pages(data, lang, rest)[:number] for rest in (False, True))
        pages = [labelled_pages.label_page(record) for record in test]
        counts.append(f"{lang} {len(train)} and {len(test)}")
        usable = [page for page in map(labelled_pages.label_page, train) if page.is_usable]
        curves[lang] = [
            [_mean_bag_f(selected_texts(train_model(subset, SMALL), pages), pages) for subset in _subsets(usable, size)]
            for size in SIZES
        ]
        plain = replace(SMALL, bias=0.0, context=0.0)
        systems = {f"ncleaner-{lang}": selected_texts(train_model(usable, SMALL), pages)}
        systems["without bias and context"] = selected_texts(train_model(usable, plain), pages)
        systems["ncleaner-nonlexical"] = selected_texts(registry.load("ncleaner-nonlexical"), pages)
        systems |= dict(peer_texts(test, lang))
        for name, texts in systems.items():
            values.setdefault(name.replace(f"-{lang}", "-*"), {})[lang] = _mean_bag_f(texts, pages)
    yield "\n## Small models of other languages\n"
    yield (
        "\nTrained on at most 50 pages of `daniel-dev` (`models/pages`), tested on those of other sites (pages to "
        f"train and to test on: {', '.join(counts)}). bag-F, per cent; in Chinese words are characters.\n\n"
    )
    rows = [[name, *(f"{value:.1f}" for value in of_langs.values())] for name, of_langs in values.items()]
    yield from markdown(["", *curves], rows)
    yield f"\nLearning curves: mean (lowest-highest) of {SUBSETS} random subsets of the training pages.\n"
    figure = plots.learning_curve(SIZES, curves, "bag-F on other sites, small models")
    plots.save(figure, plots_folder, "learning-curve-languages")
    yield f"\n![learning curves]({plots_folder.name}/learning-curve-languages.png)\n\n"
    rows = [
        [str(size), *(f"{statistics.fmean(v[n]):.1f} ({min(v[n]):.1f}-{max(v[n]):.1f})" for v in curves.values())]
        for n, size in enumerate(SIZES)
    ]
    yield from markdown(["training pages", *curves], rows)


def _pages(data: Path, lang: str, rest: bool) -> list[Record]:
    """The pages to train on, or the rest."""
    command = [ROOT / "models" / "pages", "--lang", lang, *(["--rest"] if rest else []), data / "daniel-dev.jsonl.xz"]
    out = subprocess.run([sys.executable, *map(str, command)], check=True, capture_output=True)
    return [json.loads(line) for line in out.stdout.splitlines()]


def _subsets(pages: Sequence[LabelledPage], size: int) -> list[list[LabelledPage]]:
    draw = random.Random(size)
    if size >= len(pages):
        return [list(pages)]
    return [draw.sample(list(pages), size) for _ in range(SUBSETS)]


def _mean_bag_f(texts: Sequence[str], pages: Sequence[LabelledPage]) -> float:
    """The mean bag-F, per cent."""
    return 100 * statistics.fmean(
        score_part(measure_page(text, page.gold, ["bag"]), "bag", "F") or 0.0 for text, page in zip(texts, pages)
    )
