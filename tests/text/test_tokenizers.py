"""Tokenizers, and PyPlexity's substitutions written out as a reference."""

from __future__ import annotations

import random
import re

import pytest

from ncfilters.text import tokenizers
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
    "The cat sat on the mat.",
    "It cost 3.50, not 4. Nobody paid.",
    'He said (quietly): "No. Never!" and left; she stayed.',
    "Dr. Smith, e.g., and U.S. forces...",
    "¿Qué ÁÉÍÓÚ Ñandú ÇÃÕ ÂÊÔ ÀÈ ÖÜ? ¡Sí!",
    "它是。第一 章. 第二",
    "Ελλάδα. Αθήνα είναι. ",
    "a\u00a0b\u2003c\u3000d\x85e\u2028f\x1cg",
    "a.\n",
    "a.\n\n",
    "a. ",
    ". .. . a .b ., .; .:",
    "'it's' `x` <b>=\"1\"</b>",
    "can\u2019t \u201cquoted\u201d \u2014 dash",
    "x. été. étéa-b. É",
    "",
    " \t ",
    "\0 a.\0 b\1",
    "a. " + "w" * 300 + " b. " + "é" * 300 + ".",
]


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


def test_a_lone_surrogate_becomes_u_fffd() -> None:
    assert tokenize(["a \ud83d b", "c"], "pyplexity").words() == [["a", "\ufffd", "b"], ["c"]]


def test_words_and_marks_are_tokens() -> None:
    assert tokenizers.tokens("Don't PANIC, it's 3.5 | «ok»…") == [
        *["don", "'", "t", "panic", ",", "it", "'", "s", "3", ".", "5", "|", "«", "ok", "»", "…"]
    ]
    assert tokenizers.tokens("我的 書。กิน") == ["我", "的", "書", "。", "กิ", "น"]
    assert tokenizers.tokens("E\u0301te\u0301") == ["été"]


def test_ascii_and_other_texts_are_split_alike() -> None:
    for code in range(128):
        text = f"A{chr(code)}{chr(code)}b"
        assert (
            [*tokenize([text], "words").words()[0], "é"]
            == tokenize([text + " é"], "words").words()[0]
            == tokenizers.tokens(text + " é")
        )


def test_splitting_at_spaces_changes_no_token() -> None:
    assert tokenize(["The  cat,\tsat É.\u00a0É ", "\n"], "spaces").words() == [["The", "cat,", "sat", "É.", "É"], []]
