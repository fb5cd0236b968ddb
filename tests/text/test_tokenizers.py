"""Tokenizers and hash tables."""

from __future__ import annotations

import random
import re
from typing import Any

import numpy as np
import pytest

from ncfilters.text import tokenizers
from ncfilters.text.hash_table import CompactTable, NgramMixer, NgramTable, TableLayout, build_table
from ncfilters.text.tokenizers import tokenize

# ---- PyPlexity's rules, one by one ------------------------------------------------------------------------------
BEFORE = ",;:"
AROUND = "()\"<>='`?¿!¡"
LOWER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZÁÉÍÓÚÇÃÕÂÊÔÀÈ", "abcdefghijklmnopqrstuvwxyzáéíóúçãõâêôàè")


def by_substitution(text: str) -> list[str]:
    """The tokens of a text, by PyPlexity's substitutions in their order."""
    text = text.translate(LOWER)
    for mark in BEFORE:
        text = text.replace(mark, " " + mark)
    text = re.sub(r"\. [\w]*", " . ", text)
    text = re.sub(r"\.$", " .", text)
    for mark in AROUND:
        text = text.replace(mark, f" {mark} ")
    return text.split()


SENTENCES = [
    "The cat sat on the mat.", "It cost 3.50, not 4. Nobody paid.",
    'He said (quietly): "No. Never!" and left; she stayed.', "Dr. Smith, e.g., and U.S. forces...",
    "¿Qué ÁÉÍÓÚ Ñandú ÇÃÕ ÂÊÔ ÀÈ ÖÜ? ¡Sí!", "它是。第一 章. 第二", "Ελλάδα. Αθήνα είναι. ",
    "a\u00a0b\u2003c\u3000d\x85e\u2028f\x1cg", "a.\n", "a.\n\n", "a. ", ". .. . a .b ., .; .:",
    "'it's' `x` <b>=\"1\"</b>", "can\u2019t \u201cquoted\u201d \u2014 dash", "x. été. étéa-b. É", "", " \t ",
    "\0 a.\0 b\1", "a. " + "w" * 300 + " b. " + "é" * 300 + ".",
]  # fmt: skip


@pytest.mark.parametrize("text", SENTENCES)
def test_tokens_are_those_of_pyplexity(text: str) -> None:
    assert tokenize([text], "pyplexity").words() == [by_substitution(text)]


def test_pyplexity_drops_and_splits_as_written_out_here() -> None:
    # the word after a full stop is lost; commas begin words; what ends a text is a word
    assert tokenize(["No. Never, said (she).", "a ,b"], "pyplexity").words() == [
        ["no", ".", ",", "said", "(", "she", ")", "."],
        ["a", ",b"],
    ]
    assert tokenize(["Ñu Öl ÉÉ"], "pyplexity").words() == [["Ñu", "Öl", "éé"]]


def test_tokens_of_random_texts_are_those_of_pyplexity() -> None:
    rng = random.Random(5)
    letters = [*"aZÑÁü.,;:()\"'`<>=?!¿¡_#1 \n\t\r\0\1\x1c\x7f\x85\xa0\u2003\u3000\u1680\u2028中é😀\u200b"]
    letters += [". ", ". ", " "]
    texts = ["".join(rng.choices(letters, k=rng.randrange(40))) for _ in range(4000)]
    assert tokenize(texts, "pyplexity").words() == [by_substitution(text) for text in texts]


@pytest.mark.parametrize("how", tokenizers.TOKENIZERS)
def test_texts_are_tokenized_together_as_alone(how: str) -> None:
    together = tokenize([*SENTENCES, *SENTENCES], how)
    assert together.words() == [word for text in [*SENTENCES, *SENTENCES] for word in tokenize([text], how).words()]
    assert together.lengths.tolist() == [len(words) for words in together.words()]
    assert tokenize([], how).words() == []


@pytest.mark.parametrize("how", tokenizers.TOKENIZERS)
def test_a_text_with_every_separator_loses_one(how: str) -> None:
    found = tokenize(["a b", tokenizers.SEPARATORS + " c", "d"], how).words()
    assert (found[0], found[1][-1], found[2]) == (["a", "b"], "c", ["d"])


def test_surrogates_words_and_marks_are_tokens() -> None:
    assert tokenize(["a \ud83d b", "c"], "pyplexity").words() == [["a", "\ufffd", "b"], ["c"]]
    assert tokenizers.tokens("Don't PANIC, it's 3.5 | «ok»…") == [
        *["don", "'", "t", "panic", ",", "it", "'", "s", "3", ".", "5", "|", "«", "ok", "»", "…"]
    ]
    assert tokenizers.tokens("我的 書。กิน") == ["我", "的", "書", "。", "กิ", "น"]
    assert tokenizers.tokens("E\u0301te\u0301") == ["été"]
    assert tokenize(["The  cat,\tsat É.\u00a0É ", "\n"], "spaces").words() == [["The", "cat,", "sat", "É.", "É"], []]


def test_ascii_and_other_texts_are_split_alike() -> None:
    for code in range(128):
        text = f"A{chr(code)}{chr(code)}b"
        assert (
            [*tokenize([text], "words").words()[0], "é"]
            == tokenize([text + " é"], "words").words()[0]
            == tokenizers.tokens(text + " é")
        )


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
    there = set(zip(some.tolist(), last.tolist()))
    rng = np.random.default_rng(2)
    others = rng.integers(0, histories + 1, 5000), rng.integers(0, words + 1, 5000)
    missing = [pair not in there for pair in zip(others[0].tolist(), others[1].tolist())]
    assert (made.find(*others) == entries).tolist() == missing


def test_unknown_words_make_no_ngram_and_ngrams_take_few_bytes() -> None:
    made, *_ = table(35, 5, 7)  # all there are
    assert made.find(np.array([5, 0, 5]), np.array([0, 7, 7])).tolist() == [35, 35, 35]
    made, *_ = table(300_000, 1 << 17, 1 << 17)
    assert (made.buckets.starts.nbytes + made.buckets.rests.nbytes) / 300_000 < 8


def test_keys_of_tables() -> None:
    shape = TableLayout(40, 1 << 12)
    some = np.arange(0, 1 << 12, 2, dtype=np.uint64) << np.uint64(40 - shape.first)
    made, _ = build_table(40, np.concatenate([some, some | np.uint64(1)]))
    odd = some + (np.uint64(1) << np.uint64(40 - made.first))
    found = made.find(odd[:-1])
    assert (found == len(made)).all()
    numbers = np.arange(1 << 14, dtype=np.uint64)  # all in one bucket, the others empty
    with pytest.raises(ValueError, match="evenly"):
        build_table(38, numbers)
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
                broken.buckets.check()


@pytest.mark.parametrize(("bits", "starts", "rests"), [
    (40, np.zeros(4, np.uint32), np.zeros(3, np.uint64)), (40, np.zeros(5, np.uint64), np.zeros(3, np.uint64)),
    (40, np.zeros(5, np.uint32), np.zeros(3, np.uint16)), (40, np.zeros(5, np.uint32), np.zeros(3, np.int64)),
    (65, np.zeros(5, np.uint32), np.zeros(3, np.uint64)), (40, np.zeros(0, np.uint32), np.zeros(3, np.uint64)),
])  # fmt: skip
def test_arrays_that_do_not_fit_are_refused(bits: int, starts: Any, rests: Any) -> None:
    with pytest.raises(ValueError):
        CompactTable(bits, starts, rests)
