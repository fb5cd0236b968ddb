"""Precision against recall: thresholds, what they keep, and the points of a table."""

from __future__ import annotations

import random
from itertools import groupby
from typing import Any

import numpy as np
import pytest
from invented import MIXED, PAGES, labelled

from ncfilters.dataset.labelled_pages import LabelledPage
from ncfilters.scoring.base import NamedModel
from ncfilters.text.words import words
from ncfilters.training.cross_validation import FoldOptions, cross_validate, score_pages
from ncfilters.training.ngram_trainer import NgramOptions, train_ngram
from ncfilters.training.tuning import (
    PRECISIONS,
    AlignedWords,
    TuneOptions,
    operating_points,
    points_at,
    points_table,
    tune,
)


def random_pages(seed: int) -> tuple[list[LabelledPage], np.ndarray[Any, Any]]:
    """Pages of random segments, and scores, many of them the same."""
    rnd = random.Random(seed)
    records = []
    for _ in range(rnd.randint(1, 6)):
        segments = [
            {"text": " ".join(rnd.choices("abcdefgh", k=rnd.randint(0, 6)))}
            | ({"rule": "x"} if rnd.random() < 0.2 else {})
            for _ in range(rnd.randint(1, 9))
        ]
        records.append({"segments": segments, "gold": " ".join(rnd.choices("abcdefgh", k=8))})
    pages = list(labelled(records).pages)
    return pages, np.array([rnd.choice([-3, 0, 0.01, 0.02, 2.5, 9.17, 9.18]) for page in pages for _ in page.texts])


def slow_measure(pages: list[LabelledPage], scores: Any, threshold: float) -> tuple[float, float, float]:
    """Precision, recall and F, segment by segment."""
    kept = right = 0
    flat = iter(scores)
    for page in pages:
        for text, marked, matched in zip(page.texts, page.marked, page.matched):
            if next(flat) > threshold and not marked:
                kept += len(words(text))
                right += matched
    gold = sum(len(words(page.gold.plain)) for page in pages)
    precision, recall = right / kept if kept else 0.0, right / gold
    return precision, recall, 2 * right / (kept + gold)


@pytest.mark.parametrize("seed", range(12))
def test_measures_are_those_of_the_kept_words(seed: int) -> None:
    pages, scores = random_pages(seed)
    aligned = AlignedWords(pages)
    for threshold in (-4, -3, 0, 0.01, 0.015, 1, 9.18, 10):
        assert aligned.measure(scores, threshold) == pytest.approx(slow_measure(pages, scores, threshold))
    assert aligned.measure(scores) == aligned.measure(scores, 0.0)


@pytest.mark.parametrize("seed", range(12))
def test_the_curve_has_every_point(seed: int) -> None:
    pages, scores = random_pages(seed)
    aligned = AlignedWords(pages)
    thresholds, precisions, recalls = aligned.curve(scores)
    assert (np.diff(thresholds) > 0).all()
    for threshold, precision, recall in zip(thresholds, precisions, recalls):
        assert (precision, recall) == pytest.approx(slow_measure(pages, scores, threshold)[:2])
        assert float(f"{threshold:.2f}") == threshold  # as it is printed, so it decides
    every = [slow_measure(pages, scores, threshold)[:2] for threshold in sorted({-9.0, *scores.tolist()})]
    expected = {point for point, _ in groupby(every) if point != (0, 0)}
    assert {(float(p), float(r)) for p, r in zip(precisions, recalls)} >= expected


def test_close_scores_have_thresholds_of_more_decimals() -> None:
    (page,) = labelled([{"segments": [{"text": "a"}, {"text": "b"}, {"text": "c"}], "gold": "a"}]).pages
    scores = np.array([0.0013, 0.0012, 0.0011])
    thresholds, precisions, _ = AlignedWords([page]).curve(scores)
    assert precisions.tolist() == pytest.approx([1 / 3, 1 / 2, 1])
    assert [int((scores > threshold).sum()) for threshold in thresholds] == [3, 2, 1]


@pytest.mark.parametrize("segments", [[], [{"text": "a", "rule": "bars"}], [{"text": "***"}]])
def test_a_page_without_decisions_is_an_error(segments: list[dict[str, str]]) -> None:
    (page,) = labelled([{"segments": segments, "gold": "a"}]).pages
    with pytest.raises(ValueError, match="nothing to decide: no segment without a rule has words"):
        AlignedWords([page]).curve(np.zeros(len(segments)))
    assert AlignedWords([page]).measure(np.ones(len(segments))) == (0, 0, 0)


# ---- points ---------------------------------------------------------------------------------------------------
def test_a_point_has_the_highest_recall_for_its_precision() -> None:
    pages, scores = random_pages(3)
    aligned = AlignedWords(pages)
    for point in points_at(aligned, scores, (0.3, 0.5)):
        assert point.kept == aligned.measure(scores, point.threshold) and point.kept.precision >= point.target
        others = [aligned.measure(scores, threshold) for threshold in scores - 0.001]
        assert all(kept.precision < point.target or kept.recall <= point.kept.recall for kept in others)


def test_precisions_that_are_not_reached_have_no_point() -> None:
    (page,) = labelled([{"segments": [{"text": "a b c d e"}], "gold": "a b c"}]).pages
    assert [point.target for point in points_at(AlignedWords([page]), np.ones(1), (0.5, 0.6, 0.7))] == [0.5, 0.6]


def test_thresholds_are_cross_validated() -> None:
    pages = labelled(MIXED).pages
    found = list(cross_validate(pages, lambda some: train_ngram(some, NgramOptions()), FoldOptions(3)))
    aligned = AlignedWords([scored.page for scored in found])
    scores = np.array([score for scored in found for score in scored.scores])
    result = operating_points(pages, NgramOptions(), FoldOptions(3))
    zero, best, *reached = result
    assert (zero.target, zero.threshold, best.target) == (None, 0, "best F")
    assert best.kept.f == max(aligned.measure(scores, threshold).f for threshold in scores - 0.001)
    assert [point.target for point in reached] == [
        target for target in PRECISIONS if any(aligned.measure(scores, t).precision >= target for t in scores - 0.001)
    ]
    for point, row in zip(result, points_table(result, "").rows):
        assert point.kept == aligned.measure(scores, point.threshold)
        kept = [f"{100 * value:.2f}" for value in point.kept]
        assert row == ["" if point.target is None else str(point.target), f"{point.threshold:.2f}", *kept]


def test_a_model_is_used_instead_of_training() -> None:
    model, pages = train_ngram(labelled(PAGES), NgramOptions()), labelled(MIXED).pages
    (found,) = tune(pages, TuneOptions("threshold", model=NamedModel("x", model)))
    assert found.table.title.startswith("nc-select -t: precision against recall (x, 18 pages")
    zero = found.table.rows[0]
    scores = np.array([score for page in score_pages(model, pages) for score in page.scores])
    assert zero[2:] == [f"{100 * value:.2f}" for value in AlignedWords(pages).measure(scores)]
