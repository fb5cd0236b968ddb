"""The profile `justext`: the paragraphs of a page, as jusText 3.0.2 splits them.

    blocks_of_html("<p>One <a>link</a>")
    # [{"text": "One link", "tag": "p", "path": "html/body/p", "links": 4}]

The rules of jusText are designed for its own paragraphs, and depend on white space, links and ancestors as jusText
parses them (see `justext_markup`).
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

from ..record import Block
from .dom_path import MAX_PATH_CHARS, PATH_HEAD_CHARS, PATH_TAIL_CHARS
from .html_parser import lexbor_input
from .html_source import HtmlSource, source_of
from .justext_markup import TEMPLATE, parse_like_libxml2

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

# tag name → the effect of its start and end on paragraphs. All other elements are inline.
PARAGRAPH, LINK, BREAK, TEXT, CLOSED, INLINE = range(1, 7)
KINDS: dict[str, int] = {
    # jusText's block tags; <ol> is not among them
    **dict.fromkeys(
        "blockquote body caption center col colgroup dd div dl dt fieldset h1 h2 h3 h4 h5 h6 legend li optgroup option "
        "p pre table td tfoot th thead tr ul".split(),
        PARAGRAPH,
    ),
    "a": LINK,
    "br": BREAK,
    "-text": TEXT,
}
# element → the elements whose start inside it ends it for libxml2, but not for browsers
CLOSED_BY: dict[str, frozenset[str]] = {
    **dict.fromkeys(["h1", "h2", "h3", "h4", "h5", "h6"], frozenset(["fieldset", "li", "p", "table"])),
    "a": frozenset(["fieldset", "table", "td", "th"]),
}

# What the rules of jusText search a path for: a heading, `select` as a part of any name.
HEADING = re.compile(r"\bh\d\b")
SELECT = "select"
ITEM = re.compile(r"(?:^|/)li(?![^/])")

_SPACE = re.compile(r"\s{2,}|[^\S \n]")


def blocks_of_html(
    html: str | HtmlSource, parser: str = "lexbor", max_blocks: int = sys.maxsize, dense: bool = False
) -> list[Block]:
    """The paragraphs of a page. Raises ValueError for an unknown parser (see `html_parser.parse_html`), OverflowError
    for more than *max_blocks*, and RecordError as `html_parser.lexbor_tree`."""
    if parser != "lexbor":
        html = lexbor_input(source_of(html).text, parser)
    return blocks(parse_like_libxml2(html, dense), max_blocks)


def blocks(tree: LexborHTMLParser, max_blocks: int = sys.maxsize) -> list[Block]:
    """The paragraphs of a page (see `parse_like_libxml2`), in order.

    Each is a dict: `text` (white space collapsed; a run of it with a line break is a line break), `tag` (of the element
    that it began in, or after the end of another one), `path` (the names of all elements around, joined by `/`) and
    `links` (characters of the text inside `<a>`, counted before the paragraph's edges are trimmed, so that the number
    may exceed its length). Linear in the page. Raises OverflowError for more than *max_blocks*.
    """
    root = tree.root
    if root is None:
        return []
    builder = _ParagraphBuilder(root.parent.mem_id if root.parent else 0, max_blocks)
    kind_of = KINDS.get
    node: Any  # Any, because tag and parent are declared optional
    for node in root.traverse(include_text=True, skip_empty=True):
        name = node.tag
        kind = kind_of(name, INLINE)
        parent = node.parent.mem_id
        if builder.top.identity != parent:
            builder.close_until(parent)
        if kind == TEXT:
            builder.add_text(node.text_content)
        elif kind == INLINE:
            if name and name[0] != "-":  # comments; processing instructions have no name
                builder.top = _OpenElement(node.mem_id, kind, builder.top, name)
                builder.after_break = False
        elif kind == LINK:
            builder.start_link(node.mem_id, name)
        elif kind == BREAK:
            builder.add_break()
        else:
            builder.start_paragraph(node.mem_id, name)
    builder.flush()
    return builder.blocks


def collapse_lines(text: str) -> str:
    """*text* with each run of white space as one space, or as one line break if there is one in it."""
    if "  " not in text and text.isprintable():  # the common case, for speed
        return text
    return _SPACE.sub(_space_or_line_break, text)


class _OpenElement:
    """An open element: its identity in the tree, its kind and name, the element around it, and its path, which is
    computed when it is first needed."""

    __slots__ = ("around", "identity", "kind", "name", "path")

    def __init__(self, identity: int, kind: int, around: _OpenElement | None, name: str) -> None:
        self.identity = identity
        self.kind = kind
        self.around = around
        self.name = name
        self.path = ""


class _ParagraphBuilder:
    """The paragraphs made so far, the open elements and the open paragraph."""

    __slots__ = ("after_break", "blocks", "in_link", "link_chars", "max_blocks", "start", "texts", "top")

    def __init__(self, root_parent: int, max_blocks: int) -> None:
        self.blocks: list[Block] = []
        self.max_blocks = max_blocks
        self.top = _OpenElement(root_parent, 0, None, "")  # the innermost open element
        self.start = self.top  # the element that the paragraph began in
        self.texts: list[str] = []
        self.link_chars = 0
        self.in_link = False
        self.after_break = False  # whether there was no text since a <br>

    def start_link(self, identity: int, name: str) -> None:
        self.top = _OpenElement(identity, LINK, self.top, name)
        self.after_break = False
        self.in_link = True

    def start_paragraph(self, identity: int, name: str) -> None:
        self.flush()
        around = self.top
        while name in CLOSED_BY.get(around.name, ()):
            if around.kind == LINK:
                self.in_link = False
            around.kind, around.name, around.path = CLOSED, "", ""
            assert around.around is not None  # the outermost element has no name
            around = around.around
        self.top = self.start = _OpenElement(identity, PARAGRAPH, self.top, name)

    def close_until(self, identity: int) -> None:
        """Ends the open elements inside the element *identity*."""
        top = self.top
        while top.identity != identity:
            around = top.around
            assert around is not None  # every node is inside the outermost element
            if top.kind == PARAGRAPH:
                self.flush()
                self.start = around
            elif top.kind == LINK:
                self.in_link = False
            top = around
        self.top = top

    def add_text(self, text: str) -> None:
        if not text.isspace():
            text = collapse_lines(text)
            self.texts.append(text)
            if self.in_link:
                self.link_chars += len(text)
            self.after_break = False

    def add_break(self) -> None:
        """A line break is a space; the second one without text between them ends the paragraph."""
        if not self.after_break:
            self.after_break = True
            self.texts.append(" ")
            return
        self.flush()
        self.start = _OpenElement(0, BREAK, self.top, "br")

    def flush(self) -> None:
        """Makes a block of the open paragraph, if it has text."""
        texts = self.texts
        if not texts:
            return
        text = texts[0].strip() if len(texts) == 1 else collapse_lines("".join(texts).strip())
        texts.clear()
        if text:
            path = self.start.path or _path_of(self.start)
            tag = path[path.rfind("/") + 1 :]
            if len(self.blocks) >= self.max_blocks:
                raise OverflowError("blocks")
            self.blocks.append({"text": text, "tag": tag, "path": path, "links": self.link_chars})
        self.link_chars = 0


def _space_or_line_break(run: re.Match[str]) -> str:
    return "\n" if "\n" in run[0] or "\r" in run[0] else " "


def _path_of(element: _OpenElement) -> str:
    """The path of an open element; it is stored in it and in those around it."""
    todo = []
    while element.around is not None and not element.path:
        todo.append(element)
        element = element.around
    path = element.path
    for element in reversed(todo):
        if name := element.name:
            path = f"{path}/{'template' if name == TEMPLATE else name}" if path else name
            if len(path) > MAX_PATH_CHARS:
                path = shorten_path(path)
        element.path = path
    return path


def shorten_path(path: str) -> str:
    """The first and the last elements of a long path, and between them those that the rules search for."""
    head, tail = path.rfind("/", 0, PATH_HEAD_CHARS), path.find("/", len(path) - PATH_TAIL_CHARS)
    middle = path[head:tail]
    marks = [mark[0] for mark in (re.search(SELECT, middle), HEADING.search(middle)) if mark]
    return f"{path[:head]}/{'/'.join(['...', *marks])}{path[tail:]}"
