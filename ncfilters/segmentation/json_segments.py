"""The segments of a page as JSON, for programs that pass them on.

json_segments("<p>It rained all day.").segments    # b'[{"text":"It rained all day.","tag":"p","path":"body/p",…}]'

The segments are those of `segmenter.segment_html`, as orjson writes them, and the language is that of `page_language`.
These functions are the reference; they are for pages that `json_segments` returns None for, and raise the errors.
"""

from __future__ import annotations

from typing import NamedTuple

import orjson

from ..page import density, profiles
from ..page.html_source import HtmlSource, source_of
from ..page.profiles import DEFAULT_OPTIONS, PageOptions
from ..record import Record
from . import segmenter
from .page_language import language_of, likely_text


class JsonSegments(NamedTuple):
    """Of a page: its head, the JSON of its segments, its language if it is asked for, and the probability of that."""

    head: Record
    segments: bytes
    language: str
    probability: float


def json_segments(
    html: str | HtmlSource, options: PageOptions = DEFAULT_OPTIONS, with_language: bool = True
) -> JsonSegments | None:
    """The segments of a page; None if something is unusual."""
    if options.markup or options.profile != "visual":
        return None
    try:
        source = source_of(html)
        head, blocks = profiles.head_and_blocks(source, options)
        segments = segmenter.segment_blocks(blocks)
        if not options.dense:
            density.check_segments(segments, source.num_chars)
        code, probability = language_of(likely_text(segments)) if with_language else ("", 0.0)
        return JsonSegments(head, orjson.dumps(segments), code, probability)
    except Exception:  # the reference says what it is
        return None
