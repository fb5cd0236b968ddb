"""Parameters out of range are refused."""

from __future__ import annotations

import pytest

from ncfilters.scoring.char_ngram.parameters import MAX_BITS, check_parameters


def test_parameters_in_range() -> None:
    check_parameters(1, 1e-6, -MAX_BITS, 0, 96)
    check_parameters(8, 0.9, 0, MAX_BITS, 96)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ((0, 0.5, 0, 0, 96), "n is 0"),
        ((9, 0.5, 0, 0, 96), "n is 9"),
        ((3.0, 0.5, 0, 0, 96), "n is 3.0"),
        ((3, 1, 0, 0, 96), "q is 1"),
        ((3, float("nan"), 0, 0, 96), "q is nan"),
        ((3, 0.5, float("nan"), 0, 96), "bias is nan"),
        ((3, 0.5, 0, -1, 96), "context is -1"),
        ((6, 0.5, 0, 0, 3031), "n is 6: too long for an alphabet of 3031 characters"),
    ],
    ids=str,
)
def test_parameters_out_of_range(wrong: tuple[int, float, float, float, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_parameters(*wrong)
