"""Functions of the compiled cores where memory ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


def failures_without_memory(function: Callable[[], Any], tries: int) -> int:
    """How often a function raises MemoryError when the first, the second … of so many allocations fails. Asserts that
    it has no other result than usual; skips the test without _testcapi."""
    testcapi = pytest.importorskip("_testcapi")
    expected, failed = function(), 0
    for number in range(tries):
        result = None
        try:
            testcapi.set_nomemory(number, number + 1)
            result = function()
        except MemoryError:
            failed += 1
        finally:
            testcapi.remove_mem_hooks()
        assert result in (None, expected)
    return failed
