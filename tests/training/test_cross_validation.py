"""Cross-validation by domain: no page is scored by a model of its own site."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from invented import PAGES, folds, labelled

from ncfilters.dataset.labelled_pages import Folds, LabelledPage, label_page, texts_of
from ncfilters.evaluation.systems import System
from ncfilters.features.document import ModelInput
from ncfilters.record import VERSION
from ncfilters.scoring.base import Model
from ncfilters.text.words import words
from ncfilters.training.cross_validation import PageEvidence, cross_validate, evaluate, kept_text, score_pages
from ncfilters.training.ngram_trainer import NgramOptions, train_ngram

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
    some = labelled(PAGES)

    def train(material: Sequence[LabelledPage]) -> Any:
        return train_ngram(material, OPTIONS)

    found = {scored.page.key: scored.scores for scored in cross_validate(some, train, Folds(3))}
    parts = folds(some, 3)
    model = train([*parts[0], *parts[2]])
    for page in parts[1]:
        assert found[page.key] == model.evidence([ModelInput.of_texts(page.texts)])[0]["score"]


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
