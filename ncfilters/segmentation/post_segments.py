"""The posts of a page (see `post_blocks`) with the segments that they have.

record = {"posts": [{"author": "Ann"}]}
place_posts(record, table)    # {'posts': [{'author': 'Ann', 'first': 2, 'last': 5}]}
"""

from __future__ import annotations

from ..page.blocks.block_table import BlockTable
from ..record import BYLINE, FURNITURE, Record, posts_of

_OTHER_PARTS = frozenset((BYLINE, FURNITURE))


def place_posts(record: Record, segments: BlockTable) -> None:
    """Adds the numbers of the `first` and the `last` segment of their text to the `posts` of a record; those without
    text have none."""
    posts = [{**post} for post in posts_of(record)]
    for number, fields in enumerate(segments.extra):
        if fields is None or "post" not in fields or fields.get("part") in _OTHER_PARTS:
            continue
        post = fields["post"]
        if 0 <= post < len(posts):
            posts[post].setdefault("first", number)
            posts[post]["last"] = number
    if posts:
        record["posts"] = posts
