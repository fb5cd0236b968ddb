"""Duplicates on Spark: documents that `nc-dedup --prefer` keeps, of all executors.

duplicates = duplicate_keys(rows_with_features, Dedup("near", "longest"))
rows = without(rows_with_features, duplicates)

Executors compute the features of documents. Documents that share a band of their MinHash signatures are compared. Then
similar documents are put into components by alternating stars (Kiveris et al. 2014, section 3), and each component is
decided on as nc-dedup does: by preference, name and content.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import Any, Literal, NamedTuple

import numpy as np
import pyarrow as pa

from ..corpus import duplicates, ngram_duplicates
from ..corpus.deduplication import Preference, preference_of
from ..corpus.ngram_duplicates import THRESHOLD, best_bands, similarity
from ..record import Record, is_error

# A column for each feature of a document; `key` is its number among all of them. Errors have none but that.
KEY, PREFERENCE, NAME, CONTENT = "key", "preference", "name", "content"
FIELDS: list[Any] = [
    pa.field(KEY, pa.int64()),
    pa.field(PREFERENCE, pa.float64()),
    pa.field(NAME, pa.string()),
    pa.field(CONTENT, pa.binary()),
]
# Documents of a task, at most.
_TASK_BITS = 36
_ORDER = (PREFERENCE, NAME, CONTENT, KEY)


class Dedup(NamedTuple):
    """The kind of duplicates, and which of several is kept."""

    kind: Literal["exact", "near"]
    prefer: Preference = "first"


def with_features(schema: Any) -> Any:
    """The schema of rows with features (`pyarrow.Schema`)."""
    return reduce(lambda some, field: some.append(field), FIELDS, schema)


class FeatureColumns:
    """The features of the documents of a task, whose number begins their keys."""

    def __init__(self, dedup: Dedup, task: int) -> None:
        self._dedup, self._next = dedup, task << _TASK_BITS
        self._records: list[Record] = []

    def add(self, record: Record) -> None:
        """Adds a record that is written."""
        self._records.append(record)

    def joined(self, batch: Any) -> Any:
        """The batch of the records since the last time with their features."""
        records, self._records = self._records, []
        good = [record for record in records if not is_error(record)]
        of_kind = duplicates.exact_features if self._dedup.kind == "exact" else ngram_duplicates.near_features
        found = dict(zip(map(id, good), of_kind(good)))
        rows = []
        for record in records:
            name, content = found.get(id(record), (None, None))
            preference = preference_of(record, self._dedup.prefer) if content is not None else None
            rows.append((self._next, preference, name, content))
            self._next += 1
        arrays = [pa.array([row[place] for row in rows], field.type) for place, field in enumerate(FIELDS)]
        return pa.RecordBatch.from_arrays([*batch.columns, *arrays], schema=with_features(batch.schema))


def duplicate_keys(rows: Any, dedup: Dedup) -> Any:
    """The keys of documents that are duplicates. The session needs a folder for checkpoints."""
    from pyspark.sql import functions as f  # only where Spark runs

    documents = rows.select(*_ORDER).where(f.col(CONTENT).isNotNull())
    duplicates = documents.withColumn("rank", _ranked(CONTENT)).where("rank > 1").select(KEY)
    if dedup.kind == "near":
        duplicates = duplicates.union(_similar(documents.join(duplicates, KEY, "left_anti")))
    return duplicates


def without(rows: Any, duplicates: Any) -> Any:
    """The rows without duplicates and without features."""
    return rows.join(duplicates, KEY, "left_anti").drop(*_ORDER)


def _ranked(over: str) -> Any:
    """The rank of a document among those of a group."""
    from pyspark.sql import Window  # only where Spark runs
    from pyspark.sql import functions as f

    return f.row_number().over(Window.partitionBy(over).orderBy(f.col(PREFERENCE).desc(), NAME, CONTENT, KEY))


# ---- near duplicates -----------------------------------------------------------------------------------------


def _similar(documents: Any) -> Any:
    """The keys of documents that are similar to a kept one. All contents differ."""
    from pyspark.sql import functions as f  # only where Spark runs

    bands = documents.mapInArrow(_bands, "band long, key long, preference double, name string, content binary")
    ranked = bands.withColumn("rank", _ranked("band")).select("band", KEY, "rank")
    # the first documents of a band are compared with all later ones, as nc-dedup does
    heads = ranked.where(f.col("rank") <= ngram_duplicates.MAX_IN_BAND).select(
        "band", f.col(KEY).alias("head"), f.col("rank").alias("head_rank")
    )
    pairs = heads.join(ranked, "band").where("head_rank < rank").select("head", KEY).distinct()
    contents = documents.select(f.col(KEY).alias("head"), f.col(CONTENT).alias("head_content"))
    both = pairs.join(contents, "head").join(documents.select(KEY, CONTENT), KEY)
    edges = both.mapInArrow(_verified, "head long, key long").checkpoint()
    component = components(edges.selectExpr("head as a", "key as b"))
    order = documents.select(KEY, PREFERENCE, NAME, CONTENT)
    members = edges.join(component.selectExpr("node as key", "component"), KEY).join(order, KEY)
    return members.groupBy("component").applyInArrow(_decided, "key long")


def _bands(batches: Iterator[Any]) -> Iterator[Any]:
    bands = best_bands(THRESHOLD)
    for batch in batches:
        keys = bands.of([np.frombuffer(content, np.uint32) for content in batch.column(CONTENT).to_pylist()])
        places = pa.array(np.repeat(np.arange(batch.num_rows), bands.count))
        columns = [batch.column(name).take(places) for name in (KEY, PREFERENCE, NAME, CONTENT)]
        yield pa.RecordBatch.from_arrays(
            [pa.array(keys.ravel()), *columns], names=["band", KEY, PREFERENCE, NAME, CONTENT]
        )


def _verified(batches: Iterator[Any]) -> Iterator[Any]:
    for batch in batches:
        pairs = zip(batch.column("head_content").to_pylist(), batch.column(CONTENT).to_pylist())
        good = [
            similarity(np.frombuffer(one, np.uint32), np.frombuffer(other, np.uint32)) >= THRESHOLD
            for one, other in pairs
        ]
        yield batch.select(["head", KEY]).filter(pa.array(good, pa.bool_()))


def _decided(table: Any) -> Any:
    """The keys of duplicates in a component: its pairs, in each of which `head` is preferred to `key`."""
    earlier: dict[int, list[int]] = {}
    for head, key in zip(table.column("head").to_pylist(), table.column(KEY).to_pylist()):
        earlier.setdefault(key, []).append(head)
    order = zip(*(table.column(name).to_pylist() for name in _ORDER))
    kept: dict[int, bool] = {}
    for *_, key in sorted(set(order), key=lambda row: (-row[0], row[1].encode(), row[2])):
        # a document that is in no pair as `key` is kept
        kept[key] = not any(kept.get(head, True) for head in earlier[key])
    return pa.table({KEY: pa.array([key for key, is_kept in kept.items() if not is_kept], pa.int64())})


def components(edges: Any) -> Any:
    """The component of each node of a graph, by its least node. *edges* are pairs `a` and `b`."""
    stars, before = edges.selectExpr("greatest(a, b) as a", "least(a, b) as b"), None
    while True:
        stars = _small_star(_large_star(stars)).checkpoint()
        now = stars.selectExpr("count(*)", "sum(hash(a, b))").first()
        if now == before:
            return stars.selectExpr("a as node", "b as component").union(stars.selectExpr("b", "b")).distinct()
        before = now


def _large_star(edges: Any) -> Any:
    """Larger neighbours of each node, with the least of its neighbours and itself."""
    both = edges.union(edges.selectExpr("b as a", "a as b"))
    least = both.groupBy("a").agg({"b": "min"}).selectExpr("a", "least(a, `min(b)`) as least")
    return both.where("b > a").join(least, "a").selectExpr("b as a", "least as b").where("a <> b").distinct()


def _small_star(edges: Any) -> Any:
    """Smaller neighbours of each node and itself, with the least of them."""
    least = edges.groupBy("a").agg({"b": "min"}).selectExpr("a", "`min(b)` as least")
    smaller = edges.join(least, "a").selectExpr("b as a", "least as b")
    return smaller.union(least.selectExpr("a", "least as b")).where("a <> b").distinct()
