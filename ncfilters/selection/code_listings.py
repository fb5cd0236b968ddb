"""Blocks of code without line numbers, buttons and the names of languages beside them; and with the exact text that
nc-segment --markup records, as one segment each.

segments = [{"text": "1\\t if x:", "code": 1, "code_text": " if x:\\n   y"}, {"text": "2\\ty", "code": 1}]
[segment["text"] for segment in join_code(segments)]    # [' if x:\\n   y']
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..page.dom_path import HEADING
from ..record import Record
from ..text.lazy_pattern import lazy_pattern

# Fields of one segment that a block of code does not have: they are of a part of its text.
_PART_FIELDS = frozenset(("spans", "cells", "table", "marker", "code_text", "lines"))

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
    if not any("code" in segment for segment in segments):
        return list(segments)
    lines: dict[int, list[str]] = {}
    images: dict[int, list[Record]] = {}
    places: dict[int, list[Record]] = {}
    for segment in segments:
        if "code" in segment:
            lines.setdefault(segment["code"], []).append(segment["text"])
            images.setdefault(segment["code"], []).extend(segment.get("figure", ()))
            places.setdefault(segment["code"], []).append(segment)
    out = []
    for segment in segments:
        number = segment.get("code")
        if number is None:
            out.append(segment)
        elif number in lines:
            text = segment.get("code_text") or "\n".join(_without_numbers(lines[number]))
            joined = {name: value for name, value in segment.items() if name not in _PART_FIELDS}
            figure = {"figure": images[number]} if images[number] else {}
            cell = _cell_of(places[number], len(text))
            out.append({**joined, "text": text, "type": "p", "tag": "pre", "pre": True, **figure, **cell})
            del lines[number]
    return out


def _cell_of(parts: Sequence[Record], size: int) -> Record:
    """The fields of the table cell that code of *size* characters is in, if all its *parts* are in one."""
    if not all("table" in part and "cells" in part for part in parts):
        return {}
    of_parts = [part["cells"] for part in parts]
    if any(len(cells) != 1 for cells in of_parts):
        return {}
    table, cell = parts[0]["table"], of_parts[0][0]
    cells = [own[0] for own in of_parts]
    if any(part["table"] != table for part in parts) or not all(_is_same(cell, other) for other in cells):
        return {}
    return {"table": table, "cells": [{**cell, "start": 0, "end": size}]}


def _is_same(cell: object, other: object) -> bool:
    """Whether two cells are in one place of the table."""
    if not (isinstance(cell, dict) and isinstance(other, dict)):
        return False
    return all(cell.get(name) == other.get(name) for name in ("row", "column"))


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
