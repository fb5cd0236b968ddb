"""Named tuples that are checked when they are made."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from ncfilters.checked import Checked


class _Limits(NamedTuple):
    low: int = 0
    high: int = 9


class Limits(Checked, _Limits):
    __slots__ = ()

    def check(self) -> None:
        if self.low > self.high:
            raise ValueError("low: expected at most high")


def test_values_are_checked_by_place_and_by_name() -> None:
    assert (Limits(), Limits(3, high=4)) == ((0, 9), (3, 4))
    assert Limits(3)._asdict() == {"low": 3, "high": 9}
    for make in (lambda: Limits(3, 2), lambda: Limits(low=10)):
        with pytest.raises(ValueError, match="low: expected at most high"):
            make()


def test_they_do_not_change() -> None:
    with pytest.raises(AttributeError):
        Limits().low = 3  # type: ignore[misc]
    with pytest.raises(AttributeError):
        Limits().other = 3  # type: ignore[attr-defined]
