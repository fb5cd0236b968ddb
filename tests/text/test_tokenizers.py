"""Tokenizers, and hashes of words."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest

from ncfilters.text import tokenizers
from ncfilters.text.tokenizers import MAX_WORD_BYTES, hash_spans, tokenize

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


# ---- hashes of words -------------------------------------------------------------------------------------------
def test_words_have_hashes_of_their_own() -> None:
    words = [f"{a}{b}".encode() for a in range(300) for b in "abcdefghijklmnopqrstuvwxyz"] + [
        bytes([a, b, c]) for a in range(97, 123) for b in range(97, 123) for c in range(97, 123)
    ]
    ends = np.cumsum([len(word) for word in words])
    found = hash_spans(np.frombuffer(b"".join(words), np.uint8), ends - [len(word) for word in words], ends)
    assert len(set(found.tolist())) == len(words)
    assert abs((found >> np.uint64(63)).mean() - 0.5) < 0.02


def test_hashes_depend_on_the_bytes_of_the_word_alone() -> None:
    alone = {word: number(word) for word in WORDS}
    text = b"  ".join(WORDS * 3000)
    data = np.frombuffer(text, np.uint8)
    ends = np.cumsum([len(word) + 2 for word in WORDS * 3000]) - 2
    starts = ends - [len(word) for word in WORDS * 3000]
    assert hash_spans(data, starts, ends).tolist() == [alone[word] for word in WORDS * 3000]
    wanted = 0
    for place, byte in enumerate(b"the"):
        wanted += of_byte(byte) * pow(0xD1342543DE82EF95, place, 1 << 64)
    wanted %= 1 << 64
    wanted ^= wanted >> 32
    wanted = wanted * 0xBF58476D1CE4E5B9 % (1 << 64)
    wanted ^= wanted >> 29
    assert number(b"the") == wanted
    data = np.frombuffer(b"a" * 5000 + b"b", np.uint8)
    starts, ends = np.array([0, 5001, 8000]), np.array([5001, 5001 + MAX_WORD_BYTES, 8001])
    long, cut, other = hash_spans(np.concatenate([data, data]), starts, ends)
    assert long == cut != other


def number(word: bytes) -> int:
    return int(hash_spans(np.frombuffer(word, np.uint8), np.array([0]), np.array([len(word)]))[0])


def of_byte(byte: int) -> int:
    mix = (byte + 1) * 0x9E3779B97F4A7C15 % (1 << 64)
    for shift, mixer in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mix = (mix ^ mix >> shift) * mixer % (1 << 64)
    return mix ^ mix >> 31


WORDS = [b"the", b"a", "été".encode(), b"x" * 700, b"\xff\x00", b"sat"]
