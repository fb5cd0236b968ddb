"""The names of authors, from what pages write where the author belongs.

author_names("By ANN LEE and Bob O'Neill | Staff Writer")    # ['Ann Lee', "Bob O'Neill"]
author_names("admin")    # []

Compiled where there is a core. `author_patterns` has the same in Python, which is the reference, and is used for text
with characters that are rare in names.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any

from .. import compiled_core
from . import author_patterns
from .author_patterns import BY_STARTS as BY_STARTS
from .author_patterns import MAX_CHARS as MAX_CHARS
from .author_patterns import MAX_NAME_CHARS as MAX_NAME_CHARS


def author_names(text: str, sites: Iterable[str] = ()) -> list[str]:
    """The names in *text*, in order, without repetitions; none where it says a role, a machine, or one of *sites*.

    "By", roles, dates and what else follows the names are left out. Degrees stay with their name ("Ann Lee, PhD"). A
    name all in capitals, or all in small letters and of several words, gets capital letters.
    """
    return [*_names_in(text[:MAX_CHARS], tuple(sites))]


@lru_cache(maxsize=512)  # a page says its authors several times
def _names_in(text: str, sites: tuple[str, ...]) -> tuple[str, ...]:
    core = prepared_core()
    found: tuple[str, ...] | None = core.author_names(text, sites) if core else None
    return author_patterns.author_names(text, sites) if found is None else found


def organization_name(text: str) -> str:
    """The organisation, team or account that *text* names as the author: `Podium Staff` of "By Podium Staff"; empty if
    it names none, or a role or a machine alone ("Editorial Team", "admin")."""
    core = prepared_core()
    found: str | None = core.organization_name(text[:MAX_CHARS]) if core else None
    return author_patterns.organization_name(text) if found is None else found


def inverted_name(text: str) -> str:
    """ "Lee, Ann" as "Ann Lee"; any other text as it is."""
    if "," not in text:
        return text
    core = prepared_core()
    found: str | None = core.inverted_name(text) if core else None
    return author_patterns.inverted_name(text) if found is None else found


def is_byline(text: str) -> bool:
    """Whether *text* begins as bylines do, with "By" or the like."""
    core = prepared_core()
    found: bool | None = core.is_byline(text) if core else None
    return author_patterns.is_byline(text) if found is None else found


def is_role(text: str) -> bool:
    """Whether *text* is what an author does, and no more: "Senior Writer"."""
    core = prepared_core()
    found: bool | None = core.is_role(text) if core else None
    return author_patterns.is_role(text) if found is None else found


def is_full_name(text: str) -> bool:
    """Whether *text* is a name of two to four words, each with a capital letter, or of Chinese characters."""
    core = prepared_core()
    found: bool | None = core.is_full_name(text) if core else None
    return author_patterns.is_full_name(text) if found is None else found


@cache
def prepared_core() -> Any:
    """The compiled core with the words of the patterns, or None."""
    return compiled_core.chosen(lambda: compiled_core.load("ncfilters.page._core", _set_up))


def _set_up(core: Any) -> None:
    core.setup_author_names(author_patterns.CORE_WORDS, author_patterns.CORE_SETS)
