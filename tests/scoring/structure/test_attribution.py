"""Attribution: reasons are exact contributions to the odds, sorted, and of their side."""

from __future__ import annotations

import re

import numpy as np
import pytest
from structure_pages import NEW

from ncfilters.features.schema import NAMES
from ncfilters.features.segment_table import build_table
from ncfilters.scoring.structure.attribution import (
    INPUTS,
    MAX_WEIGHS,
    largest_contributions,
    mean_effects,
    pool_contributions,
)
from ncfilters.scoring.structure.model import StructureModel
from ncfilters.scoring.structure.reason_words import in_words
from ncfilters.scoring.structure.shapes import HIDDEN

# What reasons of words and headings look like.
OF_WORDS = re.compile("^the (?:text|words) '|' in the heading above$")


def test_contributions_of_pools_sum_up_to_gradient_times_input(trained: StructureModel) -> None:
    parameters = trained.parameters
    _, activations = parameters.network.forward(parameters.inputs(build_table(NEW[0])))
    _, gradients = parameters.network.logit_gradients(activations)
    means = parameters.means_or_zeros
    expected = ((activations.combined[:, HIDDEN:] - means.averages) * gradients).sum(axis=1)
    assert pool_contributions(activations, gradients, means).sum(axis=1) == pytest.approx(expected, abs=1e-4)


def test_all_reasons_are_gradient_times_input(trained: StructureModel) -> None:
    (reasons,) = trained.reasons([NEW[0]], 10_000)
    assert reasons is not None
    parameters = trained.parameters
    inputs = parameters.inputs(build_table(NEW[0]))
    own, _ = parameters.network.logit_gradients(parameters.network.forward(inputs)[1])
    bits = parameters.outputs.calibration[0] / np.log(2)
    columns = inputs.numbers.shape[1]
    for row, sides in enumerate(reasons):
        values = dict(map(tuple, sides["for"] + sides["against"]))  # type: ignore[arg-type]
        numbers = inputs.numbers[row] * own[row, :columns] * bits
        for name, value in zip(NAMES, numbers.tolist()):
            assert values.get(in_words(name), 0.0) == pytest.approx(value, abs=0.0051), name
        phrases = inputs.phrases[row] @ own[row, columns + inputs.names.shape[1] :] * bits
        total = sum(value for name, value in values.items() if OF_WORDS.search(name))
        assert total == pytest.approx(phrases, abs=0.03)


def test_reasons_are_few_sorted_and_of_their_side(trained: StructureModel) -> None:
    (reasons,) = trained.reasons([NEW[0]], 2)
    assert reasons is not None and len(reasons) == len(NEW[0])
    for sides in reasons:
        assert list(sides) == ["for", "against"]
        for side, sign in (("for", 1), ("against", -1)):
            sizes = [sign * value for _, value in sides[side]]
            assert len(sizes) == 2 and sizes == sorted(sizes, reverse=True) and min(sizes) > 0


def test_the_header_lists_the_largest_contributions(trained: StructureModel) -> None:
    weighs = trained.header()["weighs"]
    assert len(weighs) == MAX_WEIGHS and list(weighs.values()) == sorted(weighs.values(), reverse=True)
    assert weighs.keys() <= set(INPUTS)
    assert largest_contributions({"a": 0.1, "b": 0.20004, "c": 0.2}) == {"b": 0.2, "c": 0.2, "a": 0.1}


def test_most_informative_names_and_inputs_come_first(trained: StructureModel) -> None:
    rows = trained.most_informative(5)
    assert [row["reason"] for row in rows["the odds"]] == list(trained.header()["weighs"])[:5]
    effects = mean_effects(trained.parameters)
    assert rows["clean"][0]["bits"] == pytest.approx(max(effects.values()), abs=0.001)
    assert rows["clean"][0]["bits"] > 0 > rows["dirty"][0]["bits"]
    assert len(rows["dirty, n-grams"]) == 5


def test_differences_are_those_of_the_effects(trained: StructureModel) -> None:
    other = StructureModel.from_parts(trained.header(), trained.arrays())
    network = other.parameters.network
    network.weights["names"] = network.weights["names"] * np.float32(2)
    differences = trained.differences(other, 10)
    size = len(trained.parameters.names)
    assert differences["names"] == {"first": size, "second": size, "common": size}
    assert differences["changed"]
    for row in differences["changed"]:
        assert row["reason"].startswith("name:")
        assert row["second"] == pytest.approx(2 * row["first"], abs=0.011)
    assert "changed" not in trained.differences(trained, 10)
