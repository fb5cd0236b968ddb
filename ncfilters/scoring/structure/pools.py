"""The averages over the surroundings of segments that the second layer of the network reads.

of_places, totals = pool(layers, table, shared, hidden)
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

from ...features.categories import GROUP_KINDS
from ...features.columns import KINDS, NUMBERS, WEIGHT
from ...features.segment_table import SegmentTable
from ...features.shared_features import SharedFeatures
from ...native import sums
from ...native.sums import zero_doubles
from .shapes import HIDDEN, LEAST_WEIGHT, POOLS, SECOND, SHARED

if TYPE_CHECKING:
    from .layers import Layers

# A row: shared values times the weight of the segment, and the weight.
_ROW = SHARED + 1


def pool(layers: Layers, table: SegmentTable, shared: SharedFeatures, hidden: Any) -> tuple[Any, Any]:
    """What the averages over groups and over the page add to the second layer, for each place (doubles, rows); and
    the sums of values up to each segment (see `sums.window_means`)."""
    tree = table.tree
    places = len(tree.nodes)
    values = weighted_values(layers, table, hidden)
    totals = zero_doubles(_ROW * (table.size + 1))
    sums.sum_up(totals, values, _ROW)
    of_places = zero_doubles(_ROW * places)
    sums.sum_rows(of_places, values, tree.place, 0, 1, _ROW)
    page = zero_doubles(SHARED)
    sums.mean_rows(page, totals[-_ROW:], SHARED, LEAST_WEIGHT)
    common = array("d", layers.second_bias)
    sums.add_doubles(common, page, SHARED, layers.pools[-1], SECOND)
    out = common * places
    groups = zero_doubles(_ROW * len(tree.members))
    for kind in range(KINDS):
        sums.sum_rows(groups, of_places, tree.groups, kind, KINDS, _ROW)
    means = zero_doubles(SHARED * len(tree.members))
    sums.mean_rows(means, groups, SHARED, LEAST_WEIGHT)
    added = zero_doubles(SECOND * len(tree.members))
    own, rows = memoryview(means), memoryview(added)
    for number, name in enumerate(POOLS[:-1]):
        kind = GROUP_KINDS.index(name)
        first, last = tree.starts[kind], tree.starts[kind + 1]
        part = rows[first * SECOND : last * SECOND]
        sums.add_doubles(part, own[first * SHARED : last * SHARED], SHARED, layers.pools[number], SECOND)
        sums.add_rows(out, added, tree.groups, kind, KINDS, SECOND)
    return out, totals


def weighted_values(layers: Layers, table: SegmentTable, hidden: Any) -> Any:
    """The values of each segment that are averaged, times its weight, and its weight."""
    values = zero_doubles(SHARED * table.size)
    sums.add_floats(values, hidden, HIDDEN, layers.shared, SHARED)
    out = zero_doubles(_ROW * table.size)
    sums.weigh(out, values, SHARED, table.numbers, WEIGHT, NUMBERS)
    return out
