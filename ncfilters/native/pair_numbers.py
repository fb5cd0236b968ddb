"""Numbers of pairs of integers, in order of appearance.

numbers = PairNumbers()
numbers.add(7, 1), numbers.add(-1, 2), numbers.add(7, 1)    # (0, 1, 0)
numbers.find(3, 3)                                          # -1
"""

from __future__ import annotations


class PairNumbers:
    """The numbers of pairs of integers of 32 bits; *size*: how many there are."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, int], int] = {}
        self.size = 0

    def find(self, first: int, second: int) -> int:
        """The number of a pair, -1 for one that is not there."""
        return self._numbers.get((first, second), -1)

    def add(self, first: int, second: int) -> int:
        """The number of a pair, which is added if it is new: then its number is the size so far."""
        number = self._numbers.setdefault((first, second), self.size)
        self.size = len(self._numbers)
        return number
