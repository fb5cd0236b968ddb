"""How sentences end."""

from __future__ import annotations

import pytest

from ncfilters.text import sentence_ends


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He left.", True),
        ('He said "no."', True),
        ("你好。", True),
        ("(He left.)", True),
        ("News", False),
        ("a:", False),
    ],
)
def test_closing_quotes_do_not_hide_a_full_stop(text: str, expected: bool) -> None:
    assert sentence_ends.ends_with(text, sentence_ends.FULL_STOPS) == expected


def test_text_is_cut_behind_quotes_and_spaces() -> None:
    text = 'He said "no."  She left. 好。」 3.5'
    assert [match.end() for match in sentence_ends.cut_pattern().finditer(text)] == [15, 25, 28]


@pytest.mark.parametrize(
    ("text", "expected"), [("Go on: x", True), ("กา กา", True), ("好。好", True), ("3.5 a", False)]
)
def test_prose_has_an_end_of_a_sentence(text: str, expected: bool) -> None:
    assert bool(sentence_ends.prose_end_pattern().search(text)) == expected
