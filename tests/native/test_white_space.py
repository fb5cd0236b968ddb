"""White space in text."""

from __future__ import annotations

from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from uncompiled import both_forms

FORMS = both_forms("ncfilters.native.white_space")
SPACES = [*"\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2003\u2028\u2029\u202f\u205f\u3000"]
TEXTS = st.lists(st.sampled_from([*SPACES, " ", "a", "b c", "é", "中", "\U0001f642", "\u200b", "\x00"])).map("".join)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
@given(text=TEXTS | st.text())
def test_runs_of_white_space_are_one_space(form: ModuleType, text: str) -> None:
    collapsed = form.collapse_spaces(text)
    assert collapsed == " ".join(text.split())
    assert hash(collapsed) == hash(" ".join(text.split())) and collapsed.isascii() == " ".join(text.split()).isascii()


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
def test_long_texts_are_split_in_pieces(form: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    if hasattr(form, "MAX_SPLIT_CHARS"):
        monkeypatch.setattr(form, "MAX_SPLIT_CHARS", 8)
    text = " one  two\nthree\u2003four " * 9
    assert form.collapse_spaces(text) == " ".join(text.split())
