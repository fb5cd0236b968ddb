"""Characters folded to the few that an n-gram model counts (Evert 2008, section 3).

Folding("nonlexical").codes("The answer is 42.")    # the cells of "aaa aaaaaa aa 00."
"""

from __future__ import annotations

import unicodedata
from typing import Any

import numpy as np
from numpy.typing import NDArray

_UNKNOWN = 0xFFFF
_CONTINUATION = bytes(range(0x80, 0xC0))
_ASCII = [chr(code) for code in range(0x20, 0x7F)]
_CATEGORIES = "Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Cs Co Cn".split()


class Alphabet:
    """Characters to cells 1 … size - 1; cell 0 is the edge of a segment.

    `ascii` keeps printable ASCII and folds the rest to `~`; `nonlexical` also folds letters to `a` and digits to `0`
    (Evert 2008, section 3); `frequent` gives each of *characters* its cell and the rest one for each Unicode category.
    """

    def __init__(self, name: str, characters: str = "") -> None:
        if name not in FOLDINGS:
            raise ValueError(f"unknown folding '{name}': one of {', '.join(FOLDINGS)}")
        self.name, self.characters = name, characters
        if name == "frequent":
            cells = [*characters, *_CATEGORIES]
        elif name == "nonlexical":
            cells = [c for c in _ASCII if not c.isalnum() or c in "a0"]
        else:
            cells = _ASCII
        self.cells = {cell: number for number, cell in enumerate(cells, 1)}
        self.symbols = ["", *cells]
        self.size = len(cells) + 1
        self._table = np.full(0x110000, _UNKNOWN, np.uint16)
        self._table[0] = 0
        ascii_cells = [0, *(self._cell(code) for code in range(1, 128))]
        self._table[:128] = ascii_cells
        # In UTF-8 a character is one byte that does not continue another: all the ascii folding needs.
        self._bytes = bytes(ascii_cells) + bytes([self.cells.get("~", 0)] * 128) if self.size <= 256 else None
        self._any_text = name == "ascii"

    def _cell(self, code: int) -> int:
        character = chr(code)
        if character.isspace() and (code < 128 or self.name != "ascii"):
            character = " "
        if self.name == "frequent":
            return self.cells.get(character) or self.cells[unicodedata.category(character)]
        if self.name == "nonlexical":
            if character.isalpha():
                character = "a"
            elif character.isdigit():
                character = "0"
        return self.cells.get(character) or self.cells["~" if code > 127 else " "]

    def codes(self, text: str) -> NDArray[Any]:
        """The cells of *text*, one for each character; NUL is the edge of a segment."""
        if self._bytes and text.isascii():
            return np.frombuffer(text.encode().translate(self._bytes), np.uint8)
        if self._bytes and self._any_text:
            return np.frombuffer(text.encode("utf-8", "surrogatepass").translate(self._bytes, _CONTINUATION), np.uint8)
        code_points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        cells = self._table.take(code_points)
        if cells.max(initial=0) == _UNKNOWN:
            new = np.unique(code_points[cells == _UNKNOWN])
            self._table[new] = [self._cell(int(code)) for code in new]
            cells = self._table.take(code_points)
        return cells

    def header(self) -> dict[str, Any]:
        """What rebuilds it."""
        return {"folding": self.name, **({"characters": self.characters} if self.characters else {})}


FOLDINGS = ("ascii", "nonlexical", "frequent")
