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

import numpy as np
import regex
from numpy.typing import NDArray

from .words import WORD

Bytes = NDArray[np.uint8]
Places = NDArray[np.int64]

# What a byte is: between words, the first of a word, the last of a word; a word in itself is both.
SPACE, FIRST, LAST = 1, 2, 4
# The bytes that letters with accents, spaces and marks of more than a byte begin with.
MORE = 8
# Characters that may stand behind texts, being in none; they are no spaces, and no letters.
SEPARATORS = "".join(chr(code) for code in (*range(9), *range(14, 28), 127))

_LOWER = bytes(range(65)) + bytes(range(97, 123)) + bytes(range(91, 256))
_TOKEN = regex.compile(WORD.pattern + r"|\S", regex.VERSION1)


@dataclass(frozen=True)
class TokenSpans:
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


def tokenize(texts: Sequence[str], how: str) -> TokenSpans:
    """The words of texts. Raises KeyError for a tokenisation that is none of `TOKENIZERS`."""
    by = TOKENIZERS[how]
    ready = by.prepared(texts)
    for separator in SEPARATORS:
        raw = _utf8(separator.join([*ready, ""]))
        data = np.frombuffer(bytearray(raw.translate(by.lower)), np.uint8)
        borders = np.flatnonzero(data == ord(separator))
        if len(borders) == len(ready):
            flags = np.frombuffer(bytearray(raw.translate(by.table)), np.uint8)
            by.flagged(data, flags, ord(separator))
            return _spans(data, flags, borders)
    # a text that has all of them has them for nothing
    return tokenize([text.replace(SEPARATORS[-1], "\ufffd") for text in texts], how)


def _utf8(text: str) -> bytes:
    """Half of a surrogate pair is no character."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return re.sub("[\ud800-\udfff]", "\ufffd", text).encode()


def _spans(data: Bytes, flags: Bytes, borders: Places) -> TokenSpans:
    """The words of bytes that are flagged; at *borders* is the byte behind each text."""
    flags[borders] = SPACE
    word = (flags & SPACE) == 0
    # whether there is an end of a word before each byte, and behind the last one
    parted = np.ones(len(data) + 1, bool)
    np.not_equal((flags[1:] & (SPACE | FIRST)) | (flags[:-1] & (SPACE | LAST)), 0, out=parted[1:-1])
    starts, ends = np.flatnonzero(parted[:-1] & word), np.flatnonzero(parted[1:] & word)
    ends += 1
    return TokenSpans(data, starts, ends, np.diff(np.searchsorted(starts, borders), prepend=0))


def _table(spaces: bytes, first: bytes, alone: bytes, more: bytes = b"") -> bytes:
    """What each byte is."""
    table = bytearray(256)
    for some, flag in ((spaces, SPACE), (first, FIRST), (alone, FIRST | LAST), (more, MORE)):
        for byte in some:
            table[byte] |= flag
    return bytes(table)


# ---- as PyPlexity ---------------------------------------------------------------------------------------------

# Its 20 substitutions only put spaces around characters, or before them; all else is lower case and a split at spaces.
_PYPLEXITY = _table(b"\t\n\v\f\r\x1c\x1d\x1e\x1f ", b",;:", b"()\"<>='`?!", b"\xc2\xc3\xe1\xe2\xe3")
# The letters with accents that it knows the lower case of: Á É Í Ó Ú Ç Ã Õ Â Ê Ô À È, of two bytes in UTF-8.
_ACCENTED = np.isin(np.arange(256), [ord(letter) - 0x40 for letter in "ÁÉÍÓÚÇÃÕÂÊÔÀÈ"])
# Spaces of more than a byte, as Python's \s has them, by their first byte.
_WIDE = {
    0xC2: ("\x85", "\xa0"),
    0xE1: ("\u1680",),
    0xE2: (*map(chr, range(0x2000, 0x200B)), "\u2028", "\u2029", "\u202f", "\u205f"),
    0xE3: ("\u3000",),
}
# Bytes that end a word that is lost, if those beyond ASCII are of letters.
_NO_WORD = np.array([chr(byte) != "_" and not chr(byte).isalnum() for byte in range(128)] + [False] * 128)
# Most words are shorter, in bytes; and where to look on in the others.
_WINDOW, _FAR = 16, 256
_NEWLINE, _SPACE, _COMMA, _STOP, _COLON, _SEMICOLON = b"\n ,.:;"


def _pyplexity(data: Bytes, flags: Bytes, border: int) -> None:
    _stops(data, flags, border)
    if data.max(initial=0) > 0x7F:
        _beyond_ascii(data, flags)


def _stops(data: Bytes, flags: Bytes, border: int) -> None:
    r"""Full stops that are words of their own: before a space, when the word after that is lost (its `\. [\w]*`);
    before a comma, semicolon or colon, as it puts a space there first; and at the end of a text, or before its last
    line feed."""
    stops = np.flatnonzero(data == _STOP)
    after = data[stops + 1]
    ending = (after == border) | ((after == _NEWLINE) & (data.take(stops + 2, mode="clip") == border))
    before_space = after == _SPACE
    alone = stops[ending | before_space | (after == _COMMA) | (after == _COLON) | (after == _SEMICOLON)]
    flags[alone] |= FIRST | LAST
    starts = stops[before_space] + 2
    if len(starts):
        _lose(data, flags, starts, _ends(data, starts))


def _ends(data: Bytes, starts: Places) -> Places:
    """Where words end at the latest that begin at *starts*: at a byte of ASCII that is in none."""
    window = data.take(starts[:, None] + np.arange(_WINDOW), mode="clip")
    none = _NO_WORD[window]
    ends: Places = starts + none.argmax(axis=1)
    for long in np.flatnonzero(~none.any(axis=1)).tolist():
        at = int(starts[long])
        while not (found := _NO_WORD[data[at : at + _FAR]]).any():
            at += _FAR
        ends[long] = at + found.argmax()
    return ends


def _lose(data: Bytes, flags: Bytes, starts: Places, ends: Places) -> None:
    """Makes spaces of the words that begin at *starts*, and end at *ends* or before: there bytes are none of ASCII's
    letters, and others may be of letters."""
    lengths = ends - starts
    upto = np.cumsum(lengths)
    places = np.repeat(starts - upto + lengths, lengths) + np.arange(upto[-1])
    beyond = data[places] > 0x7F
    if beyond.any():
        for run in np.unique(np.searchsorted(upto, np.flatnonzero(beyond), side="right")).tolist():
            letters = re.match(r"\w*", data[starts[run] : ends[run]].tobytes().decode())
            lengths[run] = len(letters[0].encode()) if letters else 0
        upto = np.cumsum(lengths)
        places = np.repeat(starts - upto + lengths, lengths) + np.arange(upto[-1])
    flags[places] = SPACE


def _beyond_ascii(data: Bytes, flags: Bytes) -> None:
    """Does to letters with accents, spaces and marks of more than a byte what is done to those of one."""
    more = np.flatnonzero((flags & MORE) != 0)
    first, second = data[more], data[more + 1]
    data[more[(first == 0xC3) & _ACCENTED[second]] + 1] += 0x20
    marks = more[(first == 0xC2) & ((second == 0xBF) | (second == 0xA1))]  # ¿ ¡
    flags[marks] |= FIRST
    flags[marks + 1] |= LAST
    for byte, spaces in _WIDE.items():
        some = more[first == byte]
        if len(some):
            _wide(data, flags, some, spaces)


def _wide(data: Bytes, flags: Bytes, at: Places, spaces: Sequence[str]) -> None:
    """Flags the spaces among characters that begin at these places."""
    size = len(spaces[0].encode())
    last = data[at + size - 1]
    numbers = last.astype(np.int64) if size == 2 else data[at + 1].astype(np.int64) << 8 | last
    wanted = [int.from_bytes(space.encode()[1:], "big") for space in spaces]
    here = at[np.isin(numbers, wanted)]
    for place in range(size):
        flags[here + place] = SPACE


# ---- our own, and at spaces -----------------------------------------------------------------------------------

_WORDS = _table(b"\t\n\v\f\r ", b"", bytes(c for c in range(128) if not re.match(r"[\w\s]", chr(c), re.ASCII)))
_SPACES = _table(b"\t\n\v\f\r\x1c\x1d\x1e\x1f ", b"", b"")


def tokens(text: str) -> list[str]:
    """The words of *text* in lower case (see `align`), and each other character that is no space."""
    found: list[str] = _TOKEN.findall(unicodedata.normalize("NFC", text).lower())
    return found


def _as_flagged(data: Bytes, flags: Bytes, border: int) -> None:
    """Bytes are what the table says."""


@dataclass(frozen=True)
class Tokenizer:
    """What is done to texts, how their bytes become lower case, what each is, and what more they are by others."""

    prepared: Callable[[Sequence[str]], Sequence[str]]
    lower: bytes | None
    table: bytes
    flagged: Callable[[Bytes, Bytes, int], None] = _as_flagged


# How texts may be cut, by the name that model files have for it.
TOKENIZERS = {
    "pyplexity": Tokenizer(lambda texts: texts, _LOWER, _PYPLEXITY, _pyplexity),
    "words": Tokenizer(
        lambda texts: [text if text.isascii() else " ".join(tokens(text)) for text in texts], _LOWER, _WORDS
    ),
    "spaces": Tokenizer(
        lambda texts: [text if text.isascii() else " ".join(text.split()) for text in texts], None, _SPACES
    ),
}
