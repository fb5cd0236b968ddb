"""Compact tables find their keys and no others, whatever a damaged file holds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ncfilters.text.hash_table import CompactTable, NgramMixer, NgramTable, TableLayout, build_table, quantize
from ncfilters.text.word_hash import MAX_WORD_BYTES, Vocabulary, hash_spans


def table(entries: int, histories: int, words: int, seed: int = 1) -> tuple[NgramTable, Any, Any, Any]:
    rng = np.random.default_rng(seed)
    keys = rng.choice(histories * words, entries, replace=False)
    made, order = NgramTable.of(NgramMixer(histories, words), keys // words, keys % words)
    return made, order, keys // words, keys % words


@pytest.mark.parametrize(
    ("entries", "histories", "words"),
    [(0, 1, 1), (1, 1, 1), (1, 5, 7), (20, 5, 7), (35, 5, 7), (1000, 100, 100), (50_000, 1 << 20, 300_000)],
)
def test_stored_ngrams_are_found_and_no_others(entries: int, histories: int, words: int) -> None:
    made, order, some, last = table(entries, histories, words)
    assert len(made) == entries
    assert made.find(some[order], last[order]).tolist() == list(range(entries))
    listed = made.entries()
    assert listed[0].tolist() == some[order].tolist() and listed[1].tolist() == last[order].tolist()
    there = set(zip(some.tolist(), last.tolist()))
    rng = np.random.default_rng(2)
    others = rng.integers(0, histories + 1, 5000), rng.integers(0, words + 1, 5000)
    missing = [pair not in there for pair in zip(others[0].tolist(), others[1].tolist())]
    assert (made.find(*others) == entries).tolist() == missing


def test_unknown_words_and_histories_make_no_ngram() -> None:
    made, *_ = table(35, 5, 7)  # all there are
    assert made.find(np.array([5, 0, 5]), np.array([0, 7, 7])).tolist() == [35, 35, 35]


def test_an_ngram_takes_few_bytes() -> None:
    made, *_ = table(300_000, 1 << 17, 1 << 17)
    assert (made.buckets.starts.nbytes + made.buckets.rests.nbytes) / 300_000 < 8


def test_keys_that_differ_in_first_bits_are_distinct() -> None:
    """The next bucket's number must not be taken for one of an empty bucket."""
    shape = TableLayout(40, 1 << 12)
    some = np.arange(0, 1 << 12, 2, dtype=np.uint64) << np.uint64(40 - shape.first)
    made, _ = build_table(40, np.concatenate([some, some | np.uint64(1)]))
    odd = some + (np.uint64(1) << np.uint64(40 - made.first))
    found = made.find(odd[:-1])
    assert (found == len(made)).all()


def test_unevenly_distributed_keys_are_refused() -> None:
    numbers = np.arange(1 << 14, dtype=np.uint64)  # all in one bucket, the others empty
    with pytest.raises(ValueError, match="evenly"):
        build_table(38, numbers)


def test_frequent_keys_come_first_in_their_bucket() -> None:
    rng = np.random.default_rng(3)
    some, counts = np.unique(rng.integers(0, 1 << 40, 2000).astype(np.uint64)), rng.integers(1, 99, 2000)
    made, order = build_table(40, some, counts[: len(some)])
    sizes = np.diff(made.starts.astype(np.int64))
    for start, size in zip(made.starts.tolist(), sizes.tolist()):
        assert sorted(counts[order[start : start + size]], reverse=True) == list(counts[order[start : start + size]])
    assert made.find(some[order]).tolist() == list(range(len(some)))


@pytest.mark.parametrize("of", ["starts", "rests"])
def test_damaged_tables_give_errors_or_wrong_places_only(of: str) -> None:
    """Look-ups in whatever a file has end soon, and do not raise."""
    made, _, some, last = table(5000, 1000, 1000)
    rng = np.random.default_rng(4)
    for fill in (0, 1, (1 << 32) - 1, None):
        parts = {"starts": made.buckets.starts.copy(), "rests": made.buckets.rests.copy()}
        part = parts[of]
        most = np.iinfo(part.dtype).max
        part[:] = rng.integers(0, most, len(part)) if fill is None else min(fill, most)
        broken = NgramTable(made.mixing, CompactTable(made.mixing.bits, parts["starts"], parts["rests"]))
        assert len(broken.find(some, last)) == len(some)
        if of == "starts":
            with pytest.raises(ValueError, match="ascend"):
                broken.entries()


@pytest.mark.parametrize(
    ("bits", "starts", "rests"),
    [
        (40, np.zeros(4, np.uint32), np.zeros(3, np.uint64)),
        (40, np.zeros(5, np.uint64), np.zeros(3, np.uint64)),
        (40, np.zeros(5, np.uint32), np.zeros(3, np.uint16)),
        (40, np.zeros(5, np.uint32), np.zeros(3, np.int64)),
        (65, np.zeros(5, np.uint32), np.zeros(3, np.uint64)),
        (40, np.zeros(0, np.uint32), np.zeros(3, np.uint64)),
    ],
)
def test_arrays_that_do_not_fit_are_refused(bits: int, starts: Any, rests: Any) -> None:
    with pytest.raises(ValueError):
        CompactTable(bits, starts, rests)


# ---- codebooks ------------------------------------------------------------------------------------------------


def test_few_values_are_quantized_exactly() -> None:
    values = np.random.default_rng(5).normal(size=60_000).astype(np.float32)
    codes, book = quantize(np.tile(values, 3), -1.0)
    assert (book[codes[:-1]] == np.tile(values, 3)).all()
    assert book[codes[-1]] == -1.0 and len(codes) == 180_001 and codes.dtype == np.uint16


def test_many_values_are_quantized_closely() -> None:
    values = -np.random.default_rng(6).exponential(1, 300_000).astype(np.float32)
    values[7] = -100.0
    codes, book = quantize(values, 0.0)
    assert len(book) <= 1 << 16 and book[codes[-1]] == 0.0
    apart = np.abs(book[codes[:-1]] - values)
    assert apart.mean() < 5e-5 and np.quantile(apart, 0.999) < 2e-4


# ---- words ----------------------------------------------------------------------------------------------------


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
