"""Posts with their segments."""

from __future__ import annotations

from ncfilters.page.blocks.block_table import table_of
from ncfilters.segmentation.post_segments import place_posts
from ncfilters.segmentation.segmenter import segment_record


def test_first_and_last() -> None:
    parts = [("byline", 0), (None, 0), (None, 0), ("furniture", 0), ("byline", 1)]
    segments = [{"text": "a", "post": post} | ({"part": part} if part else {}) for part, post in parts]
    record = {"posts": [{"author": "Ann"}, {}]}
    place_posts(record, table_of(segments))
    assert record == {"posts": [{"author": "Ann", "first": 1, "last": 2}, {}]}


def test_lines_are_joined_first() -> None:
    post = "<div id=post{0}><b class=username>Ann</b><div class=content>Roses are red,<br>violets are blue,</div></div>"
    record = segment_record({"html": post.format(1) + post.format(2)})
    assert [(post["first"], post["last"]) for post in record["posts"]] == [(1, 1), (3, 3)]
    assert [segment["post"] for segment in record["segments"]] == [0, 0, 1, 1]
