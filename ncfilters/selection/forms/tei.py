"""TEI P5: a document as `<TEI>`, a stream of them as `<teiCorpus>`.

tei([{"text": "A title", "type": "h", "level": 1}, {"text": "Text.", "type": "p"}], {"id": "a"})    # '<TEI>…'

Sections are `<div>` below their headings. Tables, figures and formulas are those of the modules of TEI P5 for them.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...record import Record
from .block_types import Block, Code, Heading, ListBlock, NoteText, PostBlock
from .element_writer import ElementWriter
from .html import anchor_prefix
from .html_head import NAMESPACE, tei_header
from .lines import BREAK, without_controls, xml_attribute, xml_text
from .notes import Notes, without_anchors
from .posts import post_tree
from .spans import Node, text_of
from .tables import Grid, GridCell

# The elements of kinds of spans, with attributes.
_ELEMENTS = {
    "em": ("hi", ' rend="italic"'),
    "strong": ("hi", ' rend="bold"'),
    "sup": ("hi", ' rend="superscript"'),
    "sub": ("hi", ' rend="subscript"'),
    "mark": ("hi", ' rend="highlight"'),
    "del": ("del", ""),
}


# The levels of headings.
_MAX_LEVEL = 6


def tei(segments: list[Record], document: Record) -> str:
    """The text of a document as `<TEI>`. Raises RecordError for markup that is not as nc-stream(5) describes it."""
    notes = Notes.of(segments)
    writer = _Writer(notes, anchor_prefix(document) if notes.labels else "")
    segments = without_anchors(segments, notes, document.get("url"))
    body = writer.sections(post_tree(segments, notes, document)) or ["<p/>"]
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


class _Writer(ElementWriter):
    line_break = "<lb/>"
    quote = "quote"
    empty_cell = "<cell/>"

    def sections(self, blocks: Sequence[Block]) -> list[str]:
        """Blocks in a `<div>` for each heading, up to the next one of its level or a higher one; what follows a post is
        in one, too."""
        out: list[str] = []
        levels: list[int] = []
        before: Block | None = None
        for block in blocks:
            if isinstance(before, PostBlock) and not isinstance(block, PostBlock | Heading):
                levels.append(_MAX_LEVEL + 1)
                out.append("<div>")
            before = block
            if isinstance(block, Heading):
                while levels and levels[-1] >= block.level:
                    out.append("</div>")
                    levels.pop()
                levels.append(block.level)
                out += [f'<div n="{block.level}">', f"<head>{self.heading_text(block.segment)}</head>"]
            elif element := self.block(block):
                out.append(element)
        return out + ["</div>"] * len(levels)

    def heading(self, level: int, content: str) -> str:
        return f'<ab type="head" n="{level}">{content}</ab>'

    def code(self, code: Code) -> str:
        language = f' lang="{xml_attribute(code.language)}"' if code.language else ""
        text = BREAK.sub("\n", without_controls(code.segment["text"]))
        return f'<ab><code{language} xml:space="preserve">{xml_text(text)}</code></ab>'

    def item_list(self, block: ListBlock) -> str:
        out = [f'<list rend="{"numbered" if block.ordered else "bulleted"}">']
        for item in block.items:
            number = f' n="{item.number}"' if item.number is not None else ""
            out.append(f"<item{number}>{self.flow(item.blocks)}</item>")
        return "\n".join([*out, "</list>"])

    def figure(self, images: list[str], caption: str) -> list[str]:
        return [f"<head>{caption}</head>", *images] if caption else images

    def table(self, table: Grid) -> str:
        captions = [self.text(caption) for caption in table.captions]
        if not table.cells:
            return "\n".join([f"<p>{caption}</p>" for caption in captions])
        out = ["<table>", *[f"<head>{caption}</head>" for caption in captions]]
        for row in table.rows():
            role = ' role="label"' if all(cell.header for cell in row) else ""
            out.append("\n".join([f"<row{role}>", *self.row(row, table), "</row>"]))
        return "\n".join([*out, "</table>"])

    def cell(self, cell: GridCell, content: str) -> str:
        attributes = ' role="label"' if cell.header else ""
        attributes += f' rows="{cell.rows}"' if cell.rows > 1 else ""
        attributes += f' cols="{cell.columns}"' if cell.columns > 1 else ""
        return f"<cell{attributes}>{content}</cell>"

    def note_text(self, note: NoteText) -> str:
        start = f'<note xml:id="{self._prefix}fn-{note.label}" n="{note.label}" place="bottom">'
        return f"{start}{self.flow(note.blocks)}</note>"

    def post(self, post: PostBlock) -> str:
        parts = [f"<docAuthor>{xml_text(post.author)}</docAuthor>"] * bool(post.author)
        parts += [f'<date when="{xml_attribute(post.date)}">{xml_text(post.date)}</date>'] * bool(post.date)
        byline = [f"<byline>{' '.join(parts)}</byline>"] if parts else []
        return "\n".join(['<div type="post">', *byline, *(self.sections(post.blocks) or ["<p/>"]), "</div>"])

    def note_mark(self, label: str, mark: str) -> str:
        return f'<ref type="note" target="#{self._prefix}fn-{label}">{mark}</ref>'

    def style(self, node: Node, content: str) -> str:
        if node.kind == "code":  # has text alone
            return f"<code>{xml_text(text_of(node.content))}</code>"
        name, attributes = _ELEMENTS[node.kind]
        return f"<{name}{attributes}>{content}</{name}>"

    def link(self, url: str, content: str) -> str:
        return f'<ref target="{url}">{content}</ref>'

    def image(self, url: str, alt: str) -> str:
        return f'<graphic url="{url}"' + (f"><desc>{xml_text(alt)}</desc></graphic>" if alt else "/>")

    def formula(self, tex: str, is_display: bool) -> str:
        return f'<formula notation="TeX" rend="{"display" if is_display else "inline"}">{tex}</formula>'
