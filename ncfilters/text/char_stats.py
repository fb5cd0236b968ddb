"""Character statistics of many texts at once: words, sentences, capitals, digits, signs.

    count_characters(["Is this clean?"]).words    # [3.0]

The texts are joined and encoded once. A table maps each byte of the UTF-8 to its class, and only bytes that are not
plain letters are examined further. `scripts` has the length of a word in scripts without spaces.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from . import sentence_ends
from .scripts import CHARS_PER_WORD, LETTERS_PER_PHRASE

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

# Classes of bytes. PLAIN bytes are not counted: lower-case ASCII letters, and bytes that continue a character.
PLAIN, END, UPPER, DIGIT, SPACE, STOP, COMMA, MARK, SYMBOL, BRACKET, SIGN, LETTER, WIDE = range(13)
CLASSES = 13
# The last byte of a full stop beyond ASCII.
FOREIGN_STOP = CLASSES
SEPARATOR = "\0"
_TABLE = bytearray([MARK]) * 256
for _class, _bytes in {
    PLAIN: [*range(ord("a"), ord("z") + 1), *range(0x80, 0xC0)],
    END: [0],
    UPPER: range(ord("A"), ord("Z") + 1),
    DIGIT: range(ord("0"), ord("9") + 1),
    SPACE: b" \t\n\r\f\v",
    STOP: b".!?",
    COMMA: b",;:",
    SYMBOL: b"$|@#*/\\<>=_+~^&%",
    BRACKET: b"()[]{}\"'-",
    # Latin signs, general punctuation, pictographs; letters of other alphabets; kana, ideographs and their punctuation
    SIGN: [0xC0, 0xC1, 0xC2, 0xE2, 0xEE, *range(0xF0, 0x100)],
    LETTER: [*range(0xC3, 0xE0), 0xE0, 0xE1, *range(0xEA, 0xEE)],
    WIDE: [*range(0xE3, 0xEA), 0xEF],
}.items():
    for _byte in _bytes:
        _TABLE[_byte] = _class
# Full stops beyond ASCII: their UTF-8 as a number of three bytes, of two-byte characters the first two.
_FULL_STOPS = np.array([int.from_bytes(stop.encode().ljust(3, b"\0"), "big") for stop in sentence_ends.FOREIGN_STOPS])
# Closing quotes and brackets that may follow a full stop: of three bytes, and of two.
_CLOSING = np.array([int.from_bytes(mark.encode(), "big") for mark in sentence_ends.WIDE_CLOSING])
_CLOSING_LATIN = int.from_bytes(sentence_ends.LATIN_CLOSING.encode(), "big")


def space_table(kept: Callable[[str], bool]) -> bytes:
    """A table for `bytes.translate` of UTF-8: the *kept* ASCII characters in lower case; spaces for others."""
    return bytes(ord(chr(c).lower()) if kept(chr(c)) else ord(" ") for c in range(128)) + bytes(range(128, 256))


@dataclass(frozen=True)
class CharStats:
    """The numbers of each text (shape: texts): `chars`; `words`; `sentences` that end in it; `titles`, words that begin
    with a capital; `kinds`, bytes of each class (shape: classes, texts; without PLAIN and END); `first` and `last`, the
    classes of its first and last byte. `last` is STOP for full stops of all scripts, also before a closing quote."""

    chars: Floats
    words: Floats
    sentences: Floats
    titles: Floats
    kinds: Floats
    first: NDArray[np.uint8]
    last: NDArray[np.uint8]


def count_characters(texts: Sequence[str]) -> CharStats:
    """The statistics of texts. Case is counted for ASCII letters only. Linear in the texts."""
    n = len(texts)
    if not n:
        none, no_class = np.zeros(0, np.float32), np.zeros(0, np.uint8)
        return CharStats(none, none, none, none, np.zeros((CLASSES, 0), np.float32), no_class, no_class)
    # two more separators, so that three bytes can be read at every place
    data = join_texts(texts) + b"\0\0"
    raw = np.frombuffer(data, np.uint8)
    classes = np.frombuffer(bytearray(data).translate(_TABLE), np.uint8)
    where = np.flatnonzero(classes[:-2] != PLAIN)
    kind = classes[where]
    ends = np.flatnonzero(kind == END)
    text = np.repeat(np.arange(n), np.diff(ends, prepend=-1))
    kinds = np.bincount(text * CLASSES + kind, minlength=n * CLASSES).reshape(n, CLASSES).T.astype(np.float32)
    end = where[ends]
    start = np.concatenate([end[:1] * 0, end[:-1] + 1])

    stops = np.flatnonzero(kind == STOP)
    stops = stops[classes[where[stops] + 1] == SPACE]
    foreign = np.flatnonzero(kind >= LETTER)
    if len(foreign):  # no space follows their full stops
        at = where[foreign]
        code = _number(raw, at, 3)
        code[raw[at] < 0xE0] &= 0xFFFF00
        full = np.isin(code, _FULL_STOPS)
        stops = np.concatenate([stops, foreign[full]])
        at = at[full]
        classes[at + 1 + (raw[at] >= 0xE0)] = FOREIGN_STOP
    last = _last(raw, classes, end)
    sentences = np.bincount(text[stops], minlength=n) + (last == STOP)
    last[last == FOREIGN_STOP] = STOP
    capitals = np.flatnonzero(kind == UPPER)
    before = classes[where[capitals] - 1]
    titles = capitals[(before == SPACE) | (before == END)]

    chars = np.fromiter(map(len, texts), np.int64, n).astype(np.float32)
    letters = kinds[LETTER]
    # the bytes that are not counted are lower-case letters
    others = chars - kinds[DIGIT + 1 :].sum(axis=0) + letters > 0
    words = np.maximum(kinds[SPACE] + others + kinds[WIDE] / CHARS_PER_WORD, letters / LETTERS_PER_PHRASE).astype(
        np.float32
    )
    return CharStats(
        chars,
        words,
        sentences.astype(np.float32),
        np.bincount(text[titles], minlength=n).astype(np.float32),
        kinds,
        classes[start],
        last,
    )


def prefixes(texts: Sequence[str], length: int) -> list[str]:
    """The first *length* characters of each text, in lower case if the text is not ASCII.

    `space_table` gives ASCII its lower case.
    """
    return [text[:length] if text.isascii() else text[:length].lower() for text in texts]


def join_texts(texts: Sequence[str]) -> bytes:
    """The texts in UTF-8, each followed by SEPARATOR; a SEPARATOR in a text becomes a space."""
    out = SEPARATOR.join(texts) + SEPARATOR if texts else ""
    if out.count(SEPARATOR) > len(texts):
        out = SEPARATOR.join([text.replace(SEPARATOR, " ") for text in texts]) + SEPARATOR
    return out.encode("utf-8", "surrogatepass")


def _number(raw: NDArray[np.uint8], at: Ints, length: int) -> Ints:
    """The *length* bytes from each place as a big-endian number."""
    out = raw[at].astype(np.int64)
    for place in range(1, length):
        out = (out << 8) + raw[at + place]
    return out


def _last(raw: NDArray[np.uint8], classes: NDArray[np.uint8], end: Ints) -> NDArray[np.uint8]:
    """The class of the last byte of texts that end before *end*, or of the byte before a closing quote if that is a
    full stop. MARK for signs that are not quotes; END for empty texts."""
    out = classes[end - 1]
    before = end - 2
    before[out != BRACKET] = -1  # a separator
    foreign = np.flatnonzero((out == PLAIN) & (raw[end - 1] >= 0x80))
    if len(foreign):
        at = end[foreign]
        sign = (raw[at - 3] == 0xE2) | (raw[at - 2] == 0xC2)
        out[foreign[sign]] = MARK
        before[foreign] = np.where(
            np.isin(_number(raw, at - 3, 3), _CLOSING),
            at - 4,
            np.where(_number(raw, at - 2, 2) == _CLOSING_LATIN, at - 3, -1),
        )
    inner = classes[before]
    stopped = (inner == STOP) | (inner == FOREIGN_STOP)
    out[stopped] = inner[stopped]
    return out
