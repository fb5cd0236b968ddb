"""Blocks of code as one segment each, with the exact text that nc-segment --markup records.

segments = [{"text": "1\\t if x:", "code": 1, "code_text": " if x:\\n   y"}, {"text": "2\\ty", "code": 1}]
[segment["text"] for segment in join_code(segments)]    # [' if x:\\n   y']
"""

from __future__ import annotations

from collections.abc import Sequence

from ..record import Record

# Fields of one segment that a block of code does not have: they are of a part of its text.
_PART_FIELDS = frozenset(("spans", "cells", "table", "marker", "code_text", "lines"))


def join_code(segments: Sequence[Record]) -> list[Record]:
    """The segments, with one preformatted segment for each block of code, in the place of its first segment."""
    if not any("code" in segment for segment in segments):
        return list(segments)
    lines: dict[int, list[str]] = {}
    images: dict[int, list[Record]] = {}
    for segment in segments:
        if "code" in segment:
            lines.setdefault(segment["code"], []).append(segment["text"])
            images.setdefault(segment["code"], []).extend(segment.get("figure", ()))
    out = []
    for segment in segments:
        number = segment.get("code")
        if number is None:
            out.append(segment)
        elif number in lines:
            text = segment.get("code_text") or "\n".join(lines[number])
            joined = {name: value for name, value in segment.items() if name not in _PART_FIELDS}
            figure = {"figure": images[number]} if images[number] else {}
            out.append({**joined, "text": text, "type": "p", "tag": "pre", "pre": True, **figure})
            del lines[number]
    return out
