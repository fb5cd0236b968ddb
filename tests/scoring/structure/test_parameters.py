"""Parameters of structure models: embeddings, smoothing, calibration, means in training."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from structure_pages import NEW

from ncfilters.features.segment_table import build_table
from ncfilters.roles import ROLES
from ncfilters.scoring.structure.model import StructureModel
from ncfilters.scoring.structure.parameters import Outputs, TrainingMeans, smooth_logits
from ncfilters.scoring.structure.scores import MAX_LOGIT, SMOOTHING
from ncfilters.training.examples import name_rows


def test_name_embeddings_are_those_of_training(trained: StructureModel) -> None:
    table = build_table(NEW[0])
    rows = name_rows(table, dict(trained.parameters.names))
    assert rows.nnz > len(table)
    expected = rows @ trained.parameters.network.weights["names"]
    assert trained.parameters.name_embeddings(table) == pytest.approx(expected, abs=1e-5)


def test_smoothing_moves_logits_to_the_mean_of_their_group() -> None:
    logits = np.array([[2, 0], [-1, 0], [99, 0], [-4, 1]], np.float32)
    groups, chars = np.array([0, 0, 1, 2]), np.array([0, 2, 5, 5], np.float32)
    mean = (1 * 2 + 3 * -1) / 4
    expected = [(1 - SMOOTHING) * 2 + SMOOTHING * mean, -(1 - SMOOTHING) + SMOOTHING * mean, MAX_LOGIT, -4]
    smoothed = smooth_logits(logits, groups, chars)
    assert smoothed[:, 0] == pytest.approx(expected)
    assert smoothed[:, 1].tolist() == [0, 0, 0, 1]


def test_without_surroundings_logits_are_not_smoothed(trained: StructureModel) -> None:
    table = build_table(NEW[0])
    logits = np.arange(len(table), dtype=np.float32)[:, None]
    assert (trained.parameters.smooth(logits, table) != logits).any()
    assert (replace(trained.parameters, surroundings=False).smooth(logits, table) == logits).all()


def test_calibration_is_a_factor_and_a_shift(trained: StructureModel) -> None:
    outputs = Outputs({"main": (0.5, 1.0), "all": (1.0, 0.0)})
    parameters = replace(trained.parameters, outputs=outputs)
    assert parameters.calibrate(np.array([[2, 2], [-4, 3]], np.float32)).tolist() == [[2, 2], [-1, 3]]
    assert (outputs.calibration, len(outputs), len(replace(outputs, roles=True))) == ((0.5, 1.0), 2, 2 + len(ROLES))


def test_means_in_training_survive_their_arrays() -> None:
    means = replace(TrainingMeans.zeros(3), names=np.array([1, 2, 3], np.float32))
    again = TrainingMeans.from_parts(means.arrays(), 3)
    assert again.names.tolist() == [1, 2, 3]
    assert again.averages.tolist() == means.averages.tolist()


@pytest.mark.parametrize("wrong", [np.zeros(2, np.float32), np.array([1, 2, np.nan], np.float32)])
def test_means_that_do_not_fit_are_refused(wrong: np.ndarray) -> None:  # type: ignore[type-arg]
    with pytest.raises(ValueError, match="typical.names: expected 3 finite numbers"):
        TrainingMeans.from_parts({**TrainingMeans.zeros(3).arrays(), "typical.names": wrong}, 3)
