"""Files of paths, folders, patterns and URIs."""

from __future__ import annotations

from pathlib import Path

import pytest
from archives import write

from ncfilters.errors import UsageError
from ncfilters.spark.storage import InputFile, listed, opened


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    files = {
        "a.jsonl": b"{}",
        "b/2.warc": b"22",
        "b/1.warc": b"1",
        "b/_SUCCESS": b"",
        "b/.crc": b"x",
        "c d.jsonl": b"333",
    }
    return write(tmp_path, files) or tmp_path


def names(files: list[InputFile], below: Path) -> list[tuple[str, int]]:
    return [(file.path.rpartition(f"{below}/")[2], file.size) for file in files]


@pytest.mark.parametrize("scheme", ["", "file:", "file://"])
def test_files_folders_and_patterns(crawl: Path, scheme: str) -> None:
    def found(path: str) -> list[tuple[str, int]]:
        return names(listed([f"{scheme}{crawl}/{path}"]), crawl)

    assert found("a.jsonl") == [("a.jsonl", 2)]
    assert found("b") == [("b/1.warc", 1), ("b/2.warc", 2)]
    assert found("*.jsonl") == [("a.jsonl", 2), ("c d.jsonl", 3)]
    assert found("b/[2]*") == [("b/2.warc", 2)]


def test_files_are_opened_at_any_place(crawl: Path) -> None:
    with opened(f"{crawl}/c d.jsonl") as file:
        file.seek(1)
        assert file.read(5) == b"33"


@pytest.mark.parametrize("path", ["absent", "absent/*.warc.gz", "empty"])
def test_a_path_without_a_file_is_a_usage_error(tmp_path: Path, path: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match=path.replace("*", r"\*")):
        listed([str(tmp_path / path)])


def test_file_systems_of_pyarrow_are_read_likewise(crawl: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fs = pytest.importorskip("pyarrow.fs", reason="pyarrow is not installed")
    local = fs.SubTreeFileSystem(str(crawl), fs.LocalFileSystem())
    monkeypatch.setattr(fs, "S3FileSystem", lambda **_: local)
    assert listed(["s3a://b"]) == [InputFile("s3a://b/1.warc", 1), InputFile("s3a://b/2.warc", 2)]
    assert listed(["s3a://b/2.*"]) == [InputFile("s3a://b/2.warc", 2)]
    assert listed(["s3a://a.jsonl"]) == [InputFile("s3a://a.jsonl", 2)]
    with opened("s3a://b/2.warc") as file:
        file.seek(1)
        assert file.read(9) == b"2"
