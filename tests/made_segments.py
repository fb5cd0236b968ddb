"""Segments as nc-segment writes them, for the tests of output forms."""

from __future__ import annotations

from typing import Any

Segment = dict[str, Any]

DOCUMENT = {"id": 'a"b', "url": "http://example.org/?a&b=<c>"}


def p(text: str, **more: Any) -> Segment:
    return {"text": text, "type": "p", **more}


def h(text: str, level: int | None = None, **more: Any) -> Segment:
    return {"text": text, "type": "h", **({"path": f"body/main/h{level}"} if level else {}), **more}


def item(text: str, depth: int = 1, marker: str = "*", kind: str = "ul") -> Segment:
    return {"text": text, "type": "l", "path": "body" + f"/{kind}/li" * depth, "marker": marker, "tag": "li"}


def row(*cells: str) -> Segment:
    return {"text": "\t".join(cells), "type": "l", "tag": "tr", "path": "body/table/tbody/tr"}


def code(text: str) -> Segment:
    return {"text": text, "type": "p", "tag": "pre", "path": "body/pre", "pre": True}


SOME = [h("A title", 1), p("First & <last>."), item("one"), item("two"), row("a", "b"), code("x = 1\n  y")]
