"""Landmarks: what the names of the elements around a segment say about it.

    kinds_of_elements(elements)[elements.add("body/div.site/nav/ul")] >> RULE_BITS    # 1: the rule of navigation

A part of the page with one of the names in LANDMARK_TAGS and WIDGET_WORDS is boilerplate, unless it is a wrapper: a
part that holds most of the text of the page.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from ..page.blocks.block_table import BlockTable
from ..page.element_table import ElementTable
from ..text.lazy_pattern import lazy_pattern
from ..words.element_names import LANDMARK_TAGS, RULES_OF_ROLES, WIDGET_NAMES, WIDGET_TAGS, WIDGET_WORDS

_WIDGET_NAMES = lazy_pattern(WIDGET_NAMES, re.I)
# A wrapper holds more than the first share of the text that is neither a link nor in another named part, and every <h1>
# there. On a page without <h1>, it must hold the second share of all text, and be named by WIDGET_WORDS, because a page
# may have little more than a footer. Shares alone do not suffice: on the development pages, questions for consent hold
# up to 98 % of the former text, and 75 % of all. Four of the 23,792 named parts there are wrappers.
MIN_TITLED_SHARE, MIN_UNTITLED_SHARE = 0.5, 0.8
_UNTITLED, _TITLE = ("widget", "dialog"), "h1"

# What elements say, as bits of a number: whether they are a <header>, the main content, a heading or a
# list item; and above these the number of a rule, that of the outermost element which has one.
IN_HEADER, IN_CONTENT, IN_HEADING, IN_ITEM, RULE_BITS = 1, 2, 4, 8, 4
RULES = (None, "nav", "footer", "dialog", "select", "widget")
# In the compiled form, numbers that no other module sees are faster.
_HEADER, _CONTENT, _HEADING, _ITEM, _BITS = IN_HEADER, IN_CONTENT, IN_HEADING, IN_ITEM, RULE_BITS
_WIDGET = RULES.index("widget") << RULE_BITS
# Whether words in the id and the classes of one count.
_MAY_BE_WIDGET = 1 << 8
_NAMES = {name: RULES.index(name) << RULE_BITS for name in LANDMARK_TAGS}
_ROLES = {f":{role}": RULES.index(rule) << RULE_BITS for role, rule in RULES_OF_ROLES.items()}
_NAMES |= {"header": IN_HEADER, "main": IN_CONTENT, "article": IN_CONTENT} | dict.fromkeys(WIDGET_TAGS, _MAY_BE_WIDGET)
MAX_KNOWN_ELEMENTS, MAX_ELEMENT_CHARS = 1 << 14, 100
_known_elements: dict[str, int] = {}  # what elements in others say


def kinds_of_elements(elements: ElementTable, wrappers: Collection[int] = ()) -> list[int]:
    """What each element says, with those around it. Of *wrappers* only that they are a heading or an item counts, and
    what is around them."""
    own = own_kinds(elements)
    out = [0]
    for row in range(1, len(own)):
        kind, said = out[elements.parent[row]], own[row]
        if row in wrappers:
            kind |= said & (_HEADING | _ITEM)
        else:
            kind |= said if kind >> _BITS == 0 else said & (_HEADER | _CONTENT | _HEADING | _ITEM)
        out.append(kind)
    return out


def own_kinds(elements: ElementTable) -> list[int]:
    """What the name of each element says. It is kept for elements in others, which pages repeat."""
    inner = []
    for name in elements.names:
        kind = _known_elements.get(name, -1)
        if kind < 0:
            if len(_known_elements) >= MAX_KNOWN_ELEMENTS:
                _known_elements.clear()
            kind = _kind_of_element(name, True)
            if len(name) <= MAX_ELEMENT_CHARS:
                _known_elements[name] = kind
        inner.append(kind)
    out = [0]
    for row in range(1, len(elements)):
        kind = inner[elements.name[row]]
        out.append(kind if elements.parent[row] else kind & ~(_HEADING | _ITEM))
    return out


def wrappers_of(table: BlockTable) -> set[int]:
    """The elements that have the names of boilerplate and hold most of the text of the page.

    Linear in the page.
    """
    elements = table.elements
    size, own = len(elements), own_kinds(elements)
    is_part = [kind >> _BITS != 0 or kind & _HEADER != 0 for kind in own]
    part = [0] * size  # of each element the innermost named part that it is in; 0 is the rest of the page
    for row in range(1, size):
        part[row] = row if is_part[row] else part[elements.parent[row]]
    around = [part[elements.parent[row]] for row in range(size)]  # of a part, the next one
    chars, all_titles = [0.0] * size, [0.0] * size
    text, titles = [0.0] * size, [0.0] * size  # neither in links nor in a part of the part
    for own_text, element, tag, links in zip(table.text, table.element, table.tag, table.links):
        at, is_title = part[element], tag == _TITLE
        chars[at] += len(own_text)
        all_titles[at] += is_title
        text[at] += len(own_text) - links
        titles[at] += is_title
    for row in range(size - 1, 0, -1):  # what is in a part comes after it
        if is_part[row]:
            chars[around[row]] += chars[row]
            all_titles[around[row]] += all_titles[row]
    wrappers = set()
    for row in range(size - 1, 0, -1):
        rule = own[row] >> _BITS
        if not is_part[row] or RULES[rule] == "select":
            continue
        outer = [at for at in _chain(row, around) if at != row]
        if any(titles[at] for at in outer):
            continue
        if all_titles[row]:
            is_wrapper = text[row] > MIN_TITLED_SHARE * (text[row] + sum([text[at] for at in outer]))
        else:
            is_wrapper = RULES[rule] in _UNTITLED and chars[row] >= MIN_UNTITLED_SHARE * chars[0]
        if is_wrapper:
            wrappers.add(row)
            text[around[row]] += text[row]
            titles[around[row]] += titles[row]
            text[row] = titles[row] = 0
    return wrappers


def _chain(row: int, around: list[int]) -> list[int]:
    """A part and those that it is in, up to the rest of the page."""
    out = [row]
    while row:
        row = around[row]
        out.append(row)
    return out


def _kind_of_element(element: str, is_inner: bool) -> int:
    """What an element of a path says (see `dom_path`); *is_inner*: it is in another one."""
    at = 0
    for sign in element:
        if _is_separator(sign):
            break
        at += 1
    name = element[:at]
    if at and not "a" <= element[0] <= "z":  # of another program
        name = name.lower()
    kind: int = _NAMES.get(name, 0)
    if kind == _MAY_BE_WIDGET:
        kind = 0
        if at < len(element) and (
            _has_widget_word(element[at:])
            or ("tip" in element or "uthor" in element or "print" in element)  # for speed
            and _WIDGET_NAMES.search(element, at)
        ):
            kind = _WIDGET
    if at < len(element) and element[at] == ":" and kind >> _BITS == 0:
        for role, rule in _ROLES.items():
            if element.startswith(role, at):
                kind |= rule
    if is_inner and len(element) >= 2 and (len(element) == 2 or _is_end_of_name(element[2])):
        if element[0] == "l" and element[1] == "i":
            kind |= _ITEM
        elif element[0] == "h" and "1" <= element[1] <= "6":
            kind |= _HEADING
    return kind


def _is_end_of_name(after: str) -> bool:
    """Whether a name has ended before a character."""
    return not after.isalnum() and after != "_" and after != "-"


def _has_widget_word(names: str) -> bool:
    """Whether one of the words of an id and classes is of WIDGET_WORDS."""
    start = at = 0
    for sign in names:
        if _is_separator(sign):
            if names[start:at].lower() in WIDGET_WORDS:
                return True
            start = at + 1
        at += 1
    return names[start:at].lower() in WIDGET_WORDS


def _is_separator(sign: str) -> bool:
    """Whether a character separates the words of an element in a path."""
    return sign == "." or sign == "-" or sign == "_" or sign == "#" or sign == ":"
