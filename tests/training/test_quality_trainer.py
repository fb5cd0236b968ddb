"""The trainer of quality models: what it learns from a page, what it fits, and how it is validated."""

from __future__ import annotations

import json
import lzma
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ncfilters.errors import RecordError
from ncfilters.scoring import quality, registry
from ncfilters.scoring.quality import FEATURES, decided_page, features
from ncfilters.scoring.scorer import Scorer
from ncfilters.segmentation import segmenter
from ncfilters.selection.decision import policy
from ncfilters.selection.options import PolicyOptions
from ncfilters.training.quality_trainer import QualityTrainer, fit, held_out_predictions, quality_example

WORDS = "the bridge was closed for repair until May and the ferry ran every hour".split()


def page(number: int) -> dict[str, Any]:
    """A scored page of one of seven sites, most of whose kept segments are gold text."""
    rnd = random.Random(number)
    texts = [" ".join(rnd.choices(WORDS, k=rnd.randint(4, 30))) + "." for _ in range(rnd.randint(3, 9))]
    wrong = [f"menu{rnd.randint(0, 9)} login{rnd.randint(0, 9)}" for _ in range(rnd.randint(0, 4))]
    segments = [{"text": text, "score": 5.0} for text in texts + wrong] + [{"text": "Contact", "score": -9.0}]
    url = f"http://s{number % 7}.example/"
    return {"id": number, "url": url, "segments": segments, "gold": "\n\n".join(texts)}


def test_the_model_has_its_goodness_on_other_sites(tmp_path: Path) -> None:
    trainer = QualityTrainer()
    for number in range(80):
        trainer.add(page(number))
    trainer.add({"segments": [{"text": "Contact", "score": -9.0}], "gold": "Contact"})
    assert trainer.counts() == {"pages": 81, "pages left out, without kept text or gold": 1, "sites": 7}
    header = trainer.write(tmp_path / "q.model", {"language": "en"})
    assert header["kind"] == "quality" and set(header["held out"]) == {"R²", "standard error", "correlation"}
    assert registry.load_quality(str(tmp_path / "q.model")).pages == 80


def test_pages_without_scores_or_too_few_are_errors(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="score"):
        QualityTrainer().add({"segments": [{"text": "x"}], "gold": "x"})
    trainer = QualityTrainer()
    trainer.add(page(1))
    with pytest.raises(ValueError, match="^too few pages to predict quality from: 1; at least 60 are needed$"):
        trainer.write(tmp_path / "q.model", {})


def named(**some_weights: float) -> dict[str, float]:
    return {name: some_weights.get(name, 0.0) for name in FEATURES}


def made(count: int, seed: int = 1) -> tuple[list[list[float]], list[float]]:
    """Features at random, and precisions that follow two of them."""
    of = random.Random(seed)
    rows = [[of.random() for _ in FEATURES] for _ in range(count)]
    at = list(FEATURES).index
    return rows, [0.3 + 0.4 * row[at("long")] - 0.2 * row[at("gaps")] for row in rows]


def test_fit_recovers_the_weights() -> None:
    fitted = fit(*made(2000))
    assert fitted.intercept == pytest.approx(0.3, abs=0.002)
    assert fitted.weights == pytest.approx(named(long=0.4, gaps=-0.2), abs=0.002)
    assert fitted.sd < 0.002
    assert fitted.pages == 2000
    assert fit(*made(2000)).header() == fitted.header()


def test_fit_ignores_unknown_values() -> None:
    rows, precisions = made(2000)
    at = list(FEATURES).index
    for row in rows[::4]:
        row[at("segments")] = quality.UNKNOWN
    for row in rows:
        row[at("places")] = quality.UNKNOWN
    fitted = fit(rows, precisions)
    assert fitted.weights == pytest.approx(named(long=0.4, gaps=-0.2), abs=0.002)
    assert fitted.means["segments"] == pytest.approx(0.5, abs=0.03)
    assert fitted.weights["places"] == 0


def test_equal_features_share_a_weight() -> None:
    rows, precisions = made(500)
    at = list(FEATURES).index
    for row in rows:
        row[at("kept")] = row[at("long")]
    weights = fit(rows, precisions).weights
    assert weights["kept"] == pytest.approx(weights["long"]) == pytest.approx(0.2, abs=0.01)


def test_held_out_predictions_do_not_see_their_site() -> None:
    rows, precisions = made(400)
    sites = [f"site{number % 40}.org" for number in range(400)]
    before = held_out_predictions(rows, precisions, sites)
    other = [0.0 if site == "site7.org" else p for p, site in zip(precisions, sites)]
    after = held_out_predictions(rows, other, sites)
    own = [number for number, site in enumerate(sites) if site == "site7.org"]
    assert [after[number] for number in own] == [before[number] for number in own]
    assert sum(a != b for a, b in zip(after, before)) > 300
    assert before == pytest.approx(precisions, abs=0.01)


def scored(text: str, score: float, **more: Any) -> dict[str, Any]:
    return {"text": text, "type": "p", "score": score, **more}


def test_precision_counts_words_of_the_gold_text() -> None:
    segments = [scored("One two three.", 3), scored("Junk!", 1), scored("four five", -1), scored("Six", 2)]
    found = quality_example(
        {"segments": segments, "gold": "one, two three four five six seven"}, policy(PolicyOptions("threshold"))
    )
    assert found is not None
    row, precision = found
    assert precision == pytest.approx(4 / 5)
    assert row == features(decided_page(segments, [True, True, False, True]))
    decide = policy(PolicyOptions("threshold", threshold=2.5))
    less = quality_example({"segments": segments, "gold": {"markup": "<p>six\n<p>one two"}}, decide)
    assert less is not None and less[1] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("segments", "gold"),
    [([scored("Text.", -1)], "Text."), ([], "Text."), ([scored("…", 1)], "Text."), ([scored("Text.", 1)], " ")],
)
def test_a_page_without_words_is_no_example(segments: list[dict[str, Any]], gold: str) -> None:
    assert quality_example({"segments": segments, "gold": gold}, policy(PolicyOptions("threshold"))) is None


@pytest.mark.parametrize(
    ("page", "message"),
    [
        ({"segments": [scored("x", 1)]}, "gold: missing"),
        ({"gold": "x"}, "segments: missing"),
        ({"gold": "x", "segments": [{"text": "x"}]}, r"segments\[0\].score: missing"),
        ({"gold": "x", "segments": [scored("x", 1, path=1)]}, r"segments\[0\].path: expected a string, got a number"),
    ],
)
def test_a_page_with_missing_fields_is_an_error(page: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError, match=message):
        quality_example(page, policy(PolicyOptions("threshold")))


def test_pages_predicted_to_be_good_are_better(data: Callable[[str], Path]) -> None:
    with lzma.open(data("data/cleaneval-dev.jsonl.xz")) as lines:
        pages = [segmenter.segment_record(json.loads(line)) for line in lines]
    judge = registry.load_quality("quality")
    scored = Scorer([registry.load_named("ncleaner-en")])(pages)
    found = [quality_example(page, policy(PolicyOptions("threshold"))) for page in scored]
    rows = [(judge.predict_row(one[0]), one[1]) for one in found if one]
    assert len(rows) > 50
    good = [precision for predicted, precision in rows if predicted >= 0.9]
    rest = [precision for predicted, precision in rows if predicted < 0.9]
    assert len(good) > 20 and sum(good) / len(good) > sum(rest) / len(rest) + 0.03
