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

# A word. Scripts written without spaces give one for each character.
WORD = regex.compile(
    r"[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Hiragana}\p{Katakana}\p{Han}]\p{M}*|"
    r"[\p{L}\p{N}\p{M}_--\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Hiragana}\p{Katakana}\p{Han}]+",
    regex.VERSION1,
)


def words(text: str) -> list[str]:
    """The words of *text* in lower case."""
    found: list[str] = WORD.findall(text.lower())
    return found


def shares(texts: Sequence[str], gold: str) -> list[float | None]:
    """For each of a page's segments, the share of its words that stands in *gold*, in order; None without words."""
    counts, found, _ = matches(texts, gold)
    return [matched / count if count else None for count, matched in zip(counts, found)]


def matches(texts: Sequence[str], gold: str) -> tuple[list[int], list[int], int]:
    """For each segment its words and those of them that stand in *gold*, in order; and the words of *gold*."""
    from rapidfuzz.distance import LCSseq

    page: list[str] = []
    ends = []
    for text in texts:
        page += words(text)
        ends.append(len(page))
    wanted = words(gold)
    matched = bytearray(len(page))
    for step in LCSseq.opcodes(page, wanted):
        if step.tag == "equal":
            matched[step.src_start : step.src_end] = b"\1" * (step.src_end - step.src_start)
    starts = [0, *ends[:-1]]
    return (
        [end - start for start, end in zip(starts, ends)],
        [sum(matched[start:end]) for start, end in zip(starts, ends)],
        len(wanted),
    )
