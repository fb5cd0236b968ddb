"""The options of decision policies are checked when they are created."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.selection.options import PolicyOptions


@pytest.mark.parametrize("method", ["expected", "viterbi", "page"])
@pytest.mark.parametrize("option", [{"threshold": 0.0}, {"per_char": True}])
def test_thresholds_need_a_method_that_has_one(method: str, option: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"^{next(iter(option))}: only with the methods threshold and justext$"):
        PolicyOptions(method, **option)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"per_char": True, "favour": "recall"}, "favour: not with per_char"),
        ({"method": "justext", "favour": "recall"}, "favour: not with the method justext"),
        ({"method": "best"}, "method: auto, threshold, expected, viterbi, page or justext is wanted, not 'best'"),
        ({"favour": "speed"}, "favour: precision, balance or recall is wanted, not 'speed'"),
    ],
)
def test_options_that_exclude_each_other_are_errors(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as error:
        PolicyOptions(**options)
    assert str(error.value) == message
