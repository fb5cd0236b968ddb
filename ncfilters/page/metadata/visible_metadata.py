"""The elements of a page that may say what its metadata are: tags, JSON-LD, headings, microdata, bylines, times.

page = parse_html('<p class=byline>By <a rel=author>Ann Lee</a>')
page_elements(search_page(page)).statements
# {'rel-author': {'author': [('Ann Lee', 'rel=author')]}, 'byline': {'author': [('By Ann Lee', 'class byline')]}}
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import lru_cache
from html import unescape
from typing import TYPE_CHECKING, Any

from ...text.lazy_pattern import lazy_pattern
from ..page_search import BYLINES, ELEMENTS, USERS
from ..present_selectors import Search
from .author_names import author_names, is_full_name
from .dates import iso_day, unix_day
from .element_reading import MAX_ANCESTORS, read_heading
from .site_name import title_key, title_parts
from .structured_data import Statements
from .telling_names import is_authorized, is_foreign, is_foreign_name, is_name_class, is_update

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

# Elements of one kind that are read, and characters of a text.
MAX_ELEMENTS, MAX_CHARS = 40, 200

_NO_USER_TAGS = frozenset("input label form textarea button".split())
MAX_USER_CHARS = 40
# Names without a sign between them that are read as one.
MAX_JOINED = 4

# What names a user in forums with markup of their own: Hacker News.
_ACCOUNTS = ".hnuser"
# The time of a post that a script will show: of Reddit, Hacker News, Facebook, Discourse; and the attributes with it.
_STAMPED = "[created-timestamp],.age[title],[data-utime],.relative-date[data-time]"
_STAMPS = ("created-timestamp", "data-utime", "data-time", "title")

# The property of microdata and RDFa → the field that it says.
_ITEM_FIELDS = {
    "author": "author",
    "creator": "author",
    "datepublished": "date",
    "datemodified": "modified",
    "headline": "title",
}
_NO_TEXT_TAGS = frozenset("style script body html main article form input textarea img svg".split())
_FRONT_PAGE = lazy_pattern(r"(?:https?:)?//[^/?#]+/?|\.?/")


class PageElements:
    """What the elements of a page hold: the title of its window, the texts of its `headings` h1, those of them that
    lead to the front page (`site_names`), the language that `<html>` declares, the canonical address, and statements
    by source; and the name and the content of each `<meta>` and the texts of JSON-LD, where the core does not read
    these."""

    # no dataclass: to make one takes 0.5 ms of the start-up
    def __init__(
        self,
        window_title: str = "",
        tags: Sequence[tuple[str | None, str | None]] = (),
        linked_data: Sequence[str] = (),
    ) -> None:
        self.window_title = window_title
        self.headings: list[str] = []
        self.site_names: list[str] = []
        self.language = self.canonical = ""
        self.statements: dict[str, Statements] = {}
        self.tags, self.linked_data = [*tags], linked_data

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PageElements) and self._read() == other._read()

    def _read(self) -> dict[str, Any]:
        """What the core reads as well."""
        return {name: value for name, value in vars(self).items() if name not in ("tags", "linked_data")}

    def say(self, source: str, name: str, text: str | None, evidence: str) -> None:
        """Adds what an element says of a field."""
        text = " ".join((text or "").split())
        statements = self.statements.setdefault(source, {}).setdefault(name, [])
        # an element that two selectors find comes twice
        if text and len(statements) < MAX_ELEMENTS and (text, evidence) not in statements:
            statements.append((text, evidence))


def page_elements(search: Search) -> PageElements:
    """The elements of a page that hold metadata, except those that only their class tells."""
    tree, found = search.tree, search.survey
    title = next((title for title, in_drawing in found.titles if not in_drawing and title.strip()), "")
    out = PageElements(title, found.metas, found.linked_data)
    if tree.root is not None:
        attributes = tree.root.attributes
        out.language = attributes.get("lang") or attributes.get("xml:lang") or ""
    _read_elements(out, search)
    return out


def read_bylines(out: PageElements, search: Search) -> bool:
    """Adds the elements whose class says that they name the author, and returns whether there are bylines."""
    for node in search.nodes(BYLINES)[: 4 * MAX_ELEMENTS]:
        if is_authorized(node.attributes.get("class") or ""):
            continue
        if (read := _own_text(node, node.attributes)) is not None:
            text, named = read
            # a name and the date are all that such an element has
            is_name = is_name_class(named) or len(text) <= MAX_USER_CHARS and iso_day(text)
            out.say("byline", "name" if is_name else "author", text, _class(named))
    return "byline" in out.statements


def _read_elements(out: PageElements, search: Search) -> None:
    """Adds what `page_elements` finds by selectors."""
    headings: list[LexborNode] = []
    visible = 0  # elements that are read
    for node in search.nodes(ELEMENTS):
        tag = node.tag
        if tag == "meta":
            _read_tag(out, node)
        elif tag == "link":
            _read_link(out, node)
        elif tag == "h1":
            if len(headings) < MAX_ELEMENTS:
                headings.append(node)
        elif visible < 4 * MAX_ELEMENTS:
            visible += _read_marked(out, node, tag or "")
    own = [node for node in headings if not is_foreign(node)]
    for node in own or headings:
        _read_heading(out, node)
    if not own:
        drop_menu(out)


def read_poster(out: PageElements, search: Search) -> None:
    """Adds the first name of a user on a page of a forum."""
    for node in (search.nodes(USERS) or search.tree.css(_ACCOUNTS))[:MAX_ELEMENTS]:
        text = " ".join((node.text(deep=True) or "").split())
        if node.tag not in _NO_USER_TAGS and 0 < len(text) <= MAX_USER_CHARS and not _is_in_menu(node):
            out.say("byline", "user", text.removeprefix("@"), _class(node.attributes.get("class") or ""))
            break


def names_apart(search: Search, name: str) -> list[str]:
    """The full names that the *name* in a byline is made of, if each has an element or a line of its own; else *name*
    alone."""
    for node in search.nodes(BYLINES)[:MAX_ELEMENTS]:
        if _has_many_nodes(node):
            continue
        nodes = (below for below in node.traverse(include_text=True) if below.tag == "-text")
        texts = list(filter(None, (" ".join((below.text() or "").split()) for below in nodes)))
        for start, count in itertools.product(range(len(texts)), range(2, MAX_JOINED + 1)):
            names = [*author_names(texts[start]), *texts[start + 1 : start + count]]
            if " ".join(names) == name:
                return names if all(is_full_name(one) and author_names(one) == [one] for one in names) else [name]
    return [name]


def day_of_post(search: Search) -> tuple[str, str] | None:
    """The day of the first post on a page of a forum that has it in an attribute alone, and its evidence."""
    node = search.tree.css_first(_STAMPED)
    attributes = node.attributes if node is not None else {}
    for name in _STAMPS:
        if (stamp := attributes.get(name)) and (day := iso_day(stamp) or unix_day(stamp)):
            return day, name
    return None


def names_of_paper(search: Search) -> list[str]:
    """The texts of the elements with the names of authors on a page that LaTeXML has made of a paper: each up to the
    first line break, without the numbers of notes."""
    out = []
    for node in search.tree.css(".ltx_personname")[:MAX_ELEMENTS]:
        if _has_many_nodes(node):
            continue
        parts = itertools.takewhile(lambda child: child.tag != "br", node.iter(include_text=True))
        out.append("".join("," if child.tag == "sup" else child.text(deep=True) for child in parts)[:MAX_CHARS])
    return out


def _is_in_menu(node: LexborNode) -> bool:
    """Whether an element is in the header of the page."""
    around, left = node.parent, MAX_ANCESTORS
    while around is not None and left > 0:
        if around.tag in ("header", "nav", "form", "aside", "footer", "blockquote"):
            return True
        around, left = around.parent, left - 1
    return False


def _class(named: str) -> str:
    return f"class {named.split()[0]}"[:60]


def _read_tag(out: PageElements, node: LexborNode) -> None:
    """Reads a tag that is no meta field of the head: an item, or what HTTP would say."""
    attributes = node.attributes
    content = (attributes.get("content") or "")[: 10 * MAX_CHARS]
    if attributes.get("http-equiv") and content:
        out.tags.append(("content-language", content))
    for name in (attributes.get("itemprop") or "").lower().split():
        if (place := _ITEM_FIELDS.get(name)) and not is_foreign(node):
            out.say("microdata", place, content, "itemprop")


def _read_link(out: PageElements, node: LexborNode) -> None:
    attributes = node.attributes
    rel, href = (attributes.get("rel") or "").lower(), attributes.get("href") or ""
    if rel == "canonical":
        out.canonical = out.canonical or href
    elif "license" in rel.split():
        out.say("microdata", "license", href, "rel=license")


def _read_marked(out: PageElements, node: LexborNode, tag: str) -> bool:
    """Reads an element with a time, a relation or a property; whether it has any that is known."""
    attributes = node.attributes
    places = _places(attributes.get("itemprop") or "", attributes.get("property") or "")
    relations = attributes.get("rel")
    if not places and not relations and tag != "time":  # for speed: most
        return False
    rel = (relations or "").lower().split()
    if "license" in rel:
        out.say("microdata", "license", attributes.get("href"), "rel=license")
        return True
    if not places and tag != "time" and "author" not in rel:
        return False
    if (read := _own_text(node, attributes, "author" in places)) is None:
        return False
    text, named = read
    for place in places:
        _say_item(out, node, attributes, place, text)
    if "author" in rel:
        out.say("rel-author", "author", text, "rel=author")
    if tag == "time":
        when = attributes.get("datetime") or attributes.get("content") or text
        field = "modified" if is_update(f"{named} {text} {attributes.get('itemprop') or ''}") else "date"
        out.say("time", field, when, "time")
    return True


@lru_cache(maxsize=1024)  # sites repeat theirs
def _places(properties: str, relations: str) -> tuple[str, ...]:
    """The fields that the properties of microdata and RDFa of an element say."""
    said = f"{properties} {relations}".lower().split()
    return tuple(place for name in said if (place := _ITEM_FIELDS.get(name.rpartition(":")[2])))


def _own_text(
    node: LexborNode, attributes: dict[str, str | None], may_be_empty: bool = False
) -> tuple[str, str] | None:
    """The text of an element, and its class and id; None if it is not the page's own, or too long, or empty but for
    attributes. *may_be_empty*: of an item, whose name may be in a `<meta>`."""
    if node.tag in _NO_TEXT_TAGS:
        return None
    named = f"{attributes.get('class') or ''} {attributes.get('id') or ''}".strip()
    is_name = is_name_class(named)
    if is_foreign_name(named, is_name) or is_foreign(node, is_name):
        return None
    if _has_many_nodes(node):
        return None
    text = (node.text(deep=True, separator=" ") or "").strip()
    if len(text) > 8 * MAX_CHARS:
        return None
    text = " ".join(text.split())
    has_text = 0 < len(text) <= MAX_CHARS or may_be_empty and not text
    return (text, named) if has_text or attributes.get("content") or attributes.get("datetime") else None


def _has_many_nodes(node: LexborNode) -> bool:
    """Whether an element is too large for a name or a day: elements in each other would be read again and again."""
    nodes = (below for below in node.traverse(include_text=True) if below.tag != "-comment")
    return next(itertools.islice(nodes, 8 * MAX_CHARS, None), None) is not None


def _say_item(out: PageElements, node: LexborNode, attributes: dict[str, str | None], place: str, text: str) -> None:
    """Reads an element with a property of microdata or RDFa."""
    if place == "author":
        inner = node.css_first('[itemprop="name" i],[property$="name" i]')
        if inner is not None:
            text = inner.attributes.get("content") or inner.text(deep=True, separator=" ") or ""
    out.say("microdata", place, attributes.get("content") or attributes.get("datetime") or text, "itemprop")


def _read_heading(out: PageElements, node: LexborNode) -> None:
    """Reads a heading. One whose first link leads to the front page of a site is its name."""
    if found := _heading_of(*read_heading(node)):
        heading, leads_home = found
        (out.site_names if leads_home else out.headings).append(heading)


def _heading_of(text: str, href: str | None) -> tuple[str, bool] | None:
    """The heading with a text, and whether its link leads to the front page of a site; None if it is empty."""
    heading = _once(text[: 10 * MAX_CHARS].split()).strip(" ¶#")
    if not heading:
        return None
    if "&" in heading:  # written twice: "Rain &amp;amp; snow"
        heading = unescape(heading)
    return heading, href is not None and _FRONT_PAGE.fullmatch(href.strip()) is not None


def _once(words: list[str]) -> str:
    """*words*, or the first part of them if they are that part two or three times, as for several widths of the window;
    twice two words may be a name (New York New York)."""
    for times, least in ((2, 3), (3, 2)):
        part = len(words) // times
        if part >= least and words[:-part] == words[part:]:
            return " ".join(words[:part])
    return " ".join(words)


def drop_menu(out: PageElements) -> None:
    """Drops the headings that are the name of a manual, in its menu, which is that of its site."""
    if out.headings and (parts := title_parts(out.window_title)):
        name = title_key(parts[1])
        if left := [heading for heading in out.headings if title_key(heading) == name]:
            out.site_names = [*out.site_names, left[0]]
            out.headings = [heading for heading in out.headings if heading not in left]
