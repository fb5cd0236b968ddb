"""Shapes of the network."""

from __future__ import annotations

from ncfilters.features.categories import GROUP_KINDS
from ncfilters.scoring.structure.shapes import AVERAGES, POOLS, SECOND, array_shapes


def test_the_second_layer_reads_all_averages() -> None:
    assert set(POOLS) == {*GROUP_KINDS, "document"} - {"up0"}
    shapes = array_shapes(100, 5, 6, 3)
    assert shapes["second"] == (32 + 8 * AVERAGES, SECOND)
    assert (shapes["names"], shapes["last"]) == ((5, 4), (32, 3))
