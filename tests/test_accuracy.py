"""Accuracy does not fall: on the project's own pages, and on a fixed sample of the development sets where they are.

The figures are bag-F (the mean over pages of the F of lower-cased words, per cent) as measured when they last changed
on purpose: then measure again, and write them here.
"""

from __future__ import annotations

import importlib.util
import json
import lzma
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bench.markup import Figures, figures_of, means
from bench.markup_pages import gold_pages, own_pages
from bench.takes_page import large_drops, scored_pages
from ncfilters.pipeline import Pipeline
from ncfilters.segmentation import segmenter
from ncfilters.selection.options import ContentOptions
from ncfilters.selection.scored_page import page_of

Data = Callable[[str], Path]

NO_TITLES, ARTICLE = ContentOptions(excluded=frozenset(["title"])), ContentOptions("article")
ENGLISH = ("en", "ncleaner-en", "ncleaner-nonlexical", "perplexity-en")
# set → every so many of its pages, of this language; what counts as content there (WCXB's gold text leaves titles out);
# model → bag-F
SAMPLES: dict[str, tuple[int, str | None, ContentOptions, dict[str, float]]] = {
    "wcxb-dev": (20, None, NO_TITLES, dict(zip(ENGLISH, (88.23, 83.03, 82.99, 81.74)))),
    "cleaneval-dev": (3, None, ContentOptions("all"), dict(zip(ENGLISH, (96.89, 90.64, 89.61, 90.0)))),
    "dragnet-dev": (40, None, ARTICLE, {"en": 94.73, "xx": 92.65}),
    "l3s-dev": (20, None, ARTICLE, {"en": 97.01, "xx": 98.12}),
    "daniel-dev": (20, "en", ARTICLE, dict(zip(ENGLISH, (97.71, 89.82, 89.42, 87.54)))),
    "daniel-dev el": (10, "el", ARTICLE, {"xx": 93.98, "ncleaner-el": 90.49}),
    "daniel-dev pl": (10, "pl", ARTICLE, {"xx": 86.93, "ncleaner-pl": 74.76}),
    # 97.45 with the beginning of a page twice, as the page and its gold text have it
    "daniel-dev ru": (10, "ru", ARTICLE, {"xx": 95.96, "ncleaner-ru": 90.64}),
    "daniel-dev zh": (10, "zh", ARTICLE, {"xx": 92.17, "ncleaner-zh": 92.22}),
}
# points a figure may fall
SLACK = 0.3

# tests/data/pages: pages written for the project, in HTML (original/) and as gold text (cleaned/)
OWN_PAGES = Path(__file__).resolve().parent / "data" / "pages"
# (model, language) → bag-F on the project's own pages of that language, or of all four others
OWN_FIGURES = {
    ("en", "en"): 99.34, ("xx", "en"): 98.26, ("ncleaner-en", "en"): 93.68, ("ncleaner-nonlexical", "en"): 92.5,
    ("perplexity-en", "en"): 87.51, ("xx", "others"): 100.0, ("ncleaner-nonlexical", "others"): 95.58,
}  # fmt: skip


def sample(path: Path, every: int, lang: str | None) -> list[dict[str, Any]]:
    """Every so-manieth page of that language."""
    with lzma.open(path) as file:
        if lang is None:
            return [json.loads(line) for number, line in enumerate(file) if number % every == 0]
        # the other languages are passed over without being parsed
        mark = re.compile(rb'"lang": ?"%s"' % lang.encode())
        return [json.loads(line) for line in [line for line in file if mark.search(line)][::every]]


def gold(page: dict[str, Any]) -> str:
    """The page's gold text, without markers."""
    text = page["gold"].get("text")
    if text is None:
        text = re.sub(r"<[phl]>", " ", re.sub(r"^\s*URL.*$", "", page["gold"]["markup"], flags=re.M), flags=re.I)
    return str(text)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(SAMPLES))
def test_accuracy_does_not_fall(data: Data, name: str) -> None:
    specification = importlib.util.spec_from_file_location("measure", data("measure.py"))
    assert specification is not None and specification.loader is not None
    measure = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(measure)
    every, lang, content, expected = SAMPLES[name]
    pages = sample(data(f"data/{name.partition(' ')[0]}.jsonl.xz"), every, lang)
    segmented = [segmenter.segment_record({"html": page["html"]}) for page in pages]
    got = {}
    for model in expected:
        # n-gram models know no policies
        pipeline = Pipeline(model, content=content if model in ("en", "xx") else ContentOptions())
        texts = [pipeline.record(dict(document))["text"] for document in segmented]
        scores = [measure.bag(text, gold(page), page.get("lang"))[2] for text, page in zip(texts, pages)]
        got[model] = round(100 * sum(scores) / len(scores), 2)
    assert all(got[model] >= expected[model] - SLACK for model in expected), f"{got}, but it was {expected}"


def bag_f(text: str, gold: str) -> float:
    """The F of the bags of lower-cased words, a Chinese character being a word."""
    some, other = (Counter(re.findall(r"[\u4e00-\u9fff]|[^\W\u4e00-\u9fff]+", part.lower())) for part in (text, gold))
    return 2 * (some & other).total() / ((some.total() + other.total()) or 1)


@pytest.mark.parametrize("name, language", list(OWN_FIGURES))
def test_accuracy_on_own_pages_does_not_fall(name: str, language: str) -> None:
    pipeline = Pipeline(name)
    scores = []
    for page in sorted(OWN_PAGES.glob("original/*.html")):
        if page.stem.startswith("other-") == (language == "others"):
            gold_text = (OWN_PAGES / "cleaned" / f"{page.stem}.txt").read_text(encoding="utf-8")
            scores.append(bag_f(pipeline.clean(page.read_bytes()), gold_text))
    figure = round(100 * sum(scores) / len(scores), 2)
    assert figure >= OWN_FIGURES[name, language] - SLACK


# ---- markup does not get lost ----
MARKUP_FIGURES = {
    "headings, right level": 93.8, "list items, right depth": 94.5, "code blocks found": 99.5,
    "code, lines and indents exact": 95.6, "code, language": 94.3, "inline code": 94.0,
    "table cells, right row and column": 94.2, "links, text and URL": 85.1, "images, src": 98.8, "images, alt": 99.5,
    "emphasis": 92.0, "block quotes, words": 84.6, "TeX found": 98.6, "TeX delimited": 95.0, "footnotes linked": 90.0,
}  # fmt: skip
# what one of the forms has more of
MARKUP_FIGURES_OF: dict[str, dict[str, float]] = {
    "Markdown": {"footnotes linked": 92.3, "TeX delimited": 98.6, "emphasis": 92.9, "inline code": 96.6},
    "HTML": {},
}
# set → every so many of its pages, and the figures of rows that enough of them have
MARKUP_SAMPLES: dict[str, tuple[int, dict[str, float]]] = {
    "wcxb-dev": (60, {
        "headings, right level": 89.5, "list items, right depth": 96.8, "links, text and URL": 86.7, "emphasis": 89.1,
    }),
    "dragnet-dev": (60, {
        "headings, right level": 85.8, "links, text and URL": 59.2, "images, src": 84.7, "emphasis": 92.2,
    }),
}  # fmt: skip
# points a figure may fall
MARKUP_SLACK = 0.5


def check(figures: Figures, expected: dict[str, float]) -> None:
    got = {row: round(mean, 1) for row, mean in means(figures).items()}
    assert all(got[row] >= figure - MARKUP_SLACK for row, figure in expected.items()), f"{got}, but it was {expected}"


@pytest.mark.slow
@pytest.mark.parametrize("form", ["Markdown", "HTML"])
def test_markup_of_own_pages_does_not_get_lost(form: str) -> None:
    check([figures_of(f"ours, {form}", page) for page in own_pages()], {**MARKUP_FIGURES, **MARKUP_FIGURES_OF[form]})


@pytest.mark.slow
@pytest.mark.parametrize("name", list(MARKUP_SAMPLES))
def test_markup_of_gold_sets_does_not_get_lost(data: Callable[[str], Path], name: str) -> None:
    every, expected = MARKUP_SAMPLES[name]
    folder = data(f"data/{name}.jsonl.xz").parent
    check([figures_of("ours, Markdown", page) for page in gold_pages(folder, name, every)], expected)


# ---- no step takes away a page ----
@pytest.mark.slow
def test_no_step_takes_a_page_away(data: Callable[[str], Path]) -> None:
    drops = []
    for name in ("wcxb-dev", "dragnet-dev"):
        for record in scored_pages(data(f"data/{name}.jsonl.xz"), 30):
            page = page_of(record["segments"])
            page.evidence = record["page"]
            drops += list(large_drops(page))
    assert drops  # some steps drop much
    assert not any(is_case for *_, is_case in drops)
