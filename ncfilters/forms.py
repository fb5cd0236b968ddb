"""How selected text looks: plain, CleanEval, Markdown, vertical, XML.

FORMS["cleaneval"].text([{"type": "h", "text": "Title"}], {})    # '<h>Title'
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import Any

import regex as re

Segment = dict[str, Any]


@dataclass(frozen=True)
class Form:
    """A form of text: what makes it of segments and their document, and what stands around documents in a stream."""

    text: Callable[[list[Segment], dict[str, Any]], str]
    suffix: str
    head: str = ""
    between: str = ""
    tail: str = ""


def plain(segments: list[Segment], document: dict[str, Any]) -> str:
    """A paragraph a line."""
    return "\n".join(_line(segment) for segment in segments)


def cleaneval(segments: list[Segment], document: dict[str, Any]) -> str:
    """The markup of the CleanEval annotation guidelines: `<p>`, `<h>` or `<l>` before each segment."""
    return "\n".join(f"<{segment['type']}>{_line(segment)}" for segment in segments)


def markdown(segments: list[Segment], document: dict[str, Any]) -> str:
    """CommonMark with headings, lists, code and (as GitHub has them) tables."""
    out = []
    for kind, group in groupby(segments, _markdown_kind):
        some = list(group)
        if kind == "list":
            out.append("\n".join(_item(segment) for segment in some))
        elif kind == "table":
            rows = [[cell.replace("|", "\\|") for cell in segment["text"].split("\t")] for segment in some]
            width = max(map(len, rows))
            lines = [f"| {' | '.join(row + [''] * (width - len(row)))} |" for row in rows]
            out.append("\n".join([lines[0], "|" + " --- |" * width, *lines[1:]]))
        elif kind == "code":
            for segment in some:
                fence = "`" * max(3, 1 + max(map(len, re.findall("`+", segment["text"])), default=0))
                out.append(f"{fence}\n{segment['text']}\n{fence}")
        else:
            out += [_paragraph(segment) for segment in some]
    return "\n\n".join(out)


def vertical(segments: list[Segment], document: dict[str, Any]) -> str:
    """One token a line, as corpus managers read it (the Sketch Engine, the IMS Corpus Workbench)."""
    out = [f"<doc{_attributes(document)}>"]
    for segment in segments:
        out.append(f'<p type="{segment["type"]}">')
        out += [escape(token, quote=False) for token in _TOKEN.findall(segment["text"])]
        out.append("</p>")
    return "\n".join([*out, "</doc>"])


def xml(segments: list[Segment], document: dict[str, Any]) -> str:
    """A `<doc>` of `<p>`, `<h>` and `<l>`."""
    lines = [f"<{segment['type']}>{escape(segment['text'], quote=False)}</{segment['type']}>" for segment in segments]
    return "\n".join([f"<doc{_attributes(document)}>", *lines, "</doc>"])


# Words with what joins them, numbers, and every other sign by itself.
_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|[\w\p{M}]+(?:['’.&-][\w\p{M}]+)*|\.{2,}|[^\w\s]")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SPECIAL = re.compile(r"(?=[#>]|[-+](?: |$)|\d{1,9}[.)](?: |$)|```|~~~)")
_LISTS = re.compile(r"/(?:ul|ol|menu|dir)(?![\w-])")
_LEVEL = re.compile(r"/h([1-6])(?![\w-])")


def _line(segment: Segment) -> str:
    text: str = segment["text"]
    return text.replace("\n", " ") if "\n" in text else text


def _markdown_kind(segment: Segment) -> str:
    if segment.get("pre"):
        return "code"
    if segment.get("tag") == "tr":
        return "table"
    return "list" if segment["type"] == "l" else "text"


def _item(segment: Segment) -> str:
    depth = max(len(_LISTS.findall(segment.get("path", ""))) - 1, 0)
    marker = segment.get("marker", "*")
    return f"{'    ' * depth}{'-' if marker == '*' else marker} {_line(segment)}"


def _paragraph(segment: Segment) -> str:
    text = _line(segment)
    if segment["type"] == "h":
        level = _LEVEL.search(segment.get("path", ""))
        return f"{'#' * int(level[1])} {text}" if level else f"**{text.strip('*')}**"
    return _SPECIAL.sub(r"\\", text, count=1) if _SPECIAL.match(text) else text


def _attributes(document: dict[str, Any]) -> str:
    return "".join(
        f' {name}="{escape(_NOT_XML.sub("", str(document[name])))}"'
        for name in ("id", "url")
        if document.get(name) is not None
    )


FORMS = {
    "plain": Form(plain, ".txt", between="\n"),
    "cleaneval": Form(cleaneval, ".txt", between="\n"),
    "markdown": Form(markdown, ".md", between="\n"),
    "vertical": Form(vertical, ".vert"),
    "xml": Form(xml, ".xml", '<?xml version="1.0" encoding="UTF-8"?>\n<corpus>\n', "", "</corpus>\n"),
}
