"""Positions of a text in the same text with other white space."""

from __future__ import annotations

import pytest

from ncfilters.page.blocks.word_positions import word_positions


@pytest.mark.parametrize(
    ("old", "new", "positions", "expected"),
    [
        ("a b", "a b", [0, 3], [0, 3]),
        ("\n a b\n", "a b", [0, 2, 5, 6], [0, 0, 3, 3]),
        (" One\n two ", "One two", [1, 4, 6, 9, 10], [0, 3, 4, 7, 7]),
        ("a\n\n  bcd  e", "a bcd e", [1, 3, 5, 6, 8, 9, 11], [1, 1, 2, 3, 5, 5, 7]),
        ("One two¶", "One two", [4, 8], [4, 7]),
        ("   ", "", [0, 2], [0, 0]),
        (" a  b ", "", [1, 5], [0, 0]),
    ],
)
def test_positions(old: str, new: str, positions: list[int], expected: list[int]) -> None:
    assert word_positions(old, new, positions) == expected
