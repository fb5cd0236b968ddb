"""The optimizer: Adam, batches of pages, networks that learn."""

from __future__ import annotations

import numpy as np
import pytest
from structure_pages import LABELLED

from ncfilters.scoring.structure.network import HIDDEN, Network
from ncfilters.training.examples import (
    Example,
    NameVocabulary,
    StructureOptions,
    TrainingPage,
    build_examples,
    build_vocabulary,
    normalize,
)
from ncfilters.training.optimizer import WEIGHT_DECAY, Adam, Batch, NetworkOptions, train_network


@pytest.fixture(scope="module")
def vocabulary() -> NameVocabulary:
    pages = [TrainingPage.of_labelled(page) for page in LABELLED]
    return build_vocabulary(pages, StructureOptions(min_name_sites=3, min_phrase_sites=3))


@pytest.fixture(scope="module")
def examples(vocabulary: NameVocabulary) -> list[Example]:
    examples = build_examples([TrainingPage.of_labelled(page) for page in LABELLED], vocabulary)
    normalize(examples, StructureOptions())
    return examples


def options(vocabulary: NameVocabulary, passes: int, surroundings: bool = True) -> NetworkOptions:
    return NetworkOptions(
        len(vocabulary.names), len(vocabulary.phrases), passes, ("article",), surroundings=surroundings
    )


def test_the_first_step_of_adam_has_the_size_of_the_rate() -> None:
    weights = {"last_bias": np.array([1.0, 1.0, 1.0], np.float32)}
    Adam(weights).step({"last_bias": np.array([100.0, -0.01, 0.0], np.float32)}, 0.1)
    assert weights["last_bias"] == pytest.approx([0.9, 1.1, 1.0], abs=1e-4)


def test_weights_decay_and_biases_do_not() -> None:
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


def test_training_lowers_the_loss(examples: list[Example], vocabulary: NameVocabulary) -> None:
    labels = np.concatenate([example.labels for example in examples])

    def loss(passes: int) -> float:
        network = train_network(examples, options(vocabulary, passes))
        logits = network.logits(Batch.of(examples, network))[:, 0]
        return float((np.logaddexp(0, logits) - labels * logits).mean())

    assert loss(40) < 0.5 * loss(0)


def test_without_surroundings_the_averages_have_no_weight(examples: list[Example], vocabulary: NameVocabulary) -> None:
    weights = train_network(examples, options(vocabulary, 3, surroundings=False)).weights
    assert not weights["shared"].any() and not weights["second"][HIDDEN:].any()
    assert weights["second"][:HIDDEN].any()


def test_the_seed_determines_the_network(examples: list[Example], vocabulary: NameVocabulary) -> None:
    first, again = (train_network(examples, options(vocabulary, 2)).weights for _ in range(2))
    assert {name: weight.tobytes() for name, weight in first.items()} == {
        name: weight.tobytes() for name, weight in again.items()
    }
