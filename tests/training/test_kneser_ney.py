"""Modified Kneser-Ney smoothing, compared with KenLM's lmplz on the same sentences, n-gram by n-gram."""

from __future__ import annotations

import random

import numpy as np
import pytest
from word_lm_corpus import DATA, SENTENCES, NgramValues, arpa_values, naive_tables, train

from ncfilters.training import kneser_ney
from ncfilters.training.kneser_ney import SmoothedNgrams, estimate

# lmplz calculates in floats of four bytes
PRECISION = 1e-6


def values_by_ngram(smoothed: SmoothedNgrams) -> NgramValues:
    out: NgramValues = {}
    for rows, probabilities, weights in smoothed.orders:
        for row, probability, weight in zip(rows.tolist(), probabilities.tolist(), weights.tolist()):
            out[tuple(smoothed.words[number] for number in row)] = (probability, weight)
    return out


def assert_equal_values(ours: NgramValues, theirs: NgramValues) -> None:
    assert set(ours) == set(theirs)
    far = {
        gram: (ours[gram], theirs[gram])
        for gram in theirs
        if max(abs(one - other) for one, other in zip(ours[gram], theirs[gram])) > PRECISION
    }
    assert not far


@pytest.mark.parametrize(
    ("name", "n", "min_counts"), [("harbour-2", 2, ()), ("harbour-3", 3, ()), ("harbour-3-pruned", 3, (1, 1, 2))]
)
def test_estimates_are_those_of_lmplz(name: str, n: int, min_counts: tuple[int, ...]) -> None:
    smoothed = estimate(*naive_tables(SENTENCES, n), min_counts)
    assert_equal_values(values_by_ngram(smoothed), arpa_values(DATA / f"{name}.arpa"))
    assert smoothed.fallback == ()


def test_few_sentences_have_the_fallback_discounts_of_lmplz() -> None:
    smoothed = estimate(*naive_tables(SENTENCES[:5], 2))
    assert smoothed.fallback == (1, 2)
    assert smoothed.discounts.tolist() == [[0.5, 1.0, 1.5]] * 2
    assert_equal_values(values_by_ngram(smoothed), arpa_values(DATA / "harbour-few-2.arpa"))


def test_rows_and_words_may_come_in_any_order() -> None:
    words, tables = naive_tables(SENTENCES, 3)
    rnd = random.Random(3)
    order = rnd.sample(range(len(words)), len(words))
    new = np.argsort(order)  # the new number of each word
    shuffled = []
    for rows, counts in tables:
        at = rnd.sample(range(len(rows)), len(rows))
        shuffled.append((new[rows[at]], counts[at]))
    smoothed = estimate([words[number] for number in order], shuffled)
    assert_equal_values(values_by_ngram(smoothed), arpa_values(DATA / "harbour-3.arpa"))
    # each length keeps its order
    assert (smoothed.orders[2][0] == shuffled[2][0]).all()


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_probabilities_after_a_history_sum_to_1(n: int) -> None:
    words, tables = naive_tables(SENTENCES, n)
    model = values_by_ngram(estimate(words, tables))
    vocabulary = [gram[0] for gram in model if len(gram) == 1 and gram != ("<s>",)]

    def probability(history: tuple[str, ...], word: str) -> float:
        if (*history, word) in model:
            return float(10 ** model[(*history, word)][0])
        return float(10 ** model.get(history, (0.0, 0.0))[1]) * probability(history[1:], word)

    rnd = random.Random(1)
    histories = [gram for gram in model if len(gram) == n - 1 and gram[-1] not in ("</s>", "<unk>")] or [()]
    for history in [("<s>",)[: n - 1], *rnd.sample(histories, min(20, len(histories)))]:
        assert sum(probability(history, word) for word in vocabulary) == pytest.approx(1, abs=1e-9)


def test_discounts_are_those_of_equation_26() -> None:
    counts = np.repeat([1, 2, 3, 4, 9, 0], [50, 20, 10, 6, 8, 3])
    share = 50 / (50 + 2 * 20)
    wanted = (1 - 2 * share * 20 / 50, 2 - 3 * share * 10 / 20, 3 - 4 * share * 6 / 10)
    assert kneser_ney.discounts(counts) == pytest.approx(wanted)


@pytest.mark.parametrize(
    "numbers",
    [[0, 20, 10, 6], [50, 0, 10, 6], [50, 20, 0, 6], [50, 10, 30, 6], [50, 20, 30, 400]],
    ids=["no 1", "no 2", "no 3", "D2 below 0", "D3 below 0"],
)
def test_some_counts_yield_no_discounts(numbers: list[int]) -> None:
    assert kneser_ney.discounts(np.repeat([1, 2, 3, 4], numbers)) is None


def test_the_unknown_word_is_added_with_a_probability() -> None:
    smoothed = estimate(*naive_tables(["a b", "b a c"], 2))
    assert smoothed.words == ["<s>", "</s>", "a", "b", "c", "<unk>"]
    figure = values_by_ngram(smoothed)
    assert -3 < figure[("<unk>",)][0] < min(figure[(word,)][0] for word in "abc")
    assert figure[("<s>",)][0] == 0


@pytest.mark.oracle
@pytest.mark.parametrize("n", [2, 3])
def test_perplexities_are_those_of_kenlm(n: int) -> None:
    kenlm = pytest.importorskip("kenlm")
    theirs = kenlm.Model(str(DATA / f"harbour-{n}.arpa"))
    ours = train(SENTENCES, n, "kneser-ney", tokens="spaces")
    texts = [*SENTENCES[:50], "the captain never saw a submarine .", "submarine", "the the the", ". ? !"]
    assert ours.perplexities(texts).tolist() == pytest.approx([theirs.perplexity(text) for text in texts], rel=1e-5)
    assert "fallback discounts" not in ours.header()


def test_the_header_reports_fallback_discounts() -> None:
    assert train(SENTENCES[:5], 2, "kneser-ney", tokens="spaces").header()["fallback discounts"] == (
        "for n-grams of 1, 2 words: too little text"
    )


@pytest.mark.parametrize("gone", [("the", "old"), ("old", "captain")])
def test_counts_without_histories_or_suffixes_are_refused(gone: tuple[str, ...]) -> None:
    words, tables = naive_tables(["the old captain"], 3)
    ids = [words.index(word) for word in gone]
    keep = (tables[1][0] != ids).any(axis=1)
    tables[1] = (tables[1][0][keep], tables[1][1][keep])
    which = "first" if gone[0] == "the" else "(first|last)"
    with pytest.raises(ValueError, match=f"3-grams whose {which} 2 words are no 2-gram: the counts must be complete"):
        estimate(words, tables)


def test_inconsistent_tables_are_refused() -> None:
    words, tables = naive_tables(["the old captain"], 2)
    rows, counts = tables[1]
    for wrong, message in [
        ((rows[:, :1], counts), r"2-grams: an array of shape \(4, 1\) with 4 counts"),
        ((rows, counts[1:]), "with 3 counts"),
        ((rows + 3, counts), "2-grams: a word number is out of range"),
        ((rows[[0, 0, 1, 2]], counts), "2-grams: one occurs twice"),
    ]:
        with pytest.raises(ValueError, match=message):
            estimate(words, [tables[0], wrong, tables[1]])
    with pytest.raises(ValueError, match="the words lack <s>"):
        estimate(["a"], [(np.array([[0]]), np.array([1]))])
    with pytest.raises(ValueError, match="no word is counted"):
        estimate(["<s>"], [(np.array([[0]]), np.array([1]))])
    for least in [(2,), (1, 3, 2), (1, 2, 1), (1, 1, 1)]:
        with pytest.raises(ValueError, match="minimum counts"):
            estimate(words, tables, least)
