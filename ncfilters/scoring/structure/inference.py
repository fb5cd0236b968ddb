"""The network's forward pass for scoring: as `Network.forward`, with a third of the work and little memory.

    infer(layers, table).logits    # of each segment

Features that the segments of a path or of a kind share are multiplied once for all of them. The other features, layers
and windows take a block of segments at a time. So the memory for a page of any length is little more than its table.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

from ...features.schema import GROUP_COLUMNS, GROUP_KINDS, KINDS, NUMBERS, OF_GROUP, OF_PAGE, OF_PLACE, OWN, WEIGHT
from ...features.segment_features import SegmentFeatures
from ...features.segment_table import SegmentTable
from ...features.shared_features import SharedFeatures
from ...native import sums
from ...native.sums import zero_doubles, zero_floats
from .embeddings import fill_phrases, phrase_vectors
from .layers import CHARACTER_COLUMNS, HIDDEN, LEAST_WEIGHT, NAME, POOL_WINDOWS, POOLS, SECOND, SHARED, WORD, Layers

if TYPE_CHECKING:
    from .layers import Layers

# Segments that a layer takes at once, so that temporary arrays stay in the cache.
BLOCK_SEGMENTS = 1 << 9
CHARACTER_FEATURES = len(CHARACTER_COLUMNS)
# The features of a segment that the first layer reads with it: its own, its phrases, and those of its heading.
_WIDTH = OWN + 2 * WORD

# A row: shared values times the weight of the segment, and the weight.
_ROW = SHARED + 1


class Inference:
    """For each segment (all floats, in rows) its normalised character features (*characters*), the output of the first
    layer (*hidden*), and its outputs (*logits*)."""

    def __init__(self, size: int, outputs: int) -> None:
        self.characters: Any = zero_floats(CHARACTER_FEATURES * size)
        self.hidden: Any = zero_floats(HIDDEN * size)
        self.logits: Any = zero_floats(outputs * size)


def infer(layers: Layers, table: SegmentTable) -> Inference:
    """The outputs of the network for segments."""
    out = Inference(table.size, layers.outputs)
    if table.size:
        shared = SharedFeatures(table)
        shared.compute()
        _first_layer(layers, table, shared, out)
        _second_layer(layers, table, shared, out)
    return out


def _first_layer(layers: Layers, table: SegmentTable, shared: SharedFeatures, out: Inference) -> None:
    features = SegmentFeatures(table, shared)
    features.survey()
    places = _of_places(layers, table, shared)
    kinds = array("d")
    for kind in table.kinds:
        kinds.extend(layers.of_kind(kind))
    words = phrase_vectors(table, layers.phrases, layers.words, WORD) if layers.phrases else None
    characters, hidden = memoryview(out.characters), memoryview(out.hidden)
    for start in range(0, table.size, BLOCK_SEGMENTS):
        stop = min(start + BLOCK_SEGMENTS, table.size)
        values, rows = zero_floats(_WIDTH * (stop - start)), zero_doubles(HIDDEN * (stop - start))
        features.fill(values, _WIDTH, start, stop)
        if words is not None:
            fill_phrases(values, _WIDTH, OWN, words, WORD, table, start)
        sums.add_rows(rows, places, table.places.place, start, 1, HIDDEN)
        sums.add_rows(rows, kinds, table.kind, start, 1, HIDDEN)
        sums.add_floats(rows, values, _WIDTH, layers.own, HIDDEN, layers.own_low, layers.own_high)
        sums.rectify(hidden[start * HIDDEN : stop * HIDDEN], rows)
        sums.normalize(
            characters[start * CHARACTER_FEATURES : stop * CHARACTER_FEATURES],
            values,
            _WIDTH,
            layers.own_low,
            layers.own_high,
            layers.character_means,
            layers.character_scales,
        )


def _of_places(layers: Layers, table: SegmentTable, shared: SharedFeatures) -> Any:
    """What the segments of each place share of the first layer."""
    tree = table.places
    common = array("d", layers.bias)
    weights, low, high = layers.page
    sums.add_floats(common, shared.page, OF_PAGE, weights, HIDDEN, low, high)
    sums.add_doubles(common, layers.names.of_head(table.head), NAME, layers.of_names, HIDDEN)
    out = common * len(tree.nodes)
    weights, low, high = layers.places
    sums.add_floats(out, shared.places, OF_PLACE, weights, HIDDEN, low, high)
    of_nodes = zero_doubles(NAME * len(tree.nodes))
    sums.add_rows(of_nodes, layers.names.of_nodes(tree.elements), array("i", tree.nodes), 0, 1, NAME)
    sums.add_doubles(out, of_nodes, NAME, layers.of_names, HIDDEN)
    features = memoryview(shared.groups)
    groups = zero_doubles(HIDDEN * len(tree.members))
    rows = memoryview(groups)
    for kind in range(len(GROUP_COLUMNS)):
        first, last = tree.starts[kind], tree.starts[kind + 1]
        weights, low, high = layers.groups[kind]
        own = features[first * OF_GROUP : last * OF_GROUP]
        sums.add_floats(rows[first * HIDDEN : last * HIDDEN], own, OF_GROUP, weights, HIDDEN, low, high)
    for kind in range(KINDS):
        sums.add_rows(out, groups, tree.groups, kind, KINDS, HIDDEN)
    return out


def _second_layer(layers: Layers, table: SegmentTable, shared: SharedFeatures, out: Inference) -> None:
    of_places, totals = pool(layers, table, shared, out.hidden)
    hidden, logits = memoryview(out.hidden), memoryview(out.logits)
    width = 2 * len(POOL_WINDOWS) * SHARED
    for start in range(0, table.size, BLOCK_SEGMENTS):
        stop = min(start + BLOCK_SEGMENTS, table.size)
        rows, means = zero_doubles(SECOND * (stop - start)), zero_doubles(width * (stop - start))
        sums.add_rows(rows, of_places, table.places.place, start, 1, SECOND)
        sums.add_floats(rows, hidden[start * HIDDEN : stop * HIDDEN], HIDDEN, layers.second, SECOND)
        sums.window_means(means, totals, SHARED, POOL_WINDOWS, start, stop, LEAST_WEIGHT)
        sums.add_doubles(rows, means, width, layers.windows, SECOND)
        last = array("d", layers.last_bias) * (stop - start)
        sums.add_positive(last, rows, SECOND, layers.last, layers.last_width)
        sums.to_floats(logits[start * layers.outputs : stop * layers.outputs], layers.outputs, last, layers.last_width)


def pool(layers: Layers, table: SegmentTable, shared: SharedFeatures, hidden: Any) -> tuple[Any, Any]:
    """What the averages over groups and over the page add to the second layer, for each place (doubles, rows); and
    the sums of values up to each segment (see `sums.window_means`)."""
    tree = table.places
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
