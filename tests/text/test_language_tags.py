"""Language tags of other programs."""

from __future__ import annotations

import pytest

from ncfilters.text.language_tags import is_language, primary


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


def test_languages() -> None:
    assert is_language("de") and is_language("deu") and is_language("zh")
    assert not is_language("und") and not is_language("frederic") and not is_language("xx")
