r"""Markup of blocks (see `markup_builder`) in the segments that they become: cleaned, and joined across line breaks;
and formulas that stand in the text with TeX's delimiters, where a script of the page would draw them.

raw = list(table.text)    # ["See\u200b this."], of which "this" is in an em
clean, fields = clean_texts(table), list(table.extra)
carry_markup(table, raw, clean, fields, join_blocks(table))
table.extra[0]    # {'spans': [[4, 8, 'em']]}
mark_delimited(table)     # of a segment r"If \(x\) is": {'spans': [[3, 8, 'math', 'x']]}

`\(x\)`, `\[x\]`, `$$x$$` and environments such as `\begin{align}` are formulas. `$x$` is one if it has a command, an
exponent or an index, and on pages with such formulas also if it is a short expression; else it may be a price.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import accumulate
from typing import Any

from ..page.blocks.block_table import PRE, BlockTable
from ..page.markup import markup_fields
from ..page.markup.markup_run import sort_spans, word_positions
from ..record import Block
from ..text.lazy_pattern import lazy_pattern
from .cleaning import clean_characters, clean_text, invalid_places, without_invalid

# Kinds of spans that go on from line to line, across a `<br>`.
_LASTING = frozenset(("em", "strong"))
# Characters after a position that may compose with the one before it.
MAX_COMPOSED = 32
# The first character that composes with another before it.
_FIRST_MARK = "\u0300"

# Characters of a formula, and formulas of a segment.
MAX_CHARS, MAX_FORMULAS = 2_000, 500
# Characters of a text that is searched for the ends of formulas first, and more than the name of an environment has.
MIN_SEARCHED, MAX_NAME = 5_000, 40

# For speed, each way to begin is a literal: what may not be before a dollar sign is looked for behind it.
_FORMULA = lazy_pattern(
    rf"\\\((?P<inline>.{{1,{MAX_CHARS}}}?)\\\)|\\\[(?P<brackets>.{{1,{MAX_CHARS}}}?)\\\]"
    rf"|\$(?<![\\$]\$)\$(?P<dollars>[^$]{{1,{MAX_CHARS}}})\$\$(?!\$)"
    rf"|\$(?<![\\$\w]\$)(?P<dollar>[^$\s](?:[^$\n]{{0,{MAX_CHARS}}}[^$\s\\])?)\$(?![\d$])"
    rf"|(?P<environment>\\begin\{{(?P<name>(?:equation|align|gather|multline|eqnarray)\*?)\}}.{{1,{MAX_CHARS}}}?"
    r"\\end\{(?P=name)\})",
    re.S,
)
_START = lazy_pattern(r"\\(?:[(\[]|begin\{)")
_STARTS = {"(": "\\(", "[": "\\[", "b": "\\begin{"}
_ENDS = {"(": "\\)", "[": "\\]", "b": "\\end{"}
_CONTENT = lazy_pattern(r"\w")
# A command, or an exponent or an index of a single letter.
_TEX = lazy_pattern(r"\\[a-zA-Z]|(?<![^\W_]{2})[\w)}\]|]\^[\w{\\(*+-]|(?<![^\W_])[^\W\d_]_[\w{\\]")
_TEX_SIGNS = "\\^_"  # one of which it has
_EXPRESSION = lazy_pattern(r"[^\W_][\w\s+*/=<>()|,.!'-]{0,40}|-?\d+")
_WORD = lazy_pattern(r"[^\W\d_]{3}")
# What a match is.
_FORMULA_ALONE, _TEX_IN_DOLLARS, _EXPRESSION_IN_DOLLARS, _TEXT = "formula", "tex", "expression", "text"


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
        markup_fields.join(own, [markup_fields.without_images(part, outside) for part in parts], starts, _LASTING)
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


# ---- formulas ----------------------------------------------------------------------------------------------------


def mark_delimited(table: BlockTable) -> None:
    """Adds spans of the kind `math` for delimited formulas, instead of the spans in them. Code has none."""
    found: list[tuple[int, list[list[Any]]]] = []
    has_tex = False  # whether a formula between single dollars has TeX in it
    for row, text in enumerate(table.text):
        if ("\\" in text or "$" in text) and not table.flags[row] & PRE and "code" not in (table.extra[row] or ()):
            spans: list[list[Any]] = []
            for match in _FORMULA.finditer(_without_unclosed(text)):
                if len(spans) < MAX_FORMULAS:
                    spans.append(_span_of(match, text))
                    has_tex = has_tex or spans[-1][-1] == _TEX_IN_DOLLARS
                elif has_tex or (has_tex := match.lastgroup == "dollar" and bool(_TEX.search(match["dollar"].strip()))):
                    break
            found.append((row, spans))
    kinds = {_FORMULA_ALONE, _TEX_IN_DOLLARS, _EXPRESSION_IN_DOLLARS} if has_tex else {_FORMULA_ALONE}
    for row, spans in found:
        formulas = [span for span in spans if span.pop() in kinds]
        if formulas:
            _add_formulas(table.fields(row), formulas)


def _without_unclosed(text: str) -> str:
    """The text with spaces for delimiters whose formula does not end within MAX_CHARS: each would be searched that far.
    A short text is returned as it is."""
    if len(text) < MIN_SEARCHED:
        return text
    for kind, own in _STARTS.items():  # those after the last end of their kind
        if (last := max(text.rfind(_ENDS[kind]), 0)) <= text.rfind(own):
            text = text[:last] + text[last:].replace(own, " " * len(own))
    ends = dict.fromkeys(_ENDS, 0)  # the first end of each kind after the last delimiter

    def keep(delimiter: re.Match[str]) -> str:
        start, kind = delimiter.end(), delimiter[0][1]
        if 0 <= ends[kind] < start:
            ends[kind] = text.find(_ENDS[kind], start)
        return delimiter[0] if 0 <= ends[kind] <= start + MAX_CHARS + MAX_NAME else " " * len(delimiter[0])

    return _START.sub(keep, text)


def _span_of(match: re.Match[str], text: str) -> list[Any]:
    """The span of a formula in the text, followed by what it is."""
    name = "environment" if match["environment"] is not None else match.lastgroup
    start, end = match.span(name or 0)
    tex = text[start:end].strip()
    span: list[Any] = [*match.span(), "math", tex]
    if name == "dollar":
        if any(map(tex.__contains__, _TEX_SIGNS)) and _TEX.search(tex):
            return [*span, _TEX_IN_DOLLARS]
        is_expression = _EXPRESSION.fullmatch(tex) and not _WORD.search(tex)
        return [*span, _EXPRESSION_IN_DOLLARS if is_expression else _TEXT]
    if name != "inline":
        span.append("display")
    return [*span, _FORMULA_ALONE if _CONTENT.search(tex) else _TEXT]


def _add_formulas(fields: Block, formulas: list[list[Any]]) -> None:
    """Adds formulas to the spans of a segment, except those that others overlap; drops the spans in them."""
    spans = fields.get("spans", [])
    if not spans:  # for speed: formulas do not overlap, and are in order
        fields["spans"] = formulas
        return
    out = []
    inner: set[int] = set()  # the numbers of spans in formulas
    order = sorted(range(len(spans)), key=lambda number: int(spans[number][0]))
    near: list[int] = []  # of those that may touch the formula
    next_span = 0
    for formula in formulas:
        start, end = formula[:2]
        while next_span < len(order) and spans[order[next_span]][0] <= end:
            near.append(order[next_span])
            next_span += 1
        near = [number for number in near if spans[number][1] >= start and number not in inner]
        if not any(_is_in_the_way(spans[number], start, end) for number in near):
            inner.update(number for number in near if _is_within(spans[number], start, end))
            out.append(formula)
    if out:
        spans = [span for number, span in enumerate(spans) if number not in inner] + out
        sort_spans(spans)
        fields["spans"] = spans


def _is_within(span: list[Any], start: int, end: int) -> bool:
    """Whether a span is a part of a formula, and not all of it."""
    return bool(start <= span[0] and span[1] <= end and span[:2] != [start, end])


def _is_in_the_way(span: list[Any], start: int, end: int) -> bool:
    """Whether a formula cannot be where a span is."""
    return span[2] in ("code", "math") and span[0] < end and span[1] > start or _is_across(span, start, end)


def _is_across(span: list[Any], start: int, end: int) -> bool:
    """Whether a span begins or ends in a formula, but not both."""
    return bool(span[0] < start < span[1] < end or start < span[0] < end < span[1])
