"""Duplicates on Spark: the documents that nc-dedup --prefer keeps."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed")
pytest.importorskip("pyarrow", reason="pyarrow is not installed")

import pyarrow as pa
from corpus.finders import KINDS, state_of

from bench.dedup import made_documents
from ncfilters.corpus.deduplication import TwoPass
from ncfilters.spark import deduplication
from ncfilters.spark.deduplication import Dedup, FeatureColumns, components, duplicate_keys, with_features, without

pytestmark = pytest.mark.slow


@pytest.fixture
def checkpoints(spark: Any, tmp_path: Path) -> Any:
    spark.sparkContext.setCheckpointDir(str(tmp_path))
    return spark


def kept_by_nc_dedup(documents: list[dict[str, Any]], dedup: Dedup) -> set[str]:
    state = state_of(dedup.kind)
    passes = TwoPass(KINDS[dedup.kind](state), state, dedup.prefer)
    passes.collect(documents)
    passes.decide()
    return {one["id"] for one, verdict in zip(documents, passes.find(documents)) if not verdict.is_duplicate}


@pytest.mark.parametrize("dedup", [Dedup("exact"), Dedup("near", "longest")])
def test_the_kept_documents_are_those_of_nc_dedup(dedup: Dedup, checkpoints: Any) -> None:
    documents = made_documents(200, 11)
    random.Random(1).shuffle(documents)
    given: list[dict[str, Any]] = [*documents, {"id": "e", "error": {"stage": "nc-segment", "message": "x"}}]
    columns = FeatureColumns(dedup, 5)
    for record in given:
        columns.add(record)
    plain = pa.RecordBatch.from_pydict({"value": [record["id"] for record in given]})
    batch = columns.joined(plain)
    assert batch.schema == with_features(plain.schema)
    rows = checkpoints.createDataFrame(pa.Table.from_batches([batch])).repartition(3)
    left = {row.value for row in without(rows, duplicate_keys(rows, dedup)).collect()}
    assert left == kept_by_nc_dedup(documents, dedup) | {"e"}
    assert len(left) < 196


def test_components(checkpoints: Any) -> None:
    chain = [(number, number + 1) for number in range(40, 48)]
    star, pair = [(7, 9), (8, 9), (9, 30)], [(1, 2)]
    edges = checkpoints.createDataFrame([*chain, *star, *pair], "a long, b long")
    found: dict[int, set[int]] = {}
    for row in components(edges).collect():
        found.setdefault(row.component, set()).add(row.node)
    assert found == {40: set(range(40, 49)), 7: {7, 8, 9, 30}, 1: {1, 2}}


def test_a_component_is_decided_by_preference_name_and_content() -> None:
    # 1 is preferred, and like 2; 2 is like 3; 3 is like 4
    rows = {"head": [1, 2, 3], "key": [2, 3, 4], "preference": [5.0, 4.0, 4.0], "name": ["b", "c", "d"]}
    table = pa.table({**rows, "content": [b"", b"", b""]})
    assert deduplication._decided(table).column("key").to_pylist() == [2, 4]
