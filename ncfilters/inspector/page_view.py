"""A page as the inspector shows it: without scripts, links, forms and media, and with a mark on each segment.

    page_html("<p onclick=alert(1)>One<p>Two", ["One", "Two"])
    # … <p data-nc="0">One</p><p data-nc="1">Two</p> …

The markup is written anew from the parsed tree: elements and attributes that are not listed here do not come through,
and text is escaped. The server forbids scripts and network besides, and the browser shows the page in a sandbox.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from html import escape
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

from ..native.element_names import BLANK, TAG_NUMBERS, TEXT, UNKNOWN
from ..native.page_table import PageTable, table_of
from ..page.blocks.block_reader import BlockReader, first_row
from ..page.blocks.open_elements import Holder
from ..page.embedded import hidden_content
from ..page.metadata.declarations import head_of_page
from ..page.posts.post_blocks import posts_in_blocks
from ..page.tree import html_parser
from ..page.tree.elements import BLOCK, INLINE, INVISIBLE, KINDS, LIST, NOSCRIPT, PRE, SHADOW_ROOT, TEXTLESS
from ..record import Segment
from ..segmentation import segmenter

# The attribute with the number of a segment, and the element around a text that shares its element with others.
MARK, WRAPPER = "data-nc", "nc-text"
# Elements that are written as they are.
SAFE_TAGS = frozenset(
    "a abbr address article aside b bdi bdo big blockquote body br caption center cite code col colgroup dd del "
    "details dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i ins kbd li main mark "
    "menu nav ol p pre q rp rt ruby s samp search section small span strike strong sub summary sup table tbody td "
    "tfoot th thead time tr tt u ul var wbr".split()
)
# Others are written under a name that has no function, by what they are for their block; elements of forms in line.
_RENAMED = {BLOCK: "div", LIST: "div", NOSCRIPT: "div", SHADOW_ROOT: "div", PRE: "pre"}
_IN_LINE = frozenset(("button", "legend", "option", "select"))
# Elements that are left out with their content.
DROPPED_TAGS = frozenset((*INVISIBLE, *TEXTLESS, *"applet frame head input object param template title".split())) - {
    "picture"
}
VOID_TAGS = frozenset(("br", "hr", "col", "wbr", "img"))
SAFE_ATTRIBUTES = frozenset(
    "align alt bgcolor border cellpadding cellspacing class color colspan dir face height hidden id lang nowrap open "
    "reversed rowspan size start style title type valign width".split()
)
_CUSTOM_TAG = re.compile(r"[a-z][a-z0-9]*-[a-z0-9-]{1,60}")
_MIXED = -1
_HEAD = '<!doctype html>\n<html{language}>\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'


class PageParts(NamedTuple):
    """The markup of a page for a document of its own: what is in its head, and its body."""

    styles: str
    body: str
    language: str


def page_parts(html: str, texts: Sequence[str], url: str = "", images: bool = False) -> PageParts:
    """The parts of a page at *url* whose segments have these *texts*; *images*: with those of http and https."""
    tree = html_parser.parse_html(html)
    if tree.root is None:
        return PageParts("", "", "")
    table = table_of(tree.root)
    first = first_row(table)
    segment_of = {row: number for number, rows in enumerate(rows_of(texts, *placed_segments(table))) for row in rows}
    body = _written(table, first, _marks(table, first, segment_of), url if images else None)
    # the style sheets in the page: what they could load, the server forbids
    styles = [node.text(deep=True) for node in tree.css("style")]
    safe = "".join(f"<style>{text}</style>\n" for text in styles if "</" not in text and "<!" not in text)
    return PageParts(safe, body, tree.root.attributes.get("lang") or "")


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


def _marks(table: PageTable, first: int, segment_of: Mapping[int, int]) -> dict[int, int]:
    """The rows below *first* that are marked and the number of their segment: the outermost elements that have text of
    this segment alone, and texts in elements of several."""
    content: dict[int, int] = {}  # element or text → the segment that it has, or _MIXED
    for row, number in segment_of.items():
        holder = row if first <= row < table.end[first] else -1
        while holder >= first and content.get(holder) != _MIXED:
            if content.setdefault(holder, number) != number:
                content[holder] = _MIXED
            holder = table.parent[holder]
    return {
        row: number
        for row, number in content.items()
        if number != _MIXED and content.get(table.parent[row], _MIXED) == _MIXED
    }


def _written(table: PageTable, first: int, marks: Mapping[int, int], image_base: str | None) -> str:
    """The markup of a row and what is below it."""
    out: list[str] = []
    ends: list[tuple[int, str]] = []  # of open elements: the row behind each, and its end tag
    row, last = first, table.end[first]
    while row < last:
        while ends and ends[-1][0] <= row:
            out.append(ends.pop()[1])
        tag, end = table.tag[row], row + 1
        mark = f' {MARK}="{marks[row]}"' if row in marks else ""
        if tag == TEXT:
            text = escape(table.text_of(row), quote=False)
            out.append(f"<{WRAPPER}{mark}>{text}</{WRAPPER}>" if mark else text)
        elif tag > TEXT:
            start, end_tag = _element(table.name_of(row), table.attributes_of(row), mark, image_base)
            out.append(start)
            if end_tag is None:
                end = table.end[row]
            else:
                ends.append((table.end[row], end_tag))
        row = end
    return "".join(out + [end_tag for _, end_tag in reversed(ends)])


def _element(
    name: str, attributes: Mapping[str, str | None], mark: str, image_base: str | None
) -> tuple[str, str | None]:
    """The start tag and the end tag of an element; no end tag where its content is left out."""
    written = "".join(f' {key}="{escape(value or "")}"' for key, value in attributes.items() if key in SAFE_ATTRIBUTES)
    if name == "img":
        if image_base is None:
            alternative = escape((attributes.get("alt") or "").strip(), quote=False)
            return f'<nc-part class="nc-image">{alternative}</nc-part>' if alternative else "", None
        address = image_address(attributes.get("src") or attributes.get("data-src") or "", image_base)
        return f'<img{written} src="{escape(address)}">' if address else "", None
    if name in DROPPED_TAGS:
        return "", None
    safe = name
    if name not in SAFE_TAGS:
        kind = INLINE if name in _IN_LINE else KINDS[TAG_NUMBERS.get(name, UNKNOWN)]
        safe = _RENAMED.get(kind) or (name if _CUSTOM_TAG.fullmatch(name) else "nc-part")
    if name == "a" and attributes.get("href"):
        written += f' data-href="{escape(attributes["href"] or "")}"'
    return f"<{safe}{written}{mark}>", None if safe in VOID_TAGS else f"</{safe}>"


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


# ---- where the segments of a page stand ------------------------------------------------------------------------------


def placed_segments(table: PageTable) -> tuple[list[Segment], list[list[int]]]:
    """The segments of a page, and the rows of the texts of each (or of an element without one), in reading order; none
    for embedded content, which the page does not show."""
    holders: list[Holder] = []
    reader = BlockReader(table, sys.maxsize, holders)
    blocks = reader.read()
    posts_in_blocks(blocks, reader.text_rows, table, head_of_page(table).get("kinds", ()))
    origins = hidden_content.add_hidden_rows(blocks, table, holders)
    segments, numbers = segmenter.numbered_segments(blocks)
    runs = [(*reader.text_rows[at], number) for at, number in zip(origins, numbers) if at < len(reader.text_rows)]
    segment_of: dict[int, int] = {}
    # the longest first: a block within the text of another one has its own rows
    for first, last, number in sorted(runs, key=lambda run: run[0] - run[1]):
        for row in range(first, last + 1):
            if row == first or table.tag[row] == TEXT and not table.flags[row] & BLANK:
                segment_of[row] = number
    rows: list[list[int]] = [[] for _ in range(len(segments))]
    for row, number in sorted(segment_of.items()):
        if number >= 0:
            rows[number].append(row)
    return segments.records(), rows


def rows_of(texts: Sequence[str], placed: Sequence[Segment], rows: Sequence[list[int]]) -> Sequence[list[int]]:
    """The rows of segments with these *texts*, of which a page with *placed* segments may have others."""
    own = [segment["text"] for segment in placed]
    if own == list(texts):
        return rows
    out: list[list[int]] = [[] for _ in texts]
    for start, end, size in SequenceMatcher(None, own, texts, autojunk=False).get_matching_blocks():
        out[end : end + size] = rows[start : start + size]
    return out
