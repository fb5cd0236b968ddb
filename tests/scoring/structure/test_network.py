"""The network: its gradients are those of finite differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from structure_pages import NEW

from ncfilters.features.segment_table import build_table
from ncfilters.scoring.structure.model import StructureModel
from ncfilters.scoring.structure.network import Inputs, Network
from ncfilters.scoring.structure.shapes import AVERAGES, HIDDEN, SHARED, array_shapes


@pytest.mark.parametrize("windows", ["filled", "some empty"])
def test_gradients_are_those_of_finite_differences(trained: StructureModel, windows: str) -> None:
    # in double precision, away from the kinks of units; the loss is a weighted sum of all outputs
    network = trained.parameters.network
    inputs = trained.parameters.inputs(build_table(NEW[0]))
    size = len(inputs.numbers)
    if windows == "filled":
        inputs.pools.windows = [
            (start, stop, np.where(stop > start, inverse, 0).astype(np.float32))
            for start, stop, inverse in inputs.pools.windows
        ]
    random = np.random.default_rng(1)
    errors = random.standard_normal((size, len(trained.parameters.outputs))).astype(np.float32)
    gradients, below = network.backward(inputs, network.forward(inputs)[1], errors)

    def loss(weights: dict[str, Any], names: Any, phrases: Any) -> float:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("ncfilters.scoring.structure.network.np.float32", np.float64)  # no cast to single precision
            wide = Inputs(inputs.numbers.astype(np.float64), names, phrases, inputs.pools)
            return float((Network(weights).forward(wide)[0].astype(np.float64) * errors).sum())

    weights = {name: weight.astype(np.float64) for name, weight in network.weights.items()}
    names, phrases = inputs.names.astype(np.float64), inputs.phrases.astype(np.float64)
    step = 1e-5
    for name in gradients:
        if name in ("names", "words"):
            continue
        scale = float(np.abs(gradients[name]).max())
        for place in random.integers(0, weights[name].size, 12).tolist():
            up, down = ({**weights, name: weights[name].copy()} for _ in range(2))
            up[name].flat[place] += step
            down[name].flat[place] -= step
            slope = (loss(up, names, phrases) - loss(down, names, phrases)) / (2 * step)
            assert gradients[name].flat[place] == pytest.approx(slope, abs=2e-3 * scale, rel=2e-3), (name, place)
    scale = float(np.abs(below).max())
    for row, column in zip(random.integers(0, size, 12), random.integers(0, names.shape[1], 12)):
        moved = names.copy()
        moved[row, column] += step
        slope = (loss(weights, moved, phrases) - loss(weights, names, phrases)) / step
        assert below[row, column] == pytest.approx(slope, abs=2e-3 * scale, rel=2e-3)


def test_gradients_times_inputs_sum_up_to_the_score(trained: StructureModel) -> None:
    # with the contribution of the biases, the sum is the first output itself
    network = trained.parameters.network
    logits, activations = network.forward(trained.parameters.inputs(build_table(NEW[0])))
    own, averages = network.logit_gradients(activations)
    assert averages.shape == (len(logits), SHARED * AVERAGES)
    weights = network.weights
    second = (activations.second > 0) * weights["last"][:, 0]
    first = (second @ weights["second"].T)[:, :HIDDEN] * (activations.first > 0)
    constants = first @ weights["first_bias"] + second @ weights["second_bias"] + weights["last_bias"][0]
    total = (activations.inputs * own).sum(axis=1) + (activations.combined[:, HIDDEN:] * averages).sum(axis=1)
    assert total + constants == pytest.approx(logits[:, 0], abs=1e-4)


def test_the_seed_determines_initial_weights() -> None:
    first, again, other = (Network.initial(5, 3, 2, 4, seed).weights for seed in (1, 1, 2))
    for name, weight in first.items():
        assert (weight == again[name]).all()
        assert name.endswith("_bias") or (weight != other[name]).any()
    assert {name: weight.shape for name, weight in first.items()} == array_shapes(5, 3, 2, 4)
