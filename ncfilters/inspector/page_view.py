"""A page as the inspector shows it: without scripts, links, forms and media, and with a mark on each segment.

    page_html("<p onclick=alert(1)>One<p>Two", ["One", "Two"])
    # … <p data-nc="0">One</p><p data-nc="1">Two</p> …

The markup is written anew from the parsed tree: elements and attributes that are not listed here do not come through,
and text is escaped. The server forbids scripts and network besides, and the browser shows the page in a sandbox.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from difflib import SequenceMatcher
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urljoin, urlsplit

from ..native import page_table
from ..native.element_names import EMPTY
from ..page.blocks.block_reader import BlockReader
from ..page.blocks.open_elements import Holder, OpenCells
from ..page.blocks.text_run import TextRun
from ..page.embedded import hidden_content
from ..page.metadata.page_head import head_of_page
from ..page.posts.post_blocks import posts_in_blocks
from ..page.tree import html_parser
from ..page.tree.elements import SKIPPED
from ..record import Segment
from ..segmentation import segmenter

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

# The attribute with the number of a segment, and the element around a text that shares its element with others.
MARK, WRAPPER = "data-nc", "nc-text"
# Elements that are written as they are.
SAFE_TAGS = frozenset(
    "a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del details "
    "dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i ins kbd li main mark menu nav "
    "ol p pre q rp rt ruby s samp search section small span strike strong sub summary sup table tbody td tfoot th "
    "thead time tr tt u ul var wbr".split()
)
# Elements that are written under a name that has no function.
RENAMED_TAGS = {
    **dict.fromkeys(["body", "fieldset", "form", "noscript", "dialog", "dir", "shadow-root", "optgroup"], "div"),
    **dict.fromkeys(["listing", "xmp", "plaintext"], "pre"),
    **dict.fromkeys(["button", "label", "legend", "option", "select", "textarea", "math", "picture"], "nc-part"),
}
# Elements that are left out with their content.
DROPPED_TAGS = frozenset(
    "applet audio base canvas embed frame head iframe input link map meta noembed noframes object param script source "
    "style svg template title track video".split()
)
VOID_TAGS = frozenset(("br", "hr", "col", "wbr", "img"))
SAFE_ATTRIBUTES = frozenset(
    "align alt bgcolor border cellpadding cellspacing class color colspan dir face height hidden id lang nowrap open "
    "reversed rowspan size start style title type valign width".split()
)
_CUSTOM_TAG = re.compile(r"[a-z][a-z0-9]*-[a-z0-9-]{1,60}")
_MIXED = -1
_HEAD = '<!doctype html>\n<html{language}>\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'


# The addresses of the text nodes (and formulas) of a segment, in reading order.
Nodes = list[int]


class PageParts(NamedTuple):
    """The markup of a page for a document of its own: what is in its head, and its body."""

    styles: str
    body: str
    language: str


def page_parts(html: str, texts: Sequence[str], url: str = "", images: bool = False) -> PageParts:
    """The parts of a page at *url* whose segments have these *texts*; *images*: with those of http and https."""
    tree = html_parser.parse_html(html)
    placed, nodes = placed_segments(tree)
    segment_of = {node: number for number, own in enumerate(nodes_of(texts, placed, nodes)) for node in own}
    root = html_parser.walked_root(tree)
    if root is None:
        return PageParts("", "", "")
    writer = _Writer(_marks(root, segment_of), url if images else None)
    body = writer.write(root)
    language = (tree.root.attributes.get("lang") or "") if tree.root is not None else ""
    return PageParts(_styles(tree), body, language)


def page_html(parts: PageParts, stylesheet: str, title: str = "Page") -> str:
    """A document of its own with the *stylesheet* for marks."""
    language = f' lang="{escape(parts.language)}"' if parts.language else ""
    head = _HEAD.format(language=language, title=escape(title))
    return f"{head}{parts.styles}<style>{stylesheet}</style>\n</head>\n{parts.body}\n</html>\n"


def segments_html(segments: Sequence[dict[str, Any]]) -> PageParts:
    """A page made of segments alone, for documents that have no HTML."""
    out = []
    for number, segment in enumerate(segments):
        tag = {"h": "h2", "l": "li"}.get(str(segment.get("type")), "p")
        text = escape(str(segment["text"])).replace("\n", "<br>")
        out.append(f'<{tag} {MARK}="{number}">{text}</{tag}>')
    return PageParts("", "<body>" + "\n".join(out) + "</body>", "")


def _styles(tree: LexborHTMLParser) -> str:
    """The style sheets in the page. What they could load, the server forbids."""
    texts = [node.text(deep=True) for node in tree.css("style")]
    return "".join(f"<style>{text}</style>\n" for text in texts if "</" not in text and "<!" not in text)


def _marks(root: Any, segment_of: dict[int, int]) -> dict[int, int]:
    """The nodes that are marked and the number of their segment: the outermost elements that have text of this segment
    alone, and texts in elements of several."""
    content: dict[int, int] = {}  # element or text → the segment that it has, or _MIXED
    parents: dict[int, int] = {}
    open_ids = [root.parent.mem_id if root.parent else 0]
    for node in root.traverse(include_text=True):
        parent = node.parent.mem_id if node.parent else open_ids[0]
        while open_ids[-1] != parent and len(open_ids) > 1:
            open_ids.pop()
        parents[node.mem_id] = parent
        number = segment_of.get(node.mem_id)
        if number is not None:
            content[node.mem_id] = number
            for holder in reversed(open_ids[1:]):
                before = content.setdefault(holder, number)
                if before == _MIXED:
                    break
                if before != number:
                    content[holder] = _MIXED
        if node.tag != "-text":
            open_ids.append(node.mem_id)
    return {
        node: number
        for node, number in content.items()
        if number != _MIXED and content.get(parents.get(node, 0), _MIXED) == _MIXED
    }


class _Writer:
    def __init__(self, marks: dict[int, int], image_base: str | None) -> None:
        self._marks, self._image_base = marks, image_base

    def write(self, root: Any) -> str:
        out: list[str] = []
        ids: list[int] = [root.parent.mem_id if root.parent else 0]
        ends: list[str | None] = [""]  # None: it is left out with its content
        for node in root.traverse(include_text=True):
            name = node.tag
            parent = node.parent.mem_id if node.parent else ids[0]
            while ids[-1] != parent and len(ids) > 1:
                ids.pop()
                out.append(ends.pop() or "")
            if name == "-text":
                if ends[-1] is not None:
                    out.append(self._text(node))
                continue
            if not name or name[0] == "-":
                continue
            ids.append(node.mem_id)
            start, end = ("", None) if ends[-1] is None else self._element(name, node)
            out.append(start)
            ends.append(end)
        out += [end or "" for end in reversed(ends)]
        return "".join(out)

    def _text(self, node: Any) -> str:
        text = escape(node.text_content or "", quote=False)
        number = self._marks.get(node.mem_id)
        return text if number is None else f'<{WRAPPER} {MARK}="{number}">{text}</{WRAPPER}>'

    def _element(self, name: str, node: Any) -> tuple[str, str | None]:
        """The start tag and the end tag of an element; no end tag where its content is left out."""
        attributes = node.attributes
        if name == "img":
            return self._image(attributes), None
        if name in DROPPED_TAGS:
            return "", None
        safe = "body" if name == "body" else RENAMED_TAGS.get(name, name)
        if safe not in SAFE_TAGS and safe != "body" and not _CUSTOM_TAG.fullmatch(safe):
            safe = "nc-part"
        written = _attributes(attributes)
        if name == "a" and attributes.get("href"):
            written += f' data-href="{escape(attributes["href"] or "")}"'
        number = self._marks.get(node.mem_id)
        if number is not None:
            written += f' {MARK}="{number}"'
        if safe in VOID_TAGS:
            return f"<{safe}{written}>", None
        return f"<{safe}{written}>", f"</{safe}>"

    def _image(self, attributes: dict[str, str | None]) -> str:
        """An image if images are shown; else its alternative text."""
        source = attributes.get("src") or attributes.get("data-src") or ""
        if self._image_base is None:
            alternative = (attributes.get("alt") or "").strip()
            return f'<nc-part class="nc-image">{escape(alternative, quote=False)}</nc-part>' if alternative else ""
        address = image_address(source, self._image_base)
        return f'<img{_attributes(attributes)} src="{escape(address)}">' if address else ""


def image_address(source: str, base: str) -> str:
    """The address of an image on the network; empty for other schemes and for addresses of this computer."""
    try:
        address = urljoin(base, source.strip())
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        return ""
    is_local = "." not in host or host.replace(".", "").isdecimal() or host.endswith((".localhost", ".local"))
    return "" if parts.scheme not in ("http", "https") or is_local else address


def _attributes(attributes: dict[str, str | None]) -> str:
    return "".join(f' {name}="{escape(value or "")}"' for name, value in attributes.items() if name in SAFE_ATTRIBUTES)


# ---- where the segments of a page stand ------------------------------------------------------------------------------


def placed_segments(tree: LexborHTMLParser) -> tuple[list[Segment], list[Nodes]]:
    """The segments of a page, and for each its nodes; none for embedded content, which the page does not show."""
    if tree.root is None:
        return [], []
    ids = [node.mem_id for node in tree.root.traverse(include_text=True)]  # by the rows of the table
    holders: list[Holder] = []
    table = page_table.table_of(tree.root)
    reader = _PlacedReader(table, holders)
    blocks = reader.read()
    posts_in_blocks(blocks, reader.text_rows, table, head_of_page(table).get("kinds", ()))
    rows = hidden_content.add_hidden_rows(blocks, table, holders)
    segments, numbers = segmenter.numbered_segments(blocks)
    nodes: list[Nodes] = [[] for _ in range(len(segments))]
    for row, number in zip(rows, numbers):
        if number >= 0 and row < len(reader.places):
            nodes[number] += [ids[at] for at in reader.places[row]]
    return segments.records(), nodes


def nodes_of(texts: Sequence[str], placed: list[Segment], nodes: list[Nodes]) -> list[Nodes]:
    """The nodes of segments with these *texts*, of which a page with *placed* segments may have others."""
    own = [segment["text"] for segment in placed]
    if own == list(texts):
        return nodes
    out: list[Nodes] = [[] for _ in texts]
    for start, end, size in SequenceMatcher(None, own, texts, autojunk=False).get_matching_blocks():
        out[end : end + size] = nodes[start : start + size]
    return out


class _PlacedRun(TextRun):
    """A text and the rows that it comes from."""

    def __init__(self) -> None:
        super().__init__()
        self.sources: list[int] = []


class _PlacedReader(BlockReader):
    """A reader that knows the rows that its blocks come from: their *places*."""

    run: _PlacedRun

    def __init__(self, table: page_table.PageTable, holders: list[Holder]) -> None:
        super().__init__(table, sys.maxsize, holders)
        self.places: list[list[int]] = []

    def new_run(self) -> _PlacedRun:
        return _PlacedRun()

    def add_text(self, row: int) -> None:
        super().add_text(row)
        if self.run.parts and not self.table.flags[row] & EMPTY:
            self.run.sources.append(row)

    def start(self, row: int) -> int:
        size = len(self.run.parts)
        kind = super().start(row)
        if kind == SKIPPED and len(self.run.parts) > size:  # a formula
            self.run.sources.append(row)
        return kind

    def flush(self) -> bool:
        sources, self.run.sources = self.run.sources, []
        is_new = super().flush()
        if is_new:
            self.places.append(sources)
        return is_new

    def join_cells(self, cells: OpenCells) -> bool:
        is_joined = super().join_cells(cells)
        if is_joined:
            self.places[cells.start :] = [[row for own in self.places[cells.start :] for row in own]]
        return is_joined
