"""Sets of characters, and whether texts have some of them, or others.

    signs = CharacterSet("a-z|")    # ranges and characters, as in a class of a regular expression
    signs.is_in("a | b"), signs.has_all("a|b")    # (True, True)
    signs.without("a 1"), signs.places("a 1")     # (" 1", [0])

What is searched for is below MAX_CHARACTER; no other character is in a set.
"""

from __future__ import annotations

import re
from functools import cached_property

MAX_CHARACTER = 0x1FFFF


class CharacterSet:
    """The characters of some ranges, none of which is a backslash or a bracket."""

    def __init__(self, ranges: str) -> None:
        self._ranges = ranges

    @cached_property
    def _any(self) -> re.Pattern[str]:
        return re.compile(f"[{self._ranges}]")

    @cached_property
    def _other(self) -> re.Pattern[str]:
        return re.compile(f"[^{self._ranges}]")

    def is_in(self, text: str) -> bool:
        """Whether a text has a character of the set."""
        return self._any.search(text) is not None

    def has_all(self, text: str) -> bool:
        """Whether all characters of a text are in the set."""
        return self._other.search(text) is None

    def without(self, text: str) -> str:
        """A text without the characters of the set; the same object if it has none."""
        return self._any.sub("", text)

    def places(self, text: str) -> list[int]:
        """The places of the characters of the set in a text."""
        return [sign.start() for sign in self._any.finditer(text)]
