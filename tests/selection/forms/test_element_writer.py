"""What HTML and TEI have in common."""

from __future__ import annotations

from made_segments import p

from ncfilters.selection.forms.block_types import Code, ListBlock, NoteText, Paragraph, PostBlock, Quote
from ncfilters.selection.forms.element_writer import ElementWriter
from ncfilters.selection.forms.notes import Notes
from ncfilters.selection.forms.spans import Node
from ncfilters.selection.forms.tables import Grid, GridCell


class Tags(ElementWriter):
    """Shows which method is called with what."""

    def heading(self, level: int, content: str) -> str:
        return f"h{level}({content})"

    def code(self, code: Code) -> str:
        return f"code({code.segment['text']})"

    def table(self, table: Grid) -> str:
        return f"table({';'.join('|'.join(self.row(row, table)) for row in table.rows())})"

    def cell(self, cell: GridCell, content: str) -> str:
        return content

    def figure(self, images: list[str], caption: str) -> list[str]:
        return [*images, caption]

    def item_list(self, block: ListBlock) -> str:
        return f"list({len(block.items)})"

    def note_text(self, note: NoteText) -> str:
        return f"note({note.label}:{self.flow(note.blocks)})"

    def post(self, post: PostBlock) -> str:
        return f"post({post.author},{post.date}:{self.flow(post.blocks)})"

    def image(self, url: str, alt: str) -> str:
        return f"image({url},{alt})"

    def formula(self, tex: str, is_display: bool) -> str:
        return f"tex({tex},{is_display})"

    def style(self, node: Node, content: str) -> str:
        return f"{node.kind}({content})"

    def link(self, url: str, content: str) -> str:
        return f"link({url},{content})"

    def note_mark(self, label: str, mark: str) -> str:
        return f"mark({label},{mark})"


WRITER = Tags(Notes(), "")


def test_text_is_escaped_and_lines_are_lines() -> None:
    assert WRITER.text(p("a < b\nc", lines=True)) == "a &lt; b<br>\nc"
    assert WRITER.blocks([Paragraph(p("")), Paragraph(p("a"), bold=True)]) == ["<p>strong(a)</p>"]


def test_elements_in_text() -> None:
    spans = [
        [0, 3, "link", "https://x/?a&b"],
        [0, 1, "em"],
        [2, 3, "link", "https://y/"],
        [4, 5, "link", "javascript:x"],
    ]
    assert WRITER.text(p("a b c", spans=spans)) == "link(https://x/?a&amp;b,em(a) b) c"
    image = {"src": "https://x/i", "alt": " a\n b"}
    assert WRITER.text(p("a b", spans=[[0, 0, "image", image], [2, 3, "math", "x<1"]])) == (
        "image(https://x/i,a b)a tex(x&lt;1,False)"
    )


def test_a_displayed_formula_is_on_a_line_of_its_own() -> None:
    assert WRITER.text(p("a x (1)", spans=[[2, 3, "math", "x", "display"]])) == "a\ntex(x,True)\n(1)"
    assert WRITER.text(p("x.", spans=[[0, 1, "math", "x", "display"]])) == "tex(x,True)."


def test_blocks_in_blocks() -> None:
    assert WRITER.blocks([Quote([Paragraph(p("a")), Code(p("b"))])]) == [
        "<blockquote>\n<p>a</p>\ncode(b)\n</blockquote>"
    ]
    assert WRITER.flow([Paragraph(p("a")), ListBlock([], "")]) == "a\nlist(0)"
    assert WRITER.flow([Paragraph(p("a")), Paragraph(p("b"))]) == "\n<p>a</p>\n<p>b</p>\n"


def test_a_space_on_both_sides_of_what_has_no_text() -> None:
    assert WRITER.text(p("a b", spans=[[2, 2, "math", "x"]])) == "a tex(x,False) b"
    assert WRITER.text(p("a, b", spans=[[1, 1, "math", "x"]])) == "atex(x,False), b"
    assert WRITER.text(p("a b", spans=[[0, 0, "math", "x"]])) == "tex(x,False) a b"
    assert WRITER.text(p("a b", spans=[[3, 3, "math", "x"]])) == "a b tex(x,False)"
