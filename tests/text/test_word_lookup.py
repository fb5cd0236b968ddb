"""Words found in bytes."""

from __future__ import annotations

import numpy as np
import pytest

from ncfilters.text.word_lookup import HashIndex, WordIndex, line_numbers, word_spans


def found(words: dict[str, int], text: str) -> list[int]:
    data = np.frombuffer(text.encode("utf-8", "surrogatepass"), np.uint8)
    starts, ends, _ = word_spans(data, ord("\n"))
    return WordIndex(words).find(data, starts, ends).tolist()


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("nav menu nav", [4, 7, 4]),
        ("  menu ", [7]),
        ("men menus Menu", [-1, -1, -1]),
        ("über ü \udc80", [1, -1, 0]),
        ("", []),
        ("   ", []),
    ],
)
def test_words_are_looked_up_in_bytes(text: str, numbers: list[int]) -> None:
    assert found({"nav": 4, "menu": 7, "über": 1, "\udc80": 0}, text) == numbers


def test_an_empty_index_finds_nothing() -> None:
    assert found({}, "nav menu") == [-1, -1]


def test_all_words_of_a_large_index_are_found() -> None:
    words = {f"w{number}": number for number in range(5000)}
    assert found(words, " ".join([*words, *(f"v{number}" for number in range(5000))])) == [*range(5000), *[-1] * 5000]


def test_a_hash_index_finds_its_hashes_and_no_others() -> None:
    numbers = np.random.default_rng(0).integers(0, 1 << 64, 4000, np.uint64)
    at, place = HashIndex(numbers[:1000]).find(numbers[::-1])
    assert at.tolist() == list(range(3000, 4000)) and place.tolist() == list(range(1000))[::-1]


def test_spans_are_counted_by_line() -> None:
    data = np.frombuffer(b"a bc\n\n  d\n", np.uint8)
    starts, ends, upto = word_spans(data, ord("\n"))
    assert (starts.tolist(), ends.tolist(), upto.tolist()) == ([0, 2, 8], [1, 4, 9], [2, 2, 3])
    assert line_numbers(upto).tolist() == [0, 0, 2]
    assert [some.tolist() for some in word_spans(data[:1], ord("\n"))] == [[0], [1], []]
