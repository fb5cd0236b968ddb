"""Alignments of a text with its gold text for people to read.

inline_diff([("equal", ["A", "title"]), ("delete", ["Share"])])    # 'A title [-Share-]'
"""

from __future__ import annotations

import re

from ..metrics import Alignment
from ..tokenization import MARKER

# Words that are shown at each end of a long correct run.
CONTEXT_WORDS = 8
_HEADERS = {"equal": "=" * 40, "delete": "<" * 40 + " (false positive)", "insert": ">" * 40 + " (false negative)"}
_MARKER = re.compile(f"(?:(?<! ) +)?{MARKER.pattern}", MARKER.flags)
_BRACKETS = {"delete": ("[-", "-]"), "insert": ("{+", "+}")}


def cleaneval_diff(alignment: Alignment) -> str:
    """The alignment in the format of cleaneval.py (Evert 2008), option align_dir."""
    return "".join(f"{_HEADERS[tag]}\n{' '.join(words)}\n" for tag, words in alignment)


def inline_diff(alignment: Alignment) -> str:
    """The alignment in the format of wdiff: `[-wrongly kept-]`, `{+missed+}`; long correct runs are shortened."""
    out = []
    for tag, words in alignment:
        if tag == "equal":
            if len(words) > 2 * CONTEXT_WORDS + 2:
                omitted = f"(… {len(words) - 2 * CONTEXT_WORDS} words …)"
                words = [*words[:CONTEXT_WORDS], omitted, *words[-CONTEXT_WORDS:]]
            out.append(" ".join(words))
        else:
            left, right = _BRACKETS[tag]
            out.append(f"{left}{' '.join(words)}{right}")
    return _MARKER.sub(r"\n\1", " ".join(out)).strip("\n")
