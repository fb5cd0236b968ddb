"""N-gram models: what they learn from labelled pages, their bias and context, and many of them at once."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from invented import CHINESE, MENU, PAGES, folds, labelled, sentence

from ncfilters.dataset import labelled_pages
from ncfilters.dataset.gold import Gold
from ncfilters.dataset.labelled_pages import Folds, LabelledPage, by_segment, count_labels, gold_texts, texts_of
from ncfilters.features.document import ModelInput
from ncfilters.scoring import registry
from ncfilters.scoring.char_ngram.model import CharNgramModel, CharNgramParameters, max_marginals
from ncfilters.scoring.char_ngram.ngrams import Alphabet
from ncfilters.training import ngram_trainer
from ncfilters.training.ngram_trainer import NgramGrid, NgramOptions, fit_bias_and_context, make_trainer, train_ngram


@pytest.mark.parametrize("differential", [False, True], ids=["labels", "differential"])
@pytest.mark.parametrize(("fold", "n"), [("ascii", 3), ("nonlexical", 6), ("frequent", 3)])
def test_a_model_separates_the_classes(fold: str, n: int, differential: bool) -> None:
    made = train_ngram(labelled(PAGES), NgramOptions(n, 0.5, fold, 30, differential))
    rnd = random.Random("new")
    clean = ModelInput.of_texts([sentence(rnd) for _ in range(8)])
    dirty = ModelInput.of_texts(MENU)
    got_clean, got_dirty = (found["score"] for found in made.evidence([clean, dirty]))
    assert min(got_clean) > 0
    assert max(got_dirty) < (0 if fold != "nonlexical" or not differential else min(got_clean))


def test_differential_counts_are_page_minus_gold(monkeypatch: pytest.MonkeyPatch) -> None:
    # if the gold text has exactly the clean segments, both methods count the same, apart from the weights
    monkeypatch.setattr(labelled_pages, "SEGMENT_WEIGHT", 0.0)
    material = labelled(PAGES)
    assert sorted(gold_texts(material)) == sorted(texts_of(material, True))
    some, other = (
        train_ngram(material, NgramOptions(3, 0.5, "ascii", 0, differential)) for differential in (False, True)
    )
    sample = [ModelInput.of_texts([*MENU, sentence(random.Random(3))])]
    assert some.evidence(sample)[0]["score"] == pytest.approx(other.evidence(sample)[0]["score"], abs=0.02)


def test_differential_counts_are_page_minus_gold_and_may_be_negative() -> None:
    more = [{**some, "gold": some["gold"] + "\n\nGold that stands on no page"} for some in PAGES]
    material = labelled(more)
    made = train_ngram(material, NgramOptions(3, 0.5, "ascii", 0, True))
    assert isinstance(made, CharNgramModel)
    assert (made.counts.dirty < 0).any()
    joined = [{**some, "gold": some["gold"].replace("\n\n", " ")} for some in PAGES]
    some, other = (train_ngram(labelled(pages), NgramOptions(3, 0.5, "ascii", 0, True)) for pages in (PAGES, joined))
    rnd = random.Random("new")
    sample = [ModelInput.of_texts([sentence(rnd) for _ in range(8)])]
    assert other.evidence(sample)[0]["score"] == pytest.approx(some.evidence(sample)[0]["score"], rel=0.3)


def test_frequent_characters_and_chinese_pages() -> None:
    made = train_ngram(labelled([CHINESE] * 2), NgramOptions(2, 0.5, "frequent", 3))
    every = CHINESE["gold"] + "".join(text for text, _ in texts_of(labelled([CHINESE]), False))
    kept = made.header()["characters"]
    assert len(kept) == 3 and list(kept) == sorted(kept)
    assert min(every.count(c) for c in kept) >= max(every.count(c) for c in every if c not in kept)
    segments = [{"text": "登录"}, {"text": "大桥关闭。"}, {"text": "首页"}]
    trained = train_ngram(
        labelled([{"segments": segments, "gold": "大桥关闭。"}] * 3), NgramOptions(2, 0.5, "frequent", 50)
    )
    assert trained.header()["characters"]
    clean, dirty = trained.evidence([ModelInput.of_texts(["大桥关闭。", "登录"])])[0]["score"]
    assert clean > 0 > dirty


def test_empty_classes_and_wrong_options_are_errors() -> None:
    all_clean = labelled([{"segments": [{"text": "text"}], "gold": "text"}])
    with pytest.raises(ValueError, match=r"no dirty segment \(pages: 1\)"):
        train_ngram(all_clean, NgramOptions(3, 0.5, "ascii", 0))
    with pytest.raises(ValueError, match="no page with gold text"):
        train_ngram(labelled([]), NgramOptions(3, 0.5, "ascii", 0))
    for wrong in ({"n": 9}, {"q": 1.0}, {"characters": -1}, {"context": -1.0}):
        with pytest.raises(ValueError):
            NgramOptions(**wrong)


@pytest.mark.parametrize(("n", "q"), [(0, 0.5), (9, 0.5), (3, 0.0), (3, 1.0)])
def test_options_out_of_range_are_errors(n: int, q: float) -> None:
    with pytest.raises(ValueError, match="[nq] is "):
        train_ngram(labelled(PAGES[:2]), NgramOptions(n, q, "ascii", 0))


@pytest.mark.parametrize("keep", [False, True])
def test_the_trainer_counts_and_writes_its_pages(keep: bool, tmp_path: Path) -> None:
    trainer = make_trainer(NgramOptions(2), keep_records=keep)
    for page in PAGES:
        trainer.add(dict(page))
    assert trainer.counts() == count_labels(labelled(PAGES))
    assert [page.record is not None for page in trainer.pages] == [keep] * len(PAGES)
    header = trainer.write(tmp_path / "x.model", {"language": "en"})
    assert header["language"] == "en" and header["normalised"].startswith("segments of nc-segment")
    model = registry.load(str(tmp_path / "x.model"))
    assert model.header() == train_ngram(labelled(PAGES), NgramOptions(2)).header()


# ---- bias and context -----------------------------------------------------------------------------------------


def page(site: str, scores: Sequence[float], clean: str, marked: Sequence[bool] = ()) -> LabelledPage:
    """A page whose texts say what their scores are; + for a clean segment of ten words, - for a dirty one."""
    found = [10 * (sign == "+") for sign in clean]
    marks = list(marked) or [False] * len(scores)
    texts = [str(score) for score in scores]
    types = ["p"] * len(texts)
    return LabelledPage("", site, texts, types, marks, [10] * len(texts), found, Gold("text"), sum(found))


class Echo:
    """A model that gives texts the scores that they say."""

    def score_texts(self, texts: Sequence[str]) -> np.ndarray[Any, Any]:
        return np.array([float(text) for text in texts])


@pytest.fixture
def trained(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[LabelledPage]]:
    """The pages of each model that is trained: an Echo."""
    seen: list[Sequence[LabelledPage]] = []
    monkeypatch.setattr(ngram_trainer, "train_ngram", lambda pages, options: seen.append(pages) or Echo())
    return seen


def word_f(page: LabelledPage, bias: float, price: float) -> float:
    scores = max_marginals([float(text) - bias for text in page.texts], page.marked, price)
    kept = [score > 0 and not mark for score, mark in zip(scores, page.marked)]
    words = sum(n for n, keep in zip(page.words, kept) if keep)
    return 2 * sum(n for n, keep in zip(page.matched, kept) if keep) / max(words + page.gold_words, 1)


def test_the_grid_has_the_f_of_the_decisions() -> None:
    rnd = random.Random(1)
    for _ in range(10):
        n = rnd.randint(1, 9)
        some = page(
            "a",
            [rnd.randint(-300, 600) / 10 + 0.01 for _ in range(n)],
            "".join(rnd.choices("+-", k=n)),
            rnd.choices([False, False, True], k=n),
        )
        grid = ngram_trainer.word_f_grid(some, [float(text) for text in some.texts])
        expected = [[word_f(some, bias, price) for price in ngram_trainer.CONTEXTS] for bias in ngram_trainer.BIASES]
        np.testing.assert_allclose(grid, expected)


@pytest.mark.usefixtures("trained")
def test_boilerplate_is_given_a_bias_and_short_segments_a_context() -> None:
    pages = [page(str(at), [12, 40, 12, 40, 12, 40, 12], "-+-+-+-") for at in range(6)]
    bias, price = fit_bias_and_context(pages, NgramOptions())
    assert all(word_f(some, bias, price) == 1 for some in pages)
    assert bias > 0
    pages = [page(str(at), [2, -30, 2, -30, 40, -2, 40, -2, 40, -30, 2], "----+++++--") for at in range(6)]
    bias, price = fit_bias_and_context(pages, NgramOptions())
    assert price > 0
    assert all(word_f(some, bias, price) == 1 for some in pages)
    assert fit_bias_and_context([page("a", [1], "+")] * 3, NgramOptions()) == (0, 0)


def test_pages_are_scored_by_models_of_other_sites(trained: list[Sequence[LabelledPage]]) -> None:
    pages = [page(site, [1], "+") for site in "aaabbbcddefg"]
    fit_bias_and_context(pages, NgramOptions())
    held_out = [{some.domain for some in pages} - {some.domain for some in rest} for rest in trained]
    assert sorted(site for sites in held_out for site in sites) == list("abcdefg")
    assert all(len(rest) == sum(some.domain not in sites for some in pages) for rest, sites in zip(trained, held_out))


# ---- many models at once: by equation 1, written out slowly, and by real models -------------------------------


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
