"""Calibration: bins and the expected error worked out by hand, and the segments of a scored page."""

from __future__ import annotations

import json

import pytest

from bench import calibration


def test_bins_and_error_worked_out_by_hand() -> None:
    odds, clean, weights = [0.1, 0.2, 0.9, 1.0], [False, True, True, True], [1.0, 3.0, 1.0, 1.0]
    low, none, high = calibration.calibration_bins(odds, clean, weights, 3)
    assert none is None
    assert low == (2, 4.0, pytest.approx(0.175), 0.75)
    assert high == (2, 2.0, pytest.approx(0.95), 1.0)
    # (4 * |0.175 - 0.75| + 2 * |0.95 - 1|) / 6
    assert calibration.expected_error([low, none, high]) == pytest.approx(40.0)


def test_a_scored_page_has_probabilities_and_labels() -> None:
    page = {
        "id": "wcxb-dev/1",
        "gold": "one two three four",
        "segments": [
            {"text": "one two three four", "type": "p", "score": 1.0},
            {"text": "menu", "type": "l", "score": -1.0, "rule": "nav"},
        ],
        "page": {"odds": 3.0},
    }
    found = calibration.scored_page(json.dumps(page).encode())
    assert found.probabilities == pytest.approx([2 / 3, 1 / 3])
    assert found.clean == [True, False]
    assert found.weights["words"] == [4.0, 1.0]
    assert found.weights["as in training"] == pytest.approx([2 / 4**0.8, 1 / 4**0.8])
    assert found.precision == pytest.approx(2 / 3)
    page["gold"] = "some text that is somewhere else"
    assert calibration.scored_page(json.dumps(page).encode()) is None
