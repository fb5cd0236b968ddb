"""The network of a structure model for scoring: as `Network.forward`, with a third of the work and little memory.

    layers = Layers(names, phrases, outputs, arrays)
    infer(layers, table).logits    # of each segment

The weights are arranged by what segments share: features that the segments of a path or of a kind share are multiplied
once for all of them. Instead of features, their bounds and weights are normalised: (x - mean) scale w = x (scale w) -
mean scale w. The other features, layers and windows take a block of segments at a time, so the memory for a page of any
length is little more than its table. All sums are in double precision.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from itertools import chain
from math import inf
from typing import Any

from ...features.phrase_vocabulary import PhraseIndex
from ...features.schema import (
    CATEGORIES,
    FAMILIES,
    FLAGS,
    GROUP_COLUMNS,
    GROUP_KINDS,
    KINDS,
    NAMES,
    NUMBERS,
    OF_GROUP,
    OF_PAGE,
    OF_PLACE,
    OWN,
    OWN_COLUMNS,
    PAGE_COLUMNS,
    PLACE_COLUMNS,
    WEIGHT,
)
from ...features.segment_features import SegmentFeatures
from ...features.segment_table import SegmentTable
from ...features.shared_features import SharedFeatures
from ...native import sums
from ...native.sums import zero_doubles, zero_floats
from .embeddings import StepEmbeddings, fill_phrases, phrase_vectors

# A kind of segment as `SegmentTable.kinds` has it.
Kind = tuple[tuple[int, ...], tuple[bool, ...]]
CHARACTER_COLUMNS = [NAMES.index(name) for name in FAMILIES["characters"]]
_FLAG_COLUMNS = [NAMES.index(name) for name in FLAGS]
_FIELD_COLUMNS = [NAMES.index(next(iter(FAMILIES[field]))) for field in CATEGORIES]
_KIND_COLUMNS = [*_FLAG_COLUMNS, *(NAMES.index(name) for field in CATEGORIES for name in FAMILIES[field])]
_ARRAYS = "names words first first_bias shared second second_bias last last_bias means scales".split()
# Rows of the last layer are padded to a multiple of this width, for which sums are compiled.
OUTPUT_MULTIPLE = 16
# Kinds of segments whose sums are remembered.
_MAX_KNOWN = 1 << 12

# Averages are taken over groups (see `schema.GROUP_KINDS`) and the document; and over windows of so many segments
# before and after.
POOLS = ("up1", "up2", "up3", "up4", "sig", "sig2", "document")
POOL_WINDOWS = (3, 10)
AVERAGES = len(POOLS) + 2 * len(POOL_WINDOWS)
# Widths: the first layer, its projection that is averaged, the second layer, the embeddings of names and of phrases.
HIDDEN, SHARED, SECOND, NAME, WORD = 32, 8, 32, 4, 4
# Features are standard deviations from the mean, at most so many.
MAX_DEVIATION = 4.0
# Sums of weights count as at least this.
LEAST_WEIGHT = 1e-6

# Segments that a layer takes at once, so that temporary arrays stay in the cache.
BLOCK_SEGMENTS = 1 << 9
CHARACTER_FEATURES = len(CHARACTER_COLUMNS)
# The features of a segment that the first layer reads with it: its own, its phrases, and those of its heading.
_WIDTH = OWN + 2 * WORD
# A row: shared values times the weight of the segment, and the weight.
_ROW = SHARED + 1


class Layers:
    """The weights of the network.

    *arrays*: the weights by name, and the `means` and `scales` of features; buffers of floats that must not change any
    more. *outputs*: how many there are. Raises KeyError for arrays that are missing.
    """

    def __init__(
        self, names: Mapping[str, int], phrases: Mapping[str, int], outputs: int, arrays: Mapping[str, Any]
    ) -> None:
        self.outputs = outputs
        floats = {name: arrays[name] for name in _ARRAYS}
        self._means, self._scales = floats["means"], floats["scales"]
        self._set_bounds()
        self.names = StepEmbeddings(names, floats["names"], NAME)
        self.phrases = PhraseIndex(phrases) if phrases else None
        self.words = floats["words"]
        first = array("d", floats["first"])
        self._set_first(first, floats["first_bias"])
        self.shared = array("d", floats["shared"])
        second = array("d", floats["second"])
        self.second_bias = array("d", floats["second_bias"])
        self.second, pools, self.windows = _parts(second, SECOND, [HIDDEN, SHARED * len(POOLS)])
        self.pools = _parts(pools, SECOND, [SHARED] * (len(POOLS) - 1))
        self.last_width = outputs + -outputs % OUTPUT_MULTIPLE
        self.last = _padded(floats["last"], outputs, self.last_width)
        self.last_bias = _padded(floats["last_bias"], outputs, self.last_width)
        self._kinds: dict[Kind, Any] = {}

    def _set_bounds(self) -> None:
        """The bounds of features, in single precision."""
        reach = array("f", [MAX_DEVIATION / scale if scale > 0 else inf for scale in self._scales])
        self._low = array("f", [mean - far for mean, far in zip(self._means, reach)])
        self._high = array("f", [mean + far for mean, far in zip(self._means, reach)])

    def _set_first(self, first: Any, bias: Any) -> None:
        """The weights of the first layer, by the features that segments share."""
        columns = len(NAMES)
        means, scales = self._means, self._scales
        self._scaled = array("d")
        for column in range(columns):
            scale = scales[column]
            self._scaled.extend([scale * weight for weight in first[column * HIDDEN : (column + 1) * HIDDEN]])
        _, self.of_names, of_phrases = _parts(first, HIDDEN, [columns, NAME])
        self.bias = array("d", bias)
        for column in range(columns):
            self._add(self.bias, column, -means[column])
        for column in _KIND_COLUMNS:
            self._add(self.bias, column, self._bounded(column, 0.0))
        self.own, self.own_low, self.own_high = self._of_columns(OWN_COLUMNS)
        self.own.extend(of_phrases)
        self.own_low.extend([-inf] * 2 * WORD)
        self.own_high.extend([inf] * 2 * WORD)
        self.groups = [self._of_columns(columns) for columns in GROUP_COLUMNS]
        self.places, self.page = self._of_columns(PLACE_COLUMNS), self._of_columns(PAGE_COLUMNS)
        self.character_means = array("f", [means[column] for column in CHARACTER_COLUMNS])
        self.character_scales = array("f", [scales[column] for column in CHARACTER_COLUMNS])

    def _bounded(self, column: int, value: float) -> float:
        bounded: float = min(max(value, self._low[column]), self._high[column])
        return bounded

    def _add(self, out: Any, column: int, value: float) -> None:
        """Adds the weights of a feature times a value."""
        weights = memoryview(self._scaled)[column * HIDDEN : (column + 1) * HIDDEN]
        sums.add_doubles(out, array("d", [value]), 1, weights, HIDDEN)

    def _of_columns(self, columns: Sequence[int]) -> tuple[Any, Any, Any]:
        """The weights of features, and the bounds of these."""
        rows = [self._scaled[column * HIDDEN : (column + 1) * HIDDEN] for column in columns]
        weights = array("d", chain.from_iterable(rows))
        return weights, array("f", [self._low[at] for at in columns]), array("f", [self._high[at] for at in columns])

    def of_kind(self, kind: Kind) -> Any:
        """What a kind of segment adds to the first layer."""
        added = self._kinds.get(kind)
        if added is None:
            categories, flags = kind
            added = zero_doubles(HIDDEN)
            ones = [column for column, flag in zip(_FLAG_COLUMNS, flags) if flag]
            ones += [first + code for first, code in zip(_FIELD_COLUMNS, categories) if code >= 0]
            for column in ones:
                self._add(added, column, self._bounded(column, 1.0) - self._bounded(column, 0.0))
            if len(self._kinds) >= _MAX_KNOWN:
                self._kinds.clear()
            self._kinds[kind] = added
        return added


def _parts(rows: Any, width: int, sizes: Sequence[int]) -> list[Any]:
    """Parts of so many rows, and the rest."""
    out, at = [], 0
    for size in sizes:
        out.append(rows[at : at + size * width])
        at += size * width
    return [*out, rows[at:]]


def _padded(rows: Any, width: int, padded: int) -> Any:
    """Rows of this *width*, with zeros after each (doubles)."""
    out = array("d")
    for start in range(0, len(rows), width):
        out.extend(rows[start : start + width].tolist())
        out.extend([0.0] * (padded - width))
    return out


def array_shapes(columns: int, names: int, phrases: int, outputs: int) -> dict[str, tuple[int, ...]]:
    """The shapes of the weights for these numbers of features, names, phrases and outputs."""
    return {
        "names": (names, NAME),
        "words": (phrases, WORD),
        "first": (columns + NAME + 2 * WORD, HIDDEN),
        "first_bias": (HIDDEN,),
        "shared": (HIDDEN, SHARED),
        "second": (HIDDEN + SHARED * AVERAGES, SECOND),
        "second_bias": (SECOND,),
        "last": (SECOND, outputs),
        "last_bias": (outputs,),
    }


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
