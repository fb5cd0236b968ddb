"""Documents of a corpus: their text, paragraphs, site and name, whichever program has made the records.

text_of({"segments": [{"text": "It rained.", "keep": True}, {"text": "Menu", "keep": False}]})    # 'It rained.'
"""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import RecordError
from ..page.metadata.site_name import host_name
from ..record import Record, Segment
from ..text.language import identify
from ..text.language_tags import primary


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
