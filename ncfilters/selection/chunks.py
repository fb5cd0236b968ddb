"""Markdown in pieces for retrieval: cut at headings, rules and the borders of blocks, each with the headings above it.

    chunks("# Rain\\n\\nIt rained.\\n\\n## Sun\\n\\nIt shone.", 100)[1]
    # Chunk(headings=('Rain', 'Sun'), text='## Sun\\n\\nIt shone.')

A piece is of one section. A block that does not fit is cut between items of lists, rows of tables and sentences; the
head of the table is repeated where there is room. No row, block of code, formula or sentence is cut. A heading goes
with the first of these below it, unless that fits and the two together do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from ..record import VERSION, Record
from ..segmentation.sentences import sentence_spans
from ..text.words import words
from .front_matter import document_metadata

_PREFIX = re.compile(r"(?:> ?)*")  # of a quote
_HEADING = re.compile(r"(#{1,6}) +(.*)")
_RULE = re.compile(r"(?:-{3,}|\*{3,}|_{3,})\s*")
_FENCE = re.compile(r" *(`{3,}|~{3,})")
_ITEM = re.compile(r" *(?:[-*+]|\d{1,9}[.)]) +(?:(`{3,}|~{3,}))?|\[\^[^\]]+\]: ")
_TABLE_RULE = re.compile(r"\s*\|(?:\s*:?-+:?\s*\|)+\s*")
# What is in a sentence: escapes, code, links and images, tags, emphasis, formulas.
_INLINE = re.compile(
    r"\\."
    r"|(?:(?<!`)|(?<=\\`))(`+)(?!`).{1,2000}?(?<!`)\1(?!`)"
    r"|!?\[(?:[^\[\]\\]|\\.|!?\[[^\[\]]{0,500}\](?:\([^()]{0,2000}\))?){0,2000}\](?:\((?:[^()\\]|\\.|\([^()]*\)){0,4000}\))?"
    r"|<[^<>\n]{1,2000}>"
    r"|(\*{1,3}|~~)(?=\S).{1,4000}?(?<=\S)\2"
    r"|\$[^$\n]{1,2000}\$",
    re.S,
)
# What is between two sentences: white space, after the sign of a line break.
_GAP = re.compile(r"(?:\\(?=\n))?\s*")
_TARGET = re.compile(r"\]\((?:[^()\\]|\\.|\([^()]*\)){0,4000}\)")
_MARKS = re.compile(r"!?\[((?:[^\[\]\\]|\\.)*)\](?:\([^)]*\))?|\\(.)|[*`]|~~")


class Chunk(NamedTuple):
    """A piece of a text: the *headings* above it, from the outermost, and its Markdown."""

    headings: tuple[str, ...]
    text: str


class _Unit(NamedTuple):
    """What is not cut: its text, what separates it from the unit before, the kind of its block, the number of that
    block, and what it begins with where it begins a piece."""

    text: str
    before: str
    kind: str  # heading, rule, code, head (of a table), row, item, text
    block: int
    prefix: str = ""

    @property
    def indent(self) -> int:
        """The spaces before it."""
        return len(self.text) - len(self.text.lstrip(" "))


def chunks(markdown: str, max_words: int, language: str = "") -> list[Chunk]:
    """The pieces of a text, of at most *max_words* words (see `word_count`) each, except where one unit has more.
    Raises ValueError for a number below 1."""
    if max_words < 1:
        raise ValueError(f"chunks: expected 1 word or more, got {max_words}")
    out: list[Chunk] = []
    open_headings: list[tuple[int, str]] = []
    for section in _sections(list(_units(markdown))):
        for unit in section:
            if unit.kind == "heading" and (match := _HEADING.match(unit.text)):
                level = len(match[1])
                open_headings = [(above, name) for above, name in open_headings if above < level]
                open_headings.append((level, _plain(match[2])))
        path = tuple(name for _, name in open_headings if name)
        out += [Chunk(path, text) for piece in _pieces(section, max_words, language) if (text := _written(piece))]
    return out


def chunk_records(document: Record, max_words: int) -> list[Record]:
    """The pieces of the `text` of a record, which is Markdown, as records: `id`, `url`, `title`, `headings`, `text`."""
    language = document.get("lang")
    pieces = chunks(document["text"], max_words, language if isinstance(language, str) else "")
    name = document.get("id") if document.get("id") is not None else document.get("url") or ""
    url, title = document.get("url"), document_metadata(document).get("title")
    known = {key: value for key, value in (("url", url), ("title", title)) if value}
    return [
        {"id": f"{name}#{number}", **known, "headings": list(piece.headings), "text": piece.text, "nc": VERSION}
        for number, piece in enumerate(pieces, 1)
    ]


def word_count(markdown: str) -> int:
    """The words that a text shows: those of addresses of links are none."""
    return len(words(_TARGET.sub("]", markdown)))


# ---- units --------------------------------------------------------------------------------------------------------


def _units(markdown: str) -> Iterator[_Unit]:
    """The units of a text, in order; together they are all of it."""
    lines = markdown.split("\n")
    at, block, before = 0, 0, ""
    last = ""  # the kind of the unit before, if no empty line is between
    while at < len(lines):
        prefix = _PREFIX.match(lines[at])[0]  # type: ignore[index]  # it matches the empty string, too
        if not lines[at][len(prefix) :].strip():
            before += ("\n" if at else "") + lines[at]
            last = ""
            at += 1
            continue
        kind, end = _unit_at(lines, at, len(prefix), last)
        text = "\n".join(lines[at:end])
        group = {"head": "table", "row": "table", "item": "list"}.get(kind, kind)
        is_inside = text.startswith(" ") and block > 0  # of an item
        block += 0 if last and group == last or is_inside else 1
        yield _Unit(text, before + ("\n" if at else ""), kind, block, prefix)
        before, at, last = "", end, group
        if kind == "item" or is_inside:
            last = "list"
    if before:
        yield _Unit("", before, "text", block)


def _unit_at(lines: list[str], at: int, skipped: int, last: str) -> tuple[str, int]:
    """The kind of the unit that begins at a line, of which so many characters are those of a quote, and its end."""
    line = lines[at][skipped:]
    item = _ITEM.match(line)
    fence = _FENCE.match(line)
    if opening := fence[1] if fence else item[1] if item else None:
        end = at + 1
        while end < len(lines) and not lines[end][skipped:].strip().startswith(opening):
            end += 1
        return "item" if item and not fence else "code", min(end + 1, len(lines))
    if not skipped and _HEADING.match(line):
        return "heading", at + 1
    if not skipped and _RULE.fullmatch(line):
        return "rule", at + 1
    if line.lstrip().startswith("|"):
        is_head = last != "table" and at + 1 < len(lines) and _TABLE_RULE.fullmatch(lines[at + 1][skipped:])
        return ("head", at + 2) if is_head else ("row", at + 1)
    if line.lstrip().startswith("$$") and not line.rstrip().endswith("$$", line.index("$$") + 2):
        end = at + 1
        while end < len(lines) and not lines[end].rstrip().endswith("$$"):
            end += 1
        return "code", min(end + 1, len(lines))
    end = at + 1
    while end < len(lines) and _goes_on(lines[end], skipped):
        end += 1
    return "item" if item else "text", end


def _goes_on(line: str, skipped: int) -> bool:
    """Whether a line is one of the paragraph or item before it."""
    prefix = len(_PREFIX.match(line)[0])  # type: ignore[index]  # as above
    rest = line[prefix:]
    if not rest.strip() or prefix != skipped or _ITEM.match(rest) or _FENCE.match(rest):
        return False
    return not (rest.lstrip().startswith(("|", "$$")) or _HEADING.match(rest) or _RULE.fullmatch(rest))


def _sections(units: list[_Unit]) -> Iterator[list[_Unit]]:
    """The units between headings and rules; headings without text between them begin one."""
    section: list[_Unit] = []
    for unit in units:
        if unit.kind == "rule" or unit.kind == "heading" and section and section[-1].kind != "heading":
            if section:
                yield section
            section = []
        if unit.kind != "rule":
            section.append(unit)
    if section:
        yield section


# ---- pieces -------------------------------------------------------------------------------------------------------


def _pieces(section: list[_Unit], most: int, language: str) -> Iterator[list[_Unit]]:
    """The units of each piece of a section: whole blocks where they fit."""
    piece: list[_Unit] = []
    left = most
    for _, group in groupby(section, key=lambda unit: (unit.kind == "heading", unit.block)):
        units = list(group)
        size = sum(word_count(unit.text) for unit in units)
        if size <= left:
            piece += units
            left -= size
            continue
        if size <= most and any(unit.kind != "heading" for unit in piece):
            yield piece
            piece, left = units, most - size
            continue
        head = units[0] if units[0].kind == "head" else None
        # what follows a heading is cut where the heading leaves no room for all of it
        room = [most if any(unit.kind != "heading" for unit in piece) else left, *[most] * (len(units) - 1)]
        for unit in (part for whole, own in zip(units, room) for part in _parts(whole, own, language)):
            size = word_count(unit.text)
            if size > left and piece and (size <= most or piece[-1].kind != "heading"):
                yield piece
                piece, left = [], most
                if head and unit.kind == "row" and (own := word_count(head.text)) + size <= most:
                    piece, left = [head], most - own
            piece.append(unit)
            left -= size
    if piece:
        yield piece


def _parts(unit: _Unit, most: int, language: str) -> Iterator[_Unit]:
    """The sentences of a paragraph or item that is too long; other units as they are."""
    if unit.kind not in ("text", "item") or word_count(unit.text) <= most:
        yield unit
        return
    inner = [match.span() for match in _INLINE.finditer(unit.text)]
    start, before = 0, unit.before
    for _, end in sentence_spans(unit.text, language):
        if any(first < end < last for first, last in inner) or end >= len(unit.text.rstrip()):
            continue
        text = unit.text[start:end]
        yield unit._replace(text=text, before=before)
        gap = _GAP.match(unit.text, end)[0]  # type: ignore[index]  # as above
        before, start = gap, end + len(gap)
        if unit.prefix and "\n" in before:  # the next line of a quote
            own = len(_PREFIX.match(unit.text[start:])[0])  # type: ignore[index]  # as above
            before, start = before + unit.text[start : start + own], start + own
    yield unit._replace(text=unit.text[start:], before=before)


def _written(piece: list[_Unit]) -> str:
    """The text of a piece. Items of an inner list, if they come first, are those of an outer one."""
    first = piece[0]
    shift = first.indent
    is_cut = first.prefix != "" and not first.text.startswith(">")
    out = first.prefix + first.text if is_cut else first.text[shift:].replace("\n" + " " * shift, "\n")
    is_first = shift > 0
    for unit in piece[1:]:
        text = unit.text
        is_first = is_first and unit.indent > 0
        if is_first:
            text = re.sub(rf"^ {{1,{shift}}}", "", text, flags=re.M)
        out += unit.before + text
    return out.strip("\n").rstrip("\\ ")


def _plain(heading: str) -> str:
    """A heading without its marks."""
    return " ".join(_MARKS.sub(lambda match: _plain(match[1]) if match[1] else match[2] or "", heading).split())
