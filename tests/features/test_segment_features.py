"""Features of single segments: both forms give the same bits, in blocks of any size (test_matrix has the numbers)."""

from __future__ import annotations

from array import array
from types import ModuleType
from typing import Any

import pytest
from made_pages import document
from uncompiled import both_forms

from ncfilters.features.columns import OWN

NAMES = ["segment_table", "shared_features", "segment_features"]
FORMS = [both_forms(f"ncfilters.features.{name}") for name in NAMES]


def features(forms: list[ModuleType], seed: int, block: int) -> Any:
    segment_table, shared_features, segment_features = forms
    table = segment_table.build_table(document(seed))
    shared = shared_features.SharedFeatures(table)
    shared.compute()
    found = segment_features.SegmentFeatures(table, shared)
    found.survey()
    out = array("f")
    for start in range(0, table.size, block):
        stop = min(start + block, table.size)
        part = array("f", bytes(4 * OWN * (stop - start)))
        found.fill(part, OWN, start, stop)
        out += part
    return bytes(out), bytes(shared.groups), bytes(shared.places), bytes(shared.page), bytes(table.numbers)


@pytest.mark.parametrize("seed", range(30))
def test_blocks_and_forms_give_the_same(seed: int) -> None:
    installed = [forms[-1] for forms in FORMS]
    expected = features(installed, seed, 10_000)
    for form in FORMS[-1]:
        assert features([*installed[:-1], form], seed, 7) == expected
    assert len(expected[0]) == 4 * OWN * len(document(seed))
