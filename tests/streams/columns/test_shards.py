"""Shards of a size, and a manifest that says what is in them."""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed")

import pyarrow.parquet as pq

from ncfilters.errors import UsageError
from ncfilters.streams.columns.shards import ParquetShards

RANDOM = random.Random(3)
DOCUMENTS: list[dict[str, Any]] = [
    {"id": str(number), "text": RANDOM.randbytes(500).hex(), "models": ["en@1"]} for number in range(3000)
]
ERROR = {"id": "bad", "error": {"stage": "nc-segment", "message": "html: missing"}}


def written(folder: Path, shard_size: int) -> dict[str, Any]:
    sink = ParquetShards(str(folder), shard_size, {"ncfilters": "0", "options": {"markup": True}})
    for document in [*DOCUMENTS, ERROR]:
        sink.write(document)
    assert not (folder / "_manifest.json").exists()
    sink.close()
    manifest: dict[str, Any] = json.loads((folder / "_manifest.json").read_bytes())
    return manifest


def test_shards_have_about_the_size_and_all_documents_in_order(tmp_path: Path) -> None:
    manifest = written(tmp_path, 300_000)
    files = sorted(tmp_path.glob("part-*.parquet"))
    expected = [*(document["id"] for document in DOCUMENTS), "bad"]
    assert [row for file in files for row in pq.read_table(file, columns=["id"])["id"].to_pylist()] == expected
    assert pq.read_table(tmp_path, columns=["id"])["id"].to_pylist() == expected
    assert [shard["file"] for shard in manifest["shards"]] == [file.name for file in files]
    assert len(files) > 3
    assert all(300_000 <= shard["bytes"] < 500_000 for shard in manifest["shards"][:-1])


def test_the_manifest_says_what_there_is(tmp_path: Path) -> None:
    manifest = written(tmp_path, 300_000)
    for shard in manifest["shards"]:
        data = (tmp_path / shard["file"]).read_bytes()
        assert (shard["bytes"], shard["sha256"]) == (len(data), hashlib.sha256(data).hexdigest())
        assert pq.ParquetFile(tmp_path / shard["file"]).metadata.num_rows == shard["documents"] + shard["errors"]
    assert (manifest["documents"], manifest["errors"]) == (3000, 1)
    assert manifest["scored"] == {"en@1": 3000}
    assert manifest["options"] == {"markup": True}
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        ["_manifest.json", *(shard["file"] for shard in manifest["shards"])]
    )


def test_an_interrupted_run_has_no_manifest(tmp_path: Path) -> None:
    sink = ParquetShards(str(tmp_path), 300_000, {})
    for document in DOCUMENTS[:1500]:
        sink.write(document)
    sink.discard()
    complete = sorted(tmp_path.iterdir())
    assert complete and all(pq.read_table(file).num_rows for file in complete)


def test_shards_of_an_earlier_run_are_not_mixed_with_new_ones(tmp_path: Path) -> None:
    written(tmp_path, 1 << 30)
    with pytest.raises(UsageError, match="has shards of an earlier run"):
        written(tmp_path, 1 << 30)
