"""The compiled core of the package, which works on bytes and names. NC_WALK says whether it is used.

streams_core()    # the module, or None
"""

from __future__ import annotations

from functools import cache
from typing import Any

from ..text import compiled_modules


@cache
def streams_core() -> Any:
    """The compiled core, or None (see `compiled_modules.chosen`)."""
    return compiled_modules.chosen(lambda: compiled_modules.load("ncfilters.streams._core"))
