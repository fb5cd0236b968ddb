"""Loops over segments and paths, compiled where there is a core (see `page.compiled_core`).

    core = features_core()    # None where there is none; the Python code beside each use is the reference

Its functions return None or False for what is not of the usual type. Then the Python code does the work, and raises the
errors.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from ..page import compiled_core

Types = Mapping[str, tuple[type, ...]]


@cache
def features_core() -> Any:
    """The compiled core, or None (see `compiled_core.chosen`)."""
    return compiled_core.chosen(lambda: compiled_core.load("ncfilters.features._core"))


def have_types(items: Any, required: Types, optional: Types) -> bool:
    """Whether all *items* are known to be dictionaries whose fields have these types. If not, `record.parts` and
    `record.check_optional` find the error, if there is one."""
    core = features_core()
    return bool(core and core.have_types(items, required, optional))
