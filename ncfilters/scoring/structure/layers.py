"""The weights of a structure model's network, as scoring reads them: by what segments share.

    layers = Layers(vocabularies, outputs, arrays)
    layers.own, layers.own_low, layers.own_high    # weights of the features of a segment, and the bounds of these

Instead of features, their bounds and weights are normalised: (x - mean) scale w = x (scale w) - mean scale w. All sums
are in double precision.
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
    NAMES,
    OWN_COLUMNS,
    PAGE_COLUMNS,
    PLACE_COLUMNS,
)
from ...native import sums
from ...native.sums import zero_doubles
from .embeddings import StepEmbeddings

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

# Averages are taken over groups (see `categories.GROUP_KINDS`) and the document; and over windows of so many segments
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
