"""The title of a page: what its sources say of it, without the name of the site, or a heading.

said = [("opengraph", ("It rained - The Gazette", "meta og:title"))]
page_title(said, "It rained", ["News", "It rained"], "https://gazette.org/rain")    # ('It rained', 'meta og:title')

Compiled where there is a core; the functions without one are the reference.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from ...text.lazy_pattern import lazy_pattern
from .. import compiled_core
from . import headline, site_name
from .headline import MAX_TITLE_CHARS, WINDOW, without_label
from .page_sources import line
from .site_name import is_below_front_page, is_in_host, site_in_title, title_key, title_parts, without_site_name
from .structured_data import Statement

_VIEW = lazy_pattern(r"(.{2,80}?)\s(?:[•|·»-]|::)\s+view (?:topic|thread) - (.+)", re.I)
_PARAMETERS = lazy_pattern(r"< ([^<>]{1,100}) >")
_IN_BRACKETS = lazy_pattern(r"(.+?)\s\[([^\[\]]{2,60})\]")
# What is between the name of a site or a part of it and the title, before it and after it.
_NAME_ENDS, _NAME_STARTS = lazy_pattern(r": | - "), lazy_pattern(r" [:|–—-] ")


def page_title(
    statements: Sequence[tuple[str, Statement]], window: str, headings: list[str], url: str, sites: list[str]
) -> Statement | None:
    """The headline: the heading h1 that says what the head says, or else the title in the head without the site; and
    its evidence. *statements*: what the sources say, the most trusted first; *window*: the title of the window."""
    if (core := _core()) is not None:
        found = core.headline(statements, window, headings, sites, url)
        if found is not NotImplemented:
            out: Statement | None = found
            return out
    return page_title_in_python(statements, window, headings, url, sites)


def page_title_in_python(
    statements: Sequence[tuple[str, Statement]], window: str, headings: list[str], url: str, sites: list[str]
) -> Statement | None:
    """As `page_title`."""
    said = [(line(text)[:MAX_TITLE_CHARS], evidence) for _, (text, evidence) in statements]
    said = [(text, evidence) for text, evidence in (*said, (window[:MAX_TITLE_CHARS], WINDOW)) if text]
    said = _without_site_names(said, window, url)
    return headline.headline(said, headings, lambda text: _without_site(text, url, sites), sites)


def window_and_names(window: str, said: Sequence[tuple[str, Statement]], headings: list[str]) -> tuple[str, list[str]]:
    """The title of the *window*, with the name of the site at its end if a wiki has that in brackets ("rain [Weather]")
    or a forum before a label ("Weather • View topic - Rain"); and the names of the site that this says, or that precede
    in the title for other sites what the window begins with ("r/weather - Rain", "Rain : weather")."""
    if "< " in window:  # the parameters of a class, whose brackets are no separators: "Basket< Fruit > Class Reference"
        window = _PARAMETERS.sub(r"<\1>", window)
    if "iew t" in window and (match := _VIEW.match(window)):
        return f"{match[2]} | {match[1]}", [match[1]]
    match = _IN_BRACKETS.fullmatch(window) if window.endswith("]") else None
    if match and title_key(match[2]) in map(title_key, headings):
        return f"{match[1]} | {match[2]}", [match[2]]
    if said and not window.startswith(said[0][1][0]):
        first = line(said[0][1][0])[:MAX_TITLE_CHARS]
        for sign in _NAME_ENDS.finditer(first):
            rest = first[sign.end() :]
            if len(rest) >= headline.MIN_WORDS and window.startswith(rest) and _NAME_STARTS.match(window, len(rest)):
                return window, [first[: sign.start()]]
    return window, []


def _without_site(title: str, url: str, sites: list[str]) -> str:
    """*title* without the name of the site, also if it has that twice or before a colon."""
    out = without_site_name(without_label(title), url, sites)
    parts = title_parts(out)
    start, colon, rest = out.partition(": ")
    if not parts and not colon:
        return out
    known = {key for site in sites if (key := title_key(site))}
    if parts and title_key(parts[1]) in known:
        return parts[0]
    return rest if colon and title_key(start) in known and is_below_front_page(url) else out


def _without_site_names(said: list[Statement], window: str, url: str) -> list[Statement]:
    """What is *said* of the title of a page below the front page, without the name of its site, if another is said."""
    texts = {text for text, _ in said}
    if len(texts) == 1 or not is_below_front_page(url):
        return said
    site = site_in_title(window, url)
    names = {text for text in texts if text == site or is_in_host(text, url)}
    return [(text, at) for text, at in said if text not in names] or said if names else said


@cache
def _core() -> Any:
    """The compiled core with the tables of titles, or None."""
    return compiled_core.chosen(lambda: compiled_core.load("ncfilters.page._core", _set_up))


def _set_up(core: Any) -> None:
    of_titles = (MAX_TITLE_CHARS, headline.MIN_CUT)
    of_sites = (site_name.MAX_SITE_WORDS, site_name.MIN_TITLE_WORDS, site_name.MIN_NAME_LETTERS)
    small_words = "|".join(sorted(site_name.SMALL_WORDS))
    core.setup_titles((line, without_label), small_words, of_titles, of_sites, headline.MIN_OVERLAP)
