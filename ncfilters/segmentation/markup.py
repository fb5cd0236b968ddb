"""Markup of blocks (see `markup_builder`) in the segments that they become: cleaned, and joined across line breaks.

raw = list(table.text)    # ["See\u200b this."], of which "this" is in an em
clean, fields = clean_texts(table), list(table.extra)
carry_markup(table, raw, clean, fields, join_blocks(table))
table.extra[0]    # {'spans': [[4, 8, 'em']]}
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import accumulate
from typing import Any

from ..page.blocks.block_table import BlockTable
from ..page.markup import markup_fields
from ..page.markup.markup_run import word_positions
from ..record import Block
from .cleaning import clean_characters, clean_text, invalid_places, without_invalid

# Characters after a position that may compose with the one before it.
MAX_COMPOSED = 32
# The first character that composes with another before it.
_FIRST_MARK = "\u0300"


def carry_markup(
    segments: BlockTable,
    raw: Sequence[str],
    clean: Sequence[str],
    fields: Sequence[Block | None],
    numbers: Sequence[int],
) -> None:
    """Moves the markup of blocks to the *segments* that they are now: a column of their texts before and after these
    were cleaned, one of their fields, and the number of the segment of each (see `line_breaks.join_blocks`).

    The images of a block whose text is empty now go to the segment before or after it.
    """
    joined: dict[int, list[int]] = {}  # the blocks of segments that have several
    waiting: list[dict[str, Any]] = []
    last = last_row = -1
    for row, number in enumerate(numbers):
        own = fields[row]
        if own is not None and raw[row] != clean[row] and ("spans" in own or "cells" in own):
            markup_fields.move(own, partial(cleaned_positions, raw[row], clean[row]), clean[row])
        if number < 0:
            images = _images_of(own)
            if last < 0:
                waiting += images
            elif images:
                segments.fields(last).setdefault("figure", []).extend({**image, "after": True} for image in images)
        elif number == last:
            joined.setdefault(number, [last_row]).append(row)
        else:
            last, last_row = number, row
            if waiting:
                segments.fields(number).setdefault("figure", [])[:0] = waiting
                waiting = []
    for number, rows in joined.items():
        parts = [{"text": clean[row], **(fields[row] or {})} for row in rows]
        parts[0] |= segments.extra[number] or {}
        if not any(map(markup_fields.has_markup, parts)):
            continue
        starts = [0, *accumulate(len(part["text"]) + 1 for part in parts[:-1])]
        outside = [figure for figure in parts[0].get("figure", ()) if "after" not in figure]
        outside += [figure for figure in parts[-1].get("figure", ()) if "after" in figure]
        own = segments.fields(number)
        markup_fields.join(own, [markup_fields.without_images(part, outside) for part in parts], starts)
        own.pop("figure", None)
        if outside:
            own["figure"] = outside


def cleaned_positions(old: str, new: str, positions: Sequence[int]) -> list[int]:
    """Where sorted *positions* in a text are when it is cleaned to *new* (see `clean_text`)."""
    if old == new:
        return list(positions)
    if clean_characters(old) == old:
        return word_positions(old, new, positions)
    text, invalid = without_invalid(old), invalid_places(old)
    places = [_composed_end(text, at - bisect_left(invalid, at)) for at in positions]
    if clean_characters(text) != text:  # else no part of it changes
        starts, ends = [0, *places], [*places, len(text)]
        parts = [clean_characters(text[start:end]) for start, end in zip(starts, ends)]
        text, places = "".join(parts), list(accumulate(map(len, parts[:-1])))
    return word_positions(text, new, places)


def _images_of(block: Block | None) -> list[dict[str, Any]]:
    """Copies of the images in the fields of a block."""
    if block is None:
        return []
    images = [span[3] for span in block.get("spans", ()) if span[2] == "image"]
    return images + [{n: v for n, v in figure.items() if n != "after"} for figure in block.get("figure", ())]


def _composed_end(text: str, at: int) -> int:
    """The first position from *at* where the next character does not compose with the one before it."""
    if text[at : at + 1] < _FIRST_MARK:  # for speed: none before it does
        return at
    for end in range(at, min(at + MAX_COMPOSED, len(text))):
        if not end or not unicodedata.combining(text[end]):
            pair = text[max(end - 1, 0) : end + 1]
            if unicodedata.normalize("NFC", pair) == "".join(unicodedata.normalize("NFC", one) for one in pair):
                return end
    return min(at + MAX_COMPOSED, len(text))


def clean_code(table: BlockTable) -> None:
    """Cleans the `code_text` of segments, and removes it where the code is one segment with this text."""
    with_code = [(text, fields) for text, fields in zip(table.text, table.extra) if fields and "code" in fields]
    sizes = Counter(fields["code"] for _, fields in with_code)
    for own, fields in with_code:
        if "code_text" in fields:
            text = fields["code_text"] = clean_text(fields["code_text"], keep_lines=True)
            if not text or text == own and sizes[fields["code"]] == 1:
                del fields["code_text"]
