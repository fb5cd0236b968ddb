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

from ..page.dom_path import HEADING, LIST

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
            out.append("\n".join(_items(some)))
        elif kind == "table":
            rows = [[_cell(cell) for cell in _line(segment).split("\t")] for segment in some]
            width = max(map(len, rows))
            rows[0] += [""] * (width - len(rows[0]))  # the head says how wide the table is; other rows may be shorter
            lines = [f"| {' | '.join(row)} |" for row in rows]
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
        out += [escape(token, quote=False) for token in _TOKEN.findall(_in_xml(segment["text"]))]
        out.append("</p>")
    return "\n".join([*out, "</doc>"])


def xml(segments: list[Segment], document: dict[str, Any]) -> str:
    """A `<doc>` of `<p>`, `<h>` and `<l>`."""
    out = [f"<doc{_attributes(document)}>"]
    for segment in segments:
        kind = segment["type"]
        out.append(f"<{kind}>{escape(_in_xml(segment['text']), quote=False)}</{kind}>")
    return "\n".join([*out, "</doc>"])


# Numbers with what they count (1,000.50, 90s, 2nd-hand), words with what joins them, and every other sign by itself.
_TOKEN = re.compile(
    r"\d+(?:[.,:]\d+)*(?:[-'’]?[\p{L}\p{M}_][\w\p{M}]*(?:['’.&-][\w\p{M}]+)*)?"
    r"|[\w\p{M}]+(?:['’.&-][\w\p{M}]+)*|\.{2,}|[^\w\s]"
)
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_BREAK = re.compile(r"\r\n?|\n")
_SPACE = re.compile("[\t\n\r\x85\u2028\u2029]")
# Markdown's signs (CommonMark 0.31, 2.4 and 6): those that within a line would be read as markup,
_INLINE = re.compile(
    r"[\\`*\[\]]|<(?=[a-zA-Z/!?])|(?<![^\W_])_|_(?![^\W_])"
    r"|&(?=(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,31});)"
)
# and where a backslash goes in what would begin a block: behind a number, before anything else.
_START = re.compile(r"\d{1,9}(?=[.)](?:[ \t]|$))|(?=[#>]|~~~|[-+](?:[ \t]|$)|-[- \t]*$|=+[ \t]*$)")
_CLOSING = re.compile(r"(?<![^ \t])#+$")  # at the end of a heading it is no text
_ESCAPED = r"\\\g<0>"
_BOLD = re.compile(r"\*\*([^*]+)\*\*")
_NUMBER = re.compile(r"[0-9]{1,9}[.)]")
# Columns by which an inner list is indented, at least.
INDENT = 4


def _line(segment: Segment) -> str:
    text: str = segment["text"]
    return " ".join(text.split()) if segment.get("pre") or "\n" in text or "\r" in text else text


def _in_xml(text: str) -> str:
    """*text* without the characters that XML has not."""
    kept: str = _NOT_XML.sub("", text)
    return kept


def _markdown_kind(segment: Segment) -> str:
    if segment.get("pre"):
        return "code"
    if segment.get("tag") == "tr":
        return "table"
    return "list" if segment["type"] == "l" else "text"


def _items(segments: list[Segment]) -> list[str]:
    """Lines of a list. An item is indented below the last one before it that lies less deep, if there is one."""
    out = []
    above: list[tuple[int, int]] = []  # depths of the items it may lie in, and the column of what lies in them
    for segment in segments:
        depth = len(LIST.findall(segment.get("path", "")))
        while above and above[-1][0] >= depth:
            above.pop()
        column = above[-1][1] if above else 0
        marker = segment.get("marker", "*")
        if not _NUMBER.fullmatch(marker):
            marker = "-"
        out.append(f"{' ' * column}{marker} {_block(_line(segment))}")
        above.append((depth, column + max(INDENT, len(marker) + 1)))
    return out


def _cell(text: str) -> str:
    return _inline(text).replace("|", "\\|")


def _paragraph(segment: Segment) -> str:
    text = _line(segment).strip()
    if segment["type"] != "h":
        return _block(text)
    if level := HEADING.search(segment.get("path", "")):
        title = _CLOSING.sub(_ESCAPED, _inline(text))
        return f"{'#' * int(level[1])} {title}"
    bold = _BOLD.fullmatch(text)
    return f"**{_inline(bold[1].strip() if bold else text)}**"


def _inline(text: str) -> str:
    """*text* with a backslash before what Markdown would read as markup within a line."""
    escaped: str = _INLINE.sub(_ESCAPED, text)
    return escaped


def _block(text: str) -> str:
    """*text* as a line that begins a paragraph and nothing else."""
    text = _inline(text.strip())
    start = _START.match(text)
    return f"{text[: start.end()]}\\{text[start.end() :]}" if start else text


def _attributes(document: dict[str, Any]) -> str:
    return "".join(
        f' {name}="{escape(_in_xml(_SPACE.sub(" ", str(document[name]))))}"'
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
