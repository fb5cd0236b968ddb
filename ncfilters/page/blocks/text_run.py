"""The text of one block while it is read: its pieces, and which of them are link text or bold.

run = TextRun()
run.parts += ["See ", "here"]
run.link_spans.append((1, 2))
run.length_within(run.link_spans, "See here")    # 4
"""

from __future__ import annotations

from ...native.text_counts import collapse_spaces
from .raised_text import subscript, superscript

# Pieces before a superscript that tell what it is.
MAX_PARTS_BEFORE = 3

Spans = list[tuple[int, int]]


class TextRun:
    """Pieces of text, and the spans of pieces in links and in bold elements.

    A *link_start* of -1 means that no link is open. Bold elements nest; the builder counts the open ones.
    """

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.link_spans: Spans = []
        self.link_start = -1
        self.bold_spans: Spans = []
        self.bold_start = 0
        self.raised_starts: list[int] = []  # of the open superscripts and subscripts
        self.first = self.last = -1  # the rows of its first and its last text

    def end_raised(self, is_superscript: bool) -> None:
        """Writes the text of the superscript or subscript that ends here."""
        if not self.raised_starts or (start := self.raised_starts.pop()) >= len(self.parts):
            return
        parts = self.parts
        text = "".join(parts[start:])
        content = text.strip()
        before = "".join(parts[max(start - MAX_PARTS_BEFORE, 0) : start])
        if is_superscript:
            is_link = self.link_start == start or bool(self.link_spans) and self.link_spans[-1][0] >= start
            written = superscript(content, before, is_link)
        else:
            written = subscript(content, before)
        if written != content:
            lead, tail = text[: text.index(content)], text[text.index(content) + len(content) :]
            parts[start:] = [lead + written + tail]

    def take(self, is_pre: bool, is_bold: bool) -> tuple[str, int, int]:
        """The text, and how many of its characters are link text and bold; the run is empty then.

        White space is collapsed, unless *is_pre*. *is_bold*: whether a bold element is open. An open element continues
        at the start of the next text.
        """
        parts = self.parts
        raw = parts[0] if len(parts) == 1 else "".join(parts)
        if "\x85" in raw:  # white space in Python, an ellipsis in windows-1252
            raw = raw.replace("\x85", "…")
        text = raw.replace("\xa0", " ").strip("\n") if is_pre else collapse_spaces(raw)
        link_chars = bold_chars = 0
        if self.link_start >= 0:
            self.link_spans.append((self.link_start, len(parts)))
            self.link_start = 0
        if self.link_spans:
            link_chars = self._length_within(self.link_spans, text)
            self.link_spans.clear()
        if is_bold:
            self.bold_spans.append((self.bold_start, len(parts)))
            self.bold_start = 0
        if self.bold_spans:
            bold_chars = self._length_within(self.bold_spans, text)
            self.bold_spans.clear()
        if self.raised_starts:
            self.raised_starts.clear()
        parts.clear()
        return text, link_chars, bold_chars

    def _length_within(self, spans: Spans, text: str) -> int:
        """How many characters of *text*, which is the joined parts, are in *spans*."""
        parts = self.parts
        start, end = spans[0]
        if start == 0 and end == len(parts):
            return len(text)
        count = 0
        for start, end in spans:
            count += len(collapse_spaces("".join(parts[start:end])))
        return min(count, len(text))
