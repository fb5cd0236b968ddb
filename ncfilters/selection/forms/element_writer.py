"""What HTML and TEI have in common: a tree of blocks as elements, each with the text and the elements in it.

class Plain(ElementWriter): …                        # says what a heading, a link … look like
Plain(Notes(), "").blocks([Paragraph({"text": "Rain & snow."})])    # ['<p>Rain &amp; snow.</p>']

The text of a page can hold no element: all text is escaped, and elements and attributes are those of the writer.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from ...page.blocks.raised_text import PLAIN_SIGNS
from ...record import Record
from .block_types import Block, Code, Heading, ImageBlock, ListBlock, NoteText, Paragraph, PostBlock, Quote, is_simple
from .lines import lines, plain_tex, without_controls, xml_attribute, xml_text
from .notes import Notes
from .spans import Node, Nodes, heading_nodes, inline_nodes, text_of
from .tables import Grid, GridCell, Image, Part
from .urls import image_url, link_of_image, link_url

# Kinds of spans that are elements around their text, without a value.
STYLES = frozenset(("em", "strong", "code", "sup", "sub", "del", "mark"))
# Marks of footnotes are raised by the element around them.
_PLAIN = str.maketrans(PLAIN_SIGNS)


class ElementWriter(ABC):
    """Writes blocks as elements; *prefix* begins the anchors of footnotes. Subclasses say what the elements are."""

    line_break = "<br>"
    quote = "blockquote"
    empty_cell = "<td></td>"

    def __init__(self, notes: Notes, prefix: str) -> None:
        self._notes = notes
        self._prefix = prefix

    # ---- blocks

    def blocks(self, blocks: Sequence[Block]) -> list[str]:
        """The elements of blocks."""
        return [element for block in blocks if (element := self.block(block))]

    def block(self, block: Block) -> str:
        """The element of a block; empty if it has nothing to write."""
        match block:
            case Paragraph():
                text = self.text(block.segment, block.start)
                text = self.style(Node("strong"), text) if block.bold and text else text
                return f"<p>{text}</p>" if text else ""
            case Heading():
                return self.heading(block.level, self.heading_text(block.segment))
            case Code():
                return self.code(block)
            case Grid():
                return self.table(block)
            case ImageBlock():
                return self._figure(block)
            case Quote():
                return "\n".join([f"<{self.quote}>", *self.blocks(block.blocks), f"</{self.quote}>"])
            case ListBlock():
                return self.item_list(block)
            case NoteText():
                return self.note_text(block)
            case PostBlock():
                return self.post(block)
        raise AssertionError(block)

    def flow(self, blocks: list[Block]) -> str:
        """Blocks in an element that may have text alone."""
        first = blocks[0] if blocks else None
        if isinstance(first, Paragraph) and not first.bold and is_simple(blocks):
            return "\n".join([self.text(first.segment, first.start), *self.blocks(blocks[1:])])
        return "\n".join(["", *self.blocks(blocks), ""])

    def _figure(self, figure: ImageBlock) -> str:
        images = [element for image in figure.images if (element := self._image(image))]
        caption = self.text(figure.caption) if figure.caption else ""
        if not images:
            return f"<p>{caption}</p>" if caption else ""
        return "\n".join(["<figure>", *self.figure(images, caption), "</figure>"])

    def row(self, cells: list[GridCell], table: Grid) -> list[str]:
        """The cells of a row; empty ones where none begins, except below one that spans rows."""
        out = []
        at = 0
        for cell in cells:
            out += [self.empty_cell for column in range(at, cell.column) if not table.is_covered(cell.row, column)]
            out.append(self.cell(cell, self._cell_content(cell)))
            at = cell.column + cell.columns
        return out

    def _cell_content(self, cell: GridCell) -> str:
        if cell.text_alone and isinstance(part := cell.parts[0], Part):
            return self.inline(part.nodes())
        out = []
        for part in cell.parts:
            if isinstance(part, Grid):
                out.append(self.table(part))
                continue
            out += [self._image(image) for image in part.before]
            if part.segment.get("pre"):
                out.append(self.code(Code(part.segment)))
            else:
                out.append(f"<p>{self.inline(part.nodes())}</p>")
            out += [self._image(image) for image in part.after]
        return "\n".join([element for element in out if element])

    # ---- text

    def text(self, segment: Record, start: int = 0) -> str:
        """The text of a segment from *start* on, with the elements in it."""
        if not segment.get("spans"):
            return self._escaped(without_controls(lines(segment, start)).strip())
        return self.inline(inline_nodes(segment, start))

    def heading_text(self, segment: Record) -> str:
        """The text of a heading, with the elements in it."""
        return self.inline(heading_nodes(segment))

    def inline(self, nodes: Nodes, in_link: bool = False) -> str:
        """Text and elements within a paragraph."""
        out = [self._node(node, in_link) for node in nodes]
        for at, (node, after) in enumerate(zip(nodes, nodes[1:])):
            # the text has one space where the page has one on both sides of a formula, none at its ends
            if _is_formula(node) and isinstance(after, str) and after[:1].isalnum():
                out[at + 1] = " " * (at == 0 or out[at - 1][-1:].isspace()) + out[at + 1]
            elif at + 2 == len(nodes) and _is_formula(after) and isinstance(node, str) and node[-1:].isalnum():
                out[at] += " "
        for at, node in enumerate(nodes):  # a displayed formula is on a line of its own, as far as there are spaces
            if isinstance(node, Node) and node.kind == "math" and node.value[1]:
                if at + 1 < len(out) and out[at + 1][:1].isspace():
                    out[at + 1] = "\n" + out[at + 1].lstrip()
                if at and out[at - 1][-1:].isspace():
                    out[at - 1] = out[at - 1].rstrip() + "\n"
        return "".join(out)

    def _node(self, node: Node | str, in_link: bool) -> str:
        if isinstance(node, str):
            return self._escaped(node)
        is_link = node.kind in ("link", "reference")
        if node.kind == "image":
            return self._image(node.value, in_link)
        if node.kind == "math" and (tex := plain_tex(node.value[0])):
            return self.formula(xml_text(tex), bool(node.value[1]))
        content = self.inline(node.content, in_link or is_link)
        if node.kind in STYLES:
            return self.style(node, content)
        if is_link and not in_link and content and (url := link_url(node.value)):
            return self.link(xml_attribute(url), content)
        if node.kind == "note" and not in_link and (label := self._notes.labels.get(node.value)):
            return self.note_mark(label, xml_text(text_of(node.content).translate(_PLAIN) or label.rpartition("-")[2]))
        return content

    def _image(self, value: Image, in_link: bool = False) -> str:
        url, alt = image_url(str(value.get("src"))), value.get("alt")
        if not url:
            return ""
        image = self.image(xml_attribute(url), " ".join(alt.split()) if isinstance(alt, str) else "")
        target = "" if in_link else link_of_image(value)
        return self.image_link(xml_attribute(target), image) if target else image

    def _escaped(self, text: str) -> str:
        return xml_text(text).replace("\n", f"{self.line_break}\n")

    # ---- the elements; what is not called text, alt or a block is escaped already

    @abstractmethod
    def heading(self, level: int, content: str) -> str:
        """A heading in a block."""

    @abstractmethod
    def code(self, code: Code) -> str:
        """Preformatted text."""

    @abstractmethod
    def table(self, table: Grid) -> str:
        """A table."""

    @abstractmethod
    def cell(self, cell: GridCell, content: str) -> str:
        """A cell of a table."""

    @abstractmethod
    def figure(self, images: list[str], caption: str) -> list[str]:
        """What is in a figure."""

    @abstractmethod
    def item_list(self, block: ListBlock) -> str:
        """A list."""

    @abstractmethod
    def note_text(self, note: NoteText) -> str:
        """A footnote."""

    @abstractmethod
    def post(self, post: PostBlock) -> str:
        """A post, with its author and its day."""

    @abstractmethod
    def image(self, url: str, alt: str) -> str:
        """An image."""

    def image_link(self, url: str, image: str) -> str:
        """An image in a link that has no text: without the link, which TEI does not have in figures."""
        return image

    @abstractmethod
    def formula(self, tex: str, is_display: bool) -> str:
        """A formula."""

    @abstractmethod
    def style(self, node: Node, content: str) -> str:
        """An element of one of the STYLES."""

    @abstractmethod
    def link(self, url: str, content: str) -> str:
        """A link."""

    @abstractmethod
    def note_mark(self, label: str, mark: str) -> str:
        """The mark of a footnote."""


def _is_formula(node: Node | str) -> bool:
    """Whether a node is a formula that has no text."""
    return isinstance(node, Node) and node.kind == "math" and not node.content
