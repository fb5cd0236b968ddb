"""The grid of n-gram models: cross-entropy and scores as by equation 1, written out slowly, and by real models."""

from __future__ import annotations

import math
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from invented import PAGES, folds, labelled

from ncfilters.dataset.labelled_pages import Folds, LabelledPage, by_segment, texts_of
from ncfilters.features.document import ModelInput
from ncfilters.scoring.char_ngram.model import CharNgramModel, CharNgramParameters
from ncfilters.scoring.char_ngram.ngrams import Alphabet
from ncfilters.training.ngram_trainer import NgramGrid

FREQUENT = "abc 中é"
FOLDINGS = {
    "ascii": Alphabet("ascii"),
    "nonlexical": Alphabet("nonlexical"),
    "frequent": Alphabet("frequent", FREQUENT),
}
NS, QS = [1, 2, 3, 4, 6, 8], [0.1, 0.5, 0.9]

CLEAN = ["a cab", "The 2 cabs, bad!", "中文 a b é", "aaaa aaaa aaaa", "b", "A dad — ½ 😀 a"]
DIRTY = ["abc", "Home 12", "© 中", "Log in | in", "bb bb", "ee"]


def tiny(seed: int = 1, count: int = 9, domains: int = 5) -> list[LabelledPage]:
    """Small pages of odd characters, of some domains."""
    rnd = random.Random(seed)
    records = []
    for number in range(count):
        clean, dirty = rnd.sample(CLEAN, rnd.randint(1, 4)), rnd.sample(DIRTY, rnd.randint(0 if number > 4 else 1, 3))
        segments: list[dict[str, Any]] = [{"text": text} for text in clean + dirty]
        if number % 3 == 0:
            segments += [{"text": "marked by a rule", "rule": "bars"}, {"text": ""}, {"text": " …\n !"}]
        rnd.shuffle(segments)
        gold = " ".join(segment["text"] for segment in segments if segment["text"] in clean)
        records.append({"id": number, "url": f"http://{number % domains}.example/", "segments": segments, "gold": gold})
    pages = labelled(records)
    assert all(page.is_usable for page in pages)
    return list(pages)


# ---- cross-entropy --------------------------------------------------------------------------------------------
def slow_entropy(parts: list[list[LabelledPage]], folding: Alphabet, n: int, q: float) -> float:
    """Equation 1, character by character: bits for each character and end of a segment, by counts of other folds."""
    bits = predicted = 0.0
    for part in parts:
        counts: Counter[tuple[int, ...]] = Counter()
        histories: Counter[tuple[int, ...]] = Counter()
        for other in parts:
            for page in other if other is not part else ():
                for gram in grams(page, folding, n):
                    for order in range(1, n + 1):
                        counts[gram[n - order :]] += 1
                        histories[(order, *gram[n - order : -1])] += 1
        for page in part:
            for gram in grams(page, folding, n):
                total = 0.0
                for order in range(1, n + 1):
                    count, of = counts[gram[n - order :]], histories[(order, *gram[n - order : -1])]
                    add = 1 if order == 1 else 0
                    p = (count + add) / (of + add * folding.size) if add or of else 0.0
                    total += q ** (n - order) * p
                bits -= math.log2(total / sum(q**power for power in range(n)))
                predicted += 1
    return bits / predicted


def grams(page: LabelledPage, folding: Alphabet, n: int) -> list[tuple[int, ...]]:
    """The n-grams that end in the characters and in the end of each segment; its beginning is of edges."""
    out = []
    for text in page.texts:
        cells = [0] * (n - 1) + folding.codes(text).tolist() + [0] if text else [0] * n
        out += [tuple(cells[at : at + n]) for at in range(len(text) + 1)]
    return out


@pytest.mark.parametrize("fold", FOLDINGS)
def test_cross_entropy_is_that_of_equation_1(fold: str) -> None:
    pages = tiny()
    found = NgramGrid(pages, FOLDINGS[fold], NS, Folds(4)).entropies(QS)
    assert set(found) == {(n, q) for n in NS for q in QS}
    parts = folds(pages, 4)
    for n in NS:
        for q in QS:
            assert found[n, q] == pytest.approx(slow_entropy(parts, FOLDINGS[fold], n, q), abs=1e-5), (n, q)


# ---- scores ---------------------------------------------------------------------------------------------------
def slow_scores(
    pages: list[LabelledPage], folding: Alphabet, n: int, q: float, number: int, seed: int
) -> dict[str, list[float]]:
    """The scores that real models of the other folds give, by page."""
    out = {}
    parts = folds(pages, number, seed)
    for part in parts:
        material = [page for other in parts if other is not part for page in other]
        model = CharNgramModel.train(
            CharNgramParameters(n, q, folding),
            by_segment(texts_of(material, True)),
            by_segment(texts_of(material, False)),
        )
        for page, found in zip(part, model.evidence([ModelInput.of_texts(page.texts) for page in part])):
            out[page.key] = found["score"]
    return out


@pytest.mark.parametrize("fold", FOLDINGS)
@pytest.mark.parametrize(("kind", "seed"), [("tiny", 0), ("invented", 7)])
def test_scores_are_those_of_real_models(fold: str, kind: str, seed: int) -> None:
    pages = list(tiny(seed, 14, 6) if kind == "tiny" else labelled(PAGES))
    grid = NgramGrid(pages, FOLDINGS[fold], NS, Folds(4, seed))
    found = grid.scores(QS)
    for n in NS:
        for q in QS:
            expected = slow_scores(pages, FOLDINGS[fold], n, q, 4, seed)
            flat = [score for page in grid.pages for score in expected[page.key]]
            assert np.abs(found[n, q] - flat).max() < 0.01, (n, q)


def test_subtracted_counts_of_a_fold_leave_no_remainder() -> None:
    # weights of very different sizes, whose sums would leave a rest behind
    rnd = random.Random(4)
    records = []
    for n in range(12):
        own = [chr(ord("a") + n) * length for length in (1, 3, 40, 333)]
        menu = ["".join(rnd.choices("xyz ", k=length)) + "1" for length in (2, 17, 120)]
        records.append(
            {
                "id": n,
                "url": f"http://{n}.example",
                "segments": [{"text": text} for text in own + menu],
                "gold": " ".join(own),
            }
        )
    pages = list(labelled(records))
    grid = NgramGrid(pages, FOLDINGS["ascii"], [3, 8], Folds(6))
    for (n, q), scores in grid.scores([0.3]).items():
        expected = slow_scores(pages, FOLDINGS["ascii"], n, q, 6, 0)
        assert np.abs(scores - [score for page in grid.pages for score in expected[page.key]]).max() < 0.01


def test_usable_pages_are_in_the_order_of_their_folds() -> None:
    pages = tiny()
    (bad,) = labelled([{"id": "bad", "url": "http://bad.example", "text": "Not it", "gold": "Something else"}])
    grid = NgramGrid([bad, *pages], FOLDINGS["ascii"], [2], Folds(4))
    assert [page.key for page in grid.pages] == [page.key for part in folds(pages, 4) for page in part]
    assert len(grid.scores([0.5])[2, 0.5]) == sum(len(page.texts) for page in grid.pages)


# ---- errors ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("n", [0, 9])
def test_lengths_out_of_range_are_errors(n: int) -> None:
    with pytest.raises(ValueError, match=f"n is {n}; it must be 1 to 8"):
        NgramGrid(tiny(), FOLDINGS["ascii"], [3, n], Folds(2))


def test_many_folds_and_folds_without_segments() -> None:
    pages = tiny(count=160, domains=150)
    found = NgramGrid(pages, FOLDINGS["ascii"], [2], Folds(150)).scores([0.5])[2, 0.5]
    assert len(found) == sum(len(page.texts) for page in pages) and np.isfinite(found).all()
    empty = labelled([{"url": f"http://empty{n}.example", "segments": [], "gold": ""} for n in range(9)])
    with pytest.raises(ValueError, match="10 folds, and some have no segments"):
        NgramGrid([*tiny(), *empty], FOLDINGS["ascii"], [2], Folds(10))
    with pytest.raises(ValueError, match="300 folds need pages from at least 300 domains"):
        NgramGrid(tiny(), FOLDINGS["ascii"], [3], Folds(300))


@pytest.mark.parametrize(("text", "kind"), [("Text.", "dirty"), ("Text.\n\nLog in", "clean")])
def test_a_class_in_one_fold_alone_is_an_error(text: str, kind: str) -> None:
    records: list[dict[str, Any]] = [
        {"url": f"http://{n}.example", "text": text, "gold": "Text." if kind == "dirty" else ""} for n in range(4)
    ]
    records[2] = {**records[2], "text": "Text.\n\nLog in", "gold": "Text."}
    pages = labelled(records)
    there = next(place for place, part in enumerate(folds(pages, 4), 1) if part[0].domain == "2.example")
    grid = NgramGrid(pages, FOLDINGS["ascii"], [2], Folds(4))
    with pytest.raises(ValueError, match=f"no training data: no {kind} segment outside fold {there}$"):
        grid.scores([0.5])
    assert grid.entropies([0.5])[2, 0.5] > 0  # needs no classes
