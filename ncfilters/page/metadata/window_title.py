"""What the title of the window has beside the title of the page: the name of the site, the author, a count of messages.

own_title("(3) Rain")    # 'Rain'
title_and_author("Rain, again - by Ann Lee - Rain Letter")    # ('Rain, again - Rain Letter', 'Ann Lee')
window_and_names("Rain : The Daily Owl", [], [], "https://thedailyowl.net/rain")
# ('Rain | The Daily Owl', ['The Daily Owl'])
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...text.lazy_pattern import lazy_pattern
from .author_names import author_names, is_full_name
from .headline import MAX_TITLE_CHARS, MIN_WORDS
from .site_name import host_name, is_in_host, is_label_in, is_short_name, title_key
from .statements import Statement, line

_VIEW = lazy_pattern(r"(.{2,80}?)\s(?:[•|·»-]|::)\s+view (?:topic|thread) - (.+)", re.I)
_PARAMETERS = lazy_pattern(r"< ([^<>]{1,100}) >")
_IN_BRACKETS = lazy_pattern(r"(.+?)\s\[([^\[\]]{2,60})\]")
# What is between the name of a site or a part of it and the title, before it and after it.
_NAME_ENDS, _NAME_STARTS = lazy_pattern(r": | - "), lazy_pattern(r" [:|–—-] ")
# Signs that are within titles, too; the first ones often.
_INNER_SIGNS = (" : ", " / ")
_WEAK_SIGNS = (*_INNER_SIGNS, " _ ", " ‹ ", " ← ")
# What programs write for a title that nobody has set, with fewer characters than these.
MAX_UNTITLED_CHARS = 20
NO_TITLES = frozenset(("untitled", "untitled document", "untitled page", "document", "new page 1", "无标题文档"))
# How many messages are new.
_COUNT = lazy_pattern(r"\(\d{1,2}\+?\)\s+(?=\S)")
_BY_AUTHOR = lazy_pattern(r"(?<!\s)\s+[|-]\s+by\s+([^|]{3,60}?)(?=\s+[|-]\s|$)")
_BARS = str.maketrans("–—", "||")  # start-up: a set with them takes 0.2 ms to compile


def own_title(window: str, declared: Sequence[tuple[str, Statement]] = ()) -> str:
    """The title of the *window* without a number of messages, if no other *declared* one begins with a bracket; empty
    if it is what a program writes for none."""
    match = _COUNT.match(window) if window[:1] == "(" else None
    if match and not any(text[:1] == "(" for _, (text, _) in declared):
        return window[match.end() :]
    return "" if len(window) < MAX_UNTITLED_CHARS and window.casefold() in NO_TITLES else window


def title_and_author(window: str) -> tuple[str, str]:
    """The title of the *window* without the author, and the author whom it names after a sign and "by", or nothing."""
    if " by " not in window or not (match := _BY_AUTHOR.search(window.translate(_BARS))):
        return window, ""
    names = author_names(match[1])
    is_author = bool(names) and match.start() > 0 and all(map(is_full_name, names))
    return (window[: match.start()] + window[match.end() :], match[1]) if is_author else (window, "")


def window_and_names(
    window: str, declared: Sequence[tuple[str, Statement]], headings: list[str], url: str = ""
) -> tuple[str, list[str]]:
    """The title of the *window*, with the name of the site at its end if a wiki has that in brackets ("rain [Weather]")
    or a forum before a label ("Weather • View topic - Rain"), or with a bar beside it if the host in *url* tells it
    ("Rain : Gazette"); and the names of the site that this says, or that precede in the title for other sites what
    the window begins with ("r/weather - Rain", "Rain : weather")."""
    if "< " in window:  # the parameters of a class, whose brackets are no separators: "Basket< Fruit > Class Reference"
        window = _PARAMETERS.sub(r"<\1>", window)
    if "iew t" in window and (match := _VIEW.match(window)):
        return f"{match[2]} | {match[1]}", [match[1]]
    match = _IN_BRACKETS.fullmatch(window) if window.endswith("]") else None
    if match and title_key(match[2]) in map(title_key, headings):
        return f"{match[1]} | {match[2]}", [match[2]]
    if declared and not window.startswith(declared[0][1][0]):
        first = line(declared[0][1][0])[:MAX_TITLE_CHARS]
        for sign in _NAME_ENDS.finditer(first):
            rest = first[sign.end() :]
            if len(rest) >= MIN_WORDS and window.startswith(rest) and _NAME_STARTS.match(window, len(rest)):
                return window, [first[: sign.start()]]
    return _beside_weak_sign(window, headings, url)


def _beside_weak_sign(window: str, headings: list[str], url: str) -> tuple[str, list[str]]:
    """The title of the *window* with a bar beside the name of the site, and that name: the host has it, or a heading is
    the rest, unless it is a colon or a slash. Before a colon alone ("Gazette: Rain"), both."""
    for sign in _WEAK_SIGNS:
        if sign in window:
            for title, _, name in (window.rpartition(sign), window.partition(sign)[::-1]):
                is_rest = sign not in _INNER_SIGNS and title_key(title) in map(title_key, headings)
                if is_in_host(name, url) or is_rest and is_short_name(name):
                    return f"{title} | {name}", [name]
    name, colon, rest = window.partition(": ")
    if colon and is_label_in(name, url) and title_key(rest) in map(title_key, headings):
        return f"{rest} | {name}", [name]
    name = window.partition(" ")[0]
    if "." in name and name.casefold() == host_name(url) and len(window) > len(name):  # "gazette.org It rained"
        return f"{window[len(name) + 1 :]} | {name}", [name]
    return window, []
