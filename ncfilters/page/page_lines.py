"""The page on a line of JSON, whose HTML goes from the line to the parser without becoming a string.

    record, source = page_of_line(b'{"id": 1, "html": "<p>One"}')    # {'id': 1}, and the source of <p>One

There must be a compiled core. Unusual lines are for `streams.json_lines.parse_line`, which reads all of them.
"""

from __future__ import annotations

import orjson

from ..record import Record
from .compiled_core import core
from .html_source import HtmlSource, source_of_utf8


def page_of_line(line: bytes) -> tuple[Record, HtmlSource] | None:
    """The record of a line as `parse_line` reads it, but for its `html`, and the source of that. None for a line that
    has no `html` or two, whose `html` is no string, that has bytes, that is not JSON, that is not UTF-8 or has half a
    pair of surrogates, or without a compiled core. Raises RuntimeError as `compiled_core.core`."""
    compiled = core()
    found = compiled.page_of_line(line) if compiled is not None else None
    if found is None:
        return None
    utf8, others = found
    try:
        return orjson.loads(others), source_of_utf8(utf8)
    except orjson.JSONDecodeError:  # such as a number out of range
        return None
