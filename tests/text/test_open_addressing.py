"""Hash tables with open addressing."""

from __future__ import annotations

import numpy as np
import pytest

from ncfilters.text.open_addressing import OpenAddressingTable


@pytest.mark.parametrize("number", [0, 1, 7, 5000])
def test_all_keys_are_found_and_no_others(number: int) -> None:
    rng = np.random.default_rng(number)
    keys = np.unique(rng.integers(0, 1 << 62, 2 * number))
    inside, outside = keys[::2], keys[1::2]
    table = OpenAddressingTable(inside, inside.astype(np.float32))
    values, found = table.get(keys)
    assert found.tolist() == [at % 2 == 0 for at in range(len(keys))]
    assert values[::2].tolist() == inside.astype(np.float32).tolist()
    assert not table.get(outside)[1].any()


def test_keys_with_colliding_slots_are_found() -> None:
    keys = np.arange(0, 1 << 40, 1 << 30, dtype=np.int64)
    values, found = OpenAddressingTable(keys, np.arange(len(keys))).get(keys)
    assert found.all() and values.tolist() == list(range(len(keys)))
