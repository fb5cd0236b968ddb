"""The patterns of names."""

from __future__ import annotations

import pytest

from ncfilters.page.metadata import author_patterns as patterns


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("By Ann Lee", "By "),
        ("Posted on 3 May 2024 by Ann", "Posted on 3 May 2024 by "),
        ("作者：王明", "作者："),
        ("Bypass", ""),
    ],
)
def test_how_bylines_begin(text: str, match: str) -> None:
    found = patterns.BY.match(text)
    assert (found[0] if found else "") == match


def test_words_that_are_no_names() -> None:
    assert "hospital" in patterns.NO_NAMES and "hospital" not in patterns.NO_ORGANIZATIONS
    assert patterns.CREDENTIAL.fullmatch("PhD") and not patterns.CREDENTIAL.fullmatch("Lee")
