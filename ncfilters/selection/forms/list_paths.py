"""The lists and quotes that the path of a segment leads through.

item_paths("/html/body/ol/li/p")  # ("/html/body/ol/li", "/html/body/ol")
list(holders("/html/body/blockquote/ul/li", 1, 1))  # [None, 1]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from ...page.dom_path import ELLIPSIS, ITEM, LIST, tag_names
from ...record import Record

# Quotes and lists in one another; what is deeper stays at this depth.
MAX_DEPTH = 12
_LISTS_AND_QUOTES = re.compile(r"/(?:(blockquote)|ul|ol|menu|dir)(?![\w-])")

_QUOTE, _SOURCE = re.compile(r"/blockquote(?![\w-])[^/]*"), re.compile(r"/(?:footer|cite)(?![\w-])")


@lru_cache(maxsize=1 << 12)
def item_paths(path: str) -> tuple[str, str]:
    """The paths of the innermost list item and of its list."""
    element = path[: max([match.end() for match in ITEM.finditer(path)], default=0)]
    return element, element.rpartition("/")[0]


@lru_cache(maxsize=1 << 12)
def holders(path: str, quotes: int | None, depth: int) -> Sequence[int | None]:
    """What is around a segment, from the outermost on: the depth of each list, None for a quote. The path says in which
    order; if it does not have them all, quotes are outside of lists."""
    if not quotes and (quotes == 0 or "/blockquote" not in path):
        return range(1, depth + 1)
    found = [match[1] is None for match in _LISTS_AND_QUOTES.finditer(tag_names(path))]
    quotes = min(found.count(False) if quotes is None else quotes, MAX_DEPTH)
    if found.count(False) != quotes or found.count(True) != depth:
        found = [False] * quotes + [True] * depth
    out: list[int | None] = []
    level = 0
    for is_list in found:
        level += is_list
        out.append(level if is_list else None)
    return out


@lru_cache(maxsize=1 << 12)
def list_count(path: str) -> int:
    """The number of lists in a path."""
    return len(LIST.findall(path))


def is_below(path: str, list_path: str) -> bool:
    """Whether a path is that of a list or leads below it. Long paths lack elements in the middle, not always the same:
    then the ends of both count."""
    if f"{path}/".startswith(f"{list_path}/"):
        return True
    if ELLIPSIS not in path or ELLIPSIS not in list_path:
        return False
    ends = [one.rpartition(ELLIPSIS)[2] for one in (path, list_path)]
    shorter, longer = sorted(ends, key=len)
    return longer.endswith(shorter)


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
