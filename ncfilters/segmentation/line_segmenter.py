"""Lines of JSON with pages to lines of JSON with segments, without a record in between.

    segment_line(b'{"id":"a","html":"<p>It rained."}')    # b'{"id":"a","lang":"en",…,"segments":[…],"nc":1}\\n'

What is written is what nc-segment writes of the record that the line is. That is the reference, and is used for lines
that `segment_line` returns None for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson

from ..errors import RecordError
from ..page.html_source import HtmlSource
from ..page.metadata import page_head
from ..page.page_lines import page_of_line
from ..page.page_options import DEFAULT_OPTIONS, PageOptions
from ..record import VERSION, Record, check, is_error
from ..streams.json_lines import WrittenLine, parse_line
from ..streams.writers import json_line
from .json_segments import JsonSegments, json_segments, marked_segments


def segment_line(line: bytes, options: PageOptions = DEFAULT_OPTIONS) -> bytes | None:
    """The line with `segments` instead of `html`, its `head` and its language; None if something is unusual."""
    if page := page_of_line(line):
        return _segmented(*page, options)
    record = parse_line(line)
    if isinstance(record, RecordError) or type(record.get("html")) is not str:
        return None
    return _segmented(record, record["html"], options)


def line_parser(options: PageOptions) -> Callable[[bytes], Record | RecordError]:
    """What makes a record of a line: a `WrittenLine` with segments where it can."""

    def parse(line: bytes) -> Record | RecordError:
        written = segment_line(line, options)
        if written is None:
            return parse_line(line)
        out = WrittenLine()
        out.line = written
        return out

    return parse


def _segmented(record: Record, html: str | HtmlSource, options: PageOptions) -> bytes | None:
    """The line of a record, perhaps without its *html*."""
    if "blocks" in record or "segments" in record or is_error(record):
        return None
    try:
        check(record)
        if options.markup:
            return _marked(record, html, options)
        has_language = record.get("lang") not in (None, "")
        page = json_segments(html, options, not has_language)
        return None if page is None else json_line(_with_page(record, page))
    except RecordError:
        return None


def _marked(record: Record, html: str | HtmlSource, options: PageOptions) -> bytes | None:
    """The line of a record whose segments have markup; None if something is unusual."""
    from .head_fields import completed_head  # start-up: only --markup needs it

    page = marked_segments(html, options, record.get("url"), record.get("lang") in (None, ""))
    if page is None:
        return None
    out = _with_page(record, page.json)
    head = out["head"]
    if isinstance(head, dict) and page_head.has_metadata(head):
        out["head"] = completed_head(head, page.segments, out)
    del page  # memory: what the line is made of, but its JSON
    return json_line(out)


def _with_page(record: Record, page: JsonSegments) -> dict[str, Any]:
    """The record with what its page has, its fields in the order of nc-segment."""
    out = {name: value for name, value in record.items() if name != "html"}
    page_head.add_head(out, page.head)
    if page.language:
        out |= {"lang": page.language, "lang_probability": page.probability}
    out["segments"] = orjson.Fragment(page.segments)
    out.setdefault("nc", VERSION)
    return out
