"""States: what is permanent, and what is refused."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from ncfilters.corpus.state import State
from ncfilters.errors import UsageError

TABLES = "CREATE TABLE entries (key INTEGER PRIMARY KEY)"
MEMORY = 1 << 24


def state(path: Path, settings: dict[str, object] | None = None) -> State:
    return State(str(path), settings or {"kind": "x"}, TABLES, MEMORY)


def filled(path: Path, count: int = 20_000) -> None:
    one = state(path)
    one.add("INSERT INTO entries VALUES (?)", [(number * 7,) for number in range(count)])
    one.commit({"n": count})
    one.close()


def test_what_is_committed_stays_and_others_wait(tmp_path: Path) -> None:
    filled(tmp_path / "a", 3)
    one = state(tmp_path / "a")
    one.add("INSERT INTO entries VALUES (?)", [(1,)])
    one.close()
    one = state(tmp_path / "a")
    assert one.rows("SELECT key FROM entries") == [(0,), (7,), (14,)]
    assert one.meta()["n"] == 3
    one = state(tmp_path / "b")
    with pytest.raises(UsageError, match="in use by another process"):
        state(tmp_path / "b")
    one.close()
    state(tmp_path / "b").close()


@pytest.mark.parametrize(
    ("settings", "message"),
    [({"kind": "y"}, "made with kind: x, and now with kind: y"), ({"kind": "x", "n": 5}, "no n, and now with n: 5")],
)
def test_other_settings_are_refused(settings: dict[str, object], message: str, tmp_path: Path) -> None:
    filled(tmp_path / "a", 3)
    with pytest.raises(UsageError, match=message):
        state(tmp_path / "a", settings)


def test_another_version_is_refused(tmp_path: Path) -> None:
    one = state(tmp_path / "a")
    one.commit({"version": 99})
    one.close()
    with pytest.raises(UsageError, match="version 99"):
        state(tmp_path / "a")


@pytest.mark.parametrize("share", [0.001, 0.3, 0.9])
def test_a_file_that_is_cut_is_refused(share: float, tmp_path: Path) -> None:
    filled(tmp_path / "a")
    whole = (tmp_path / "a").read_bytes()
    (tmp_path / "a").write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(UsageError, match="truncated|no state|malformed|not a database"):
        state(tmp_path / "a")


def test_files_that_are_no_state(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"{}\n" * 100)
    (tmp_path / "folder").mkdir()
    with sqlite3.connect(tmp_path / "foreign") as foreign:
        foreign.execute("CREATE TABLE meta (name TEXT, value TEXT)")
        foreign.execute("INSERT INTO meta VALUES ('settings', 'no JSON')")
    with sqlite3.connect(tmp_path / "other") as other:
        other.execute("CREATE TABLE pages (id TEXT)")
    for name in ("foreign", "other"):
        with pytest.raises(UsageError, match="no state of nc-dedup"):
            state(tmp_path / name)
    for name, message in (("a", "no state"), ("folder", "Is a directory"), ("none/a", "unable to open")):
        with pytest.raises(UsageError, match=message):
            state(tmp_path / name)
    with pytest.raises(UsageError, match="there is no such state"):
        State(str(tmp_path / "b"), None, "", MEMORY)


def test_merging_refuses_what_does_not_fit(tmp_path: Path) -> None:
    one, other = state(tmp_path / "a"), state(tmp_path / "b", {"kind": "y"})
    with pytest.raises(UsageError, match="other settings"):
        one.merge(other, "INSERT INTO entries SELECT key FROM other.entries")
    other = state(tmp_path / "c")
    other.commit({"run": {"complete": False}})
    with pytest.raises(UsageError, match="unfinished run"):
        one.merge(other, "INSERT INTO entries SELECT key FROM other.entries")
