"""Plain text, with the bullets of list items or without, and the markup of CleanEval.

plain([{"text": "Title", "type": "h"}, {"text": "Text.", "type": "p"}], {})    # 'Title\\nText.'
"""

from __future__ import annotations

from functools import lru_cache

from ...page.dom_path import ITEM, LIST
from ...record import Record
from ...segmentation.segment_types import ITEM_START
from ...text.lazy_pattern import lazy_pattern
from .lines import line, lines

# A marker that is kept; others become a hyphen.
NUMBER = lazy_pattern(r"[0-9]{1,9}[.)]")
# The minimum indent of an inner list, in columns.
_INDENT = 2


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
