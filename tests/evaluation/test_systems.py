"""The systems of an evaluation: names, records of every kind, and their gold texts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ncfilters.dataset.gold import Gold
from ncfilters.evaluation.systems import System, join_to_gold, read_systems, system_name
from ncfilters.streams.runner import StreamOptions

ERROR = {"stage": "nc-score", "message": "no"}


def read(
    *files: str | Path, gold_field: str | None = "gold", **fields: str
) -> tuple[list[System], dict[str, Gold], int]:
    return read_systems(list(map(str, files)), gold_field, StreamOptions("x", fields=fields))


def written(path: Path, *pages: Any) -> Path:
    path.write_text("".join((page if isinstance(page, str) else json.dumps(page)) + "\n" for page in pages))
    return path


@pytest.mark.parametrize(("argument", "name", "path"), [
    ("out.jsonl", "out", "out.jsonl"), ("some/cleaneval.en.jsonl.gz", "cleaneval.en", "some/cleaneval.en.jsonl.gz"),
    ("texts/", "texts", "texts/"), ("v1.2", "v1.2", "v1.2"), ("ours=out.jsonl", "ours", "out.jsonl"),
    ("ours=a=b", "ours", "a=b"), ("=out", "=out", "=out"), ("ours=", "ours=", "ours="), ("-", "standard input", "-"),
    ("ours=-", "ours", "-"), (".", ".", "."), (".jsonl", ".jsonl", ".jsonl"),
])  # fmt: skip
def test_names_of_systems(argument: str, name: str, path: str) -> None:
    assert system_name(argument) == (name, path)


def test_names_of_systems_are_unique(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "n=3.jsonl", {"id": 1, "text": "a"})
    assert system_name("n=3.jsonl") == ("n=3", "n=3.jsonl")
    path = written(tmp_path / "a.jsonl", {"id": 1, "text": "a", "gold": "a"})
    found, golds, status = read(path, path, path, f"b={path}", f"b={path}")
    assert [one.name for one in found] == ["a", str(path), f"{path} (3)", "b", f"{path} (5)"]
    assert (list(golds), status) == (["1"], 0)
    assert all(one.texts == {"1": "a"} for one in found)


def test_gold_is_read_from_failed_records_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(
        tmp_path / "a.jsonl",
        {"id": 1, "text": "one", "gold": "1"},
        {"id": 2, "gold": "2", "error": ERROR},
        {"id": 3, "gold": "3"},
        {"id": 4, "gold": "4", "text": 7},
        {"id": 5, "gold": {}, "text": "five"},
        {"id": 6, "gold": {}, "error": ERROR},
        {"id": 7, "text": "seven"},
        {"id": 1, "text": "again", "gold": "1"},
        {"id": 1, "text": "again", "gold": "another"},
        {"gold": "8", "text": "eight"},
        "no record",
    )
    (one,), golds, status = read(path)
    assert {key: gold.plain for key, gold in golds.items()} == {str(n): str(n) for n in range(1, 5)}
    assert one.texts == {"1": "one", "7": "seven"}
    assert status == 1
    *errors, last = capsys.readouterr().err.splitlines()
    assert last.startswith("x: record 11: not JSON")
    assert errors == [
        "x: record 3 (3): text: missing; nc-select -f jsonl writes it",
        "x: record 4 (4): text: expected a string, got a number",
        "x: record 5 (5): gold: missing: expected the cleaned text, or an object with text or markup",
        "x: record 8 (1): id: '1' occurs twice: only the first text is evaluated",
        "x: record 9 (1): gold: differs from the gold text of another record with this id",
        "x: record 10: id: missing: text is joined to gold text by id",
    ]


def test_text_and_gold_of_other_fields(tmp_path: Path) -> None:
    path = written(
        tmp_path / "a.jsonl", {"id": 1, "out": "o", "ref": "r"}, {"id": 2, "out": 1, "ref": "s", "error": ERROR}
    )
    (one,), golds, _ = read(path, gold_field="ref", text="out", gold="ref")
    assert one.texts == {"1": "o"}
    assert [gold.plain for gold in golds.values()] == ["r", "s"]
    path = written(tmp_path / "a.jsonl", {"id": 1, "text": "a", "gold": "b"}, {"id": 2, "text": "c", "gold": {}})
    (one,), golds, status = read(path, gold_field=None)
    assert (golds, status, one.texts) == ({}, 0, {"1": "a", "2": "c"})


def test_errors_name_their_system(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path / "a.jsonl", {"id": 1})
    read(path, f"b={path}")
    assert [line.partition(": record")[0] for line in capsys.readouterr().err.splitlines()] == ["x: a", "x: b"]


# ---- ids ----------------------------------------------------------------------------------------------------
def test_texts_have_the_gold_of_their_page_whatever_the_names_of_the_files() -> None:
    system = System("x", {"1.html": "a", "2": "b", "2.html": "c", "news/3.html": "d", "9": "e"}, {"1.html": 0.5})
    joined = join_to_gold(system, {key: Gold("a") for key in ("1", "2", "news/3")})
    assert joined.texts == {"1": "a", "2": "b", "2.html": "c", "news/3": "d", "9": "e"}
    assert joined.quality == {"1": 0.5}
