"""Numbers of pairs of integers."""

from __future__ import annotations

import random
from types import ModuleType

import pytest
from uncompiled import both_forms

FORMS = pytest.mark.parametrize("form", both_forms("ncfilters.native.pair_numbers"), ids=lambda form: form.__name__)


@FORMS
def test_pairs_are_numbered_in_order_of_appearance(form: ModuleType) -> None:
    numbers = form.PairNumbers()
    assert [numbers.add(*pair) for pair in [(7, 1), (-1, 2), (7, 1), (1, 7), (-1, 2)]] == [0, 1, 0, 2, 1]
    assert numbers.size == 3


@FORMS
def test_a_pair_that_is_not_there_is_not_added(form: ModuleType) -> None:
    numbers = form.PairNumbers()
    assert numbers.find(0, 0) == -1 and numbers.size == 0
    numbers.add(0, 0)
    assert numbers.find(0, 0) == 0 and numbers.find(0, -1) == numbers.find(-1, 0) == -1


@FORMS
def test_many_pairs(form: ModuleType) -> None:
    rnd = random.Random(1)
    pairs = [(rnd.choice([-1, 0, 1, 2**31 - 1]), rnd.randrange(-2000, 2000)) for _ in range(20000)]
    numbers, known = form.PairNumbers(), {}
    for pair in pairs:
        assert numbers.add(*pair) == known.setdefault(pair, len(known))
    assert numbers.size == len(known) and all(numbers.find(*pair) == at for pair, at in known.items())
