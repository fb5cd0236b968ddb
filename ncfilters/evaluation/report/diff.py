"""Alignments of text and gold text for people to read.

print(shown([("equal", ["A", "title"]), ("delete", ["Share"])]))    # A title [-Share-]
"""

from __future__ import annotations

import re

from ..metrics import MARKER, Diff

# Words of a long right stretch that are shown at each of its ends.
CONTEXT = 8
_RULES = {"equal": "=" * 40, "delete": "<" * 40 + " (false positive)", "insert": ">" * 40 + " (false negative)"}
_MARKER = re.compile(f" *{MARKER.pattern}", MARKER.flags)
_BRACKETS = {"delete": ("[-", "-]"), "insert": ("{+", "+}")}


def written(diff: Diff) -> str:
    """The alignment as cleaneval.py (Evert 2008) writes it to its align_dir."""
    return "".join(f"{_RULES[tag]}\n{' '.join(words)}\n" for tag, words in diff)


def shown(diff: Diff) -> str:
    """The alignment in one piece, as wdiff shows differences: `[-wrongly kept-]`, `{+missed+}`, long right stretches
    cut short."""
    out = []
    for tag, words in diff:
        if tag == "equal":
            if len(words) > 2 * CONTEXT + 2:
                words = [*words[:CONTEXT], f"(… {len(words) - 2 * CONTEXT} words …)", *words[-CONTEXT:]]
            out.append(" ".join(words))
        else:
            before, behind = _BRACKETS[tag]
            out.append(f"{before}{' '.join(words)}{behind}")
    return _MARKER.sub(r"\n\1", " ".join(out)).strip("\n")
