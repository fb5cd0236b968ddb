"""The n-gram models against a slow implementation of equation 1 of Evert (2008)."""

from __future__ import annotations

import math
import random
from collections import Counter

import numpy as np
import pytest
from slow_ngrams import (
    ASCII,
    EDGE,
    FOLDS,
    MIXED,
    Slow,
    Weighted,
    alphabet,
    folded,
    folding,
    slow_odds,
    some_texts,
    weighted,
)

from ncfilters.features.document import ModelInput
from ncfilters.scoring.char_ngram import model as ngram_model
from ncfilters.scoring.char_ngram import ngrams
from ncfilters.scoring.char_ngram.model import CharNgramModel, CharNgramParameters, max_marginals
from ncfilters.scoring.char_ngram.ngrams import Alphabet, CharNgramCounts


@pytest.fixture(params=range(1, 9))
def n(request: pytest.FixtureRequest) -> int:
    number: int = request.param
    return number


# ---- equation 1 -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("fold", FOLDS)
@pytest.mark.parametrize("q", [0.01, 0.4, 0.5, 0.95])
def test_scores_are_those_of_equation_1(fold: str, q: float, n: int) -> None:
    rnd = random.Random(f"{fold} {q} {n}")
    clean = weighted(rnd, some_texts(rnd, MIXED, 12) + some_texts(rnd, "abc ", 8))
    dirty = weighted(rnd, some_texts(rnd, MIXED, 12) + some_texts(rnd, "|AB ", 8))
    texts = ["", "a", " ", *some_texts(rnd, MIXED, 15), *some_texts(rnd, ASCII, 15), *(t for t, _ in clean[:5])]
    scores = CharNgramModel.train(CharNgramParameters(n, q, folding(fold)), clean, dirty).score_texts(texts)
    assert scores.shape == (len(texts),)
    np.testing.assert_allclose(scores, slow_odds(n, q, fold, clean, dirty, texts), rtol=1e-4, atol=2e-3)


def test_a_model_computed_by_hand() -> None:
    # n = 2, q = 1/2, clean "ab", dirty "b"; 96 symbols. "a" is the bigrams (edge a) and (a edge).
    model = CharNgramModel.train(CharNgramParameters(2, 0.5, Alphabet("ascii")), [("ab", 1)], [("b", 1)])
    clean = (1 + 0.5 * 2 / 99) * (0 + 0.5 * 2 / 99)  # P(a|edge) = 1, P(edge|a) = 0, unigrams (1 + 1) / (3 + 96)
    dirty = (0 + 0.5 * 1 / 98) * (0 + 0.5 * 2 / 98)  # neither seen
    assert model.score_texts(["a"])[0] == pytest.approx(math.log2(clean / dirty), abs=1e-4)


def test_ends_and_histories_of_texts() -> None:
    model = CharNgramModel.train(CharNgramParameters(2, 0.5, Alphabet("ascii")), [("aa.", 1)] * 9, [(".aa", 1)] * 9)
    assert model.score_texts(["a."])[0] > 0 > model.score_texts([".a"])[0]
    # only the ends differ here: both models have the same counts for the common beginning
    model = CharNgramModel.train(
        CharNgramParameters(2, 0.5, Alphabet("ascii")), [("xyx", 1), ("xyy", 3)], [("xyx", 3), ("xyy", 1)]
    )
    assert model.score_texts(["xy"])[0] > model.score_texts(["xyx"])[0]
    model = CharNgramModel.train(CharNgramParameters(3, 0.5, Alphabet("ascii")), [("ab", 1)], [("cab", 1)])
    alone = model.score_texts(["ab"])[0]
    assert model.score_texts(["c", "ab"])[1] == alone
    assert alone > model.score_texts(["cab"])[0]


@pytest.mark.parametrize("fold", FOLDS)
def test_n_1_is_add_one_unigrams(fold: str) -> None:
    model = CharNgramModel.train(CharNgramParameters(1, 0.5, folding(fold)), [("aab", 1)], [("||", 2)])
    size = alphabet(fold)
    a, edge = folded(fold, "a"), EDGE
    clean = Counter([folded(fold, c) for c in "aab"] + [edge])
    dirty = Counter({folded(fold, "|"): 4, edge: 2})
    expected = sum(math.log2((clean[s] + 1) / (4 + size)) - math.log2((dirty[s] + 1) / (6 + size)) for s in (a, edge))
    assert model.score_texts(["a"])[0] == pytest.approx(expected, abs=1e-4)
    assert model.score_texts([""])[0] == pytest.approx(math.log2(2 / (4 + size)) - math.log2(3 / (6 + size)), abs=1e-4)


def test_n_1_ignores_q_and_the_order_of_characters() -> None:
    clean, dirty = [("clean text", 1.0)], [("Home | About", 1.0)]
    some, other = (CharNgramModel.train(CharNgramParameters(1, q, Alphabet("ascii")), clean, dirty) for q in (0.1, 0.9))
    texts = ["text clean", "about"]
    assert some.score_texts(texts).tolist() == other.score_texts(texts).tolist()
    assert some.score_texts(["ab"])[0] == pytest.approx(some.score_texts(["ba"])[0], abs=1e-4)


def test_equal_and_swapped_classes(n: int) -> None:
    texts = [("Some text, and some more.", 1.0), ("x", 0.5)]
    model = CharNgramModel.train(CharNgramParameters(n, 0.5, Alphabet("ascii")), texts, texts)
    np.testing.assert_allclose(model.score_texts(["Some text", "never seen: QQQ", ""]), 0, atol=1e-5)
    clean, dirty = [("A sentence of text.", 1.0)], [("Home | About | Contact", 2.0)]
    texts = ["A home", "Contact text.", ""]
    there = CharNgramModel.train(CharNgramParameters(n, 0.4, Alphabet("ascii")), clean, dirty).score_texts(texts)
    back = CharNgramModel.train(CharNgramParameters(n, 0.4, Alphabet("ascii")), dirty, clean).score_texts(texts)
    np.testing.assert_allclose(there, -back, rtol=1e-5, atol=1e-5)


def test_weights_count_texts() -> None:
    texts = ["One text.", "one | two", "1 2 3"]
    folding_ = Alphabet("ascii")
    once = CharNgramModel.train(CharNgramParameters(4, 0.5, folding_), [("One text", 3), ("two", 1)], [("1 | 2", 2)])
    often = CharNgramModel.train(
        CharNgramParameters(4, 0.5, folding_), [("One text", 1)] * 3 + [("two", 1)], [("1 | 2", 1)] * 2
    )
    np.testing.assert_allclose(once.score_texts(texts), often.score_texts(texts), rtol=1e-6)
    folding_ = Alphabet("ascii")
    with_it = CharNgramModel.train(CharNgramParameters(3, 0.5, folding_), [("clean", 1), ("Home", 0)], [("Home", 1)])
    without = CharNgramModel.train(CharNgramParameters(3, 0.5, folding_), [("clean", 1)], [("Home", 1)])
    np.testing.assert_allclose(with_it.score_texts(["clean", "Home"]), without.score_texts(["clean", "Home"]))
    model = CharNgramModel.train(CharNgramParameters(3, 0.5, Alphabet("ascii")), [], [])
    assert model.score_texts(["text", ""]).tolist() == [0, 0]


# ---- tables, batches ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("fold", FOLDS)
@pytest.mark.parametrize("dense_cells", [1, 100, 10_000])
def test_longer_ngrams_score_as_dense_ones(
    fold: str, dense_cells: int, n: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rnd = random.Random(n)
    fold_ = folding(fold)
    clean, dirty = (
        weighted(rnd, some_texts(rnd, characters, 80, 120)) for characters in (MIXED + "abcabc   ", MIXED + "|AB0")
    )
    counts = CharNgramCounts.of_texts(n, fold_, clean, dirty)
    texts = ["", *some_texts(rnd, MIXED, 60, 200)]
    dense, hashed = (CharNgramModel(CharNgramParameters(n, 0.5, fold_), counts) for _ in range(2))
    expected = dense.score_texts(texts)
    monkeypatch.setattr(ngrams, "DENSE_CELLS", dense_cells)
    np.testing.assert_allclose(hashed.score_texts(texts), expected, rtol=1e-5, atol=1e-3)


@pytest.mark.parametrize("fold", FOLDS)
def test_a_batch_scores_as_its_texts_alone(fold: str, n: int) -> None:
    rnd = random.Random(n)
    model = CharNgramModel.train(
        CharNgramParameters(n, 0.5, folding(fold)),
        weighted(rnd, some_texts(rnd, MIXED, 40)),
        weighted(rnd, some_texts(rnd, ASCII, 40)),
    )
    texts = [*some_texts(rnd, MIXED, 50, 300), "", *some_texts(rnd, ASCII, 50), "", ""]
    alone = [float(model.score_texts([text])[0]) for text in texts]
    assert model.score_texts(texts).tolist() == pytest.approx(alone, rel=1e-6, abs=1e-4)
    np.testing.assert_allclose(model.score_texts(texts[::-1])[::-1], alone, rtol=1e-6, atol=1e-4)


def test_chunks_do_not_change_scores(monkeypatch: pytest.MonkeyPatch, n: int) -> None:
    rnd = random.Random(n)
    model = CharNgramModel.train(
        CharNgramParameters(n, 0.5, Alphabet("ascii")), [(t, 1) for t in some_texts(rnd, ASCII, 40)], [("a | b", 1)]
    )
    texts = some_texts(rnd, ASCII, 30)
    whole = model.score_texts(texts).tolist()
    monkeypatch.setattr(ngram_model, "MAX_CHARS", 5)
    assert model.score_texts(texts).tolist() == whole


def test_evidence_is_by_document() -> None:
    model = CharNgramModel.train(CharNgramParameters(3, 0.5, Alphabet("ascii")), [("a", 1)], [("b", 1)])
    assert model.score_texts([]).tolist() == []
    assert model.evidence([]) == []
    assert model.evidence([ModelInput([]), ModelInput([])]) == [{"score": []}, {"score": []}]
    model = CharNgramModel.train(
        CharNgramParameters(3, 0.5, Alphabet("ascii")), [("Some clean text", 1)], [("Home | About", 1)]
    )
    texts = ["Some text", "Home", "", "About | clean"]
    scores = [round(float(score), 2) for score in model.score_texts(texts)]
    documents = [ModelInput.of_texts(part) for part in (texts[:2], [], texts[2:4])]
    assert model.evidence(documents) == [{"score": scores[:2]}, {"score": []}, {"score": scores[2:]}]


# ---- differential training ------------------------------------------------------------------------------------
def differential(n: int, q: float, fold: str, clean: Weighted, dump: Weighted) -> CharNgramModel:
    counts = CharNgramCounts.of_texts(n, folding(fold), clean, dump)
    return CharNgramModel(CharNgramParameters(n, q, folding(fold)), counts.differential())


@pytest.mark.parametrize("dense_cells", [1, 1 << 20])
def test_differential_training_recovers_dirty_text(n: int, dense_cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ngrams, "DENSE_CELLS", dense_cells)
    clean, dirty = [("Some clean text.", 1.0), ("More of it.", 2.0)], [("Home | About", 1.0), ("Text", 4.0)]
    less = differential(n, 0.5, "ascii", clean, clean + dirty)
    plain = CharNgramModel.train(CharNgramParameters(n, 0.5, Alphabet("ascii")), clean, dirty)
    texts = ["Some text", "Home is where", "", "xyz"]
    np.testing.assert_allclose(less.score_texts(texts), plain.score_texts(texts), rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("dense_cells", [1, 1 << 20])
@pytest.mark.parametrize("fold", FOLDS)
def test_estimates_from_negative_counts_are_clamped(
    n: int, fold: str, dense_cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ngrams, "DENSE_CELLS", dense_cells)
    rnd = random.Random(n)
    clean, dump = (
        [(text, 1.0) for text in some_texts(rnd, ASCII, 25)] + [("a" * n + then, 45.0 + more)]
        for then, more in (("b", 0.0), ("c", 5.0))
    )
    model = differential(n, 0.5, fold, clean, dump)
    assert (model.counts.dirty < 0).any()
    slow = Slow(n, 0.5, fold, clean), Slow(n, 0.5, fold, dump, less=clean)
    assert n == 1 or any(count > slow[1].histories[gram[:-1]] > 0 for gram, count in slow[1].counts.items())
    texts = ["", *some_texts(rnd, ASCII, 25)]
    scores = model.score_texts(texts)
    assert np.isfinite(scores).all()
    np.testing.assert_allclose(scores, [slow[0].bits(t) - slow[1].bits(t) for t in texts], rtol=1e-4, atol=2e-3)


def test_scores_are_finite_if_a_class_has_no_counts_left() -> None:
    model = differential(3, 0.5, "ascii", [("all of it is clean", 5.0)], [("all", 1.0)])
    assert np.isfinite(model.score_texts(["all of it", "", "zzz"])).all()


# ---- unusual texts ------------------------------------------------------------------------------------------
@pytest.fixture(params=FOLDS)
def trained(request: pytest.FixtureRequest) -> CharNgramModel:
    return CharNgramModel.train(
        CharNgramParameters(3, 0.5, folding(request.param)), [("Some clean text, é.", 1)], [("Home | About 😀", 1)]
    )


@pytest.mark.parametrize("text", ["", " ", "\n", "\ud800", "a\udfffb", "𐍈😀", "\U0010ffff", "\ufffe", "\x7f\x80"])
def test_unusual_texts_score_by_definition(trained: CharNgramModel, text: str) -> None:
    fold = trained.parameters.alphabet.folding
    slow = slow_odds(3, 0.5, fold, [("Some clean text, é.", 1)], [("Home | About 😀", 1)], [text])
    assert trained.score_texts([text])[0] == pytest.approx(slow[0], rel=1e-4, abs=1e-3)


@pytest.mark.parametrize("where", ["\0", "a\0b", "\0\0\0\0\0", "end\0", "\0é"])
def test_nul_in_a_text_is_an_edge_and_affects_no_neighbour(trained: CharNgramModel, where: str) -> None:
    before, odd, after = trained.score_texts(["Some text", where, "Home"])
    assert [before, after] == trained.score_texts(["Some text", "Home"]).tolist()
    fold = trained.parameters.alphabet.folding
    slow = slow_odds(3, 0.5, fold, [("Some clean text, é.", 1)], [("Home | About 😀", 1)], [where])
    assert odd == pytest.approx(slow[0], rel=1e-4, abs=1e-3)


def test_long_texts_score_as_their_parts_and_change_nothing(trained: CharNgramModel) -> None:
    part = "Some clean text, é. Home | About 😀 "
    times = 1_000_000 // len(part.encode()) + 1
    once, twice, long = trained.score_texts([part, part * 2, part * times]).astype(float)
    assert long == pytest.approx(once + (times - 1) * (twice - once), rel=1e-4)
    assert trained.score_texts([part * times])[0] == long
    texts = ["Some", "é 😀 新", "|"]
    first = trained.score_texts(texts).tolist()
    trained.score_texts(["ё" * 100, "", "\ud800"])
    assert trained.score_texts(texts).tolist() == first


# ---- bias and context -----------------------------------------------------------------------------------------
def test_bias_and_context_count_and_are_read_back(trained: CharNgramModel) -> None:
    document = ModelInput.of_texts(["Some clean text.", "Home"])
    before, after = (trained.with_bias_and_context(bias, 0).evidence([document])[0]["score"] for bias in (0, 2.5))
    assert after == pytest.approx([score - 2.5 for score in before])
    segments = [{"text": "Home"}, {"text": "a b", "rule": "bars"}, {"text": "Some clean text."}]
    documents = [ModelInput(segments), ModelInput([]), ModelInput.of_texts(["x"])]
    plain = [found["score"] for found in trained.with_bias_and_context(1, 0).evidence(documents)]
    found = [found["score"] for found in trained.with_bias_and_context(1, 3).evidence(documents)]
    assert found[0] == pytest.approx(max_marginals(plain[0], [False, True, False], 3), abs=0.01)
    assert found[0] != pytest.approx(plain[0], abs=0.5)
    assert found[1:] == [[], pytest.approx(max_marginals(plain[2], [False], 3), abs=0.01)]
    fitted = trained.with_bias_and_context(3, 15)
    assert {"bias": 3, "context": 15}.items() <= fitted.header().items()
    back = CharNgramModel.from_parts(fitted.header(), fitted.arrays())
    assert (back.parameters.bias, back.parameters.context) == (3, 15)
    assert not {"bias", "context"} & set(trained.header())
    assert CharNgramModel.from_parts(trained.header(), trained.arrays()).parameters.context == 0


@pytest.mark.parametrize("fold", FOLDS)
def test_the_largest_keys_do_not_overflow(fold: str) -> None:
    fold_ = folding(fold)
    last = fold_.symbols[-1] if fold != "frequent" else "\u0378"  # not assigned: Cn, the last category
    assert fold_.codes(last).tolist() == [fold_.size - 1]
    model = CharNgramModel.train(CharNgramParameters(8, 0.5, fold_), [(last * 20, 1)], [("a", 1)])
    assert model.counts.keys.max() == fold_.size**8 - 1
    assert model.score_texts([last * 9])[0] == pytest.approx(
        slow_odds(8, 0.5, fold, [(last * 20, 1)], [("a", 1)], [last * 9])[0], rel=1e-4
    )
