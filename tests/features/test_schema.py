"""The schema: names of features are distinct and described."""

from __future__ import annotations

from ncfilters.features.schema import DESCRIPTIONS, FAMILIES, NAMES, SCRIPT_DEPENDENT


def test_names_are_distinct_and_described() -> None:
    assert len(set(NAMES)) == len(NAMES) == sum(map(len, FAMILIES.values()))
    assert set(DESCRIPTIONS) == set(NAMES)
    assert all(description and "\n" not in description for description in DESCRIPTIONS.values())


def test_features_that_depend_on_the_script_exist() -> None:
    assert set(NAMES) > SCRIPT_DEPENDENT
