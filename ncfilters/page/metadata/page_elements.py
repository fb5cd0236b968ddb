"""The elements of a page that say what its metadata are: tags, headings, microdata, relations, times, classes.

    table = table_of(parse_html('<p>By <a rel=author>Ann Lee</a><h1>Rain</h1>').root)
    page = page_elements(table, survey(table))
    page.said.of("author"), page.headings    # ([('rel-author', 'Ann Lee', 'rel=author')], ['Rain'])

Where nothing better says them, names and days are read that only classes, or the markup of a forum, tell:
`read_bylines`, `first_post`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from html import unescape

from ...head import CURRENCY, FIELDS
from ...native.element_names import HREF, TEXT, number_of_tag, tag_groups
from ...native.page_table import PageTable
from ...record import Record
from ...text.lazy_pattern import lazy_pattern
from ...words import bylines as words
from ..tree.survey import Survey, byline_rows, metadata_rows, rows_with
from .dates import iso_day, unix_day
from .declarations import BYLINE, ITEMS, RELATED, TIME, Statements, line
from .titles import title_key, title_parts

# Elements of one kind that are read, characters of a text and of the name of a user.
MAX_ELEMENTS, MAX_CHARS, MAX_USER_CHARS = 40, 200, 40
# The property of microdata and RDFa → the field that it says.
_ITEM_FIELDS = {name: field.name for field in (*FIELDS, CURRENCY) for name in field.items.split()}
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

# In small letters, because a pattern that ignores case takes twice as long to compile.
_FOREIGN_PLACES = lazy_pattern(words.FOREIGN_PLACES)
# The article of WordPress, whose classes name its categories, too.
_ENTRY = lazy_pattern(r"\bhentry\b")
# What tells of the author: only an element that is the name is read there.
_BIOGRAPHY = lazy_pattern(r"author-?(?:bio|box|desc|card)|about-?(?:the-?)?author")
# The footers of an article: of an element within one (a part of its class), and of `<footer>` itself.
_ENTRY_FOOTER = lazy_pattern(r"\b(?:entry|post|article|story)[\w-]*[-_]footer[\w-]*")
_OWN_FOOTER = lazy_pattern(r"\b(?:entry|post|article)[-_]|\bmeta\b|[-_]meta\b", re.I)
_NAME_CLASS = lazy_pattern(r"name|link|^(?:\S+ )?(?:[\w-]*[_-])?author$|^(?:\S+ )?byline$|fn\b|vcard\b", re.I)
# What begins as the word for an author and is none.
_AUTHORIZED = lazy_pattern(r"authori[sz]", re.I)
# The attributes with the time of a post that a script will show: of Reddit, Facebook, Discourse.
_STAMPS = ("created-timestamp", "data-utime", "data-time")
# What a time says that is that of a change.
_CHANGES = (*words.CHANGES, "edited")


class PageElements:
    """What the elements of a page hold: the title of its window, the texts of its `headings` h1, those of them that
    lead to the front page (`site_names`), its headings h2 if all h1 are beside its text (`lower_headings`), the
    language that `<html>` declares, the canonical address, the name and the content of each `<meta>`, and what they
    say."""

    def __init__(self, table: PageTable, found: Survey) -> None:
        self.table = table
        self.window_title = next((title for title, in_drawing in found.titles if not in_drawing and title.strip()), "")
        self.tags, self.linked_data = [*found.metas], found.linked_data
        self.headings: list[str] = []
        self.site_names: list[str] = []
        self.lower_headings: list[str] = []
        self.language = table.attribute_of(0, "lang") or table.attribute_of(0, "xml:lang") or ""
        self.canonical = ""
        self.said = Statements()
        self._foreign: tuple[dict[int, bool], dict[int, bool]] = ({}, {})

    def add(self, source: str, field: str, text: str | None, evidence: str) -> None:
        """Adds what an element says of a field."""
        text = " ".join((text or "").split())
        known = self.said.by_source.get(source, {}).get(field, ())
        # an element that two selectors find comes twice
        if text and len(known) < MAX_ELEMENTS and (text, evidence) not in known:
            self.said.add(source, field, text, evidence)

    def own_text(self, row: int, may_be_empty: bool = False) -> tuple[str, str] | None:
        """The text of an element, and its class and id; None if it is not the page's own, or too long, or empty but for
        attributes. *may_be_empty*: of an item, whose name may be in a `<meta>`."""
        table = self.table
        if _GROUPS[table.tag[row]] & _NO_TEXT:
            return None
        named = _class_and_id(table, row).strip()
        is_name = _NAME_CLASS.search(named) is not None
        if is_foreign_name(named, is_name) or self.is_foreign(row, is_name):
            return None
        if table.end[row] - row > 8 * MAX_CHARS:  # elements in each other would be read again and again
            return None
        text = _text_of(table, row)
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
        table, known = self.table, self._foreign[is_name]
        path: list[int] = []
        above, is_foreign = table.parent[row], False
        while above >= 0 and not is_foreign and not _GROUPS[table.tag[above]] & _END:
            if above in known:
                is_foreign = known[above]
                break
            path.append(above)
            is_foreign = _is_foreign_element(table, above, is_name)
            above = table.parent[above]
        known.update(dict.fromkeys(path, is_foreign))
        return is_foreign


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
            rel, href = (table.attribute_of(row, "rel") or "").lower(), table.attribute_of(row, "href") or ""
            if rel == "canonical":
                out.canonical = out.canonical or href
            elif "license" in rel.split():
                out.add(ITEMS, "license", href, "rel=license")
        elif tag == _H1:
            if len(headings) < MAX_ELEMENTS:
                headings.append(row)
        elif visible < 4 * MAX_ELEMENTS:
            visible += _read_marked(out, row)
    own = [row for row in headings if not out.is_foreign(row)]
    for row in own or headings:
        _read_heading(out, row)
    if out.headings and not own:
        _drop_menu(out)
    if out.headings and not own:
        rows = rows_with(table, _H2, 0, 0, table.size)[:MAX_ELEMENTS]
        out.lower_headings = [line(_heading(table, row)[0]) for row in rows if not out.is_foreign(row)]
    return out


def read_bylines(out: PageElements) -> bool:
    """Adds the elements whose class says that they name the author, and returns whether there are bylines."""
    for row in byline_rows(out.table)[: 4 * MAX_ELEMENTS]:
        if _AUTHORIZED.search(out.table.attribute_of(row, "class") or ""):
            continue
        if (read := out.own_text(row)) is not None:
            text, named = read
            # a name and the date are all that such an element has
            is_name = _NAME_CLASS.search(named) or len(text) <= MAX_USER_CHARS and iso_day(text)
            out.add(BYLINE, "name" if is_name else "author", text, f"class {named.split()[0]}"[:60])
    return BYLINE in out.said.by_source


def first_post(table: PageTable) -> Record:
    """The author and the date of the first post in a forum whose posts have no elements of their own (see
    `post_blocks`), as far as classes of names and attributes with times tell them."""
    out: Record = {}
    for row in range(table.size):
        attributes = table.attributes_of(row) if table.tag[row] >= 0 else {}
        classes = (attributes.get("class") or "").lower().split()
        if "author" not in out and (
            not words.USERS.isdisjoint(classes) or table.tag[row] == _A and "author" in classes
        ):
            text = " ".join(table.text_below(row).split())
            out |= {"author": text.removeprefix("@")} if 0 < len(text) <= MAX_USER_CHARS else {}
        stamp = next(filter(None, map(attributes.get, _STAMPS)), None)
        if "date" not in out and stamp and (day := iso_day(stamp) or unix_day(stamp)):
            out["date"] = day
    return out


def _class_and_id(table: PageTable, row: int) -> str:
    return f"{table.attribute_of(row, 'class') or ''} {table.attribute_of(row, 'id') or ''}"


def _text_of(table: PageTable, row: int) -> str:
    """The texts in an element, with spaces between them."""
    return " ".join([table.text_of(at) for at in range(row, table.end[row]) if table.tag[at] == TEXT]).strip()


def _is_foreign_element(table: PageTable, row: int, is_name: bool) -> bool:
    """Whether an element says that what it has is not the page's own."""
    named = _class_and_id(table, row)
    if _GROUPS[table.tag[row]] & _FOREIGN and not (table.tag[row] == _FOOTER and _OWN_FOOTER.search(named)):
        return True
    is_of_reader = (table.attribute_of(row, "itemtype") or "").endswith(("Comment", "Answer"))
    return is_of_reader or is_foreign_name(named, is_name)


def _read_tag(out: PageElements, row: int) -> None:
    """Reads a tag that is no meta field of the head: an item, or what HTTP would say."""
    table = out.table
    content = (table.attribute_of(row, "content") or "")[: 10 * MAX_CHARS]
    if content and table.attribute_of(row, "http-equiv"):
        out.tags.append(("content-language", content))
    for field in _item_fields(table.attribute_of(row, "itemprop") or ""):
        if not out.is_foreign(row):
            out.add(ITEMS, field, content, "itemprop")


def _read_marked(out: PageElements, row: int) -> bool:
    """Reads an element with a time, a relation or a property; whether it has any that is known."""
    table = out.table
    is_time = table.tag[row] == _TIME
    properties, relations = table.attribute_of(row, "itemprop") or "", table.attribute_of(row, "rel")
    fields = _item_fields(f"{properties} {table.attribute_of(row, 'property') or ''}")
    if not fields and not relations and not is_time:  # for speed: most
        return False
    rel = (relations or "").lower().split()
    if "license" in rel:
        out.add(ITEMS, "license", table.attribute_of(row, "href"), "rel=license")
        return True
    if not fields and not is_time and "author" not in rel:
        return False
    if (read := out.own_text(row, "author" in fields)) is None:
        return False
    text, named = read
    for field in fields:
        shown = _name_in(table, row, text) if field == "author" else text
        value = table.attribute_of(row, "content") or table.attribute_of(row, "datetime") or shown
        out.add(ITEMS, field, value, "itemprop")
    if "author" in rel:
        out.add(RELATED, "author", text, "rel=author")
    if is_time:
        when = table.attribute_of(row, "datetime") or table.attribute_of(row, "content") or text
        is_change = any(map(f"{named} {text} {properties}".lower().__contains__, _CHANGES))
        out.add(TIME, "modified" if is_change else "date", when, "time")
    return True


@lru_cache(maxsize=1024)  # sites repeat theirs
def _item_fields(properties: str) -> tuple[str, ...]:
    """The fields that properties of microdata and RDFa say."""
    names = [name.rpartition(":")[2] for name in properties.lower().split()]
    return tuple(_ITEM_FIELDS[name] for name in names if name in _ITEM_FIELDS)


def _name_in(table: PageTable, row: int, text: str) -> str:
    """The first name in an item with this *text* that is an author."""
    for at in range(row, table.end[row]):
        if table.tag[at] >= 0 and (
            (table.attribute_of(at, "itemprop") or "").lower() == "name"
            or (table.attribute_of(at, "property") or "").lower().endswith("name")
        ):
            return table.attribute_of(at, "content") or _text_of(table, at)
    return text


def _read_heading(out: PageElements, row: int) -> None:
    """Reads a heading. One whose first link leads to the front page of a site is its name."""
    text, href = _heading(out.table, row)
    heading = " ".join(text[: 10 * MAX_CHARS].replace("\xad", "").split()).strip(" ¶#")
    if not heading:
        return
    if "&" in heading:  # written twice: "Rain &amp;amp; snow"
        heading = unescape(heading)
    leads_home = href is not None and _FRONT_PAGE.fullmatch(href.strip())
    (out.site_names if leads_home else out.headings).append(heading)


def _heading(table: PageTable, row: int) -> tuple[str, str | None]:
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
            # the label of a thread, a note of LaTeXML
            is_beside = tag == _BUTTON or (table.attribute_of(at, "class") or "").startswith(("label ", "ltx_note "))
            if is_beside and at >= own_end:
                own_end = table.end[at]
    return separator.join(texts), href


def _drop_menu(out: PageElements) -> None:
    """Drops the headings that are the name of a manual, in its menu, which is that of its site."""
    if parts := title_parts(out.window_title):
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
    if any(map(rest.__contains__, words.FOREIGN)):
        return True
    return any(map(rest.__contains__, words.MAYBE_FOREIGN)) and _FOREIGN_PLACES.search(rest) is not None
