"""Training of page classifiers: logistic regressions of content and of page types."""

from __future__ import annotations

import numpy as np
import pytest

from ncfilters.dataset.labelled_pages import label_page
from ncfilters.scoring.structure.page_classifier import CONTENT_FEATURES, TYPE_FEATURES
from ncfilters.training.examples import TrainingPage
from ncfilters.training.page_classifier_trainer import MIN_TYPE_PAGES, fit_logistic, fit_page_classifier, page_types


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
        page("en", "main", page_type="forum"),
        page("en", "article"),
        page("ru", "article"),
        page("zh-TW", "article"),
        page("ru", "main"),
    ]
    assert page_types(pages) == ["forum", None, "article", "article", None]
