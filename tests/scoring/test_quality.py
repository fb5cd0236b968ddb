"""The quality of a page: features of what was kept, a linear model of them, its file."""

from __future__ import annotations

import json
import math
import random
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ncfilters.errors import ModelError, RecordError
from ncfilters.scoring import quality, registry, scorer
from ncfilters.scoring.quality import FEATURES, QualityModel, features, fit, held_out, learn
from ncfilters.segmentation import segmenter
from ncfilters.selection.policies import by_threshold

ROOT = Path(__file__).resolve().parents[2]
Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


def some(length: int, score: float, **more: Any) -> dict[str, Any]:
    return {"text": "x" * length, "type": "p", "score": score, **more}


def values(segments: list[dict[str, Any]]) -> dict[str, float]:
    kept = [one for one, keep in zip(segments, by_threshold()(segments)) if keep]
    return dict(zip(FEATURES, features(kept, segments), strict=True))


PAGE = [
    some(50, 9, rule="nav", path="body/nav"),
    some(30, 4, path="body/main/h1"),
    some(400, 40, path="body/main/p"),
    some(20, -6, path="body/main/div/p"),
    some(25, 2, rule="bars", path="body/main/p"),
    some(70, 6, path="body/main/div/p", hidden="display"),
    some(100, -4, path="body/div/p"),
    some(9, 1, rule="footer", path="body/footer"),
]


# ---- the features ---------------------------------------------------------------------------------------------


def test_each_feature_of_a_page() -> None:
    found = values(PAGE)
    assert found == pytest.approx(
        {
            "segments": math.log(3),
            "mean_length": math.log(500 / 3),
            "short": 30 / 500,
            "long": 400 / 500,
            "typical_length": math.log((30 * 30 + 400 * 400 + 70 * 70) / 500),
            "brief": math.log(1000 / 500),
            "repeated": 0,
            "places": math.log(2),  # body/main and body/main/div
            "hidden": 1 / 3,
            "gaps": 1 / 5,
            "kept": 3 / 8,
            "agreement": (50 / 60) ** 2,
        }
    )


def test_repeated_text_counts_from_its_second_time_on() -> None:
    page = [some(10, 1), some(10, 1), some(10, 1), some(20, 1)]
    assert values(page)["repeated"] == pytest.approx(20 / 50)


def test_long_texts_are_not_brief() -> None:
    assert values([some(5000, 1)])["brief"] == 0


def test_lengths_at_the_limits() -> None:
    found = values([some(quality.SHORT, 1), some(quality.LONG - 1, 1)])
    assert found["short"] == found["long"] == 0
    found = values([some(quality.SHORT - 1, 1), some(quality.LONG, 1)])
    assert found["short"] + found["long"] == pytest.approx(1)


def test_the_unit_of_the_scores_does_not_matter() -> None:
    other = [{**one, "score": one["score"] * 1000} for one in PAGE]
    assert values(other) == pytest.approx(values(PAGE))


def test_plain_text_has_no_places() -> None:
    plain = [{name: value for name, value in one.items() if name != "path"} for one in PAGE]
    found, whole = values(plain), values(PAGE)
    assert math.isnan(found.pop("places")) and whole.pop("places")
    assert found == whole
    assert values([some(9, 1, path="body")])["places"] == 0


def test_what_was_kept_by_other_thresholds() -> None:
    everything = dict(zip(FEATURES, features(PAGE, PAGE)))
    assert everything["kept"] == 1
    assert everything["agreement"] == 1  # more is kept than has no rule
    nothing_known = [some(9, 0), some(9, 0)]
    assert math.isnan(dict(zip(FEATURES, features(nothing_known, nothing_known)))["agreement"])


def test_equal_segments_are_told_apart() -> None:
    page = [some(5, -1), some(9, 1), some(5, 1, rule="bars"), some(9, 1)]
    kept = [page[3]]
    assert dict(zip(FEATURES, features(kept, page)))["gaps"] == 0


def test_no_text_has_no_features() -> None:
    for kept in ([], [some(0, 1)]):
        with pytest.raises(ValueError, match="no text was kept"):
            features(kept, kept)


# ---- the model ------------------------------------------------------------------------------------------------


def named(**some_weights: float) -> dict[str, float]:
    return {name: some_weights.get(name, 0.0) for name in FEATURES}


def linear(intercept: float = 0.5, means: dict[str, float] | None = None, **weights: float) -> QualityModel:
    return QualityModel(named(**weights), means or named(), intercept, 0.1, 100)


def made(count: int, seed: int = 1) -> tuple[list[list[float]], list[float]]:
    """Features at random, and precisions that follow two of them."""
    of = random.Random(seed)
    rows = [[of.random() for _ in FEATURES] for _ in range(count)]
    at = list(FEATURES).index
    return rows, [0.3 + 0.4 * row[at("long")] - 0.2 * row[at("gaps")] for row in rows]


def test_a_prediction_is_linear_and_clipped() -> None:
    page = [some(9, 1), some(9, 1, hidden="display")]
    assert linear(hidden=0.2).of(page, page) == pytest.approx(0.6)
    assert linear(hidden=2).of(page, page) == 1
    assert linear(hidden=-2).of(page, page) == 0


def test_nothing_kept_has_no_quality() -> None:
    assert linear().of([], PAGE) == linear().of([some(0, 1)], [some(0, 1)]) == linear().of([], []) == 0


def test_what_is_unknown_counts_as_the_mean() -> None:
    page = [some(9, 1)]
    assert linear(places=0.1, means=named(places=3)).of(page, page) == pytest.approx(0.8)
    known = [some(9, 1, path="body/p")]
    assert linear(places=0.1, means=named(places=3)).of(known, known) == pytest.approx(0.5)


def test_fit_finds_what_precision_follows() -> None:
    fitted = fit(*made(2000))
    assert fitted.intercept == pytest.approx(0.3, abs=0.002)
    assert fitted.weights == pytest.approx(named(long=0.4, gaps=-0.2), abs=0.002)
    assert fitted.sd < 0.002
    assert fitted.pages == 2000
    assert fit(*made(2000)).header() == fitted.header()


def test_residuals_are_as_large_as_the_noise() -> None:
    rows, precisions = made(3000)
    noise = random.Random(2)
    assert fit(rows, [p + noise.gauss(0, 0.05) for p in precisions]).sd == pytest.approx(0.05, abs=0.003)


def test_fit_with_values_that_are_unknown() -> None:
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


def test_features_that_say_the_same_share_a_weight() -> None:
    rows, precisions = made(500)
    at = list(FEATURES).index
    for row in rows:
        row[at("kept")] = row[at("long")]
    weights = fit(rows, precisions).weights
    assert weights["kept"] == pytest.approx(weights["long"]) == pytest.approx(0.2, abs=0.01)


def test_too_few_pages() -> None:
    rows, precisions = made(59)
    with pytest.raises(ValueError, match="too few pages to predict quality from: 59, of 60 or more"):
        fit(rows, precisions)
    with pytest.raises(ValueError, match="too few pages"):
        fit([], [])


def test_held_out_predictions_know_nothing_of_their_site() -> None:
    rows, precisions = made(400)
    sites = [f"site{number % 40}.org" for number in range(400)]
    before = held_out(rows, precisions, sites)
    other = [0.0 if site == "site7.org" else p for p, site in zip(precisions, sites)]
    after = held_out(rows, other, sites)
    own = [number for number, site in enumerate(sites) if site == "site7.org"]
    assert [after[number] for number in own] == [before[number] for number in own]
    assert sum(a != b for a, b in zip(after, before)) > 300
    assert before == pytest.approx(precisions, abs=0.01)


# ---- gold -----------------------------------------------------------------------------------------------------


def scored(text: str, score: float, **more: Any) -> dict[str, Any]:
    return {"text": text, "type": "p", "score": score, **more}


def test_learn_counts_the_words_that_stand_in_the_gold_text() -> None:
    segments = [scored("One two three.", 3), scored("Junk!", 1), scored("four five", -1), scored("Six", 2)]
    found = learn({"segments": segments, "gold": "one, two three four five six seven"}, by_threshold())
    assert found is not None
    row, precision = found
    assert precision == pytest.approx(4 / 5)
    assert row == features([segments[0], segments[1], segments[3]], segments)
    less = learn({"segments": segments, "gold": {"markup": "<p>six\n<p>one two"}}, by_threshold(2.5))
    assert less is not None and less[1] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("segments", "gold"),
    [([scored("Text.", -1)], "Text."), ([], "Text."), ([scored("…", 1)], "Text."), ([scored("Text.", 1)], " ")],
)
def test_a_page_without_words_teaches_nothing(segments: list[dict[str, Any]], gold: str) -> None:
    assert learn({"segments": segments, "gold": gold}, by_threshold()) is None


@pytest.mark.parametrize(
    ("page", "message"),
    [
        ({"segments": [scored("x", 1)]}, "gold: missing"),
        ({"gold": "x"}, "segments: missing"),
        ({"gold": "x", "segments": [{"text": "x"}]}, r"segments\[0\].score: missing"),
        ({"gold": "x", "segments": [scored("x", 1, path=1)]}, r"segments\[0\].path: a string is wanted, not a number"),
    ],
)
def test_what_cannot_be_learned_from(page: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError, match=message):
        learn(page, by_threshold())


# ---- the file -------------------------------------------------------------------------------------------------


def test_written_and_read(tmp_path: Path) -> None:
    fitted = fit(*made(100))
    header = registry.write(tmp_path / "q.model", fitted, {"language": "tlh"})
    assert header["arrays"] == [] and header["parameters"] == fitted.header()
    assert quality.load(str(tmp_path / "q.model")).header() == fitted.header()


def test_it_is_read_without_numpy() -> None:
    code = (
        "import sys; sys.modules['numpy'] = None; from ncfilters import quality;"
        "page = [{'text': 'Some text.', 'score': 1.0}]; print(quality.load('quality').of(page, page))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert 0 < float(done.stdout) < 1


@pytest.mark.parametrize(
    "change",
    [
        {"weights": {"segments": 1.0}},
        {"weights": {**named(), "colour": 1.0}},
        {"weights": {**named(), "gaps": float("nan")}},
        {"weights": {**named(), "gaps": "1"}},
        {"weights": [1.0]},
        {"means": {}},
        {"intercept": None},
        {"sd": float("inf")},
    ],
)
def test_what_does_not_fit_is_no_model(tmp_path: Path, change: dict[str, Any]) -> None:
    class Odd:
        kind = "quality"

        def header(self) -> dict[str, Any]:
            return {**linear().header(), **change}

        def arrays(self) -> dict[str, Any]:
            return {}

    registry.write(tmp_path / "q.model", Odd(), {})
    with pytest.raises(ModelError, match="q.model: the parts of the model do not fit"):
        quality.load(str(tmp_path / "q.model"))


def test_it_scores_no_segments_and_scorers_tell_no_quality() -> None:
    wrong = "a model of kind 'quality' scores no segments: it is for nc-select --quality-model"
    with pytest.raises(ModelError, match=f"^quality: {wrong}"):
        registry.load("quality")
    with pytest.raises(ModelError, match="^ncleaner-en: a model of kind 'ngram' scores segments; one of kind"):
        quality.load("ncleaner-en")
    with pytest.raises(ModelError, match="unknown model 'nosuch'"):
        quality.load("nosuch")


def test_nc_score_says_what_it_is_for(run: Run) -> None:
    done = run("nc-score", "-m", "quality")
    assert (done.returncode, done.stdout) == (2, b"")
    assert re.fullmatch(
        rb"nc-score: quality: a model of kind 'quality' scores no segments: it is for .*\n", done.stderr
    )
    listed = run("nc-score", "--list-models").stdout.decode()
    assert re.search(r"^quality +quality +en +Predicts", listed, re.M)


# ---- what was shipped -----------------------------------------------------------------------------------------

PROSE = "The committee met on Tuesday and agreed, after a long discussion, to repair the old bridge over the river."


@pytest.mark.parametrize("name", ["quality", "quality-text"])
def test_prose_is_better_than_scraps(name: str) -> None:
    judge = quality.load(name)
    prose = [scored(f"{number} {PROSE}", 30, path="body/main/p") for number in range(20)]
    scraps = [scored("Only 3 left!", 2, path=f"body/div{number}/p") for number in range(20)]
    mixed = [one for pair in zip(scraps, [scored("Add to cart", -3, rule="links")] * 20) for one in pair]
    assert judge.of(prose, prose) > 0.85
    assert judge.of(scraps, mixed) < 0.55


# They are among those it was fitted to: this sees that something came loose, and is no measurement.
def test_pages_predicted_to_be_good_are(data: Callable[[str], Path]) -> None:
    import lzma

    with lzma.open(data("data/cleaneval-dev.jsonl.xz")) as lines:
        pages = [segmenter.segment_record(json.loads(line)) for line in lines]
    judge = quality.load("quality")
    found = [learn(page, by_threshold()) for page in scorer.scorer([("en", registry.load("ncleaner-en"))])(pages)]
    rows = [(judge.predicted(one[0]), one[1]) for one in found if one]
    assert len(rows) > 50
    good = [precision for predicted, precision in rows if predicted >= 0.9]
    rest = [precision for predicted, precision in rows if predicted < 0.9]
    assert len(good) > 20 and sum(good) / len(good) > sum(rest) / len(rest) + 0.03
