"""Back-off models, compared with a naive version of the definition (with KenLM: see test_convert)."""

from __future__ import annotations

import math
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ncfilters.scoring import registry
from ncfilters.scoring.word_lm.backoff import BackoffModel
from ncfilters.scoring.word_lm.parameters import WordModelParameters

PARAMETERS = WordModelParameters("arpa", "spaces")
WORDS = ["<unk>", "<s>", "</s>", "a", "b", "c"]


def invented(n: int, seed: int = 1) -> tuple[dict[tuple[str, ...], tuple[float, float]], list[Any]]:
    """An invented model: log10 probability and back-off weight by n-gram, and as rows of numbers."""
    rng = random.Random(seed)
    table: dict[tuple[str, ...], tuple[float, float]] = {}
    for order in range(1, n + 1):
        shorter = [key for key in table if len(key) == order - 1] or [()]
        for history in shorter:
            for word in WORDS:
                if order > 1 and (word in ("<unk>", "<s>") or "</s>" in history or rng.random() < 0.5):
                    continue
                weight = 0.0 if order == n else round(-rng.random(), 3)
                table[(*history, word)] = (round(-3 * rng.random(), 3), weight)
    orders = []
    for order in range(1, n + 1):
        rows = [(key, values) for key, values in table.items() if len(key) == order]
        rng.shuffle(rows)
        ids = np.array([[WORDS.index(word) for word in key] for key, _ in rows]).reshape(-1, order)
        orders.append((ids, np.array([p for _, (p, _) in rows]), np.array([w for _, (_, w) in rows])))
    return table, orders


def naive_logs(table: dict[tuple[str, ...], tuple[float, float]], n: int, text: str) -> list[float]:
    run = ["<s>", *(word if (word,) in table else "<unk>" for word in text.split()), "</s>"]

    def log(history: tuple[str, ...], word: str) -> float:
        if (*history, word) in table:
            return table[(*history, word)][0]
        return table.get(history, (0.0, 0.0))[1] + log(history[1:], word)

    return [log(tuple(run[max(0, at - n + 1) : at]), run[at]) for at in range(1, len(run))]


TEXTS = ["a b c", "c", "a x b", "x x x x", "b b b a a c c a b c a", ""]


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_probabilities_follow_the_definition(n: int, seed: int, tmp_path: Path) -> None:
    table, orders = invented(n, seed)
    made = BackoffModel.build(WORDS, orders, WordModelParameters("arpa", "spaces", 77.0))
    registry.write_model(tmp_path / "x.model", made, {})
    for some in (made, registry.load(str(tmp_path / "x.model"))):
        assert isinstance(some, BackoffModel)
        for text, found in zip(TEXTS, some.word_logs(TEXTS)):
            assert found.tolist() == pytest.approx(naive_logs(table, n, text), abs=1e-5)
        wanted = [
            10 ** (-sum(logs) / len(logs)) if text else 77.0 for text in TEXTS if (logs := naive_logs(table, n, text))
        ]
        assert some.perplexities(TEXTS) == pytest.approx(wanted, rel=1e-4)


@pytest.mark.parametrize("n", [1, 3, 5])
def test_ngrams_are_returned_as_they_were_given(n: int) -> None:
    table, orders = invented(n)
    words, out = BackoffModel.build(WORDS, orders, PARAMETERS).ngrams()
    found = {
        tuple(words[at] for at in row): (pytest.approx(p, abs=1e-5), pytest.approx(w, abs=1e-5))
        for ids, probs, weights in out
        for row, p, w in zip(ids.tolist(), probs.tolist(), weights.tolist())
    }
    assert found == table


def test_each_model_has_boundaries_and_unknown_words() -> None:
    made = BackoffModel.build(["a"], [(np.array([[0]]), np.array([-0.5]), np.array([0.0]))], PARAMETERS)
    assert made.word_logs(["a b"])[0].tolist() == [-0.5, -100.0, -100.0]


@pytest.mark.parametrize(
    ("orders", "why"),
    [
        ([], "n-grams of 0 lengths"),
        ([(np.array([[0]]), [-1.0], [0.0])] * 6, "of 6 lengths"),
        ([(np.array([[0], [0]]), [-1.0, -1.0], [0.0, 0.0])], "have no unigram probability"),
        (
            [(np.array([[0], [1]]), [-1.0] * 2, [0.0] * 2), (np.array([[0, 1], [0, 1]]), [-1.0] * 2, [0.0] * 2)],
            "occurs twice",
        ),
        (
            [
                (np.array([[0], [1]]), [-1.0] * 2, [0.0] * 2),
                (np.array([[0, 1]]), [-1.0], [0.0]),
                (np.array([[1, 1, 0]]), [-1.0], [0.0]),
            ],
            "the n-gram 'b b a' has a history that is not an n-gram",
        ),
    ],
)
def test_inconsistent_ngrams_are_refused(orders: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        BackoffModel.build(["a", "b"], orders, PARAMETERS)


def test_damaged_arrays_give_finite_perplexities() -> None:
    _, orders = invented(3)
    made = BackoffModel.build(WORDS, orders, PARAMETERS)
    rng = np.random.default_rng(1)
    for name in made.arrays():
        if "book" in name:
            continue  # they are small, and checked
        arrays = {key: np.array(array) for key, array in made.arrays().items()}
        arrays[name].view(np.uint8)[:] = np.frombuffer(rng.bytes(arrays[name].nbytes), np.uint8)
        try:
            found = BackoffModel.from_parts(made.header(), arrays).perplexities(TEXTS)
        except ValueError as error:
            assert re.search("lacks <s>|do not", str(error))  # what a model is loaded with
            continue
        assert np.isfinite(found).all()


@pytest.mark.parametrize("name", ["probability1", "probability-book2", "weight1", "weight-book2", "starts3"])
def test_inconsistent_arrays_are_refused(name: str) -> None:
    _, orders = invented(3)
    made = BackoffModel.build(WORDS, orders, PARAMETERS)
    arrays = made.arrays()
    with pytest.raises(KeyError, match=name):
        BackoffModel.from_parts(made.header(), {key: array for key, array in arrays.items() if key != name})
    for wrong in (arrays[name].astype(np.int32), arrays[name][:0]):
        with pytest.raises(ValueError):
            BackoffModel.from_parts(made.header(), {**arrays, name: wrong})
    if "book" in name:
        for value in (math.nan, math.inf, 1000.0):
            with pytest.raises(ValueError, match="are not logarithms"):
                BackoffModel.from_parts(made.header(), {**arrays, name: np.full_like(arrays[name], value)})
