"""What is around the text of a page, found in passes over its table: meta fields, titles, structured data, and the
elements that may have metadata.

survey(table_of(parse_html("<title>It rained</title><p>Text.").root)).titles    # [('It rained', False)]
"""

from __future__ import annotations

from ...native.element_names import CLASS, ITEMPROP, ITEMTYPE, NAME, PROPERTY, REL, number_of_tag
from ...native.page_table import PageTable

_META, _TITLE, _SCRIPT, _LINK, _H1, _TIME = map(number_of_tag, ("meta", "title", "script", "link", "h1", "time"))
_BASE = number_of_tag("base")
_SVG, _MATH, _TEMPLATE, _IFRAME = map(number_of_tag, ("svg", "math", "template", "iframe"))
_NAMED, _DESCRIBED = NAME | PROPERTY, ITEMPROP | REL | PROPERTY
_ITEMPROP, _ITEMTYPE, _REL, _PROPERTY, _CLASS = ITEMPROP, ITEMTYPE, REL, PROPERTY, CLASS
# How properties of RDFa end that name the author or the day.
_PROPERTIES = ("author", "datepublished")
# The spaces of HTML.
_SPACES = str.maketrans("\t\n\f\r", "    ")


class Survey:
    """Of a page: the name and content of its meta fields; its titles, and whether each is in a drawing; the texts of
    its JSON-LD; its item types; and the addresses that it declares as canonical and as base."""

    def __init__(self) -> None:
        self.metas: list[tuple[str | None, str | None]] = []
        self.titles: list[tuple[str, bool]] = []
        self.linked_data: list[str] = []
        self.item_types: list[str] = []
        self.canonicals: list[str] = []
        self.bases: list[str] = []


def survey(table: PageTable) -> Survey:
    """The survey of a page."""
    out = Survey()
    for row in range(table.size):
        tag = table.tag[row]
        if tag < 0:
            continue
        flags = table.flags[row]
        if tag == _META:
            if flags & _NAMED and (content := table.attribute_of(row, "content")):
                out.metas.append((table.attribute_of(row, "property") or table.attribute_of(row, "name"), content))
        elif tag == _TITLE:
            out.titles.append((table.text_below(row), _is_in_drawing(table, row)))
        elif tag == _SCRIPT and "ld+json" in (table.attribute_of(row, "type") or "").lower():
            out.linked_data.append(table.text_below(row))
        elif tag == _LINK and flags & _REL and _has(table, row, "rel", "canonical"):
            out.canonicals.append(table.attribute_of(row, "href") or "")
        elif tag == _BASE and (address := table.attribute_of(row, "href")):
            out.bases.append(address)
        if flags & _ITEMTYPE and (name := table.attribute_of(row, "itemtype")):
            out.item_types.append(name)
    return out


def has_special(table: PageTable) -> bool:
    """Whether a page may have shadow roots, or frames that `<noscript>` ends in."""
    for row in range(table.size):
        tag = table.tag[row]
        if tag == _TEMPLATE:
            if "shadowrootmode" in table.attributes_of(row):
                return True
        elif tag == _IFRAME and table.end[row] > row + 1 and "</noscript" in table.text_below(row):
            return True
    return False


def rows_with(table: PageTable, tag: int, bits: int, first: int, last: int) -> list[int]:
    """The elements of a *tag* between two rows that have one of the attributes *bits*. Where a number is 0, any do."""
    rows: list[int] = []
    for row in range(first, last):
        if (table.tag[row] == tag or tag == 0 <= table.tag[row]) and (not bits or table.flags[row] & bits):
            rows.append(row)
    return rows


def metadata_rows(table: PageTable) -> list[int]:
    """The elements of a page that may say its title, its author, dates or the licence, each as often as something
    tells so: their names, relations and properties."""
    rows: list[int] = []
    for row in range(table.size):
        tag = table.tag[row]
        if tag < 0:
            continue
        flags = table.flags[row]
        if tag in (_H1, _TIME) or tag == _META and _has(table, row, "http-equiv", "content-language"):
            rows.append(row)
        if flags & _DESCRIBED:
            if flags & _ITEMPROP:
                rows.append(row)
            if flags & _REL:
                if tag == _LINK and _has(table, row, "rel", "canonical"):
                    rows.append(row)
                rows += [row] * _relations(table, row)
            if flags & _PROPERTY and (table.attribute_of(row, "property") or "").lower().endswith(_PROPERTIES):
                rows.append(row)
    return rows


def byline_rows(table: PageTable) -> list[int]:
    """The elements whose class may say that they name the author; those of two words twice."""
    rows: list[int] = []
    for row in range(table.size):
        if table.tag[row] >= 0 and table.flags[row] & _CLASS:
            name = (table.attribute_of(row, "class") or "").lower()
            if "byline" in name:
                rows.append(row)
            if "author" in name:
                rows.append(row)
    return rows


def _is_in_drawing(table: PageTable, row: int) -> bool:
    above = table.parent[row]
    while above >= 0 and table.tag[above] != _SVG and table.tag[above] != _MATH:
        above = table.parent[above]
    return above >= 0


def _has(table: PageTable, row: int, name: str, value: str) -> bool:
    """Whether an attribute has a *value*, in any case."""
    return (table.attribute_of(row, name) or "").lower() == value


def _relations(table: PageTable, row: int) -> int:
    """How many of the relations of an element, author and licence, are there."""
    rel = (table.attribute_of(row, "rel") or "").lower()
    words = rel.translate(_SPACES).split(" ")
    return ("license" in words) + ("author" in words)
