"""HTML to a tree, as browsers build it: by lexbor (selectolax), or by html5lib as the reference.

parse_html("<p>One<p>Two").css_first("body").text(separator="|")    # 'One|Two'
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any

from ...errors import RecordError
from ...native import parser_memory
from ...native.element_names import COMMENT, ID, UNKNOWN, number_of_tag
from ...native.page_table import PageTable, table_of
from ...record import PageText, Record
from ...text.lazy_pattern import lazy_pattern
from . import guards
from .elements import INVISIBLE, TEXTLESS
from .survey import has_special, rows_with

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

# The attributes of a start tag as the parser writes it.
START_TAG_ATTRIBUTES = r"(?: [^ >][^ =>]*=\"[^\"]*\")*"

# Free memory is given back after pages of so many bytes, which few have, once they have no tree any more. Smaller
# ones keep it: the next page would take it again, 4 KB at a time; unless their tree took so many bytes for each
# byte, which no usual page does, and their segments take memory beside it.
LARGE_TREE = 5_000_000
DENSE_TREE, MIN_DENSE_BYTES = 20, 1_000_000

_TEMPLATE_TAG = lazy_pattern(rf"<(/?)template({START_TAG_ATTRIBUTES})>")
_TITLE_TAG = lazy_pattern(r"<(/?)title(?=[\s/>])[^<>]*>?", re.I)
_UNCLOSED_FRAME = lazy_pattern(r"<iframe\b[^<>]*>(?=\s*</noscript)", re.I)
# Invisible elements that may contain text (see `hidden_content`); html5lib leaves them to lexbor.
_CONTENT_ELEMENTS = frozenset(("script", "iframe", "meta"))
# What `markup_builder` reads.
_MARKUP_ELEMENTS = frozenset(("picture", "img", "source", "base"))

_SURROGATE = lazy_pattern("[\ud800-\udfff]")

# What nearly all pages with such addresses have; longer words are found sooner.
_HINT = b"/cdn-cgi/l/email-protection"
# A link, with the numbers of its own tag where it has none; the rest of a start tag with numbers, and what is shown
# until the script runs. Patterns that begin with so many letters are found at the speed of a search.
_LINK = lazy_pattern(
    rb"""/cdn-cgi/l/email-protection(?:#([0-9a-f]+))?(?=["'](?:[^<>]{0,200}?\sdata-cfemail=["']?([0-9a-f]+))?)"""
)
_SHOWN = lazy_pattern(
    rb"""(data-cfemail=["']?([0-9a-f]+)\b[^<>]{0,200}>)\[email(?:&#160;|&nbsp;|&#xa0;|\xc2\xa0|\s)protected\]"""
)

# The comments at which what waits begins, and other boundaries; and at which a boundary ends.
STARTS, END = ("$?", "$", "$!"), "/$"

_CALL = lazy_pattern(r'\$R([CRS])\("([^"]+)","([^"]+)"')
_SCRIPT, _TEMPLATE = map(number_of_tag, ("script", "template"))
# Between the markup and what is written in it: a noncharacter.
_MARK = "\ufdd0"


def parse_html(html: str | HtmlSource, parser: str = "lexbor") -> LexborHTMLParser:
    """The tree of a page. INVISIBLE elements are in it.

    *parser* is `lexbor` or `html5lib`. With the latter, lexbor parses the page that html5lib has serialised.
    Shadow roots are elements `<shadow-root>`; the content of other templates is not in the tree. Raises ValueError for
    an unknown parser, and RecordError as `lexbor_tree`.
    """
    tree: LexborHTMLParser = page_table(html, parser).root.parser
    return tree


def page_table(html: str | HtmlSource, parser: str = "lexbor") -> PageTable:
    """The table of the tree that `parse_html` returns. Raises the same errors."""
    source = source_of(html)
    utf8 = with_addresses(source.utf8)
    source = source if utf8 is source.utf8 else HtmlSource(utf8)
    table = table_of(lexbor_tree(_input(source, parser), len(utf8)).root)
    if has_special(table):
        tree, markup = _read_special(close_title(source.text), table.root.parser, parser)
        del table  # memory: one tree at a time
        if markup is not None:
            del tree
            tree = lexbor_tree(markup)
        table = table_of(tree.root)
    if (markup := placed_parts(table)) is not None:
        del table
        table = table_of(lexbor_tree(markup).root)
    return table


def _input(source: HtmlSource, parser: str) -> bytes:
    """The page as lexbor parses it."""
    if b"</title>" not in source.utf8:
        source = source_of(close_title(source.text))
    if parser == "lexbor":
        return source.utf8
    lexbor_tree(source.utf8)  # html5lib has no bounds
    return lexbor_input(source.text, parser).encode()


def _read_special(html: str, tree: LexborHTMLParser, parser: str) -> tuple[LexborHTMLParser, str | None]:
    """The tree of a page that may be special (see `survey.has_special`); *tree* is that without shadow roots. If it has
    some, also the markup to parse instead."""
    special = tree.css("template, iframe")
    if any("</noscript" in node.text(deep=True) for node in special if node.tag == "iframe" and node.child):
        tree = lexbor_tree(_input(source_of(close_frames(html)), parser))
        special = tree.css("template")
    if any("shadowrootmode" in node.attributes for node in special):
        # the parser keeps the content of templates apart from the tree
        return tree, _rename_shadow_roots(tree.html or "")
    return tree, None


def decode_html(record: Record) -> Record:
    """The record with `html` as text or a PageText. Bytes, which MessagePack can carry, are decoded as browsers do.
    Text whose UTF-8 another program decoded as ISO 8859-1 or windows-1252 is decoded as UTF-8. Both add `encoding`.

    Raises RecordError if the record has no `html`, and for the bytes of another format.
    """
    html = record.get("html")
    if html is None:
        raise RecordError("html: missing", remedy="--field html=NAME says which field has the page")
    from ...streams import charset  # start-up: --help decodes nothing

    if isinstance(html, bytes):
        from ...streams.compression import check_is_page  # start-up: only bytes need it

        check_is_page(html)
        html, encoding = charset.decode_bytes(html)
        record = {**record, "html": html, "encoding": encoding}
    text = charset.undo_latin1(html.utf8 if isinstance(html, PageText) else html)
    return record if text is None else {**record, "html": text, "encoding": {**charset.UNDONE_LATIN1}}


def lexbor_tree(html: str | bytes, size: int = 0) -> LexborHTMLParser:
    """The tree of *html*, text or UTF-8, by lexbor. A lone surrogate is read as U+FFFD.

    Raises RecordError if the parser takes more than a page of the size of *html* may, or of *size* if that is more
    (see `guards`).
    """
    from selectolax.lexbor import LexborHTMLParser, SelectolaxError  # start-up: --help needs no parser

    utf8 = source_of(html).utf8 if isinstance(html, str) else html
    size = max(size, len(utf8))
    guards.check_markup(utf8)
    parser_memory.limit_parser(guards.parser_bytes(size))
    try:
        tree = LexborHTMLParser(utf8)
    except SelectolaxError:
        if bound := parser_memory.limit_parser(0):
            raise guards.parser_ended(bound, size) from None
        raise
    finally:
        parser_memory.limit_parser(0)
    if not parser_memory.is_bounded() and tree.root is not None:
        guards.check_tree(tree.root, size)
    return tree


def return_memory(size: int) -> None:
    """Gives free memory back, that of the tree of a page, if *size*, the bytes of the page, are many."""
    if size >= LARGE_TREE:
        parser_memory.return_memory(0)
    elif size >= MIN_DENSE_BYTES:
        parser_memory.return_memory(DENSE_TREE * size)


def lexbor_input(html: str, parser: str) -> str:
    """The markup that lexbor reads for the option *parser*. Raises ValueError for an unknown parser."""
    try:
        convert = PARSERS[parser]
    except KeyError:
        raise ValueError(f"parser: expected {' or '.join(PARSERS)}, got {parser!r}") from None
    return convert(html)


def close_title(html: str) -> str:
    """*html* with an end tag for a `<title>` that has none, before the next tag.

    A parser treats everything after such a title as its text. Five of the 3,927 development pages have one.
    """
    if "</title>" in html:
        return html
    start = None
    for tag in _TITLE_TAG.finditer(html):
        if tag[1]:
            return html
        start = start or tag
    end = html.find("<", start.end()) if start else -1
    return html if end < 0 else f"{html[:end]}</title>{html[end:]}"


def close_frames(html: str) -> str:
    """*html* with an end tag for each `<iframe>` that `</noscript>` follows.

    Browsers with scripting end the frame there. A parser without scripting searches for the end tag of the frame and
    treats everything before it as text of the frame.
    """
    return _UNCLOSED_FRAME.sub(r"\g<0></iframe>", html)


def _rename_shadow_roots(html: str) -> str:
    """Templates that are shadow roots renamed to elements of the page."""
    are_roots: list[bool] = []  # of the open templates

    def rename(tag: re.Match[str]) -> str:
        if not tag[1]:
            are_roots.append("shadowrootmode=" in tag[2])
            return f"<shadow-root{tag[2]}>" if are_roots[-1] else tag[0]
        return "</shadow-root>" if are_roots and are_roots.pop() else tag[0]

    return _TEMPLATE_TAG.sub(rename, html)


def _parse_with_html5lib(html: str) -> str:
    """The page as html5lib parses and serialises it, without invisible elements that hold no content."""
    import html5lib  # start-up: only the reference needs it

    tree: Any = html5lib.parse(close_frames(html), treebuilder="etree", namespaceHTMLElements=False)
    invisible = frozenset([*INVISIBLE, *TEXTLESS]) - _CONTENT_ELEMENTS - _MARKUP_ELEMENTS
    todo = [tree]
    while todo:
        parent = todo.pop()
        before = None
        for child in list(parent):
            name = child.tag.rpartition("}")[2] if isinstance(child.tag, str) else ""
            is_boundary = not name and child.text in (*STARTS, END)
            if name in invisible or not (name or is_boundary) or name == "iframe" and "srcdoc" not in child.attrib:
                # ElementTree stores the text after an element in the element itself
                if child.tail and before is not None:
                    before.tail = (before.tail or "") + child.tail
                elif child.tail:
                    parent.text = (parent.text or "") + child.tail
                parent.remove(child)
            else:
                if name == "plaintext":  # a serialised <plaintext> would contain the rest of the page
                    child.tag = "listing"
                before = child
                todo.append(child)
    out: str = html5lib.serialize(
        tree,
        tree="etree",
        quote_attr_values="always",
        quote_char='"',
        omit_optional_tags=False,
        minimize_boolean_attributes=False,
        use_trailing_solidus=False,
        escape_lt_in_attrs=False,
        resolve_entities=False,
    )
    return out.replace("\xa0", "&nbsp;")


def _unchanged(html: str) -> str:
    return html


# parser → how it prepares a page for lexbor
PARSERS: dict[str, Callable[[str], str]] = {"lexbor": _unchanged, "html5lib": _parse_with_html5lib}


class HtmlSource:
    """The HTML of a page in UTF-8. A lone surrogate is U+FFFD, as the parser reads it."""

    def __init__(self, utf8: bytes, text: str | None = None) -> None:
        self.utf8 = utf8
        if text is not None:
            self.text = text

    @cached_property
    def text(self) -> str:
        """The page as text."""
        return self.utf8.decode()


def source_of(html: str | PageText | HtmlSource) -> HtmlSource:
    """The source of a page."""
    if isinstance(html, HtmlSource):
        return html
    if isinstance(html, PageText):
        return HtmlSource(html.utf8)
    try:
        return HtmlSource(html.encode(), html)
    except UnicodeEncodeError:
        return source_of(_SURROGATE.sub("\ufffd", html))


def with_addresses(html: bytes) -> bytes:
    """The UTF-8 of a page with its addresses as texts and links. Linear in the page."""
    if _HINT not in html:
        return html
    html = _LINK.sub(_mailto, html)
    return _SHOWN.sub(lambda shown: shown[1] + (_written(shown[2]) or b"[email protected]"), html)


def _mailto(link: re.Match[bytes]) -> bytes:
    """The address of a link; what it is now, if it is that of another site or has no numbers."""
    is_whole = link.string[link.start() - 1 : link.start()] in (b'"', b"'")
    return is_whole and _written(link[1] or link[2], b"mailto:") or link[0]


def _written(numbers: bytes | None, scheme: bytes = b"") -> bytes:
    """The address as markup, after a *scheme*; empty if the numbers are not those of one."""
    if not numbers:
        return b""
    try:
        codes = bytes.fromhex(numbers.decode())
        address = bytes([code ^ codes[0] for code in codes[1:]]).decode()
    except (ValueError, IndexError):
        return b""
    return scheme + escape(address).encode() if address.isprintable() and "@" in address else b""


def placed_parts(table: PageTable) -> str | None:
    """The markup of a page with its parts in their places; None if no part has one. Linear in the page. The tree
    changes then, and is not to be used any more."""
    part_of: dict[str, str] = {}
    if not rows_with(table, _TEMPLATE, ID, 0, table.size):  # most pages
        return None
    for row in rows_with(table, _SCRIPT, 0, 0, table.size):
        for call, first, second in _CALL.findall(table.text_below(row)):
            part_of.setdefault(*((second, first) if call == "S" else (first, second)))
    rows: dict[str, int] = {}  # of elements, by their ids
    if part_of:
        for row in rows_with(table, UNKNOWN, ID, 0, table.size):
            rows.setdefault(table.attribute_of(row, "id") or "", row)
    pairs = [(rows[place], rows[part]) for place, part in part_of.items() if place in rows and part in rows]
    found = [pair for pair in pairs if table.tag[pair[0]] == _TEMPLATE and not pair[1] < pair[0] < table.end[pair[1]]]
    if not found or _MARK in (table.root.html or ""):
        return None
    ends = _boundaries(table)
    spans = [(place, ends.get(table.before[place], place), part) for place, part in found]
    nodes = {row: table.node_of(row) for row in sorted({row for span in spans for row in span})}
    for number, (first, last, part) in enumerate(spans):
        nodes[first].insert_before(f"{_MARK}[{number}{_MARK}")
        nodes[last].insert_after(f"{_MARK}]{_MARK}")
        if nodes[part].child is not None:
            nodes[part].child.insert_before(f"{_MARK}({number}{_MARK}")
            nodes[part].last_child.insert_after(f"{_MARK}){_MARK}")
    return _joined(table.root.html.split(_MARK))


def _boundaries(table: PageTable) -> dict[int, int]:
    """The comments at which boundaries begin, and those at which they end."""
    open_: list[int] = []
    ends = {}
    for row in range(table.size):
        if table.tag[row] == COMMENT:
            text = table.node_of(row).html[4:-3]
            if text in STARTS:
                open_.append(row)
            elif text == END and open_ and table.parent[row] == table.parent[start := open_.pop()]:
                ends[start] = row
    return ends


def _joined(pieces: list[str]) -> str:
    """Markup that alternates with marks: `[7`, a place up to `]`, gets the part from `(7` to `)`."""
    texts: dict[str, list[str]] = {"": []}  # pieces of the rest and of each part
    open_ = [texts[""]]
    for at, piece in enumerate(pieces):
        if at % 2 == 0:
            open_[-1].append(piece)
        elif piece[0] == "[":
            open_[-1].append(_MARK + piece[1:])
            open_.append([])
        elif piece[0] == "(":
            open_.append(texts.setdefault(piece[1:], []))
        else:
            open_.pop()
    out = []
    todo = texts.pop("")[::-1]
    while todo:
        piece = todo.pop()
        if piece.startswith(_MARK):
            todo += texts.pop(piece[1:], [])[::-1]
        else:
            out.append(piece)
    return "".join(out)
