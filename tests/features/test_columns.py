"""The columns of features."""

from __future__ import annotations

from ncfilters.features import columns
from ncfilters.features.categories import CATEGORIES, FLAGS
from ncfilters.features.schema import FAMILIES, NAMES


def test_each_feature_is_in_one_part() -> None:
    kinds = [NAMES.index(name) for family in ("flags", *CATEGORIES) for name in FAMILIES[family]]
    parts = [columns.OWN_COLUMNS, columns.PLACE_COLUMNS, columns.PAGE_COLUMNS, *columns.GROUP_COLUMNS, kinds]
    assert sorted(column for part in parts for column in part) == list(range(len(NAMES)))
    assert set(FLAGS) == set(FAMILIES["flags"])


def test_families_begin_where_they_should() -> None:
    names = [NAMES[column] for column in columns.OWN_COLUMNS]
    assert names[columns.POSITION] == "position" and names[columns.SINCE_FIRST] == "up0_first"
    assert names[columns.WINDOWS] == "before3_chars" and names[columns.BESIDE_MAIN] == "main_before"
    assert names[columns.HEAD] == "title_share" and names[columns.HEAD + columns.OF_TITLE] == "description_share"
