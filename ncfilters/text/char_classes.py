"""Classes of the bytes of UTF-8, and the numbers that `char_stats` counts of a text.

CLASS_OF[ord("A")] == UPPER    # True
"""

from __future__ import annotations

from . import scripts

# PLAIN bytes are not counted: lower-case ASCII letters, and bytes that continue a character. END: before a text.
PLAIN, END, UPPER, DIGIT, SPACE, STOP, COMMA, MARK, SYMBOL, BRACKET, SIGN, LETTER, WIDE = range(13)
CLASSES = 13
# The class of the last byte of a full stop beyond ASCII.
FOREIGN_STOP = CLASSES
# What is counted of a text, in this order: FIRST and LAST are the classes of its first and last byte.
CHARS, WORDS, SENTENCES, TITLES, UPPERS, DIGITS, COMMAS, PUNCTUATION, SYMBOLS, FOREIGN, FIRST, LAST = range(12)
CHAR_COLUMNS = 12


def _class_table() -> bytearray:
    table = bytearray([MARK]) * 256
    for number, members in {
        PLAIN: [*range(ord("a"), ord("z") + 1), *range(0x80, 0xC0)],
        UPPER: range(ord("A"), ord("Z") + 1),
        DIGIT: range(ord("0"), ord("9") + 1),
        SPACE: b" \t\n\r\f\v\0",
        STOP: b".!?",
        COMMA: b",;:",
        SYMBOL: b"$|@#*/\\<>=_+~^&%",
        BRACKET: b"()[]{}\"'-",
        # Latin signs, general punctuation, pictographs; other alphabets; kana, ideographs and their punctuation
        SIGN: [0xC0, 0xC1, 0xC2, 0xE2, 0xEE, *range(0xF0, 0x100)],
        LETTER: [*range(0xC3, 0xE0), 0xE0, 0xE1, *range(0xEA, 0xEE)],
        WIDE: [*range(0xE3, 0xEA), 0xEF],
    }.items():
        for byte in members:
            table[byte] = number
    return table


CLASS_OF = _class_table()
# Full stops beyond ASCII, and closing quotes and brackets that may follow one, as numbers: their UTF-8, big-endian.
FOREIGN_STOPS = frozenset(int.from_bytes(stop.encode(), "big") for stop in scripts.FOREIGN_STOPS)
CLOSING = frozenset(int.from_bytes(mark.encode(), "big") for mark in scripts.WIDE_CLOSING)
CLOSING_LATIN = int.from_bytes(scripts.LATIN_CLOSING.encode(), "big")


def space_table(kept: str) -> bytes:
    """A table for `bytes.translate` of UTF-8: the *kept* ASCII characters in lower case; spaces for others."""
    ascii_part = bytes(ord(chr(code).lower()) if chr(code) in kept else ord(" ") for code in range(128))
    return ascii_part + bytes(range(128, 256))
