"""Accuracy on a fixed sample of the development sets must not fall.

The figures are bag-F (the mean over pages of the F of lower-cased words, per cent) as measured when last they changed
on purpose: then measure again, and write them here.
"""

from __future__ import annotations

import importlib.util
import json
import lzma
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ncfilters import segment
from ncfilters.pipeline import Pipeline

Data = Callable[[str], Path]

MODELS = ("en", "ncleaner-en", "ncleaner-nonlexical")
# set → every so many of its pages, of this language
SAMPLES: dict[str, tuple[int, str | None]] = {
    "wcxb-dev": (20, None),
    "cleaneval-dev": (3, None),
    "daniel-dev": (20, "en"),
}
# (set, model) → bag-F
FIGURES = {
    ("wcxb-dev", "en"): 83.02,
    ("wcxb-dev", "ncleaner-en"): 83.02,
    ("wcxb-dev", "ncleaner-nonlexical"): 82.99,
    ("cleaneval-dev", "en"): 90.65,
    ("cleaneval-dev", "ncleaner-en"): 90.65,
    ("cleaneval-dev", "ncleaner-nonlexical"): 89.64,
    ("daniel-dev", "en"): 89.98,
    ("daniel-dev", "ncleaner-en"): 89.98,
    ("daniel-dev", "ncleaner-nonlexical"): 89.42,
}
# points a figure may fall
SLACK = 0.3


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


@pytest.mark.parametrize("name", list(SAMPLES))
def test_accuracy_does_not_fall(data: Data, name: str) -> None:
    specification = importlib.util.spec_from_file_location("measure", data("measure.py"))
    assert specification is not None and specification.loader is not None
    measure = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(measure)
    pages = sample(data(f"data/{name}.jsonl.xz"), *SAMPLES[name])
    segmented = [segment.segmented({"html": page["html"]}) for page in pages]
    got = {}
    for model in MODELS:
        pipeline = Pipeline(model)
        texts = [pipeline.record(dict(document))["text"] for document in segmented]
        scores = [measure.bag(text, gold(page), page.get("lang"))[2] for text, page in zip(texts, pages)]
        got[model] = round(100 * sum(scores) / len(scores), 2)
    expected = {model: FIGURES[name, model] for model in MODELS}
    assert all(got[model] >= expected[model] - SLACK for model in MODELS), f"{got}, but it was {expected}"
