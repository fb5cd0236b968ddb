"""Arrays of zeros.

zero_floats(2)    # array('f', [0.0, 0.0])
"""

from __future__ import annotations

from array import array
from typing import Any


def zero_floats(count: int) -> Any:
    """So many zeros in single precision."""
    return array("f", bytes(4 * count))


def zero_doubles(count: int) -> Any:
    """So many zeros in double precision."""
    return array("d", bytes(8 * count))


def zero_ints(count: int) -> Any:
    """So many zeros, integers of 32 bits."""
    return array("i", bytes(4 * count))
