"""Options of pages: by default visual, with embedded content, without markup."""

from __future__ import annotations

import pytest

from ncfilters.page.page_options import DEFAULT_OPTIONS, PROFILES, PageOptions


def test_defaults_are_those_of_the_commands() -> None:
    assert PageOptions() == DEFAULT_OPTIONS == PageOptions("lexbor", PROFILES[0], True, False, False)


def test_options_do_not_change() -> None:
    with pytest.raises(AttributeError):
        DEFAULT_OPTIONS.markup = True  # type: ignore[misc]
