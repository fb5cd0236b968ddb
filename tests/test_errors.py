"""Errors: what a command says where a library is missing."""

from __future__ import annotations

import sys

import pytest

from ncfilters.errors import UsageError, require_library


def test_an_installed_library_is_no_error() -> None:
    require_library("json", "records need")


def test_a_missing_library_is_a_usage_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(UsageError) as error:
        require_library("scipy", "the kind structure needs")
    assert str(error.value) == (
        "the kind structure needs scipy, which is not installed: pip install 'ncfilters[workshop]'"
    )
