"""Platt scaling, the fit of bias and context, and the classifier of pages."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest

from ncfilters.dataset.gold import Gold
from ncfilters.dataset.labelled_pages import LabelledPage, label_page
from ncfilters.scoring.char_ngram.model import max_marginals
from ncfilters.scoring.structure.outputs import CONTENT_FEATURES, TYPE_FEATURES
from ncfilters.training import ngram_trainer
from ncfilters.training.examples import TrainingPage
from ncfilters.training.ngram_trainer import fit_bias_and_context
from ncfilters.training.structure_trainer import (
    MAX_FACTOR,
    MIN_TYPE_PAGES,
    fit_calibration,
    fit_logistic,
    fit_page_classifier,
    page_types,
)


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


def page(site: str, scores: Sequence[float], clean: str, marked: Sequence[bool] = ()) -> LabelledPage:
    """A page whose texts say what their scores are; + for a clean segment of ten words, - for a dirty one."""
    found = [10 * (sign == "+") for sign in clean]
    marks = list(marked) or [False] * len(scores)
    texts = [str(score) for score in scores]
    types = ["p"] * len(texts)
    return LabelledPage("", site, texts, types, marks, [10] * len(texts), found, Gold("text"), sum(found))


def score_held_out(pages: list[LabelledPage], held_out: list[LabelledPage]) -> list[Sequence[float]]:
    return [[float(text) for text in page.texts] for page in held_out]


def word_f(page: LabelledPage, bias: float, price: float) -> float:
    scores = max_marginals([float(text) - bias for text in page.texts], page.marked, price)
    kept = [score > 0 and not mark for score, mark in zip(scores, page.marked)]
    words = sum(n for n, keep in zip(page.words, kept) if keep)
    return 2 * sum(n for n, keep in zip(page.matched, kept) if keep) / max(words + page.gold_words, 1)


def test_the_grid_has_the_f_of_the_decisions() -> None:
    rnd = random.Random(1)
    for _ in range(10):
        n = rnd.randint(1, 9)
        some = page(
            "a",
            [rnd.randint(-300, 600) / 10 + 0.01 for _ in range(n)],
            "".join(rnd.choices("+-", k=n)),
            rnd.choices([False, False, True], k=n),
        )
        grid = ngram_trainer.word_f_grid(some, score_held_out([], [some])[0])
        expected = [[word_f(some, bias, price) for price in ngram_trainer.CONTEXTS] for bias in ngram_trainer.BIASES]
        np.testing.assert_allclose(grid, expected)


def test_boilerplate_is_given_a_bias_and_short_segments_a_context() -> None:
    pages = [page(str(at), [12, 40, 12, 40, 12, 40, 12], "-+-+-+-") for at in range(6)]
    bias, price = fit_bias_and_context(pages, score_held_out)
    assert all(word_f(some, bias, price) == 1 for some in pages)
    assert bias > 0
    pages = [page(str(at), [2, -30, 2, -30, 40, -2, 40, -2, 40, -30, 2], "----+++++--") for at in range(6)]
    bias, price = fit_bias_and_context(pages, score_held_out)
    assert price > 0
    assert all(word_f(some, bias, price) == 1 for some in pages)
    assert fit_bias_and_context([page("a", [1], "+")] * 3, score_held_out) == (0, 0)


def test_pages_are_scored_by_models_of_other_sites() -> None:
    pages = [page(site, [1], "+") for site in "aaabbbcddefg"]
    seen = []

    def scored(rest: list[LabelledPage], held_out: list[LabelledPage]) -> list[Sequence[float]]:
        assert not {p.domain for p in rest} & {p.domain for p in held_out}
        assert len(rest) + len(held_out) == len(pages)
        seen.extend(held_out)
        return score_held_out(rest, held_out)

    fit_bias_and_context(pages, scored)
    assert len(seen) == len(pages)


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
