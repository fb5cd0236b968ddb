"""Cross-validation by domain: no page is judged by what was learned of its own site."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from invented import PAGES, learned

from ncfilters.dataset.labelled_pages import LabelledPage, LabelledPages, folds
from ncfilters.features.document import Document
from ncfilters.text.words import words
from ncfilters.training import learners
from ncfilters.training.cross_validation import selected, validated

NAMES = [f"site{n}.example" for n in range(6)]


def own_word(domain: str) -> str:
    """A word that stands on the pages of one domain, and nowhere else."""
    return f"only{domain[4]}"


def pages() -> list[LabelledPage]:
    """Three pages of each domain, on which its own word is."""
    return learned(
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
    ).pages


class Memory:
    """A model that knows which words it has seen: a segment's score is how many of its words."""

    def __init__(self, material: LabelledPages) -> None:
        texts = [text for clean in (True, False) for text, _ in material.texts(clean)]
        self.known = {word for text in [*texts, *(page.gold.plain for page in material.pages)] for word in words(text)}

    def evidence(self, documents: Sequence[Document]) -> list[dict[str, list[float]]]:
        return [
            {"score": [float(len(self.known & set(words(segment["text"])))) for segment in document.segments]}
            for document in documents
        ]


@pytest.mark.parametrize("number", [2, 4, 6])
def test_words_of_one_site_are_never_known_where_it_is_judged(number: int) -> None:
    models = []

    def train(material: LabelledPages) -> Any:
        models.append(Memory(material))
        return models[-1]

    some = pages()
    found = list(validated(some, number, train))
    assert sorted(page.key for page, _ in found) == sorted(page.key for page in some)
    for _, scores in found:
        assert scores == [7, 1]  # of eight words and two: all but its own
    assert len(models) == number
    for name in NAMES:  # what is unseen in one fold is seen in all others
        assert sum(own_word(name) in model.known for model in models) == number - 1


def test_a_model_sees_all_other_folds() -> None:
    seen: list[list[str]] = []

    def train(material: LabelledPages) -> Any:
        seen.append([page.key for page in material.pages])
        return Memory(material)

    some = pages()
    list(validated(some, 3, train, seed=5))
    for part, others in zip(folds(some, 3, 5), seen):
        assert sorted(others + [page.key for page in part]) == sorted(page.key for page in some)


def test_scores_are_those_of_models_of_the_other_folds() -> None:
    some = learned(PAGES).pages

    def train(material: LabelledPages) -> Any:
        return learners.ngram(material, 3, 0.5, "ascii", 0, False)

    found = {page.key: scores for page, scores in validated(some, 3, train)}
    parts = folds(some, 3)
    model = train(LabelledPages([*parts[0], *parts[2]]))
    for page in parts[1]:
        assert found[page.key] == model.evidence([Document.of_texts(page.texts)])[0]["score"]


def test_progress_is_told_before_each_fold_and_at_the_end() -> None:
    told: list[int] = []
    list(validated(pages(), 3, Memory, progress=told.append))
    assert told == [0, 1, 2, 3]


def test_an_empty_class_is_told_with_its_fold() -> None:
    some = learned(
        [{"url": f"http://{n}.example", "text": "Text." + "\n\nLog in" * (n == 1), "gold": "Text."} for n in range(3)]
    ).pages
    there = next(place for place, part in enumerate(folds(some, 3), 1) if part[0].domain == "1.example")
    with pytest.raises(ValueError, match=f"^without fold {there} of 3: nothing to learn from: no dirty segment"):
        list(validated(some, 3, lambda material: learners.ngram(material, 3, 0.5, "ascii", 0, False)))


def test_a_page_without_segments_is_judged_too() -> None:
    some = [*pages(), *learned([{"id": "empty", "url": "http://empty.example", "segments": [], "gold": ""}]).pages]
    found = {page.key: scores for page, scores in validated(some, 7, Memory)}
    assert found["empty"] == []
    model = list(validated(some, 7, lambda material: learners.ngram(material, 3, 0.5, "ascii", 0, False)))
    assert len(model) == len(some)


# ---- what is selected -----------------------------------------------------------------------------------------


def test_what_scores_above_the_threshold_is_selected_unless_marked() -> None:
    segments = [
        {"text": "One", "type": "h"},
        {"text": "two", "type": "p"},
        {"text": "three", "type": "p", "rule": "bars"},
        {"text": "four", "type": "l"},
    ]
    (plain,) = learned([{"segments": segments, "gold": "One two"}]).pages
    assert selected(plain, [1, 0, 9, 0.5]) == "One\nfour"
    assert selected(plain, [1, 0, 9, 0.5], -1) == "One\ntwo\nfour"
    assert selected(plain, [1, 0, 9, 0.5], 1) == ""
    (marked,) = learned([{"segments": segments, "gold": {"markup": "<h>One\n<p>two"}}]).pages
    assert selected(marked, [1, 0, 9, 0.5]) == "<h>One\n<l>four"
