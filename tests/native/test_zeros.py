"""Arrays of zeros."""

from __future__ import annotations

from array import array
from types import ModuleType

import pytest
from uncompiled import both_forms

FORMS = pytest.mark.parametrize("form", both_forms("ncfilters.native.zeros"), ids=lambda form: form.__name__)


@FORMS
@pytest.mark.parametrize("count", [0, 1, 10000])
def test_arrays_of_zeros(form: ModuleType, count: int) -> None:
    assert form.zero_floats(count) == array("f", [0.0] * count)
    assert form.zero_doubles(count) == array("d", [0.0] * count)
    assert form.zero_ints(count) == array("i", [0] * count)
    assert [form.zero_floats(1).typecode, form.zero_doubles(1).typecode, form.zero_ints(1).typecode] == ["f", "d", "i"]
