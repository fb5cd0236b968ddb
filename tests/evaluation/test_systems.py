"""The systems of nc-eval: names, records of every kind, and the gold that belongs to them."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pytest

from ncfilters.commands.eval import options
from ncfilters.dataset.gold import Gold
from ncfilters.errors import UsageError
from ncfilters.evaluation import systems
from ncfilters.evaluation.results import System

ERROR = {"stage": "nc-score", "message": "no"}


def arguments(*args: str | Path) -> argparse.Namespace:
    return options().parse_args([*map(str, args)])


def written(path: Path, *pages: Any) -> Path:
    path.write_text("".join((page if isinstance(page, str) else json.dumps(page)) + "\n" for page in pages))
    return path


@pytest.mark.parametrize(
    ("argument", "name", "path"),
    [
        ("out.jsonl", "out", "out.jsonl"),
        ("some/cleaneval.en.jsonl.gz", "cleaneval.en", "some/cleaneval.en.jsonl.gz"),
        ("texts/", "texts", "texts/"),
        ("v1.2", "v1.2", "v1.2"),
        ("ours=out.jsonl", "ours", "out.jsonl"),
        ("ours=a=b", "ours", "a=b"),
        ("=out", "=out", "=out"),
        ("ours=", "ours=", "ours="),
        ("-", "standard input", "-"),
        ("ours=-", "ours", "-"),
        (".", ".", "."),
        (".jsonl", ".jsonl", ".jsonl"),
    ],
)
def test_names(argument: str, name: str, path: str) -> None:
    assert systems.named(argument) == (name, path)


def test_a_file_with_an_equals_sign_in_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "n=3.jsonl", {"id": 1, "text": "a"})
    assert systems.named("n=3.jsonl") == ("n=3", "n=3.jsonl")


def test_no_two_systems_have_the_same_name(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", {"id": 1, "text": "a", "gold": "a"})
    found, golds, status = systems.read("x", arguments(path, path, path, f"b={path}", f"b={path}"))
    assert [one.name for one in found] == ["a", str(path), f"{path} (3)", "b", f"{path} (5)"]
    assert (list(golds), status) == (["1"], 0)
    assert all(one.texts == {"1": "a"} for one in found)


def test_every_record_with_gold_counts_whatever_became_of_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
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
    (one,), golds, status = systems.read("x", arguments(path))
    assert {key: gold.plain for key, gold in golds.items()} == {str(n): str(n) for n in range(1, 5)}
    assert one.texts == {"1": "one", "7": "seven"}
    assert status == 1
    *errors, last = capsys.readouterr().err.splitlines()
    assert last.startswith("x: record 11: not JSON")
    assert errors == [
        "x: record 3 (3): text: missing: nc-select -f jsonl writes it",
        "x: record 4 (4): text: a string is wanted, not a number",
        "x: record 5 (5): gold: missing: the cleaned text, or an object with text or markup",
        "x: record 8 (1): id: '1' a second time: the first text is measured",
        "x: record 9 (1): gold: not the same as in another record of this id; --gold says which to take",
        "x: record 10: id: missing: text and gold are matched by it",
    ]


def test_other_fields(tmp_path: Path) -> None:
    path = written(
        tmp_path / "a.jsonl", {"id": 1, "out": "o", "ref": "r"}, {"id": 2, "out": 1, "ref": "s", "error": ERROR}
    )
    (one,), golds, _ = systems.read("x", arguments("--text-field", "out", "--gold-field", "ref", path))
    assert one.texts == {"1": "o"}
    assert [gold.plain for gold in golds.values()] == ["r", "s"]


def test_gold_from_elsewhere_is_all_the_gold_there_is(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", {"id": 1, "text": "a", "gold": "b"}, {"id": 2, "text": "c", "gold": {}})
    (one,), golds, status = systems.read("x", arguments("--gold", "elsewhere", path))
    assert (golds, status, one.texts) == ({}, 0, {"1": "a", "2": "c"})


def test_errors_say_which_system_they_are_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path / "a.jsonl", {"id": 1})
    systems.read("x", arguments(path, f"b={path}"))
    assert [line.partition(": record")[0] for line in capsys.readouterr().err.splitlines()] == ["x: a", "x: b"]


# ---- matching -----------------------------------------------------------------------------------------------

GOLDS = {"1": Gold("a"), "2": Gold("b"), "3": Gold("c")}


def test_missing_pages_are_told_of_and_count(capsys: pytest.CaptureFixture[str]) -> None:
    found = [System("x", {"1": "", "2": "", "9": "", "8": ""}), System("y", {"2": "", "3": "", "1": "", "7": ""})]
    assert systems.matched("t", found, GOLDS, arguments("--gold", "g")) == GOLDS
    assert capsys.readouterr().err.splitlines() == [
        "t: x: 1 of 3 pages missing, such as '3': counted as empty (--skip-missing leaves them out)",
        "t: x: 2 pages without gold, such as '9', '8': left out",
        "t: y: 1 page without gold, such as '7': left out",
    ]


def test_missing_pages_may_be_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    found = [System("x", {"1": "", "2": ""}), System("y", {"2": "", "3": ""})]
    assert list(systems.matched("t", found, GOLDS, arguments("--skip-missing"))) == ["2"]
    assert capsys.readouterr().err.count("left out") == 2
    with pytest.raises(UsageError, match="no page that all systems have"):
        systems.matched("t", [System("x", {"1": ""}), System("y", {"2": ""})], GOLDS, arguments("--skip-missing"))


def test_nothing_matches() -> None:
    with pytest.raises(UsageError) as error:
        systems.matched("t", [System("x", {"a/1": ""})], GOLDS, arguments("--gold", "my/gold"))
    assert str(error.value) == (
        "x: no page that my/gold has gold for ('1', '2', '3' there, 'a/1' here); they match by id"
    )
    with pytest.raises(UsageError, match=r"y: no page .*\(there is no text\)"):
        systems.matched("t", [System("x", {"1": ""}), System("y")], GOLDS, arguments())


def test_no_gold() -> None:
    with pytest.raises(UsageError, match=r"^a, b: no record has gold text .* with --gold, or .* with --gold-field$"):
        systems.matched("t", [System("a", {"1": ""})], {}, arguments("a", "b"))
    with pytest.raises(UsageError, match=r"^standard input: no record has gold text"):
        systems.matched("t", [System("a", {"1": ""})], {}, arguments())
