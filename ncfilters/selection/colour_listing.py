"""The decisions about a document in colours, for people at a terminal: what nc-select --all prints there.

    print(colour_listing({"id": "a", "segments": [{"text": "Home", "type": "l", "score": -3.0, "keep": False}]}, 80))

A line has the decision (`+` or `-`), the score as a bar and as a number, type and role, and the text with the reason in
brackets, which are folded to the width. Blue and orange differ for all kinds of colour vision, and the signs say the
same.
"""

from __future__ import annotations

import unicodedata

from ..record import Record
from .reasons import remark

# Blue and orange of the 256 colours; dim; bold; the end of all.
KEPT, DROPPED, DIM, BOLD, END = "\x1b[38;5;32m", "\x1b[38;5;172m", "\x1b[2m", "\x1b[1m", "\x1b[0m"
# Columns of the bar, and the bits of a full one.
BAR_COLUMNS, FULL_BITS = 6, 12.0
EIGHTHS = " ▏▎▍▌▋▊▉█"
KIND_COLUMNS = 13
# Before the text: sign, bar, score and kind, with spaces.
INDENT = 2 + BAR_COLUMNS + 1 + 9 + 1 + KIND_COLUMNS + 1
# Columns of text, at least, however narrow the terminal is.
MIN_TEXT_COLUMNS = 20
# White space that moves the cursor, and other control characters.
_CONTROL_CATEGORIES = frozenset(("Cc", "Cf", "Zl", "Zp", "Cs"))


def colour_listing(document: Record, columns: int, by_class: bool = False) -> str:
    """The listing of a document whose segments have decisions (see `selector.SelectionOptions`) for a terminal of so
    many columns. With *by_class*, a segment has its class in place of its score."""
    name = visible(f"{document.get('id', '')} {document.get('url') or ''}").strip()
    segments = document["segments"]
    kept = sum(bool(segment["keep"]) for segment in segments)
    out = [f"{BOLD}{name}{END} {DIM}{kept} of {len(segments)} segments kept{END}".lstrip()]
    for segment in segments:
        out += _segment_lines(segment, max(columns - INDENT, MIN_TEXT_COLUMNS), _evidence(segment, by_class))
    return "\n".join(out)


def fold(text: str, columns: int) -> list[str]:
    """The text in lines of at most so many columns, at spaces where that is possible; one line at least."""
    lines: list[str] = []
    line, width = "", 0
    for word in text.split():
        for piece in _pieces(word, columns):
            own = width_of(piece)
            if line and width + 1 + own > columns:
                lines.append(line)
                line, width = piece, own
            else:
                line, width = (f"{line} {piece}", width + 1 + own) if line else (piece, own)
    return [*lines, line]


def width_of(text: str) -> int:
    """The columns that a text takes on a terminal."""
    if text.isascii():
        return len(text)
    return sum(map(_character_width, text))


def visible(text: str) -> str:
    """The text on one line without characters that move the cursor, change colours or turn the direction of text."""
    if text.isascii() and text.isprintable():
        return text
    spaced = "".join(" " if unicodedata.category(char) in _CONTROL_CATEGORIES else char for char in text)
    return " ".join(spaced.split())


def _segment_lines(segment: Record, columns: int, evidence: str) -> list[str]:
    colour = KEPT if segment["keep"] else DROPPED
    kind = f"{segment['type']} {segment['role']}" if "role" in segment else str(segment["type"])
    kind = visible(kind)[:KIND_COLUMNS]
    why = f"  [{said}]" if (said := remark(segment)) else ""
    first, *others = fold(visible(segment["text"] + why), columns)
    start, end = ("", "") if segment["keep"] else (DIM, END)
    head = f"{colour}{BOLD}{'+' if segment['keep'] else '-'}{END} {colour}{bar(segment['score'])}{END} {evidence:>9}"
    lines = [f"{head} {DIM}{kind:<{KIND_COLUMNS}}{END} {start}{first}{end}"]
    return lines + [f"{' ' * INDENT}{start}{line}{end}" for line in others]


def bar(score: float) -> str:
    """A score as a bar of BAR_COLUMNS, by its absolute value."""
    eighths = round(min(abs(score) / FULL_BITS, 1) * BAR_COLUMNS * 8)
    whole, rest = divmod(eighths, 8)
    return ("█" * whole + (EIGHTHS[rest] if rest else "")).ljust(BAR_COLUMNS)


def _evidence(segment: Record, by_class: bool) -> str:
    return visible(str(by_class and segment.get("class") or format(segment["score"], ".1f")))[:9]


def _pieces(word: str, columns: int) -> list[str]:
    """A word in pieces that fit a line."""
    if width_of(word) <= columns:
        return [word]
    out, piece, width = [], "", 0
    for char in word:
        own = _character_width(char)
        if piece and width + own > columns:
            out.append(piece)
            piece, width = "", 0
        piece, width = piece + char, width + own
    return [*out, piece]


def _character_width(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1
