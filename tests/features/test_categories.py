"""The categories of segments: those of the schema, without numpy."""

from __future__ import annotations

import subprocess
import sys

from ncfilters.features.categories import CATEGORIES, GROUP_KINDS, OTHER, STEPS_UP


def test_every_field_but_the_type_has_a_category_for_other_values() -> None:
    assert {field: names[-1] == OTHER for field, names in CATEGORIES.items()} == {
        field: field != "type" for field in CATEGORIES
    }
    assert all(len(set(names)) == len(names) for names in CATEGORIES.values())


def test_groups_are_those_of_ancestors_and_of_paths_that_look_alike() -> None:
    assert (*(f"up{steps}" for steps in STEPS_UP), "sig", "sig2") == GROUP_KINDS


def test_the_schema_needs_no_numpy() -> None:
    program = "import sys; import ncfilters.features.schema; assert 'numpy' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0
