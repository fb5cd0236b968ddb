"""What published rules measure of a text, each computed once and only when a rule asks for it.

    Measures("Rain …\nIt rained.", "en").share_of_lines(ends_sentence)    # 0.5

The definitions are those of the papers where they say enough, else those of datatrove, the program that made FineWeb.
Words are the `tokens` with a letter or digit; n-grams are of all tokens. A line has other characters than white space.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import regex
from numpy.typing import NDArray

from ..segmentation.sentences import sentence_spans
from ..text.hash_table import MIXERS
from ..text.lazy_pattern import lazy_pattern
from ..text.words import tokens
from .word_ngrams import ngrams

# Characters of a document that are read, and tokens for n-grams. What is longer breaks Gopher's rules of lengths: it
# has more than 100,000 words, or words of more than 10 characters.
MAX_CHARS, MAX_TOKENS = 4_000_000, 200_000
# Marks of omission.
ELLIPSES = ("...", "…")
# C4 (Raffel et al. 2020, section 2.2, and tensorflow_datasets/text/c4_utils.py): words of a line, characters of a word,
# phrases of policies.
C4_LINE_WORDS, C4_WORD_CHARS = 5, 1_000
C4_POLICIES = ("terms of use", "privacy policy", "cookie policy", "uses cookies", "use of cookies", "use cookies")
# Sentences are counted up to this number, for speed: the rule asks for 3.
ENOUGH_SENTENCES = 10
# Full stops and the like of all scripts; C4 has quotation marks, too.
_SENTENCE_END = regex.compile(r"\p{Sentence_Terminal}")
_PARAGRAPH_END = lazy_pattern(r"\n{2,}")
_CITATION = lazy_pattern(r"\[\d*]|\[edit]|\[citation needed]")
_QUOTES = ('"', "'", "”", "’", "»", "」")

Array = NDArray[Any]

# A factor of splitmix64, with which numbers of tokens become hashes.
_MIX = np.uint64(MIXERS[0])


class Repeated(NamedTuple):
    """The parts of a text that are equal to an earlier one: their share of the parts, and their characters."""

    share: float
    chars: int


class Measures:
    """A text in a language (ISO 639-1), with what several rules measure. Shares are from 0 to 1, and 0 of nothing."""

    def __init__(self, text: str, language: str) -> None:
        self.text, self._language = text[:MAX_CHARS], language

    @cached_property
    def tokens(self) -> list[str]:
        """The tokens of the text."""
        return tokens(self.text)

    @cached_property
    def words(self) -> list[str]:
        """The tokens with a letter or digit."""
        return [token for token in self.tokens if token[0].isalnum() or any(map(str.isalnum, token))]

    @cached_property
    def lines(self) -> list[str]:
        """The lines with other characters than white space, without the white space around them."""
        return [stripped for line in self.text.splitlines() if (stripped := line.strip())]

    @cached_property
    def repeated_lines(self) -> Repeated:
        """The lines that are equal to an earlier one."""
        return self._repeated(self.lines)

    @cached_property
    def repeated_paragraphs(self) -> Repeated:
        """The paragraphs, between empty lines, that are equal to an earlier one."""
        return self._repeated(_PARAGRAPH_END.split(self.text.strip()))

    def _repeated(self, parts: Sequence[str]) -> Repeated:
        different = set(parts)
        chars = sum(map(len, parts)) - sum(map(len, different))
        return Repeated(share(len(parts) - len(different), len(parts)), chars)

    @cached_property
    def repetition(self) -> Repetition:
        """The n-grams of the first MAX_TOKENS tokens."""
        return Repetition(self.tokens[:MAX_TOKENS])

    def share_of(self, chars: float) -> float:
        """A number of characters as a share of the text."""
        return share(chars, len(self.text))

    def share_of_lines(self, is_counted: Callable[[str], object]) -> float:
        return share(sum(map(bool, map(is_counted, self.lines))), len(self.lines))

    @property
    def c4_sentences(self) -> int:
        """The number of sentences in the lines that C4 keeps, up to ENOUGH_SENTENCES."""
        count = 0
        for line in self.lines:
            if count < ENOUGH_SENTENCES and is_c4_line(line):
                count += len(sentence_spans(_CITATION.sub("", line), self._language))
        return min(count, ENOUGH_SENTENCES)


def is_c4_line(line: str) -> bool:
    """Whether C4 keeps a line: it has five words, none of which is very long, ends with a full stop, exclamation mark,
    question mark or quotation mark, and mentions neither JavaScript nor policies."""
    words = line.split()
    end = _CITATION.sub("", line).rstrip()
    lower = line.lower()
    return (
        len(words) >= C4_LINE_WORDS
        and max(map(len, words)) <= C4_WORD_CHARS
        and (ends_sentence(end) or end.endswith(_QUOTES))
        and not end.endswith(ELLIPSES)
        and "javascript" not in lower
        and not any(phrase in lower for phrase in C4_POLICIES)
    )


def ends_sentence(line: str) -> bool:
    """Whether a line ends with a full stop, question mark or the like, of any script."""
    return bool(_SENTENCE_END.match(line[-1:]))


def share(part: float, whole: int) -> float:
    return part / whole if whole else 0.0


class Repetition:
    def __init__(self, tokens: Sequence[str]) -> None:
        self._tokens = tokens

    @cached_property
    def _hashes(self) -> Array:
        numbers: dict[str, int] = {}
        ids = np.array([numbers.setdefault(token, len(numbers) + 1) for token in self._tokens], np.uint64)
        mixed: Array = ids * _MIX
        mixed ^= mixed >> np.uint64(29)
        mixed *= _MIX
        return mixed

    @cached_property
    def _ends(self) -> Array:
        """For each token the number of characters before it, and at the end that of all tokens."""
        return np.cumsum([0, *map(len, self._tokens)])

    def _ngrams(self, n: int) -> Array:
        return ngrams(self._hashes, n)[: max(len(self._tokens) - n + 1, 0)]

    def top_chars(self, n: int) -> int:
        """The characters of all occurrences of the most frequent n-gram (of several, the first), with spaces between
        its tokens."""
        if len(self._tokens) < n:
            return 0
        _, first, counts = np.unique(self._ngrams(n), return_index=True, return_counts=True)
        most = int(counts.max())
        at = int(first[counts == most].min())
        return most * (int(self._ends[at + n] - self._ends[at]) + n - 1)

    def repeated_chars(self, n: int) -> int:
        """The characters of n-grams that occurred before; after one, the search goes on behind it, so that none counts
        twice."""
        hashes = self._ngrams(n)
        _, first = np.unique(hashes, return_index=True)
        if len(first) == len(hashes):
            return 0
        ngrams: list[int] = hashes.tolist()
        seen: set[int] = set()
        at = chars = 0
        while at < len(ngrams):
            if ngrams[at] in seen:
                chars += int(self._ends[at + n] - self._ends[at])
                at += n
            else:
                seen.add(ngrams[at])
                at += 1
        return chars
