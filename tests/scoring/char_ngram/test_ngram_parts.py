"""The parts of character n-gram models, and what is read of them."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from model_files import trained
from slow_ngrams import ASCII, FOLDS, MIXED, Slow, folded, folding, some_texts, weighted

from ncfilters.scoring.char_ngram import ngrams
from ncfilters.scoring.char_ngram.model import MAX_BITS, CharNgramModel, CharNgramParameters, max_marginals
from ncfilters.scoring.char_ngram.ngrams import Alphabet, CharNgramCounts, OddsTable, count_ngrams


# ---- odds ----
def test_ngrams_that_do_not_fit_are_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    alphabet = Alphabet("ascii")
    counts = CharNgramCounts.of_texts(3, alphabet, [("abc", 1)], [("x", 1)])
    many = OddsTable(counts, 3, 0.5, alphabet.size)
    monkeypatch.setattr(ngrams, "DENSE_CELLS", 100)
    few = OddsTable(counts, 3, 0.5, alphabet.size)
    assert [order for order, *_ in few._longer] == [3, 2]
    assert many._longer == []
    np.testing.assert_allclose(few.odds_of(counts.keys), many.odds_of(counts.keys), rtol=1e-6)
    nothing = CharNgramCounts.of_texts(3, alphabet, [], [])
    out = np.ones(3, np.float32)
    OddsTable(nothing, 3, 0.5, alphabet.size).look_up(alphabet.codes("\0\0abc"), out)
    assert out.tolist() == [0, 0, 0]


# ---- parameters ----
LARGE = Alphabet("frequent", "".join(chr(0x4E00 + at) for at in range(3000)))


def test_parameters_in_range() -> None:
    CharNgramParameters(1, 1e-6, Alphabet("ascii"), -MAX_BITS, 0)
    CharNgramParameters(8, 0.9, Alphabet("ascii"), 0, MAX_BITS)
    CharNgramParameters(5, 0.5, LARGE)


@pytest.mark.parametrize(("n", "q", "bias", "context", "message"), [
    (0, 0.5, 0, 0, "n is 0"), (9, 0.5, 0, 0, "n is 9"), (3.0, 0.5, 0, 0, "n is 3.0"), (3, 1, 0, 0, "q is 1"),
    (3, float("nan"), 0, 0, "q is nan"), (3, 0.5, float("nan"), 0, "bias is nan, context"),
    (3, 0.5, float("inf"), 0, "bias is inf, context"), (3, 0.5, 0, -1, "bias is .*context is -1"),
    (3, 0.5, 0, float("nan"), "bias is .*context is nan"),
    (6, 0.5, 0, 0, "n is 6: too long for an alphabet of 3031 characters"),
])  # fmt: skip
def test_parameters_out_of_range(n: int, q: float, bias: float, context: float, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        CharNgramParameters(n, q, LARGE, bias, context)


# ---- neighbour_smoothing ----
def best(scores: Sequence[float], price: float, at: int, state: bool) -> float:
    """The score of the best labelling in which segment *at* has that state, by exhaustive search."""
    found = []
    for labels in itertools.product([False, True], repeat=len(scores)):
        if labels[at] is state:
            changes = sum(one is not other for one, other in itertools.pairwise((False, *labels, False)))
            found.append(sum(s for s, label in zip(scores, labels) if label) - price * changes)
    return max(found)


@pytest.mark.parametrize("seed", range(20))
def test_scores_are_those_of_the_best_labellings(seed: int) -> None:
    rnd = random.Random(seed)
    scores = [rnd.uniform(-10, 10) for _ in range(rnd.randint(1, 8))]
    price = rnd.uniform(0, 12)
    expected = [best(scores, price, at, True) - best(scores, price, at, False) for at in range(len(scores))]
    assert max_marginals(scores, [False] * len(scores), price) == pytest.approx(expected)


def test_neighbours_and_marks_change_scores() -> None:
    assert max_marginals([20, -1, 20], [False] * 3, 8)[1] > 0
    assert max_marginals([-20, 1, -20], [False] * 3, 8)[1] < 0
    marked = max_marginals([5, 50, 5], [False, True, False], 4)
    assert marked == pytest.approx([5 - 4 - 3, 50 + 1 + 1, 5 - 3 - 4])
    assert max_marginals([3, -1], [False, True], 0) == [3, -1]
    assert max_marginals([], [], 5) == []


# ---- counts ----
@pytest.mark.parametrize("batch", [1, 7, 100])
def test_batches_do_not_change_the_counts(batch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rnd = random.Random(batch)
    texts = weighted(rnd, some_texts(rnd, MIXED, 60))
    whole_keys, whole = count_ngrams(3, Alphabet("ascii"), texts)
    monkeypatch.setattr(ngrams, "BATCH_CHARS", batch)
    keys, counts = count_ngrams(3, Alphabet("ascii"), texts)
    assert keys.tolist() == whole_keys.tolist() == sorted(set(keys.tolist()))
    np.testing.assert_allclose(counts, whole, rtol=1e-6)


@pytest.mark.parametrize("n", range(1, 9))
def test_counts_are_those_of_the_definition(n: int) -> None:
    rnd = random.Random(n)
    texts = weighted(rnd, some_texts(rnd, ASCII, 30))
    fold = Alphabet("ascii")
    keys, counts = count_ngrams(n, fold, texts)
    slow: Counter[int] = Counter()
    for text, weight in texts:
        for gram in Slow(n, 0.5, "ascii", []).grams(text):
            key = 0
            for symbol in gram:
                key = key * fold.size + fold.symbols.index(symbol)
            slow[key] += weight
    assert keys.tolist() == sorted(slow)
    np.testing.assert_allclose(counts, [slow[key] for key in keys.tolist()], rtol=1e-6)


def test_counts_of_both_classes_have_common_keys() -> None:
    counts = CharNgramCounts.of_texts(1, Alphabet("ascii"), [("ab", 1.0)], [("b", 2.0)])
    assert counts.clean.tolist() == [1, 1, 1]  # the edge, a, b
    assert counts.dirty.tolist() == [2, 0, 2]
    assert counts.differential().dirty.tolist() == [1, -1, 1]


# ---- alphabet ----
def symbols(fold: Alphabet, text: str) -> list[str]:
    return [fold.symbols[code] for code in fold.codes(text)]


@pytest.mark.parametrize("fold", FOLDS)
def test_every_character_folds_by_definition(fold: str) -> None:
    fold_ = folding(fold)
    characters = [chr(code) for code in range(0x30000) if not 0xD800 <= code < 0xE000]
    expected = [folded(fold, character) for character in characters]
    assert symbols(fold_, "".join(characters)) == expected
    # character by character as in a text, also after other characters were folded
    for code in [*range(0x500), 0x3000, 0x4E2D, 0x1F600, 0x1D518, 0x10FFFF]:
        assert symbols(fold_, chr(code)) == [folded(fold, chr(code))]


@pytest.mark.parametrize("fold", FOLDS)
def test_ascii_folds_alike_with_and_without_other_characters(fold: str) -> None:
    text = "".join(map(chr, range(128)))
    assert symbols(folding(fold), text) == symbols(folding(fold), text + "ж")[:-1]


def test_characters_fold_by_their_kinds() -> None:
    with pytest.raises(ValueError, match=r"unknown folding 'latin'.*ascii"):
        Alphabet("latin")
    assert symbols(Alphabet("nonlexical"), "Zéж中ω한ا 3٣५! —😀") == list("aaaaaaa 000! ~~")
    assert symbols(Alphabet("frequent", "аб"), "абв А1,") == ["а", "б", "Ll", "Zs", "Lu", "Nd", "Po"]
    many = "".join(chr(0x4E00 + at) for at in range(600))
    fold = Alphabet("frequent", many)
    assert fold.size == 631
    assert symbols(fold, many + "龥A") == [*many, "Lo", "Lu"]
    assert symbols(Alphabet("ascii"), "\ud800é") == ["~", "~"]


@pytest.mark.parametrize("name", FOLDS)
def test_an_alphabet_is_read_back_from_its_header(name: str) -> None:
    header = folding(name).header()
    again = Alphabet(header["folding"], header.get("characters", ""))
    assert again.codes(MIXED).tolist() == folding(name).codes(MIXED).tolist()


@pytest.mark.parametrize(("n", "fold"), [(1, "ascii"), (2, "ascii"), (3, "ascii"), (5, "ascii"), (6, "nonlexical")])
def test_the_score_of_a_text_is_the_sum_of_its_ngram_odds(n: int, fold: str) -> None:
    some = trained(n, fold=fold)
    odds = dict(zip(some.counts.keys.tolist(), some.ngram_odds().tolist()))
    text = "Then the other text."
    codes = [0] * (n - 1) + some.parameters.alphabet.codes(text).tolist() + [0]
    keys = [
        sum(code * some.parameters.alphabet.size**at for at, code in enumerate(reversed(codes[i : i + n])))
        for i in range(len(text) + 1)
    ]
    assert set(keys) <= odds.keys()
    assert sum(odds[key] for key in keys) == pytest.approx(float(some.score_texts([text])[0]), abs=1e-4)


def test_rows_are_sorted_by_share_times_odds() -> None:
    some = trained()
    found = some.most_informative(1000)
    for kind, sign in (("clean", 1), ("dirty", -1)):
        rows = found[kind]
        assert len(rows) > 5
        for row in rows:
            assert sign * row["odds"] > 0
            error = 0.005 * (row[kind] + abs(row["odds"]) + 2)  # all three are rounded
            assert row["evidence"] == pytest.approx(sign * row["odds"] * row[kind], abs=error)
        assert [row["evidence"] for row in rows] == sorted((row["evidence"] for row in rows), reverse=True)
        assert some.most_informative(3)[kind] == rows[:3]
    # n-grams that occur twice in clean text and never in the menu, and the reverse
    assert {"⊢Th", "ext", "␣te"} <= {row["ngram"] for row in found["clean"][:8]}
    assert [row["ngram"] for row in found["dirty"][:2]] == ["⊢⊢H", "⊢Ho"]


def test_shares_and_frequent_ngrams() -> None:
    some = CharNgramModel.train(CharNgramParameters(1, 0.5, Alphabet("ascii")), [("aab", 1.0)], [("bbbbbbb", 2.0)])
    rows = {row["ngram"]: row for rows in some.most_informative(9).values() for row in rows}
    assert (rows["a"]["clean"], rows["a"]["dirty"]) == (500, 0)
    assert (rows["b"]["clean"], rows["b"]["dirty"]) == (250, 875)
    assert rows["a"]["odds"] > 0 > rows["b"]["odds"]
    some = CharNgramModel.train(
        CharNgramParameters(1, 0.5, Alphabet("ascii")), [("a" * 90 + "z" * 3, 1.0)], [("a" * 30 + "b" * 60, 1.0)]
    )
    first, second = some.most_informative(2)["clean"]
    assert (first["ngram"], second["ngram"]) == ("a", "z")
    assert second["odds"] > first["odds"]
    some = trained()
    dirty = some.counts.dirty.copy()
    dirty[0], dirty[1] = -5, np.nan
    some.counts = replace(some.counts, dirty=dirty)
    for rows in some.most_informative(1000).values():
        assert all(row["dirty"] >= 0 for row in rows)


@pytest.mark.parametrize(("fold", "text", "wanted"), [
    ("ascii", "a b", ["⊢⊢a", "⊢a␣", "a␣b", "␣b⊣"]), ("ascii", "", ["⊢⊢⊣"]), ("ascii", "x", ["⊢⊢x", "⊢x⊣"]),
    ("ascii", "é~", ["⊢⊢~", "⊢~~", "~~⊣"]), ("nonlexical", "B7", ["⊢⊢a", "⊢a0", "a0⊣"]),
    ("frequent", "éX", ["⊢⊢é", "⊢é⟨Lu⟩", "é⟨Lu⟩⊣"]), ("frequent", "\u0301", ["⊢⊢⟨U+0301⟩", "⊢⟨U+0301⟩⊣"]),
])  # fmt: skip
def test_ngrams_are_readable(fold: str, text: str, wanted: list[str]) -> None:
    some = CharNgramModel.train(
        CharNgramParameters(3, 0.5, Alphabet(fold, "é\u0301" if fold == "frequent" else "")), [(text, 1.0)], []
    )
    shown = [row["ngram"] for rows in some.most_informative(10).values() for row in rows]
    assert sorted(shown) == sorted(wanted)


def test_changes_are_those_of_the_odds() -> None:
    one, other = trained(), trained(q=0.3, menu="the the the the")
    odds = [{some._readable(at): value for at, value in enumerate(some.ngram_odds().tolist())} for some in (one, other)]
    pairs = {ngram: (odds[0][ngram], odds[1][ngram]) for ngram in odds[0].keys() & odds[1].keys()}
    found = one.differences(other, 10_000)
    assert found["ngrams"]["common"] == len(pairs)
    assert found["correlation"] == pytest.approx(np.corrcoef(np.array([*pairs.values()]).T)[0, 1], abs=1e-4)
    changed = found["changed"]
    for row in changed:
        before, after = pairs[row["ngram"]]
        assert (row["first"], row["second"]) == pytest.approx((before, after), abs=0.006)
        assert row["change"] == pytest.approx(after - before, abs=0.006)
        assert row["effect"] == pytest.approx(abs(after - before) * row["share"], rel=0.02, abs=0.02)
    assert [row["effect"] for row in changed] == sorted((row["effect"] for row in changed), reverse=True)
    # counted by hand: of 1,000 n-grams, over both classes and both models
    rows = {row["ngram"]: row for row in changed}
    total, menu = 30 + 21, 13 + 7 + 2.5
    assert rows["the"]["share"] == pytest.approx(
        1000 * (2 / total / 2 + (2 / total / 2 + 4 / (16 + 7 + 2.5) / 2)) / 2, abs=0.01
    )
    assert rows["⊢⊢L"]["share"] == pytest.approx(1000 * (1 / menu / 2 + 1 / (16 + 7 + 2.5) / 2) / 2, abs=0.01)


def test_an_undefined_correlation_is_none() -> None:
    one, other = (
        CharNgramModel.train(CharNgramParameters(3, 0.5, Alphabet("ascii")), [(text, 1.0)], [("", 1.0)])
        for text in ("abc", "xyz")
    )
    found = one.differences(other, 5)
    assert found["ngrams"]["common"] == 1  # the empty text
    assert found["correlation"] is None
