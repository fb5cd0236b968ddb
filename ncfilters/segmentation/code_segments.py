"""The exact text of code in segments, where it differs from theirs.

segments = [{"text": "make", "code": 1, "code_text": "make"}, {"text": "1", "code": 2, "code_text": "x\\ny"}]
clean_code(segments)
[segment.get("code_text") for segment in segments]    # [None, 'x\\ny']
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..record import Segment
from .cleaning import clean_text


def clean_code(segments: Sequence[Segment]) -> None:
    """Cleans the `code_text` of segments, and removes it where the code is one segment with this text."""
    codes = [segment["code"] for segment in segments if "code" in segment]
    if not codes:
        return
    sizes = Counter(codes)
    for segment in segments:
        if "code_text" in segment:
            text = segment["code_text"] = clean_text(segment["code_text"], keep_lines=True)
            if not text or text == segment["text"] and sizes[segment["code"]] == 1:
                del segment["code_text"]
