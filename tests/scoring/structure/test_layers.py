"""The weights as scoring reads them."""

from __future__ import annotations

import numpy as np
import pytest

from ncfilters.features.columns import OWN
from ncfilters.features.schema import NAMES
from ncfilters.scoring.structure.model import StructureModel
from ncfilters.scoring.structure.shapes import HIDDEN, MAX_DEVIATION, WORD


def test_a_kind_adds_what_its_columns_add(trained: StructureModel) -> None:
    parameters, layers = trained.parameters, trained.layers
    weights = parameters.network.weights["first"].astype(np.float64)

    def normal(column: int, value: float) -> float:
        bounded = (value - parameters.means[column]) * parameters.scales[column]
        return float(np.clip(bounded, -MAX_DEVIATION, MAX_DEVIATION))

    columns = [NAMES.index(name) for name in ("bold", "type=h", "rule=nav")]
    expected = sum((normal(column, 1) - normal(column, 0)) * weights[column] for column in columns)
    found = layers.of_kind(((1, -1, 0, -1, -1), (True, False, False)))
    assert list(found) == pytest.approx(list(expected), abs=1e-5)
    assert layers.of_kind(((1, -1, 0, -1, -1), (True, False, False))) is found


def test_there_is_a_row_for_each_feature_and_phrase(trained: StructureModel) -> None:
    layers = trained.layers
    assert len(layers.own) == (OWN + 2 * WORD) * HIDDEN and len(layers.own_low) == OWN + 2 * WORD
