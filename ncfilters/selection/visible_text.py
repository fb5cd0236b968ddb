"""Segments that have something to see: paragraphs of zero-width characters, and headings that are a link's sign alone.

with_visible_text([{"text": "\\u200d"}, {"text": "Rain"}])    # [{'text': 'Rain'}]

Editors of sites leave such characters in empty paragraphs, and scripts add buttons that copy the address of a heading.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..record import Record

# Spaces, and characters that have neither width nor ink.
_INVISIBLE = " \t\n\r\xa0\xad\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202f\u2060\u3000\ufe0e\ufe0f\ufeff"
_PERMALINK = frozenset("#¶§🔗⚓∞◆")
# Longer texts have letters.
_MAX_CHARS = 8
# Segments with these fields stay: they have images or formulas, or a place in a table.
_KEPT_FIELDS = ("spans", "table", "pre")


def with_visible_text(segments: Sequence[Record]) -> list[Record]:
    """The segments without those that show nothing; their images go to the segment before. Where that is none, or is in
    a table, they stay as they are."""
    out: list[Record] = []
    for segment in segments:
        if len(segment["text"]) > _MAX_CHARS or not _shows_nothing(segment):
            out.append(segment)
        elif "figure" in segment:
            if out and "table" not in out[-1]:
                images = [{**image, "after": True} for image in segment["figure"]]
                out[-1] = {**out[-1], "figure": [*out[-1].get("figure", ()), *images]}
            else:
                out.append(segment)
    return out


def _shows_nothing(segment: Record) -> bool:
    text: str = segment["text"]
    if text[:1].isalnum() or any(map(segment.get, _KEPT_FIELDS)):
        return False
    text = text.strip(_INVISIBLE)
    return not text or "level" in segment and text in _PERMALINK
