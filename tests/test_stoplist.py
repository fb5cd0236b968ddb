"""Stop lists: learned, written, read, and refused with their name when anything is wrong with them."""

from __future__ import annotations

import pickle
import re
from collections import Counter
from pathlib import Path

import pytest

from ncfilters import stoplist

TEXTS = ["The cat and the dog.", "THE END, and 42 of 1984; 3d", ""]
COUNTS = Counter(the=5, of=3, and_=3, a=2, cat=1, dog=1)  # 15 running words


def refused(path: Path, why: str) -> None:
    with pytest.raises(stoplist.StopListError, match=f"^{re.escape(str(path))}: .*{why}") as raised:
        stoplist.read(path)
    assert "\n" not in str(raised.value)


# ---- counted and chosen ---------------------------------------------------------------------------------------


def test_words_are_counted_in_lower_case_and_numbers_are_none() -> None:
    assert stoplist.count(TEXTS) == {"the": 3, "and": 2, "cat": 1, "dog": 1, "end": 1, "of": 1, "3d": 1}
    assert stoplist.count(iter([])) == {}
    assert stoplist.count(["42 – 1984 ___ ½ ²"]) == {}


def test_scripts_without_spaces_have_a_character_for_a_word() -> None:
    assert stoplist.count(["我的书, 我的"]) == {"我": 2, "的": 2, "书": 1}
    assert stoplist.count(["กำ กิน"]).keys() == {"ก", "กิ", "น", "ำ"}


@pytest.mark.parametrize(
    ("size", "coverage", "wanted"),
    [
        (1, None, ["the"]),
        (3, None, ["the", "and_", "of"]),  # equally frequent: in order of characters
        (100, None, ["the", "and_", "of", "a", "cat", "dog"]),
        (None, 0.01, ["the"]),
        (None, 5 / 15, ["the"]),
        (None, 0.34, ["the", "and_"]),
        (None, 0.8, ["the", "and_", "of", "a"]),  # 13 of 15
        (None, 1.0, ["the", "and_", "of", "a", "cat", "dog"]),
        (2, 0.8, ["the", "and_"]),
        (5, 0.34, ["the", "and_"]),
    ],
)
def test_the_most_frequent_words(size: int | None, coverage: float | None, wanted: list[str]) -> None:
    assert stoplist.train(COUNTS, size, coverage) == wanted
    backwards = dict(reversed(COUNTS.items()))
    assert stoplist.train(backwards, size, coverage) == wanted


def test_a_share_that_is_met_exactly_takes_no_further_word() -> None:
    even = {chr(ord("a") + number): 3 for number in range(10)}
    for some in range(1, 11):
        assert len(stoplist.train(even, None, some / 10)) == some


@pytest.mark.parametrize(
    ("size", "coverage", "why"),
    [
        (None, None, "a size or a coverage"),
        (0, None, "size is 0"),
        (-1, 0.5, "size is -1"),
        (None, 0.0, "coverage is 0"),
        (None, 1.5, "coverage is 1.5"),
        (3, float("nan"), "coverage is nan"),
    ],
)
def test_sizes_and_shares_that_cannot_be(size: int | None, coverage: float | None, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        stoplist.train(COUNTS, size, coverage)


def test_nothing_to_learn_from() -> None:
    with pytest.raises(ValueError, match="nothing to learn from"):
        stoplist.train(stoplist.count(["42", ""]), 10)


def test_coverage_is_the_share_of_running_words() -> None:
    assert stoplist.covered(COUNTS, ["the", "a", "a", "never"]) == 7 / 15
    assert stoplist.covered(COUNTS, stoplist.train(COUNTS, coverage=0.7)) >= 0.7
    assert stoplist.covered({}, ["the"]) == 0


# ---- files ----------------------------------------------------------------------------------------------------


def test_a_file_anyone_can_read(tmp_path: Path) -> None:
    about = {
        "language": "en",
        "name": "",
        "credits": "Corpus A, CC BY 4.0\nCorpus B, free",
        "words counted": 15,
        "command": "nc-train stoplist: -o x",
    }
    stoplist.write(tmp_path / "x.txt", ["the", "été", "的"], about)
    assert (tmp_path / "x.txt").read_bytes() == (
        "# language: en\n# credits: Corpus A, CC BY 4.0\n# credits: Corpus B, free\n# words counted: 15\n"
        "# command: nc-train stoplist: -o x\nthe\nété\n的\n"
    ).encode()
    words, said = stoplist.read(tmp_path / "x.txt")
    assert words == {"the", "été", "的"}
    assert said == {key: str(value) for key, value in about.items() if value}


def test_learning_again_gives_the_same_bytes(tmp_path: Path) -> None:
    for name, texts in (("a", TEXTS), ("b", TEXTS[::-1])):
        words = stoplist.train(stoplist.count(texts), coverage=0.9)
        stoplist.write(tmp_path / name, words, {"language": "en"})
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_what_is_said_cannot_become_a_word(tmp_path: Path) -> None:
    stoplist.write(tmp_path / "x", ["the"], {"credits": "one\ntwo\r\nthree\x85four\u2028five", "command": "\udcff"})
    words, said = stoplist.read(tmp_path / "x")
    assert words == {"the"}
    assert said["credits"].split("\n") == ["one", "two", "three", "four", "five"]


def test_other_peoples_lists(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes("\ufeff# no key here\r\n\r\nThe\r\n  Été \nDON'T\nthe".encode())
    assert stoplist.read(tmp_path / "x") == ({"the", "été", "don't"}, {})


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "no word"),
        (b"# language: en\n\n \n", "no word"),
        ("# a\nthe\nété\n".encode("latin-1"), "line 3: not UTF-8"),
        ("the\n".encode("utf-16"), "line 1: not UTF-8"),
        ("the\n".encode("utf-16-le"), "line 1: a single word"),
        (b"the\nof the\n", "line 2: a single word"),
        (b"PK\x03\x04\n", "line 1: a single word"),
        (b"the\na\0b\n", "line 2: a single word"),
        *((pickle.dumps(frozenset({"the"}), protocol), "a pickle") for protocol in range(2, 6)),
    ],
)
def test_files_that_are_no_list(tmp_path: Path, content: bytes, why: str) -> None:
    (tmp_path / "x").write_bytes(content)
    refused(tmp_path / "x", why)


def test_files_that_are_not_there(tmp_path: Path) -> None:
    refused(tmp_path / "missing", "No such file")
    refused(tmp_path, "directory")
    with pytest.raises(OSError):
        stoplist.write(tmp_path / "nowhere" / "x", ["the"], {})
