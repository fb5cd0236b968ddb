"""The compiled modules, where there are such. NC_WALK says whether they are used.

    chosen(lambda: load("ncfilters.streams._core"))    # the module, or None

Every compiled function has one in Python, which is the reference. The environment variable NC_WALK chooses (`python` or
`c`).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from typing import Any

# The environment variable, and its values.
VARIABLE, PYTHON, COMPILED = "NC_WALK", "python", "c"


def chosen(find: Callable[[], tuple[Any, str]]) -> Any:
    """What *find* finds of the compiled parts; None if NC_WALK says so, or if *find* gives None and a reason. Raises
    RuntimeError if NC_WALK asks for it and there is none."""
    wanted = os.environ.get(VARIABLE) or None
    if wanted not in (None, PYTHON, COMPILED):
        raise RuntimeError(f"{VARIABLE}: expected {PYTHON} or {COMPILED}, got {wanted!r}")
    core, problem = (None, "") if wanted == PYTHON else find()
    if wanted == COMPILED and core is None:
        raise RuntimeError(f"{VARIABLE}={COMPILED}: {problem}")
    return core


def load(module: str, set_up: Callable[[Any], object] | None = None) -> tuple[Any, str]:
    """The compiled *module* after *set_up*, or None and why it cannot be used: it is not built, or of another version
    of the program."""
    try:
        core = import_module(module)
        if set_up:
            set_up(core)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        return None, str(error)
    return core, ""
