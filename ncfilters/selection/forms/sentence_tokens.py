"""The sentences of a segment as tokens, each with whether white space follows it.

sentence_tokens({"text": "It rained. Stop", "type": "p"}, "en")
# [[("It", True), ("rained", False), (".", True)], [("Stop", True)]]
"""

from __future__ import annotations

from ...record import Record
from ...segmentation.sentences import sentence_spans
from ...text.tokens import token_pattern
from .lines import in_xml

# A token, and whether white space is behind it; behind the last of a segment, there is.
SpacedToken = tuple[str, bool]


def sentence_tokens(segment: Record, language: str) -> list[list[SpacedToken]]:
    """The sentences of a segment; a heading is one. Characters that XML does not allow are left out, and white space is
    all the same."""
    text = in_xml(segment["text"])
    is_one = segment.get("type") == "h"
    spans = [(0, len(text))] if is_one else sentence_spans(text, language) or [(0, len(text))]
    out = []
    for start, stop in spans:
        found = [(token[0], token.end()) for token in token_pattern().finditer(text, start, stop)]
        if found:
            out.append([(token, not text[end : end + 1].strip()) for token, end in found])
    return out
