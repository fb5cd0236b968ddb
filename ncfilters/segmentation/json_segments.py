"""The segments of a page as JSON, for programs that pass them on, and for the next stages in the same process.

    json_segments("<p>It rained all day.").segments    # b'[{"text":"It rained all day.","tag":"p","path":"body/p",…}]'
    shown_segments("<p>It rained all day.").segments    # a capsule, for the cores of scoring and of selection

The segments are those of `segmenter.segment_html`, as orjson writes them, and the language is that of `page_language`.
These functions are the reference; they are for pages that `json_segments` returns None for, and raise the errors.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import orjson

from ..page import density
from ..page.columns import PageColumns, page_in_columns
from ..page.html_source import HtmlSource, source_of
from ..page.page_options import DEFAULT_OPTIONS, PageOptions
from ..record import Block, Record, Segment
from . import compiled
from .page_language import language_of, likely_text

if TYPE_CHECKING:
    from .page_segments import PageSegments

# Makes a page with markup of its HTML, options and address.
_ReadMarked = Callable[[HtmlSource, PageOptions, "str | None"], "PageColumns | None"]
# The JSON of segments, their number, that of their paths, and their likely text (see `compiled.json_of_segments`).
_Found = tuple[bytes, int, int, str | None]


class JsonSegments(NamedTuple):
    """Of a page: its head, the JSON of its segments, its language if it is asked for, and the probability of that."""

    head: Record
    segments: bytes
    language: str
    probability: float


class ShownSegments(NamedTuple):
    """Of a page: as JsonSegments, with the segments in a capsule (see `compiled.dicts_of`), and their number."""

    head: Record
    segments: compiled.ShownSegments
    number: int
    language: str
    probability: float


def shown_segments(
    html: str | HtmlSource, options: PageOptions = DEFAULT_OPTIONS, with_language: bool = True
) -> ShownSegments | None:
    """As `json_segments`, without JSON."""
    if options.markup or options.profile != "visual":
        return None
    try:
        source = source_of(html)
        page = page_in_columns(source, options)
        if page is None:
            return None
        others = _embedded_segments(page.embedded)
        segments, number, paths, text = compiled.shown_segments(page.columns, page.repeated, others, with_language)
        paths -= _num_equal_paths(others)
        if not (options.dense or density.has_few_segments(number, paths, source.num_chars)):
            return None
        language, probability = "", 0.0
        if with_language:
            language, probability = language_of(likely_text(compiled.dicts_of(segments)) if text is None else text)
        return ShownSegments(page.head, segments, number, language, probability)
    except Exception:  # the reference says what it is
        return None


def json_segments(
    html: str | HtmlSource, options: PageOptions = DEFAULT_OPTIONS, with_language: bool = True
) -> JsonSegments | None:
    """The segments of a page; None if something is unusual."""
    if options.markup:
        return None
    try:
        source = source_of(html)
        read = _json_paragraphs if options.profile == "justext" else _json_segments
        head, found = read(source, options, with_language)
    except Exception:  # the reference says what it is
        return None
    if found is None:
        return None
    segments, number, paths, text = found
    if not (options.dense or density.has_few_segments(number, paths, source.num_chars)):
        return None
    if not with_language:
        return JsonSegments(head, segments, "", 0.0)
    return JsonSegments(head, segments, *language_of(likely_text(orjson.loads(segments)) if text is None else text))


def _json_segments(source: HtmlSource, options: PageOptions, with_language: bool) -> tuple[Record, _Found | None]:
    """The head of a page, and what `compiled.json_of_segments` makes of it."""
    page = page_in_columns(source, options)
    if page is None:
        return {}, None
    embedded = _embedded_segments(page.embedded)
    others = [(number, _json(segment)) for number, segment in embedded]
    json, number, paths, text = compiled.json_of_segments(page.columns, page.repeated, others, with_language)
    return page.head, (json, number, paths - _num_equal_paths(embedded), text)


def _json_paragraphs(source: HtmlSource, options: PageOptions, with_language: bool) -> tuple[Record, _Found | None]:
    """The same of jusText's paragraphs, without a head."""
    from ..page.justext_columns import paragraphs_in_columns  # start-up: only this profile needs it

    columns = paragraphs_in_columns(source, options)
    return {}, None if columns is None else compiled.json_of_paragraphs(columns, with_language)


class MarkedSegments(NamedTuple):
    """Of a page: as JsonSegments; and the segments, to be searched."""

    json: JsonSegments
    segments: PageSegments


def marked_segments(
    html: str | HtmlSource, options: PageOptions, url: str | None, with_language: bool = True
) -> MarkedSegments | None:
    """The segments of a page at *url* with markup; None if something is unusual."""
    return None


def _embedded_segments(blocks: list[tuple[int, Block]], has_markup: bool = False) -> list[tuple[int, Segment]]:
    """The segments of embedded content, as `segmenter` makes them, each with the number of visible blocks before it."""
    if not blocks:
        return []
    from . import segmenter  # start-up: many pages have none

    segments = segmenter.embedded_segments([block for _, block in blocks], has_markup)
    remaining = {id(segment) for segment in segments}  # a block is a segment now, or part of the one before
    return [(number, block) for number, block in blocks if id(block) in remaining]


def _num_equal_paths(embedded: list[tuple[int, Segment]]) -> int:
    """The number of embedded segments with the path of one before them: the core counts a path for each."""
    return len(embedded) - len({segment["path"] for _, segment in embedded}) if embedded else 0


def _json(segment: Segment) -> bytes:
    """The JSON of a segment. A copy: what orjson returns takes several times its size."""
    return bytes(memoryview(orjson.dumps(segment)))
