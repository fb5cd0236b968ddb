"""The state of nc-dedup: what has been seen, in a file of SQLite, or in a temporary one.

    state = State("seen.db", {"kind": "exact"}, memory=1 << 30)
    state.database.execute("INSERT …")
    state.commit({"documents": 7})

Its memory is bounded, however much it has seen. What is not committed is gone when the process ends, whatever ends it.
One process at a time writes a state. It belongs to one kind of duplicates with its settings.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ..errors import UsageError, as_usage_errors
from ..record import Record

# A row of a table, as its SQL says.
Row = tuple[Any, ...]

# The version of the tables.
VERSION = 1
_FIRST_BYTES = b"SQLite format 3\0"
# The share of the given memory that SQLite's pages take; the rest is for batches of documents.
_PAGES_SHARE = 0.8
_META = "CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID"


class State:
    """The state in the file *path*, or a temporary one if None. A new one gets the *tables*, which are statements of
    SQL; *settings* are what its entries depend on. None stands for those of a file that exists. Raises UsageError for a
    file that is damaged, in use, or made with other settings; failures of the file later are UsageErrors, too."""

    def __init__(self, path: str | None, settings: Mapping[str, object] | None, tables: str, memory: int) -> None:
        self._name = path or "temporary files"
        if settings is None and not os.path.isfile(self._name):
            raise UsageError(f"{self._name}: there is no such state")
        if path and os.path.exists(path):
            _check_size(path)
        with self._failures():
            self.database = sqlite3.connect(path or "", timeout=0, isolation_level=None)
            self.database.executescript(
                f"PRAGMA page_size = 8192; PRAGMA cache_size = -{int(memory * _PAGES_SHARE) >> 10};"
                "PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = NORMAL; PRAGMA temp_store = FILE;"
            )
            self.database.execute("BEGIN EXCLUSIVE")
            is_new = not self.database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            self.database.execute(_META)
            kept = self.meta()
            if not kept:
                if settings is None or not is_new:
                    raise UsageError(f"{self._name}: no state of nc-dedup")
                for statement in filter(str.strip, tables.split(";")):
                    self.database.execute(statement)
                kept = {"version": VERSION, "settings": dict(settings)}
                self._write(kept)
        self.settings: Record = kept.get("settings") or {}
        if kept.get("version") != VERSION:
            raise UsageError(f"{self._name}: a state of version {kept.get('version')}; this program has {VERSION}")
        for name in {**self.settings, **(settings or {})}:
            was, now = self.settings.get(name), (self.settings if settings is None else settings).get(name)
            if was != now:
                said = [f"no {name}" if value is None else f"{name}: {value}" for value in (was, now)]
                raise UsageError(f"{self._name}: made with {said[0]}, and now with {said[1]}")

    @contextmanager
    def _failures(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise UsageError(f"{self._name}: {_message(error)}") from None

    def meta(self) -> Record:
        """What stands beside the entries, such as `settings` and the counts of all runs."""
        try:
            return {name: json.loads(value) for name, value in self.rows("SELECT name, value FROM meta")}
        except (TypeError, ValueError):
            raise UsageError(f"{self._name}: no state of nc-dedup") from None

    def _write(self, meta: Mapping[str, object]) -> None:
        for name, value in meta.items():
            self.add("REPLACE INTO meta VALUES (?, ?)", [(name, json.dumps(value))])

    def rows(self, query: str, *values: object) -> list[Row]:
        """The rows of a query. Raises UsageError."""
        with self._failures():
            return self.database.execute(query, values).fetchall()

    def entries(self, keys: Iterable[int], columns: str = "entries.*", join: str = "") -> list[Row]:
        """The entries with these keys, in the order of the keys; *join* has other tables. Raises UsageError."""
        query = f"SELECT {columns} FROM json_each(?) JOIN entries ON entries.key = value {join}"
        return self.rows(query, str(sorted(keys)))

    def last_document(self) -> int:
        """The highest number of a document, 0 if there is none. Raises UsageError."""
        return int(self.rows("SELECT coalesce(max(number), 0) FROM documents")[0][0])

    def add(self, statement: str, rows: Sequence[Row]) -> None:
        """Carries out a statement for each of the rows. Raises UsageError."""
        with self._failures():
            self.database.executemany(statement, rows)

    def commit(self, meta: Mapping[str, object]) -> None:
        """Makes what was added permanent, together with *meta*. Raises UsageError."""
        self._write(meta)
        with self._failures():
            self.database.execute("COMMIT")
            self.database.execute("BEGIN EXCLUSIVE")

    def merge(self, other: State, statements: str) -> None:
        """Adds the entries of another state by statements of SQL, which name it `other`. Raises UsageError if it has
        other settings or an unfinished run."""
        run = other.meta().get("run") or {"complete": True}
        if other.settings != self.settings or not run["complete"]:
            why = "has an unfinished run" if other.settings == self.settings else "has other settings"
            raise UsageError(f"{other._name}: {why}")
        other.close()
        with self._failures():
            self.database.execute("ROLLBACK")
            self.database.execute("ATTACH ? AS other", (other._name,))
            self.database.execute("BEGIN EXCLUSIVE")
            for statement in statements.split(";"):
                self.database.execute(statement)
            self.database.execute("COMMIT")
            self.database.execute("DETACH other")
            self.database.execute("BEGIN EXCLUSIVE")

    def close(self) -> None:
        """Closes the file without what is not committed."""
        with self._failures():
            self.database.rollback()
            self.database.close()


def _check_size(path: str) -> None:
    """Raises UsageError for a file that is no state, or shorter than it says of itself: SQLite would read what is left
    of it."""
    with as_usage_errors(OSError, path), open(path, "rb") as file:
        head = file.read(100)
        size = os.fstat(file.fileno()).st_size
    if head and not head.startswith(_FIRST_BYTES):
        raise UsageError(f"{path}: no state of nc-dedup")
    page, pages = int.from_bytes(head[16:18], "big"), int.from_bytes(head[28:32], "big")
    if head and not os.path.exists(path + "-journal") and size < page * pages:
        raise UsageError(f"{path}: truncated: {size:,} bytes of {page * pages:,}")


def _message(error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorname", "")  # Python 3.11
    if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")) or "locked" in str(error):
        return "in use by another process"
    return f"damaged: {error}" if isinstance(error, sqlite3.DatabaseError) and "malformed" in str(error) else str(error)
