"""What published rules measure of a text, each computed once and only when a rule asks for it.

    Measures("# Rain …\\nIt rained.", "en").ellipsis_lines    # 0.5

The definitions are those of the papers where they say enough, else those of datatrove, the program that made FineWeb.
Words are the `tokens` with a letter or digit; n-grams are of all tokens. A line has other characters than white space.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import regex

from ..segmentation.sentences import sentence_spans
from ..text.lazy_pattern import lazy_pattern
from ..text.tokens import tokens
from .repetition import Repetition

# Characters of a document that are read, and tokens for n-grams. What is longer breaks Gopher's rules of lengths: it
# has more than 100,000 words, or words of more than 10 characters.
MAX_CHARS, MAX_TOKENS = 4_000_000, 200_000
# Gopher (Rae et al. 2021, appendix A.1.1): two of these must be in a document of English.
STOP_WORDS = frozenset(("the", "be", "to", "of", "and", "that", "have", "with"))
# Marks before list items: the paper has "a bullet point"; datatrove has the first two.
BULLETS = ("•", "-")
ELLIPSES = ("...", "…")
# C4 (Raffel et al. 2020, section 2.2, and tensorflow_datasets/text/c4_utils.py): words of a line, characters of a word,
# phrases of policies.
C4_LINE_WORDS, C4_WORD_CHARS = 5, 1_000
C4_POLICIES = ("terms of use", "privacy policy", "cookie policy", "uses cookies", "use of cookies", "use cookies")
# Sentences are counted up to this number, for speed: the rule asks for 3.
ENOUGH_SENTENCES = 10
# FineWeb (Penedo et al. 2024, section 3.6): a short line has fewer characters.
SHORT_LINE = 30

# Full stops and the like of all scripts; C4 has quotation marks, too.
_SENTENCE_END = regex.compile(r"\p{Sentence_Terminal}")
_PARAGRAPH_END = lazy_pattern(r"\n{2,}")
_CITATION = lazy_pattern(r"\[\d*]|\[edit]|\[citation needed]")
_QUOTES = ('"', "'", "”", "’", "»", "」")


class Measures:
    """The measures of a text in a language (ISO 639-1). Shares are from 0 to 1; all are 0 for an empty text."""

    def __init__(self, text: str, language: str) -> None:
        self._text, self._language = text[:MAX_CHARS], language

    @cached_property
    def _tokens(self) -> list[str]:
        return tokens(self._text)

    @cached_property
    def _words(self) -> list[str]:
        return [token for token in self._tokens if token[0].isalnum() or any(map(str.isalnum, token))]

    @cached_property
    def _lines(self) -> list[str]:
        return [stripped for line in self._text.splitlines() if (stripped := line.strip())]

    # ---- Gopher: quality ----------------------------------------------------------------------------------------

    @property
    def words(self) -> int:
        """The number of words."""
        return len(self._words)

    @property
    def word_length(self) -> float:
        """The mean length of words in characters."""
        return _share(sum(map(len, self._words)), len(self._words))

    @property
    def hashes(self) -> float:
        """Hash signs per token."""
        return _share(self._text.count("#"), len(self._tokens))

    @property
    def ellipses(self) -> float:
        """Ellipses per token."""
        return _share(sum(map(self._text.count, ELLIPSES)), len(self._tokens))

    @property
    def bullet_lines(self) -> float:
        """The share of lines that begin with a bullet."""
        return _share(sum(line.startswith(BULLETS) for line in self._lines), len(self._lines))

    @property
    def ellipsis_lines(self) -> float:
        """The share of lines that end with an ellipsis."""
        return _share(sum(line.endswith(ELLIPSES) for line in self._lines), len(self._lines))

    @property
    def alphabetic_words(self) -> float:
        """The share of tokens with a letter."""
        return _share(sum(any(map(str.isalpha, token)) for token in self._tokens), len(self._tokens))

    @property
    def stop_words(self) -> int:
        """The number of different stop words of English."""
        return len(STOP_WORDS.intersection(self._tokens))

    # ---- Gopher: repetition (table A1) --------------------------------------------------------------------------

    @cached_property
    def _repeated_lines(self) -> tuple[float, float]:
        return self._repeated(self._lines)

    @cached_property
    def _repeated_paragraphs(self) -> tuple[float, float]:
        return self._repeated(_PARAGRAPH_END.split(self._text.strip()))

    def _repeated(self, parts: Sequence[str]) -> tuple[float, float]:
        """The share of parts that are equal to an earlier one, and their share of characters."""
        seen: set[str] = set()
        again = [part for part in parts if part in seen or seen.add(part)]  # type: ignore[func-returns-value]
        return _share(len(again), len(parts)), _share(sum(map(len, again)), len(self._text))

    @property
    def repeated_lines(self) -> float:
        """The share of lines that are equal to an earlier one."""
        return self._repeated_lines[0]

    @property
    def repeated_line_chars(self) -> float:
        """Their share of characters."""
        return self._repeated_lines[1]

    @property
    def repeated_paragraphs(self) -> float:
        """The share of paragraphs, between empty lines, that are equal to an earlier one."""
        return self._repeated_paragraphs[0]

    @property
    def repeated_paragraph_chars(self) -> float:
        """Their share of characters."""
        return self._repeated_paragraphs[1]

    @cached_property
    def _repetition(self) -> Repetition:
        return Repetition(self._tokens[:MAX_TOKENS])

    def top_ngram(self, n: int) -> float:
        """The share of characters in the most frequent n-gram of tokens, spaces between them included."""
        return _share(self._repetition.top_chars(n), len(self._text))

    def repeated_ngrams(self, n: int) -> float:
        """The share of characters in n-grams of tokens that occurred before, none counted twice."""
        return _share(self._repetition.repeated_chars(n), len(self._text))

    # ---- C4 -----------------------------------------------------------------------------------------------------

    @property
    def c4_sentences(self) -> int:
        """The number of sentences in the lines that C4 keeps, up to ENOUGH_SENTENCES."""
        count = 0
        for line in self._lines:
            if count < ENOUGH_SENTENCES and is_c4_line(line):
                count += len(sentence_spans(_CITATION.sub("", line), self._language))
        return min(count, ENOUGH_SENTENCES)

    @property
    def lorem_ipsum(self) -> int:
        """How often the text has "lorem ipsum"."""
        return self._text.lower().count("lorem ipsum")

    @property
    def curly_brackets(self) -> int:
        """The number of opening curly brackets, which code has."""
        return self._text.count("{")

    # ---- FineWeb ------------------------------------------------------------------------------------------------

    @property
    def ended_lines(self) -> float:
        """The share of lines that end with a full stop or the like."""
        return _share(sum(map(_ends_sentence, self._lines)), len(self._lines))

    @property
    def repeated_chars_of_lines(self) -> float:
        """The share of characters, line breaks left out, in lines that are equal to an earlier one."""
        return self._repeated_lines[1] * _share(len(self._text), len(self._text) - self._text.count("\n"))

    @property
    def short_lines(self) -> float:
        """The share of lines with fewer than SHORT_LINE characters."""
        return _share(sum(len(line) < SHORT_LINE for line in self._lines), len(self._lines))

    @property
    def line_breaks(self) -> float:
        """Line breaks per token."""
        return _share(self._text.count("\n"), len(self._tokens))


def is_c4_line(line: str) -> bool:
    """Whether C4 keeps a line: it has five words, none of which is very long, ends with a full stop, exclamation mark,
    question mark or quotation mark, and mentions neither JavaScript nor policies."""
    words = line.split()
    end = _CITATION.sub("", line).rstrip()
    lower = line.lower()
    return (
        len(words) >= C4_LINE_WORDS
        and max(map(len, words)) <= C4_WORD_CHARS
        and (_ends_sentence(end) or end.endswith(_QUOTES))
        and not end.endswith(ELLIPSES)
        and "javascript" not in lower
        and not any(phrase in lower for phrase in C4_POLICIES)
    )


def _ends_sentence(line: str) -> bool:
    return bool(_SENTENCE_END.match(line[-1:]))


def _share(part: float, whole: int) -> float:
    return part / whole if whole else 0.0
