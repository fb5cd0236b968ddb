"""Counts of characters, words and sentences, in any script."""

from __future__ import annotations

import pytest

from ncfilters.text import char_stats
from ncfilters.text.char_stats import BRACKET, COMMA, DIGIT, MARK, PLAIN, SIGN, SPACE, STOP, SYMBOL, UPPER, WIDE


@pytest.mark.parametrize(
    "text, words, sentences, titles",
    [
        ("Is this clean? Yes.", 4, 2, 2),
        ("no full stop", 3, 0, 0),
        ("3.5 is no sentence", 4, 0, 0),
        ("He said “Go.”", 3, 1, 1),
        ("Quoted (here.)", 2, 1, 1),
        ("«Il est là.»", 3, 1, 0),
        ("", 0, 0, 0),
        ("***", 0, 0, 0),
        ("我们今天去公园散步。", 10 / 1.5, 1, 0),
        ("他说。“好。”", 5 / 1.5, 2, 0),
        ("我用Linux系统", 4 / 1.5 + 1, 0, 0),
        ("Мы гуляли весь день.", 4, 1, 0),
        ("وصلنا أمس؟ نعم", 3, 1, 0),
        ("हम कल आए। वह आज आया।", 6, 2, 0),
        ("ก" * 60, 6, 0, 0),  # Thai has no spaces between words
    ],
)
def test_words_and_sentences_are_counted(text: str, words: float, sentences: int, titles: int) -> None:
    counts = char_stats.count_characters(["Before.", text, "After."])
    assert counts.words[1] == pytest.approx(words)
    assert counts.sentences[1] == sentences
    assert counts.titles[1] == titles
    assert counts.chars.tolist() == [7, len(text), 6]
    # what stands beside it is counted apart
    assert counts.words[[0, 2]].tolist() == counts.sentences[[0, 2]].tolist() == [1, 1]


def test_bytes_of_each_class_are_counted() -> None:
    counts = char_stats.count_characters(["Ab, 12! (c) $é我€;"])
    of = {kind: int(counts.kinds[kind, 0]) for kind in (UPPER, DIGIT, SPACE, STOP, COMMA, MARK, SYMBOL, BRACKET)}
    assert of == {UPPER: 1, DIGIT: 2, SPACE: 3, STOP: 1, COMMA: 2, MARK: 0, SYMBOL: 1, BRACKET: 2}
    assert counts.kinds[char_stats.LETTER, 0] == counts.kinds[WIDE, 0] == counts.kinds[SIGN, 0] == 1


@pytest.mark.parametrize(
    "text, first, last",
    [
        ("Abc.", UPPER, STOP),
        ("abc", PLAIN, PLAIN),
        ("1,", DIGIT, COMMA),
        ("(a)", BRACKET, BRACKET),
        ("© x…", SIGN, MARK),
        ("é", char_stats.LETTER, PLAIN),
        ("“Go!”", SIGN, STOP),
        ("”", SIGN, MARK),
        ('"', BRACKET, BRACKET),
        ("好！", WIDE, STOP),
        ("", char_stats.END, char_stats.END),
    ],
)
def test_first_and_last_bytes_have_classes(text: str, first: int, last: int) -> None:
    for texts in ([text], ["x.", text, "x."]):
        counts = char_stats.count_characters(texts)
        at = len(texts) // 2
        assert (counts.first[at], counts.last[at]) == (first, last)


def test_separators_in_texts_are_spaces() -> None:
    counts = char_stats.count_characters(["a\0b", "c"])
    assert counts.words.tolist() == [2, 1]


def test_lone_surrogates_are_counted() -> None:
    assert char_stats.count_characters(["a \ud800 b"]).words.tolist() == [3]


def test_no_texts_have_no_statistics() -> None:
    counts = char_stats.count_characters([])
    assert len(counts.words) == len(counts.last) == counts.kinds.shape[1] == 0
