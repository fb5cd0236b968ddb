"""Interpolated word models, compared with a naive version of PyPlexity's program and of equations 1 and 2 of its
paper (2023)."""

from __future__ import annotations

import math
import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from word_lm_corpus import places, train

from ncfilters.features.document import ModelInput
from ncfilters.scoring import registry
from ncfilters.scoring.word_lm import interpolated
from ncfilters.scoring.word_lm.interpolated import InterpolatedModel
from ncfilters.text.tokenizers import tokenize

CORPUS = ["The cat sat on the mat.", "The dog sat on the cat.", "A dog, the dog!", "# 5 is the # of the cat"]
TEXTS = [
    *CORPUS, "the cat", "mat", "unknown", "The unknown cat sat.", "sat sat sat", "!",
    "cat sat on the mat . The dog , the mat", "dog dog the the",
]  # fmt: skip
ESTIMATORS = [("pyplexity", 2), ("pyplexity", 3), ("pyplexity-misaligned", 3), ("interpolated", 2), ("interpolated", 3)]


def random_texts(rng: random.Random, texts: int) -> list[str]:
    return [" ".join(rng.choices("a b c d e f # , é".split(), k=rng.randrange(12))) for _ in range(texts)]


# ---- the definitions, slowly ----------------------------------------------------------------------------------


class NaiveModel:
    """Probabilities from counts in a dictionary, with the arithmetic of PyPlexity's program."""

    def __init__(self, estimator: str, n: int, texts: list[str]) -> None:
        self.estimator, self.n = estimator, n
        self.how = "words" if estimator == "interpolated" else "pyplexity"
        self.boundary = "<s>" if estimator == "interpolated" else "#"
        self.words = self.texts = 0
        counts: Counter[tuple[str, ...]] = Counter()
        for text in texts:
            (split,) = tokenize([text], self.how).words()
            if not split:
                continue
            self.words += len(split)
            self.texts += 1
            run = [self.boundary] * (n - 1) + split
            for order in range(1, n + 1):
                first = n - 1 if order == n else n - 2  # shorter ones may end in the last boundary, as histories
                counts.update(tuple(run[at - order + 1 : at + 1]) for at in range(first, len(run)))
        self.counts = dict(counts)

    def frequency(self, *run: str) -> float:
        """C(run) / C(run without its last word)."""
        count = self.counts.get(run, 0)
        if len(run) == 1:  # boundaries are no words
            return max(count - self.texts * (run[0] == self.boundary), 0) / self.words
        return count / self.counts[run[:-1]] if count else 0.0

    def perplexity(self, text: str) -> float:
        (split,) = tokenize([text], self.how).words()
        if self.estimator == "pyplexity" and self.n == 2:
            pairs = zip(["#"] + split[:-1], split)
            mixed = [0.8 * self.frequency(before, here) + 0.2 * self.frequency(before) for before, here in pairs]
        elif self.estimator == "pyplexity-misaligned":
            triples = zip(["#"] + split[:-2], split[:-1], split)
            mixed = [
                0.6 * self.frequency(a, b, c) + 0.3 * self.frequency(a, b) + 0.1 * self.frequency(a)
                for a, b, c in triples
            ]
        else:
            run = [self.boundary] * (self.n - 1) + split
            weights = {2: [0.8, 0.2], 3: [0.6, 0.3, 0.1]}[self.n]
            mixed = [
                sum(
                    weight * self.frequency(*run[at - self.n + 1 + skip : at + 1])
                    for skip, weight in enumerate(weights)
                )
                for at in range(self.n - 1, len(run))
            ]
        return float(2 ** (-sum(math.log2(one + 1 / 1000000) for one in mixed) / len(split)))


@pytest.mark.parametrize(("estimator", "n"), ESTIMATORS)
def test_perplexities_follow_the_definitions(estimator: str, n: int) -> None:
    rng = random.Random(n)
    random_ones = [([*random_texts(rng, 30), "a"], [text for text in random_texts(rng, 30) if text]) for _ in range(20)]
    for corpus, texts in [(CORPUS, TEXTS), *random_ones]:
        fast, slow = train(corpus, n, estimator), NaiveModel(estimator, n, corpus)
        assert fast.perplexities(texts) == pytest.approx([slow.perplexity(text) for text in texts], rel=1e-9)


def test_perplexities_worked_out_by_hand() -> None:
    # 6 words, of which "a" is 3; both texts start with it, and boundaries are no words
    texts = ["a b a", "a c d"]
    random_texts = train(texts)
    assert isinstance(random_texts, InterpolatedModel) and random_texts.counts.words == 6
    a, b = 0.8 * 2 / 2 + 1e-6, 0.8 * 1 / 3 + 0.2 * 3 / 6 + 1e-6
    assert random_texts.perplexities(["a b"])[0] == pytest.approx((a * b) ** -0.5, rel=1e-12)
    # the paper's equation uses the unigrams of "a" and "b" themselves
    a, b = 0.8 * 2 / 2 + 0.2 * 3 / 6 + 1e-6, 0.8 * 1 / 3 + 0.2 * 1 / 6 + 1e-6
    assert train(texts, 2, "interpolated").perplexities(["a b"])[0] == pytest.approx((a * b) ** -0.5, rel=1e-12)
    # "# # a" 2 of 2, "# a" 2 of 2; "# a b" 1 of 2, "a b" 1 of 3
    a = 0.6 * 2 / 2 + 0.3 * 2 / 2 + 0.1 * 3 / 6 + 1e-6
    b = 0.6 * 1 / 2 + 0.3 * 1 / 3 + 0.1 * 1 / 6 + 1e-6
    assert train(texts, 3).perplexities(["a b"])[0] == pytest.approx((a * b) ** -0.5, rel=1e-12)
    # misaligned: only "a" after "#", as the trigram "# a a", which is unknown; the mean is over 2 words
    a = 0.3 * 2 / 2 + 1e-6
    assert train(texts, 3, "pyplexity-misaligned").perplexities(["a b"])[0] == pytest.approx(a**-0.5, rel=1e-12)


def test_words_that_are_shuffled_unknown_or_alone() -> None:
    # shuffled words have a higher perplexity
    for estimator, n in ESTIMATORS:
        right, wrong = train(CORPUS, n, estimator).perplexities(["The cat sat on the mat.", "mat . the on sat cat The"])
        assert right < wrong / 2
    # unknown words have a perplexity of a million
    for estimator, n in ESTIMATORS:
        if estimator != "pyplexity-misaligned":
            found = train(CORPUS[:3], n, estimator).perplexities(["Xyz", "xyz zyx", "中文 xyz » ½", "书" * 99])
            assert found == pytest.approx([1e6] * 4, rel=1e-9)
    # a misaligned text of one word has no trigram
    assert train(CORPUS, 3, "pyplexity-misaligned").perplexities(["nonsense", "the"]).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("empty", ["", " ", "\n\t\u3000"])
def test_a_text_without_words_has_the_limit(empty: str) -> None:
    for estimator, n in ESTIMATORS:
        trained = train([*CORPUS, empty], n, estimator, perplexity_limit=1000)
        assert trained.perplexities([empty, "the cat", empty, empty]).tolist() == [
            1000,
            *train(CORPUS, n, estimator).perplexities(["the cat"]),
            1000,
            1000,
        ]
        assert trained.evidence([ModelInput.of_texts([empty])]) == [{"perplexity": [1000.0], "score": [0.0]}]


@pytest.mark.parametrize(("estimator", "n"), ESTIMATORS)
def test_batches_do_not_change_perplexities(estimator: str, n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(n)
    trained = train(CORPUS, n, estimator)
    texts = [" ".join(rng.choices("the cat sat on dog mat x .".split(), k=rng.randrange(40))) for _ in range(200)]
    alone = [trained.perplexities([text])[0] for text in texts]
    assert trained.perplexities(texts).tolist() == alone
    monkeypatch.setattr(interpolated, "MAX_BATCH_CHARACTERS", 50)
    assert trained.perplexities(texts).tolist() == alone
    assert trained.perplexities([]).tolist() == []


def test_periods_and_counts_of_ngrams() -> None:
    # a periodic text has the perplexity of its period
    trained = train(CORPUS[:3], 3, "interpolated")
    long = trained.perplexities(["the cat sat on " * 25_000])[0]
    # after the first period: "the" after "sat on", "cat" after "on the", "sat" after "the cat", "on" after "cat sat"
    steady = [
        0.6 * p + 0.3 * q + 0.1 * r / 20 + 1e-6
        for p, q, r in [(2 / 2, 2 / 2, 5), (1 / 2, 2 / 5, 2), (1 / 2, 1 / 2, 2), (1 / 1, 2 / 2, 2)]
    ]
    assert long == pytest.approx(math.prod(steady) ** -0.25, rel=1e-3)
    # a model has the counts of its ngrams
    trained, counts = train(CORPUS, 3), NaiveModel("pyplexity", 3, CORPUS).counts
    assert sum(trained.trie.sizes()) == len(counts)
    for ngram, count in counts.items():
        assert trained.counts_at(len(ngram), np.array(places(trained.trie, [ngram]))) == count


def test_look_ups_do_not_increase_with_the_length_of_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    trained = train(CORPUS, 3, "interpolated")
    assert isinstance(trained, InterpolatedModel)
    table = type(trained.trie.tables[0])
    calls: list[int] = []
    find = table.find
    monkeypatch.setattr(table, "find", lambda self, *args: calls.append(1) or find(self, *args))
    counts = []
    for repetitions in (1, 10_000):
        calls.clear()
        trained.perplexities(["the cat sat on " * repetitions])
        counts.append(len(calls))
    assert counts[0] == counts[1] == 3


@pytest.mark.parametrize(("estimator", "n"), ESTIMATORS)
@pytest.mark.parametrize(
    "text", ["\0", "\ud83d", "😀", "\u202e", "a" * 100_000, "|" * 10_000, "e\u0301 é", "書" * 9999]
)
def test_unusual_texts_have_finite_perplexities(text: str, estimator: str, n: int) -> None:
    found = train([*CORPUS, text], n, estimator).perplexities([text, CORPUS[0]])
    assert 0.99 < found[0] <= 1e6
    assert math.isfinite(found[1])


# ---- evidence -------------------------------------------------------------------------------------------------


def test_evidence_is_perplexity_and_score() -> None:
    trained = train(CORPUS, 2, "interpolated", perplexity_limit=50)
    documents = [ModelInput.of_texts(texts) for texts in ([TEXTS[0], "no"], [], ["", "mat"])]
    first, none, last = trained.evidence(documents)
    low = trained.perplexities([TEXTS[0]])[0]
    assert first == {"perplexity": [float(f"{low:.7g}"), 1e6], "score": [round(math.log2(50 / low), 2), -14.29]}
    assert first["score"][0] > 0
    assert none == {"perplexity": [], "score": []}
    assert last["score"][0] == 0
    assert all(type(value) is float for fields in (first, last) for values in fields.values() for value in values)


# ---- files ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("estimator", "n"), ESTIMATORS)
def test_a_written_model_is_loaded_unchanged(estimator: str, n: int, tmp_path: Path) -> None:
    path = tmp_path / "x.model"
    trained = train(CORPUS, n, estimator, perplexity_limit=5000.5)
    header = registry.write_model(path, trained, {"language": "en"})
    assert (header["kind"], header["mapped"]) == ("word", True)
    assert {key: header["parameters"][key] for key in ("estimator", "n", "limit")} == {
        "estimator": estimator,
        "n": n,
        "limit": 5000.5,
    }
    loaded = registry.load(str(path))
    assert isinstance(loaded, InterpolatedModel) and loaded.header() == trained.header()
    assert all(array.ctypes.data % 64 == 0 for array in loaded.arrays().values() if array.dtype == np.uint16)
    assert loaded.perplexities(TEXTS).tolist() == trained.perplexities(TEXTS).tolist()
    assert registry.write_model(tmp_path / "y.model", loaded, {"language": "en"}) == header
    assert (tmp_path / "y.model").read_bytes() == path.read_bytes()


@pytest.mark.parametrize(("parameters", "why"), [
    ({"n": 4}, "n is 4"), ({"n": 3}, "starts3"), ({"n": None}, "n is None"),
    ({"limit": 0}, "limit: expected a perplexity above 0, got 0"),
    ({"limit": "8000"}, "limit: expected a perplexity above 0, got 8000"),
    ({"words": 0}, "words: expected a number above 0, got 0"),
    ({"words": 2.5}, "words: expected a number above 0, got 2.5"),
    ({"texts": -1}, "texts: expected a number from 0 to that of words, got -1"), ({"tokens": []}, "tokens is"),
    ({"estimator": "interpolate"}, "estimator is 'interpolate'"),
])  # fmt: skip
def test_inconsistent_headers_are_refused(parameters: dict[str, Any], why: str) -> None:
    trained = train(CORPUS)
    with pytest.raises((ValueError, KeyError, TypeError), match=why):
        InterpolatedModel.from_parts({**trained.header(), **parameters}, trained.arrays())
    for key in set(trained.header()) - {"n-grams"}:
        with pytest.raises(KeyError, match=key):
            InterpolatedModel.from_parts({k: v for k, v in trained.header().items() if k != key}, trained.arrays())


def test_inconsistent_arrays_are_refused() -> None:
    trained = train(CORPUS)
    header, arrays = trained.header(), trained.arrays()
    for name, array, why in (
        ("starts2", arrays["starts2"].astype(np.int64), "starts of int64"),
        ("starts1", arrays["starts1"][:-1], "starts of uint32"),
        ("rests2", arrays["rests2"].astype(np.float64), "type float64"),
        ("counts2", arrays["counts2"].astype(np.float32), "type float32"),
        ("book1", arrays["book1"].astype(np.int8), "int8"),
        ("book1", arrays["book1"][:0], "values of"),
        ("counts1", arrays["counts1"][:-1], "values of 1"),
        ("rests2", arrays["rests2"][:-1], "do not ascend"),
    ):
        with pytest.raises(ValueError, match=why):
            InterpolatedModel.from_parts(header, {**arrays, name: array})
    for name in set(arrays) - {"book1", "book2"}:
        with pytest.raises(KeyError, match=name):
            InterpolatedModel.from_parts(header, {key: array for key, array in arrays.items() if key != name})


def test_damaged_arrays_give_finite_perplexities() -> None:
    """The checksum of a large file is not verified on loading."""
    for estimator, n in ESTIMATORS:
        trained = train(CORPUS, n, estimator)
        rng = np.random.default_rng(n)
        for name in trained.arrays():
            arrays = {key: np.array(array) for key, array in trained.arrays().items()}
            arrays[name].view(np.uint8)[:] = np.frombuffer(rng.bytes(arrays[name].nbytes), np.uint8)
            try:
                found = InterpolatedModel.from_parts(trained.header(), arrays).perplexities(TEXTS)
            except ValueError:
                assert name not in ("rests1", "rests2", "rests3", "ends", "spelling")  # whose values are no places
            else:
                assert np.isfinite(found).all()


# ---- texts ------------------------------------------------------------------------------------------------------


def test_runs_of_texts_and_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpolated, "MAX_BATCH_CHARACTERS", 5)
    texts = ["a", "bcdefghi", "", "j", "k", "l"]
    batches = [texts[part] for part in interpolated.text_batches(texts)]
    assert batches == [["a", "bcdefghi"], ["", "j", "k"], ["l"]]
    assert list(interpolated.text_batches([])) == []
    run, starts = interpolated.with_boundaries(np.array([7, 8, 9]), np.array([2, 0, 1]), 1)
    assert (run.tolist(), starts.tolist()) == ([1, 7, 8, 1, 1, 9], [0, 3, 4])
    values = [1.0, 1.23456789, 12.3456789, 123456.789, 1e6, 12345678.9, 8000.0]
    texts = [ModelInput.of_texts([""] * len(values))]
    (out,) = interpolated.perplexity_fields(lambda _: np.array(values), 8000.0, texts)
    assert out["perplexity"] == [1.0, 1.234568, 12.34568, 123456.8, 1e6, 12345679.0, 8000.0]
    assert out["score"][-1] == 0.0
