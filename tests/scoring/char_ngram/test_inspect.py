"""The most informative n-grams of models, and the differences of two models."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from model_files import trained

from ncfilters.scoring.char_ngram.alphabet import Alphabet
from ncfilters.scoring.char_ngram.inspect import readable_ngram
from ncfilters.scoring.char_ngram.model import CharNgramModel, CharNgramParameters


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
    assert sorted(readable_ngram(some.parameters.alphabet, 3, int(key)) for key in some.counts.keys) == sorted(wanted)


def test_changes_are_those_of_the_odds() -> None:
    one, other = trained(), trained(q=0.3, menu="the the the the")
    keys = sorted(set(one.counts.keys.tolist()) & set(other.counts.keys.tolist()))
    odds = [dict(zip(some.counts.keys.tolist(), some.ngram_odds().tolist())) for some in (one, other)]
    pairs = {readable_ngram(one.parameters.alphabet, 3, key): (odds[0][key], odds[1][key]) for key in keys}
    found = one.differences(other, 10_000)
    assert found["ngrams"]["common"] == len(keys)
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
