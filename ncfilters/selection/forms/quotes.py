"""Block quotes in the path of a segment, and where one ends: quotes in a row are not one.

list(quote_paths("body/blockquote.a/p", 1))    # ['body/blockquote.a']
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...page.blocks.dom_path import ELLIPSIS
from ...record import Record

_QUOTE, _SOURCE = re.compile(r"/blockquote(?![\w-])[^/]*"), re.compile(r"/(?:footer|cite)(?![\w-])")


def quote_paths(path: str, count: int) -> Iterator[str]:
    """The paths of the *count* quotes around a segment, from the outermost on; none if its path lacks some."""
    if not count or ELLIPSIS in path:
        return iter(())
    ends = [match.end() for match in _QUOTE.finditer(path)]
    return iter([path[:end] for end in ends] if len(ends) == count else ())


def names_source(segment: Record, quote: str) -> bool:
    """Whether a segment in a *quote*, given by its path, says who said it: the end of most quotes."""
    if segment.get("tag") == "blockquote" and "blockquote.twitter-tweet" in quote:
        return True
    return quote != "" and _SOURCE.search(segment.get("path", ""), len(quote)) is not None
