"""Gold text and page aligned: which segments are clean.

The gold standards give cleaned text, not labels. A longest common subsequence of words between page and gold labels
nearly every segment rightly (keeping the segments found so scores a bag-of-words F of 97 on the WCXB development
pages), and is better training material than counts subtracted from counts.
"""

from __future__ import annotations

from collections.abc import Sequence

import regex

# A segment is clean when at least this share of its words stands in the gold text.
CLEAN_SHARE = 0.5

# Scripts written without spaces give a word for each character.
_WORD = regex.compile(
    r"[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Hiragana}\p{Katakana}\p{Han}]\p{M}*|"
    r"[\p{L}\p{N}\p{M}_--\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Hiragana}\p{Katakana}\p{Han}]+",
    regex.VERSION1,
)
_MARKUP = regex.compile(r"<[phl]>", regex.I)
_MARKED_LINE = regex.compile(r"^[ \t]*<[phl]>", regex.I | regex.M)
_URL_LINE = regex.compile(r"^\s*URL:.*$", regex.M)


def words(text: str) -> list[str]:
    """The words of *text* in lower case."""
    found: list[str] = _WORD.findall(text.lower())
    return found


def is_markup(text: str) -> bool:
    """Whether *text* looks like CleanEval markup: a line begins with a marker."""
    return bool(_MARKED_LINE.search(text))


def plain(markup: str) -> str:
    """CleanEval markup (`<p>`, `<h>`, `<l>`, a URL line) as plain text, an empty line in place of each marker."""
    text: str = _MARKUP.sub("\n\n", _URL_LINE.sub("", markup))
    return text


def shares(texts: Sequence[str], gold: str) -> list[float | None]:
    """For each of a page's segments, the share of its words that stands in *gold*, in order; None without words."""
    from rapidfuzz.distance import LCSseq

    page: list[str] = []
    ends = []
    for text in texts:
        page += words(text)
        ends.append(len(page))
    matched = bytearray(len(page))
    for step in LCSseq.opcodes(page, words(gold)):
        if step.tag == "equal":
            matched[step.src_start : step.src_end] = b"\1" * (step.src_end - step.src_start)
    starts = [0, *ends]
    return [sum(matched[start:end]) / (end - start) if end > start else None for start, end in zip(starts, ends)]
