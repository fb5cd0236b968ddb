"""Selected segments as they are written: blocks of code as one each, without line numbers, buttons and the names of
languages beside them; footnotes in sentences as segments of their own; none that shows nothing.

segments = [{"text": "1\t if x:", "code": 1, "code_text": " if x:\n   y"}, {"text": "2\ty", "code": 1}]
[segment["text"] for segment in join_code(segments)]    # [' if x:\n   y']
segments = [{"text": "It rains. Or snows. Often.", "type": "p", "spans": [[10, 19, "footnote", "n1"]]}]
[segment["text"] for segment in pull_notes(segments)]    # ['It rains. Often.', 'Or snows.']
with_visible_text([{"text": "\u200d"}, {"text": "Rain"}])    # [{'text': 'Rain'}]
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ..page.dom_path import HEADING
from ..record import Record
from ..text.lazy_pattern import lazy_pattern

# Fields of one segment that a block of code does not have: they are of a part of its text.
_PART_FIELDS = frozenset(("spans", "cells", "table", "marker", "code_text", "lines"))
# Fields of a segment that its notes do not have.
_OWN_FIELDS = frozenset(("figure", "cells", "table", "marker", "level", "lines", "note"))

# Numbers on lines, and nothing else; and where they stand, in a cell of a table beside the listing.
_NUMBERS = lazy_pattern(r"\s*\d{1,6}(?:[^\S\n]*\n\s*\d{1,6})*\s*")
_CELL = lazy_pattern(r"/t[dh](?![\w-])")
# What stands on a button beside code; and names there that are not those of languages.
_BUTTON = lazy_pattern(
    r"(?:copy|copied)!?(?: (?:code|snippet|text))?(?: block)?(?: to clipboard)?(?: ?copied!?)?|"
    r"(?:expand|wrap|run|view) code|(?:code:? ?)?\[select(?: all)?\]|code:? ?select all",
    re.I,
)
_OTHER_NAMES = frozenset(("shell", "terminal"))
# Characters of what stands on a button.
MAX_LABEL = 40
# Line numbers between the lines, in elements of their own: at least so many.
MIN_NUMBERS = 2
# Spaces, and characters that have neither width nor ink.
_INVISIBLE = " \t\n\r\xa0\xad\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202f\u2060\u3000\ufe0e\ufe0f\ufeff"
_PERMALINK = frozenset("#¶§🔗⚓∞◆")
# Longer texts have letters.
_MAX_CHARS = 8
# Segments with these fields stay: they have images or formulas, or a place in a table.
_KEPT_FIELDS = ("spans", "table", "pre")


def code_alone(segments: list[Record]) -> list[Record]:
    """The segments without what belongs to preformatted text and is none: columns of line numbers in a cell right
    before as many lines, buttons beside it, and the name of its language above it."""
    if not any("pre" in segment for segment in segments):
        return segments
    following = [*segments[1:], {}]
    return _without_labels([segment for segment, after in zip(segments, following) if not _is_gutter(segment, after)])


def _is_gutter(segment: Record, after: Record) -> bool:
    if not (segment.get("pre") and after.get("pre")) or "code" in segment or not _CELL.search(segment.get("path", "")):
        return False
    text: str = segment["text"]
    if not _NUMBERS.fullmatch(text):
        return False
    numbers = list(map(int, text.split()))
    counted = list(range(numbers[0], numbers[0] + len(numbers)))
    return numbers == counted and len(numbers) == len(after["text"].strip("\n").split("\n"))


def join_code(segments: Sequence[Record]) -> list[Record]:
    """The segments, with one preformatted segment for each block of code, in the place of its first segment."""
    parts: dict[int, list[Record]] = {}
    for segment in segments:
        if "code" in segment:
            parts.setdefault(segment["code"], []).append(segment)
    if not parts:
        return list(segments)
    out = []
    for segment in segments:
        number = segment.get("code")
        if number is None:
            out.append(segment)
        elif own := parts.pop(number, None):
            text = segment.get("code_text") or "\n".join(_without_numbers([part["text"] for part in own]))
            joined = {name: value for name, value in segment.items() if name not in _PART_FIELDS}
            joined |= {"text": text, "type": "p", "tag": "pre", "pre": True}
            if images := [image for part in own for image in part.get("figure", ())]:
                joined["figure"] = images
            places = {(part.get("table"), *[(c["row"], c["column"]) for c in part.get("cells", ())]) for part in own}
            if len(places) == 1 and "table" in segment and len(segment.get("cells", ())) == 1:  # all is in one cell
                cell = {**segment["cells"][0], "start": 0, "end": len(text)}
                joined |= {"table": segment["table"], "cells": [cell]}
            out.append(joined)
    return out


def pull_notes(segments: Sequence[Record]) -> list[Record]:
    """The segments; after each, the notes in it. In the sentence remains a span of the kind `note`."""
    out: list[Record] = []
    for segment in segments:
        notes = [span for span in segment.get("spans", ()) if span[2] == "footnote" and len(span) > 3]
        if not notes:
            out.append(segment)
            continue
        cuts: list[tuple[int, int, str]] = []
        for start, end, _, name in notes:
            if not cuts or start >= cuts[-1][1]:  # no note in a note
                cuts.append((start, end, name))
        from ..page.markup.markup_fields import keep_part  # start-up: few pages have notes in sentences

        out.append(_without_notes(segment, cuts))
        for start, end, name in cuts:
            own = {field: value for field, value in segment.items() if field not in _OWN_FIELDS}
            spans = [span for span in segment["spans"] if span[2] != "footnote" and start <= span[0] < end]
            own |= {"text": segment["text"][start:end], "type": "p", "note": {"id": name}, "spans": spans}
            keep_part(own, start, end)
            out.append(own)
    return out


def _without_notes(segment: Record, notes: list[tuple[int, int, str]]) -> Record:
    """A segment without the text of its notes, each with its start, its end and its name, and with one space at most in
    its place."""
    text: str = segment["text"]
    marks = {span[3] for span in segment["spans"] if span[2] == "note"}
    spans: list[Any] = [
        span
        for span in segment["spans"]
        if span[2] != "footnote" and not any(start <= span[0] < end >= span[1] for start, end, _ in notes)
    ]
    kept, gaps, at = "", [], 0
    for start, end, name in notes:
        if name not in marks:
            end_of_word = len(text[:start].rstrip())
            spans.append([end_of_word, end_of_word, "note", name])
        kept += text[at:start]
        at = end + (kept.endswith(" ") and text[end : end + 1] == " ")
        gaps.append((start, at))
    kept += text[at:]
    indent = len(kept) - len(kept.lstrip())
    kept = kept.strip()

    def place(at: int) -> int:
        cut = sum([max(min(at, end) - start, 0) for start, end in gaps])
        return min(max(at - cut - indent, 0), len(kept))

    from ..page.markup.markup_run import sort_spans  # start-up: few pages have notes in sentences

    sort_spans(spans)
    moved = [[place(span[0]), place(span[1]), *span[2:]] for span in spans]
    out = {**segment, "text": kept}
    out["spans"] = [span for span, old in zip(moved, spans) if span[0] < span[1] or old[0] == old[1]]
    if "cells" in segment:
        out["cells"] = [{**c, "start": place(c["start"]), "end": place(c["end"])} for c in segment["cells"]]
    return out


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


def _without_labels(segments: Sequence[Record]) -> list[Record]:
    """The segments without the buttons around code, and without the name of its language above it."""
    out: list[Record] = []
    after: Record = {}  # what follows, as far as it stays
    for place in range(len(segments) - 1, -1, -1):
        segment = segments[place]
        if not segment.get("pre") and "code" not in segment:
            before = segments[place - 1] if place else {}
            if after.get("pre") and _is_label(segment) or before.get("pre") and _is_button(segment):
                continue
        out.append(segment)
        after = segment
    out.reverse()
    return out


def _is_label(segment: Record) -> bool:
    """Whether a segment above code is a button or the name of a language."""
    name = segment["text"].strip().casefold()
    if len(name) > MAX_LABEL:
        return False
    from ..page.markup.code_language import LANGUAGES  # start-up: most pages have no code

    is_name = name in LANGUAGES or name in _OTHER_NAMES
    return is_name and not HEADING.search(segment.get("path", "")) or _is_button(segment)


def _is_button(segment: Record) -> bool:
    text = segment["text"].strip()
    return len(text) <= MAX_LABEL and _BUTTON.fullmatch(text) is not None


def _without_numbers(lines: list[str]) -> list[str]:
    """The lines of code where each follows its number."""
    numbers = lines[::2]
    if len(numbers) < MIN_NUMBERS or len(lines) % 2:
        return lines
    return lines[1::2] if numbers == [str(count) for count in range(1, len(numbers) + 1)] else lines
