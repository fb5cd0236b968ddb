"""Text as UTF-8."""

from __future__ import annotations

from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from uncompiled import both_forms

both = both_forms("ncfilters.native.utf8")
FORMS = pytest.mark.parametrize("form", both, ids=lambda form: form.__name__)


@FORMS
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])) | st.sampled_from(["a" * 40, "é", "中" * 33])))
def test_text_is_encoded(form: ModuleType, parts: list[str]) -> None:
    text = "".join(parts)
    assert form.encoded(text) == text.encode()


@FORMS
@pytest.mark.parametrize("text", ["\ud800", "a" * 100 + "\udc00", "\U0001f44d\udfff"])
def test_lone_surrogates_have_no_utf8(form: ModuleType, text: str) -> None:
    with pytest.raises(UnicodeEncodeError):
        form.encoded(text)


@FORMS
@given(st.lists(st.sampled_from(["a" * 40, "é", "中" * 333, "\U0001f44d" * 7, "b" * 2000])), st.integers(1, 700))
def test_places_of_characters(form: ModuleType, parts: list[str], step: int) -> None:
    text = "".join(parts)
    places = [len(text[:at].encode()) for at in range(0, len(text), step)]
    assert form.char_places(text.encode(), step) == (len(text), places)
