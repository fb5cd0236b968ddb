"""Cross-validation by domain, where no page is scored by a model of its own site; and what is tuned by it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import numpy as np
import pytest
from invented import MIXED, folds, labelled, page
from invented import PAGES as PLAIN

from ncfilters.dataset.labelled_pages import Folds, LabelledPage, label_page, texts_of
from ncfilters.evaluation.systems import System
from ncfilters.features.document import ModelInput
from ncfilters.record import VERSION
from ncfilters.scoring.base import Model, NamedModel
from ncfilters.text.words import words
from ncfilters.training import cross_validation
from ncfilters.training.cross_validation import (
    PRECISIONS,
    AlignedWords,
    PageEvidence,
    TuneOptions,
    cross_validate,
    curve_table,
    evaluate,
    grid_finding,
    kept_text,
    learning_curve,
    score_pages,
    threshold_table,
    tune,
)
from ncfilters.training.ngram_trainer import NgramGrid, NgramOptions, alphabet_of, train_ngram

OPTIONS = NgramOptions()

NAMES = [f"site{n}.example" for n in range(6)]


def own_word(domain: str) -> str:
    """A word that stands on the pages of one domain, and nowhere else."""
    return f"only{domain[4]}"


def pages() -> list[LabelledPage]:
    """Three pages of each domain, on which its own word is."""
    return labelled(
        [
            {
                "id": f"{n}/{name}",
                "url": f"http://{name}/{n}",
                "segments": [
                    {"text": f"All sites have this, but {own_word(name)} has one."},
                    {"text": f"Menu {own_word(name)}"},
                ],
                "gold": f"All sites have this, but {own_word(name)} has one.",
            }
            for n in range(3)
            for name in NAMES
        ]
    )


class Memory(Model):
    """A model that knows which words it has seen: a segment's score is how many of its words."""

    def __init__(self, material: Sequence[LabelledPage]) -> None:
        texts = [text for clean in (True, False) for text, _ in texts_of(material, clean)]
        self.known = {word for text in [*texts, *(page.gold.plain for page in material)] for word in words(text)}

    def evidence(self, documents: Sequence[ModelInput]) -> list[dict[str, list[float]]]:
        return [
            {"score": [float(len(self.known & set(words(segment["text"])))) for segment in document.segments]}
            for document in documents
        ]


@pytest.mark.parametrize("number", [2, 4, 6])
def test_a_site_is_scored_by_models_that_lack_its_words(number: int) -> None:
    models = []

    def train(material: Sequence[LabelledPage]) -> Any:
        models.append(Memory(material))
        return models[-1]

    some = pages()
    found = list(cross_validate(some, train, Folds(number)))
    assert sorted(scored.page.key for scored in found) == sorted(page.key for page in some)
    for scored in found:
        assert scored.scores == [7, 1]  # of eight words and two: all but its own
    assert len(models) == number
    for name in NAMES:  # what is unseen in one fold is seen in all others
        assert sum(own_word(name) in model.known for model in models) == number - 1


def test_a_model_sees_all_other_folds_and_scores_the_rest() -> None:
    seen: list[list[str]] = []

    def train(material: Sequence[LabelledPage]) -> Any:
        seen.append([page.key for page in material])
        return Memory(material)

    some = pages()
    list(cross_validate(some, train, Folds(3, seed=5)))
    for part, others in zip(folds(some, 3, 5), seen):
        assert sorted(others + [page.key for page in part]) == sorted(page.key for page in some)
    some = labelled(PLAIN)

    def train(material: Sequence[LabelledPage]) -> Any:
        return train_ngram(material, OPTIONS)

    found = {scored.page.key: scored.scores for scored in cross_validate(some, train, Folds(3))}
    parts = folds(some, 3)
    model = train([*parts[0], *parts[2]])
    for one in parts[1]:
        assert found[one.key] == model.evidence([ModelInput.of_texts(one.texts)])[0]["score"]


def test_progress_and_places_of_pages() -> None:
    reported: list[int] = []
    list(cross_validate(pages(), Memory, Folds(3), reported.append))
    assert reported == [0, 1, 2, 3]
    some = pages()
    found = sorted(cross_validate(some, Memory, Folds(3)), key=lambda scored: scored.place)
    assert [scored.page for scored in found] == some


def test_empty_classes_and_pages() -> None:
    some = labelled(
        [{"url": f"http://{n}.example", "text": "Text." + "\n\nLog in" * (n == 1), "gold": "Text."} for n in range(3)]
    )
    there = next(place for place, part in enumerate(folds(some, 3), 1) if part[0].domain == "1.example")
    with pytest.raises(ValueError, match=f"^without fold {there} of 3: no training data: no dirty segment"):
        list(cross_validate(some, lambda material: train_ngram(material, OPTIONS), Folds(3)))
    some = [*pages(), *labelled([{"id": "empty", "url": "http://empty.example", "segments": [], "gold": ""}])]
    found = {scored.page.key: scored.scores for scored in cross_validate(some, Memory, Folds(7))}
    assert found["empty"] == []
    model = list(cross_validate(some, lambda material: train_ngram(material, OPTIONS), Folds(7)))
    assert len(model) == len(some)


# ---- text -----------------------------------------------------------------------------------------------------
def test_kept_text_has_positive_scores_and_no_rule() -> None:
    segments = [
        {"text": "One", "type": "h"},
        {"text": "two", "type": "p"},
        {"text": "three", "type": "p", "rule": "bars"},
        {"text": "four", "type": "l"},
    ]
    (plain,) = labelled([{"segments": segments, "gold": "One two"}])
    assert kept_text(plain, [1, 0, 9, 0.5]) == "One\nfour"
    assert kept_text(plain, [-1, 0, 9, 0]) == ""
    (marked,) = labelled([{"segments": segments, "gold": {"markup": "<h>One\n<p>two"}}])
    assert kept_text(marked, [1, 0, 9, 0.5]) == "<h>One\n<l>four"


# ---- records --------------------------------------------------------------------------------------------------
class PageMemory(Memory):
    """A model that also scores pages, if they have an address."""

    def evidence_with_pages(self, documents: Sequence[ModelInput]) -> tuple[list[Any], list[dict[str, Any] | None]]:
        return self.evidence(documents), [{"score": 1.0} if document.head.names else None for document in documents]


def test_records_and_pages_without_them_are_scored() -> None:
    record = {"id": "1", "url": "http://a.example/", "segments": [{"text": "a b", "type": "p"}], "gold": "a"}
    model: Any = PageMemory([])
    (scored,) = score_pages(model, [label_page(record, keep_record=True)])
    segments = [{"text": "a b", "type": "p", "score": 0.0}]
    expected = {**record, "segments": segments, "nc": VERSION, "page": {"score": 1.0}}
    assert scored.scored_record() == expected
    assert "page" not in record and "score" not in record["segments"][0]
    model: Any = PageMemory([])
    (scored,) = score_pages(model, labelled([{"url": "http://a.example/", "text": "a", "gold": "a"}]))
    assert (scored.scores, scored.page_evidence) == ([0.0], None)


def test_pages_with_the_same_key_are_evaluated_apart() -> None:
    (page,) = labelled([{"id": "1", "segments": [{"text": "One"}], "gold": "One"}])
    scored = [PageEvidence(page, 0, {"score": [1.0]}), PageEvidence(page, 1, {"score": [-1.0]})]
    system = System("folds")
    assert evaluate(scored, system, ["words"]).keys == ["1", "1 (2)"]
    assert list(system.texts.values()) == ["One", ""]


# ---- tuning ---------------------------------------------------------------------------------------------------


PAGES = labelled(MIXED)
THREE = Folds(3)


def recorder(reported: list[object]) -> Any:
    def progress(total: int, unit: str) -> Any:
        reported.append((total, unit))
        return reported.append

    return progress


# ---- the grid -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", ["entropy", "f"])
def test_tables_have_the_values_of_the_grid(measure: str) -> None:
    given = {"ns": [2, 3], "qs": [0.3, 0.8], "foldings": ["ascii", "frequent"]}
    options = TuneOptions(measure, NgramOptions(characters=30), THREE, **given)
    found = list(tune(PAGES, options))
    assert [name for _, _, name in found] == [f"{measure}-ascii", f"{measure}-frequent"]
    for (table, *_), folding in zip(found, options.foldings):
        texts = [text for page in PAGES for text in page.texts]
        alphabet = alphabet_of(NgramOptions(folding=folding, characters=30), texts)
        assert folding == "ascii" or len(alphabet.characters) == 30
        grid = NgramGrid(PAGES, alphabet, [2, 3], THREE)
        values = grid.entropies([0.3, 0.8])
        if measure == "f":
            aligned = AlignedWords(grid.pages)
            values = {point: 100 * aligned.measure(scores).f for point, scores in grid.scores([0.3, 0.8]).items()}
            assert 60 < max(values.values()) < 100
        assert table == grid_finding(measure, folding, values, "").table


def few(monkeypatch: pytest.MonkeyPatch, sizes: tuple[int, ...], subsets: int) -> None:
    """Learning curves have these sizes and so many subsets of each."""
    monkeypatch.setattr(cross_validation, "SIZES", sizes)
    monkeypatch.setattr(cross_validation, "SUBSETS", subsets)


def test_searches_and_curves_report_their_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    reported: list[object] = []
    options = TuneOptions("entropy", folds=Folds(2), ns=[1], qs=[0.5], foldings=["ascii", "ascii"])
    assert len(list(tune(PAGES, options, recorder(reported)))) == 1
    assert reported == [(2, "folds"), 0, 1, 2]
    reported: list[object] = []
    few(monkeypatch, (2,), 1)
    learning_curve(PAGES, NgramOptions(), THREE, progress=recorder(reported))
    assert reported == [(2, "models"), 0, 1, 2]


def test_tables_of_grids_and_of_curves() -> None:
    values = {(2, 0.5): 2.0, (1, 0.5): 1.0, (1, 0.2): 1.0, (3, 0.2): 2.0}
    values |= {(2, 0.2): 2.0, (3, 0.5): 2.0}
    assert "best n = 1, q = 0.2: 1.000" in grid_finding("entropy", "ascii", values, "").table.title
    assert "best n = 2, q = 0.2: 2.00" in grid_finding("f", "ascii", values, "").table.title
    values = {(1, 0.2): 50.0, (1, 0.5): 60.0, (2, 0.2): 70.0, (2, 0.5): 80.0}
    table = grid_finding("f", "ascii", values, "").table
    assert table.title == "ascii: F of words, pooled over held-out pages, per cent; best n = 2, q = 0.5: 80.00"
    assert table.header == ["folding", "n", "q=0.2", "q=0.5"]
    assert table.rows == [["ascii", "1", "50.00", "60.00"], ["ascii", "2", "70.00", "80.00"]]
    table = curve_table(([5], {"F": [[50.0, 60.0, 70.0]]}))
    assert table.rows == [["5", "60.00 (51.00-69.00)"]]


@pytest.mark.parametrize(
    ("parameters", "why"),
    [({"ns": [3, 9]}, "n is 9; it must be 1 to 8"), ({"qs": [0.5, 1.0]}, "q is 1.0; it must be between 0 and 1")],
)
def test_parameters_out_of_range_are_refused(parameters: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        TuneOptions("entropy", **parameters)


# ---- the learning curve ---------------------------------------------------------------------------------------


def test_curves_end_with_all_pages_and_depend_on_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    # sizes end with all pages outside a fold
    few(monkeypatch, (2, 900), 4)
    sizes, values = learning_curve(PAGES, NgramOptions(), THREE)
    assert sizes == [2, 12]
    assert [[len(of_size) for of_size in of] for of in values.values()] == [[4, 4]] * 3
    assert list(values) == ["precision", "recall", "F"]
    assert len(set(values["F"][0])) > 1  # subsets are random
    precision, recall, f = (of[0][0] / 100 for of in values.values())
    assert f == pytest.approx(2 * precision * recall / (precision + recall))
    # the seed draws the subsets
    first, again, other = (learning_curve(PAGES, NgramOptions(), Folds(3, seed)) for seed in (0, 0, 1))
    assert first == again != other


def test_the_last_subset_has_all_pages_of_other_sites(monkeypatch: pytest.MonkeyPatch) -> None:
    few(monkeypatch, (1,), 3)
    found = learning_curve(PAGES, NgramOptions(), THREE)[1]
    for place, test in enumerate(folds(PAGES, 3)):
        # in the last subset only the order of the pages is random
        rest = [some for some in PAGES if some not in test]
        scored = score_pages(train_ngram(rest, NgramOptions()), test)
        expected = AlignedWords(test).measure(np.array([score for some in scored for score in some.scores]))
        assert [of[1][place] for of in found.values()] == pytest.approx([100 * value for value in expected], abs=0.2)


def test_all_pages_are_tested_once_on_test_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    few(monkeypatch, (3,), 4)
    tests = labelled([page(n) for n in range(40, 45)])
    sizes, values = learning_curve(PAGES, NgramOptions(), tests=tests)
    assert (sizes, [len(of_size) for of_size in values["F"]]) == ([3, 18], [4, 1])
    scored = score_pages(train_ngram(PAGES, NgramOptions()), tests)
    kept = AlignedWords(tests).measure(np.array([score for some in scored for score in some.scores]))
    assert values["F"][1] == pytest.approx([100 * kept.f])


# ---- precision against recall ---------------------------------------------------------------------------------


def random_pages(seed: int) -> tuple[list[LabelledPage], np.ndarray[Any, Any]]:
    """Pages of random segments, and scores, many of them the same."""
    rnd = random.Random(seed)
    records = []
    for _ in range(rnd.randint(1, 6)):
        segments = [
            {"text": " ".join(rnd.choices("abcdefgh", k=rnd.randint(0, 6)))}
            | ({"rule": "x"} if rnd.random() < 0.2 else {})
            for _ in range(rnd.randint(1, 9))
        ]
        records.append({"segments": segments, "gold": " ".join(rnd.choices("abcdefgh", k=8))})
    pages = list(labelled(records))
    return pages, np.array([rnd.choice([-3, 0, 0.01, 0.02, 2.5, 9.17, 9.18]) for page in pages for _ in page.texts])


def slow_measure(pages: list[LabelledPage], scores: Any, threshold: float) -> tuple[float, float, float]:
    """Precision, recall and F, segment by segment."""
    kept = right = 0
    flat = iter(scores)
    for some in pages:
        for text, marked, matched in zip(some.texts, some.marked, some.matched):
            if next(flat) > threshold and not marked:
                kept += len(words(text))
                right += matched
    gold = sum(len(words(page.gold.plain)) for page in pages)
    precision, recall = right / kept if kept else 0.0, right / gold
    return precision, recall, 2 * right / (kept + gold)


@pytest.mark.parametrize("seed", range(12))
def test_measures_are_those_of_the_kept_words(seed: int) -> None:
    pages, scores = random_pages(seed)
    aligned = AlignedWords(pages)
    for threshold in (-4, -3, 0, 0.01, 0.015, 1, 9.18, 10):
        assert aligned.measure(scores, threshold) == pytest.approx(slow_measure(pages, scores, threshold))
    assert aligned.measure(scores) == aligned.measure(scores, 0.0)


@pytest.mark.parametrize("seed", range(12))
def test_the_curve_has_every_point(seed: int) -> None:
    pages, scores = random_pages(seed)
    aligned = AlignedWords(pages)
    thresholds, precisions, recalls = aligned.curve(scores)
    assert (np.diff(thresholds) > 0).all()
    for threshold, precision, recall in zip(thresholds, precisions, recalls):
        assert (precision, recall) == pytest.approx(slow_measure(pages, scores, threshold)[:2])
        assert float(f"{threshold:.2f}") == threshold  # as it is printed, so it decides
    every = [slow_measure(pages, scores, threshold)[:2] for threshold in sorted({-9.0, *scores.tolist()})]
    expected = {point for point, _ in groupby(every) if point != (0, 0)}
    assert {(float(p), float(r)) for p, r in zip(precisions, recalls)} >= expected


def test_close_scores_have_thresholds_of_more_decimals() -> None:
    (page,) = labelled([{"segments": [{"text": "a"}, {"text": "b"}, {"text": "c"}], "gold": "a"}])
    scores = np.array([0.0013, 0.0012, 0.0011])
    thresholds, precisions, _ = AlignedWords([page]).curve(scores)
    assert precisions.tolist() == pytest.approx([1 / 3, 1 / 2, 1])
    assert [int((scores > threshold).sum()) for threshold in thresholds] == [3, 2, 1]


@pytest.mark.parametrize("segments", [[], [{"text": "a", "rule": "bars"}], [{"text": "***"}]])
def test_a_page_without_decisions_is_an_error(segments: list[dict[str, str]]) -> None:
    (page,) = labelled([{"segments": segments, "gold": "a"}])
    with pytest.raises(ValueError, match="nothing to decide: no segment without a rule has words"):
        AlignedWords([page]).curve(np.zeros(len(segments)))
    assert AlignedWords([page]).measure(np.ones(len(segments))) == (0, 0, 0)


# ---- thresholds -----------------------------------------------------------------------------------------------
def test_a_threshold_has_the_highest_recall_for_its_precision(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cross_validation, "PRECISIONS", (0.3, 0.5))
    pages, scores = random_pages(3)
    aligned = AlignedWords(pages)
    zero, best, *reached = aligned.thresholds(scores).items()
    every = [aligned.measure(scores, threshold) for threshold in scores - 0.001]
    assert zero == ("", 0) and aligned.measure(scores, best[1]).f == max(kept.f for kept in every)
    for target, threshold in reached:
        kept = aligned.measure(scores, threshold)
        assert kept.precision >= float(target)
        assert all(other.precision < float(target) or other.recall <= kept.recall for other in every)


def test_precisions_that_are_not_reached_have_no_threshold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cross_validation, "PRECISIONS", (0.5, 0.6, 0.7))
    (page,) = labelled([{"segments": [{"text": "a b c d e"}], "gold": "a b c"}])
    assert list(AlignedWords([page]).thresholds(np.ones(1))) == ["", "best F", "0.5", "0.6"]


def test_thresholds_are_cross_validated() -> None:
    found = list(cross_validate(PAGES, lambda some: train_ngram(some, NgramOptions()), Folds(3)))
    aligned = AlignedWords([scored.page for scored in found])
    scores = np.array([score for scored in found for score in scored.scores])
    table = threshold_table(PAGES, TuneOptions("threshold", folds=Folds(3)))
    every = [aligned.measure(scores, threshold) for threshold in scores - 0.001]
    reached = [str(target) for target in PRECISIONS if any(kept.precision >= target for kept in every)]
    assert [row[0] for row in table.rows] == ["", "best F", *reached]
    for (target, threshold), row in zip(aligned.thresholds(scores).items(), table.rows):
        kept = [f"{100 * value:.2f}" for value in aligned.measure(scores, threshold)]
        assert row == [target, f"{threshold:.2f}", *kept]


def test_a_model_is_used_instead_of_training() -> None:
    model, pages = train_ngram(labelled(PLAIN), NgramOptions()), PAGES
    (found,) = tune(pages, TuneOptions("threshold", model=NamedModel("x", model)))
    assert found.table.title.startswith("nc-select -t: precision against recall (x, 18 pages")
    zero = found.table.rows[0]
    scores = np.array([score for page in score_pages(model, pages) for score in page.scores])
    assert zero[2:] == [f"{100 * value:.2f}" for value in AlignedWords(pages).measure(scores)]
