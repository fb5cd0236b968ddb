"""Segments with markup that nobody would write, for property-based tests."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

Segment = dict[str, Any]

# What Markdown, HTML and XML take for markup, and what surrounds it.
PIECES = [
    *"*_`~[]()<>!#+-.=|:\\&;$^\"'{}/ab1 ", "**", "__", "~~", "```", "~~~", "---", "===", "***", "$$", "](", "[^", "![",
    "]]>", "<!--", "-->", "<![CDATA[", "<b>", "</p>", "<script>", "<http://x.y>", "http://x.y/_a_", "&amp;", "&#42;",
    "[x]", "[1]", "[a]: /b", "1. ", "> ", "javascript:", "| --- |", "\t", "  ", "\u00a0", "\u3000", "\u202e", "\u200b",
    "\u2028", "\x85", "\0", "\x0b", "\ufeff", "word", "中文。", "（", "é", "€", "😀", "e\u0301", "\ud800", "\ufffe",
    "- ", "# ", "* ", "<sup>", "[^1]:", "\\(", "\\)",
]  # fmt: skip
texts = st.lists(st.sampled_from(PIECES), min_size=1, max_size=12).map("".join)
urls = st.one_of(
    st.sampled_from(["https://x.y/", "http://x.y/a_(b)_c", "mailto:a@b.c", "/rel?a=b&copy;=c", "#top"]),
    st.lists(st.sampled_from(PIECES), max_size=6).map(lambda pieces: "https://x.y/" + "".join(pieces)),
    st.lists(st.sampled_from([*PIECES, "javascript:", "data:", "JaVa", "script:"]), min_size=1, max_size=4).map(
        "".join
    ),
)
KINDS = ["em", "strong", "code", "del", "mark", "sup", "sub", "link", "em", "strong", "link"]


@st.composite
def spans(draw: st.DrawFn, text: str, start: int = 0, end: int | None = None, depth: int = 3) -> list[list[Any]]:
    """Properly nested spans over a text."""
    end = len(text) if end is None else end
    out: list[list[Any]] = []
    at = start
    for _ in range(draw(st.integers(0, 3 if depth else 0))):
        first = draw(st.integers(at, end))
        last = draw(st.integers(first, end))
        kind = draw(st.sampled_from([*KINDS, "image"]))
        if kind == "image":
            out.append([first, first, kind, {"src": draw(urls), "alt": draw(texts)}])
        elif first < last:
            out.append([first, last, kind, *([draw(urls)] if kind == "link" else [])])
            out += draw(spans(text, first, last, depth - 1))
        at = last
    return out


@st.composite
def segments(draw: st.DrawFn, marked: bool = True) -> Segment:
    """A segment of any kind, outside of tables."""
    text = draw(texts.filter(lambda text: text.strip() != ""))
    segment: Segment = {"text": text, "type": draw(st.sampled_from("pphl")), "path": "body/main/p", "tag": "p"}
    if draw(st.integers(0, 5)) == 0:
        segment["text"] = "\n".join([text, draw(texts), draw(texts)]).strip() or "x"
        segment["lines"] = True
    if draw(st.integers(0, 9)) == 0:
        segment |= {"type": "p", "pre": True, "text": segment["text"].strip("\n") or "x"}
        return segment
    if marked:
        segment["spans"] = draw(spans(segment["text"]))
        if draw(st.booleans()):
            segment["level"] = draw(st.integers(1, 6))
        if draw(st.integers(0, 3)) == 0:
            segment["quote"] = draw(st.integers(1, 3))
        if draw(st.integers(0, 2)) == 0:
            segment |= {
                "type": draw(st.sampled_from("lp")), "depth": draw(st.integers(1, 4)), "item": draw(st.integers(0, 5)),
            }  # fmt: skip
            nested = "body" + "/ul/li" * segment["depth"]
            segment["path"] = draw(st.sampled_from([nested, "body/ol/li/blockquote/p", "body/blockquote/ul/li"]))
            if draw(st.booleans()):
                segment["marker"] = draw(st.sampled_from(["*", "1.", "2.", "9.", "10."]))
            if draw(st.integers(0, 3)) == 0:
                segment["spans"] = [[0, 0, "task", draw(st.sampled_from("x "))], *segment["spans"]]
        if draw(st.integers(0, 9)) == 0:
            segment["figure"] = [{"src": draw(urls), "alt": draw(texts), "after": draw(st.booleans())}]
        segment["bold"] = draw(st.booleans())
    elif draw(st.booleans()):
        segment |= {
            "type": "l",
            "path": "body" + "/ul/li" * draw(st.integers(0, 3)),
            "marker": draw(st.sampled_from("*1")) + ".",
        }
    return segment


@st.composite
def rows(draw: st.DrawFn, number: int) -> list[Segment]:
    """The segments of a table: rows with several cells, and cells of their own."""
    out: list[Segment] = []
    for row in range(draw(st.integers(1, 3))):
        parts = draw(st.lists(texts, min_size=1, max_size=3))
        path = "body/table/tbody/tr"
        if draw(st.booleans()):
            text = "\t".join(parts)
            cells, start = [], 0
            for column, part in enumerate(parts):
                cells.append({"start": start, "end": start + len(part), "row": row, "column": column})
                start += len(part) + 1
            out.append({"text": text, "type": "l", "tag": "tr", "path": path, "table": number, "cells": cells})
            continue
        for column, part in enumerate(parts):
            cell = {"start": 0, "end": len(part), "row": row, "column": column, "header": row == 0}
            if draw(st.integers(0, 4)) == 0:
                cell |= {"rows": draw(st.integers(1, 3)), "columns": draw(st.integers(1, 3))}
            out.append(
                {"text": part, "type": "p", "tag": "td", "path": f"{path}/td", "table": number, "cells": [cell]}
                | {"spans": draw(spans(part))}
            )
    return out


@st.composite
def documents(draw: st.DrawFn) -> list[Segment]:
    """The segments of a document with tables."""
    marked = draw(st.booleans())
    out = draw(st.lists(segments(marked), min_size=1, max_size=5))
    if draw(st.integers(0, 3)) == 0:
        out += draw(rows(1))
        if draw(st.booleans()):
            out += draw(rows(2))
        out += draw(st.lists(segments(marked), max_size=1))
    return out
