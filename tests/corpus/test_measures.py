"""The measures of texts, by hand."""

from __future__ import annotations

import pytest

from ncfilters.corpus import measures
from ncfilters.corpus.measures import Measures, is_c4_line


@pytest.mark.parametrize(
    ("measure", "text", "value"),
    [
        ("words", "One two, 3 – !", 3),
        ("words", "我的書。", 3),
        ("word_length", "One three.", 4),
        ("hashes", "# a b c", 1 / 4),
        ("ellipses", "a... b… c", 2 / 5),
        ("bullet_lines", "• a\n  - b\n\nc\nd", 1 / 2),
        ("ellipsis_lines", "a...\nb… \n\nc", 2 / 3),
        ("alphabetic_words", "a 1b 2 .", 1 / 2),
        ("stop_words", "the the of The", 2),
        ("repeated_lines", "a\nb\n\na\na", 1 / 2),
        ("repeated_line_chars", "ab\nc\nab", 2 / 7),
        ("repeated_chars_of_lines", "ab\nc\nab", 2 / 5),
        ("repeated_paragraphs", "a\nb\n\na\n\na\nb", 1 / 3),
        ("repeated_paragraph_chars", "a\n\na", 1 / 4),
        ("c4_sentences", "It rained all day here. It stopped at night again.\nMenu\nNobody went out before that!", 3),
        ("c4_sentences", "It rained all day long. " * 50, measures.ENOUGH_SENTENCES),
        ("lorem_ipsum", "Lorem Ipsum lorem ipsum", 2),
        ("curly_brackets", "a { b }", 1),
        ("ended_lines", "a.\nb?\n\nc\n你。", 3 / 4),
        ("short_lines", f"{'x' * 29}\n{'x' * 30}", 1 / 2),
        ("line_breaks", "a b\n\nc d", 1 / 2),
    ],
)
def test_a_measure_of_a_text(measure: str, text: str, value: float) -> None:
    assert getattr(Measures(text, "en"), measure) == pytest.approx(value)


def test_an_empty_text_has_the_measure_0() -> None:
    for text in ("", " \n\n"):
        empty = Measures(text, "")
        names = [name for name, of in vars(Measures).items() if isinstance(of, property)]
        assert {name: getattr(empty, name) for name in names if name != "line_breaks"} == dict.fromkeys(
            (name for name in names if name != "line_breaks"), 0
        )
        assert (empty.top_ngram(2), empty.repeated_ngrams(5)) == (0, 0)


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
    monkeypatch.setattr(measures, "MAX_CHARS", 9)
    assert Measures("one two three four", "en").words == 3
