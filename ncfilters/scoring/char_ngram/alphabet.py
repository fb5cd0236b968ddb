"""The alphabet of a character n-gram model: every character is folded to one of a few symbols (Evert 2008, section 3).

Alphabet("nonlexical").codes("The answer is 42.")    # the symbols of "aaa aaaaaa aa 00.", as numbers
"""

from __future__ import annotations

import unicodedata
from typing import Any

import numpy as np
from numpy.typing import NDArray

_UNKNOWN = 0xFFFF
_CONTINUATION_BYTES = bytes(range(0x80, 0xC0))

FOLDINGS = ("ascii", "nonlexical", "frequent")
# The symbol of characters beyond ASCII that have none of their own.
OTHER = "~"

_PRINTABLE_ASCII = [chr(code) for code in range(0x20, 0x7F)]
_CATEGORIES = "Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Cs Co Cn".split()


class Alphabet:
    """The symbols 1 … size - 1 that characters are folded to. Symbol 0 is the edge of a segment.

    The folding `ascii` keeps printable ASCII and folds other characters to `~`. `nonlexical` also folds letters to `a`
    and digits to `0` (Evert 2008, section 3). `frequent` has a symbol for each of *characters*, and one for all others
    of each Unicode category. Raises ValueError for another folding.
    """

    def __init__(self, folding: str, characters: str = "") -> None:
        self._folding = Folding(folding, characters)
        self.folding, self.characters = folding, characters
        self.symbols = self._folding.symbols
        self.size = len(self.symbols)
        self._table = np.full(0x110000, _UNKNOWN, np.uint16)
        self._table[:128] = self._folding.ascii
        # In UTF-8 a character has one byte that is no continuation byte: for the folding ascii that byte suffices.
        self._bytes = bytes(self._folding.ascii) + bytes([self._folding.other] * 128) if self.size <= 256 else None

    def codes(self, text: str) -> NDArray[Any]:
        """The symbols of a text as numbers (shape: characters). NUL is the edge of a segment."""
        if self._bytes and text.isascii():
            return np.frombuffer(text.encode().translate(self._bytes), np.uint8)
        if self._bytes and self.folding == "ascii":
            data = text.encode("utf-8", "surrogatepass")
            return np.frombuffer(data.translate(self._bytes, _CONTINUATION_BYTES), np.uint8)
        code_points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        codes = self._table.take(code_points)
        if codes.max(initial=0) == _UNKNOWN:
            new = np.unique(code_points[codes == _UNKNOWN])
            self._table[new] = [self._folding.number(chr(code)) for code in new]
            codes = self._table.take(code_points)
        return codes

    def header(self) -> dict[str, Any]:
        """The parameters for the model file."""
        return {"folding": self.folding, **({"characters": self.characters} if self.characters else {})}


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
