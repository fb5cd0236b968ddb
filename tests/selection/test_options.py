"""The options of decision policies are checked when they are created."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.selection.options import PolicyOptions


@pytest.mark.parametrize("method", ["expected", "viterbi"])
def test_thresholds_need_a_method_that_has_one(method: str) -> None:
    with pytest.raises(ValueError, match="^threshold: requires the method threshold or justext$"):
        PolicyOptions(method, threshold=0.0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "justext", "favour": "recall"}, "favour: cannot be combined with the method justext"),
        ({"method": "best"}, "method: expected auto, threshold, expected, viterbi or justext, got 'best'"),
        ({"favour": "speed"}, "favour: expected precision, balance or recall, got 'speed'"),
    ],
)
def test_options_that_exclude_each_other_are_errors(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as error:
        PolicyOptions(**options)
    assert str(error.value) == message
