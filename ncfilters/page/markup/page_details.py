"""What the elements of a page say about tables, code, formulas and footnotes, found before the page is read.

    details = details_of_page(parse_html("<p>If <math><mi>x</mi></math> is one."))
    list(details.marks.values())    # [('math', 'x')]

Reading the page then only looks its elements up (see `detail_builder`). The modules that read tables, code, formulas
and footnotes are imported for the first page that may have one, for the start-up of the others.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from ...text.lazy_pattern import lazy_pattern
from ..element_map import ElementMap
from ..page_search import CODE_FORMULAS, HINTS, SIDENOTES, search_page
from ..present_selectors import Search

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

    from .code_blocks import CodeBlock

Fields = dict[str, Any]

_CODE_TAGS = frozenset("pre code xmp listing plaintext".split())
_CELL_TAGS = frozenset(("td", "th"))
# Elements between a table of code and the element that holds the code.
MAX_CODE_DEPTH = 6
# Links of headings to themselves: by their text, which has no words, or by their class.
_WORD = lazy_pattern(r"[^\W_]")
_ANCHORS = frozenset(
    "hash-link headerlink header-link headeranchor header-anchor headinganchor heading-anchor anchorlink anchor-link "
    "direct-link permalink perma-link".split()
)
_EDIT_LINK = "mw-editsection"
_HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())


class Details:
    """The details of a page, by the `mem_id`s of elements.

    *marks* are the entries of spans (kind, and perhaps value) that elements have; *fields* those of all blocks in an
    element, *next_fields* those of the next block. *tags* are the names of all these elements.
    The page may have *max_blocks*.
    """

    __slots__ = ("fields", "marks", "max_blocks", "next_fields", "tags")

    def __init__(self) -> None:
        self.marks: dict[int, tuple[Any, ...]] = {}
        self.fields: dict[int, Fields] = {}
        self.next_fields: dict[int, Fields] = {}
        self.tags: set[str] = set()
        self.max_blocks = sys.maxsize

    def __contains__(self, mem_id: int) -> bool:
        return mem_id in self.marks or mem_id in self.fields or mem_id in self.next_fields

    def add_fields(self, node: Any, **fields: Any) -> None:
        """Adds fields of the blocks in an element."""
        self.fields.setdefault(node.mem_id, {}).update(fields)
        self.tags.add(node.tag)

    def add_mark(self, node: Any, *entry: Any) -> None:
        """Adds the span of an element; the first one counts."""
        self.marks.setdefault(node.mem_id, entry)
        self.tags.add(node.tag)


class PageNumbers:
    """The numbers of the next data table and of the next block of code."""

    __slots__ = ("code", "table")

    def __init__(self) -> None:
        self.table = self.code = 1


def details_of_page(
    tree: LexborHTMLParser, numbers: PageNumbers | None = None, search: Search | None = None
) -> Details:
    """The details of a page, whose tables and code have numbers from *numbers* on. *search*: that of the page, if it is
    known."""
    numbers, search = numbers or PageNumbers(), search or search_page(tree)
    details = Details()
    hints, has_beside = search.nodes(HINTS), search.has(SIDENOTES)
    if not hints and not has_beside:
        return details
    found: dict[str, list[Any]] = {}
    for node in hints:
        found.setdefault(node.tag or "", []).append(node)
    tables, links, superscripts = found.pop("table", []), found.pop("a", []), found.pop("sup", [])
    code_elements = [node for name in _CODE_TAGS for node in found.pop(name, ())]
    has_role_tables = _take_rows(found)
    _add_edit_links(found, details)
    # what is left are formulas, or code in other elements
    code = _code_of_page(tree, tables, bool(code_elements or found), numbers)
    if tables:
        _add_tables(tables, code, numbers, details)
    if has_role_tables:
        _add_role_tables(tree, numbers, details)
    if code:
        _add_code(code, tables, details)
    if found or code_elements and search.has(CODE_FORMULAS):
        _add_formulas(tree, details)
    if superscripts or links or has_beside:
        _add_notes(tree, search, links, superscripts, has_beside, details)
    for link in links:
        if link.parent is not None and link.parent.tag in _HEADINGS and _is_anchor(link):
            details.add_mark(link, "aside")
    return details


def _is_anchor(link: Any) -> bool:
    """Whether a link in a heading is that of the heading to itself."""
    text: str = link.text(deep=True)
    if not _WORD.search(text):
        return text != ""
    classes = (link.attributes.get("class") or "").casefold()
    if _ANCHORS.isdisjoint(classes.split()) and not _leads_to_heading(link, classes):
        return False
    rest = link.parent.text(deep=True).replace(text, "", 1)
    return _WORD.search(rest) is not None  # else it is the heading


def _leads_to_heading(link: Any, classes: str) -> bool:
    """Whether a link, by its classes one to a place, leads to the heading that it is in."""
    if "link" not in classes and "anchor" not in classes:
        return False
    own = link.parent.attributes.get("id")
    return own is not None and link.attributes.get("href") == f"#{own}"


def _code_of_page(
    tree: LexborHTMLParser, tables: list[Any], has_code: bool, numbers: PageNumbers
) -> ElementMap[CodeBlock]:
    """The blocks of code of a page that *has_code* perhaps, or *tables*."""
    if not has_code and not tables:
        return ElementMap()
    from .code_blocks import code_blocks, may_be_code  # start-up: many pages have neither code nor tables

    if not has_code and not any(map(may_be_code, tables)):
        return ElementMap()
    code = code_blocks(tree, numbers.code)
    numbers.code += len(set(code.values()))
    return code


def _add_code(code: ElementMap[CodeBlock], tables: list[Any], details: Details) -> None:
    """Adds blocks of code; the titles of those that are *tables* are not in them."""
    from .code_text import title_row  # start-up: as code_blocks

    for mem_id, block in code.items():
        details.fields.setdefault(mem_id, {})["code"] = block
    details.tags |= code.tags
    for table in tables:
        if table.mem_id in code and (title := title_row(table)) is not None:
            details.add_fields(title, code=None)


def _add_tables(tables: list[Any], code: ElementMap[CodeBlock], numbers: PageNumbers, details: Details) -> None:
    """Adds the cells and captions of data tables; tables of code are none."""
    from .table_grid import caption_of, data_cells  # start-up: many pages have no tables

    if code:
        tables = _not_in_code(tables, code)
    for table, cells in zip(tables, data_cells(tables)):
        if cells is None:
            continue
        caption = caption_of(table)
        if caption is not None:
            details.add_fields(caption, table=numbers.table, cell=None)
        details.tags |= _CELL_TAGS
        for mem_id, cell in cells.items():
            details.fields[mem_id] = {"table": numbers.table, "cell": cell, **details.fields.get(mem_id, {})}
        numbers.table += 1


def _add_role_tables(tree: LexborHTMLParser, numbers: PageNumbers, details: Details) -> None:
    """Adds the cells of tables of elements with roles."""
    from .role_tables import role_tables  # start-up: few pages have them

    for cells in role_tables(tree):
        for mem_id, cell in cells.items():
            details.fields.setdefault(mem_id, {}).update(table=numbers.table, cell=cell)
        numbers.table += 1
        details.tags |= cells.tags


def _take_rows(found: dict[str, list[Any]]) -> bool:
    """Takes the rows of tables from what was *found*, and returns whether there are tables of elements with roles."""
    has_tables = False
    found.pop("tr", None)
    for name, nodes in list(found.items()):
        left = [node for node in nodes if node.attributes.get("role") != "row"]
        has_tables = has_tables or len(left) < len(nodes)
        _set_or_drop(found, name, left)
    return has_tables


def _add_edit_links(found: dict[str, list[Any]], details: Details) -> None:
    """Adds the links of MediaWiki to edit a section, and takes them from what was *found*."""
    spans = found.get("span", [])
    links = [node for node in spans if _EDIT_LINK in (node.attributes.get("class") or "").split()]
    for node in links:
        details.add_mark(node, "aside")
    if links:
        taken = {node.mem_id for node in links}
        _set_or_drop(found, "span", [node for node in spans if node.mem_id not in taken])


def _set_or_drop(found: dict[str, list[Any]], name: str, nodes: list[Any]) -> None:
    if nodes:
        found[name] = nodes
    else:
        found.pop(name, None)


def _not_in_code(tables: list[Any], code: ElementMap[CodeBlock]) -> list[Any]:
    """Those of *tables*, each perhaps there several times, that are no blocks of *code* and not in one."""
    in_code = {table.mem_id for table in tables if table.mem_id in code or _is_in_code(table, code)}
    return [table for table in tables if table.mem_id not in in_code]


def _is_in_code(table: Any, code: ElementMap[CodeBlock]) -> bool:
    at = table.parent
    for _ in range(MAX_CODE_DEPTH):
        if at is None:
            break
        if at.mem_id in code:
            return True
        at = at.parent
    return False


def _add_formulas(tree: LexborHTMLParser, details: Details) -> None:
    from .tex import formulas  # start-up: few pages have formulas

    found = formulas(tree)
    for mem_id, formula in found.items():
        details.marks[mem_id] = ("math", formula.tex, "display") if formula.is_display else ("math", formula.tex)
    details.tags |= found.tags


def _add_notes(
    tree: LexborHTMLParser,
    search: Search,
    links: list[Any],
    superscripts: list[Any],
    has_beside: bool,
    details: Details,
) -> None:
    """Adds the footnotes of a page that may have *links* to them, and superscripts; *has_beside*: and notes in
    sentences."""
    # one that several selectors match is there as often
    superscripts = [*{node.mem_id: node for node in superscripts}.values()]
    has_notes = _may_have_notes(links, superscripts)
    if not has_notes and not has_beside:
        return
    from .footnotes import footnotes  # start-up: many pages have no links to places in them
    from .sidenotes import sidenotes  # start-up: few pages have notes
    from .unlinked_notes import no_footnotes

    notes = footnotes(tree, superscripts, links) if has_notes else no_footnotes()
    beside: ElementMap[str] = sidenotes(tree, notes, search) if has_beside else ElementMap()
    for mem_id, name in beside.items():
        details.marks.setdefault(mem_id, ("footnote", name))
    details.tags |= beside.tags
    for mem_id, name in notes.references.items():
        details.marks.setdefault(mem_id, ("note", name))
    for mem_id, name in notes.definitions.items():
        details.fields.setdefault(mem_id, {})["note"] = {"id": name}
    for mem_id, name in notes.starts.items():
        details.next_fields[mem_id] = {"note": {"id": name}}
    for mem_id in notes.asides:
        details.marks.setdefault(mem_id, ("aside",))
    for part in notes:
        details.tags |= part.tags


def _may_have_notes(links: list[Any], superscripts: list[Any]) -> bool:
    """Whether links or superscripts may be the marks of notes, for speed: on most pages that have some, none is."""
    if links:
        from .note_marks import may_be_mark  # start-up: many pages have no links to places in them

        return bool(superscripts) or any(map(may_be_mark, links))
    if len(superscripts) < 2:
        return False
    from .unlinked_notes import may_be_unlinked  # start-up: many pages have no superscripts

    return may_be_unlinked(superscripts)
