"""Phrases that a model with words reads of each segment: the whole text if it is short, and the first two words.

    segment_phrases(table)                     # [("=read more", "read", "more"), …]
    index = PhraseIndex({"=read more": 0, "read": 1})
    index.numbers("Read more")                 # (0, 1, -1)

Texts are folded: letters are lower case, digits are 0, ASCII punctuation is left out.
"""

from __future__ import annotations

from collections.abc import Mapping

from .segment_table import SegmentTable

# A longer text is no phrase as a whole, and its words are taken from its first characters.
MAX_PHRASE_CHARS = 40
# The first character of a phrase that is a whole text.
WHOLE = "="
_CAPITALS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_DIGITS, _SPACES, _DROPPED = b"0123456789", b"/|_&+=<>\\~\t\n\r\f\v\x1c\x1d\x1e\x1f\0", b'!"#$%()*,.:;?@[]^`{}'
# What is left out is marked first, by a byte that UTF-8 does not have: to translate and delete at once takes longer.
_MARK = b"\xff"
_FOLD = bytes.maketrans(
    _CAPITALS + _DIGITS + _SPACES + _DROPPED,
    _CAPITALS.lower() + b"0" * len(_DIGITS) + b" " * len(_SPACES) + _MARK * len(_DROPPED),
)
_MAX_CHARS = MAX_PHRASE_CHARS


def segment_phrases(table: SegmentTable) -> list[tuple[str, ...]]:
    """For each segment the whole text, after WHOLE, if it is shorter than MAX_PHRASE_CHARS, and its first two words."""
    out: list[tuple[str, ...]] = []
    for text in table.texts:
        line = folded(text)
        words = line.split(None, 2)[:2]
        phrases = [WHOLE.encode() + line.strip()] if words and len(text) < MAX_PHRASE_CHARS else []
        out.append(tuple([phrase.decode("utf-8", "surrogatepass") for phrase in phrases + words]))
    return out


def folded(text: str) -> bytes:
    """The beginning of a text, folded."""
    start = text[:_MAX_CHARS]
    line = start.encode("ascii") if start.isascii() else start.lower().encode("utf-8", "surrogatepass")
    return line.translate(_FOLD).replace(_MARK, b"")


class PhraseIndex:
    """A vocabulary of phrases, which maps each to a number."""

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        self._wholes: dict[bytes, int] = {}
        self._words: dict[bytes, int] = {}
        for phrase, number in vocabulary.items():
            if phrase[:1] == WHOLE:
                self._wholes[phrase[1:].encode("utf-8", "surrogatepass")] = number
            else:
                self._words[phrase.encode("utf-8", "surrogatepass")] = number

    def numbers(self, text: str) -> tuple[int, int, int]:
        """The numbers of the phrases of a text: the whole, first word and second word; -1 for one that the vocabulary
        lacks."""
        line = folded(text)
        words = line.split(None, 2)
        if not words:
            return -1, -1, -1
        whole = self._wholes.get(line.strip(), -1) if len(text) < _MAX_CHARS else -1
        first = self._words.get(words[0], -1)
        return whole, first, self._words.get(words[1], -1) if len(words) > 1 else -1
