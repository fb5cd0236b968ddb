"""A manifest says what is complete, whatever happened to the process that wrote it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ncfilters.errors import UsageError
from ncfilters.streams.manifest import Manifest

SETTINGS = {"ncfilters": "1", "options": {"model": ["en"]}, "models": {"en": "a"}}


def test_entries_are_found_again(tmp_path: Path) -> None:
    path = str(tmp_path / "m")
    with Manifest(path, SETTINGS) as manifest:
        assert manifest.entry("a") is None
        manifest.add({"output": "a", "bytes": 7})
    with Manifest(path, SETTINGS) as manifest:
        assert manifest.entry("a") == {"output": "a", "bytes": 7}
        manifest.add({"output": "a", "bytes": 8})
        manifest.add({"output": "b\n", "bytes": 9})
    with Manifest(path, SETTINGS) as manifest:
        assert manifest.entry("a") == {"output": "a", "bytes": 8}
        assert manifest.entry("b\n")


def test_it_may_be_cut_anywhere(tmp_path: Path) -> None:
    path = tmp_path / "m"
    with Manifest(str(path), SETTINGS) as manifest:
        for name in "ab":
            manifest.add({"output": name})
    whole = path.read_bytes()
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        with Manifest(str(path), SETTINGS) as manifest:
            complete = [name for name in "ab" if manifest.entry(name)]
            assert complete == ["a", "b"][: max(whole[:size].count(b"\n") - 1, 0)]
            manifest.add({"output": "c"})
        assert [json.loads(line).get("output") for line in path.read_bytes().splitlines()] == [None, *complete, "c"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({**SETTINGS, "options": {"model": ["xx"]}}, r'\(options.model: \["en"\] before, \["xx"\] now\)'),
        ({**SETTINGS, "options": {}}, r'options.model: \["en"\] before, default now'),
        ({**SETTINGS, "models": {"en": "b"}}, 'models.en: "a" before, "b" now'),
        ({"ncfilters": "2", "options": {"a": 1, "b": 2}, "models": {}}, ", and 2 more"),
    ],
)
def test_other_settings_are_refused(tmp_path: Path, settings: dict[str, object], message: str) -> None:
    Manifest(str(tmp_path / "m"), SETTINGS).close()
    with pytest.raises(UsageError, match=message):
        Manifest(str(tmp_path / "m"), settings)


def test_other_files_are_refused(tmp_path: Path) -> None:
    for content in (b"text\n", b"[]\n", b'{"manifest": 1, "ncfilters": "1"}\nno JSON\n'):
        (tmp_path / "m").write_bytes(content)
        with pytest.raises(UsageError):
            Manifest(str(tmp_path / "m"), {"ncfilters": "1"})
        assert (tmp_path / "m").read_bytes() == content
    with pytest.raises(UsageError, match="No such file"):
        Manifest(str(tmp_path / "nosuch" / "m"), SETTINGS)


def test_one_process_at_a_time(tmp_path: Path) -> None:
    path = str(tmp_path / "m")
    code = f"from ncfilters.streams.manifest import Manifest; Manifest({path!r}, {SETTINGS!r})"
    root = Path(__file__).resolve().parent.parent.parent
    with Manifest(path, SETTINGS):
        other = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True)
    assert "another nc-clean is writing to this folder" in other.stderr
    assert subprocess.run([sys.executable, "-c", code], cwd=root).returncode == 0
