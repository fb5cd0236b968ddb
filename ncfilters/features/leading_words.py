"""The hashes of the words that texts begin with, for many texts at once.

    hashes, text = leading_word_hashes(["The bridge, the river.", "Brücken"])    # 5 words; [0, 0, 0, 0, 1]
    count_distinct(hashes, text, np.array([True, False]))                        # [3, 0]

Words are runs of letters and digits, in lower case; in Chinese and Japanese, single characters. In most texts they are
found in the bytes. Only texts with characters beyond two bytes of UTF-8 (Latin, Greek, Cyrillic, Hebrew, Arabic) and
general punctuation are split by a pattern.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..text.char_stats import SEPARATOR, join_texts, prefixes, space_table
from ..text.hash_table import Keys
from ..text.lazy_pattern import lazy_pattern
from ..text.scripts import EAST_ASIAN
from ..text.word_hash import Bytes, hash_spans
from ..text.word_lookup import line_numbers, word_spans
from .dom_tree import Ints
from .segment_table import Flags

# The characters of a text whose words are read.
MAX_TEXT_CHARS = 200
# ASCII letters in lower case and digits, a space for everything else.
_WORDS_TABLE = space_table(lambda c: c.isalnum() or c == SEPARATOR)
_SPACE, _END = ord(" "), ord(SEPARATOR)
# Whether characters of two bytes in UTF-8, by the last bits of these, are letters or digits.
_LETTERS = np.array([[chr(first << 6 | second).isalnum() for second in range(64)] for first in range(32)])
_WORD = lazy_pattern(rf"[{EAST_ASIAN}]|[^\W_{EAST_ASIAN}]+")


def distinct_words(text: str) -> set[str]:
    """The distinct words of a text."""
    return set(_WORD.findall(text.lower()))


def leading_word_hashes(texts: Sequence[str]) -> tuple[Keys, Ints]:
    """The hashes of the words with which texts begin, and the text of each word. They are not sorted by text."""
    starts = prefixes(texts, MAX_TEXT_CHARS)
    data = _encode(starts, _WORDS_TABLE)
    others = _blank_punctuation(data)
    hashes, text = _hash_words(data)
    if len(others):
        kept = ~np.isin(text, others)
        more, place = _hash_words(_encode([" ".join(_WORD.findall(starts[at])) for at in others.tolist()]))
        hashes, text = np.append(hashes[kept], more), np.append(text[kept], others[place])
    return hashes, text


def count_distinct(hashes: Keys, text: Ints, which: Flags) -> Ints:
    """The number of distinct words of each text; 0 for texts that *which* leaves out."""
    counted = which[text]
    # 24 bits for the text, 40 for the word
    keys = np.sort((text[counted].astype(np.uint64) << np.uint64(40)) | (hashes[counted] >> np.uint64(24)))
    first = np.ones(len(keys), bool)
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    return np.bincount((keys[first] >> np.uint64(40)).astype(np.int64), minlength=len(which))


def _encode(texts: Sequence[str], table: bytes | None = None) -> Bytes:
    """The texts as bytes, mapped by a table, with SEPARATOR after each. The array may be changed."""
    return np.frombuffer(bytearray(join_texts(texts).translate(table)), np.uint8)


def _hash_words(data: Bytes) -> tuple[Keys, Ints]:
    """The hashes of the words between spaces, and the text of each."""
    starts, ends, upto = word_spans(data, _END)
    return hash_spans(data, starts, ends), line_numbers(upto)


def _blank_punctuation(data: Bytes) -> Ints:
    """Blanks characters of two bytes that are not letters or digits, and general punctuation (U+2000 to U+203F).

    Returns the texts that have other characters of more than two bytes.
    """
    if data.max(initial=0) < 0x80:
        return np.zeros(0, np.int64)
    two = np.flatnonzero((data >= 0xC2) & (data < 0xE0))
    two = two[~_LETTERS[data[two] & 0x1F, data[two + 1] & 0x3F]]
    more = np.flatnonzero(data >= 0xE0)
    mark = (data[more] == 0xE2) & (data[more + 1] == 0x80)
    three = more[mark]
    for place in (two, two + 1, three, three + 1, three + 2):
        data[place] = _SPACE
    return np.unique(np.searchsorted(np.flatnonzero(data == _END), more[~mark]))
