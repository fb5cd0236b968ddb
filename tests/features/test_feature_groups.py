"""Feature groups: each column is in one group."""

from __future__ import annotations

from ncfilters.features.feature_groups import GROUP_FAMILIES, GROUPS, left_out_columns
from ncfilters.features.schema import FAMILIES, NAMES


def test_each_family_is_in_one_group() -> None:
    families = [family for group in GROUP_FAMILIES.values() for family in group]
    assert sorted(families) == sorted(FAMILIES)
    assert set(GROUP_FAMILIES) < set(GROUPS)


def test_the_columns_of_a_group_are_left_out() -> None:
    flags = dict(zip(NAMES, left_out_columns(("position", "page"), NAMES)))
    assert flags["index"] and flags["repeats_short"] and flags["page_n"] and not flags["chars"]
    assert sum(flags.values()) == sum(len(FAMILIES[family]) for family in ("position", "repeats", "page"))


def test_groups_without_columns_leave_out_no_column() -> None:
    assert not any(left_out_columns(("names", "words", "around", "fragments", "portals"), NAMES))
