"""Names and days of a page that only the classes of its elements, or the markup of a forum, tell.

table = table_of(parse_html("<p class=entry-byline>By Ann Lee").root)
page = page_elements(table, survey(table))
read_bylines(page), page.statements    # (True, {"byline": {"author": [("By Ann Lee", "class entry-byline")]}})
"""

from __future__ import annotations

import re

from ...native.element_names import number_of_tag, tag_groups
from ...native.page_table import PageTable
from ...text.lazy_pattern import lazy_pattern
from ..tree.survey import byline_rows
from .dates import iso_day, unix_day
from .page_elements import MAX_ANCESTORS, MAX_ELEMENTS, PageElements, is_name_class

MAX_USER_CHARS = 40
# What begins as the word for an author and is none.
_AUTHORIZED = lazy_pattern(r"authori[sz]", re.I)
# Elements that name no user, and those of which a name in them is not the one who posts.
_NO_USER, _MENU = 1, 2
_GROUPS = tag_groups({_NO_USER: "input label form textarea button", _MENU: "header nav form aside footer blockquote"})
_A = number_of_tag("a")
# The classes of names of users in the markup of forums: in any case, in this case, of links; that of Hacker News.
_USERS, _USERS_IN_CASE = frozenset("username bigusername post-author author-name".split()), "PostUser-name"
_USER_LINK, _ACCOUNT = "author", "hnuser"
# The time of a post that a script will show: of Reddit, Hacker News, Facebook, Discourse.
_STAMPS = ("created-timestamp", "data-utime", "data-time", "title")


def read_bylines(out: PageElements) -> bool:
    """Adds the elements whose class says that they name the author, and returns whether there are bylines."""
    for row in byline_rows(out.table)[: 4 * MAX_ELEMENTS]:
        if _AUTHORIZED.search(out.table.attribute_of(row, "class") or ""):
            continue
        if (read := out.own_text(row)) is not None:
            text, named = read
            # a name and the date are all that such an element has
            is_name = is_name_class(named) or len(text) <= MAX_USER_CHARS and iso_day(text)
            out.add("byline", "name" if is_name else "author", text, _evidence(named))
    return "byline" in out.statements


def read_poster(out: PageElements) -> None:
    """Adds the first name of a user on a page of a forum."""
    table = out.table
    for row in (
        _users(table) or [row for row in range(table.size) if table.tag[row] >= 0 and _ACCOUNT in _classes(table, row)]
    )[:MAX_ELEMENTS]:
        text = " ".join(table.text_below(row).split())
        if not _GROUPS[table.tag[row]] & _NO_USER and 0 < len(text) <= MAX_USER_CHARS and not _is_in_menu(table, row):
            out.add("byline", "user", text.removeprefix("@"), _evidence(table.attribute_of(row, "class") or ""))
            break


def day_of_post(table: PageTable) -> tuple[str, str] | None:
    """The day of the first post on a page of a forum that has it in an attribute alone, and its evidence."""
    rows = (row for row in range(table.size) if table.tag[row] >= 0)
    attributes = next(filter(_has_stamp, map(table.attributes_of, rows)), {})
    for name in _STAMPS:
        if (stamp := attributes.get(name)) and (day := iso_day(stamp) or unix_day(stamp)):
            return day, name
    return None


def _evidence(named: str) -> str:
    return f"class {named.split()[0]}"[:60]


def _users(table: PageTable) -> list[int]:
    """The elements whose class says that they name a user; one of several such classes as often."""
    out: list[int] = []
    for row in range(table.size):
        if table.tag[row] >= 0 and (classes := _classes(table, row)):
            in_lower = {name.lower() for name in classes}
            is_link = table.tag[row] == _A and _USER_LINK in in_lower
            out += [row] * (len(_USERS & in_lower) + (_USERS_IN_CASE in classes) + is_link)
    return out


def _classes(table: PageTable, row: int) -> list[str]:
    return (table.attribute_of(row, "class") or "").split()


def _has_stamp(attributes: dict[str, str | None]) -> bool:
    """Whether an element has the time of a post in an attribute."""
    if "created-timestamp" in attributes or "data-utime" in attributes:
        return True
    classes = (attributes.get("class") or "").split()
    return "age" in classes and "title" in attributes or "relative-date" in classes and "data-time" in attributes


def _is_in_menu(table: PageTable, row: int) -> bool:
    """Whether an element is in the header of the page."""
    above, left = table.parent[row], MAX_ANCESTORS
    while above >= 0 and left > 0:
        if _GROUPS[table.tag[above]] & _MENU:
            return True
        above, left = table.parent[above], left - 1
    return False
