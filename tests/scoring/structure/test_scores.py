"""Smoothing, calibration and roles: both forms."""

from __future__ import annotations

from array import array
from math import exp, log
from types import ModuleType

import pytest
from uncompiled import both_forms

FORMS = pytest.mark.parametrize(
    "form", both_forms("ncfilters.scoring.structure.scores"), ids=lambda form: form.__name__
)


@FORMS
def test_smoothing_moves_logits_to_the_mean_of_their_group(form: ModuleType) -> None:
    logits = array("f", [2, 0, 7, -1, 0, 7, 99, 0, 7, -4, 1, 7])
    groups, chars = array("i", [0, 0, 1, 2]), array("f", [0, 2, 5, 5])
    mean = (1 * 2 + 3 * -1) / 4
    own, rest = form.SMOOTHING, 1 - form.SMOOTHING
    expected = [rest * 2 + own * mean, 0, -rest + own * mean, 0, form.MAX_LOGIT, 0, -4, 1]
    assert form.smooth_logits(logits, 3, 2, groups, chars).tolist() == pytest.approx(expected)
    assert form.first_outputs(logits, 3, 2).tolist() == [2, 0, -1, 0, 99, 0, -4, 1]


@FORMS
def test_calibration_is_a_factor_and_a_shift(form: ModuleType) -> None:
    odds = form.calibrated(array("f", [2, 2, -4, 3]), [(0.5, 1.0), (1.0, 0.0)])
    assert odds.tolist() == [2, 2, -1, 3]
    assert form.bits(odds, 0, 2) == [round(2 / log(2), 2), round(-1 / log(2), 2)]


@FORMS
def test_the_role_is_the_most_probable_one(form: ModuleType) -> None:
    logits = array("f", [9, 0, 1, 0, 9, 2, 2, 1])
    roles, probabilities = form.roles(logits, 4, 1, ("a", "b", "c"))
    assert roles == ["b", "a"]
    assert probabilities == [round(1 / (1 + 2 * exp(-1)), 3), round(1 / (2 + exp(-1)), 3)]
