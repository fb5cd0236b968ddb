"""Footnotes whose reference and text are both in the output, and their labels.

notes = Notes.of([{"text": "So he said.1", "type": "p", "spans": [[11, 12, "note", "fn-1"]]},
                  {"text": "In a letter.", "type": "l", "note": {"id": "fn-1"}}])
notes.labels    # {'fn-1': '1'}
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ...page.dom_path import MAX_NAME_CHARS
from ...record import Record
from .spans import checked_span
from .tables import table_of

_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_BRACKETS = "[](){}^ "

# The text of links to the heading itself, and of links back from a footnote: at its end, and at its start.
_PERMALINK = re.compile(r"\s*(?:#|¶|§|🔗|⚓|∞|◆)?\ufe0e?\ufe0f?\s*")
_BACK_AT_END = re.compile(r"\s*[\[(]?(?:[↩⏎↵↑⤴⮌^][\ufe0e\ufe0f]?\d*|back|return|jump up)[\])]?\s*", re.IGNORECASE)
_BACK_AT_START = re.compile(r"\s*[\[(]?(?:[\^↑↩*†‡§]|\d{1,4}|[a-z]{1,2})[\ufe0e\ufe0f]?[\])]?[.:]?\s*", re.IGNORECASE)
# The ids of the last elements in a path, up to a point in them, and so many characters at its end.
_IDS = re.compile(r"/[\w:-]+#([^/.]+)")
MAX_OWN_PATH = 120
_NOTE_LABEL = re.compile(r"[\[(]?(\d{1,4}|[a-zA-Z])(?:[\])][.:]?|[.:)])\s+(?=\S)")
_SIGN = re.compile(r"[*†‡§]{1,3}\s*(?=\w)")
_AROUND = " \t\n[](),.:"
_AFTER_LABEL = " \t\n]),.:"


@dataclass(frozen=True)
class Notes:
    """The labels of footnotes by their ids, in the order of their references."""

    labels: dict[str, str] = field(default_factory=dict)

    @staticmethod
    def of(segments: Sequence[Record]) -> Notes:
        """The footnotes of a document: those that a segment refers to, and that a segment outside of tables is.

        Raises RecordError.
        """
        defined = {note for segment in segments if (note := note_id(segment)) and table_of(segment) is None}
        if not defined:
            return NO_NOTES
        marks: dict[str, str] = {}
        for segment in segments:
            for start, end, kind, value in map(checked_span, segment.get("spans") or ()):
                if kind == "note" and value in defined:
                    marks.setdefault(value, segment["text"][start:end].strip(_BRACKETS))
        taken: set[str] = set()
        labels = {}
        for number, (note, mark) in enumerate(marks.items(), 1):
            for label in (mark, note, str(number), f"note-{number}"):
                if _LABEL.fullmatch(label) and label.lower() not in taken:  # labels are the same in either case
                    labels[note] = label
                    taken.add(label.lower())
                    break
            else:
                labels[note] = f"note-{number}-{len(taken)}"
        return Notes(labels)

    def label(self, segment: Record) -> str | None:
        """The label of the footnote that a segment is; None if it is none, or nothing refers to it."""
        note = note_id(segment)
        return self.labels.get(note) if note else None


NO_NOTES = Notes()


def note_id(segment: Record) -> str | None:
    """The id of the footnote that a segment is."""
    note = segment.get("note")
    found = note.get("id") if isinstance(note, dict) else None
    return found if isinstance(found, str) else None


def without_anchors(segments: Sequence[Record], notes: Notes, url: object = None) -> list[Record]:
    """The segments without asides, and without such links at the ends of headings and of footnotes in *notes*. *url* is
    the address of the page. Other segments are as they are; one that has nothing else is left out, and its images go to
    the segment beside it."""
    out: list[Record] = []
    own = _page_at(url) if isinstance(url, str) else ""
    images: list[Any] = []  # that the next segment has before it
    labelled: set[str] = set()
    for segment in segments:
        if "note" in segment and (label := notes.label(segment)) is not None and label not in labelled:
            labelled.add(label)
            segment = _without_label(segment, label)
        if "spans" in segment:
            segment = _without_asides(segment)
            if "level" in segment:
                segment = _cut(segment, 0, _end(segment, _PERMALINK))
                segment = _without_own_link(segment, own)
            elif notes.label(segment) is not None:
                end = _end(segment, _BACK_AT_END)
                segment = _cut(segment, _start(segment, end), end)
        if segment["text"] and not segment["text"].isspace():
            if images:
                segment = {**segment, "figure": [*images, *segment.get("figure", ())]}
                images = []
            out.append(segment)
        elif "figure" in segment and out:
            after = [{**image, "after": True} for image in segment["figure"]]
            out[-1] = {**out[-1], "figure": [*out[-1].get("figure", ()), *after]}
        elif "figure" in segment:
            images += [{**image, "after": False} for image in segment["figure"]]
    return out


def _without_own_link(segment: Record, own: str) -> Record:
    """A heading without the link to itself, and without one all around it to the page, whose address is *own*, or to a
    place in it: to its line in the contents, or to the text that it unfolds. Its text stays."""
    ids = _IDS.findall(segment.get("path", "").replace("/.../", "/")[-MAX_OWN_PATH:])
    end = len(segment["text"])
    spans = [
        span
        for span in segment["spans"]
        if not (
            len(span) > 3
            and span[2] == "link"
            and (_leads_to(span[3], ids) or span[0] == 0 and span[1] == end and _is_in_page(span[3], own))
        )
    ]
    return segment if len(spans) == len(segment["spans"]) else {**segment, "spans": spans}


def _is_in_page(url: object, own: str) -> bool:
    """Whether an address is the page with the address *own*, or a place in it."""
    return isinstance(url, str) and (url.startswith("#") or own != "" and _page_at(url) == own)


def _page_at(url: str) -> str:
    """The address of a page without the place in it, and a slash at its end."""
    return url.partition("#")[0].rstrip("/")


def _leads_to(url: object, ids: list[str]) -> bool:
    """Whether an address is a place in the page with one of the *ids*, which are cut in paths."""
    place = url.partition("#")[2] if isinstance(url, str) else ""
    return any(
        place == one or place.startswith(f"{one}.") or len(one) == MAX_NAME_CHARS and place.startswith(one)
        for one in ids
    )


def _without_label(segment: Record, label: str) -> Record:
    """The first segment of a footnote without its *label*, where that is plain text ("1. In a letter.")."""
    match = _SIGN.match(segment["text"]) or _NOTE_LABEL.match(segment["text"])
    spans = segment.get("spans", ())
    is_plain = not any(len(span) > 1 and span[0] == 0 < span[1] for span in spans)
    if not match or match.re is not _SIGN and match[1].lower() != label.lower() or not is_plain or "cells" in segment:
        return segment
    return _cut({"spans": [], **segment}, match.end(), len(segment["text"]))


def _without_asides(segment: Record) -> Record:
    """A segment without the text that nc-segment has found to be no part of it, and without pilcrows."""
    text: str = segment["text"]
    asides = [span[:2] for span in segment["spans"] if len(span) > 2 and span[2] == "aside"]
    if "¶" in text:
        asides += [[start, stop] for start, stop in _links(segment) if text[start:stop].strip() == "¶"]
    if not asides or "cells" in segment:
        return segment
    pieces, ends, end = [], [], 0  # the pieces that stay, and where each begins in the text
    for start, stop in sorted(asides):
        if start > end:
            pieces.append(text[end:start])
            ends.append(end)
        end = max(end, stop)
    pieces.append(text[end:])
    ends.append(end)
    if ends[0]:  # what is left of a label
        cut = len(pieces[0]) - len(pieces[0].lstrip(_AFTER_LABEL))
        pieces[0], ends[0] = pieces[0][cut:], ends[0] + cut
    spans = []
    for span in segment["spans"]:
        moved = [sum(min(max(at - end, 0), len(piece)) for piece, end in zip(pieces, ends)) for at in span[:2]]
        if span[2] != "aside" and (moved[0] < moved[1] or span[0] == span[1]):
            spans.append([*moved, *span[2:]])
    segment = {**segment, "text": "".join(pieces), "spans": spans}
    return _cut(segment, 0, len(segment["text"].rstrip()))


def _links(segment: Record) -> list[tuple[int, int]]:
    """Where links to places in a page are."""
    return [
        (span[0], span[1])
        for span in segment["spans"]
        if len(span) > 3 and span[2] in ("link", "reference", "text") and isinstance(span[3], str) and "#" in span[3]
    ]


def _end(segment: Record, pattern: re.Pattern[str]) -> int:
    """Where the text ends that is before links of a *pattern*."""
    text: str = segment["text"]
    end = len(text)
    for start, stop in reversed(_links(segment)):
        if text[stop:end].strip() or not pattern.fullmatch(text, start, stop):
            break
        end = start
    return len(text[:end].rstrip()) if end < len(text) else end


def _start(segment: Record, end: int) -> int:
    """Where the text begins that is after links back."""
    text: str = segment["text"]
    at = 0
    for start, stop in _links(segment):
        if stop > end or text[at:start].strip(_AROUND) or not _BACK_AT_START.fullmatch(text, start, stop):
            break
        at = stop
    while 0 < at < end and text[at] in _AROUND:
        at += 1
    return at


def _cut(segment: Record, start: int, end: int) -> Record:
    """A segment with a part of its text."""
    if start == 0 and end == len(segment["text"]):
        return segment
    spans = [
        [max(span[0], start) - start, min(span[1], end) - start, *span[2:]]
        for span in segment["spans"]
        if max(span[0], start) < min(span[1], end) or span[0] == span[1] and start <= span[0] <= end
    ]
    return {**segment, "text": segment["text"][start:end], "spans": spans}
