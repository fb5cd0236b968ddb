"""HTML and TEI P5: a tree of blocks as elements, each with the text and the elements in it.

html([{"text": "Rain & snow", "type": "h", "level": 2}], {})    # '<article>\\n<h2>Rain &amp; snow</h2>\\n</article>'
tei([{"text": "Rain & snow", "type": "h", "level": 2}], {"id": "a"})    # '<TEI>…<div n="2">\\n<head>Rain …'

The text of a page can hold no element: all text is escaped, and elements and attributes are those of this module. There
are no scripts, styles and event handlers. In TEI, sections are `<div>` below their headings; tables, figures and
formulas are those of its modules for them.
"""

from __future__ import annotations

from zlib import crc32

from ...page.blocks.raised_text import PLAIN_SIGNS
from ...record import Record, runs_code
from .html_head import NAMESPACE, tei_header
from .images import Image, image_url, link_of_image, link_url
from .notes import note_labels
from .plain import plain_tex, xml_attribute, xml_text
from .posts import post_tree
from .spans import LINKS, STYLES, Node, Nodes, text_of

# Marks of footnotes are raised by the element around them.
_PLAIN = str.maketrans(PLAIN_SIGNS)
# In TEI, the elements of kinds of spans, with attributes.
_TEI_STYLES = {
    "em": ("hi", ' rend="italic"'),
    "strong": ("hi", ' rend="bold"'),
    "sup": ("hi", ' rend="superscript"'),
    "sub": ("hi", ' rend="subscript"'),
    "mark": ("hi", ' rend="highlight"'),
    "del": ("del", ""),
}
# The levels of headings.
_MAX_LEVEL = 6


def html(segments: list[Record], document: Record) -> str:
    """The text of a document as an `<article>`."""
    names = (("data-id", "id"), ("data-url", "url"), ("lang", "lang"))
    attributes = "".join(
        f' {name}="{xml_attribute(str(document[field]))}"'
        for name, field in names
        if document.get(field) not in (None, "und") and not (field == "url" and runs_code(document[field]))
    )
    labels = note_labels(segments)
    blocks = HtmlWriter(labels, document).blocks(post_tree(segments, labels, document))
    return "\n".join([f"<article{attributes}>", *blocks, "</article>"])


def tei(segments: list[Record], document: Record) -> str:
    """The text of a document as `<TEI>`."""
    labels = note_labels(segments)
    body = TeiWriter(labels, document).sections(post_tree(segments, labels, document)) or ["<p/>"]
    language = document.get("lang")
    attribute = f' xml:lang="{xml_attribute(language)}"' if isinstance(language, str) and language else ""
    start = [f'<TEI xmlns="{NAMESPACE}">', *tei_header(document), f"<text{attribute}>", "<body>"]
    return "\n".join([*start, *body, "</body>", "</text>", "</TEI>"])


def anchor_prefix(document: Record) -> str:
    """What makes the anchors of a document different from those of others in a stream: a checksum of its identity."""
    identity = f"{document.get('id')} {document.get('url')}".encode("utf-8", "replace")
    return f"d{crc32(identity):08x}-"


class HtmlWriter:
    """Writes blocks as elements of HTML. *labels* are those of footnotes. A method with the name of a kind writes nodes
    of that kind; its result is empty for a node with nothing to write."""

    line_break = "<br>"
    empty_cell = "<td></td>"

    def __init__(self, labels: dict[str, str], document: Record) -> None:
        self._labels, self._prefix = labels, anchor_prefix(document) if labels else ""
        self._referred: set[str] = set()

    # ---- blocks

    def blocks(self, blocks: Nodes) -> list[str]:
        """The elements of blocks; footnotes in a row are a list."""
        out: list[str] = []
        notes: list[str] = []
        for block in [*blocks, Node("paragraph")]:
            element = self.write(block)
            if block.kind == "footnote":
                notes.append(element)
                continue
            if notes:
                out += self.footnotes(notes)
                notes = []
            if element:
                out.append(element)
        return out

    def flow(self, blocks: Nodes) -> str:
        """Blocks in an element that may have text alone: a paragraph, and lists below it, or other blocks."""
        if blocks and blocks[0].kind == "paragraph" and all(block.kind == "item_list" for block in blocks[1:]):
            return "\n".join([self.inline(blocks[0].content), *self.blocks(blocks[1:])])
        return "\n".join(["", *self.blocks(blocks), ""])

    def write(self, block: Node) -> str:
        """The element of a block."""
        element: str = getattr(self, block.kind)(block)
        return element

    def paragraph(self, block: Node) -> str:
        text = self.inline(block.content)
        return f"<p>{text}</p>" if text else ""

    def heading(self, block: Node) -> str:
        return f"<h{block.value}>{self.inline(block.content)}</h{block.value}>"

    def listing(self, block: Node) -> str:
        language = f' class="language-{xml_attribute(block.value)}"' if block.value else ""
        return f"<pre><code{language}>{xml_text(text_of(block.content))}</code></pre>"

    def quote(self, block: Node) -> str:
        return "\n".join(["<blockquote>", *self.blocks(block.content), "</blockquote>"])

    def item_list(self, block: Node) -> str:
        start: int | None = block.content[0].value[0]
        expected, out = start, []
        for item in block.content:
            number, task = item.value
            value = "" if number == expected else f' value="{number}"'
            box = "" if task is None else f'<input type="checkbox" disabled{" checked" if task == "x" else ""}> '
            out.append(f"<li{value}>{box}{self.flow(item.content)}</li>")
            expected = None if start is None else number + 1
        name = "ul" if start is None else "ol"
        attribute = "" if start in (None, 1) else f' start="{start}"'
        return "\n".join([f"<{name}{attribute}>", *out, f"</{name}>"])

    def images(self, block: Node) -> str:
        images = [element for image in block.value if (element := self.image(image))]
        caption = self.inline(block.content)
        if not images:
            return f"<p>{caption}</p>" if caption else ""
        return "\n".join(["<figure>", *self.figure(images, caption), "</figure>"])

    def figure(self, images: list[str], caption: str) -> list[str]:
        """What is in a figure."""
        return [*images, f"<figcaption>{caption}</figcaption>"] if caption else images

    def footnote(self, block: Node) -> str:
        return f'<li id="{self._prefix}fn-{block.value}">{self.flow(block.content)}</li>'

    def footnotes(self, notes: list[str]) -> list[str]:
        """Footnotes in a row."""
        return ['<section class="footnotes">', "<ol>", *notes, "</ol>", "</section>"]

    def post(self, block: Node) -> str:
        author, date = block.value
        parts = [f"<b>{xml_text(author)}</b>"] * bool(author)
        parts += [f'<time datetime="{xml_attribute(date)}">{xml_text(date)}</time>'] * bool(date)
        header = [f"<header>{' '.join(parts)}</header>"] if parts else []
        return "\n".join(["<article>", *header, *self.blocks(block.content), "</article>"])

    # ---- tables

    def table(self, block: Node) -> str:
        captions = [self.inline(caption) for caption in block.value]
        out = [f"<caption>{'<br>'.join(captions)}</caption>"] if captions else []
        for cells in self.rows(block):
            out.append("\n".join(["<tr>", *cells, "</tr>"]))
        return "\n".join(["<table>", *out, "</table>"])

    def rows(self, table: Node) -> list[list[str]]:
        """The cells of each row; empty ones where none begins, except below one that spans rows."""
        out = []
        covered: dict[int, int] = {}  # by column, the row after the last one that a cell above spans
        for number, row in enumerate(table.content):
            cells, at = list[str](), 0
            for cell in row.content:
                place = cell.value
                cells += [self.empty_cell for column in range(at, place.column) if covered.get(column, 0) <= number]
                cells.append(self.cell(cell))
                at = place.column + place.columns
                if place.rows > 1:
                    covered |= dict.fromkeys(range(place.column, at), number + place.rows)
            out.append(cells)
        return out

    def cell(self, cell: Node) -> str:
        """A cell of a table."""
        column, rows, columns, is_header = cell.value
        name = "th" if is_header else "td"
        attributes = f' rowspan="{rows}"' if rows > 1 else ""
        attributes += f' colspan="{columns}"' if columns > 1 else ""
        return f"<{name}{attributes}>{self.cell_content(cell.content)}</{name}>"

    def cell_content(self, blocks: Nodes) -> str:
        """What is in a cell: the text of a paragraph, or blocks."""
        if len(blocks) == 1 and blocks[0].kind == "paragraph":
            return self.inline(blocks[0].content)
        found = [self._node(one, False) if one.kind == "image" else self.write(one) for one in blocks]
        return "\n".join([element for element in found if element])

    # ---- text

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
            return xml_text(node).replace("\n", f"{self.line_break}\n")
        if node.kind == "image":
            return self.image(node.value, in_link)
        if node.kind == "math" and (tex := plain_tex(node.value[0])):
            return self.formula(xml_text(tex), bool(node.value[1]))
        content = self.inline(node.content, in_link or node.kind in LINKS)
        if node.kind in STYLES:
            return self.style(node, content)
        if node.kind in LINKS and not in_link and content and (url := link_url(node.value)):
            return self.link(xml_attribute(url), content)
        if node.kind == "note" and not in_link and (label := self._labels.get(node.value)):
            mark = text_of(node.content).translate(_PLAIN) or label.rpartition("-")[2]
            return self.note_mark(label, xml_text(mark))
        return content

    def image(self, value: Image, in_link: bool = False) -> str:
        """An image; the link around it has no text."""
        url = image_url(value["src"])
        if not url:
            return ""
        image = self.graphic(xml_attribute(url), " ".join((value.get("alt") or "").split()))
        target = "" if in_link else link_of_image(value)
        return self.image_link(xml_attribute(target), image) if target else image

    # ---- elements in text; what is not called text or alt is escaped already

    def graphic(self, url: str, alt: str) -> str:
        return f'<img src="{url}" alt="{xml_attribute(alt)}">'

    def image_link(self, url: str, image: str) -> str:
        return self.link(url, image)

    def formula(self, tex: str, is_display: bool) -> str:
        opening, closing = ("\\[", "\\]") if is_display else ("\\(", "\\)")
        return f'<span class="math {"display" if is_display else "inline"}">{opening}{tex}{closing}</span>'

    def style(self, node: Node, content: str) -> str:
        return f"<{node.kind}>{content}</{node.kind}>"

    def link(self, url: str, content: str) -> str:
        return f'<a href="{url}">{content}</a>'

    def note_mark(self, label: str, mark: str) -> str:
        anchor = "" if label in self._referred else f' id="{self._prefix}ref-{label}"'
        self._referred.add(label)
        return f'<sup><a href="#{self._prefix}fn-{label}"{anchor}>{mark}</a></sup>'


class TeiWriter(HtmlWriter):
    """Writes blocks as elements of TEI."""

    line_break = "<lb/>"
    empty_cell = "<cell/>"

    def sections(self, blocks: Nodes) -> list[str]:
        """Blocks in a `<div>` for each heading, up to the next one of its level or a higher one; what follows a post is
        in one, too."""
        out: list[str] = []
        levels: list[int] = []
        is_after_post = False
        for block in blocks:
            if is_after_post and block.kind not in ("post", "heading"):
                levels.append(_MAX_LEVEL + 1)
                out.append("<div>")
            is_after_post = block.kind == "post"
            if block.kind == "heading":
                while levels and levels[-1] >= block.value:
                    out.append("</div>")
                    levels.pop()
                levels.append(block.value)
                out += [f'<div n="{block.value}">', f"<head>{self.inline(block.content)}</head>"]
            elif element := self.write(block):
                out.append(element)
        return out + ["</div>"] * len(levels)

    def heading(self, block: Node) -> str:
        return f'<ab type="head" n="{block.value}">{self.inline(block.content)}</ab>'

    def listing(self, block: Node) -> str:
        language = f' lang="{xml_attribute(block.value)}"' if block.value else ""
        return f'<ab><code{language} xml:space="preserve">{xml_text(text_of(block.content))}</code></ab>'

    def quote(self, block: Node) -> str:
        return "\n".join(["<quote>", *self.blocks(block.content), "</quote>"])

    def item_list(self, block: Node) -> str:
        out = []
        for item in block.content:
            number = item.value[0]
            attribute = "" if number is None else f' n="{number}"'
            out.append(f"<item{attribute}>{self.flow(item.content)}</item>")
        start = "bulleted" if out[0].startswith("<item>") else "numbered"
        return "\n".join([f'<list rend="{start}">', *out, "</list>"])

    def figure(self, images: list[str], caption: str) -> list[str]:
        return [f"<head>{caption}</head>", *images] if caption else images

    def footnote(self, block: Node) -> str:
        start = f'<note xml:id="{self._prefix}fn-{block.value}" n="{block.value}" place="bottom">'
        return f"{start}{self.flow(block.content)}</note>"

    def footnotes(self, notes: list[str]) -> list[str]:
        return notes

    def post(self, block: Node) -> str:
        author, date = block.value
        parts = [f"<docAuthor>{xml_text(author)}</docAuthor>"] * bool(author)
        parts += [f'<date when="{xml_attribute(date)}">{xml_text(date)}</date>'] * bool(date)
        byline = [f"<byline>{' '.join(parts)}</byline>"] if parts else []
        return "\n".join(['<div type="post">', *byline, *(self.sections(block.content) or ["<p/>"]), "</div>"])

    def table(self, block: Node) -> str:
        captions = [self.inline(caption) for caption in block.value]
        if not block.content:
            return "\n".join([f"<p>{caption}</p>" for caption in captions])
        out = ["<table>", *[f"<head>{caption}</head>" for caption in captions]]
        for row, cells in zip(block.content, self.rows(block)):
            role = ' role="label"' if all(cell.value.header for cell in row.content) else ""
            out.append("\n".join([f"<row{role}>", *cells, "</row>"]))
        return "\n".join([*out, "</table>"])

    def cell(self, cell: Node) -> str:
        column, rows, columns, is_header = cell.value
        attributes = ' role="label"' if is_header else ""
        attributes += f' rows="{rows}"' if rows > 1 else ""
        attributes += f' cols="{columns}"' if columns > 1 else ""
        return f"<cell{attributes}>{self.cell_content(cell.content)}</cell>"

    def graphic(self, url: str, alt: str) -> str:
        return f'<graphic url="{url}"' + (f"><desc>{xml_text(alt)}</desc></graphic>" if alt else "/>")

    def image_link(self, url: str, image: str) -> str:
        return image  # TEI has no links in figures

    def formula(self, tex: str, is_display: bool) -> str:
        return f'<formula notation="TeX" rend="{"display" if is_display else "inline"}">{tex}</formula>'

    def style(self, node: Node, content: str) -> str:
        if node.kind == "code":  # has text alone
            return f"<code>{xml_text(text_of(node.content))}</code>"
        name, attributes = _TEI_STYLES[node.kind]
        return f"<{name}{attributes}>{content}</{name}>"

    def link(self, url: str, content: str) -> str:
        return f'<ref target="{url}">{content}</ref>'

    def note_mark(self, label: str, mark: str) -> str:
        return f'<ref type="note" target="#{self._prefix}fn-{label}">{mark}</ref>'


def _is_formula(node: Node | str) -> bool:
    """Whether a node is a formula that has no text."""
    return isinstance(node, Node) and node.kind == "math" and not node.content
