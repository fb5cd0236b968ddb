"""Trivial boilerplate: segments that are recognised without a model (NCleaner, stage 3; Evert 2008, section 2).

    mark_boilerplate(table, kinds_of_elements(table.elements))    # "Home | About | Contact" has the rule bars

A marked segment has the name of the rule that recognised it. The constants were set on the development sets of 2007
(CleanEval), 2012 (DAnIEL) and 2025 (WCXB).
"""

from __future__ import annotations

import re

from ..native.text_counts import CharacterSet
from ..page.blocks.block_table import PRE, BlockTable
from ..text.lazy_pattern import lazy_pattern
from ..text.scripts import FULL_STOPS, ends_with
from .landmarks import IN_CONTENT, IN_HEADER, IN_HEADING, RULE_BITS, RULES, kinds_of_elements, wrappers_of

# At least so many bars separate fields, with fewer than so many characters per field on average.
MIN_BARS, MAX_FIELD_CHARS = 2, 25
# A longer paragraph is about copyright rather than a notice.
MAX_COPYRIGHT_CHARS = 300
# A segment is a link if at least this share of its characters is link text; so many links in a row are a menu. In
# <main> and <article> links may be the content: without the rule there, listings gain 10 points of F and articles lose
# 0.3.
MIN_LINK_DENSITY, MIN_MENU = 0.9, 2
# Segments between marked segments, or between a marked segment and the edge of the page, are an island of captions and
# labels if all are shorter and do not end a sentence.
MAX_ISLAND_CHARS = 100
# The element of the title of the page, which rules about neighbours do not apply to.
TITLE_TAG = "h1"

_WORD = lazy_pattern(r"\w")
# Bars between fields (Evert 2008, section 2, third stage), and the characters that newer pages use instead.
_BAR = lazy_pattern(r"\s[|•·»›>/]\s|\|")
_SIGNS = CharacterSet("|•·»›>/©(")
# What a notice of copyright has one of, with which its pattern is looked for; _SIGNS are in all but those of words.
_NOTICE_WORDS = ("eserved", "RESERVED")
_NOTICE_SIGNS = ("©", "(c)", "(C)")
_COPYRIGHT = lazy_pattern(
    r".{0,20}(?:©|\([cC]\)\s*(?:\d{4}|[Cc]opyright|by\b)|[Cc]opyright\s*\([cC]\)).*|"
    r".*\b[Rr](?:ights [Rr]eserved|IGHTS RESERVED).*",
    re.S,
)


def mark_boilerplate(table: BlockTable, kinds: list[int]) -> None:
    """Sets the `rule` of those segments that are trivial boilerplate, given what elements say (see `landmarks`).

    Rules are `nav`, `footer`, `header`, `dialog`, `select`, `widget`, `links`, `bars`, `copyright`, `wordless` and
    `island`.
    """
    if mark_without_islands(table, kinds) and (wrappers := wrappers_of(table)):
        table.rule[:] = [None] * len(table)
        mark_without_islands(table, kinds_of_elements(table.elements, wrappers))
    mark_islands(table)


def mark_without_islands(table: BlockTable, kinds: list[int]) -> bool:
    """Sets the rules but `island`, given what elements say; returns whether most text is in named parts.

    The text of links does not count.
    """
    texts, all_links, rules, element = table.text, table.links, table.rule, table.element
    excess = 0  # of the characters in named parts over the others
    links: list[int] = []  # the last ones in a row
    for row, text in enumerate(texts):
        size, link_chars, kind = len(text), all_links[row], kinds[element[row]]
        rule = RULES[kind >> RULE_BITS]
        if rule is not None or kind & IN_HEADER and not kind & IN_CONTENT:
            if rule is None:
                rule = "header"
            excess += size - link_chars
        else:
            excess -= size - link_chars
            rule = rule_of_text(text)
            if rule == "bars" and (table.flags[row] & PRE or kind & IN_HEADING):
                rule = None
        if rule is not None:
            rules[row] = rule
        if link_chars >= MIN_LINK_DENSITY * size and not kind & IN_CONTENT and table.tag[row] != TITLE_TAG:
            links.append(row)
        elif links and rule != "wordless":
            _end_menu(rules, links)
    _end_menu(rules, links)
    return excess > 0


def rule_of_text(text: str) -> str | None:
    """The rule that recognises a text, if any: `copyright`, `bars` or `wordless`."""
    size = len(text)
    is_short, has_signs = size < MAX_COPYRIGHT_CHARS, _SIGNS.is_in(text)
    if is_short and _is_notice(text, has_signs):
        return "copyright"
    signs = _num_bars(text) if has_signs else 0  # at least as many as there are bars between fields
    if signs >= MIN_BARS and size < MAX_FIELD_CHARS * (signs + 1):
        bars = len(_BAR.findall(text))
        if bars >= MIN_BARS and size < MAX_FIELD_CHARS * (bars + 1):
            return "bars"
    return None if text[0].isalnum() or _WORD.search(text) is not None else "wordless"


def _is_notice(text: str, has_signs: bool) -> bool:
    """Whether a text is a notice of copyright. For speed, what these have is looked for first."""
    for hint in _NOTICE_WORDS:
        if hint in text:
            return _COPYRIGHT.match(text) is not None
    if has_signs:
        for hint in _NOTICE_SIGNS:
            if hint in text:
                return _COPYRIGHT.match(text) is not None
    return False


def _num_bars(text: str) -> int:
    """The number of signs that may separate fields."""
    bars = text.count("|") + text.count("/") + text.count(">")
    if text.isascii():
        return bars
    return bars + text.count("•") + text.count("·") + text.count("»") + text.count("›")


def _end_menu(rules: list[str | None], links: list[int]) -> None:
    """Marks links in a row, if they are a menu, and empties the list."""
    if len(links) >= MIN_MENU:
        for row in links:
            if rules[row] is None:
                rules[row] = "links"
    links.clear()


def mark_islands(table: BlockTable) -> None:
    """Marks islands, after the other rules."""
    rules, size = table.rule, len(table.rule)
    start = 0  # the first segment after the last marked one
    for at in range(size + 1):
        if at < size and rules[at] is None:
            continue
        if start < at and at - start < size and _is_island(table, start, at):
            for row in range(start, at):
                if table.tag[row] != TITLE_TAG:
                    rules[row] = "island"
        start = at + 1


def _is_island(table: BlockTable, start: int, end: int) -> bool:
    """Whether all segments in a row, but for titles, are short and do not end a sentence."""
    for row in range(start, end):
        if table.tag[row] != TITLE_TAG:
            text = table.text[row]
            if len(text) >= MAX_ISLAND_CHARS or ends_with(text, FULL_STOPS):
                return False
    return True
