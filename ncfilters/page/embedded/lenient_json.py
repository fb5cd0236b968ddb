"""JSON as pages contain it, with the mistakes that readers forgive.

load_json('<!-- {"a": ["one", "two",]}; -->')    # {'a': ['one', 'two']}
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import orjson

from ...text.lazy_pattern import lazy_pattern

# Characters of a text that is read; of one that the lenient reader reads, which takes thirty times as long; and of one
# in which a value ends before the text does.
MAX_CHARS, MAX_LENIENT_CHARS, MAX_PREFIX_CHARS = 1 << 22, 1 << 20, 1 << 22

_BEFORE = lazy_pattern(r"(?:\s|\ufeff|//|/\*|\*/|<!--|<!\[CDATA\[)*")
_AFTER, _CLOSING = " \t\r\n;/*", ("-->", "]]>")
_SUPERFLUOUS_COMMA = lazy_pattern(r",(?=\s*[}\]])")


def load_json(text: str) -> Any:
    """The value of a JSON text, or None if it has none or is longer than MAX_CHARS.

    Tolerated are line breaks in strings, superfluous commas, comments and CDATA around the value, semicolons after it
    and escaped quotes.
    """
    if len(text) > MAX_CHARS:
        return None
    try:
        return orjson.loads(text)
    except ValueError:
        return _load_leniently(text)


def load_json_at(text: str, start: int) -> Any:
    """The JSON value that begins at *start*, whatever follows it; None if there is none."""
    if len(text) - start > MAX_PREFIX_CHARS:
        return None
    try:
        return _decoder().raw_decode(text, start)[0]
    except (ValueError, RecursionError):
        return None


@cache
def _decoder() -> json.JSONDecoder:
    return json.JSONDecoder(strict=False)


def _load_leniently(text: str) -> Any:
    if len(text) > MAX_LENIENT_CHARS:
        return None
    start = _BEFORE.match(text)
    text = text[start.end() if start else 0 :].rstrip(_AFTER)
    for closing in _CLOSING * 2:
        text = text.removesuffix(closing).rstrip(_AFTER)
    if text[:8].lstrip("[{ \n").startswith("&quot;"):
        from html import unescape  # start-up: the names of all entities, which few pages need

        text = unescape(text)
    without_commas = _SUPERFLUOUS_COMMA.sub("", text)
    for attempt in (text, without_commas) if len(without_commas) < len(text) else (text,):
        try:
            return _decoder().decode(attempt)
        except (ValueError, RecursionError):
            continue
    return None
