"""Character statistics of a text: words, sentences, capitals, digits, signs.

    out = array("f", bytes(4 * CHAR_COLUMNS))
    count_characters(b"Is this clean?", 14, array("i", bytes(4 * CLASSES)), out, 0)
    out[WORDS]    # 3.0

The UTF-8 is read byte by byte: a table maps each byte to its class (see `char_classes`). `scripts` has the length of a
word in scripts without spaces. Case is counted for ASCII letters only.
"""

from __future__ import annotations

from typing import Any

from . import char_classes, scripts
from .char_classes import (
    BRACKET,
    CHARS,
    CLASSES,
    COMMA,
    COMMAS,
    DIGIT,
    DIGITS,
    END,
    FIRST,
    FOREIGN,
    FOREIGN_STOP,
    LAST,
    LETTER,
    MARK,
    PLAIN,
    PUNCTUATION,
    SENTENCES,
    SIGN,
    SPACE,
    STOP,
    SYMBOL,
    SYMBOLS,
    TITLES,
    UPPER,
    UPPERS,
    WIDE,
    WORDS,
)

# Typed copies.
_CLASS_OF, _STOPS, _CLOSING, _CLOSING_LATIN = (
    char_classes.CLASS_OF,
    char_classes.FOREIGN_STOPS,
    char_classes.CLOSING,
    char_classes.CLOSING_LATIN,
)
_CHARS_PER_WORD, _LETTERS_PER_PHRASE = scripts.CHARS_PER_WORD, scripts.LETTERS_PER_PHRASE


def count_characters(data: bytes, chars: int, counts: Any, out: Any, row: int) -> None:
    """Writes the numbers of a text of so many characters, whose UTF-8 is *data*, to *out* from *row* on (floats;
    CHAR_COLUMNS). *counts*: room for CLASSES integers."""
    stops = titles = others = 0
    size = len(data)
    for number in range(CLASSES):
        counts[number] = 0
    before = SPACE
    at = -1
    for byte in data:
        at += 1
        kind = _CLASS_OF[byte]
        if kind != PLAIN:
            counts[kind] += 1
            if kind == STOP:
                stops += at + 1 < size and _CLASS_OF[data[at + 1]] == SPACE
            elif kind == UPPER:
                titles += before == SPACE
            elif kind >= LETTER:
                stops += _is_foreign_stop(data, at, size)
        before = kind
    for number in range(SPACE, CLASSES):
        others += counts[number]
    last = _last_class(data, size)
    out[row + CHARS] = chars
    # the bytes that are not counted are lower-case letters
    out[row + WORDS] = counts[WIDE] / _CHARS_PER_WORD
    out[row + WORDS] += counts[SPACE] + (chars - others + counts[LETTER] > 0)
    phrases = counts[LETTER] / _LETTERS_PER_PHRASE
    if phrases > out[row + WORDS]:
        out[row + WORDS] = phrases
    out[row + SENTENCES] = stops + (last == STOP)
    out[row + TITLES] = titles
    out[row + UPPERS] = counts[UPPER]
    out[row + DIGITS] = counts[DIGIT]
    out[row + COMMAS] = counts[COMMA]
    out[row + PUNCTUATION] = counts[MARK] + counts[BRACKET] + counts[SYMBOL]
    out[row + SYMBOLS] = counts[SYMBOL]
    out[row + FOREIGN] = counts[SIGN] + counts[LETTER] + counts[WIDE]
    out[row + FIRST] = _CLASS_OF[data[0]] if size else END
    out[row + LAST] = STOP if last == FOREIGN_STOP else last


def _is_foreign_stop(data: bytes, at: int, size: int) -> bool:
    """Whether a full stop beyond ASCII begins at a byte."""
    if data[at] < 0xE0:
        return at + 2 <= size and (data[at] << 8 | data[at + 1]) in _STOPS
    return at + 3 <= size and (data[at] << 16 | data[at + 1] << 8 | data[at + 2]) in _STOPS


def _class_before(data: bytes, end: int) -> int:
    """The class of the byte before *end*, FOREIGN_STOP if such a full stop ends there, END at the start."""
    if end <= 0:
        return END
    if 0x80 <= data[end - 1] < 0xC0:
        if end >= 3 and data[end - 3] >= 0xE0 and _is_foreign_stop(data, end - 3, end):
            return FOREIGN_STOP
        if end >= 2 and data[end - 2] >= 0xC0 and _is_foreign_stop(data, end - 2, end):
            return FOREIGN_STOP
        return PLAIN
    return _CLASS_OF[data[end - 1]]


def _last_class(data: bytes, size: int) -> int:
    """The class of the last byte, or of the one before a closing quote if that is a full stop. MARK for signs that are
    not quotes; END for empty texts."""
    last, inner = _class_before(data, size), END
    if last == BRACKET:
        inner = _class_before(data, size - 1)
    elif last == PLAIN and data[size - 1] >= 0x80:
        is_latin = data[size - 2] == 0xC2
        code = data[size - 3] << 16 | data[size - 2] << 8 | data[size - 1] if size >= 3 else 0
        if is_latin or code >> 16 == 0xE2:
            last = MARK
        if code in _CLOSING:
            inner = _class_before(data, size - 3)
        elif is_latin and data[size - 1] == _CLOSING_LATIN & 0xFF:
            inner = _class_before(data, size - 2)
    return inner if inner in (STOP, FOREIGN_STOP) else last
