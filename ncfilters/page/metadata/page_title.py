"""The title of a page: what its sources say of it, without the name of the site, or a heading.

said = [("opengraph", ("It rained - The Gazette", "meta og:title"))]
page_title(said, "It rained", ["News", "It rained"], "https://gazette.org/rain")    # ('It rained', 'meta og:title')

Compiled where there is a core; the functions without one are the reference.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from .. import compiled_core
from . import headline, site_name
from .headline import MAX_TITLE_CHARS, WINDOW, without_label
from .page_sources import line
from .site_name import is_below_front_page, is_in_host, site_in_title, title_key, title_parts, without_site_name
from .structured_data import Statement


def page_title(
    statements: Sequence[tuple[str, Statement]], window: str, headings: list[str], url: str, sites: list[str]
) -> Statement | None:
    """The headline: the heading h1 that says what the head says, or else the title in the head without the site; and
    its evidence. *statements*: what the sources say, the most trusted first; *window*: the title of the window."""
    if (core := prepared_core()) is not None:
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
def prepared_core() -> Any:
    """The compiled core with the tables of titles, or None."""
    return compiled_core.chosen(lambda: compiled_core.load("ncfilters.page._core", _set_up))


def _set_up(core: Any) -> None:
    of_titles = (MAX_TITLE_CHARS, headline.MIN_CUT)
    of_sites = (site_name.MAX_SITE_WORDS, site_name.MIN_TITLE_WORDS, site_name.MIN_NAME_LETTERS)
    small_words = "|".join(sorted(site_name.SMALL_WORDS))
    core.setup_titles((line, without_label), small_words, of_titles, of_sites, headline.MIN_OVERLAP)
