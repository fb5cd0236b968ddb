"""The text of one block while it is read with its markup: which of its pieces are links, emphasis, code or images.

run = MarkupRun()
run.open(("link", "http://a.example/"))
run.parts += ["See ", "here"]
run.close()
run.take(False, False), run.spans    # ('See here', 0, 0), [[0, 8, 'link', 'http://a.example/']]
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any

from ...text.lazy_pattern import lazy_pattern
from ..blocks.text_run import TextRun

# Elements that are open at once; those in them are not recorded.
MAX_OPEN = 30

# [start, end, kind] or [start, end, kind, value] in a text (nc-stream(5)).
Span = list[Any]
_NOWHERE: Span = [-1, -1]  # of an element without text

_WORD = lazy_pattern(r"\S+")


class Mark:
    """An inline element in a run: its *entry*, a kind and perhaps a value; its first piece and the one after its last.

    One that is a *point*, such as an image, has no text of its own; it is in the elements *around* it. One that is only
    a *part* of its first piece has the positions in that.
    """

    def __init__(self, start: int, entry: tuple[Any, ...], around: tuple[Mark, ...] | None = None) -> None:
        self.start = self.end = start
        self.entry = entry
        self.is_point = around is not None
        self.part: tuple[int, int] | None = None
        self.around = around or ()


class MarkupRun(TextRun):
    """A run that records inline elements: those that are open, and all in the order of their starts.

    *spans* are those of the text that was taken last, and *taken* is that text.
    """

    def __init__(self) -> None:
        TextRun.__init__(self)
        self.marks: list[Mark] = []
        self.open_marks: list[Mark | None] = []  # None for an element that is not recorded
        self.spans: list[Span] = []
        self.taken = ""

    def open(self, entry: tuple[Any, ...]) -> None:
        """Begins an element: its kind, and perhaps a value. Emphasis in emphasis is not recorded."""
        marks = self.open_marks
        if marks and (len(marks) > MAX_OPEN or self._has_open(entry)):
            marks.append(None)
            return
        mark = Mark(len(self.parts), entry)
        self.marks.append(mark)
        marks.append(mark)

    def _has_open(self, entry: tuple[Any, ...]) -> bool:
        for mark in self.open_marks:
            if mark is not None and mark.entry == entry:
                return True
        return False

    def close(self) -> None:
        """Ends the element that began last."""
        if self.open_marks:
            mark = self.open_marks.pop()
            if mark is not None:
                mark.end = len(self.parts)

    def add_point(self, entry: tuple[Any, ...]) -> None:
        """Adds an element without text, such as an image."""
        self.marks.append(Mark(len(self.parts), entry, self.around()))

    def is_in(self, kind: str) -> bool:
        """Whether an element of a kind is open."""
        for mark in self.open_marks:
            if mark is not None and mark.entry[0] == kind:
                return True
        return False

    def around(self) -> tuple[Mark, ...]:
        """The open elements."""
        return tuple([mark for mark in self.open_marks if mark is not None])

    def end_raised(self, is_superscript: bool) -> None:
        """As in TextRun. Where the text is written in another way, the element has what the page has as its value."""
        parts = self.parts
        start = self.raised_starts[-1] if self.raised_starts else len(parts)
        pieces = parts[start:]
        text = "".join(pieces)
        before = text.strip()
        TextRun.end_raised(self, is_superscript)
        if parts[start:] != pieces:
            ends = [0, *accumulate(map(len, pieces))]
            for mark in reversed(self.marks):  # the pieces are one piece now
                if mark.start < start:
                    break
                place = ends[mark.start - start], ends[max(mark.end - start, 0)]
                mark.start, mark.end = start, len(parts)
                at = parts[start].find(before)  # within the brackets of a note
                if at >= 0 and mark not in self.open_marks and text[slice(*place)].strip() != before:
                    at -= len(text) - len(text.lstrip())
                    mark.part = place[0] + at, place[1] + at
            raised = self.open_marks[-1] if self.open_marks else None
            if raised is not None and raised.start == start and parts[start].strip() != before:
                raised.entry = (*raised.entry[:1], before)

    def take(self, is_pre: bool, is_bold: bool) -> tuple[str, int, int]:
        """As in TextRun; `spans` are those of the text then. An open element continues at the start of the next."""
        marks, parts = self.marks, self.parts
        if not marks:
            out = TextRun.take(self, is_pre, is_bold)
            self.spans, self.taken = [], out[0]
            return out
        for mark in self.open_marks:
            if mark is not None:
                mark.end = len(parts)
        first = marks[0]
        is_whole = len(marks) == 1 and first.start == 0 and first.end == len(parts) and first.part is None
        ends, raw = [0], ""
        if not is_whole or first.is_point:
            for part in parts:
                ends.append(ends[-1] + len(part))
            raw = "".join(parts).replace("\x85", "…")
        out = TextRun.take(self, is_pre, is_bold)
        self.taken = out[0]
        if raw:
            self.spans = _placed(marks, ends, raw, out[0])
        else:  # for speed: a link, as a rule
            self.spans = [[0, len(out[0]), *first.entry]] if out[0] else []
        self.open_marks = [None if mark is None else Mark(0, mark.entry) for mark in self.open_marks]
        self.marks = [mark for mark in self.open_marks if mark is not None]
        return out


def sort_spans(spans: list[Any]) -> None:
    """Sorts spans by start, the longer ones first; an image stays before the elements that start there, if it is before
    all of them. Those of one extent keep their order, from the outermost."""
    if not any(span[2] == "image" for span in spans):  # for speed
        spans.sort(key=lambda span: (span[0], -span[1]))
        return
    starts: set[int] = set()  # of elements
    keys = []
    for start, end, kind, *_ in spans:
        if start < end or kind != "image":
            starts.add(start)
        keys.append((start, start in starts, -end))
    order = sorted(range(len(spans)), key=keys.__getitem__)
    spans[:] = [spans[number] for number in order]


def trimmed(span: Span, text: str) -> Span | None:
    """*span* without the white space at its ends; None if nothing is left. Changes it."""
    start, end = span[0], min(span[1], len(text))
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    span[0], span[1] = start, end
    return span if start < end else None


def linked_image(image: dict[str, Any], around: Sequence[Mark]) -> dict[str, Any]:
    """An image with the address of the innermost of the links *around* it as its `link`."""
    urls = [mark.entry[1] for mark in around if mark.entry[0] == "link"]
    return {**image, "link": urls[-1]} if urls else image


def _placed(marks: list[Mark], ends: list[int], raw: str, text: str) -> list[Span]:
    """The spans of *marks* in *text*. *ends* are the positions of the pieces in *raw*, which is *text* with other white
    space."""
    indent, size = raw.find(text), len(text)
    moved: dict[int, int] = {}
    if indent < 0:
        wanted = sorted({at for mark in marks for at in _place(mark, ends)})
        moved = dict(zip(wanted, word_positions(raw, text, wanted)))
    out: list[Span] = []
    spans: dict[Mark, Span] = {}  # where points ask for those around them
    has_points = False
    for mark in marks:
        has_points = has_points or mark.is_point
    for mark in marks:
        start, end = _place(mark, ends)
        first, last = (moved[start], moved[end]) if indent < 0 else (max(start - indent, 0), min(end - indent, size))
        span: Span = [first, last, *mark.entry]
        if mark.is_point:
            at = min(first, size)
            if at < size and text[at] == " " and raw[start - 1].isspace():
                at += 1
            for outer in mark.around:
                if outer in spans:
                    at = min(max(at, spans[outer][0]), spans[outer][1])
            if mark.entry[0] == "image":
                span[3] = linked_image(span[3], [outer for outer in mark.around if outer not in spans])
            span[0] = span[1] = at
        elif first >= last or trimmed(span, text) is None:
            continue
        out.append(span)
        if has_points:
            spans[mark] = span
    if has_points:
        return [span for _, span in sorted(spans.items(), key=lambda placed: _order(placed[0], placed[1], spans))]
    if len(out) > 1:
        out.sort(key=_outer_first)
    return out


def _outer_first(span: Span) -> tuple[int, int]:
    return span[0], -span[1]


def _order(mark: Mark, span: Span, spans: dict[Mark, Span]) -> tuple[int, bool, int]:
    """By their starts; images are before the elements that start there, of which the longer ones are first, unless they
    are in one of these."""
    start = span[0]
    leads = (
        mark.is_point
        and mark.entry[0] == "image"
        and all(spans.get(outer, _NOWHERE)[0] != start for outer in mark.around)
    )
    return start, not leads, -span[1]


def _place(mark: Mark, ends: list[int]) -> tuple[int, int]:
    """Where a mark begins and ends in the text of pieces that end at *ends*."""
    start = ends[mark.start]
    return (start, ends[mark.end]) if mark.part is None else (start + mark.part[0], start + mark.part[1])


def word_positions(old: str, new: str, positions: Iterable[int]) -> list[int]:
    """For each of *positions* in *old*, the position in *new*; between words, the end of the word before.

    The texts must have the same words (`split()`).
    """
    if old == new:
        return list(positions)
    if (indent := old.find(new)) >= 0:  # only white space around the text differs
        return [min(max(at - indent, 0), len(new)) for at in positions]
    starts = [word.start() for word in _WORD.finditer(old)]
    words = [word.span() for word in _WORD.finditer(new)]
    out = []
    for at in positions:
        number = bisect_right(starts, at) - 1
        if number < 0:
            out.append(0)
        else:
            start, end = words[min(number, len(words) - 1)]
            out.append(min(start + at - starts[number], end))
    return out
