"""What the parameters of an n-gram model may be.

check_parameters(n=3, q=0.5, bias=0.0, context=0.0, size=96)
"""

from __future__ import annotations

MAX_N = 8
# Beyond any score of a segment: a larger bias or context would decide alone.
MAX_BITS = 1e4
# Larger counts are taken for damage: their sums would overflow.
MAX_COUNT = 1e15
# With a smaller weight of shorter histories, odds would overflow.
MIN_Q = 1e-6


def check_parameters(n: int, q: float, bias: float, context: float, size: int) -> None:
    """Raises ValueError for values out of range (see `CharNgramParameters`), and for n-grams too long for an alphabet
    of that *size*."""
    if not isinstance(n, int) or not 1 <= n <= MAX_N:
        raise ValueError(f"n is {n}; it must be 1 to {MAX_N}")
    if not MIN_Q <= q < 1:
        raise ValueError(f"q is {q}; it must be between 0 and 1")
    if not abs(bias) <= MAX_BITS or not 0 <= context <= MAX_BITS:
        raise ValueError(f"bias is {bias}, context is {context}; at most {MAX_BITS:g} bits, and context at least 0")
    if size**n >= 1 << 63:
        raise ValueError(f"n is {n}: too long for an alphabet of {size} characters")
