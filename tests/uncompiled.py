"""Both forms of a module that Cython compiles, side by side in one process.

for form in both_forms("ncfilters.page.blocks.block_table"):
    form.BlockTable()
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

import ncfilters

# The package that is installed: the checkout, or what a wheel has.
PACKAGE = Path(ncfilters.__file__).parent


def load_uncompiled_module(name: str) -> ModuleType:
    """The plain form of a module, under a name of its own. What it imports is as it is installed."""
    own = f"{name}_uncompiled"
    if own not in sys.modules:
        path = (PACKAGE.parent / name.replace(".", "/")).with_suffix(".py")
        spec = importlib.util.spec_from_file_location(own, path)
        assert spec and spec.loader
        module = importlib.util.module_from_spec(spec)
        sys.modules[own] = module
        spec.loader.exec_module(module)
    return sys.modules[own]


def is_compiled(name: str) -> bool:
    """Whether the form of a module that is imported by its name is the compiled one."""
    return not str(importlib.import_module(name).__file__).endswith(".py")


def both_forms(name: str) -> list[ModuleType]:
    """The plain form of a module, and the compiled one where there is one."""
    plain = load_uncompiled_module(name)
    return [plain, importlib.import_module(name)] if is_compiled(name) else [plain]


def in_both_forms(name: str) -> pytest.MarkDecorator:
    """Makes a test of both forms of a module of ncfilters in turn, as its argument `form`."""
    return pytest.mark.parametrize("form", both_forms(f"ncfilters.{name}"), ids=lambda form: form.__name__)
