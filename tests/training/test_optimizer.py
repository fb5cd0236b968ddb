"""The optimizer: Adam, batches of pages, networks that learn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from structure_pages import LABELLED

from ncfilters.roles import ROLES
from ncfilters.scoring.structure.inference import HIDDEN
from ncfilters.scoring.structure.network import Network
from ncfilters.training.examples import (
    Example,
    NameVocabulary,
    StructureOptions,
    TrainingPage,
    build_examples,
    build_vocabulary,
    normalize,
)
from ncfilters.training.optimizer import F_SHARE, ROLE_SHARE, WEIGHT_DECAY, Adam, Batch, Loss, train_network


@pytest.fixture(scope="module")
def vocabulary() -> NameVocabulary:
    pages = [TrainingPage.of_labelled(page) for page in LABELLED]
    return build_vocabulary(pages, StructureOptions(min_name_sites=3, min_phrase_sites=3))


@pytest.fixture(scope="module")
def examples(vocabulary: NameVocabulary) -> list[Example]:
    examples = build_examples([TrainingPage.of_labelled(page) for page in LABELLED], vocabulary)
    normalize(examples, StructureOptions())
    return examples


def test_steps_of_adam_and_decay() -> None:
    weights = {"last_bias": np.array([1.0, 1.0, 1.0], np.float32)}
    Adam(weights).step({"last_bias": np.array([100.0, -0.01, 0.0], np.float32)}, 0.1)
    assert weights["last_bias"] == pytest.approx([0.9, 1.1, 1.0], abs=1e-4)
    weights = {name: np.ones(1, np.float32) for name in ("first", "first_bias", "names")}
    Adam(weights).step({name: np.zeros(1, np.float32) for name in weights}, 0.1)
    assert weights["first"] == pytest.approx([1 - 0.1 * WEIGHT_DECAY])
    assert weights["names"] == pytest.approx([1 - 0.1 * 3 * WEIGHT_DECAY])
    assert weights["first_bias"].tolist() == [1]


def test_a_batch_scores_pages_as_they_are_alone(examples: list[Example], vocabulary: NameVocabulary) -> None:
    columns = examples[0].numbers.shape[1]
    network = Network.initial(columns, len(vocabulary.names), len(vocabulary.phrases))
    alone = [network.logits(Batch.of([example], network)) for example in examples[:4]]
    together = network.logits(Batch.of(examples[:4], network))
    assert together == pytest.approx(np.concatenate(alone), abs=1e-4)


def test_training_lowers_the_loss_by_a_seed(examples: list[Example]) -> None:
    labels = np.concatenate([example.labels for example in examples])

    def loss(passes: int) -> float:
        network = train_network(examples, ("article",), passes)
        logits = network.logits(Batch.of(examples, network))[:, 0]
        return float((np.logaddexp(0, logits) - labels * logits).mean())

    assert loss(40) < 0.5 * loss(0)
    first, again = (train_network(examples, ("article",), 2).weights for _ in range(2))
    assert {name: weight.tobytes() for name, weight in first.items()} == {
        name: weight.tobytes() for name, weight in again.items()
    }


def test_gradients_of_the_loss_are_those_of_finite_differences(examples: list[Example]) -> None:
    roles = np.ones_like(examples[0].roles)
    roles[:, 3:] = 0  # three roles are allowed
    pages = [replace(example, roles=roles[: len(example.labels)]) for example in examples[:2]]
    pages = [page for page in pages if len(page.roles) == len(page.labels)]
    loss = Loss(pages, ("article",))
    rows = sum(len(page.labels) for page in pages)
    scale = loss.mean_weight * rows
    ends = np.cumsum([len(page.labels) for page in pages])[:-1]
    logits = np.random.default_rng(0).standard_normal((rows, 1 + len(ROLES))).astype(np.float32)

    def value(at: np.ndarray) -> float:  # type: ignore[type-arg]
        labels = np.concatenate([page.labels for page in pages])
        weights = np.concatenate([page.weights for page in pages]) / loss.mean_weight / rows
        role_weights = np.concatenate([page.role_weights for page in pages]) / loss.mean_role_weight / rows
        shares = np.exp(at[:, 1:]) / np.exp(at[:, 1:]).sum(axis=1, keepdims=True)
        allowed = (shares * np.concatenate([page.roles for page in pages])).sum(axis=1)
        of_labels = (np.logaddexp(0, at[:, 0]) - labels * at[:, 0]) * weights
        f = sum(
            float(page.weights.sum()) * expected_f(part, page) for part, page in zip(np.split(at[:, 0], ends), pages)
        )
        return float((of_labels - ROLE_SHARE * np.log(allowed) * role_weights).sum() - float(F_SHARE) * f / scale)

    def expected_f(at: np.ndarray, page: Example) -> float:  # type: ignore[type-arg]
        p, (words, matched, gold) = 1 / (1 + np.exp(-at)), page.words
        return float(2 * (p @ matched) / (p @ words + gold))

    gradients = loss.gradients(logits, pages)
    for row, column in ((0, 0), (1, 0), (0, 1), (2, 4), (3, 9)):
        moved = logits.astype(np.float64)
        moved[row, column] += 1e-5
        slope = (value(moved) - value(logits.astype(np.float64))) / 1e-5
        assert gradients[row, column] == pytest.approx(slope, abs=1e-5)


def test_without_surroundings_the_averages_have_no_weight(examples: list[Example]) -> None:
    weights = train_network(examples, ("article",), 3, surroundings=False).weights
    assert not weights["shared"].any() and not weights["second"][HIDDEN:].any()
    assert weights["second"][:HIDDEN].any()


def test_other_policies_learn_from_roles_that_are_certainly_content(examples: list[Example]) -> None:
    example = examples[0]
    roles = np.ones_like(example.roles)
    roles[0] = [name == "comment" for name in ROLES]  # content under `all`, boilerplate under `main`
    roles[1] = [name in ("related", "boilerplate") for name in ROLES]
    roles[2] = [name == "title" for name in ROLES]
    page = replace(example, roles=roles)
    loss = Loss([page], ("main", "article", "all"))
    gradients = loss.gradients(np.zeros((len(roles), 3 + len(ROLES)), np.float32), [page])
    assert gradients[0, 0] > 0 > gradients[0, 2]
    assert gradients[1, 0] > 0 and gradients[1, 2] > 0
    assert gradients[2:, [0, 2]].tolist() == np.zeros((len(roles) - 2, 2)).tolist()
    assert gradients[:, 1].all()  # the policy of its gold standard
