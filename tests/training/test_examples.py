"""Training examples: vocabularies, labels, weights, normalised features."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from structure_pages import LABELLED, RECORDS

from ncfilters.features.schema import NAMES, SCRIPT_DEPENDENT
from ncfilters.roles import ROLES
from ncfilters.training.examples import (
    KIND_EXPONENT,
    RARE_ROLE_WEIGHT,
    SEVERAL_ROLES_WEIGHT,
    NameVocabulary,
    StructureOptions,
    TrainingPage,
    build_examples,
    build_vocabulary,
    normalize,
)

PAGES = [TrainingPage.of_labelled(page) for page in LABELLED]
EMPTY = NameVocabulary({}, {})


def test_training_pages_have_the_document_and_type_of_their_record() -> None:
    for page, record in zip(PAGES, RECORDS):
        assert page.page_type == record["page_type"]
        assert page.document.segments == record["segments"]
        assert "@top example" in page.document.head.names
    untyped = replace(LABELLED[0], record={**RECORDS[0], "page_type": 7})
    assert TrainingPage.of_labelled(untyped).page_type is None


def test_vocabularies_have_names_and_phrases_of_enough_sites() -> None:
    few = build_vocabulary(PAGES, StructureOptions(min_name_sites=3, min_phrase_sites=3))
    assert {"nav", "menu", "post", "body", "@top example"} <= few.names.keys()
    assert "=login" in few.phrases
    assert sorted(few.names.values()) == list(range(len(few.names)))
    many = build_vocabulary(PAGES, StructureOptions(min_name_sites=9, min_phrase_sites=9))  # there are 8 sites
    assert many == EMPTY


@pytest.mark.parametrize(("options", "names", "phrases"), [
    ({"without": ("names",)}, {"@top example"}, {"=login"}), ({"without": ("head",)}, {"nav"}, {"=login"}),
    ({"without": ("words",)}, {"nav", "@top example"}, set()), ({"words": False}, {"nav", "@top example"}, set()),
])  # fmt: skip
def test_groups_left_out_are_not_in_the_vocabularies(options: dict, names: set[str], phrases: set[str]) -> None:  # type: ignore[type-arg]
    vocabulary = build_vocabulary(PAGES, StructureOptions(min_name_sites=3, min_phrase_sites=3, **options))
    assert vocabulary.names.keys() & {"nav", "@top example"} == names
    assert vocabulary.phrases.keys() & {"=login"} == phrases


def test_examples_have_a_row_for_each_segment() -> None:
    vocabulary = build_vocabulary(PAGES, StructureOptions(min_name_sites=3, min_phrase_sites=3))
    for page, example in zip(PAGES, build_examples(PAGES, vocabulary)):
        size = len(page.document)
        assert example.numbers.shape == (size, len(NAMES))
        assert example.names.shape == (size, len(vocabulary.names))
        assert example.phrases.shape == example.heading_phrases.shape == (size, len(vocabulary.phrases))
        assert {len(group) for group in example.groups} == {size}
        clean = ["post-body" in segment["path"] for segment in page.document.segments]
        assert example.labels.tolist() == clean


def test_weights_of_pages() -> None:
    # unusable pages have no weight
    pages = [replace(PAGES[0], labelled=replace(LABELLED[0], gold_words=10_000)), PAGES[2]]
    first, second = build_examples(pages, EMPTY)
    assert not first.weights.any() and second.weights.all()
    # a page with snippets alone teaches the known labels
    known = [place == 1 for place in range(len(LABELLED[0].words))]
    partial = replace(LABELLED[0], known=known, gold_words=0)
    (example,) = build_examples([replace(PAGES[0], labelled=partial)], EMPTY)
    assert np.flatnonzero(example.weights).tolist() == [1]
    assert example.words.gold == 0
    # pages of a large corpus weigh less
    keys = ["large/1", "large/2", "large/3", "large/4", "small/1"]
    pages = [replace(PAGES[0], labelled=replace(LABELLED[0], key=key)) for key in keys]
    examples = build_examples(pages, EMPTY)
    assert examples[-1].weights == pytest.approx(2 * examples[0].weights)  # the square root of 4 to 1
    # kinds of page are balanced
    # four news pages and one forum: the forum page weighs more, its kind less
    types = ["article", "article", "article", "article", "forum"]
    examples = build_examples([replace(PAGES[0], page_type=name) for name in types], EMPTY)
    ratio = examples[-1].weights.sum() / examples[0].weights.sum()
    assert ratio == pytest.approx(4 ** (1 - KIND_EXPONENT))


def test_roles_are_rows_of_what_the_gold_standard_allows() -> None:
    title, unknown = 1 << ROLES.index("title"), (1 << len(ROLES)) - 1
    masks = [title, unknown, *[unknown - title] * (len(PAGES[0].document) - 2)]
    page = replace(PAGES[0], labelled=replace(LABELLED[0], roles=masks))
    (example,) = build_examples([page], EMPTY)
    assert example.roles[0].tolist() == [float(name == "title") for name in ROLES]
    assert example.role_weights[0] == pytest.approx(RARE_ROLE_WEIGHT * example.weights[0])
    assert example.role_weights[1] == 0  # nothing is known of it
    assert example.role_weights[2:] == pytest.approx(SEVERAL_ROLES_WEIGHT * example.weights[2:])


def test_features_are_normalised() -> None:
    examples = build_examples(PAGES, EMPTY)
    raw = np.concatenate([example.numbers for example in examples])
    means, scales = normalize(examples, StructureOptions())
    assert means == pytest.approx(raw.mean(axis=0), abs=1e-4)
    varied = raw.std(axis=0) > 1e-2
    assert scales[varied] == pytest.approx(1 / raw.std(axis=0)[varied], rel=1e-3)
    assert np.abs(np.concatenate([example.numbers for example in examples])).max() <= 4
    _, scales = normalize(build_examples(PAGES, EMPTY), StructureOptions(words=False))
    assert {name for name, scale in zip(NAMES, scales) if not scale} == SCRIPT_DEPENDENT
