"""The profile `justext`: the paragraphs of a page, as jusText 3.0.2 splits them.

    blocks_of_html("<p>One <a>link</a>").records()
    # [{"text": "One link", "tag": "p", "path": "html/body/p", "links": 4}]

The rules of jusText are designed for its own paragraphs, and depend on white space, links and ancestors as jusText
parses them (see `justext_markup`).
"""

from __future__ import annotations

import re
import sys

from ...native.element_names import BLANK, TEXT, tag_groups
from ...native.page_table import PageTable, table_of
from ..dom_path import MAX_PATH_CHARS, PATH_HEAD_CHARS, PATH_TAIL_CHARS
from ..tree.html_parser import HtmlSource, lexbor_input, source_of
from .block_table import BlockTable
from .justext_markup import DELETED_TAGS, TEMPLATE, UNWRAPPED_TAGS, parse_like_libxml2

# What an element is; all others are inline. Headings and links end where some elements begin in them, for libxml2 but
# not for browsers.
_PARAGRAPH, _LINK, _BREAK, _DELETED, _UNWRAPPED, _HEADING, _ENDS_HEADINGS, _ENDS_LINKS = (1 << bit for bit in range(8))
_KINDS = tag_groups({
    # jusText's block tags; <ol> is not among them
    _PARAGRAPH: "blockquote body caption center col colgroup dd div dl dt fieldset h1 h2 h3 h4 h5 h6 legend li "
    "optgroup option p pre table td tfoot th thead tr ul",
    _LINK: "a",
    _BREAK: "br",
    _DELETED: " ".join(DELETED_TAGS),
    _UNWRAPPED: " ".join(UNWRAPPED_TAGS),
    _HEADING: "h1 h2 h3 h4 h5 h6",
    _ENDS_HEADINGS: "fieldset li p table",
    _ENDS_LINKS: "fieldset table td th",
})  # fmt: skip
_TEXT, _BLANK = TEXT, BLANK

# What the rules of jusText search a path for: a heading, `select` as a part of any name.
HEADING = re.compile(r"\bh\d\b")
SELECT = "select"


def blocks_of_html(html: str | HtmlSource, parser: str = "lexbor", max_blocks: int = sys.maxsize) -> BlockTable:
    """The paragraphs of a page. Raises ValueError for an unknown parser (see `html_parser.parse_html`), OverflowError
    for more than *max_blocks*, and RecordError as `html_parser.lexbor_tree`."""
    if parser != "lexbor":
        html = lexbor_input(source_of(html).text, parser)
    root = parse_like_libxml2(html).root
    return BlockTable() if root is None else blocks(table_of(root), max_blocks)


def blocks(page: PageTable, max_blocks: int = sys.maxsize) -> BlockTable:
    """The paragraphs of a page (see `parse_like_libxml2`), in order.

    Each has its text (white space collapsed; a run of it with a line break is a line break), tag (of the element that
    it began in, or after the end of another one), path (the names of all elements around, joined by `/`) and links
    (characters of the text inside `<a>`, counted before the paragraph's edges are trimmed, so that the number may
    exceed its length). Linear in the page. Raises OverflowError for more than *max_blocks*.
    """
    return _ParagraphReader(page, max_blocks).read()


def collapse_lines(text: str) -> str:
    """*text* with each run of white space as one space, or as one line break if there is one in it."""
    if "  " not in text and text.isprintable():  # the common case, for speed
        return text
    out: list[str] = []
    done, at, size = 0, 0, len(text)
    while at < size:
        c = text[at]
        at += 1
        if " " < c < "\x7f" or not c.isspace():
            continue
        is_break = c in "\n\r"
        end = at
        while end < size and text[end].isspace():
            is_break = is_break or text[end] in "\n\r"
            end += 1
        if end > at or c not in " \n":
            out.append(text[done : at - 1])
            out.append("\n" if is_break else " ")
            done = at = end
    if not done:
        return text
    out.append(text[done:])
    return "".join(out)


class _ParagraphReader:
    """The paragraphs so far, the open elements and the open paragraph. Elements are rows of the page, -1 what is
    around the first."""

    def __init__(self, page: PageTable, max_blocks: int) -> None:
        self.page, self.max_blocks = page, max_blocks
        self.blocks = BlockTable()
        self.around = [-1] * page.size  # the element around each that was opened
        self.paths: dict[int, str] = {-1: ""}  # of elements, where they were needed
        self.closed = bytearray(page.size)  # whether an element has been ended by another
        self.top = -1  # the innermost open element
        self.start = -1  # the element that the paragraph began in
        self.run: list[int] = []  # texts with nothing between them but elements that jusText deletes or unwraps
        self.has_text = False  # whether one of these is more than white space
        self.texts: list[str] = []
        self.link_chars = 0
        self.in_link = False
        self.after_break = False  # whether there was no text since a <br>

    def read(self) -> BlockTable:
        """All paragraphs."""
        page = self.page
        tags, ends, flags, size, row = page.tag, page.end, page.flags, page.size, 0
        while row < size:
            while self.top >= 0 and ends[self.top] <= row:
                self._close()
            tag = tags[row]
            if tag == _TEXT:
                self.run.append(row)
                self.has_text = self.has_text or not flags[row] & _BLANK
            elif tag < 0:  # a comment
                self._end_run()
            else:
                kind = _KINDS[tag]
                if kind & _DELETED:
                    row = ends[row]
                    continue
                if not kind & _UNWRAPPED:
                    self._open(row, kind)
            row += 1
        self._end_run()
        self._flush()
        return self.blocks

    def _open(self, row: int, kind: int) -> None:
        """Begins an element."""
        self._end_run()
        around = self.top
        if kind & _PARAGRAPH:
            self._flush()
            while around >= 0 and self._is_ended(around, kind):
                if _KINDS[self.page.tag[around]] & _LINK:
                    self.in_link = False
                self.closed[around] = 1
                self.paths.pop(around, None)
                around = self.around[around]
            self.start = row
        self.around[row] = self.top
        if kind & _BREAK:
            self._break(row)
            return
        self.top = row
        if not kind & _PARAGRAPH:
            self.after_break = False
            if kind & _LINK:
                self.in_link = True

    def _is_ended(self, row: int, kind: int) -> bool:
        """Whether an element ends where one of another kind begins in it."""
        own = _KINDS[self.page.tag[row]]
        ends = kind & _ENDS_HEADINGS if own & _HEADING else kind & _ENDS_LINKS if own & _LINK else 0
        return ends != 0 and not self.closed[row]

    def _close(self) -> None:
        """Ends the innermost element."""
        self._end_run()
        top = self.top
        kind = 0 if self.closed[top] else _KINDS[self.page.tag[top]]
        self.top = self.around[top]
        if kind & _PARAGRAPH:
            self._flush()
            self.start = self.top
        elif kind & _LINK:
            self.in_link = False

    def _break(self, row: int) -> None:
        """A line break is a space; the second one without text between them ends the paragraph."""
        if not self.after_break:
            self.after_break = True
            self.texts.append(" ")
            return
        self._flush()
        self.start = row

    def _end_run(self) -> None:
        """Adds the text of the run to the paragraph."""
        run = self.run
        if not run:
            return
        if self.has_text:
            text = self.page.text_of(run[0])
            if len(run) > 1:
                text = "".join([self.page.text_of(row) for row in run])
            text = collapse_lines(text)
            self.texts.append(text)
            if self.in_link:
                self.link_chars += len(text)
            self.after_break = self.has_text = False
        run.clear()

    def _flush(self) -> None:
        """Makes a block of the open paragraph, if it has text."""
        texts = self.texts
        if not texts:
            return
        text = texts[0].strip() if len(texts) == 1 else collapse_lines("".join(texts).strip())
        texts.clear()
        if text:
            path = self._path(self.start)
            if len(self.blocks.text) >= self.max_blocks:
                raise OverflowError("blocks")
            self.blocks.append(text, path[path.rfind("/") + 1 :], self.blocks.elements.add(path), self.link_chars)
        self.link_chars = 0

    def _path(self, row: int) -> str:
        """The path of an element; it is kept for it and for those around it."""
        paths, todo = self.paths, []
        while row not in paths:
            todo.append(row)
            row = self.around[row]
        path = paths[row]
        for row in reversed(todo):
            if not self.closed[row]:
                name = self.page.name_of(row)
                name = "template" if name == TEMPLATE else name
                path = f"{path}/{name}" if path else name
                if len(path) > MAX_PATH_CHARS:
                    path = shorten_path(path)
            paths[row] = path
        return path


def shorten_path(path: str) -> str:
    """The first and the last elements of a long path, and between them those that the rules search for."""
    head, tail = path.rfind("/", 0, PATH_HEAD_CHARS), path.find("/", len(path) - PATH_TAIL_CHARS)
    middle = path[head:tail]
    marks = [mark[0] for mark in (re.search(SELECT, middle), HEADING.search(middle)) if mark]
    return f"{path[:head]}/{'/'.join(['...', *marks])}{path[tail:]}"
