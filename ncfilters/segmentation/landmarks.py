"""Landmarks: what the names of the elements around a segment say about it.

    kinds_of_paths(["body/div.site/nav/ul"])[0] >> RULE_BITS    # 1: the rule of navigation

A part of the page with one of the names in LANDMARK_TAGS and WIDGET_WORDS is boilerplate, unless it is a wrapper: a
part that holds most of the text of the page.
"""

from __future__ import annotations

import re

from ..native.text_counts import common_length
from ..page.blocks.block_table import BlockTable
from ..text.lazy_pattern import lazy_pattern

# Elements whose name is a rule. Of the text in them on the WCXB development pages, more than 97 % is boilerplate; a
# <header> inside <main> or <article> is content.
LANDMARK_TAGS = frozenset(("nav", "footer", "dialog", "select"))
# Words in ids and classes of parts that are on every page of a site. Of the text in such elements that no other rule
# marks, 93 to 99 % is boilerplate on the development pages. Only WIDGET_TAGS count, because <body> often has the names
# of parts of the page.
WIDGET_TAGS = frozenset("div ul ol li aside form table td p".split())
WIDGET_WORDS = frozenset(
    "modal popup consent cookie cookies related social sharing login signup subscribe copyright breadcrumb "
    "breadcrumbs disclaimer disclaimers legal gfield gform popmake pum".split()
)
# Names of several words: of a tooltip and nothing else, of a box about the author, and of small print. Of the text in
# them that no other rule marks, 97 % or more is boilerplate.
_NAME = lazy_pattern(
    r"[.#]tool-?tip(?:s|-?text|[-_]{1,2}(?:text|content|bubble|inner|body|box|message|description|popup|panel))?(?=[.#]|$)"
    r"|[.#_-](?:about[-_]?)?author[-_]{0,2}(?:bio|block|box|desc|description|details|info|profile|summary)(?=[.#_-]|$)"
    r"|[.#_-](?:fine|small)-?print(?=[.#_-]|$)",
    re.I,
)
# A wrapper holds more than the first share of the text that is neither a link nor in another named part, and every <h1>
# there. On a page without <h1>, it must hold the second share of all text, and be named by WIDGET_WORDS, because a page
# may have little more than a footer. Shares alone do not suffice: on the development pages, questions for consent hold
# up to 98 % of the former text, and 75 % of all. Four of the 23,792 named parts there are wrappers.
MIN_TITLED_SHARE, MIN_UNTITLED_SHARE = 0.5, 0.8

# What the elements of a path say, as bits of a number: whether they are a <header>, the main content, a heading or a
# list item; and above these the number of a rule, that of the outermost element which has one.
IN_HEADER, IN_CONTENT, IN_HEADING, IN_ITEM, RULE_BITS = 1, 2, 4, 8, 4
RULES = (None, "nav", "footer", "dialog", "select", "widget")
# In the compiled form, numbers that no other module sees are faster.
_HEADER, _CONTENT, _HEADING, _ITEM, _BITS = IN_HEADER, IN_CONTENT, IN_HEADING, IN_ITEM, RULE_BITS
_WIDGET = RULES.index("widget") << RULE_BITS
# Of the names of elements; whether words in the id and the classes of one count.
_MAY_BE_WIDGET = 1 << 8
_NAMES = {name: RULES.index(name) << RULE_BITS for name in LANDMARK_TAGS}
# Of the roles in paths (see `open_elements`).
_RULES_OF_ROLES = {":dialog": "dialog", ":contentinfo": "footer", ":tooltip": "widget"}
_ROLES = {role: RULES.index(rule) << RULE_BITS for role, rule in _RULES_OF_ROLES.items()}
_NAMES |= {"header": IN_HEADER, "main": IN_CONTENT, "article": IN_CONTENT} | dict.fromkeys(WIDGET_TAGS, _MAY_BE_WIDGET)
MAX_KNOWN_ELEMENTS, MAX_ELEMENT_CHARS = 1 << 14, 100
_known_elements: dict[str, int] = {}  # what elements within paths say


def kinds_of_paths(paths: list[str], known: dict[str, int] | None = None) -> list[int]:
    """What the elements of each path say. *known* says it of the elements up to some, but for headings and items."""
    read = PathReader(known or {})
    kinds: dict[str, int] = {}
    out = []
    for path in paths:
        kind = kinds.get(path)
        if kind is None:
            kind = kinds[path] = read.kind_of(path)
        out.append(kind)
    return out


class PathReader:
    """Reads paths one after the other: what a path shares with the last one is not read again."""

    def __init__(self, known: dict[str, int]) -> None:
        self.known = known
        self.last = ""
        self.ends: list[int] = []  # of the elements of the last path
        self.kinds: list[int] = []  # what the elements up to each say

    def kind_of(self, path: str) -> int:
        """What the elements of a path say."""
        ends, kinds, size = self.ends, self.kinds, len(path)
        shared = common_length(path, self.last)
        self.last = path
        start = -1
        while ends:
            start = ends[-1]
            if start < shared or start == shared and (shared == size or path[shared] == "/"):
                break
            ends.pop()
            kinds.pop()
            start = -1
        kind = kinds[-1] if kinds else 0
        while start < size:
            end = path.find("/", start + 1)
            if end < 0:
                end = size
            own = _kind_in_path(path, start + 1, end)
            kind |= own if kind >> _BITS == 0 else own & (_HEADER | _CONTENT | _HEADING | _ITEM)
            if self.known and path[:end] in self.known:
                kind = self.known[path[:end]] | kind & (_HEADING | _ITEM)
            ends.append(end)
            kinds.append(kind)
            start = end
        return kind


def kinds_without_wrappers(table: BlockTable) -> dict[str, int]:
    """What the paths of wrappers say, as if they had no names; empty if the page has no wrapper.

    Linear in the page.
    """
    parts, unnamed, total = _named_parts(table)
    wrappers = []
    for path in sorted(parts, key=len, reverse=True):  # what is in a part comes before it
        part = parts[path]
        around = [unnamed, *(parts[name] for name in part.around)]
        if _is_wrapper(part, around, total):
            wrappers.append(path)
            around[-1].text += part.text
            around[-1].titles += part.titles
            part.text = part.titles = 0
    known: dict[str, int] = {}
    for path in reversed(wrappers):
        parent = path.rpartition("/")[0]
        known[path] = PathReader(known).kind_of(parent) if parent else 0
    return known


class _Part:
    """A part of the page: its *rule*, the paths of the named parts *around* it, the number of *chars* of all its text,
    the characters of *text* that are neither links nor in a named part of it, and the number of *titles* there."""

    __slots__ = ("all_titles", "around", "chars", "rule", "text", "titles")

    def __init__(self, rule: str | None, around: tuple[str, ...] = ()) -> None:
        self.rule, self.around = rule, around
        self.all_titles = self.chars = self.text = self.titles = 0


def _named_parts(table: BlockTable) -> tuple[dict[str, _Part], _Part, int]:
    """The named parts of a page by their paths, the rest of it, and the characters of all its text."""
    parts: dict[str, _Part] = {}
    unnamed = _Part(None)
    names: dict[str, tuple[str, ...]] = {"": ()}  # path → the named parts that it is in, from the outermost

    def names_of(path: str) -> tuple[str, ...]:
        if path not in names:
            above, _, element = path.rpartition("/")
            around = names_of(above)
            kind = _kind_in_path(path, len(path) - len(element), len(path))
            if kind >> RULE_BITS or kind & IN_HEADER:
                parts[path] = _Part(RULES[kind >> RULE_BITS], around)
                around = (*around, path)
            names[path] = around
        return names[path]

    total = 0
    for text, path, tag, links in zip(table.text, table.path, table.tag, table.links):
        chars = len(text)
        holders = [parts[name] for name in names_of(path)]
        is_title = tag == "h1"
        for part in holders:
            part.chars += chars
            part.all_titles += is_title
        holder = holders[-1] if holders else unnamed
        holder.text += chars - links
        holder.titles += is_title
        total += chars
    return parts, unnamed, total


def _is_wrapper(part: _Part, around: list[_Part], total: int) -> bool:
    """Whether a part holds most of the page's text, given the parts that it is in, the rest of the page, and the
    characters of the page."""
    if part.rule == "select":
        return False
    if any(other.titles for other in around):
        return False
    if part.all_titles:
        return part.text > MIN_TITLED_SHARE * (part.text + sum(other.text for other in around))
    return part.rule in ("widget", "dialog") and part.chars >= MIN_UNTITLED_SHARE * total


def _kind_in_path(path: str, start: int, end: int) -> int:
    """What the element of a path between two places says. It is kept for elements in others, which pages repeat."""
    element = path[start:end]
    if start == 0:
        return _kind_of_element(element, False)
    kind = _known_elements.get(element)
    if kind is None:
        if len(_known_elements) >= MAX_KNOWN_ELEMENTS:
            _known_elements.clear()
        kind = _kind_of_element(element, True)
        if end - start <= MAX_ELEMENT_CHARS:
            _known_elements[element] = kind
    return kind


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
            and _NAME.search(element, at)
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
