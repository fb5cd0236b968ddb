"""Language tags of other programs."""

from __future__ import annotations

import pytest

from ncfilters.text.language_tags import primary


@pytest.mark.parametrize(
    ("tag", "code"),
    [
        ("en", "en"),
        ("zh-CN", "zh"),
        ("pt_BR", "pt"),
        (" EN-us", "en"),
        ("eng", "en"),
        ("zho,eng", "zh"),
        ("nb", "no"),
        ("gsw", "gsw"),
        ("und", ""),
        ("", ""),
        (None, ""),
        (7, ""),
        (["en"], ""),
    ],
)
def test_primary(tag: object, code: str) -> None:
    assert primary(tag) == code
