"""The word n-gram models, held to equations 1 and 2 of PyPlexity (2023) as written out slowly here."""

from __future__ import annotations

import json
import math
import random
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ncfilters import model, word
from ncfilters.word import Word

CORPUS = ["The cat sat on the mat.", "The dog sat on the cat.", "A dog, the dog!"]
TEXTS = [
    *CORPUS,
    "the cat",
    "mat",
    "unknown",
    "The unknown cat sat.",
    "sat sat sat",
    "!",
    "cat sat on the mat . The dog , the mat",
]


# ---- the definition, slowly -----------------------------------------------------------------------------------

WEIGHTS = {1: [1.0], 2: [0.8, 0.2], 3: [0.6, 0.3, 0.1]}  # those of the longest n-gram first


class Slow:
    """Interpolated probabilities from counts in a dictionary; each text is preceded by edges."""

    def __init__(self, n: int, texts: list[str], min_count: int = 1) -> None:
        self.n = n
        self.words = 0
        counts: Counter[tuple[str, ...]] = Counter()
        for text in texts:
            split = word.tokens(text)
            self.words += len(split)
            if not split:
                continue
            for order in range(1, n + 1):
                run = ["#"] * (order - 1) + split
                counts.update(tuple(run[at : at + order]) for at in range(len(split)))
            for order in range(1, n):
                counts[("#",) * order] += 1  # how often the edge was a history
        self.counts = {ngram: number for ngram, number in counts.items() if number >= min_count}

    def probability(self, run: tuple[str, ...]) -> float:
        count, history = self.counts.get(run, 0), self.counts.get(run[:-1], 0)
        if len(run) == 1:
            history = self.words
        return count / history if history else 0.0

    def perplexity(self, text: str) -> float:
        run = ["#"] * (self.n - 1) + word.tokens(text)
        bits = 0.0
        for at in range(self.n - 1, len(run)):
            whole = tuple(run[at - self.n + 1 : at + 1])
            mixed = sum(weight * self.probability(whole[skip:]) for skip, weight in enumerate(WEIGHTS[self.n]))
            bits += math.log2(mixed + 1e-6)
        return float(2 ** (-bits / len(word.tokens(text))))


def made(rng: random.Random, texts: int) -> list[str]:
    return [" ".join(rng.choices("a b c d e f . ,".split(), k=rng.randrange(12))) for _ in range(texts)]


# ---- perplexity -----------------------------------------------------------------------------------------------


def test_worked_out_by_hand() -> None:
    # 20 words, the mark at the end of a sentence and the comma among them
    bigrams, trigrams = Word.train(2, 8000, CORPUS), Word.train(3, 8000, CORPUS)
    assert bigrams.words == trigrams.words == 20
    # two of three texts begin with "the", which is 5 of all words; 2 of those 5 have "cat" after them, itself 2 words
    the, cat = 0.8 * 2 / 3 + 0.2 * 5 / 20 + 1e-6, 0.8 * 2 / 5 + 0.2 * 2 / 20 + 1e-6
    assert bigrams.perplexities(["The cat"])[0] == pytest.approx((the * cat) ** -0.5, rel=1e-12)
    # "# # the" 2 of 3, "# the" 2 of 3; "# the cat" 1 of 2, "the cat" 2 of 5
    the = 0.6 * 2 / 3 + 0.3 * 2 / 3 + 0.1 * 5 / 20 + 1e-6
    cat = 0.6 * 1 / 2 + 0.3 * 2 / 5 + 0.1 * 2 / 20 + 1e-6
    assert trigrams.perplexities(["The cat"])[0] == pytest.approx((the * cat) ** -0.5, rel=1e-12)
    assert Word.train(1, 8000, CORPUS).perplexities(["cat"])[0] == pytest.approx(1 / (2 / 20 + 1e-6), rel=1e-12)


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("min_count", [1, 2])
def test_the_papers_formula(n: int, min_count: int) -> None:
    fast, slow = Word.train(n, 8000, CORPUS, min_count), Slow(n, CORPUS, min_count)
    assert fast.perplexities(TEXTS) == pytest.approx([slow.perplexity(text) for text in TEXTS], rel=1e-9)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_papers_formula_on_any_text(n: int) -> None:
    rng = random.Random(n)
    for _ in range(20):
        corpus = [*made(rng, 30), "a"]
        min_count = rng.choice([1, 1, 2, 5])
        texts = [text for text in made(rng, 30) if text]
        fast, slow = Word.train(n, 8000, corpus, min_count), Slow(n, corpus, min_count)
        assert fast.perplexities(texts) == pytest.approx([slow.perplexity(text) for text in texts], rel=1e-9)


def test_the_order_of_words_counts() -> None:
    for n in (2, 3):
        right, wrong = Word.train(n, 8000, CORPUS).perplexities(["The cat sat on the mat.", "mat the on sat cat The."])
        assert right < wrong / 10


def test_nothing_that_is_known_costs_a_million() -> None:
    for n in (1, 2, 3):
        found = Word.train(n, 8000, CORPUS).perplexities(["Xyz", "xyz zyx", "中文 xyz » ½"])
        assert found == pytest.approx([1e6] * 3, rel=1e-9)


@pytest.mark.parametrize("empty", ["", " ", "\n\t\u3000"])
def test_a_text_without_words_says_nothing(empty: str) -> None:
    for n in (1, 2, 3):
        trained = Word.train(n, 1000, [*CORPUS, empty])
        assert trained.perplexities([empty, "the cat", empty, empty]).tolist() == [
            1000,
            *Word.train(n, 1000, CORPUS).perplexities(["the cat"]),
            1000,
            1000,
        ]
        assert trained.evidence([[{"text": empty}]]) == [{"perplexity": [1000.0], "score": [0.0]}]


@pytest.mark.parametrize("n", [1, 2, 3])
def test_texts_score_together_as_alone(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(n)
    trained = Word.train(n, 8000, CORPUS)
    texts = [" ".join(rng.choices("the cat sat on dog mat x .".split(), k=rng.randrange(40))) for _ in range(200)]
    alone = [trained.perplexities([text])[0] for text in texts]
    assert trained.perplexities(texts).tolist() == alone
    monkeypatch.setattr(word, "SLICE", 7)
    assert trained.perplexities(texts).tolist() == alone
    assert trained.perplexities([]).tolist() == []


def test_a_very_long_text() -> None:
    trained = Word.train(3, 8000, CORPUS)
    started = time.perf_counter()
    long = trained.perplexities(["the cat sat on " * 25_000])[0]
    assert time.perf_counter() - started < 5
    # once it goes round: "the" after "sat on", "cat" after "on the", "sat" after "the cat", "on" after "cat sat"
    steady = [
        0.6 * p + 0.3 * q + 0.1 * r / 20 + 1e-6
        for p, q, r in [(2 / 2, 2 / 2, 5), (1 / 2, 2 / 5, 2), (1 / 2, 1 / 2, 2), (1 / 1, 2 / 2, 2)]
    ]
    assert long == pytest.approx(math.prod(steady) ** -0.25, rel=1e-3)


@pytest.mark.parametrize("text", ["\0", "\ud83d", "😀", "\u202e", "a" * 100_000, "|" * 10_000, "e\u0301 é"])
def test_odd_texts(text: str) -> None:
    found = Word.train(2, 8000, [*CORPUS, text]).perplexities([text, CORPUS[0]])
    assert 0.99 < found[0] < 1e6
    assert math.isfinite(found[1])


# ---- words ----------------------------------------------------------------------------------------------------


def test_words_and_marks() -> None:
    assert word.tokens("Don't PANIC, it's 3.5 | «ok»…") == [
        *["don", "'", "t", "panic", ",", "it", "'", "s", "3", ".", "5", "|", "«", "ok", "»", "…"]
    ]
    assert word.tokens("我的 書。กิน") == ["我", "的", "書", "。", "กิ", "น"]
    assert word.tokens("E\u0301te\u0301") == ["été"]


def test_ascii_is_split_as_all_else_is() -> None:
    for code in range(128):
        text = f"A{chr(code)}{chr(code)}b"
        assert [*word.tokens(text), "é"] == word.tokens(text + " é")


# ---- evidence -------------------------------------------------------------------------------------------------


def test_evidence_is_perplexity_and_its_distance_from_the_limit() -> None:
    trained = Word.train(2, 50, CORPUS)
    documents: list[list[dict[str, Any]]] = [[{"text": TEXTS[0]}, {"text": "no"}], [], [{"text": ""}, {"text": "mat"}]]
    first, none, last = trained.evidence(documents)
    low = trained.perplexities([TEXTS[0]])[0]
    assert first == {"perplexity": [round(low, 2), 1e6], "score": [round(math.log2(50 / low), 2), -14.29]}
    assert first["score"][0] > 0
    assert none == {"perplexity": [], "score": []}
    assert last["score"][0] == 0
    assert all(type(value) is float for fields in (first, last) for values in fields.values() for value in values)


# ---- trained --------------------------------------------------------------------------------------------------


def same(one: Word, other: Word) -> bool:
    pairs = zip(one.arrays().items(), other.arrays().items())
    return one.header() == other.header() and all(
        a == b and x.dtype == y.dtype and x.tolist() == y.tolist() for (a, x), (b, y) in pairs
    )


@pytest.mark.parametrize("n", [1, 2, 3])
def test_counts_do_not_hang_on_order_or_batches(n: int) -> None:
    rng = random.Random(n)
    corpus = made(rng, 300)
    words, tables = word.count(n, corpus)
    for texts, batch in ((corpus, 1), (corpus, 50), (corpus[::-1], 1000)):
        again, others = word.count(n, iter(texts), batch)
        assert again == words
        for (keys, counts), (other_keys, other_counts) in zip(tables, others):
            assert keys.tolist() == other_keys.tolist() and counts.tolist() == other_counts.tolist()
    slow = Slow(n, corpus)
    for order, (keys, counts) in enumerate(tables, 1):
        assert sorted(counts) == sorted(c for ngram, c in slow.counts.items() if len(ngram) == order)
        assert (keys.dtype, counts.dtype) == (np.uint64, np.uint32)


def test_what_is_rare_is_left_out() -> None:
    trained = Word.train(2, 8000, CORPUS, 2)
    # edge 3, the 5, cat 2, dog 3, sat 2, on 2, "." 2
    assert sorted(trained.tables[0][1]) == [2, 2, 2, 2, 3, 3, 5]
    # edge the, the cat, the dog, sat on, on the
    assert sorted(trained.tables[1][1]) == [2, 2, 2, 2, 2]
    assert trained.words == 20


def test_numbers_of_words_are_the_same_everywhere() -> None:
    # blake2b of the UTF-8 bytes, eight bytes of it, the least first: b2sum -l 64
    keys, counts = Word.train(1, 8000, ["the"]).tables[0]
    assert [format(int(key), "016x") for key in keys] == [HASH_OF_THE]
    assert counts.tolist() == [1]


HASH_OF_THE = "2e3a97906cabda5e"


@pytest.mark.parametrize(
    ("n", "limit", "min_count", "why"),
    [
        (0, 8000, 1, "n is 0: from 1 to 3"),
        (4, 8000, 1, "n is 4"),
        (2.0, 8000, 1, "n is 2.0"),
        (2, 0, 1, "limit is 0"),
        (2, -5, 1, "limit is -5"),
        (2, math.inf, 1, "limit is inf"),
        (2, math.nan, 1, "limit is nan"),
        (2, "8000", 1, "limit is 8000"),
        (2, 8000, 0, "min_count is 0"),
    ],
)
def test_parameters_that_make_no_model(n: Any, limit: Any, min_count: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Word.train(n, limit, CORPUS, min_count)


@pytest.mark.parametrize("texts", [[], [""], ["\n", " "]])
def test_nothing_to_learn_from(texts: list[str]) -> None:
    with pytest.raises(ValueError, match="nothing to learn from"):
        Word.train(2, 8000, texts)


def test_more_than_a_model_file_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word, "MAX_ARRAYS", 200)
    with pytest.raises(ValueError, match="too many n-grams .* min_count 1: a higher one is wanted"):
        Word.train(2, 8000, CORPUS)
    assert Word.train(2, 8000, CORPUS, 2).words == 20


def test_a_model_of_nothing_but_rare_words() -> None:
    assert Word.train(3, 8000, ["one two three"], 5).perplexities(["one two"])[0] == pytest.approx(1e6)


# ---- files ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 3])
def test_written_and_loaded(n: int, tmp_path: Path) -> None:
    path = tmp_path / "x.model"
    trained = Word.train(n, 5000.5, CORPUS)
    header = model.write(path, trained, {"language": "en"})
    assert (header["kind"], header["parameters"]) == ("word", {"n": n, "limit": 5000.5, "min_count": 1, "words": 20})
    loaded = model.load(str(path))
    assert isinstance(loaded, Word) and same(trained, loaded)
    assert all(array.flags.aligned for array in loaded.arrays().values())
    assert loaded.perplexities(TEXTS).tolist() == trained.perplexities(TEXTS).tolist()


def test_scored_by_the_command(tmp_path: Path, run: Callable[..., subprocess.CompletedProcess[bytes]]) -> None:
    model.write(tmp_path / "x.model", Word.train(2, 8000, CORPUS), {"language": "en"})
    done = run("nc-score", "-m", "./x.model", stdin=[{"id": "a", "segments": [{"text": CORPUS[0]}, {"text": "Login"}]}])
    assert (done.returncode, done.stderr) == (0, b"")
    clean, dirty = json.loads(done.stdout)["segments"]
    assert clean["score"] > 0 > dirty["score"]
    assert clean["perplexity"] < 8000 < dirty["perplexity"] == 1e6
    listed = run("nc-score", "--list-models", NC_MODELS=str(tmp_path)).stdout.decode()
    assert ["x", "word", "en"] in [line.split() for line in listed.splitlines()]


def test_learning_again_gives_the_same_bytes(tmp_path: Path) -> None:
    for name, texts in (("a", CORPUS), ("b", CORPUS[::-1])):
        model.write(tmp_path / name, Word.train(3, 8000, iter(texts)), {})
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize(
    ("parameters", "why"),
    [
        ({"n": 4}, "n is 4"),
        ({"n": 3}, "keys3"),
        ({"n": None}, "n is None"),
        ({"limit": 0}, "limit is 0"),
        ({"limit": "8000"}, "limit is 8000"),
        ({"min_count": 0}, "min_count is 0"),
        ({"words": 0}, "learned from 0 words"),
        ({"words": 2.5}, "learned from 2.5 words"),
    ],
)
def test_headers_that_do_not_fit(parameters: dict[str, Any], why: str) -> None:
    trained = Word.train(2, 8000, CORPUS)
    with pytest.raises((ValueError, KeyError, TypeError), match=why):
        Word.restored({**trained.header(), **parameters}, trained.arrays())
    for key in trained.header():
        with pytest.raises(KeyError, match=key):
            Word.restored({k: v for k, v in trained.header().items() if k != key}, trained.arrays())


def test_arrays_that_do_not_fit() -> None:
    trained = Word.train(2, 8000, CORPUS)
    header, arrays = trained.header(), trained.arrays()
    for name, array, why in (
        ("keys1", arrays["keys1"].astype(np.int64), "n-grams of type int64"),
        ("counts2", arrays["counts2"].astype(np.float32), "counts of type float32"),
        ("counts1", arrays["counts1"][:-1], "different lengths"),
        ("keys2", arrays["keys2"][::-1], "do not ascend"),
        ("keys2", np.repeat(arrays["keys2"][:1], len(arrays["keys2"])), "do not ascend"),
    ):
        with pytest.raises(ValueError, match=why):
            Word.restored(header, {**arrays, name: array})
    for name in arrays:
        with pytest.raises(KeyError, match=name):
            Word.restored(header, {key: array for key, array in arrays.items() if key != name})
