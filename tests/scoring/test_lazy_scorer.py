"""A scorer that loads its models late."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ncfilters.errors import ModelError
from ncfilters.record import Record
from ncfilters.scoring import registry
from ncfilters.scoring.lazy_scorer import LazyScorer
from ncfilters.scoring.scorer import Scorer

ROOT = Path(__file__).resolve().parent.parent.parent


def records() -> list[Record]:
    return [{"id": 1, "segments": [{"text": "It rained all day in the town.", "path": "body/p"}]}, {"id": 2}]


def test_records_are_those_of_a_scorer() -> None:
    lazy, scorer = LazyScorer(["xx", "ncleaner-en"]), Scorer([registry.load_named(n) for n in ("xx", "ncleaner-en")])
    for _ in range(2):
        (good, bad), (expected, error) = lazy(records()), scorer(records())
        assert good == expected and "score" in expected["segments"][0]  # type: ignore[index]
        assert str(bad) == str(error) == "segments: missing"


def test_nothing_is_loaded_before() -> None:
    scorer = LazyScorer(["no such model"])
    with pytest.raises(ModelError):
        scorer([])


def test_numpy_is_loaded_late() -> None:
    code = (
        "import sys; from ncfilters.scoring.lazy_scorer import LazyScorer; LazyScorer(['en'])",
        "print('numpy' in sys.modules)",
    )
    assert (
        subprocess.run([sys.executable, "-c", "; ".join(code)], cwd=ROOT, capture_output=True, text=True).stdout
        == "False\n"
    )
