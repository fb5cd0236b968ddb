"""Which run of a gold text each segment is in, where the gold standard names the role of each run (L3S-GN1).

matched_runs([{"text": "Bridge closed"}, {"text": "Home"}], [("headline", "Bridge closed")], [2, 1])
# [("headline", True), ("", False)]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..record import Segment
from ..text.words import words
from . import labelling

# Words. A shorter segment may match the gold text by chance.
MIN_MATCH = 4
# The share of words that a segment with a certain label has in the gold text.
SURE_SHARE = 0.8


def matched_runs(
    segments: Sequence[Segment], runs: Sequence[tuple[str, str]], counts: Sequence[int]
) -> list[tuple[str, bool]]:
    """For each segment the role of the run that most of its words occur in (empty if less than half of them occur in
    the gold text), and whether the label is certain."""
    from rapidfuzz.distance import LCSseq  # of the extra workshop: models of text alone are trained without it

    page = [word for segment in segments for word in words(segment["text"])]
    owners: list[int] = []
    gold: list[str] = []
    sizes = []
    for number, (_, text) in enumerate(runs):
        found = words(text)
        gold += found
        owners += [number] * len(found)
        sizes.append(len(found))
    owner = [-1] * len(page)
    for step in LCSseq.opcodes(page, gold):
        if step.tag == "equal":
            owner[step.src_start : step.src_end] = owners[step.dest_start : step.dest_end]
    out = []
    start = 0
    for count in counts:
        found_in = Counter(number for number in owner[start : start + count] if number >= 0)
        start += count
        if not count or found_in.total() < labelling.CLEAN_SHARE * count:
            out.append(("", False))
            continue
        by_role: Counter[str] = Counter()
        for number, size in found_in.items():
            by_role[runs[number][0]] += size
        role, size = by_role.most_common(1)[0]
        whole = count >= MIN_MATCH or sum(sizes[number] for number in found_in) == count
        out.append((role, size >= SURE_SHARE * count and whole))
    return out
