"""The words that texts begin with, those of many texts at once, as numbers (see `vocabulary`).

    numbers, text = read(["The bridge, the river.", "Brücken"])    # of 5 words; [0, 0, 0, 0, 1]
    different(numbers, text, np.array([True, False]))              # [3, 0]

Words are runs of letters and digits, in small letters; of Chinese and Japanese, the characters. In most texts they are
found as bytes; only texts with other characters than those of two bytes (Latin, Greek, Cyrillic, Hebrew, Arabic) and
general punctuation are cut by a pattern.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from ..text.char_stats import SEPARATOR, join_texts, prefixes, space_table
from ..text.hash_table import Keys
from ..text.scripts import EAST_ASIAN
from ..text.word_hash import Bytes, hash_spans
from ..text.word_lookup import line_numbers, word_spans
from .dom_tree import Ints
from .segment_table import Flags

# Characters of a text whose words are read.
READ = 200
# Small letters and digits of ASCII as they are, a space for all else.
_SPACED = space_table(lambda c: c.isalnum() or c == SEPARATOR)
_SPACE, _END = ord(" "), ord(SEPARATOR)
# Whether characters of two bytes in UTF-8, by the last bits of these, are letters or digits.
_LETTERS = np.array([[chr(first << 6 | second).isalnum() for second in range(64)] for first in range(32)])
_WORD = re.compile(rf"[{EAST_ASIAN}]|[^\W_{EAST_ASIAN}]+")


def words(text: str) -> set[str]:
    """The different words of a text."""
    return set(_WORD.findall(text.lower()))


def read(texts: Sequence[str]) -> tuple[Keys, Ints]:
    """The numbers of the words with which texts begin, and of each its text; the texts are not in order."""
    some = prefixes(texts, READ)
    data = _bytes(some, _SPACED)
    others = _blanked(data)
    found, text = _numbered(data)
    if len(others):
        left = ~np.isin(text, others)
        more, place = _numbered(_bytes([" ".join(_WORD.findall(some[at])) for at in others.tolist()]))
        found, text = np.append(found[left], more), np.append(text[left], others[place])
    return found, text


def different(words: Keys, text: Ints, which: Flags) -> Ints:
    """How many different words the texts have; 0 for those that are not asked for."""
    asked = which[text]
    # 24 bits are the text's, 40 the word's
    keys = np.sort((text[asked].astype(np.uint64) << np.uint64(40)) | (words[asked] >> np.uint64(24)))
    first = np.ones(len(keys), bool)
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    return np.bincount((keys[first] >> np.uint64(40)).astype(np.int64), minlength=len(which))


def _bytes(texts: Sequence[str], table: bytes | None = None) -> Bytes:
    """The texts as bytes by a table, which may be changed; SEPARATOR behind each."""
    return np.frombuffer(bytearray(join_texts(texts).translate(table)), np.uint8)


def _numbered(data: Bytes) -> tuple[Keys, Ints]:
    """The numbers of what stands between spaces, and of each its text."""
    starts, ends, upto = word_spans(data, _END)
    return hash_spans(data, starts, ends), line_numbers(upto)


def _blanked(data: Bytes) -> Ints:
    """Blanks what is no letter or digit of the characters of two bytes and of general punctuation (U+2000 to U+203F).
    The texts that have others."""
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
