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


def lazy_pattern(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """A pattern of `re`, which is compiled when it is first used: an error in it shows then."""
    return cast(Any, LazyPattern(source, flags))  # type: ignore[no-any-return]
