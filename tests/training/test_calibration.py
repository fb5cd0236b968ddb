"""Platt scaling: calibrated log odds are those of the labels."""

from __future__ import annotations

import numpy as np
import pytest

from ncfilters.training.calibration import MAX_FACTOR, fit_calibration


def test_log_odds_are_recovered() -> None:
    random = np.random.default_rng(0)
    log_odds = random.normal(size=20_000)
    labels = (random.random(20_000) < 1 / (1 + np.exp(-log_odds))).astype(np.float32)
    factor, shift = fit_calibration((log_odds - 1) * 2, labels, np.ones(20_000))
    assert factor == pytest.approx(0.5, abs=0.02)
    assert shift == pytest.approx(1.0, abs=0.05)


def test_weights_count_as_repetitions() -> None:
    logits, labels = np.array([-1.0, 0.5, 1.0, 2.0]), np.array([0, 1, 0, 1])
    times = np.array([1, 2, 3, 1])
    repeated = fit_calibration(logits.repeat(times), labels.repeat(times), np.ones(7))
    assert fit_calibration(logits, labels, times.astype(np.float64)) == pytest.approx(repeated, abs=1e-3)


def test_the_factor_is_bounded_for_separable_labels() -> None:
    factor, shift = fit_calibration(np.array([-1.0, 1.0]), np.array([0, 1]), np.ones(2))
    assert shift == pytest.approx(0, abs=0.01)
    assert factor == MAX_FACTOR
