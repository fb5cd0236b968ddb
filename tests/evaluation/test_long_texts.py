"""Long texts are aligned in pieces: in time in proportion to their length, and with about the same result."""

from __future__ import annotations

import random

import pytest
from operations import assert_linear_time

from ncfilters.evaluation import long_texts
from ncfilters.evaluation.long_texts import pieces
from ncfilters.evaluation.metrics import align, count_aligned


def texts(size: int, words: int = 3_000, seed: int = 1) -> tuple[list[str], list[str]]:
    """A gold text of so many words, and a text without three in ten of them and with one in seven changed."""
    numbers = random.Random(seed)
    gold = [f"w{numbers.randrange(words)}" for _ in range(size)]
    text = [word if numbers.random() > 1 / 7 else "x" for word in gold if numbers.random() > 0.3]
    return text, gold


def test_texts_that_are_not_long_are_one_piece() -> None:
    text, gold = texts(20_000)
    assert pieces(text, gold) == [(slice(0, len(text)), slice(0, len(gold)))]
    assert pieces([], []) == [(slice(0, 0), slice(0, 0))]


@pytest.mark.parametrize("words", [3, 3_000, 10**9])
def test_pieces_cover_both_texts_and_are_short(words: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_texts, "MAX_WORDS", 0)
    text, gold = texts(60_000, words)
    found = pieces(text, gold)
    assert [word for here, _ in found for word in text[here]] == text
    assert [word for _, there in found for word in gold[there]] == gold
    assert max(len(text[here]) + len(gold[there]) for here, there in found) <= 2 * long_texts.PIECE_WORDS


@pytest.mark.parametrize("size", [4_000, 8_000])
def test_counts_are_about_the_same(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text, gold = texts(size)
    matched, wrong, missed = count_aligned(align(text, gold))
    monkeypatch.setattr(long_texts, "MAX_WORDS", 0)
    monkeypatch.setattr(long_texts, "PIECE_WORDS", 1_000)
    in_pieces = count_aligned(align(text, gold))
    assert in_pieces[0] + in_pieces[1] == matched + wrong == len(text)
    assert in_pieces[0] + in_pieces[2] == matched + missed == len(gold)
    assert in_pieces[0] == pytest.approx(matched, rel=0.02)


@pytest.mark.parametrize("words", [3, 3_000, 10**9])
def test_time_is_in_proportion_to_the_texts(words: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_texts, "MAX_WORDS", 0)
    monkeypatch.setattr(long_texts, "PIECE_WORDS", 500)
    assert_linear_time(lambda pair: align(*pair), lambda size: texts(size, words), 2_000)
