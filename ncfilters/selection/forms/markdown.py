"""Markdown: CommonMark with the tables, strikethrough and footnotes of GFM, and formulas between dollar signs.

markdown([{"text": "A title", "type": "h", "level": 2}, {"text": "one", "type": "l", "depth": 1}], {})
# '## A title\\n\\n- one'
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...record import Record
from .block_types import Block, Code, Heading, ImageBlock, ListBlock, ListItem, NoteText, Paragraph, PostBlock, Quote
from .lines import BREAK, without_controls
from .markdown_text import Escapes, MarkdownText, destination, inline_code
from .notes import Notes, without_anchors
from .posts import post_tree
from .spans import span_kinds
from .tables import Grid, GridCell, Image, Part

# The minimum indent of an inner list, in columns: old parsers want four.
_INNER_INDENT = 4
_NOTE_INDENT = "    "
# What is before a post and after the last one.
RULE = "---"
# A table cell has code of at most so many lines, which become one; longer code stands below its row.
MAX_CELL_LINES = 3
_CLOSING = re.compile(r"(?<![^ \t])#+$")  # at the end of a heading this is markup
_BACKTICKS = re.compile("`+")


def markdown(segments: list[Record], document: Record) -> str:
    """The text of a document as Markdown. Raises RecordError for markup that is not as nc-stream(5) describes it."""
    kinds = span_kinds(segments)
    notes = Notes.of(segments) if "note" in kinds else Notes()
    writer = _Writer(MarkdownText(notes, Escapes("math" in kinds, "reference" in kinds)))
    segments = list(map(_outside_table, without_anchors(segments, notes, document.get("url"))))
    out = writer.blocks(post_tree(segments, notes, document))
    definitions = [f"[{number}]: {destination(url)}" for url, number in writer.text.references.items()]
    return "\n\n".join([out, "\n".join(definitions)] if definitions else [out])


class _Writer:
    def __init__(self, text: MarkdownText) -> None:
        self.text = text

    def blocks(self, blocks: Sequence[Block], inner_indent: int = 0, close: bool = False) -> str:
        """Blocks with an empty line between them; lists after the first block are indented. The first of them is
        *close* if there is no empty line before it."""
        out = ""
        bullet = "-"
        before: Block | None = None
        for block in blocks:
            if isinstance(block, ListBlock):
                # two lists in a row have different markers, else they would be one
                is_next = isinstance(before, ListBlock) and before.ordered == block.ordered
                bullet = ("*" if bullet == "-" else "-") if is_next else "-"
                text = _indented(self._list(block, bullet), " " * inner_indent if out else "")
            else:
                text = self._block(block)
                if isinstance(before, PostBlock) and not isinstance(block, PostBlock):
                    text = f"{RULE}\n\n{text}" if text else ""
            if text:
                # a list that begins with another number than 1 does not end a paragraph
                is_close = close and isinstance(block, ListBlock) and block.ends_paragraph
                is_close = is_close and (before is blocks[0] or isinstance(before, ListBlock))
                out += ("\n" if is_close else "\n\n") + text if out else text
                before = block
        return out

    def _block(self, block: Block) -> str:
        if isinstance(block, Paragraph):
            return self.text.block(block.segment, block.start, block.bold)
        match block:
            case Heading():
                title = _CLOSING.sub(r"\\\g<0>", self.text.heading(block.segment))
                return f"{'#' * block.level} {title}" if title else ""
            case Code():
                return _fenced(block)
            case Grid():
                return self._table(block)
            case ImageBlock():
                return self._figure(block)
            case Quote():
                return "\n".join([f"> {line}" if line else ">" for line in self.blocks(block.blocks).split("\n")])
            case PostBlock():
                return "\n\n".join([RULE, *self._byline(block), self.blocks(block.blocks)])
            case NoteText():
                return f"[^{block.label}]: {_indented(self.blocks(block.blocks), _NOTE_INDENT).lstrip()}"
        raise AssertionError(block)

    def _byline(self, post: PostBlock) -> list[str]:
        """The author and the day of a post."""
        parts = [f"**{self.text.nodes([post.author])}**"] * bool(post.author) + [post.date] * bool(post.date)
        return [", ".join(parts)] if parts else []

    def _figure(self, figure: ImageBlock) -> str:
        images = [text for image in figure.images if (text := self.text.image(image))]
        caption = [self.text.block(figure.caption)] if figure.caption else []
        return "\n\n".join(["\n".join(images)] * bool(images) + caption)

    def _list(self, block: ListBlock, bullet: str) -> str:
        """The items; with empty lines between them if one has other blocks than a line and inner lists."""
        items = [self._item(item, bullet) for item in block.items]
        is_tight = all(
            len(item.blocks) == 1 or all(isinstance(inner, ListBlock) for inner in item.blocks[1:])
            for item in block.items
        )
        return ("\n" if is_tight else "\n\n").join(items)

    def _item(self, item: ListItem, bullet: str) -> str:
        delimiter = "." if bullet == "-" else ")"
        marker = bullet if item.number is None else f"{item.number}{delimiter}"
        column = len(marker) + 1
        is_close = isinstance(item.blocks[0], Paragraph)
        text = self.blocks(item.blocks, max(_INNER_INDENT - column, 0), is_close)
        if (task := item.task) is not None:
            text = f"[{'x' if task == 'x' else ' '}] {text}"
        return f"{marker} {_indented(text, ' ' * column)[column:]}"

    def _table(self, table: Grid) -> str:
        captions = [self.text.block(caption) for caption in table.captions]
        if not table.cells:
            return "\n\n".join(captions)
        width = table.width
        lines = [self._row(row, width) for row in table.rows()]
        return "\n\n".join([*captions, "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])])

    def _row(self, cells: list[GridCell], width: int) -> str:
        texts = [""] * width
        for cell in cells:
            texts[cell.column] = self._cell(cell)
        return f"| {' | '.join(texts)} |"

    def _cell(self, cell: GridCell) -> str:
        """The text of a cell on one line; that of a table in it, too."""
        out = []
        for part in cell.parts:
            if isinstance(part, Grid):
                out += [self._cell(inner) for inner in part.cells]
                continue
            out += [self._cell_image(image) for image in part.before]
            out.append(self._cell_part(part))
            out += [self._cell_image(image) for image in part.after]
        return " ".join([text for text in out if text])

    def _cell_image(self, image: Image) -> str:
        return self.text.image(image).replace("|", "\\|")

    def _cell_part(self, part: Part) -> str:
        if part.segment.get("pre"):
            return inline_code(part.segment["text"][part.start : part.end]).replace("|", "\\|")
        return self.text.cell(part.nodes())


def _outside_table(segment: Record) -> Record:
    """A segment; one of code that is too long for a table cell is in none."""
    if "table" not in segment or not segment.get("pre") or segment["text"].count("\n") < MAX_CELL_LINES:
        return segment
    return {name: value for name, value in segment.items() if name not in ("table", "cells")}


def _fenced(code: Code) -> str:
    """The text between fences that are longer than any run of backticks in it."""
    text = without_controls(BREAK.sub("\n", code.segment["text"]))
    fence = "`" * max(3, 1 + max(map(len, _BACKTICKS.findall(text)), default=0))
    return f"{fence}{code.language}\n{text}\n{fence}"


def _indented(text: str, indent: str) -> str:
    """*text* with *indent* before its lines."""
    return "\n".join([indent + line if line else "" for line in text.split("\n")]) if indent else text
