"""HTML: semantic elements without scripts, styles and event handlers.

html([{"text": "A title", "type": "h", "level": 2}], {})    # '<article>\\n<h2>A title</h2>\\n</article>'

The text of a page can hold no element: all text is escaped, and elements and attributes are those of this module.
"""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

from ...record import Record, runs_code
from .block_types import Block, Code, ListBlock, ListItem, NoteText, PostBlock
from .element_writer import ElementWriter
from .lines import without_controls, xml_attribute, xml_text
from .notes import Notes, without_anchors
from .posts import post_tree
from .spans import Node
from .tables import Grid, GridCell


def html(segments: list[Record], document: Record) -> str:
    """The text of a document as an `<article>`. Raises RecordError for markup that is not as nc-stream(5) has it."""
    notes = Notes.of(segments)
    writer = _Writer(notes, anchor_prefix(document) if notes.labels else "")
    names = (("data-id", "id"), ("data-url", "url"), ("lang", "lang"))
    attributes = "".join(
        f' {name}="{xml_attribute(str(document[field]))}"'
        for name, field in names
        if document.get(field) not in (None, "und") and not (field == "url" and runs_code(document[field]))
    )
    blocks = post_tree(without_anchors(segments, notes, document.get("url")), notes, document)
    return "\n".join([f"<article{attributes}>", *writer.blocks(blocks), "</article>"])


def anchor_prefix(document: Record) -> str:
    """What makes the anchors of a document different from those of others in a stream: a checksum of its identity."""
    identity = f"{document.get('id')} {document.get('url')}".encode("utf-8", "replace")
    return f"d{crc32(identity):08x}-"


class _Writer(ElementWriter):
    def __init__(self, notes: Notes, prefix: str) -> None:
        super().__init__(notes, prefix)
        self._referred: set[str] = set()

    def blocks(self, blocks: Sequence[Block]) -> list[str]:
        """The elements of blocks; footnotes in a row are a list."""
        out: list[str] = []
        note_texts: list[str] = []
        for block in [*blocks, None]:
            if isinstance(block, NoteText):
                note_texts.append(self.note_text(block))
                continue
            if note_texts:
                out += ['<section class="footnotes">', "<ol>", *note_texts, "</ol>", "</section>"]
                note_texts = []
            if block is not None and (element := self.block(block)):
                out.append(element)
        return out

    def heading(self, level: int, content: str) -> str:
        return f"<h{level}>{content}</h{level}>"

    def code(self, code: Code) -> str:
        language = f' class="language-{xml_attribute(code.language)}"' if code.language else ""
        return f"<pre><code{language}>{xml_text(without_controls(code.segment['text']))}</code></pre>"

    def item_list(self, block: ListBlock) -> str:
        if not block.ordered:
            return "\n".join(["<ul>", *[f"<li>{self._item(item)}</li>" for item in block.items], "</ul>"])
        start = block.items[0].number
        out = ["<ol>" if start == 1 else f'<ol start="{start}">']
        expected = start
        for item in block.items:
            value = "" if item.number == expected else f' value="{item.number}"'
            out.append(f"<li{value}>{self._item(item)}</li>")
            expected = (item.number or 0) + 1
        return "\n".join([*out, "</ol>"])

    def _item(self, item: ListItem) -> str:
        """What is in an item, after the box of a task."""
        task = item.task
        box = "" if task is None else f'<input type="checkbox" disabled{" checked" if task == "x" else ""}> '
        return box + self.flow(item.blocks)

    def figure(self, images: list[str], caption: str) -> list[str]:
        return [*images, f"<figcaption>{caption}</figcaption>"] if caption else images

    def table(self, table: Grid) -> str:
        out = ["<table>"]
        if table.captions:
            out.append(f"<caption>{'<br>'.join([self.text(caption) for caption in table.captions])}</caption>")
        for row in table.rows():
            out.append("\n".join(["<tr>", *self.row(row, table), "</tr>"]))
        return "\n".join([*out, "</table>"])

    def cell(self, cell: GridCell, content: str) -> str:
        name = "th" if cell.header else "td"
        rows = f' rowspan="{cell.rows}"' if cell.rows > 1 else ""
        columns = f' colspan="{cell.columns}"' if cell.columns > 1 else ""
        return f"<{name}{rows}{columns}>{content}</{name}>"

    def note_text(self, note: NoteText) -> str:
        return f'<li id="{self._prefix}fn-{note.label}">{self.flow(note.blocks)}</li>'

    def post(self, post: PostBlock) -> str:
        parts = [f"<b>{xml_text(post.author)}</b>"] * bool(post.author)
        parts += [f'<time datetime="{xml_attribute(post.date)}">{xml_text(post.date)}</time>'] * bool(post.date)
        header = [f"<header>{' '.join(parts)}</header>"] if parts else []
        return "\n".join(["<article>", *header, *self.blocks(post.blocks), "</article>"])

    def note_mark(self, label: str, mark: str) -> str:
        anchor = "" if label in self._referred else f' id="{self._prefix}ref-{label}"'
        self._referred.add(label)
        return f'<sup><a href="#{self._prefix}fn-{label}"{anchor}>{mark}</a></sup>'

    def style(self, node: Node, content: str) -> str:
        return f"<{node.kind}>{content}</{node.kind}>"

    def link(self, url: str, content: str) -> str:
        return f'<a href="{url}">{content}</a>'

    def image_link(self, url: str, image: str) -> str:
        return self.link(url, image)

    def image(self, url: str, alt: str) -> str:
        return f'<img src="{url}" alt="{xml_attribute(alt)}">'

    def formula(self, tex: str, is_display: bool) -> str:
        opening, closing = ("\\[", "\\]") if is_display else ("\\(", "\\)")
        return f'<span class="math {"display" if is_display else "inline"}">{opening}{tex}{closing}</span>'
