"""The text of a segment, on one line or with the lines of the page, in XML, and TeX where it can stand between dollar
signs; and plain text, with the bullets of list items or without, and the markup of CleanEval.

lines({"text": "Roses are red,\nviolets are blue.", "type": "p", "lines": True})    # 'Roses are red,\nviolets …'
plain([{"text": "Title", "type": "h"}, {"text": "Text.", "type": "p"}], {})    # 'Title\nText.'
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from ...page.dom_path import ITEM, LIST
from ...record import Record
from ...segmentation.segment_types import ITEM_START
from ...text.lazy_pattern import lazy_pattern

BREAK = lazy_pattern(r"\r\n?|\n")
_CONTROLS = lazy_pattern("[\0-\x08\x0b\x0c\x0e-\x1f\x7f]")
_SPACE = lazy_pattern("[\t\n\r\x85\u2028\u2029]")

# Characters. More is no formula.
MAX_TEX_CHARS = 10_000

_COMMENT = lazy_pattern(r"(?<!\\)((?:\\\\)*)%[^\n]*\n?")
_DOLLAR = lazy_pattern(r"(?<!\\)(?:\\\\)*\$")
# The start of a tag, of the address of a link, of an entity, or of code; and a number in brackets.
_MARKUP = lazy_pattern(r"<(?=[A-Za-z/!?])|\](?=[(\[:])|&(?=[A-Za-z#])|`|\[(\d+)\]")
_TRAILING_BACKSLASH = lazy_pattern(r"(?<!\\)(?:\\\\)*\\$")
# A marker that is kept; others become a hyphen.
NUMBER = lazy_pattern(r"[0-9]{1,9}[.)]")
# The minimum indent of an inner list, in columns.
_INDENT = 2


def line(segment: Record, start: int = 0) -> str:
    """The text of a segment, from *start* on, on one line."""
    text: str = segment["text"][start:]
    return " ".join(text.split()) if segment.get("pre") or "\n" in text or "\r" in text else text


def has_lines(segment: Record) -> bool:
    """Whether the line breaks in the text of a segment are lines of the page."""
    return bool(segment.get("pre") or segment.get("lines")) and "\n" in segment["text"]


def lines(segment: Record, start: int = 0) -> str:
    """The text of a segment, from *start* on, with its lines if these are lines of the page."""
    text: str = segment["text"]
    if "\n" not in text and "\r" not in text and "pre" not in segment:  # for speed: most
        return text[start:]
    if has_lines(segment):
        return "\n".join([part.rstrip() for part in BREAK.split(segment["text"][start:])]).strip("\n")
    return line(segment, start)


def without_controls(text: str) -> str:
    """*text* with spaces in place of control characters."""
    return text if text.isprintable() else _CONTROLS.sub(" ", text)


def in_xml(text: str) -> str:
    """*text* without the characters that XML does not allow."""
    return _not_xml().sub("", text)


def xml_text(text: str) -> str:
    """*text* in XML and HTML: without characters that are not allowed there, with entities for markup."""
    return _escape(in_xml(text))


def xml_attribute(text: str) -> str:
    """*text* as the value of an attribute, on one line."""
    return _escape(in_xml(_SPACE.sub(" ", text))).replace('"', "&quot;").replace("'", "&#x27;")


def _escape(text: str) -> str:
    """The text with entities for markup, as `html.escape` writes it: that library loads the names of all entities."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


@cache
def _not_xml() -> re.Pattern[str]:
    """The characters that XML does not allow. Compiling it takes 3 ms."""
    return lazy_pattern("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def plain_tex(tex: str) -> str:
    """*tex* on one line without comments; empty if it is too long."""
    if len(tex) > MAX_TEX_CHARS:
        return ""
    return " ".join(without_controls(_COMMENT.sub(r"\1", tex) if "%" in tex else tex).split())


def inline_tex(tex: str) -> str:
    """The same, without what a parser of Markdown that knows no formulas takes for HTML, a link, an entity or code;
    empty also if a dollar sign or a backslash at the end would end the formula elsewhere."""
    tex = plain_tex(tex)
    if _DOLLAR.search(tex) or _TRAILING_BACKSLASH.search(tex):
        return ""
    return _MARKUP.sub(_as_tex, tex) if _MARKUP.search(tex) else tex


def _as_tex(match: re.Match[str]) -> str:
    """What means the same in TeX and nothing in Markdown: a space is nothing in a formula, `\\lq` a grave accent."""
    if match[0] == "`":
        return r"\lq "
    if match[1]:  # it may be the label of a reference link
        return f"[{{{match[1]}}}] "
    return f"{match[0]} "


def plain(segments: list[Record], document: Record) -> str:
    """One paragraph per line; poems, addresses and preformatted text keep their lines."""
    return "\n".join(_with_breaks(list(map(lines, segments)), segments))


def plain_with_bullets(segments: list[Record], document: Record) -> str:
    """The same, with the bullets and numbers of list items.

    Inner lists, and the further lines and paragraphs of an item, are indented.
    """
    out = []
    layout = _ListLayout()
    for segment in segments:
        text = lines(segment)
        if "marker" in segment and segment["type"] == "l" and not ITEM_START.match(text.partition("\n")[0]):
            out.append(layout.item(segment, text))
        else:
            out.append(layout.below_items(segment, text))
    return "\n".join(_with_breaks(out, segments))


def cleaneval(segments: list[Record], document: Record) -> str:
    """The markup of the CleanEval annotation guidelines: `<p>`, `<h>` or `<l>` before each segment."""
    return "\n".join(f"<{segment['type']}>{line(segment)}" for segment in segments)


def _with_breaks(texts: list[str], segments: list[Record]) -> list[str]:
    """The texts of segments with empty ones between posts."""
    if not any("post" in segment for segment in segments):
        return texts
    out = texts[:1]
    for text, segment, before in zip(texts[1:], segments[1:], segments):
        out += ["", text] if segment.get("post") != before.get("post") else [text]
    return out


class _ListLayout:
    """The columns of list items. An item is indented below the last item before it with a smaller depth, if there is
    one."""

    def __init__(self) -> None:
        # of the open items: depth, column of inner items, column of the text, path with a final slash
        self._open: list[tuple[int, int, int, str]] = []

    def item(self, segment: Record, text: str) -> str:
        """An item of these lines, with its bullet or number."""
        depth, element = _item_in(segment.get("path", ""))
        while self._open and self._open[-1][0] >= depth:
            self._open.pop()
        column = self._open[-1][1] if self._open else 0
        marker = segment.get("marker", "*")
        if not NUMBER.fullmatch(marker):
            marker = "-"
        start = f"{' ' * column}{marker} "
        inner = column + max(_INDENT, len(marker) + 1)
        self._open.append((depth, inner, len(start), f"{element}/" if element else "\0"))
        return start + _indented(text, len(start)).lstrip(" ")

    def below_items(self, segment: Record, text: str) -> str:
        """The lines of a segment that is no item: indented if it is in one of the open items; it ends the others."""
        if not self._open:
            return text
        path = segment.get("path", "") + "/"
        while self._open and not path.startswith(self._open[-1][3]):
            self._open.pop()
        return _indented(text, self._open[-1][2]) if self._open else text


@lru_cache(maxsize=256)
def _item_in(path: str) -> tuple[int, str]:
    """The number of lists in a path, and the path of the innermost item."""
    return len(LIST.findall(path)), path[: max((match.end() for match in ITEM.finditer(path)), default=0)]


def _indented(text: str, column: int) -> str:
    return "\n".join([" " * column + part if part else part for part in text.split("\n")])
