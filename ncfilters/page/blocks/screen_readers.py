"""Text that screen readers alone read, and what is drawn beside it for the eye.

    <span class="sr-only">Sale price: EUR 20.46</span><span aria-hidden="true">EUR<b>20</b><sup>46</sup></span>

Where the first says all that the second does, it is read instead. Other text for screen readers explains or repeats
what is beside it ("opens in a new window", "20 minutes minutes"), and is not read.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ...native.element_names import ARIA_HIDDEN, BLANK, CLASS, STYLE, TEXT
from ...native.page_table import PageTable
from ...text.lazy_pattern import lazy_pattern
from ...words.element_names import NAMES

_SPOKEN = "|".join(NAMES["spoken"].split()).replace("-", "[-_]?")
_CLASS = lazy_pattern(rf"(?:^|[\s_-])(?:{_SPOKEN})(?![^\s_-])|(?:^|\s)(?:blind|clipped)(?!\S)", re.I)
# A style that leaves nothing of an element to see, as React and others write it.
_STYLE = lazy_pattern(
    r"\bclip:\s*rect\(\s*(?:(?:0(?:px)?|1px)[\s,]*){4}\)|\bclip-path:\s*inset\(\s*(?:50|100)%\s*\)", re.I
)


def is_for_screen_readers(table: PageTable, row: int) -> bool:
    """Whether an element has a class or a style that hides it from all but screen readers, on screens of any width."""
    flags = table.flags[row]
    if flags & CLASS and _is_class(table.attribute_of(row, "class") or ""):
        return True
    if not flags & STYLE:
        return False
    style = table.attribute_of(row, "style") or ""
    return "clip" in style and _STYLE.search(style) is not None


@lru_cache(maxsize=1 << 12)
def _is_class(classes: str) -> bool:
    return _CLASS.search(classes) is not None and "not-sr-only" not in classes


def is_drawn_beside(table: PageTable, row: int) -> bool:
    """Whether an element beside this one, which is for screen readers, draws for the eye alone what its text says."""
    for at in elements_beside(table, row):
        is_drawn = table.flags[at] & ARIA_HIDDEN and table.attribute_of(at, "aria-hidden") == "true"
        if is_drawn and _says(table.text_below(row), table.text_below(at)):
            return True
    return False


def is_read_beside(table: PageTable, row: int) -> bool:
    """Whether an element beside this one, which screen readers skip, says the same to them."""
    for at in elements_beside(table, row):
        if is_for_screen_readers(table, at) and _says(table.text_below(at), table.text_below(row)):
            return True
    return False


def _says(text: str, drawn: str) -> bool:
    """Whether a text has the letters and digits of another, and there are any. Pages may draw it twice, for windows of
    different widths."""
    letters = "".join(filter(str.isalnum, drawn))
    return letters != "" and letters in 2 * "".join(filter(str.isalnum, text))


def elements_beside(table: PageTable, row: int) -> list[int]:
    """The elements directly before and after, with at most white space between."""
    before, after, found = table.before[row], table.end[row], []
    if before >= 0 and table.tag[before] == TEXT and table.flags[before] & BLANK:
        before = table.before[before]
    if before >= 0 and table.tag[before] >= 0:
        found.append(before)
    above = table.parent[row]
    last = table.end[above] if above >= 0 else table.size
    if after < last and table.tag[after] == TEXT and table.flags[after] & BLANK:
        after = table.end[after]
    if after < last and table.tag[after] >= 0:
        found.append(after)
    return found
