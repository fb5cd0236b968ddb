"""Landmarks: what the names of the elements around a segment say about it.

    PathLandmarks({}).of("body/div.site/nav/ul")    # ('nav', False, False)

A part of the page with one of the names in LANDMARK_TAGS and WIDGET_WORDS is boilerplate, unless it is a wrapper: a
part that holds most of the text of the page.
"""

from __future__ import annotations

from ..page.block_table import BlockTable

# Elements whose name is a rule. Of the text in them on the WCXB development pages, more than 97 % is boilerplate; a
# <header> inside <main> or <article> is content.
LANDMARK_TAGS = frozenset(("nav", "footer", "dialog", "select"))
# Words in ids and classes of parts that are on every page of a site. Of the text in such elements that no other rule
# marks, 93 to 99 % is boilerplate on the development pages. Only WIDGET_TAGS count, because <body> often has the names
# of parts of the page.
WIDGET_TAGS = frozenset("div ul ol li aside form table td p".split())
WIDGET_WORDS = frozenset(
    "modal popup consent cookie cookies related social sharing login signup subscribe copyright breadcrumb "
    "breadcrumbs".split()
)
# A wrapper holds more than the first share of the text that is neither a link nor in another named part, and every <h1>
# there. On a page without <h1>, it must hold the second share of all text, and be named by WIDGET_WORDS, because a page
# may have little more than a footer. Shares alone do not suffice: on the development pages, questions for consent hold
# up to 98 % of the former text, and 75 % of all. Four of the 23,792 named parts there are wrappers.
MIN_TITLED_SHARE, MIN_UNTITLED_SHARE = 0.5, 0.8

# The evidence of the elements around a segment: a rule, whether it is in a <header>, whether it is in the main content.
# A plain tuple, because a class would make segmentation measurably slower.
Landmark = tuple["str | None", bool, bool]

_NO_LANDMARK: Landmark = (None, False, False)
_WIDGET: Landmark = ("widget", False, False)
_PLACES = frozenset(("header", "main", "article"))
MAX_WORD = max(map(len, WIDGET_WORDS))
# For speed: 1 for each size and first letter of a word.
_BEGINNINGS = bytearray((MAX_WORD + 1) << 7)
for _word in WIDGET_WORDS:
    _BEGINNINGS[len(_word) << 7 | ord(_word[0])] = 1


class PathLandmarks:
    """The evidence of the elements of paths, read one after the other: what a path shares with the last one is not read
    again. *known* is that of some paths, whatever their elements say."""

    def __init__(self, known: dict[str, Landmark]) -> None:
        self.known = known
        self.prefixes: list[str] = []  # of the last path: each is one element longer
        self.found: list[Landmark] = []  # their evidence

    def of(self, path: str) -> Landmark:
        """The evidence of all elements of a path."""
        prefixes, found = self.prefixes, self.found
        start, size = -1, len(path)
        while prefixes:
            start = len(prefixes[-1])
            if path.startswith(prefixes[-1]) and (start == size or path[start] == "/"):
                break
            prefixes.pop()
            found.pop()
            start = -1
        landmark = found[-1] if found else _NO_LANDMARK
        while start < size:
            end = path.find("/", start + 1)
            if end < 0:
                end = size
            landmark = self.joined(landmark, _landmark_of_element(path, start + 1, end), path, end)
            prefixes.append(path[:end])
            found.append(landmark)
            start = end
        return landmark

    def joined(self, above: Landmark, own: Landmark, path: str, end: int) -> Landmark:
        """The evidence of the first elements of a path, given that of those but the last one, and of the last one."""
        if self.known and path[:end] in self.known:
            return self.known[path[:end]]
        if own is _NO_LANDMARK:
            return above
        if above is _NO_LANDMARK:
            return own
        rule, in_header, in_content = above
        return (rule or own[0], in_header or own[1], in_content or own[2])


def is_in_heading(path: str) -> bool:
    """Whether `dom_path.HEADING` matches in a path."""
    at = path.find("/h")
    while at >= 0:
        if at + 2 < len(path) and "1" <= path[at + 2] <= "6" and _is_end_of_name(path, at + 3):
            return True
        at = path.find("/h", at + 2)
    return False


def is_in_item(path: str) -> bool:
    """Whether `dom_path.ITEM` matches in a path."""
    at = path.find("/li")
    while at >= 0:
        if _is_end_of_name(path, at + 3):
            return True
        at = path.find("/li", at + 3)
    return False


def _is_end_of_name(path: str, at: int) -> bool:
    """Whether the name of an element ends at a place in a path."""
    if at >= len(path):
        return True
    after = path[at]
    return not after.isalnum() and after != "_" and after != "-"


def landmarks_without_wrappers(table: BlockTable) -> dict[str, Landmark]:
    """The evidence of the paths of wrappers, as if they had no names; empty if the page has no wrapper.

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
    known: dict[str, Landmark] = {}
    for path in reversed(wrappers):
        parent = path.rpartition("/")[0]
        known[path] = PathLandmarks(known).of(parent) if parent else _NO_LANDMARK
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
            rule, is_header, _ = _landmark_of_element(path, len(path) - len(element), len(path))
            if rule or is_header:
                parts[path] = _Part(rule, around)
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
    return part.rule == "widget" and part.chars >= MIN_UNTITLED_SHARE * total


def _landmark_of_element(path: str, start: int, end: int) -> Landmark:
    """The evidence of the element of a path between two places (see `dom_path`)."""
    at = start
    while at < end and not _is_separator(path[at]):
        at += 1
    tag = path[start:at]
    if start < at and not "a" <= path[start] <= "z":
        tag = tag.lower()
    if at < end and tag in WIDGET_TAGS:
        return _WIDGET if _has_widget_word(path, at, end) else _NO_LANDMARK
    if tag in LANDMARK_TAGS:
        return (tag, False, False)
    return (None, tag == "header", tag != "header") if tag in _PLACES else _NO_LANDMARK


def _has_widget_word(path: str, at: int, end: int) -> bool:
    """Whether one of the words of an id and classes, between two places in a path, is of WIDGET_WORDS."""
    start = at
    while at <= end:
        if at == end or _is_separator(path[at]):
            size = at - start
            if (
                size <= MAX_WORD
                and size > 0
                and _may_be_widget(size, path[start])
                and path[start:at].lower() in WIDGET_WORDS
            ):
                return True
            start = at + 1
        at += 1
    return False


def _may_be_widget(size: int, first: str) -> bool:
    """Whether one of WIDGET_WORDS has this size and begins with this letter, for speed."""
    code = ord(first) | 32
    return code < 128 and _BEGINNINGS[size << 7 | code] != 0


def _is_separator(sign: str) -> bool:
    """Whether a character separates the words of an element in a path."""
    return sign == "." or sign == "-" or sign == "_" or sign == "#"
