"""Markup of blocks (see `markup_builder`) in the segments that they become: cleaned, and joined across line breaks.

blocks = [{"text": "See\\u200b this.", "tag": "p", "path": "body/p", "links": 4, "spans": [[5, 9, "em"]]}]
raw = [block["text"] for block in blocks]
carry_markup(raw, blocks, join_lines_of(blocks))    # spans: [[4, 8, 'em']]
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from functools import partial
from itertools import accumulate
from typing import Any

from ..page.markup import markup_fields
from ..page.word_positions import word_positions
from ..record import Block, Segment
from .cleaning import clean_characters, invalid_places, without_invalid

# Characters after a position that may compose with the one before it.
MAX_COMPOSED = 32
# The first character that composes with another before it.
_FIRST_MARK = "\u0300"


def carry_markup(raw: Sequence[str], blocks: Sequence[Block], segments: Sequence[Segment]) -> None:
    """Moves the fields of markup in *blocks*, whose texts were *raw*, to the *segments* that they are now.

    Each segment is a block, with the text of those after it that are its lines. A block whose text is empty now is
    none: its images go to the one before or after it.
    """
    if len(segments) == len(blocks):  # for speed: each block is a segment
        for old, block in zip(raw, blocks):
            if old != block["text"] and ("spans" in block or "cells" in block):
                finish_group([old], [block])
        return
    group: list[Block] = []  # the block of the last segment, and its lines
    olds: list[str] = []
    number = 0
    waiting: list[dict[str, Any]] = []
    for old, block in zip(raw, blocks):
        if number < len(segments) and segments[number] is block:
            if len(group) > 1 or group and olds[0] != group[0]["text"]:
                finish_group(olds, group)
            olds, group = [old], [block]
            number += 1
            if waiting:
                take_images(block, waiting)
        elif block["text"]:
            olds.append(old)
            group.append(block)
        else:
            give_images(block, group[0] if group else None, waiting)
    finish_group(olds, group)


def finish_group(olds: list[str], group: list[Block]) -> None:
    """Gives the first block of a group, which is the segment, the fields of all. *olds*: their texts before they were
    cleaned. The text of the first one is that of the segment."""
    if not any(map(markup_fields.has_markup, group)):
        return
    head, *lines = group
    rest = sum(len(line["text"]) + 1 for line in lines)
    own = {**head, "text": head["text"][: len(head["text"]) - rest]} if lines else head
    parts = [own, *lines]
    for old, part in zip(olds, parts):
        new = part["text"]
        if old != new and ("spans" in part or "cells" in part):
            markup_fields.move(part, partial(cleaned_positions, old, new), new)
    if lines:
        starts = [0, *accumulate(len(part["text"]) + 1 for part in parts[:-1])]
        outside = [figure for figure in parts[0].get("figure", ()) if "after" not in figure]
        outside += [figure for figure in parts[-1].get("figure", ()) if "after" in figure]
        markup_fields.join(head, [_with_images(part, outside) for part in parts], starts)
        head.pop("figure", None)
        if outside:
            head["figure"] = outside


def give_images(block: Block, before: Block | None, waiting: list[dict[str, Any]]) -> None:
    """Gives the images of a block without text to the one *before* it, or to those that are *waiting* for the first."""
    images = _images_of(block)
    if before is None:
        waiting += images
    else:
        before.setdefault("figure", []).extend({**image, "after": True} for image in images)


def take_images(block: Block, waiting: list[dict[str, Any]]) -> None:
    """Takes over the images that are *waiting* for the first block."""
    block.setdefault("figure", [])[:0] = waiting
    waiting.clear()


def cleaned_positions(old: str, new: str, positions: Sequence[int]) -> list[int]:
    """Where sorted *positions* in a text are when it is cleaned to *new* (see `clean_text`)."""
    if old == new:
        return list(positions)
    if clean_characters(old) == old:
        return word_positions(old, new, positions)
    text, invalid = without_invalid(old), invalid_places(old)
    places = [_composed_end(text, at - bisect_left(invalid, at)) for at in positions]
    if clean_characters(text) != text:  # else no part of it changes
        text, places = _in_parts(text, places, clean_characters)
    return word_positions(text, new, places)


def _with_images(part: Block, outside: list[dict[str, Any]]) -> Block:
    """A part without the images *outside* the segment."""
    return {**part, "figure": [figure for figure in part.get("figure", ()) if figure not in outside]}


def _images_of(block: Block) -> list[dict[str, Any]]:
    images = [span[3] for span in block.get("spans", ()) if span[2] == "image"]
    return images + [{n: v for n, v in figure.items() if n != "after"} for figure in block.get("figure", ())]


def _in_parts(text: str, positions: Sequence[int], change: Any) -> tuple[str, list[int]]:
    """*text*, each part between *positions* changed, and the positions in it."""
    starts, ends = [0, *positions], [*positions, len(text)]
    parts = [change(text[start:end]) for start, end in zip(starts, ends)]
    return "".join(parts), list(accumulate(map(len, parts[:-1])))


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
