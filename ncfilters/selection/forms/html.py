"""HTML: semantic elements without scripts, styles and event handlers.

html([{"text": "A title", "type": "h", "level": 2}], {})    # '<article>\\n<h2>A title</h2>\\n</article>'

The text of a page can hold no element: all text is escaped, and elements and attributes are those of this module.
"""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

from ...record import Record
from .anchors import without_anchors
from .blocks import Block, Code, Heading, ImageBlock, ListBlock, NoteText, Paragraph, Quote, block_tree, is_simple
from .lines import lines, without_controls, xml_attribute, xml_text
from .notes import Notes
from .spans import Node, Nodes, inline_nodes, text_of
from .tables import Grid, GridCell, Part
from .tex import plain_tex
from .urls import image_url, link_url

# The kinds of spans that are elements of this name.
_ELEMENTS = frozenset(("em", "strong", "code", "sup", "sub", "del", "mark"))


def html(segments: list[Record], document: Record) -> str:
    """The text of a document as an `<article>`. Raises RecordError for markup that is not as nc-stream(5) has it."""
    notes = Notes.of(segments)
    writer = _Writer(notes, anchor_prefix(document) if notes.labels else "")
    names = (("data-id", "id"), ("data-url", "url"), ("lang", "lang"))
    attributes = "".join(
        f' {name}="{xml_attribute(str(document[field]))}"'
        for name, field in names
        if document.get(field) not in (None, "und")
    )
    return "\n".join(
        [f"<article{attributes}>", *writer.blocks(block_tree(without_anchors(segments, notes), notes)), "</article>"]
    )


def anchor_prefix(document: Record) -> str:
    """What makes the anchors of a document different from those of others in a stream: a checksum of its identity."""
    identity = f"{document.get('id')} {document.get('url')}".encode("utf-8", "replace")
    return f"d{crc32(identity):08x}-"


class _Writer:
    def __init__(self, notes: Notes, prefix: str) -> None:
        self._notes = notes
        self._prefix = prefix
        self._referred: set[str] = set()

    def blocks(self, blocks: Sequence[Block]) -> list[str]:
        """The elements of blocks."""
        out: list[str] = []
        note_texts: list[NoteText] = []
        for block in [*blocks, None]:
            if isinstance(block, NoteText):
                note_texts.append(block)
                continue
            if note_texts:
                out.append(self._note_texts(note_texts))
                note_texts = []
            if block is not None and (element := self._block(block)):
                out.append(element)
        return out

    def _block(self, block: Block) -> str:
        match block:
            case Paragraph():
                text = self._text(block.segment, block.start)
                text = f"<strong>{text}</strong>" if block.bold and text else text
                return f"<p>{text}</p>" if text else ""
            case Heading():
                return f"<h{block.level}>{self._text(block.segment)}</h{block.level}>"
            case Code():
                return _code(block)
            case Grid():
                return self._table(block)
            case ImageBlock():
                return self._figure(block)
            case Quote():
                return "\n".join(["<blockquote>", *self.blocks(block.blocks), "</blockquote>"])
            case ListBlock():
                return self._list(block)
        raise AssertionError(block)

    def _list(self, block: ListBlock) -> str:
        if not block.ordered:
            return "\n".join(["<ul>", *[f"<li>{self._flow(item.blocks)}</li>" for item in block.items], "</ul>"])
        start = block.items[0].number
        out = ["<ol>" if start == 1 else f'<ol start="{start}">']
        expected = start
        for item in block.items:
            value = "" if item.number == expected else f' value="{item.number}"'
            out.append(f"<li{value}>{self._flow(item.blocks)}</li>")
            expected = (item.number or 0) + 1
        return "\n".join([*out, "</ol>"])

    def _flow(self, blocks: list[Block]) -> str:
        """Blocks in an element that may have text alone."""
        first = blocks[0] if blocks else None
        if isinstance(first, Paragraph) and not first.bold and is_simple(blocks):
            return "\n".join([self._text(first.segment, first.start), *self.blocks(blocks[1:])])
        return "\n".join(["", *self.blocks(blocks), ""])

    def _figure(self, figure: ImageBlock) -> str:
        images = [element for image in figure.images if (element := self._image(image))]
        caption = self._text(figure.caption) if figure.caption else ""
        if not images:
            return f"<p>{caption}</p>" if caption else ""
        return "\n".join(
            ["<figure>", *images, *([f"<figcaption>{caption}</figcaption>"] if caption else []), "</figure>"]
        )

    def _table(self, table: Grid) -> str:
        out = ["<table>"]
        if table.captions:
            out.append(f"<caption>{'<br>'.join([self._text(caption) for caption in table.captions])}</caption>")
        for row in table.rows():
            out += ["<tr>", *self._row(row, table), "</tr>"]
        return "\n".join([*out, "</table>"])

    def _row(self, cells: list[GridCell], table: Grid) -> list[str]:
        """The cells of a row; empty ones where none begins, except below one that spans rows."""
        out = []
        at = 0
        for cell in cells:
            out += ["<td></td>" for column in range(at, cell.column) if not table.is_covered(cell.row, column)]
            name = "th" if cell.header else "td"
            rows = f' rowspan="{cell.rows}"' if cell.rows > 1 else ""
            columns = f' colspan="{cell.columns}"' if cell.columns > 1 else ""
            out.append(f"<{name}{rows}{columns}>{self._cell(cell)}</{name}>")
            at = cell.column + cell.columns
        return out

    def _cell(self, cell: GridCell) -> str:
        if cell.text_alone and isinstance(part := cell.parts[0], Part):
            return self._inline(inline_nodes(part.segment, part.start, part.end))
        out = []
        for part in cell.parts:
            if isinstance(part, Grid):
                out.append(self._table(part))
                continue
            out += [self._image(image) for image in part.before]
            if part.segment.get("pre"):
                out.append(_code(Code(part.segment)))
            else:
                out.append(f"<p>{self._inline(inline_nodes(part.segment, part.start, part.end))}</p>")
            out += [self._image(image) for image in part.after]
        return "\n".join([element for element in out if element])

    def _note_texts(self, note_texts: list[NoteText]) -> str:
        out = ['<section class="footnotes">', "<ol>"]
        for note in note_texts:
            out.append(f'<li id="{self._prefix}fn-{note.label}">{self._flow(note.blocks)}</li>')
        return "\n".join([*out, "</ol>", "</section>"])

    def _text(self, segment: Record, start: int = 0) -> str:
        if not segment.get("spans"):
            return xml_text(without_controls(lines(segment)[start:]).strip()).replace("\n", "<br>\n")
        return self._inline(inline_nodes(segment, start))

    def _inline(self, nodes: Nodes, in_link: bool = False) -> str:
        return "".join([self._node(node, in_link) for node in nodes])

    def _node(self, node: Node | str, in_link: bool) -> str:
        if isinstance(node, str):
            return xml_text(node).replace("\n", "<br>\n")
        is_link = node.kind in ("link", "reference")
        if node.kind == "image":
            return self._image(node.value)
        if node.kind == "math" and (tex := plain_tex(node.value[0])):
            opening, closing = ("\\[", "\\]") if node.value[1] else ("\\(", "\\)")
            kind = "display" if node.value[1] else "inline"
            return f'<span class="math {kind}">{opening}{xml_text(tex)}{closing}</span>'
        content = self._inline(node.content, in_link or is_link)
        if node.kind in _ELEMENTS:
            return f"<{node.kind}>{content}</{node.kind}>"
        if is_link and not in_link and content and (url := link_url(node.value)):
            return f'<a href="{xml_attribute(url)}">{content}</a>'
        if node.kind == "note" and not in_link and (label := self._notes.labels.get(node.value)):
            anchor = "" if label in self._referred else f' id="{self._prefix}ref-{label}"'
            self._referred.add(label)
            mark = xml_text(text_of(node.content) or label)
            return f'<sup><a href="#{self._prefix}fn-{label}"{anchor}>{mark}</a></sup>'
        return content

    def _image(self, value: dict[str, object]) -> str:
        url, alt = image_url(str(value.get("src"))), value.get("alt")
        text = " ".join(alt.split()) if isinstance(alt, str) else ""
        return f'<img src="{xml_attribute(url)}" alt="{xml_attribute(text)}">' if url else ""


def _code(code: Code) -> str:
    language = f' class="language-{xml_attribute(code.language)}"' if code.language else ""
    return f"<pre><code{language}>{xml_text(without_controls(code.segment['text']))}</code></pre>"
