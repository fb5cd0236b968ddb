"""Regular expressions that are compiled when they are first used.

WORD = lazy_pattern(r"\\w+")    # nothing is compiled here
WORD.findall("It rained.")     # ["It", "rained"], as a pattern of `re`

The modules of a filter have 130 patterns, of which a page needs a few: to compile all takes a fifth of the start-up.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast

# What patterns are used for. The methods of the compiled pattern replace those that are missing, so that each is looked
# up once.
_METHODS = ("match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer")


class LazyPattern:
    """A pattern that is not compiled yet."""

    def __init__(self, source: str | bytes, flags: int) -> None:
        self._source, self._flags = source, flags

    @property
    def compiled(self) -> re.Pattern[Any]:
        """The pattern as `re` has it."""
        return re.compile(self._source, self._flags)

    def __getattr__(self, name: str) -> Any:
        pattern = self.compiled
        for method in _METHODS:
            setattr(self, method, getattr(pattern, method))
        return getattr(pattern, name)


class LazyRegex(LazyPattern):
    """The same of `regex`, which is imported then, too: to import it takes 9 ms, to compile a long pattern 2 ms."""

    @property
    def compiled(self) -> re.Pattern[Any]:
        """The pattern as `regex` has it."""
        import regex  # start-up: many pages need none

        return cast(Any, regex.compile(self._source, self._flags))  # type: ignore[no-any-return]


def lazy_regex(source: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern of `regex`, with flags that are the same in `re` (I, S), which is compiled when it is first used."""
    return cast(Any, LazyRegex(source, flags))  # type: ignore[no-any-return]


def lazy_pattern(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """A pattern of `re`, which is compiled when it is first used: an error in it shows then."""
    return cast(Any, LazyPattern(source, flags))  # type: ignore[no-any-return]
