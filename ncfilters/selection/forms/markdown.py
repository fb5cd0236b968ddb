"""Markdown: CommonMark with the tables, strikethrough and footnotes of GFM, and formulas between dollar signs.

markdown([{"text": "A title", "type": "h", "level": 2}, {"text": "one", "type": "l", "depth": 1}], {})
# '## A title\\n\\n- one'
"""

from __future__ import annotations

import re

from ...record import Record
from .markdown_text import Escapes, MarkdownText, destination, inline_code
from .notes import note_labels
from .posts import post_tree
from .spans import Node, Nodes, span_kinds

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
    """The text of a document as Markdown."""
    kinds = span_kinds(segments)
    labels = note_labels(segments) if "note" in kinds else {}
    text = MarkdownText(labels, Escapes("math" in kinds, "reference" in kinds))
    out = _Writer(text).blocks(post_tree(list(map(_outside_table, segments)), labels, document))
    definitions = [f"[{number}]: {destination(url)}" for url, number in text.references.items()]
    return "\n\n".join([out, "\n".join(definitions)] if definitions else [out])


class _Writer:
    """Writes blocks: a method with the name of a kind writes those of that kind."""

    def __init__(self, text: MarkdownText) -> None:
        self.text = text

    def blocks(self, blocks: Nodes, inner_indent: int = 0, close: bool = False) -> str:
        """Blocks with an empty line between them; lists after the first block are indented. The first of them is
        *close* if there is no empty line before it."""
        out, bullet, before = "", "-", Node("")
        for block in blocks:
            if block.kind == "item_list":
                # two lists in a row have different markers, else they would be one
                is_next = before.kind == "item_list" and _is_ordered(before) == _is_ordered(block)
                bullet = ("*" if bullet == "-" else "-") if is_next else "-"
                text = _indented(self.item_list(block, bullet), " " * inner_indent if out else "")
            else:
                text = getattr(self, block.kind)(block)
                if text and before.kind == "post" and block.kind != "post":
                    text = f"{RULE}\n\n{text}"
            if text:
                # a list that begins with another number than 1 does not end a paragraph
                is_close = close and block.kind == "item_list" and block.content[0].value[0] in (None, 1)
                is_close = is_close and (before is blocks[0] or before.kind == "item_list")
                out += ("\n" if is_close else "\n\n") + text if out else text
                before = block
        return out

    def paragraph(self, block: Node) -> str:
        return self.text.paragraph(block.content)

    def heading(self, block: Node) -> str:
        title = _CLOSING.sub(r"\\\g<0>", self.text.line(block.content))
        return f"{'#' * block.value} {title}" if title else ""

    def listing(self, block: Node) -> str:
        """The text between fences that are longer than any run of backticks in it."""
        text: str = block.content[0]
        fence = "`" * max(3, 1 + max(map(len, _BACKTICKS.findall(text)), default=0))
        return f"{fence}{block.value}\n{text}\n{fence}"

    def quote(self, block: Node) -> str:
        return "\n".join([f"> {line}" if line else ">" for line in self.blocks(block.content).split("\n")])

    def footnote(self, block: Node) -> str:
        return f"[^{block.value}]: {_indented(self.blocks(block.content), _NOTE_INDENT).lstrip()}"

    def post(self, block: Node) -> str:
        author, date = block.value
        parts = [f"**{self.text.line([author])}**"] * bool(author) + [date] * bool(date)
        return "\n\n".join([RULE, *[", ".join(parts)] * bool(parts), self.blocks(block.content)])

    def images(self, block: Node) -> str:
        images = [text for image in block.value if (text := self.text.image(image))]
        caption = [self.text.paragraph(block.content)] if block.content else []
        return "\n\n".join(["\n".join(images)] * bool(images) + caption)

    def item_list(self, block: Node, bullet: str) -> str:
        """The items; with empty lines between them if one has other blocks than a line and inner lists."""
        is_tight = all(
            len(item.content) == 1 or all(inner.kind == "item_list" for inner in item.content[1:])
            for item in block.content
        )
        return ("\n" if is_tight else "\n\n").join([self._item(item, bullet) for item in block.content])

    def _item(self, item: Node, bullet: str) -> str:
        number, task = item.value
        marker = bullet if number is None else f"{number}{'.' if bullet == '-' else ')'}"
        column = len(marker) + 1
        is_close = bool(item.content) and item.content[0].kind == "paragraph"
        text = self.blocks(item.content, max(_INNER_INDENT - column, 0), is_close)
        if task is not None:
            text = f"[{'x' if task == 'x' else ' '}] {text}"
        return f"{marker} {_indented(text, ' ' * column)[column:]}"

    def table(self, block: Node) -> str:
        captions = [self.text.paragraph(caption) for caption in block.value]
        if not block.content:
            return "\n\n".join(captions)
        width = 1 + max([cell.value.column for row in block.content for cell in row.content])
        lines = [self._row(row.content, width) for row in block.content]
        return "\n\n".join([*captions, "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])])

    def _row(self, cells: Nodes, width: int) -> str:
        texts = [""] * width
        for cell in cells:
            texts[cell.value.column] = self._cell(cell)
        return f"| {' | '.join(texts)} |"

    def _cell(self, cell: Node) -> str:
        """The text of a cell on one line; that of a table in it, too."""
        out = []
        for block in cell.content:
            if block.kind == "table":
                out += [self._cell(inner) for row in block.content for inner in row.content]
            elif block.kind == "listing":
                out.append(inline_code(block.content[0]).replace("|", "\\|"))
            else:
                text = self.text.image(block.value) if block.kind == "image" else self.text.line(block.content)
                out.append(text.replace("|", "\\|"))
        return " ".join(filter(None, out))


def _is_ordered(block: Node) -> bool:
    """Whether the items of a list have numbers."""
    return block.content[0].value[0] is not None


def _outside_table(segment: Record) -> Record:
    """A segment; one of code that is too long for a table cell is in none."""
    if "table" not in segment or not segment.get("pre") or segment["text"].count("\n") < MAX_CELL_LINES:
        return segment
    return {name: value for name, value in segment.items() if name not in ("table", "cells")}


def _indented(text: str, indent: str) -> str:
    """*text* with *indent* before its lines."""
    return "\n".join([indent + line if line else "" for line in text.split("\n")]) if indent else text
