"""Hashes of words, and vocabularies that look them up."""

from __future__ import annotations

import numpy as np
import pytest

from ncfilters.text.word_hash import MAX_WORD_BYTES, Vocabulary, hash_spans


def test_words_are_found_by_their_hashes() -> None:
    words = ["the", "cat", "été", "書", "x" * 900, "#", "ab", "ba"]
    made, order = Vocabulary.of([word.encode() for word in words])
    assert made.words() == [words[at] for at in order]
    assert [made.place(words[at]) for at in order] == list(range(len(words)))
    assert [made.place(word) for word in ("dog", "", "ca", "catt", "x" * 899)] == [len(words)] * 5
    with pytest.raises(ValueError, match="the word 'cat' is there twice"):
        Vocabulary.of([b"cat", b"the", b"cat"])


def test_a_hash_depends_on_the_bytes_of_the_word_alone() -> None:
    alone = {word: number(word) for word in WORDS}
    text = b"  ".join(WORDS * 3000)
    data = np.frombuffer(text, np.uint8)
    ends = np.cumsum([len(word) + 2 for word in WORDS * 3000]) - 2
    starts = ends - [len(word) for word in WORDS * 3000]
    assert hash_spans(data, starts, ends).tolist() == [alone[word] for word in WORDS * 3000]


def test_hashes_are_the_same_on_every_machine() -> None:
    """As worked out with whole numbers: sums of what stands for bytes, times powers of the base."""
    wanted = 0
    for place, byte in enumerate(b"the"):
        wanted += of_byte(byte) * pow(0xD1342543DE82EF95, place, 1 << 64)
    wanted %= 1 << 64
    wanted ^= wanted >> 32
    wanted = wanted * 0xBF58476D1CE4E5B9 % (1 << 64)
    wanted ^= wanted >> 29
    assert number(b"the") == wanted


def number(word: bytes) -> int:
    return int(hash_spans(np.frombuffer(word, np.uint8), np.array([0]), np.array([len(word)]))[0])


def of_byte(byte: int) -> int:
    mix = (byte + 1) * 0x9E3779B97F4A7C15 % (1 << 64)
    for shift, mixer in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mix = (mix ^ mix >> shift) * mixer % (1 << 64)
    return mix ^ mix >> 31


def test_different_words_have_different_hashes() -> None:
    words = [f"{a}{b}".encode() for a in range(300) for b in "abcdefghijklmnopqrstuvwxyz"] + [
        bytes([a, b, c]) for a in range(97, 123) for b in range(97, 123) for c in range(97, 123)
    ]
    ends = np.cumsum([len(word) for word in words])
    found = hash_spans(np.frombuffer(b"".join(words), np.uint8), ends - [len(word) for word in words], ends)
    assert len(set(found.tolist())) == len(words)
    assert abs((found >> np.uint64(63)).mean() - 0.5) < 0.02


def test_a_hash_reads_a_bounded_number_of_bytes() -> None:
    data = np.frombuffer(b"a" * 5000 + b"b", np.uint8)
    starts, ends = np.array([0, 5001, 8000]), np.array([5001, 5001 + MAX_WORD_BYTES, 8001])
    long, cut, other = hash_spans(np.concatenate([data, data]), starts, ends)
    assert long == cut != other


WORDS = [b"the", b"a", "été".encode(), b"x" * 700, b"\xff\x00", b"sat"]
