"""Training of structure models: it is reproducible, and reads only what it is asked to; calibration; whole pages."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from structure_pages import LABELLED, NEW, PLAIN_TEXT, scores, small_model, train_small

from ncfilters.dataset.labelled_pages import label_page
from ncfilters.features import schema
from ncfilters.features.document import ModelInput
from ncfilters.scoring import registry
from ncfilters.scoring.structure.model import StructureModel
from ncfilters.scoring.structure.outputs import CONTENT_FEATURES, TYPE_FEATURES
from ncfilters.training.examples import TrainingPage
from ncfilters.training.structure_trainer import (
    MAX_FACTOR,
    MIN_TYPE_PAGES,
    STEPS,
    StructureOptions,
    fit_calibration,
    fit_logistic,
    fit_page_classifier,
    page_types,
    train_structure_model,
)


@pytest.fixture(scope="module")
def trained() -> StructureModel:
    return small_model()


def test_the_same_pages_give_the_same_model() -> None:
    first, again = (train_small(passes=2) for _ in range(2))
    assert again.header() == first.header()
    for name, array in first.arrays().items():
        assert again.arrays()[name].tobytes() == array.tobytes(), name
    assert "without" not in first.header()


def changed(**fields: Any) -> ModelInput:
    """A new page with other fields in one of its segments."""
    segments = [{**segment, **(fields if place == 7 else {})} for place, segment in enumerate(NEW[1].segments)]
    return ModelInput(segments, NEW[1].head)


# group → a page that differs from NEW[1] only in what the group reads
DIFFERENT = {
    "names": ModelInput(
        [{**part, "path": part["path"].replace("teasers", "content")} for part in NEW[1].segments], NEW[1].head
    ),
    "element": changed(tag="td", rule="nav"),
}
# What changes if a page has another menu.
MENU_GROUPS = {"position", "relatives", "neighbours", "main", "page", "around"}


@pytest.mark.parametrize("group", DIFFERENT)
def test_groups_left_out_do_not_change_scores(group: str, trained: StructureModel) -> None:
    assert scores(trained, NEW[1]) != scores(trained, DIFFERENT[group])
    # other groups see the rule and the element of neighbours
    groups = ("element", "neighbours", "page", "relatives") if group == "element" else (group,)
    without = train_small(*groups, passes=3)
    assert scores(without, NEW[1]) == scores(without, DIFFERENT[group])


def test_without_surroundings_each_segment_is_scored_alone() -> None:
    alone = train_small(*MENU_GROUPS, "words", passes=3)
    more = ModelInput([*NEW[0].segments, *NEW[0].segments[:3]], NEW[0].head)
    size = len(NEW[0])
    with_them = train_small(passes=1)
    assert scores(with_them, more)[0][:size] != pytest.approx(scores(with_them, NEW[0])[0], rel=1e-3)
    # to rounding: the products of larger matrices are summed in another order
    assert scores(alone, more)[0][:size] == pytest.approx(scores(alone, NEW[0])[0], rel=1e-5)


@pytest.mark.parametrize("group", schema.GROUPS)
def test_each_group_can_be_left_out(group: str, tmp_path: Path) -> None:
    model = train_structure_model(LABELLED, StructureOptions(passes=2, without=(group,)))
    families = schema.GROUP_FAMILIES.get(group, ())
    left_out = {name for family in families for name in schema.FAMILIES[family]}
    assert {name for name, scale in zip(schema.NAMES, model.parameters.scales) if not scale} == left_out
    registry.write_model(tmp_path / "small.model", model, {})
    again = registry.load(str(tmp_path / "small.model"))
    assert isinstance(again, StructureModel)
    assert scores(again, *NEW, PLAIN_TEXT) == scores(model, *NEW, PLAIN_TEXT)
    assert again.reasons(NEW, 3) == model.reasons(NEW, 3)
    assert again.header()["without"] == [group]


def test_without_words_and_names_there_is_a_model(tmp_path: Path) -> None:
    # no name is on the default number of sites here
    model = train_structure_model(LABELLED, StructureOptions(words=False, passes=5))
    assert (list(model.parameters.names), list(model.parameters.phrases)) == ([], [])
    registry.write_model(tmp_path / "xx.model", model, {})
    again = registry.load(str(tmp_path / "xx.model"))
    assert isinstance(again, StructureModel)
    assert scores(again, *NEW) == scores(model, *NEW)
    page = again.evidence_with_pages(NEW)[1][0]
    assert page is not None and page["words"] is False


def test_sites_and_records_of_pages_and_progress() -> None:
    steps: list[int] = []
    train_structure_model(LABELLED, StructureOptions(passes=1), steps.append)
    assert steps == [*range(1, STEPS), STEPS]
    pages = [replace(page, domain="") for page in LABELLED[:4]]
    assert train_structure_model(pages, StructureOptions(passes=1)).kind == "structure"


@pytest.mark.parametrize(("number", "sites"), [(0, 0), (2, 1)])
def test_fewer_than_two_sites_are_an_error(number: int, sites: int) -> None:
    with pytest.raises(ValueError, match=f"^pages of {sites} sites: calibration on held-out sites needs at least 2"):
        train_structure_model(LABELLED[:number], StructureOptions())


# ---- calibration and the page classifier ------------------------------------------------------------------------


def test_log_odds_are_recovered() -> None:
    random = np.random.default_rng(0)
    log_odds = random.normal(size=20_000)
    labels = (random.random(20_000) < 1 / (1 + np.exp(-log_odds))).astype(np.float32)
    factor, shift = fit_calibration((log_odds - 1) * 2, labels, np.ones(20_000))
    assert factor == pytest.approx(0.5, abs=0.02)
    assert shift == pytest.approx(1.0, abs=0.05)


def test_weights_count_and_the_factor_is_bounded() -> None:
    logits, labels = np.array([-1.0, 0.5, 1.0, 2.0]), np.array([0, 1, 0, 1])
    times = np.array([1, 2, 3, 1])
    repeated = fit_calibration(logits.repeat(times), labels.repeat(times), np.ones(7))
    assert fit_calibration(logits, labels, times.astype(np.float64)) == pytest.approx(repeated, abs=1e-3)
    factor, shift = fit_calibration(np.array([-1.0, 1.0]), np.array([0, 1]), np.ones(2))
    assert shift == pytest.approx(0, abs=0.01)
    assert factor == MAX_FACTOR


def probabilities(rows: np.ndarray, weights: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
    scores = np.exp(rows @ weights[:-1] + weights[-1])
    return np.asarray(scores / scores.sum(axis=1, keepdims=True))


def test_a_regression_recovers_its_coefficients() -> None:
    random = np.random.default_rng(0)
    rows = random.normal(3, 2, (5000, 2))
    odds = rows @ [0.8, -0.5] - 1
    labels = (random.random(5000) < 1 / (1 + np.exp(-odds))).astype(np.int64)
    weights = fit_logistic(rows, labels, 2, ridge=1e-6)
    assert weights[:, 1] - weights[:, 0] == pytest.approx([0.8, -0.5, -1], abs=0.15)


def test_balanced_classes_have_even_prior_odds() -> None:
    random = np.random.default_rng(0)
    rows, labels = random.normal(size=(1000, 1)), np.arange(1000) % 10 // 9  # a tenth is of class 1, at random
    assert probabilities(rows, fit_logistic(rows, labels, 2, 1e-3))[:, 1].mean() == pytest.approx(0.1, abs=0.01)
    balanced = probabilities(rows, fit_logistic(rows, labels, 2, 1e-3, balanced=True))
    assert balanced[:, 1].mean() == pytest.approx(0.5, abs=0.01)


def test_odds_are_even_if_a_class_has_no_page() -> None:
    content = np.random.default_rng(0).normal(size=(5, len(CONTENT_FEATURES)))
    classifier = fit_page_classifier(content, np.ones(5, bool), np.zeros((0, TYPE_FEATURES)), [])
    assert not any(classifier.odds) and classifier.names == []


def test_rare_types_and_unknown_ones_are_not_learned() -> None:
    content = np.zeros((2, len(CONTENT_FEATURES)))
    types = ["article"] * MIN_TYPE_PAGES + ["forum"] * MIN_TYPE_PAGES + ["docs"] * (MIN_TYPE_PAGES - 1) + [None]
    rows = np.random.default_rng(0).normal(size=(len(types), TYPE_FEATURES))
    rows[:MIN_TYPE_PAGES, 0] += 9
    classifier = fit_page_classifier(content, np.array([True, False]), rows, types)
    assert classifier.names == ["article", "forum"]
    found = [classifier.type_probabilities(row) for row in rows[: 2 * MIN_TYPE_PAGES].tolist()]
    assert [row.index(max(row)) for row in found] == [0] * MIN_TYPE_PAGES + [1] * MIN_TYPE_PAGES


def test_a_single_type_is_not_learned() -> None:
    content, rows = np.zeros((2, len(CONTENT_FEATURES))), np.zeros((2 * MIN_TYPE_PAGES, TYPE_FEATURES))
    classifier = fit_page_classifier(content, np.array([True, False]), rows, ["article"] * len(rows))
    assert classifier.names == [] and len(classifier.types) == 0


def test_articles_of_languages_without_a_known_type_are_articles() -> None:
    def page(lang: str, policy: str, **known: str) -> TrainingPage:
        gold = {"text": "It rained.", "policy": policy}
        record = {"lang": lang, "segments": [{"text": "It rained.", "path": "body/p"}], "gold": gold, **known}
        return TrainingPage.of_labelled(label_page(record, keep_record=True))

    pages = [
        page("en", "main", page_type="forum"), page("en", "article"), page("ru", "article"), page("zh-TW", "article"),
        page("ru", "main"),
    ]  # fmt: skip
    assert page_types(pages) == ["forum", None, "article", "article", None]
