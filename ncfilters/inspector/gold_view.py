"""A page against its gold text: precision, recall and F, and which segments were missed or kept wrongly.

compare({"gold": "It rained."}, [{"text": "Home", "keep": True}, {"text": "It rained.", "keep": False}], "Home")
# {"precision": 0.0, "recall": 0.0, "f": 0.0, "missed": [1], "wrong": [0], …}
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..dataset import labelling
from ..dataset.gold import gold_of
from ..evaluation.metrics import bag_overlap, precision_recall_f
from ..record import Record
from ..text.words import words

# Words of a text that are aligned for people to read; longer ones are cut.
MAX_ALIGNED_WORDS = 30_000

Run = tuple[str, str]


def compare(document: Record, segments: Sequence[Record], text: str) -> dict[str, Any]:
    """Figures in per cent by the bags of words, and the numbers of the segments that gold and decision see differently.

    Raises RecordError for a gold of another form.
    """
    gold = gold_of(document)
    precision, recall, f = precision_recall_f(bag_overlap(text, gold, False))
    shares = labelling.matched_shares([segment["text"] for segment in segments], gold.plain)
    clean = [share is not None and share >= labelling.CLEAN_SHARE for share in shares]
    return {
        "precision": round(100 * precision, 1),
        "recall": round(100 * recall, 1),
        "f": round(100 * f, 1),
        "missed": [n for n, segment in enumerate(segments) if clean[n] and not segment["keep"]],
        "wrong": [
            n for n, segment in enumerate(segments) if segment["keep"] and not clean[n] and shares[n] is not None
        ],
        "policy": gold.policy,
    }


def runs(document: Record, text: str) -> list[Run]:
    """The text and the gold text as runs of words: `equal`, `wrong` (in the text alone) and `missed`. Raises
    RecordError."""
    from rapidfuzz.distance import LCSseq  # of the extra web: only pages with gold need it

    ours, gold = text.split()[:MAX_ALIGNED_WORDS], gold_of(document).plain.split()[:MAX_ALIGNED_WORDS]
    out: list[Run] = []
    keys = [["".join(words(word)) or word for word in side] for side in (ours, gold)]
    for step in LCSseq.opcodes(keys[0], keys[1]):
        if step.tag == "equal":
            out.append(("equal", " ".join(ours[step.src_start : step.src_end])))
            continue
        if step.src_end > step.src_start:
            out.append(("wrong", " ".join(ours[step.src_start : step.src_end])))
        if step.dest_end > step.dest_start:
            out.append(("missed", " ".join(gold[step.dest_start : step.dest_end])))
    return out
