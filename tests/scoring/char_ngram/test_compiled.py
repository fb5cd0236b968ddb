"""Compiled n-gram models give the scores of the Python code, and are not made of parts that do not fit."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import orjson
import pytest
from model_files import trained
from slow_ngrams import MIXED

from ncfilters.features.document import Document
from ncfilters.scoring.char_ngram.compiled import compiled_ngrams
from ncfilters.scoring.char_ngram.model import CharNgramModel
from ncfilters.scoring.compiled_core import scoring_core

needs_core = pytest.mark.skipif(
    scoring_core() is None, reason="no compiled core here: python setup.py build_ext --inplace"
)


def compiled(model: CharNgramModel, **changes: Any) -> Any:
    arrays = {name: memoryview(array.tobytes()) for name, array in model.arrays().items()}
    return compiled_ngrams({**model.header(), **changes.pop("header", {})}, {**arrays, **changes})


@needs_core
@pytest.mark.parametrize("fold", ["ascii", "nonlexical", "frequent"])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 6])
def test_scores_are_those_of_the_python_code(fold: str, n: int) -> None:
    model = trained(n, 0.4, fold, "Theo é中" if fold == "frequent" else "").with_bias_and_context(0.25, 3.125)
    ours, rnd = compiled(model), random.Random(n)
    for size in (1, 2, 30):
        texts = [
            "".join(rnd.choices([MIXED, "The text", " Home | ", "中é\0"], k=3))[: rnd.randrange(300)]
            for _ in range(size)
        ]
        segments = [{"text": text, **rnd.choice([{}, {"rule": "nav"}, {"rule": "embedded"}])} for text in texts]
        line = orjson.dumps({"segments": segments})
        written = orjson.loads(ours.score_line(line, lambda *_: ("", "", ()), b"")[0])
        expected = model.evidence([Document(segments)])[0]["score"]
        assert [segment["score"] for segment in written["segments"]] == expected


@needs_core
def test_parts_that_do_not_fit_make_no_model() -> None:
    model = trained()
    arrays = model.arrays()
    assert compiled(model)
    counts, keys = arrays["clean"], arrays["keys"]
    for name, array in (
        ("clean", counts[:-1]),
        ("clean", np.full_like(counts, np.nan)),
        ("clean", np.full_like(counts, 1e30)),
        ("keys", keys[::-1]),
        ("keys", keys + 96**3),
        ("keys", keys - 96**3),
        ("keys", keys[:-1]),
    ):
        assert compiled(model, **{name: memoryview(np.ascontiguousarray(array).tobytes())}) is None
    for header in ({"n": 9}, {"n": "3"}, {"q": 1}, {"folding": "latin"}, {"bias": "x"}, {"context": -1}):
        assert compiled(model, header=header) is None
    assert compiled_ngrams({}, {}) is None


@needs_core
def test_a_model_of_no_ngrams_has_scores() -> None:
    empty = {name: memoryview(b"") for name in ("keys", "clean", "dirty")}
    model = compiled_ngrams(trained().header(), empty)
    assert model is not None
    assert model.score_line(b'{"segments":[{"text":"a"}]}', lambda *_: ("", "", ()), b"") == (
        b'{"segments":[{"text":"a","score":0.0}],"nc":1}\n',
        None,
        None,
    )
