"""The n-grams of words of many texts at once, by their hashes.

hashes, lengths = hash_words_of(["It rained.", "It rained again."])    # lengths: array([2, 3])
ngrams(hashes, 2)                                                    # 5 hashes; those at 0 and 2 are equal

A word is a run of letters, digits and marks in lower case, or one character of a script without spaces (see `words`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..text.hash_table import MIXER, MIXERS, hash_spans
from ..text.tokenizers import tokenize
from ..text.words import words

Hashes = NDArray[np.uint64]
Lengths = NDArray[np.int64]

# ASCII in lower case, with a space for each character that is in no word.
_WORDS_OF_ASCII = {code: chr(code).lower() if re.match(r"[\w\s]", chr(code), re.ASCII) else " " for code in range(128)}


def hash_words_of(texts: Sequence[str]) -> tuple[Hashes, Lengths]:
    """The hashes of all words, text after text, and the number of words of each text."""
    plain = [text.translate(_WORDS_OF_ASCII) if text.isascii() else " ".join(words(text)) for text in texts]
    spans = tokenize(plain, "spaces")
    return hash_spans(spans.data, spans.starts, spans.ends), spans.lengths


def ngrams(hashes: Hashes, n: int) -> Hashes:
    """The hash of the *n* words from each place on. At the last n - 1 places the words end early.

    It is a sum of words times powers of an odd number, modulo 2**64, then mixed: the order of words matters.
    """
    out = np.zeros(len(hashes), np.uint64)
    for place in range(min(n, len(hashes))):
        out[: len(hashes) - place] += hashes[place:] * np.uint64(pow(MIXER, place, 1 << 64))
    out ^= out >> np.uint64(32)
    out *= np.uint64(MIXERS[0])
    out ^= out >> np.uint64(29)
    return out
