"""Posts in output forms."""

from __future__ import annotations

from typing import Any

from ncfilters.selection.forms.html import html
from ncfilters.selection.forms.markdown import markdown
from ncfilters.selection.forms.plain import plain, plain_with_bullets
from ncfilters.selection.forms.posts import outside_containers, post_number, post_runs
from ncfilters.selection.forms.tei import tei

POSTS = [
    {"author": "Ann *L*", "date": "2024-05-03", "path": "body/ol/li#p1"},
    {"author": "Bob", "path": "body/ol/li#p1/ol/li#p2"},
]
DOCUMENT = {"posts": POSTS, "url": "https://forum.example/t/1"}
SEGMENTS: list[dict[str, Any]] = [
    {"text": "Rain", "type": "h", "level": 1, "path": "body/h1"},
    {"text": "Ann, 3 May", "type": "l", "path": "body/ol/li#p1", "marker": "1.", "post": 0, "part": "byline"},
    {"text": "It rained.", "type": "p", "path": "body/ol/li#p1/p", "depth": 1, "item": 1, "post": 0},
    {"text": "One", "type": "l", "path": "body/ol/li#p1/ul/li", "marker": "*", "depth": 2, "item": 2, "post": 0},
    {"text": "Yes.", "type": "l", "path": "body/ol/li#p1/ol/li#p2", "marker": "1.", "depth": 2, "item": 3, "post": 1},
    {"text": "Page 2", "type": "p", "path": "body/p"},
]


def shown() -> list[dict[str, Any]]:
    return outside_containers(SEGMENTS, DOCUMENT)


def test_markdown() -> None:
    assert markdown(shown(), DOCUMENT) == (
        "# Rain\n\n---\n\n**Ann \\*L\\***, 2024-05-03\n\nIt rained.\n\n- One\n\n---\n\n**Bob**\n\nYes.\n\n---\n\nPage 2"
    )


def test_html() -> None:
    text = html(shown(), DOCUMENT)
    assert '<article>\n<header><b>Ann *L*</b> <time datetime="2024-05-03">2024-05-03</time></header>\n<p>It' in text
    assert "<article>\n<header><b>Bob</b></header>\n<p>Yes.</p>\n</article>\n<p>Page 2</p>\n</article>" in text


def test_tei() -> None:
    text = tei(shown(), DOCUMENT)
    byline = '<byline><docAuthor>Ann *L*</docAuthor> <date when="2024-05-03">2024-05-03</date></byline>'
    assert f'<div n="1">\n<head>Rain</head>\n<div type="post">\n{byline}\n<p>It rained.</p>' in text
    assert "<p>Yes.</p>\n</div>\n<div>\n<p>Page 2</p>\n</div>\n</div>\n</body>" in text


def test_plain() -> None:
    assert plain(shown(), DOCUMENT) == "Rain\n\nAnn, 3 May\nIt rained.\nOne\n\nYes.\n\nPage 2"
    assert plain_with_bullets(shown(), DOCUMENT) == "Rain\n\nAnn, 3 May\nIt rained.\n- One\n\nYes.\n\nPage 2"


def test_a_post_that_goes_on_is_not_named_again() -> None:
    segments = [{"text": "a", "post": 0}, {"text": "b"}, {"text": "c", "post": 0}]
    assert [post for post, _ in post_runs(segments, DOCUMENT)] == [("Ann *L*", "2024-05-03"), None, ("", "")]


def test_quotes_and_tables_around_posts() -> None:
    document = {"posts": [{"path": "body/table/tr/td/blockquote#p1"}]}
    path = "body/table/tr/td/blockquote#p1/blockquote/p"
    segment = {"text": "Rain.", "type": "p", "path": path, "quote": 2, "table": 0, "cells": [], "post": 0}
    expected = [{"text": "Rain.", "type": "p", "path": "body/blockquote/p", "quote": 1, "post": 0}]
    assert outside_containers([segment], document) == expected


def test_links_to_members_are_text() -> None:
    def links(url: str, path: str = "body/p") -> int:
        segment = {"text": "Ann", "type": "p", "path": path, "post": 0, "spans": [[0, 3, "link", url]]}
        return len(outside_containers([segment], DOCUMENT)[0]["spans"])

    assert links("https://forum.example/u/ann") == 0
    assert links("https://forum.example/goto/post?id=3", "body/blockquote/p") == 0
    assert links("https://forum.example/goto/post?id=3") == 1
    assert links("https://elsewhere.example/users/ann") == 1


def test_documents_of_other_programs() -> None:
    for posts in (None, "a", [7], []):
        assert plain(outside_containers(SEGMENTS, {"posts": posts}), {"posts": posts})
        assert markdown(SEGMENTS, {"posts": posts})
    assert post_number({"post": True}) is None
