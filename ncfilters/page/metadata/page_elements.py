"""The elements of a page that say what its metadata are: tags, JSON-LD, headings, microdata, relations, times.

table = table_of(parse_html('<p>By <a rel=author>Ann Lee</a><h1>Rain</h1>').root)
page = page_elements(table, survey(table))
page.statements, page.headings    # ({'rel-author': {'author': [('Ann Lee', 'rel=author')]}}, ['Rain'])
"""

from __future__ import annotations

import re
from functools import lru_cache
from html import unescape

from ...native.element_names import HREF, TEXT, number_of_tag, tag_groups
from ...native.page_table import PageTable
from ...text.lazy_pattern import lazy_pattern
from ..tree.survey import Survey, metadata_rows, rows_with
from .site_name import title_key, title_parts
from .statements import Statements, line

# Elements of one kind that are read, and characters of a text.
MAX_ELEMENTS, MAX_CHARS = 40, 200
# Ancestors of an element that are looked at.
MAX_ANCESTORS = 24
# The property of microdata and RDFa → the field that it says.
_ITEM_FIELDS = {
    "author": "author",
    "creator": "author",
    "datepublished": "date",
    "datemodified": "modified",
    "headline": "title",
    "price": "price",
    "lowprice": "price",
    "pricecurrency": "currency",
}
# Elements whose content is beside the page's own, those that end the search for them, those without text, and those
# that are lines or blocks of a heading.
_FOREIGN, _END, _NO_TEXT, _APART = 1, 2, 4, 8
_GROUPS = tag_groups(
    {
        _FOREIGN: "aside footer nav blockquote",
        _END: "body html main",
        _NO_TEXT: "style script body html main article form input textarea img svg",
        _APART: "br div p small h2",
    }
)
_META, _LINK, _H1, _H2, _TIME, _A = map(number_of_tag, ("meta", "link", "h1", "h2", "time", "a"))
_FOOTER, _BUTTON = map(number_of_tag, ("footer", "button"))
_FRONT_PAGE = lazy_pattern(r"(?:https?:)?//[^/?#]+/?|\.?/")
# The distance of an element that is the page's own to the next one that is not.
_FAR = 1 << 20

# Elements that are not the page's own: what readers write, what is beside the article, what leads to others. An hCard
# (`vcard`) is none, nor are the widgets and columns of which site builders make the whole page. The words that tell it
# wherever they stand in a class or an id, and the others, with the pattern that says where they do; in small letters,
# because a pattern that ignores case takes twice as long to compile.
_CERTAIN = (
    "comment|reply|replies|disqus|related|recommend|trending|popular|teaser|more-|readnext|read-next|alsolike|also-like|"
    "carousel|latest|testimonial|quote|listing|menu|forumlist|forum-list|review-"
).split("|")
_OTHERS = "respon|sidebar|widget|footer|newsletter|promo|card|nav".split("|")
_FOREIGN_CLASS = lazy_pattern(
    r"respon(?:d|se)|"
    r"(?<!with)(?<!has)(?<!no)(?<!with[-_])(?<!has[-_])(?<!no[-_])sidebar(?!-left|-right)|"
    r"(?<!elementor-)(?<!wrapper_)(?<!\bcel)widget|footer|newsletter(?!-post)|promo(?!ted)|"
    r"(?<!\bv)(?<!\bh-)(?<!message)card(?:s|-|_|$| )|card-?list|\bnav"
)
# The article of WordPress, whose classes name its categories, too.
_ENTRY = lazy_pattern(r"\bhentry\b")
# What tells of the author: only an element that is the name is read there.
_BIOGRAPHY = lazy_pattern(r"author-?(?:bio|box|desc|card)|about-?(?:the-?)?author")
# The footers of an article: of an element within one (a part of its class), and of `<footer>` itself.
_ENTRY_FOOTER = lazy_pattern(r"\b(?:entry|post|article|story)[\w-]*[-_]footer[\w-]*")
_OWN_FOOTER = lazy_pattern(r"\b(?:entry|post|article)[-_]|\bmeta\b|[-_]meta\b", re.I)
_ANSWER = lazy_pattern(r"(?:Comment|Answer)$")
_MODIFIED = ("updat", "modif", "aktuali", "обновл", "edited")
_NAME_CLASS = lazy_pattern(r"name|link|^(?:\S+ )?(?:[\w-]*[_-])?author$|^(?:\S+ )?byline$|fn\b|vcard\b", re.I)


class PageElements:
    """What the elements of a page hold: the title of its window, the texts of its `headings` h1, those of them that
    lead to the front page (`site_names`), its headings h2 if all h1 are beside its text (`lower_headings`), the
    language that `<html>` declares, the canonical address, the name and the content of each `<meta>`, and statements by
    source."""

    def __init__(self, table: PageTable, found: Survey) -> None:
        self.table = table
        self.window_title = next((title for title, in_drawing in found.titles if not in_drawing and title.strip()), "")
        self.tags, self.linked_data = [*found.metas], found.linked_data
        self.headings: list[str] = []
        self.site_names: list[str] = []
        self.lower_headings: list[str] = []
        self.language = table.attribute_of(0, "lang") or table.attribute_of(0, "xml:lang") or ""
        self.canonical = ""
        self.statements: dict[str, Statements] = {}
        self._distances: tuple[dict[int, int], dict[int, int]] = ({}, {})

    def add(self, source: str, name: str, text: str | None, evidence: str) -> None:
        """Adds what an element says of a field."""
        text = " ".join((text or "").split())
        statements = self.statements.setdefault(source, {}).setdefault(name, [])
        # an element that two selectors find comes twice
        if text and len(statements) < MAX_ELEMENTS and (text, evidence) not in statements:
            statements.append((text, evidence))

    def own_text(self, row: int, may_be_empty: bool = False) -> tuple[str, str] | None:
        """The text of an element, and its class and id; None if it is not the page's own, or too long, or empty but for
        attributes. *may_be_empty*: of an item, whose name may be in a `<meta>`."""
        table = self.table
        if _GROUPS[table.tag[row]] & _NO_TEXT:
            return None
        named = f"{table.attribute_of(row, 'class') or ''} {table.attribute_of(row, 'id') or ''}".strip()
        is_name = is_name_class(named)
        if is_foreign_name(named, is_name) or self.is_foreign(row, is_name):
            return None
        if table.end[row] - row > 8 * MAX_CHARS:  # elements in each other would be read again and again
            return None
        text = text_of_element(table, row)
        if len(text) > 8 * MAX_CHARS:
            return None
        text = " ".join(text.split())
        has_text = 0 < len(text) <= MAX_CHARS or may_be_empty and not text
        if has_text or table.attribute_of(row, "content") or table.attribute_of(row, "datetime"):
            return text, named
        return None

    def is_foreign(self, row: int, is_name: bool = False) -> bool:
        """Whether an ancestor of an element, below `<body>`, says that it is not the page's own; *is_name*: of one that
        is a name."""
        table, known = self.table, self._distances[is_name]
        path: list[int] = []
        above, distance = table.parent[row], _FAR
        while above >= 0 and not _GROUPS[table.tag[above]] & _END:
            if above in known:
                distance = known[above]
                break
            path.append(above)
            if _is_foreign_element(table, above, is_name):
                distance = -1
                break
            above = table.parent[above]
        for one in reversed(path):
            distance = known[one] = distance + 1
        return distance < MAX_ANCESTORS


def page_elements(table: PageTable, found: Survey) -> PageElements:
    """The elements of a page that hold metadata, except those that only their class tells. *found*: its survey."""
    out = PageElements(table, found)
    headings: list[int] = []
    visible = 0  # elements that are read
    for row in metadata_rows(table):
        tag = table.tag[row]
        if tag == _META:
            _read_tag(out, row)
        elif tag == _LINK:
            rel, href = (out.table.attribute_of(row, "rel") or "").lower(), out.table.attribute_of(row, "href") or ""
            if rel == "canonical":
                out.canonical = out.canonical or href
            elif "license" in rel.split():
                out.add("microdata", "license", href, "rel=license")
        elif tag == _H1:
            if len(headings) < MAX_ELEMENTS:
                headings.append(row)
        elif visible < 4 * MAX_ELEMENTS:
            visible += _read_marked(out, row)
    own = [row for row in headings if not out.is_foreign(row)]
    for row in own or headings:
        _read_heading(out, row)
    if not own:
        _drop_menu(out)
    if out.headings and not own:
        rows = rows_with(table, _H2, 0, 0, table.size)[:MAX_ELEMENTS]
        out.lower_headings = [line(read_heading(table, row)[0]) for row in rows if not out.is_foreign(row)]
    return out


def text_of_element(table: PageTable, row: int) -> str:
    """The texts in an element, with spaces between them."""
    return " ".join([table.text_of(at) for at in range(row, table.end[row]) if table.tag[at] == TEXT]).strip()


def _is_foreign_element(table: PageTable, row: int, is_name: bool) -> bool:
    """Whether an element says that what it has is not the page's own."""
    named = f"{table.attribute_of(row, 'class') or ''} {table.attribute_of(row, 'id') or ''}"
    if _GROUPS[table.tag[row]] & _FOREIGN and not (table.tag[row] == _FOOTER and is_own_footer(named)):
        return True
    return is_foreign_name(named, is_name) or is_answer(table.attribute_of(row, "itemtype") or "")


def _read_tag(out: PageElements, row: int) -> None:
    """Reads a tag that is no meta field of the head: an item, or what HTTP would say."""
    table = out.table
    content = (table.attribute_of(row, "content") or "")[: 10 * MAX_CHARS]
    if content and table.attribute_of(row, "http-equiv"):
        out.tags.append(("content-language", content))
    for name in (table.attribute_of(row, "itemprop") or "").lower().split():
        if (place := _ITEM_FIELDS.get(name)) and not out.is_foreign(row):
            out.add("microdata", place, content, "itemprop")


def _read_marked(out: PageElements, row: int) -> bool:
    """Reads an element with a time, a relation or a property; whether it has any that is known."""
    table = out.table
    is_time = table.tag[row] == _TIME
    properties, relations = table.attribute_of(row, "itemprop") or "", table.attribute_of(row, "rel")
    places = _places(properties, table.attribute_of(row, "property") or "")
    if not places and not relations and not is_time:  # for speed: most
        return False
    rel = (relations or "").lower().split()
    if "license" in rel:
        out.add("microdata", "license", table.attribute_of(row, "href"), "rel=license")
        return True
    if not places and not is_time and "author" not in rel:
        return False
    if (read := out.own_text(row, "author" in places)) is None:
        return False
    text, named = read
    for place in places:
        shown = _name_in(table, row, text) if place == "author" else text
        value = table.attribute_of(row, "content") or table.attribute_of(row, "datetime") or shown
        out.add("microdata", place, value, "itemprop")
    if "author" in rel:
        out.add("rel-author", "author", text, "rel=author")
    if is_time:
        when = table.attribute_of(row, "datetime") or table.attribute_of(row, "content") or text
        out.add("time", "modified" if is_update(f"{named} {text} {properties}") else "date", when, "time")
    return True


@lru_cache(maxsize=1024)  # sites repeat theirs
def _places(properties: str, relations: str) -> tuple[str, ...]:
    """The fields that the properties of microdata and RDFa of an element say."""
    names = f"{properties} {relations}".lower().split()
    return tuple(place for name in names if (place := _ITEM_FIELDS.get(name.rpartition(":")[2])))


def _name_in(table: PageTable, row: int, text: str) -> str:
    """The first name in an item with this *text* that is an author."""
    for at in range(row, table.end[row]):
        if table.tag[at] >= 0 and (
            (table.attribute_of(at, "itemprop") or "").lower() == "name"
            or (table.attribute_of(at, "property") or "").lower().endswith("name")
        ):
            return table.attribute_of(at, "content") or text_of_element(table, at)
    return text


def _read_heading(out: PageElements, row: int) -> None:
    """Reads a heading. One whose first link leads to the front page of a site is its name."""
    text, href = read_heading(out.table, row)
    heading = " ".join(text[: 10 * MAX_CHARS].replace("\xad", "").split()).strip(" ¶#")
    if not heading:
        return
    if "&" in heading:  # written twice: "Rain &amp;amp; snow"
        heading = unescape(heading)
    leads_home = href is not None and _FRONT_PAGE.fullmatch(href.strip())
    (out.site_names if leads_home else out.headings).append(heading)


def read_heading(table: PageTable, row: int) -> tuple[str, str | None]:
    """The text of a heading without buttons, labels and notes, with spaces between its parts if these are lines or
    blocks, and the address that its first link leads to."""
    texts: list[str] = []
    separator, href, has_link = "", None, False
    own_end = row  # of what is none of the heading
    for at in range(row + 1, table.end[row]):
        tag = table.tag[at]
        if tag == TEXT:
            if at >= own_end:
                texts.append(table.text_of(at))
        elif tag >= 0:
            if _GROUPS[tag] & _APART:
                separator = " "
            elif tag == _A and not has_link and (table.flags[at] & HREF or "xlink:href" in table.attributes_of(at)):
                href, has_link = table.attribute_of(at, "href"), True
            if at >= own_end and _is_beside(table, at):
                own_end = table.end[at]
    return separator.join(texts), href


def _is_beside(table: PageTable, row: int) -> bool:
    """Whether an element in a heading is none of it: a button, the label of a thread, a note of LaTeXML."""
    name = table.attribute_of(row, "class") or ""
    return table.tag[row] == _BUTTON or name.startswith(("label ", "ltx_note "))


def _drop_menu(out: PageElements) -> None:
    """Drops the headings that are the name of a manual, in its menu, which is that of its site."""
    if out.headings and (parts := title_parts(out.window_title)):
        name = title_key(parts[1])
        if left := [heading for heading in out.headings if title_key(heading) == name]:
            out.site_names = [*out.site_names, left[0]]
            out.headings = [heading for heading in out.headings if heading not in left]


@lru_cache(maxsize=4096)  # pages repeat their classes, and sites theirs
def is_foreign_name(named: str, is_name: bool = False) -> bool:
    """Whether a class and an id say that an element is not the page's own; *is_name*: of one that is a name."""
    rest = named.lower()
    if "hentry" in named and _ENTRY.search(named):
        return False
    if "author" in rest:
        if not is_name and _BIOGRAPHY.search(rest):
            return True
        rest = _BIOGRAPHY.sub("", rest) if is_name else rest
    rest = _ENTRY_FOOTER.sub("", rest) if "footer" in rest else rest
    if any(map(rest.__contains__, _CERTAIN)):
        return True
    return any(map(rest.__contains__, _OTHERS)) and _FOREIGN_CLASS.search(rest) is not None


def is_answer(item_type: str) -> bool:
    """Whether an item is what a reader writes."""
    return _ANSWER.search(item_type) is not None


def is_name_class(named: str) -> bool:
    """Whether a class and an id say that an element is a name."""
    return _NAME_CLASS.search(named) is not None


def is_own_footer(named: str) -> bool:
    """Whether a class and an id say that a footer is that of the article."""
    return _OWN_FOOTER.search(named) is not None


def is_update(text: str) -> bool:
    """Whether a text and classes say that a time is that of a change."""
    return any(map(text.lower().__contains__, _MODIFIED))
