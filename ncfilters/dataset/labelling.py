"""Labels for segments: a segment is clean if most of its words occur in the gold text.

    matched_words(["Home", "The bridge is closed."], "The bridge is closed.")    # ([1, 4], [0, 4], 4)

Gold standards give cleaned text, not labels. A longest common subsequence of the words of page and gold text labels
nearly every segment correctly: keeping the clean segments reaches a bag-of-words F of 97 on the WCXB development
pages. Labels make better training data than the difference of counts (see `ngram_trainer`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate

from ..record import Segment
from ..text.words import words

# A segment is clean if at least this share of its words occurs in the gold text.
CLEAN_SHARE = 0.5
# Words. A shorter segment may match the gold text by chance.
MIN_MATCH = 4
# The share of words that a segment with a certain label has in the gold text.
SURE_SHARE = 0.8


def matched_words(texts: Sequence[str], gold: str) -> tuple[list[int], list[int], int]:
    """For each segment the number of its words and of those that occur in *gold*, in order; and the number of words of
    *gold*. The alignment is a longest common subsequence over the whole page."""
    page, gold_words = [words(text) for text in texts], words(gold)
    owners = _aligned(page, gold_words, [0] * len(gold_words))
    return list(map(len, page)), [sum(owner == 0 for owner in some) for some in owners], len(gold_words)


def _aligned(page: Sequence[list[str]], gold: list[str], owners: Sequence[int]) -> list[list[int]]:
    """For each segment, given by its words, and each of its words, what the word of the gold text has in *owners* that
    is aligned with it; -1 without one."""
    from rapidfuzz.distance import LCSseq  # of the extra workshop: models of text alone are trained without it

    flat = [word for some in page for word in some]
    found = [-1] * len(flat)
    for step in LCSseq.opcodes(flat, gold):
        if step.tag == "equal":
            found[step.src_start : step.src_end] = owners[step.dest_start : step.dest_end]
    ends = [*accumulate(map(len, page), initial=0)]
    return [found[start:end] for start, end in zip(ends, ends[1:])]


def snippet_labels(texts: Sequence[str], required: Sequence[str], forbidden: Sequence[str]) -> list[bool | None]:
    """For each segment whether it is clean, where only snippets are known: False if it has one that is *forbidden*,
    True if it is the only one that has a *required* one, else None. White space and case do not count."""
    folded = [" ".join(text.split()).lower() for text in texts]
    out: list[bool | None] = [None] * len(texts)
    for label, snippets in ((True, required), (False, forbidden)):
        for snippet in (" ".join(snippet.split()).lower() for snippet in snippets):
            places = [place for place, text in enumerate(folded) if snippet and snippet in text]
            for place in places if not label or len(places) == 1 else ():
                out[place] = label
    return out


def matched_shares(texts: Sequence[str], gold: str) -> list[float | None]:
    """For each segment of a page the share (0 to 1) of its words that occur in *gold*, in order; None without words."""
    counts, matched, _ = matched_words(texts, gold)
    return [number / count if count else None for count, number in zip(counts, matched)]


def matched_runs(
    segments: Sequence[Segment], runs: Sequence[tuple[str, str]], counts: Sequence[int]
) -> list[tuple[str, bool]]:
    """For each segment the role of the run that most of its words occur in (empty if less than half of them occur in
    the gold text), and whether the label is certain."""
    gold = [words(text) for _, text in runs]
    page = [words(segment["text"]) for segment in segments]
    owners = [number for number, found in enumerate(gold) for _ in found]
    out = []
    for count, owner in zip(counts, _aligned(page, [word for found in gold for word in found], owners)):
        found_in = Counter(number for number in owner if number >= 0)
        if not count or found_in.total() < CLEAN_SHARE * count:
            out.append(("", False))
            continue
        by_role: Counter[str] = Counter()
        for number, size in found_in.items():
            by_role[runs[number][0]] += size
        role, size = by_role.most_common(1)[0]
        whole = count >= MIN_MATCH or sum(len(gold[number]) for number in found_in) == count
        out.append((role, size >= SURE_SHARE * count and whole))
    return out
