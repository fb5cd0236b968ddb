"""Folding of characters to the symbols of an alphabet, one by one (see `alphabet`).

folding = Folding("nonlexical")
folding.symbols[folding.number("B")]    # 'a'

The module has no arrays, so that lines are scored without numpy.
"""

from __future__ import annotations

import unicodedata

FOLDINGS = ("ascii", "nonlexical", "frequent")
# The symbol of characters beyond ASCII that have none of their own.
OTHER = "~"

_PRINTABLE_ASCII = [chr(code) for code in range(0x20, 0x7F)]
_CATEGORIES = "Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Cs Co Cn".split()


class Folding:
    """The *symbols* that characters are folded to, as `Alphabet` describes. The first is the edge of a segment. Raises
    ValueError for another folding."""

    def __init__(self, name: str, characters: str = "") -> None:
        if name not in FOLDINGS:
            raise ValueError(f"unknown folding '{name}': one of {', '.join(FOLDINGS)}")
        self.name = name
        if name == "frequent":
            symbols = [*characters, *_CATEGORIES]
        elif name == "nonlexical":
            symbols = [c for c in _PRINTABLE_ASCII if not c.isalnum() or c in "a0"]
        else:
            symbols = _PRINTABLE_ASCII
        self.symbols = ["", *symbols]
        self._numbers = {symbol: number for number, symbol in enumerate(symbols, 1)}
        # the numbers of the characters of ASCII; NUL is the edge of a segment
        self.ascii = [0, *(self.number(chr(code)) for code in range(1, 128))]

    @property
    def other(self) -> int:
        """The number of OTHER, 0 where there is no such symbol."""
        return self._numbers.get(OTHER, 0)

    def number(self, character: str) -> int:
        """The number of the symbol of a character."""
        is_ascii = character < "\x80"
        if character.isspace() and (is_ascii or self.name != "ascii"):
            character = " "
        if self.name == "frequent":
            return self._numbers.get(character) or self._numbers[unicodedata.category(character)]
        if self.name == "nonlexical":
            if character.isalpha():
                character = "a"
            elif character.isdigit():
                character = "0"
        return self._numbers.get(character) or self._numbers[" " if is_ascii else OTHER]
