"""Documents of a corpus, whichever program has made the records: text, site, name, and paragraphs, which can go without
the others.

text_of({"segments": [{"text": "It rained.", "keep": True}, {"text": "Menu", "keep": False}]})    # 'It rained.'
paragraphs = paragraphs_of({"text": "# A\\n\\nIt rained.\\n\\n# B\\n\\nIt stopped."})
paragraphs.without([False, True, False, False])["text"]    # '# B\\n\\nIt stopped.'

A list is one paragraph, and so is a table or a code block: they stay whole, or go. The heading of text that has gone
goes, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from ..errors import RecordError
from ..page.metadata.titles import host_name
from ..record import Record, Segment
from ..text.language import identify
from ..text.lazy_pattern import lazy_pattern
from ..text.scripts import primary

# A line that begins an item of a list, a heading of Markdown, or a code block.
_ITEM = lazy_pattern(r"\s*(?:[•◦▪*+-]|\d{1,3}[.)])\s")
_HEADING = lazy_pattern(r"(#{1,6}) \S")
_FENCE = lazy_pattern(r"(`{3,}|~{3,})")
LOWEST = 7  # the level of what is no heading


def text_of(document: Record) -> str:
    """The text of a document: its field `text`, or else its segments, each on a line. Raises RecordError for records
    without either."""
    if (text := document.get("text")) is not None:
        return str(text)
    return "\n".join(segment["text"] for segment in kept_segments(document))


def kept_segments(document: Record) -> Sequence[Segment]:
    """The segments of a document without those that nc-select has not kept. Raises RecordError if there are none, or
    one has no text."""
    segments = document.get("segments")
    if segments is None:
        raise RecordError("text: missing, and so is segments: expected the text of a document")
    for place, segment in enumerate(segments):
        if not isinstance(segment, dict) or not isinstance(segment.get("text"), str):
            raise RecordError(f"segments.{place}.text: expected a string")
    return [segment for segment in segments if segment.get("keep") is not False]


def segments_of(document: Record) -> list[Segment]:
    """The segments of a document, or else the lines of its text as segments; its text if it has both. Raises
    RecordError for records without either."""
    if document.get("text") is None:
        return list(kept_segments(document))
    return [{"text": line, "type": "p"} for line in text_of(document).splitlines() if line.strip()]


def language_of(document: Record) -> str:
    """The ISO 639-1 code of a document's language: that of the record, or else that of the page, or else that of the
    text; empty if the text has no words."""
    head = document.get("head") or {}
    return primary(document.get("lang")) or primary(head.get("language")) or primary(identify(text_of(document))[0])


def name_of(document: Record) -> str:
    """What identifies a document: its id, or else its address; empty without both."""
    for field in ("id", "url"):
        if document.get(field) is not None:
            return str(document[field])
    return ""


def site_of(document: Record) -> str:
    """The host of a document's address in lower case without `www.`; empty if it has none."""
    return host_name(str(document.get("url") or ""))


# ---- paragraphs ----


class Paragraphs(NamedTuple):
    """The paragraphs of *document*: their *texts*, the levels of those that are headings (`LOWEST` of others), and
    the places that each has: of characters in the field `text`, or of segments."""

    document: Record
    texts: Sequence[str]
    levels: Sequence[int]
    parts: Sequence[Sequence[int]]

    def with_headings(self, seen: Sequence[bool], levels: Sequence[int] | None = None) -> list[bool]:
        """The paragraphs that go if those that are *seen* do. A heading goes if all below it goes, and it has been seen
        itself, or had something below it. *levels* may have more headings: these go only if they have been seen."""
        levels, out = levels or self.levels, list(seen)
        for place in range(len(out) - 1, -1, -1):
            if levels[place] < LOWEST:
                end = place + 1
                while end < len(out) and levels[end] > levels[place]:
                    end += 1
                has_text = self.levels[place] < LOWEST and end > place + 1
                out[place] = all(out[place + 1 : end]) and (seen[place] or has_text)
        return out

    def without(self, dropped: Sequence[bool]) -> Record:
        out = dict(self.document)
        if "text" in out:
            kept = [text for text, is_dropped in zip(self.texts, dropped) if not is_dropped]
            out["text"] = _separator(out["text"]).join(kept)
        else:
            gone = {place for part, is_dropped in zip(self.parts, dropped) if is_dropped for place in part}
            out["segments"] = [one for place, one in enumerate(out["segments"]) if place not in gone]
        return out

    def marked(self, marks: Sequence[Record | None]) -> Record:
        """The document with the marks of paragraphs: in their segments, or with their places in the field `text`, in
        characters, as `duplicate_parts`."""
        out = dict(self.document)
        pairs = [(part, mark) for part, mark in zip(self.parts, marks) if mark]
        if "text" in out:
            out["duplicate_parts"] = [{"start": part[0], "end": part[-1] + 1, **mark} for part, mark in pairs]
        else:
            of_place = {place: mark for part, mark in pairs for place in part}
            out["segments"] = [one | of_place.get(place, {}) for place, one in enumerate(out["segments"])]
        return out


def paragraphs_of(document: Record) -> Paragraphs:
    """The paragraphs of a document: of the field `text`, lines, or, where there are empty lines, what is between them;
    or else kept segments. Raises RecordError for records without either."""
    if (text := document.get("text")) is not None:
        return _of_text(document, text)
    kept = set(map(id, kept_segments(document)))
    segments = document["segments"]
    places = [place for place, segment in enumerate(segments) if id(segment) in kept]
    texts, levels, parts = [], [], []
    for _, run in groupby(places, lambda place: _whole(segments[place], place)):
        members = list(run)
        first, level = segments[members[0]], LOWEST
        if first.get("type") == "h":
            tag = str(first.get("tag", ""))
            level = first.get("level") or (int(tag[1]) if tag in ("h1", "h2", "h3", "h4", "h5", "h6") else LOWEST - 1)
        texts.append("\n".join(segments[place]["text"] for place in members))
        levels.append(level)
        parts.append(members)
    return Paragraphs(document, texts, levels, parts)


def _separator(text: str) -> str:
    return "\n\n" if "\n\n" in text else "\n"


def _of_text(document: Record, text: str) -> Paragraphs:
    separator = _separator(text)
    runs: list[list[str]] = []
    fence = ""
    for line in text.split(separator):
        # an indented line belongs to the item before it
        is_in_list = bool(runs) and _ITEM.match(runs[-1][0]) and (line[:1] in " \t" or _ITEM.match(line))
        if fence or is_in_list:
            runs[-1].append(line)
        else:
            runs.append([line])
        fence = _open_fence(line, fence)
    texts = [separator.join(run) for run in runs]
    parts, end = [], -len(separator)
    for one in texts:
        start = end + len(separator)
        end = start + len(one)
        parts.append(range(start, end))
    levels = [len(found[1]) if (found := _HEADING.match(one)) and "\n" not in one else LOWEST for one in texts]
    return Paragraphs(document, texts, levels, parts)


def _open_fence(block: str, fence: str) -> str:
    """The fence of the code block that is open after *block*; *fence* is that before it."""
    for line in block.split("\n"):
        found = _FENCE.match(line.lstrip())
        if found and not fence:
            fence = found[1]
        elif found and found[1].startswith(fence) and line.strip() == found[1]:
            fence = ""
    return fence


def _whole(segment: Segment, place: int) -> tuple[str, object]:
    """What a segment belongs to that stays whole."""
    for name in ("table", "code"):
        if name in segment:
            return name, segment[name]
    return ("l", 0) if segment.get("type") == "l" else ("", place)
