"""Tables of contents: links that repeat the headings of a page.

    links = [{"text": text, "links": 4, "path": "body/nav/ul/li"} for text in ("Rain", "Snow", "Hail")]
    heads = [{"text": text, "type": "h", "path": "body/h2"} for text in ("1. Rain", "2. Snow", "3. Hail")]
    without_contents(table_of(links + heads), [True] * 6)    # [False, False, False, True, True, True]

Of 179 pages of WCXB whose links lead to their headings, gold text has these links on three. The time is linear in the
page.
"""

from __future__ import annotations

import re
import string

from ..page.blocks.dom_path import HEADING
from ..text.lazy_pattern import lazy_pattern
from .headings import LOWEST_LEVEL, heading_level
from .scored_table import ScoredTable, link_share

# An entry is a text of at most so many characters, of which at least this share is a link.
MAX_ENTRY, LINK_SHARE = 200, 0.8
# At least so many entries are headings, in their order, and this share of those from the first to the last.
MIN_ENTRIES, MIN_SHARE = 3, 0.6
# Characters of the label above ("On this page").
MAX_LABEL = 40
# A label in an element of this name, which a script may fill.
_LABEL = lazy_pattern(r"[.#_-](?:toc|table-?of-?contents?)(?![a-z])[^/]*/[^/]*$", re.I)
# What may be around a heading: its number, and signs of links and ends.
_AROUND = string.digits + string.punctuation + string.whitespace + "¶§–—•·→↓…“”„‘’«»"


def without_contents(table: ScoredTable, kept: list[bool]) -> list[bool]:
    """*kept*, but False for tables of contents whose headings are kept, and for the labels above them. Raises
    RecordError."""
    out = list(kept)
    visible = table.visible
    for first, last in _tables(table, kept):
        for row in visible[first : last + 1]:
            out[row] = False
        if first and _is_label(table, first - 1, last + 1):
            out[visible[first - 1]] = False
    for at, row in enumerate(visible):
        if out[row] and len(table.text[row]) <= MAX_LABEL and _LABEL.search(table.path[row]):
            out[row] = not _is_label(table, at, at + 1)
    return out


def _tables(table: ScoredTable, kept: list[bool]) -> list[tuple[int, int]]:
    """The places in `visible` of the first and the last entry of each table of contents."""
    headings: dict[str, int] = {}
    for row, keep in enumerate(kept):
        if keep and table.type[row] == "h" and HEADING.search(table.path[row]):
            headings.setdefault(_key(table.text[row]), row)
    headings.pop("", None)
    out: list[tuple[int, int]] = []
    links: list[int] = []  # the places of texts in a row that may be entries
    for at, row in enumerate([*table.visible, -1] if len(headings) >= MIN_ENTRIES else []):
        if row >= 0 and _is_link(table, row):
            links.append(at)
        elif links:
            out += _entries(table, links, headings)
            links = []
    return out


def _is_link(table: ScoredTable, row: int) -> bool:
    is_short = 0 < len(table.text[row]) <= MAX_ENTRY
    return is_short and HEADING.search(table.path[row]) is None and link_share(table, [row]) >= LINK_SHARE


def _entries(table: ScoredTable, links: list[int], headings: dict[str, int]) -> list[tuple[int, int]]:
    """The first and the last of some links in a row that are a table of contents, if they are; links with the same
    path beside them are entries, too."""
    found, last = [], -1
    for at in links:
        heading = headings.get(_key(table.text[table.visible[at]]), -1)
        if heading > last:
            found.append(at)
            last = heading
    if len(found) < MIN_ENTRIES or len(found) < MIN_SHARE * (found[-1] + 1 - found[0]):
        return []
    paths = {table.path[table.visible[at]] for at in range(found[0], found[-1] + 1)}
    alike = [at for at in links if table.path[table.visible[at]] in paths]
    return [(alike[0], alike[-1])]


def _key(text: str) -> str:
    return text.strip(_AROUND).casefold()


def _is_label(table: ScoredTable, at: int, after: int) -> bool:
    """Whether a text is short, and begins the element or, as a heading, the section of what is between it and the place
    *after*, which ends it."""
    visible, own = table.visible, table.path[table.visible[at]]
    container, level = own.rpartition("/")[0], heading_level(own)
    around = [table.path[visible[place]] for place in (at - 1, after) if 0 <= place < len(visible)]
    if len(table.text[visible[at]]) > MAX_LABEL:
        return False
    if at + 1 < after:  # an element may wrap the label
        entry = table.path[visible[at + 1]]
        container = container if entry.startswith(f"{container}/") else container.rpartition("/")[0]
        if not entry.startswith(f"{container}/"):
            return False
    if level < LOWEST_LEVEL and after < len(visible) and heading_level(around[-1]) <= level:
        return True
    return not any(path.startswith(f"{container}/") for path in around)
