"""All splits together have the items of the file, each once, whatever their size."""

from __future__ import annotations

import gzip
import io
import random
from pathlib import Path

import pytest
from archives import archived, http, zstd

from ncfilters.spark.split_source import split_items
from ncfilters.spark.splits import InputFile, tasks
from ncfilters.streams.html_pages import PageSelection

SELECTION = PageSelection(1 << 20)
RANDOM = random.Random(11)
RECORDS = [
    archived(number, http("<p>" + RANDOM.randbytes(RANDOM.choice([10, 300, 3000])).hex())) for number in range(150)
]
ARCHIVE = b"".join(map(gzip.compress, RECORDS))
LINES = b"\n".join(b'{"id": %d, "html": "<p>%s"}' % (number, b"x" * RANDOM.randrange(200)) for number in range(400))
FILES = {
    "members": ARCHIVE,
    "one member": gzip.compress(b"".join(RECORDS)),
    "not compressed": b"".join(RECORDS),
    "zstd": zstd(b"".join(RECORDS[:20])),
    "truncated": ARCHIVE[:-700],
    "damaged": ARCHIVE[:9000] + b"no gzip" + ARCHIVE[9100:],
    "blank members": gzip.compress(b"") + ARCHIVE[: len(gzip.compress(RECORDS[0]))] + gzip.compress(b"\r\n") + ARCHIVE,
    "lines": LINES,
    "broken lines": LINES.replace(b'{"id": 33', b"{'id': 33"),
    "long lines": LINES + b'\n{"html": "' + b"y" * 30_000 + b'"}\n{"id": 7}\n',
    "packed lines": gzip.compress(LINES),
    "page": b"<p>A page",
    "nothing": b"",
}


def items(data: bytes, split_size: int) -> list[str]:
    out = []
    for task in tasks([InputFile("file", len(data))], split_size):
        for split in task:
            for item, size in split_items(io.BytesIO(data), "file", split, len(data), SELECTION):
                assert size > 0
                out.append(f"{item.tool} {item.record(1 << 20)}")
    return out


@pytest.mark.parametrize("name", FILES)
def test_splits_have_the_items_of_the_file(name: str) -> None:
    data = FILES[name]
    whole = items(data, len(data) + 1)
    assert whole or not data
    for split_size in (len(data) // 2 + 1, len(data) // 7 + 1, max(len(data) // 60, 500)):
        assert items(data, split_size) == whole


def test_parquet_is_split_at_row_groups(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    import pyarrow.parquet as pq

    ids = [f"{number}" for number in range(100)]
    pq.write_table(pa.table({"id": ids}), tmp_path / "a.parquet", row_group_size=9)
    data = (tmp_path / "a.parquet").read_bytes()
    for split_size in (len(data) + 1, len(data) // 3, 100):
        assert items(data, split_size) == [f"nc-segment {{'id': '{name}'}}" for name in ids]
