"""The quality of a page: its features, a linear model of them, its file."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ncfilters.errors import ModelError
from ncfilters.scoring import quality, registry
from ncfilters.scoring.base import Model
from ncfilters.scoring.quality import FEATURES, DecidedPage, QualityModel, decided_page, features
from ncfilters.selection.decision import policy
from ncfilters.selection.options import PolicyOptions

ROOT = Path(__file__).resolve().parents[2]
Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


def some(length: int, score: float, **more: Any) -> dict[str, Any]:
    return {"text": "x" * length, "type": "p", "score": score, **more}


def values(segments: list[dict[str, Any]]) -> dict[str, float]:
    return dict(
        zip(FEATURES, features(decided_page(segments, policy(PolicyOptions("threshold"))(segments))), strict=True)
    )


def whole(segments: list[dict[str, Any]]) -> DecidedPage:
    """A page whose segments are all kept."""
    return decided_page(segments, [True] * len(segments))


PAGE = [
    some(50, 9, rule="nav", path="body/nav"), some(30, 4, path="body/main/h1"), some(400, 40, path="body/main/p"),
    some(20, -6, path="body/main/div/p"), some(25, 2, rule="bars", path="body/main/p"),
    some(70, 6, path="body/main/div/p", hidden="display"), some(100, -4, path="body/div/p"),
    some(9, 1, rule="footer", path="body/footer"),
]  # fmt: skip


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


def test_features_of_odd_pages() -> None:
    # repeated text counts from its second time on
    page = [some(10, 1), some(10, 1), some(10, 1), some(20, 1)]
    assert values(page)["repeated"] == pytest.approx(20 / 50)
    # long texts are not brief
    assert values([some(5000, 1)])["brief"] == 0
    # length limits are half open
    found = values([some(quality.SHORT_SEGMENT, 1), some(quality.LONG_SEGMENT - 1, 1)])
    assert found["short"] == found["long"] == 0
    found = values([some(quality.SHORT_SEGMENT - 1, 1), some(quality.LONG_SEGMENT, 1)])
    assert found["short"] + found["long"] == pytest.approx(1)
    # the unit of the scores does not matter
    other = [{**one, "score": one["score"] * 1000} for one in PAGE]
    assert values(other) == pytest.approx(values(PAGE))
    # plain text has no places
    plain = [{name: value for name, value in one.items() if name != "path"} for one in PAGE]
    found, known = values(plain), values(PAGE)
    assert math.isnan(found.pop("places")) and known.pop("places")
    assert found == known
    assert values([some(9, 1, path="body")])["places"] == 0
    # features do not depend on the policy
    everything = dict(zip(FEATURES, features(whole(PAGE))))
    assert everything["kept"] == 1
    assert everything["agreement"] == 1  # segments with a rule are also kept
    nothing_known = [some(9, 0), some(9, 0)]
    assert math.isnan(dict(zip(FEATURES, features(whole(nothing_known))))["agreement"])
    # equal segments are distinguished by place
    page = [some(5, -1), some(9, 1), some(5, 1, rule="bars"), some(9, 1)]
    assert dict(zip(FEATURES, features(decided_page(page, [False, False, False, True]))))["gaps"] == 0
    # no text has no features
    for kept in ([], [some(0, 1)]):
        with pytest.raises(ValueError, match="no text was kept"):
            features(whole(kept))


# ---- the model ------------------------------------------------------------------------------------------------
def named(**some_weights: float) -> dict[str, float]:
    return {name: some_weights.get(name, 0.0) for name in FEATURES}


def linear(intercept: float = 0.5, means: dict[str, float] | None = None, **weights: float) -> QualityModel:
    return QualityModel(named(**weights), means or named(), intercept, 0.1, 100)


def test_predictions_are_linear_clipped_and_of_known_values() -> None:
    page = [some(9, 1), some(9, 1, hidden="display")]
    assert linear(hidden=0.2).predict(whole(page)) == pytest.approx(0.6)
    assert linear(hidden=2).predict(whole(page)) == 1
    assert linear(hidden=-2).predict(whole(page)) == 0
    assert linear().predict(decided_page(PAGE, [False] * len(PAGE))) == linear().predict(whole([some(0, 1)])) == 0
    assert linear().predict(whole([])) == 0
    page = [some(9, 1)]
    assert linear(places=0.1, means=named(places=3)).predict(whole(page)) == pytest.approx(0.8)
    known = [some(9, 1, path="body/p")]
    assert linear(places=0.1, means=named(places=3)).predict(whole(known)) == pytest.approx(0.5)


# ---- the file -------------------------------------------------------------------------------------------------
def test_a_written_model_is_read_back(tmp_path: Path) -> None:
    fitted = linear(long=0.25, places=-0.1)
    header = registry.write_model(tmp_path / "q.model", fitted, {"language": "tlh"})
    assert header["arrays"] == [] and header["parameters"] == fitted.header()
    assert registry.load_quality(str(tmp_path / "q.model")).header() == fitted.header()


def test_prediction_does_not_need_numpy() -> None:
    code = (
        "import sys; sys.modules['numpy'] = None; from ncfilters.scoring import quality, registry;"
        "page = quality.decided_page([{'text': 'Some text.', 'score': 1.0}], [True]);"
        "print(registry.load_quality('quality').predict(page))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert 0 < float(done.stdout) < 1


@pytest.mark.parametrize("change", [
    {"weights": {"segments": 1.0}}, {"weights": {**named(), "colour": 1.0}},
    {"weights": {**named(), "gaps": float("nan")}}, {"weights": {**named(), "gaps": "1"}}, {"weights": [1.0]},
    {"means": {}}, {"intercept": None}, {"sd": float("inf")},
])  # fmt: skip
def test_header_that_does_not_fit_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    class Odd(Model):
        kind = "quality"

        def header(self) -> dict[str, Any]:
            return {**linear().header(), **change}

    registry.write_model(tmp_path / "q.model", Odd(), {})
    with pytest.raises(ModelError, match="q.model: the parts of the model do not fit"):
        registry.load_quality(str(tmp_path / "q.model"))


def test_quality_models_do_not_score_and_vice_versa(run: Run) -> None:
    with pytest.raises(ModelError, match="^ncleaner-en: a model of kind 'ngram' scores segments; only the kind"):
        registry.load_quality("ncleaner-en")
    with pytest.raises(ModelError, match="unknown model 'nosuch'"):
        registry.load_quality("nosuch")
    done = run("nc-score", "-m", "quality")
    assert (done.returncode, done.stdout) == (2, b"")
    assert re.fullmatch(
        rb"nc-score: quality: a model of kind 'quality' does not score segments: nc-select takes it .*\n", done.stderr
    )
    listed = run("nc-score", "--list-models").stdout.decode()
    assert re.search(r"^quality +quality +en +Predicts", listed, re.M)


# ---- the installed model ------------------------------------------------------------------------------------
PROSE = "The committee met on Tuesday and agreed, after a long discussion, to repair the old bridge over the river."


def scored(text: str, score: float, **more: Any) -> dict[str, Any]:
    return {"text": text, "type": "p", "score": score, **more}


@pytest.mark.parametrize("name", ["quality", "quality-text"])
def test_prose_is_rated_above_fragments(name: str) -> None:
    judge = registry.load_quality(name)
    prose = [scored(f"{number} {PROSE}", 30, path="body/main/p") for number in range(20)]
    scraps = [scored("Only 3 left!", 2, path=f"body/div{number}/p") for number in range(20)]
    mixed = [one for pair in zip(scraps, [scored("Add to cart", -3, rule="links")] * 20) for one in pair]
    assert judge.predict(whole(prose)) > 0.85
    assert judge.predict(decided_page(mixed, [True, False] * 20)) < 0.55
