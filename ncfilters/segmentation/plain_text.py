"""Paragraphs of plain text from any source: `lynx -dump`, a WET file, a dump of nc-render.

    list(paragraphs("A heading\\n\\n   Some text that\\n   goes on.\\n   * An item"))

Empty lines separate paragraphs; bullets and numbers begin list items. Where no line is wrapped, as in WET files, every
line is a paragraph. The CleanEval markers `<p>`, `<h>` and `<l>` at the start of a line, which nc-normalize writes for
other renderers, give the type of a paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..text.scripts import ASCII_CLAUSE_ENDS, UNSPACED_IN_LINES

# Text is not wrapped if more than this share of its lines is longer than so many characters. A smaller share may be
# URLs.
MAX_WRAPPED_CHARS, MAX_LONG_LINES = 100, 0.02
# Wrapped text has at least this share of empty lines. Text with fewer has one paragraph per line.
MIN_EMPTY_LINES = 0.02
# Text is indented, except its headings, if more than this share of its lines is indented.
MIN_INDENTED_LINES = 0.6

# A bullet or number, and a CleanEval marker. Lynx uses letters as bullets of inner lists.
_START = re.compile(
    r"\s*(?:([*+-](?= )|--(?= )|(?<=\s{4})[o#@](?= )|[•‣◦▪●○■□·]|\(?\d{1,3}[.)](?= ))\s*)?(?:<([phl])>)?\s*", re.I
)
_SENTENCE_ENDS = tuple(ASCII_CLAUSE_ENDS)
# `lynx -dump` numbers links and lists their addresses at the end.
_REFERENCES = re.compile(r"\n[^\S\n]*References\n\s*(?:Visible links:?\s*)?1\. \w+:\S+\n")
_LINK_NUMBER = re.compile(r"\[\d{1,5}\](?=\S)")


def paragraphs(text: str) -> Iterator[dict[str, Any]]:
    """The paragraphs of *text*: dicts with `text` (its lines joined by line breaks), of list items also `marker`, of
    headings and marked paragraphs also `type`. Linear in the text."""
    references = _REFERENCES.search(text)
    if references:
        before = text[: references.start()].rstrip()
        text = _LINK_NUMBER.sub("", text[: text.index("\n", len(before))])
    lines = text.expandtabs().splitlines()
    layout = _Layout.of_lines(lines)
    gathered: list[str] = []
    fields: dict[str, Any] = {}
    for line in [*lines, ""]:
        start = _START.match(line)
        assert start is not None  # it matches the empty string
        bullet, marker, rest = start[1], start[2], line[start.end() :]
        begins = bool(bullet or marker) and bool(rest)
        if gathered and (begins or layout.is_unwrapped or not rest):
            if layout.is_indented and len(gathered) > 1 and fields.get("type") == "h":
                fields = {}
            yield {"text": _broken_ideographs().sub("", "\n".join(gathered)), **fields}
            gathered, fields = [], {}
        if begins:
            fields = {"type": marker.lower()} if marker else {}
            if bullet:
                fields["marker"] = bullet if bullet[-1] in ".)" else "*"
        elif bullet and not rest:  # a bullet on a line of its own, its text on the next line
            fields = {"marker": "*"}
            continue
        elif layout.is_indented and not gathered and line[:1].strip() and not line.rstrip().endswith(_SENTENCE_ENDS):
            fields = {"type": "h"}
        if line.strip():
            gathered.append(rest or line.strip())


@dataclass(frozen=True)
class _Layout:
    """The layout of a text: one paragraph per line or paragraphs between empty lines, and whether text is indented."""

    is_unwrapped: bool
    is_indented: bool

    @classmethod
    def of_lines(cls, lines: list[str]) -> _Layout:
        filled = [line for line in lines if line and not line.isspace()]
        long = sum(len(line) > MAX_WRAPPED_CHARS for line in filled)
        indented = sum(line.startswith("  ") for line in filled)
        return cls(
            is_unwrapped=long > MAX_LONG_LINES * len(filled) or len(lines) - len(filled) < MIN_EMPTY_LINES * len(lines),
            is_indented=indented > MIN_INDENTED_LINES * len(filled),
        )


@cache
def _broken_ideographs() -> re.Pattern[str]:
    """Line breaks between characters of scripts without spaces. Compiling it takes 2 ms."""
    return re.compile(rf"(?<=[{UNSPACED_IN_LINES}]) *\n *(?=[{UNSPACED_IN_LINES}])")
