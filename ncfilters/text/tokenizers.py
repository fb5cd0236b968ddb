"""Tokenizers for many texts at once: that of PyPlexity, words as in evaluation, and white space; and hashes of words.

    found = tokenize(["The cat, sat."], "pyplexity")
    found.words()                                         # [["the", "cat", ",sat", "."]]
    hash_spans(found.data, found.starts, found.ends)      # array([6072653856687345415, …], dtype=uint64)

A token is a span of the UTF-8 bytes of all texts: no token is copied. A table says which bytes begin and end tokens;
rules that depend on several bytes are applied first. The hash of a word is a polynomial of random numbers of its bytes:
a difference of two sums.
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

from .words import word_pattern

Bytes = NDArray[np.uint8]
Places = NDArray[np.int64]
Hashes = NDArray[np.uint64]

# Flags of a byte: between tokens, the first of a token, the last of a token. A byte that is a token is both.
SPACE, FIRST, LAST = 1, 2, 4
# The first byte of a character of several bytes that a rule may concern.
LEAD = 8
# Characters that separate texts; the first that no text contains is used. They are neither spaces nor letters.
SEPARATORS = "".join(chr(code) for code in (*range(9), *range(14, 28), 127))

# The multiplier of Knuth's multiplicative hashing (2**64 over the golden ratio, odd).
MIXER = 0x9E3779B97F4A7C15
# The base of the polynomial; the step of splitmix64, which generates the random number of each byte; its multipliers.
BASE, STEP = 0xD1342543DE82EF95, MIXER
MIXERS = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
# The hash of a word depends on at most so many bytes.
MAX_WORD_BYTES = 1 << 10
# Bytes of text hashed at a time, so that sums stay in the cache.
BLOCK_BYTES = 1 << 15

_LOWER = bytes(range(65)) + bytes(range(97, 123)) + bytes(range(91, 256))
_TOKEN = regex.compile(word_pattern().pattern + r"|\S", regex.VERSION1)


@dataclass(frozen=True)
class TokenSpans:
    """Tokens of texts: each is *data* from *starts* to *ends*; *lengths* is the number of tokens of each text."""

    data: Bytes
    starts: Places
    ends: Places
    lengths: Places

    def words(self) -> list[list[str]]:
        """The tokens of each text."""
        whole = self.data.tobytes()
        found = [whole[start:end].decode() for start, end in zip(self.starts.tolist(), self.ends.tolist())]
        out, at = [], 0
        for length in self.lengths.tolist():
            out.append(found[at : at + length])
            at += length
        return out


def tokenize(texts: Sequence[str], name: str) -> TokenSpans:
    """The tokens of texts. Raises KeyError for a name that is not in `TOKENIZERS`."""
    tokenizer = TOKENIZERS[name]
    prepared = tokenizer.prepare(texts)
    for separator in SEPARATORS:
        raw = _utf8(separator.join([*prepared, ""]))
        data = np.frombuffer(bytearray(raw.translate(tokenizer.lower)), np.uint8)
        borders = np.flatnonzero(data == ord(separator))
        if len(borders) == len(prepared):
            flags = np.frombuffer(bytearray(raw.translate(tokenizer.table)), np.uint8)
            tokenizer.set_flags(data, flags, ord(separator))
            return _spans(data, flags, borders)
    # if a text contains all separators, one of them, which has no meaning, is removed
    return tokenize([text.replace(SEPARATORS[-1], "\ufffd") for text in texts], name)


def _utf8(text: str) -> bytes:
    """The text in UTF-8, with U+FFFD for lone surrogates."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return re.sub("[\ud800-\udfff]", "\ufffd", text).encode()


def _spans(data: Bytes, flags: Bytes, borders: Places) -> TokenSpans:
    """The tokens of flagged bytes; *borders* are the positions of the separators after texts."""
    flags[borders] = SPACE
    word = (flags & SPACE) == 0
    # whether a token ends before each byte, and after the last one
    parted = np.ones(len(data) + 1, bool)
    np.not_equal((flags[1:] & (SPACE | FIRST)) | (flags[:-1] & (SPACE | LAST)), 0, out=parted[1:-1])
    starts, ends = np.flatnonzero(parted[:-1] & word), np.flatnonzero(parted[1:] & word)
    ends += 1
    return TokenSpans(data, starts, ends, np.diff(np.searchsorted(starts, borders), prepend=0))


def _table(spaces: bytes, first: bytes, alone: bytes, more: bytes = b"") -> bytes:
    """The flags of each byte."""
    table = bytearray(256)
    for some, flag in ((spaces, SPACE), (first, FIRST), (alone, FIRST | LAST), (more, LEAD)):
        for byte in some:
            table[byte] |= flag
    return bytes(table)


# ---- as PyPlexity ---------------------------------------------------------------------------------------------

# Its 20 substitutions only put spaces around characters or before them. Lower case and a split at spaces follow.
_PYPLEXITY = _table(b"\t\n\v\f\r\x1c\x1d\x1e\x1f ", b",;:", b"()\"<>='`?!", b"\xc2\xc3\xe1\xe2\xe3")
# The accented letters whose lower case it has: Á É Í Ó Ú Ç Ã Õ Â Ê Ô À È, of two bytes in UTF-8.
_ACCENTED = np.isin(np.arange(256), [ord(letter) - 0x40 for letter in "ÁÉÍÓÚÇÃÕÂÊÔÀÈ"])
# The spaces of Python's \s that have several bytes, by their first byte.
_WIDE = {
    0xC2: ("\x85", "\xa0"),
    0xE1: ("\u1680",),
    0xE2: (*map(chr, range(0x2000, 0x200B)), "\u2028", "\u2029", "\u202f", "\u205f"),
    0xE3: ("\u3000",),
}
# Bytes that end a word that is dropped, if bytes beyond ASCII belong to letters.
_WORD_END = np.array([chr(byte) != "_" and not chr(byte).isalnum() for byte in range(128)] + [False] * 128)
# Bytes that are searched for the end of a word at once. Most words are shorter; longer ones are searched again.
_WINDOW, _LONG_WINDOW = 16, 256
_NEWLINE, _SPACE, _COMMA, _STOP, _COLON, _SEMICOLON = b"\n ,.:;"


def _pyplexity(data: Bytes, flags: Bytes, border: int) -> None:
    _stops(data, flags, border)
    if data.max(initial=0) > 0x7F:
        _beyond_ascii(data, flags)


def _stops(data: Bytes, flags: Bytes, border: int) -> None:
    r"""Flags full stops that are tokens.

    These are full stops before a space, where the next word is dropped (PyPlexity's `\. [\w]*`); before a comma,
    semicolon or colon, where PyPlexity has put a space; and at the end of a text, or before its last line feed.
    """
    stops = np.flatnonzero(data == _STOP)
    after = data[stops + 1]
    ending = (after == border) | ((after == _NEWLINE) & (data.take(stops + 2, mode="clip") == border))
    before_space = after == _SPACE
    alone = stops[ending | before_space | (after == _COMMA) | (after == _COLON) | (after == _SEMICOLON)]
    flags[alone] |= FIRST | LAST
    starts = stops[before_space] + 2
    if len(starts):
        _drop(data, flags, starts, _ends(data, starts))


def _ends(data: Bytes, starts: Places) -> Places:
    """Upper bounds for the ends of words that begin at *starts*: the next ASCII byte that is in no word."""
    window = data.take(starts[:, None] + np.arange(_WINDOW), mode="clip")
    none = _WORD_END[window]
    ends: Places = starts + none.argmax(axis=1)
    for long in np.flatnonzero(~none.any(axis=1)).tolist():
        at = int(starts[long])
        while not (found := _WORD_END[data[at : at + _LONG_WINDOW]]).any():
            at += _LONG_WINDOW
        ends[long] = at + found.argmax()
    return ends


def _drop(data: Bytes, flags: Bytes, starts: Places, ends: Places) -> None:
    """Flags words as spaces that begin at *starts* and end at *ends* or before, where bytes beyond ASCII may be
    letters."""
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
    """Applies the rules for lower case, marks and spaces to characters of several bytes."""
    more = np.flatnonzero((flags & LEAD) != 0)
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
    """Flags the spaces among the characters that begin at these places."""
    size = len(spaces[0].encode())
    last = data[at + size - 1]
    numbers = last.astype(np.int64) if size == 2 else data[at + 1].astype(np.int64) << 8 | last
    wanted = [int.from_bytes(space.encode()[1:], "big") for space in spaces]
    here = at[np.isin(numbers, wanted)]
    for place in range(size):
        flags[here + place] = SPACE


# ---- words, and at spaces -----------------------------------------------------------------------------------

_WORDS = _table(b"\t\n\v\f\r ", b"", bytes(c for c in range(128) if not re.match(r"[\w\s]", chr(c), re.ASCII)))
_SPACES = _table(b"\t\n\v\f\r\x1c\x1d\x1e\x1f ", b"", b"")


def tokens(text: str) -> list[str]:
    """The words of *text* in lower case (see `words`), and every other character that is not a space."""
    found: list[str] = _TOKEN.findall(unicodedata.normalize("NFC", text).lower())
    return found


def _keep_flags(data: Bytes, flags: Bytes, border: int) -> None:
    """The rule of tables that need no further flags."""


@dataclass(frozen=True)
class Tokenizer:
    """A tokenizer: how it prepares texts, its tables of lower case and flags, and its rules for several bytes."""

    prepare: Callable[[Sequence[str]], Sequence[str]]
    lower: bytes | None
    table: bytes
    set_flags: Callable[[Bytes, Bytes, int], None] = _keep_flags


# The tokenizers by their names in model files.
TOKENIZERS = {
    "pyplexity": Tokenizer(lambda texts: texts, _LOWER, _PYPLEXITY, _pyplexity),
    "words": Tokenizer(
        lambda texts: [text if text.isascii() else " ".join(tokens(text)) for text in texts], _LOWER, _WORDS
    ),
    "spaces": Tokenizer(
        lambda texts: [text if text.isascii() else " ".join(text.split()) for text in texts], None, _SPACES
    ),
}


# ---- hashes of words ----------------------------------------------------------------------------------------


def hash_spans(data: Bytes, starts: Places, ends: Places) -> Hashes:
    """The hashes of the words from *starts* to *ends* in *data*: ascending spans that do not overlap."""
    ends = np.minimum(ends, starts + MAX_WORD_BYTES)
    out = np.zeros(len(starts), np.uint64)
    first = 0
    while first < len(starts):
        at = int(starts[first])
        last = max(int(np.searchsorted(ends, at + BLOCK_BYTES, side="right")), first + 1)
        out[first:last] = _block(data[at : int(ends[last - 1])], starts[first:last] - at, ends[first:last] - at)
        first = last
    out ^= out >> np.uint64(32)
    out *= np.uint64(MIXERS[0])
    out ^= out >> np.uint64(29)
    return out


def _block(data: Bytes, starts: Places, ends: Places) -> Hashes:
    """The polynomials of words, before they are mixed."""
    of_byte, powers, inverses = _constants()
    each = of_byte.take(data)
    each *= powers[: len(data)]
    sums = np.zeros(len(data) + 1, np.uint64)
    np.cumsum(each, out=sums[1:])
    found: Hashes = sums.take(ends)
    found -= sums.take(starts)
    found *= inverses.take(starts)
    return found


@lru_cache(1)
def _constants() -> tuple[Hashes, Hashes, Hashes]:
    """A random number for each byte (splitmix64, Steele, Lea and Flood 2014), powers of the base, their inverses."""
    of_byte = np.arange(1, 257, dtype=np.uint64) * np.uint64(STEP)
    for shift, mixer in zip((30, 27), MIXERS):
        of_byte = (of_byte ^ (of_byte >> np.uint64(shift))) * np.uint64(mixer)
    of_byte ^= of_byte >> np.uint64(31)
    size = max(BLOCK_BYTES, MAX_WORD_BYTES) + 1
    bases = [np.full(size, base, np.uint64) for base in (BASE, pow(BASE, -1, 1 << 64))]
    for powers in bases:
        powers[0] = 1
        np.multiply.accumulate(powers, out=powers)
    return of_byte, bases[0], bases[1]
