"""What filters of pages read: files of records, pages of HTML, folders of pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from ncfilters.errors import RecordError, UsageError
from ncfilters.streams.page_inputs import PageSource

PAGE = "<!DOCTYPE html><p>Café".encode("windows-1252")


def files(folder: Path) -> list[str]:
    (folder / "records.jsonl").write_text('{"id": "r"}\n{"id": "s"}\n')
    (folder / "page.html").write_bytes(PAGE)
    (folder / "mirror" / "sub").mkdir(parents=True)
    (folder / "mirror" / "sub" / "b.html").write_bytes(PAGE)
    (folder / "mirror" / "a.html").write_bytes(PAGE)
    (folder / "mirror" / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    return [str(folder / name) for name in ("records.jsonl", "page.html", "mirror")]


def test_records_pages_and_folders_are_read_in_order(tmp_path: Path) -> None:
    records = [item for item in PageSource(files(tmp_path), 1 << 20) if isinstance(item, dict)]
    assert [Path(str(record["id"])).name for record in records] == ["r", "s", "page.html", "a.html", "b.html"]
    assert [record["html"] for record in records[2:]] == ["<!DOCTYPE html><p>Café"] * 3


def test_other_files_of_folders_are_counted(tmp_path: Path) -> None:
    names = files(tmp_path)
    source = PageSource(names, 1 << 20)
    list(source)
    assert source.skipped == 1
    assert PageSource(names[:2], 1 << 20).skipped is None


def test_an_archive_in_a_folder_is_an_error_that_names_nc_warc(tmp_path: Path) -> None:
    (tmp_path / "crawl.warc").write_bytes(b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n")
    (item,) = PageSource([str(tmp_path)], 1 << 20)
    assert isinstance(item, RecordError)
    assert "nc-warc" in str(item)


def test_a_page_over_the_limit_is_an_error(tmp_path: Path) -> None:
    items = list(PageSource(files(tmp_path)[1:], 10))
    assert [isinstance(item, RecordError) for item in items] == [True] * 3


def test_a_missing_file_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="none.html"):
        list(PageSource([str(tmp_path / "none.html")], 1 << 20))
