"""Features of the segments of a page as a matrix of numpy, as training reads them; `schema` names the columns.

    table = build_table(ModelInput([{"text": "Home", "type": "l", "path": "body/nav/li", "tag": "li", "links": 4}]))
    feature_matrix(table)[:, NAMES.index("link_density")]    # [1.0]

All features are finite and bounded.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..native.sums import zero_floats
from .schema import (
    CATEGORIES,
    FAMILIES,
    FLAGS,
    GROUP_COLUMNS,
    KINDS,
    NAMES,
    OF_GROUP,
    OF_PLACE,
    OWN,
    OWN_COLUMNS,
    PAGE_COLUMNS,
    PLACE_COLUMNS,
)
from .segment_features import SegmentFeatures
from .segment_table import Kind, SegmentTable
from .shared_features import SharedFeatures

# The columns of flags, and the first one of each field of CATEGORIES.
_FLAG_COLUMNS = [NAMES.index(name) for name in FLAGS]
_FIELD_COLUMNS = [NAMES.index(next(iter(FAMILIES[field]))) for field in CATEGORIES]


def feature_matrix(table: SegmentTable) -> NDArray[np.float32]:
    """The features of segments (shape: segments, NAMES), in memory column by column."""
    size = len(table)
    columns = np.zeros((len(NAMES), size), np.float32)
    if size:
        shared = SharedFeatures(table)
        shared.compute()
        features = SegmentFeatures(table, shared)
        features.survey()
        own = zero_floats(OWN * size)
        features.fill(own, OWN, 0, size)
        columns[OWN_COLUMNS] = floats(own, OWN).T
        columns[PAGE_COLUMNS] = np.asarray(shared.page)[:, None]
        place = np.asarray(table.places.place)
        columns[PLACE_COLUMNS] = floats(shared.places, OF_PLACE)[place].T
        of_groups, groups = floats(shared.groups, OF_GROUP), segment_groups(table)
        for kind, numbers in enumerate(GROUP_COLUMNS):
            columns[numbers] = of_groups[groups[:, kind]].T
        for at, kind in enumerate(np.asarray(table.kind).tolist()):
            columns[kind_columns(table.kinds[kind]), at] = 1
    out: NDArray[np.float32] = columns.T
    return out


def kind_columns(kind: Kind) -> list[int]:
    """The columns that are 1 for a kind of segment."""
    categories, flags = kind
    return [
        *(column for column, flag in zip(_FLAG_COLUMNS, flags) if flag),
        *(first + code for first, code in zip(_FIELD_COLUMNS, categories) if code >= 0),
    ]


def segment_groups(table: SegmentTable) -> NDArray[np.int64]:
    """The groups of each segment, numbered through all kinds (shape: segments, GROUP_KINDS)."""
    groups = np.asarray(table.places.groups).reshape(-1, KINDS)
    out: NDArray[np.int64] = groups[np.asarray(table.places.place)].astype(np.int64)
    return out


def floats(buffer: Any, width: int) -> NDArray[np.float32]:
    """A buffer of floats as rows of this *width*."""
    return np.asarray(buffer).reshape(-1, width)
