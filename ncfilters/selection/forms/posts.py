"""Posts in output forms: each is a block of its own, with its author and its day.

segments = [{"text": "Rain.", "type": "p", "path": "body/ol/li#post1/p", "post": 0}]
outside_containers(segments, [{"author": "Ann", "path": "body/ol/li#post1"}])[0]["path"]    # 'body/p'
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from ...page.dom_path import LIST
from ...record import BYLINE, Record, posts_of
from ...text.lazy_pattern import lazy_pattern
from ...words.post_names import QUOTATION, is_member
from .blocks import block_tree
from .spans import Node, Nodes

_QUOTE, _TABLE = lazy_pattern(r"/blockquote(?![\w-])"), lazy_pattern(r"/table(?![\w-])")
# The address of a post.
_POST = lazy_pattern(
    r"goto/post|find(?:post|comment)|#(?:p|post|msg|comment)[-_]?\d|[?&](?:p|pid|postid)=\d|/t/|/post/", re.I
)
_ITEM_FIELDS, _TABLE_FIELDS = frozenset(("depth", "item", "marker")), frozenset(("table", "cells"))


def post_number(segment: Record) -> int | None:
    """The number of the post that a segment is of; None if it is of none."""
    number = segment.get("post")
    return number if type(number) is int and number >= 0 else None


def post_tree(segments: Sequence[Record], labels: dict[str, str], document: Record) -> Nodes:
    """The blocks of segments, those of each post in one."""
    out: Nodes = []
    for post, own in post_runs(segments, document):
        blocks = block_tree(own, labels, document.get("url"))
        if post is None:
            out += blocks
        elif blocks:
            out.append(Node("post", post, blocks))
    return out


def post_runs(
    segments: Sequence[Record], document: Record
) -> Iterator[tuple[tuple[str, str] | None, Sequence[Record]]]:
    """The segments between the borders of posts, without bylines that say what is known, each time with the author and
    the day of the post, which are empty where these are not known, and where it goes on; None for those of no post."""
    if not any("post" in segment for segment in segments):
        yield None, segments
        return
    posts = posts_of(document)
    begun: set[int] = set()
    for number, run in groupby(segments, post_number):
        own = list(run)
        if number is None or number >= len(posts):
            yield None, own
            continue
        author, date = (str(posts[number].get(name) or "") for name in ("author", "date"))
        if author or date:
            own = [segment for segment in own if segment.get("part") != BYLINE]
        if own:
            yield ("", "") if number in begun else (author, date), own
            begun.add(number)


def outside_containers(segments: list[Record], document: Record) -> list[Record]:
    """The segments, those of posts without the lists, quotes and tables that the posts are in, in copies."""
    if not any("post" in segment for segment in segments):
        return segments
    posts, host = posts_of(document), _host(str(document.get("url") or ""))
    return [_without_member_links(_outside(segment, posts), host) for segment in segments]


def _without_member_links(segment: Record, host: str) -> Record:
    """A segment of a post without links to members of the site, and to what is quoted: they name persons and posts."""
    spans = segment.get("spans")
    if not spans or "post" not in segment:
        return segment
    is_quotation = QUOTATION.search(segment.get("path", "")) is not None
    left = [span for span in spans if not (span[2] == "link" and _is_of_site(span[3], host, is_quotation))]
    return segment if len(left) == len(spans) else {**segment, "spans": left}


def _is_of_site(url: str, host: str, is_quotation: bool) -> bool:
    """Whether an address on the site is that of a member, or of a post in a quotation."""
    if _host(url) not in ("", host):
        return False
    return is_member(url) or is_quotation and _POST.search(url) is not None


def _host(url: str) -> str:
    return url.split("/", 3)[2].lower() if "://" in url and url.count("/") > 1 else ""


def _outside(segment: Record, posts: list[Record]) -> Record:
    number = post_number(segment)
    prefix = str(posts[number].get("path") or "") if number is not None and number < len(posts) else ""
    path = segment.get("path", "")
    if not prefix or not path.startswith(prefix):
        return segment
    out = {**segment, "path": f"body{path[len(prefix) :]}"}
    lists, quotes = len(LIST.findall(prefix)), len(_QUOTE.findall(prefix))
    if lists:
        depth = segment.get("depth", len(LIST.findall(path))) - lists
        if depth <= 0:
            out = {name: value for name, value in out.items() if name not in _ITEM_FIELDS}
            out["type"] = "p" if "marker" in segment and segment["type"] == "l" else segment["type"]
        elif "depth" in segment:
            out["depth"] = depth
    if quotes and "quote" in segment:
        out["quote"] = max(segment["quote"] - quotes, 0)
    if "table" in segment and not _TABLE.search(out["path"]):
        out = {name: value for name, value in out.items() if name not in _TABLE_FIELDS}
    return out
