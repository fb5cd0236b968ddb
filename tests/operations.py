"""Operation counts and CPU time: whether work grows in proportion to its input, on a machine of any speed and load."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Any


def num_calls(function: Callable[..., Any], *args: Any) -> int:
    """How many functions, of Python or C, are called while *function* runs."""
    count = 0

    def trace(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        if event in ("call", "c_call"):
            count += 1

    before = sys.getprofile()
    sys.setprofile(trace)
    try:
        function(*args)
    finally:
        sys.setprofile(before)
    return count


def assert_linear(function: Callable[[Any], Any], make_input: Callable[[int], Any], size: int) -> None:
    """Asserts that twice the input takes at most three times the calls; quadratic work takes four times as many.

    A limit on large inputs may begin between the two sizes, and adds calls once: then twice as much again must do.
    """
    half, whole = (num_calls(function, make_input(n)) for n in (size, 2 * size))
    if whole >= 3 * half + 1_000:
        half, whole = whole, num_calls(function, make_input(4 * size))
    assert whole < 3 * half + 1_000, f"{half} calls for half of the input, {whole} for the whole"


def assert_linear_time(function: Callable[[Any], Any], make_input: Callable[[int], Any], size: int) -> None:
    """Asserts that an input eight times as large takes at most 24 times the CPU time: quadratic work takes 64 times.
    For work that calls no functions, as regular expressions do. The smaller *size* should take milliseconds."""
    small, large = (min(_cpu_time(function, make_input(n)) for _ in range(2)) for n in (size, 8 * size))
    assert large < 24 * small + 0.01, f"{small:.4f} s for an eighth of the input, {large:.4f} s for the whole"


def _cpu_time(function: Callable[[Any], Any], data: Any) -> float:
    start = time.process_time()
    function(data)
    return time.process_time() - start
