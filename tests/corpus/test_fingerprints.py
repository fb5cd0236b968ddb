"""Fingerprints: what is equal, and what is not."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncfilters.corpus.fingerprints import fingerprint, normalized


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("It  rained.\n", "it rained."),
        ("caf\u00e9", "CAFE\u0301"),
        ("Stra\u00dfe", "STRASSE"),
        ("a\u00a0b\u3000c", "a b c"),
        ("", " \n\t\x1c\u2028"),
        ("\ud800", "\ud800 "),
    ],
)
def test_equal(one: str, other: str) -> None:
    assert fingerprint(one) == fingerprint(other)


@pytest.mark.parametrize(("one", "other"), [("a", "b"), ("a.", "a"), ("", "a"), ("1", "2"), ("\u00e9", "e")])
def test_different(one: str, other: str) -> None:
    assert fingerprint(one) != fingerprint(other)


def test_digits_are_equal_on_request() -> None:
    assert fingerprint("Page 17", ignore_digits=True) == fingerprint("page 20", ignore_digits=True)
    assert fingerprint("\u0967 \u00e9", ignore_digits=True) == fingerprint("7 \u00e9", ignore_digits=True)
    assert fingerprint("1", ignore_digits=True) != fingerprint("11", ignore_digits=True)


@given(st.text(st.characters(max_codepoint=127)), st.booleans())
def test_ascii_is_normalised_like_other_text(text: str, ignore_digits: bool) -> None:
    with_letter = normalized(text + "\u00e9", ignore_digits)
    assert normalized(text, ignore_digits) == with_letter.removesuffix("\u00e9".encode())


@given(st.text())
def test_composition_and_case_do_not_matter(text: str) -> None:
    assert normalized(unicodedata.normalize("NFD", text)) == normalized(unicodedata.normalize("NFC", text))


def test_keys_fit_into_sqlite() -> None:
    for number in range(1000):
        assert all(-(1 << 63) <= part < 1 << 63 for part in fingerprint(str(number)))
