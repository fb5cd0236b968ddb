"""TEI P5: a document as `<TEI>`, a stream of them as `<teiCorpus>`.

tei([{"text": "A title", "type": "h", "level": 1}, {"text": "Text.", "type": "p"}], {"id": "a"})    # '<TEI>…'

Sections are `<div>` below their headings. Tables, figures and formulas are those of the modules of TEI P5 for them.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...record import Record
from .anchors import without_anchors
from .blocks import Block, Code, Heading, ImageBlock, ListBlock, NoteText, Paragraph, Quote, block_tree, is_simple
from .html import anchor_prefix
from .lines import BREAK, lines, without_controls, xml_attribute, xml_text
from .notes import Notes
from .spans import Node, Nodes, inline_nodes, text_of
from .tables import Grid, GridCell, Part
from .tei_header import NAMESPACE, tei_header
from .tex import plain_tex
from .urls import image_url, link_url

# The elements of kinds of spans, with attributes.
_ELEMENTS = {
    "em": ("hi", ' rend="italic"'),
    "strong": ("hi", ' rend="bold"'),
    "sup": ("hi", ' rend="superscript"'),
    "sub": ("hi", ' rend="subscript"'),
    "mark": ("hi", ' rend="highlight"'),
    "del": ("del", ""),
}


def tei(segments: list[Record], document: Record) -> str:
    """The text of a document as `<TEI>`. Raises RecordError for markup that is not as nc-stream(5) describes it."""
    notes = Notes.of(segments)
    writer = _Writer(notes, anchor_prefix(document) if notes.labels else "")
    body = writer.sections(block_tree(without_anchors(segments, notes), notes)) or ["<p/>"]
    language = document.get("lang")
    attribute = f' xml:lang="{xml_attribute(language)}"' if isinstance(language, str) and language else ""
    return "\n".join(
        [
            f'<TEI xmlns="{NAMESPACE}">',
            *tei_header(document),
            f"<text{attribute}>",
            "<body>",
            *body,
            "</body>",
            "</text>",
            "</TEI>",
        ]
    )


class _Writer:
    def __init__(self, notes: Notes, prefix: str) -> None:
        self._notes = notes
        self._prefix = prefix

    def sections(self, blocks: Sequence[Block]) -> list[str]:
        """Blocks in a `<div>` for each heading, up to the next one of its level or a higher one."""
        out: list[str] = []
        levels: list[int] = []
        for block in blocks:
            if isinstance(block, Heading):
                while levels and levels[-1] >= block.level:
                    out.append("</div>")
                    levels.pop()
                levels.append(block.level)
                out += [f'<div n="{block.level}">', f"<head>{self._text(block.segment)}</head>"]
            elif element := self._block(block):
                out.append(element)
        return out + ["</div>"] * len(levels)

    def _blocks(self, blocks: Sequence[Block]) -> list[str]:
        return [element for block in blocks if (element := self._block(block))]

    def _block(self, block: Block) -> str:
        match block:
            case Paragraph():
                text = self._text(block.segment, block.start)
                text = f'<hi rend="bold">{text}</hi>' if block.bold and text else text
                return f"<p>{text}</p>" if text else ""
            case Heading():
                return f'<ab type="head" n="{block.level}">{self._text(block.segment)}</ab>'
            case Code():
                return f"<ab>{_code(block)}</ab>"
            case Grid():
                return self._table(block)
            case ImageBlock():
                return self._figure(block)
            case Quote():
                return "\n".join(["<quote>", *self._blocks(block.blocks), "</quote>"])
            case ListBlock():
                return self._list(block)
            case NoteText():
                start = f'<note xml:id="{self._prefix}fn-{block.label}" n="{block.label}" place="bottom">'
                return f"{start}{self._flow(block.blocks)}</note>"
        raise AssertionError(block)

    def _list(self, block: ListBlock) -> str:
        out = [f'<list rend="{"numbered" if block.ordered else "bulleted"}">']
        for item in block.items:
            number = f' n="{item.number}"' if item.number is not None else ""
            out.append(f"<item{number}>{self._flow(item.blocks)}</item>")
        return "\n".join([*out, "</list>"])

    def _flow(self, blocks: list[Block]) -> str:
        """Blocks in an element that may have text alone."""
        first = blocks[0] if blocks else None
        if isinstance(first, Paragraph) and not first.bold and is_simple(blocks):
            return "\n".join([self._text(first.segment, first.start), *self._blocks(blocks[1:])])
        return "\n".join(["", *self._blocks(blocks), ""])

    def _figure(self, figure: ImageBlock) -> str:
        out = [element for image in figure.images if (element := self._graphic(image))]
        caption = self._text(figure.caption) if figure.caption else ""
        if not out:
            return f"<p>{caption}</p>" if caption else ""
        return "\n".join(["<figure>", *([f"<head>{caption}</head>"] if caption else []), *out, "</figure>"])

    def _graphic(self, value: dict[str, object]) -> str:
        url, alt = image_url(str(value.get("src"))), value.get("alt")
        if not url:
            return ""
        text = xml_text(" ".join(alt.split())) if isinstance(alt, str) else ""
        return f'<graphic url="{xml_attribute(url)}"' + (f"><desc>{text}</desc></graphic>" if text else "/>")

    def _table(self, table: Grid) -> str:
        rows = table.rows()
        captions = [self._text(caption) for caption in table.captions]
        if not rows:
            return "\n".join([f"<p>{caption}</p>" for caption in captions])
        out = ["<table>", *[f"<head>{caption}</head>" for caption in captions]]
        for row in rows:
            role = ' role="label"' if all(cell.header for cell in row) else ""
            out += [f"<row{role}>", *self._row(row, table), "</row>"]
        return "\n".join([*out, "</table>"])

    def _row(self, cells: list[GridCell], table: Grid) -> list[str]:
        """The cells of a row; empty ones where none begins, except below one that spans rows."""
        out = []
        at = 0
        for cell in cells:
            out += ["<cell/>" for column in range(at, cell.column) if not table.is_covered(cell.row, column)]
            attributes = ' role="label"' if cell.header else ""
            attributes += f' rows="{cell.rows}"' if cell.rows > 1 else ""
            attributes += f' cols="{cell.columns}"' if cell.columns > 1 else ""
            out.append(f"<cell{attributes}>{self._cell(cell)}</cell>")
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
            out += [self._graphic(image) for image in part.before]
            if part.segment.get("pre"):
                out.append(f"<ab>{_code(Code(part.segment))}</ab>")
            else:
                out.append(f"<p>{self._inline(inline_nodes(part.segment, part.start, part.end))}</p>")
            out += [self._graphic(image) for image in part.after]
        return "\n".join([element for element in out if element])

    def _text(self, segment: Record, start: int = 0) -> str:
        if not segment.get("spans"):
            return xml_text(without_controls(lines(segment)[start:]).strip()).replace("\n", "<lb/>\n")
        return self._inline(inline_nodes(segment, start))

    def _inline(self, nodes: Nodes, in_link: bool = False) -> str:
        return "".join([self._node(node, in_link) for node in nodes])

    def _node(self, node: Node | str, in_link: bool) -> str:
        if isinstance(node, str):
            return xml_text(node).replace("\n", "<lb/>\n")
        is_link = node.kind in ("link", "reference")
        if node.kind == "image":
            return self._graphic(node.value)
        if node.kind == "math" and (tex := plain_tex(node.value[0])):
            rend = "display" if node.value[1] else "inline"
            return f'<formula notation="TeX" rend="{rend}">{xml_text(tex)}</formula>'
        if node.kind == "code":  # has text alone
            return f"<code>{xml_text(text_of(node.content))}</code>"
        content = self._inline(node.content, in_link or is_link)
        if node.kind in _ELEMENTS:
            name, attributes = _ELEMENTS[node.kind]
            return f"<{name}{attributes}>{content}</{name}>"
        if is_link and not in_link and content and (url := link_url(node.value)):
            return f'<ref target="{xml_attribute(url)}">{content}</ref>'
        if node.kind == "note" and not in_link and (label := self._notes.labels.get(node.value)):
            return (
                f'<ref type="note" target="#{self._prefix}fn-{label}">{xml_text(text_of(node.content) or label)}</ref>'
            )
        return content


def _code(code: Code) -> str:
    language = f' lang="{xml_attribute(code.language)}"' if code.language else ""
    text = BREAK.sub("\n", without_controls(code.segment["text"]))
    return f'<code{language} xml:space="preserve">{xml_text(text)}</code>'
