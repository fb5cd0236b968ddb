"""Compiled modules are used where NC_WALK wants them, and where they are of this version."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.text import compiled_modules


def test_a_core_that_is_wanted_must_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(compiled_modules.VARIABLE, compiled_modules.COMPILED)
    with pytest.raises(RuntimeError, match="NC_WALK=c: no library"):
        compiled_modules.chosen(lambda: (None, "no library"))


def test_a_core_of_another_version_is_not_used() -> None:
    def set_up(core: Any) -> None:
        core.function_of_a_later_version()

    for module, needed in (("ncfilters.no_such_core", None), ("ncfilters.text.compiled_modules", set_up)):
        core, problem = compiled_modules.load(module, needed)
        assert core is None and problem
    assert compiled_modules.load("ncfilters.text.compiled_modules") == (compiled_modules, "")
