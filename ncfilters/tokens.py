"""Texts cut into words, many at once: as PyPlexity cuts them, by our own rule, or at spaces.

    cut(["The cat, sat."], "pyplexity").words()      # [["the", "cat", ",sat", "."]]

A word is where it stands in the UTF-8 bytes of all texts: no text is copied word by word. Which bytes begin and end
words is looked up in a table; only what depends on more than one byte is found before.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import regex
from numpy.typing import NDArray

from .align import WORD

Bytes = NDArray[np.uint8]
Places = NDArray[np.int64]

# What a byte is: between words, the first of a word, the last of a word; a word in itself is both.
SPACE, FIRST, LAST = 1, 2, 4
# Characters that may stand between texts, being in none; PyPlexity takes none of them for a space.
SEPARATORS = "\0\1\2\3\4\5\6\7"

_TOKEN = regex.compile(WORD.pattern + r"|\S", regex.VERSION1)


@dataclass(frozen=True)
class Cut:
    """Texts as words: each stands in *data* from *starts* to *ends*; *lengths* is how many words each text has."""

    data: Bytes
    starts: Places
    ends: Places
    lengths: Places

    def words(self) -> list[list[str]]:
        """The words of each text, spelled out."""
        whole = self.data.tobytes()
        found = [whole[start:end].decode() for start, end in zip(self.starts.tolist(), self.ends.tolist())]
        out, at = [], 0
        for length in self.lengths.tolist():
            out.append(found[at : at + length])
            at += length
        return out


def cut(texts: Sequence[str], how: str) -> Cut:
    """The words of texts. Raises KeyError for a tokenisation that is none of `TOKENS`."""
    cutter = TOKENS[how]
    between = next((one for one in SEPARATORS if not any(one in text for text in texts)), None)
    if between is None and len(texts) > 1:
        return _joined([cut([text], how) for text in texts])
    return cutter(texts, between or SEPARATORS[0] * (len(texts) > 1))


def _joined(parts: Sequence[Cut]) -> Cut:
    ends = np.cumsum([len(part.data) for part in parts])
    return Cut(
        np.concatenate([part.data for part in parts]),
        np.concatenate([part.starts + end - len(part.data) for part, end in zip(parts, ends)]),
        np.concatenate([part.ends + end - len(part.data) for part, end in zip(parts, ends)]),
        np.concatenate([part.lengths for part in parts]),
    )


def _spans(data: Bytes, flags: Bytes, between: str) -> Cut:
    """The words of bytes that are flagged, *between* texts a separator."""
    space = (flags & SPACE) != 0
    if not between:
        lengths = None
    else:
        borders = np.flatnonzero(data == ord(between))
        space[borders] = True
    word = ~space
    begins = (flags & FIRST) != 0
    begins[1:] |= space[:-1] | ((flags[:-1] & LAST) != 0)
    begins[:1] = True
    stops = (flags & LAST) != 0
    stops[:-1] |= space[1:] | ((flags[1:] & FIRST) != 0)
    stops[-1:] = True
    starts, ends = np.flatnonzero(begins & word), np.flatnonzero(stops & word) + 1
    if not between:
        lengths = np.array([len(starts)])
    else:
        lengths = np.diff(np.searchsorted(starts, borders), prepend=0, append=len(starts))
    return Cut(data, starts, ends, lengths)


def _table(spaces: bytes, first: bytes, alone: bytes) -> Bytes:
    """What each byte is."""
    table = np.zeros(256, np.uint8)
    for some, flag in ((spaces, SPACE), (first, FIRST), (alone, FIRST | LAST)):
        table[list(some)] |= flag
    return table


# ---- as PyPlexity ---------------------------------------------------------------------------------------------

# Its 20 substitutions only put spaces around characters, or before them; all else is lower case and a split at spaces.
_PYPLEXITY = _table(b"\t\n\v\f\r\x1c\x1d\x1e\x1f ", b",;:", b"()\"<>='`?!")
_LOWER = bytes(range(65)) + bytes(range(97, 123)) + bytes(range(91, 256))
# The letters with accents that it knows the lower case of: Á É Í Ó Ú Ç Ã Õ Â Ê Ô À È, of two bytes in UTF-8.
_ACCENTED = np.isin(np.arange(256), [ord(letter) - 0x40 for letter in "ÁÉÍÓÚÇÃÕÂÊÔÀÈ"])
# Spaces of more than a byte, as Python's \s has them, by their first byte.
_WIDE = {
    0xC2: ("\x85", "\xa0"),
    0xE1: ("\u1680",),
    0xE2: (*map(chr, range(0x2000, 0x200B)), "\u2028", "\u2029", "\u202f", "\u205f"),
    0xE3: ("\u3000",),
}


@lru_cache(len(SEPARATORS) + 1)
def _stop(between: str) -> re.Pattern[str]:
    r"""A full stop that is a word of its own: before a space, when the word after that is lost (its `\. [\w]*`); before
    a comma, semicolon or colon, as it puts a space there first; and at the end of a text."""
    return re.compile(rf"\.(?: \w*|(?=[,;:]|\n?(?:\Z{'|' + re.escape(between) if between else ''})))")


def _pyplexity(texts: Sequence[str], between: str) -> Cut:
    text = _stop(between).sub(" . ", between.join(texts))
    try:
        raw = text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair is no character
        raw = re.sub("[\ud800-\udfff]", "\ufffd", text).encode()
    data = np.frombuffer(bytearray(raw.translate(_LOWER)), np.uint8)
    flags = _PYPLEXITY[data]
    if not text.isascii():
        _beyond_ascii(data, flags)
    return _spans(data, flags, between)


def _beyond_ascii(data: Bytes, flags: Bytes) -> None:
    """Does to letters with accents, spaces and marks of more than a byte what is done to those of one."""
    at = np.flatnonzero(data == 0xC3) + 1
    data[at[_ACCENTED[data[at]]]] += 0x20
    for first, spaces in _WIDE.items():
        at = np.flatnonzero(data == first)
        if first == 0xC2:
            marks = at[(data[at + 1] == 0xBF) | (data[at + 1] == 0xA1)]  # ¿ ¡
            flags[marks] |= FIRST
            flags[marks + 1] |= LAST
        for space in spaces:
            rest = space.encode()[1:]
            here = at
            for place, byte in enumerate(rest, 1):
                here = here[data[here + place] == byte]
            for place in range(len(rest) + 1):
                flags[here + place] = SPACE


# ---- our own, and at spaces -----------------------------------------------------------------------------------

_WORDS = _table(b"\t\n\v\f\r ", b"", bytes(c for c in range(128) if not re.match(r"[\w\s]", chr(c), re.ASCII)))
_SPACES = _table(b"\t\n\v\f\r\x1c\x1d\x1e\x1f ", b"", b"")


def tokens(text: str) -> list[str]:
    """The words of *text* in lower case (see `align`), and each other character that is no space."""
    found: list[str] = _TOKEN.findall(unicodedata.normalize("NFC", text).lower())
    return found


def _words(texts: Sequence[str], between: str) -> Cut:
    ready = between.join(text if text.isascii() else " ".join(tokens(text)) for text in texts)
    data = np.frombuffer(ready.encode("utf-8", "replace").translate(_LOWER), np.uint8)
    return _spans(data, _WORDS[data], between)


def _at_spaces(texts: Sequence[str], between: str) -> Cut:
    ready = between.join(text if text.isascii() else " ".join(text.split()) for text in texts)
    data = np.frombuffer(ready.encode("utf-8", "replace"), np.uint8)
    return _spans(data, _SPACES[data], between)


# How texts may be cut, by the name that model files have for it.
TOKENS: dict[str, Callable[[Sequence[str], str], Cut]] = {
    "pyplexity": _pyplexity,
    "words": _words,
    "spaces": _at_spaces,
}
