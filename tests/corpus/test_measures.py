"""The measures of texts, by hand."""

from __future__ import annotations

import pytest

from ncfilters.corpus import measures
from ncfilters.corpus.measures import Measures, is_c4_line


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("It rained all day long.", True),
        ("It rained all day.", False),  # four words
        ("It rained all day long", False),
        ("It rained all day long...", False),
        ('She said: "It rained today"', True),
        ("It rained all day long.[12]", True),
        ("Please enable JavaScript in your browser.", False),
        ("Read our privacy policy before you begin.", False),
        (f"It rained all day {'x' * 1000}.", False),
        (f"It rained all day {'x' * 999}.", True),
        ("五 个 字 的 句子。", True),
    ],
)
def test_lines_that_c4_keeps(line: str, kept: bool) -> None:
    assert is_c4_line(line) is kept


def test_long_texts_are_read_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measures, "MAX_CHARS", 8)
    assert Measures("one two three four", "en").words == ["one", "two"]
