"""Each input has an output that is complete or absent."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

from ncfilters.errors import UsageError
from ncfilters.streams.output_per_input import FilePattern, OutputPerInput
from ncfilters.streams.writers import Records


@pytest.fixture(autouse=True)
def inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in "abc":
        Path(f"{name}.warc.gz").write_bytes(name.encode())


FILES = ["a.warc.gz", "b.warc.gz", "c.warc.gz"]


def outputs(*files: str, suffix: str = ".jsonl") -> OutputPerInput:
    pattern = FilePattern("out", suffix)
    return OutputPerInput(files or FILES, pattern, {}, lambda file: Records(file, "jsonl"))


def manifest() -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path("out/manifest.jsonl").read_bytes().splitlines()[1:]]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("crawl/a.warc.gz", "a.txt"),
        ("a.WARC.WET.gz", "a.txt"),
        ("a.b.jsonl.zst", "a.b.txt"),
        ("page.html", "page.txt"),
        ("README", "README.txt"),
        (".gz", ".gz.txt"),
        ("a 1.0", "a 1.0.txt"),
    ],
)
def test_names(path: str, name: str) -> None:
    assert FilePattern("out", ".txt").name(path) == name


def test_a_file_for_each_input_and_what_is_counted() -> None:
    to = outputs()
    to.begin(0)
    to.write({"id": 1})
    to.begin(0)
    to.write({"id": 2, "error": {"stage": "x", "message": "y"}})
    assert not Path("out/a.jsonl").exists()
    to.begin(2)
    assert Path("out/a.jsonl").read_bytes().count(b"\n") == 2
    assert Path("out/b.jsonl").read_bytes() == b""
    assert not Path("out/c.jsonl").exists()
    to.begin(2)  # dropped
    to.complete()
    to.close()
    assert sorted(os.listdir("out")) == ["a.jsonl", "b.jsonl", "c.jsonl", "manifest.jsonl"]
    first, second, third = manifest()
    data = Path("out/a.jsonl").read_bytes()
    assert (first["output"], first["bytes"], first["size"]) == ("a.jsonl", len(data), 1)
    assert first["sha256"] == hashlib.sha256(data).hexdigest()
    assert [(entry["documents"], entry["written"], entry["errors"]) for entry in (first, second, third)] == [
        (2, 2, 1),
        (0, 0, 0),
        (2, 0, 0),
    ]


def test_what_is_not_complete_is_begun_again() -> None:
    to = outputs()
    to.begin(0)
    to.begin(1)
    to.write({"id": 1})
    to.close()
    assert sorted(os.listdir("out")) == ["a.jsonl", "manifest.jsonl"]
    assert outputs().remaining == FILES[1:]


def test_complete_inputs_are_skipped_until_they_or_their_outputs_change() -> None:
    def remaining() -> list[str]:
        to = outputs()
        to.close()
        assert to.skipped == len(FILES) - len(to.remaining)
        return to.remaining

    to = outputs()
    to.complete()
    to.close()
    assert remaining() == []
    Path("out/b.jsonl").write_text("shorter or longer")
    assert remaining() == ["b.warc.gz"]
    os.remove("out/b.jsonl")
    assert remaining() == ["b.warc.gz"]
    os.utime("a.warc.gz", (1, 1))
    assert remaining() == ["a.warc.gz", "b.warc.gz"]


def test_inputs_may_move_but_not_take_the_place_of_others() -> None:
    to = outputs("a.warc.gz")
    to.complete()
    to.close()
    os.mkdir("moved")
    os.rename("a.warc.gz", "moved/a.warc.gz")
    to = outputs("moved/a.warc.gz")
    assert to.remaining == []
    to.close()
    os.mkdir("other")
    Path("other/a.warc.gz").write_text("another")
    with pytest.raises(UsageError, match="is that of .*/a.warc.gz"):
        outputs("other/a.warc.gz")


def test_an_input_that_changes_while_it_is_read_is_not_complete() -> None:
    to = outputs()
    to.begin(0)
    Path("a.warc.gz").write_text("more")
    to.begin(1)
    os.remove("b.warc.gz")
    to.complete()
    to.close()
    assert to.changed == ["a.warc.gz", "b.warc.gz"]
    assert [entry["output"] for entry in manifest()] == ["c.jsonl"]
    assert not Path("out/a.jsonl").exists()


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ((".", "a.warc.gz"), "not a file"),
        (("-",), "not a file"),
        (("nosuch",), "not a file"),
        (("a.warc.gz", "a.jsonl"), "would be written to one file, a.jsonl"),
    ],
)
def test_usage_errors(files: tuple[str, ...], message: str) -> None:
    Path("a.jsonl").touch()
    with pytest.raises(UsageError, match=message):
        outputs(*files)
    with pytest.raises(UsageError, match="name some"):
        OutputPerInput([], FilePattern("out", ".jsonl"), {}, lambda file: Records(file, "jsonl"))


def test_the_same_file_twice_is_one_input_and_names_are_bytes() -> None:
    name = os.fsdecode(b"caf\xe9\n.warc.gz")
    Path(name).touch()
    to = outputs("a.warc.gz", "./a.warc.gz", name, suffix=".jsonl.zst")
    assert to.remaining == ["a.warc.gz", name]
    to.complete()
    to.close()
    assert os.fsencode("out/") + b"caf\xe9\n.jsonl.zst" in [b"out/" + entry for entry in os.listdir(b"out")]
    assert outputs("a.warc.gz", name, suffix=".jsonl.zst").remaining == []
