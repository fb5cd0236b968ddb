"""Footnotes whose text stands in a sentence (see nc-segment --markup) as segments of their own.

segments = [{"text": "It rains. Or snows. Often.", "type": "p", "spans": [[10, 19, "footnote", "n1"]]}]
[segment["text"] for segment in pull_notes(segments)]    # ['It rains. Often.', 'Or snows.']
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..page.markup import markup_fields
from ..record import Record

# Fields of a segment that its notes do not have.
_OWN_FIELDS = ("figure", "cells", "table", "marker", "level", "lines", "note")


def pull_notes(segments: Sequence[Record]) -> list[Record]:
    """The segments; after each, the notes in it. In the sentence remains a span of the kind `note`."""
    out: list[Record] = []
    for segment in segments:
        notes = [span for span in segment.get("spans", ()) if span[2] == "footnote" and len(span) > 3]
        out += _split(segment, notes) if notes else [segment]
    return out


def _split(segment: Record, notes: list[list[Any]]) -> list[Record]:
    text = segment["text"]
    marks = {span[3] for span in segment["spans"] if span[2] == "note"}
    parts: list[Record] = []
    pulled: list[Record] = []
    end = 0
    for start, stop, _, name in notes:
        if start < end:  # a note in a note
            continue
        before = _part(segment, end, start)
        if name not in marks:
            at = len(before["text"].rstrip())
            before["spans"] = [*before.get("spans", ()), [at, at, "note", name]]
        parts.append(before)
        own = {field: value for field, value in _part(segment, start, stop).items() if field not in _OWN_FIELDS}
        pulled.append({**own, "type": "p", "note": {"id": name}})
        end = stop
    parts.append(_part(segment, end, len(text), is_last=True))
    return [_joined(segment, parts), *pulled]


def _part(segment: Record, start: int, end: int, is_last: bool = False) -> Record:
    """A part of a segment, without the spans of notes. What has no width, such as an image, is in one part: between
    two, it begins the latter."""
    spans = [
        list(span)
        for span in segment["spans"]
        if span[2] != "footnote" and (span[0] < span[1] or start <= span[0] < end or is_last and span[0] == end)
    ]
    part = {**segment, "text": segment["text"][start:end], "spans": spans}
    markup_fields.keep_part(part, start, end)
    return part


def _joined(segment: Record, parts: list[Record]) -> Record:
    """The parts as one segment, with one space at most where a note was."""
    text = ""
    starts = []
    for part in parts:
        if text.endswith(" ") and part["text"].startswith(" "):
            text = text[:-1]
        starts.append(len(text))
        text += part["text"]
    out = {name: value for name, value in segment.items() if name not in ("spans", "cells")}
    out["text"] = text.strip()
    markup_fields.join(out, [{**part, "figure": []} for part in parts], starts)
    indent = len(text) - len(text.lstrip())
    for span in out.get("spans", ()):
        span[:2] = [min(max(at - indent, 0), len(out["text"])) for at in span[:2]]
    return out
