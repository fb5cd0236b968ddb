"""Output forms of selected text: plain, CleanEval, Markdown, vertical, XML.

OUTPUT_FORMS["cleaneval"].text([{"type": "h", "text": "Title"}], {})    # '<h>Title'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby

import regex as re

from ..page.dom_path import HEADING, ITEM, LIST
from ..record import Record
from ..segmentation.segment_types import ITEM_START


@dataclass(frozen=True)
class OutputForm:
    """An output form: the function from segments and their document to text, and the frame of texts in a stream."""

    text: Callable[[list[Record], Record], str]
    suffix: str  # of file names
    head: str = ""  # before the first document
    between: str = ""  # between two documents
    tail: str = ""  # after the last


def plain(segments: list[Record], document: Record) -> str:
    """One paragraph per line; poems, addresses and preformatted text keep their lines."""
    return "\n".join(_lines(segment) for segment in segments)


def plain_with_bullets(segments: list[Record], document: Record) -> str:
    """The same, with the bullets and numbers of list items.

    Inner lists, and the further lines and paragraphs of an item, are indented.
    """
    out = []
    layout = _ListLayout(PLAIN_INDENT)
    for segment in segments:
        lines = _lines(segment).split("\n")
        if "marker" in segment and segment["type"] == "l" and not ITEM_START.match(lines[0]):
            out.append(layout.item(segment, lines))
        else:
            out.append(layout.below_items(segment, lines))
    return "\n".join(out)


def cleaneval(segments: list[Record], document: Record) -> str:
    """The markup of the CleanEval annotation guidelines: `<p>`, `<h>` or `<l>` before each segment."""
    return "\n".join(f"<{segment['type']}>{_line(segment)}" for segment in segments)


def markdown(segments: list[Record], document: Record) -> str:
    """CommonMark with headings, lists, code, and tables as in GitHub Flavored Markdown."""
    out = []
    for kind, group in groupby(segments, _markdown_kind):
        if kind == "list":
            layout = _ListLayout(MARKDOWN_INDENT)
            out.append("\n".join([layout.item(segment, _markdown_lines(segment)) for segment in group]))
        elif kind == "table":
            out.append(_markdown_table(group))
        else:
            out += [_fenced_code(segment) if kind == "code" else _paragraph(segment) for segment in group]
    return "\n\n".join(out)


def vertical(segments: list[Record], document: Record) -> str:
    """One token per line, the input of corpus managers (the Sketch Engine, the IMS Corpus Workbench)."""
    out = [f"<doc{_attributes(document)}>"]
    for segment in segments:
        out.append(f'<p type="{segment["type"]}">')
        out += [escape(token, quote=False) for token in _TOKEN.findall(_in_xml(segment["text"]))]
        out.append("</p>")
    return "\n".join([*out, "</doc>"])


def xml(segments: list[Record], document: Record) -> str:
    """A `<doc>` of `<p>`, `<h>` and `<l>`."""
    out = [f"<doc{_attributes(document)}>"]
    for segment in segments:
        kind = segment["type"]
        out.append(f"<{kind}>{escape(_in_xml(segment['text']), quote=False)}</{kind}>")
    return "\n".join([*out, "</doc>"])


# Numbers with units and suffixes (1,000.50, 90s, 2nd-hand), words with their inner punctuation, and every other
# character alone.
_TOKEN = re.compile(
    r"\d+(?:[.,:]\d+)*(?:[-'’]?[\p{L}\p{M}_][\w\p{M}]*(?:['’.&-][\w\p{M}]+)*)?"
    r"|[\w\p{M}]+(?:['’.&-][\w\p{M}]+)*|\.{2,}|[^\w\s]"
)
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_BREAK = re.compile(r"\r\n?|\n")
_SPACE = re.compile("[\t\n\r\x85\u2028\u2029]")
# Markdown's markup characters (CommonMark 0.31, sections 2.4 and 6): those that have a meaning within a line,
_INLINE = re.compile(
    r"[\\`*\[\]]|<(?=[a-zA-Z/!?])|(?<![^\W_])_|_(?![^\W_])"
    r"|&(?=(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,31});)"
)
# and the place for a backslash in what would start a block: after a number, before anything else.
_START = re.compile(r"\d{1,9}(?=[.)](?:[ \t]|$))|(?=[#>]|~~~|[-+](?:[ \t]|$)|-[- \t]*$|=+[ \t]*$)")
_CLOSING = re.compile(r"(?<![^ \t])#+$")  # at the end of a heading this is markup
_ESCAPED = r"\\\g<0>"
_BOLD = re.compile(r"\*\*([^*]+)\*\*")
_NUMBER = re.compile(r"[0-9]{1,9}[.)]")
# The minimum indent of an inner list, in columns.
PLAIN_INDENT, MARKDOWN_INDENT = 2, 4


def _line(segment: Record) -> str:
    """The text of a segment on one line."""
    text: str = segment["text"]
    return " ".join(text.split()) if segment.get("pre") or "\n" in text or "\r" in text else text


def _lines(segment: Record) -> str:
    """The text of a segment, with its lines if these are lines of the page."""
    text: str = segment["text"]
    if "\n" in text and (segment.get("pre") or segment.get("lines")):
        return "\n".join([line.rstrip() for line in _BREAK.split(text)]).strip("\n")
    return _line(segment)


def _markdown_lines(segment: Record) -> list[str]:
    """The lines of a segment, with Markdown's hard line breaks between them."""
    lines = [_block(line) for line in _lines(segment).split("\n")]
    return [f"{line}\\" for line in lines[:-1]] + lines[-1:]


def _in_xml(text: str) -> str:
    """*text* without the characters that XML does not allow."""
    kept: str = _NOT_XML.sub("", text)
    return kept


def _markdown_kind(segment: Record) -> str:
    if segment.get("pre"):
        return "code"
    if segment.get("tag") == "tr":
        return "table"
    return "list" if segment["type"] == "l" else "text"


def _markdown_table(segments: Iterable[Record]) -> str:
    """Table rows, each a segment with tabs between its cells."""
    rows = [[_cell(cell) for cell in _line(segment).split("\t")] for segment in segments]
    width = max(map(len, rows))
    rows[0] += [""] * (width - len(rows[0]))  # the header sets the number of columns; other rows may be shorter
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])


def _fenced_code(segment: Record) -> str:
    """The text between fences that are longer than any run of backticks in it."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", segment["text"])), default=0))
    return f"{fence}\n{segment['text']}\n{fence}"


class _ListLayout:
    """The columns of list items. An item is indented below the last item before it with a smaller depth, if there is
    one, by at least *min_indent* columns."""

    def __init__(self, min_indent: int) -> None:
        self._min_indent = min_indent
        # of the open items: depth, column of inner items, column of the text, path with a final slash
        self._open: list[tuple[int, int, int, str]] = []

    def item(self, segment: Record, lines: Sequence[str]) -> str:
        """An item of these lines, with its bullet or number."""
        path = segment.get("path", "")
        depth = len(LIST.findall(path))
        while self._open and self._open[-1][0] >= depth:
            self._open.pop()
        column = self._open[-1][1] if self._open else 0
        marker = segment.get("marker", "*")
        if not _NUMBER.fullmatch(marker):
            marker = "-"
        start = f"{' ' * column}{marker} "
        element = path[: max((match.end() for match in ITEM.finditer(path)), default=0)]
        inner = column + max(self._min_indent, len(marker) + 1)
        self._open.append((depth, inner, len(start), f"{element}/" if element else "\0"))
        return start + _indented(lines, len(start)).lstrip(" ")

    def below_items(self, segment: Record, lines: Sequence[str]) -> str:
        """The lines of a segment that is no item: indented if it is in one of the open items; it ends the others."""
        path = segment.get("path", "") + "/"
        while self._open and not path.startswith(self._open[-1][3]):
            self._open.pop()
        return _indented(lines, self._open[-1][2] if self._open else 0)


def _indented(lines: Sequence[str], column: int) -> str:
    return "\n".join(" " * column + line if line else line for line in lines)


def _cell(text: str) -> str:
    return _inline(text).replace("|", "\\|")


def _paragraph(segment: Record) -> str:
    if segment["type"] != "h":
        return "\n".join(_markdown_lines(segment))
    text = _line(segment).strip()
    if level := HEADING.search(segment.get("path", "")):
        title = _CLOSING.sub(_ESCAPED, _inline(text))
        return f"{'#' * int(level[1])} {title}"
    bold = _BOLD.fullmatch(text)
    return f"**{_inline(bold[1].strip() if bold else text)}**"


def _inline(text: str) -> str:
    """*text* with a backslash before characters that are markup within a line."""
    escaped: str = _INLINE.sub(_ESCAPED, text)
    return escaped


def _block(text: str) -> str:
    """*text* as a line that starts a paragraph and no other block."""
    text = _inline(text.strip())
    start = _START.match(text)
    return f"{text[: start.end()]}\\{text[start.end() :]}" if start else text


def _attributes(document: Record) -> str:
    return "".join(
        f' {name}="{escape(_in_xml(_SPACE.sub(" ", str(document[name]))))}"'
        for name in ("id", "url")
        if document.get(name) is not None
    )


OUTPUT_FORMS = {
    "plain": OutputForm(plain, ".txt", between="\n"),
    "cleaneval": OutputForm(cleaneval, ".txt", between="\n"),
    "markdown": OutputForm(markdown, ".md", between="\n"),
    "vertical": OutputForm(vertical, ".vert"),
    "xml": OutputForm(xml, ".xml", '<?xml version="1.0" encoding="UTF-8"?>\n<corpus>\n', "", "</corpus>\n"),
}
