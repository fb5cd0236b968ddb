"""Sets of characters: both forms find the same."""

from __future__ import annotations

from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from uncompiled import both_forms

FORMS = pytest.mark.parametrize("form", both_forms("ncfilters.native.character_set"), ids=lambda form: form.__name__)


@FORMS
def test_texts_have_characters_of_a_set_or_others(form: ModuleType) -> None:
    signs = form.CharacterSet("|a-cé¶一-丙\U0001f300-\U0001f302-")
    for text in ("|", "b", "é", "一", "丁", "\U0001f302", "-", "|ab", "xb", "\U0001f400|"):
        assert signs.is_in(text) is True, text
    for text in ("", "d", "è", "四", "\U0001f303", "\U00020000", "`"):
        assert signs.is_in(text) is False and signs.has_all(text) is (text == ""), text
    assert signs.has_all("ab|é\U0001f300-") is True
    assert signs.has_all("abx") is signs.has_all("abc\U00020000") is False


@FORMS
def test_characters_of_a_set_are_left_out(form: ModuleType) -> None:
    signs = form.CharacterSet("a-c一\ud800-\udfff")
    for text, places in (("", []), ("xy", []), ("abxc", [0, 1, 3]), ("é一\U00020000x\ud801", [1, 4])):
        assert signs.places(text) == places, text
        assert signs.without(text) == "".join(sign for at, sign in enumerate(text) if at not in places), text


@given(st.text(), st.lists(st.tuples(st.characters(max_codepoint=0x1FFFF), st.characters(max_codepoint=0x1FFFF))))
def test_both_forms_find_the_same(text: str, pairs: list[tuple[str, str]]) -> None:
    ranges = "".join(f"{min(pair)}-{max(pair)}" for pair in pairs if not {*pair} & {*"[]\\^-&~|"}) or "a"
    sets = [form.CharacterSet(ranges) for form in both_forms("ncfilters.native.character_set")]
    assert len({(own.is_in(text), own.has_all(text), own.without(text), *own.places(text)) for own in sets}) == 1
