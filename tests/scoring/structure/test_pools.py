"""Averages over the surroundings of segments."""

from __future__ import annotations

import numpy as np
import pytest
from structure_pages import NEW

from ncfilters.features.segment_table import build_table
from ncfilters.features.shared_features import SharedFeatures
from ncfilters.scoring.structure.model import StructureModel
from ncfilters.scoring.structure.parameters import pools
from ncfilters.scoring.structure.pools import pool
from ncfilters.scoring.structure.shapes import HIDDEN, POOLS, SECOND, SHARED


def test_averages_over_groups_are_those_of_training(trained: StructureModel) -> None:
    table, weights = build_table(NEW[0]), trained.parameters.network.weights
    shared = SharedFeatures(table)
    shared.compute()
    hidden = np.random.default_rng(1).normal(size=(len(table), HIDDEN)).astype(np.float32)
    of_places, totals = pool(trained.layers, table, shared, hidden.ravel())
    averages = pools(table).averages(hidden @ weights["shared"])[:, : SHARED * len(POOLS)]
    second = weights["second"][HIDDEN : HIDDEN + SHARED * len(POOLS)]
    expected = averages @ second + weights["second_bias"]
    found = np.asarray(of_places).reshape(-1, SECOND)[np.asarray(table.tree.place)]
    assert found == pytest.approx(expected, abs=1e-4)
    assert len(totals) == (SHARED + 1) * (len(table) + 1)
