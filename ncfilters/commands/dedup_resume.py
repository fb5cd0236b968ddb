"""nc-dedup --resume: output and state that go on together after a run was ended, at whatever moment.

    output = ResumableOutput("corpus.jsonl", state, run)
    source = Checkpoints(reader, output)

The state is committed with the number of records that were read and of bytes that were written. What was written after
that is cut off when the run goes on.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence

from ..corpus.state import State
from ..errors import RecordError, UsageError, as_usage_errors
from ..record import Record
from ..streams.output_file import lock
from ..streams.readers import RecordSource

# Seconds between two commits.
INTERVAL = 10.0


class ResumableOutput:
    """The file of a run as a `ByteOutput`. It has a temporary name beside *path* until the run is complete. *settings*
    are what the output depends on. Raises UsageError if it cannot be created, or does not fit the state."""

    def __init__(self, path: str, state: State, settings: Record) -> None:
        folder, name = os.path.split(path)
        self._path, self._part = path, os.path.join(folder, f".{name}.part")
        self._state, self._run = state, settings
        kept = state.meta().get("run") or {"complete": True}
        is_same = all(kept.get(name) == value for name, value in settings.items())
        if not kept["complete"] and not is_same:
            raise UsageError(f"the state has an unfinished run, to {kept.get('output')}: --resume with its options")
        self.is_complete = bool(kept["complete"]) and is_same and not os.path.exists(self._part)
        if kept["complete"] and kept.get("output") == settings["output"] and os.path.exists(path) and not is_same:
            raise UsageError(f"{path}: has the output of an earlier run, of other inputs or with other options")
        if self.is_complete and not os.path.exists(path):
            raise UsageError(f"{path}: was complete, and is gone; its documents have been seen")
        self.records: int = kept["records"] if is_same else 0
        self._size: int = kept["bytes"] if is_same else 0
        self.counts: dict[str, int] = kept["counts"] if is_same else {}
        if self.is_complete:
            return
        with as_usage_errors(OSError, self._part):
            self._file = open(self._part, "r+b" if is_same else "a+b")  # noqa: SIM115 (closed by `complete`)
            lock(self._file, f"{path}: another process is writing it")
            if os.fstat(self._file.fileno()).st_size < self._size:
                raise UsageError(f"{self._part}: shorter than the state says: {self._size:,} bytes")
            self._file.seek(self._size)
            self._file.truncate()
        if not is_same:
            self.commit(0, {})

    def write(self, data: bytes) -> None:
        self._file.write(data)

    def flush(self) -> None:
        self._file.flush()

    def commit(self, records: int, counts: dict[str, int], complete: bool = False) -> None:
        """Makes the output so far permanent, and the state with it. Raises OSError and UsageError."""
        self._file.flush()
        os.fsync(self._file.fileno())
        run = {**self._run, "records": records, "bytes": self._file.tell(), "counts": counts, "complete": complete}
        self._state.commit({"run": run})

    def complete(self, records: int, counts: dict[str, int]) -> None:
        """Ends the run: the output has its name. Raises OSError and UsageError."""
        self.commit(records, counts, True)
        self._file.close()
        os.replace(self._part, self._path)


class Checkpoints:
    """A source of records that commits when all that it has given is written. It skips those of the run before."""

    def __init__(self, source: RecordSource, output: ResumableOutput, counts: Callable[[], dict[str, int]]) -> None:
        self._source, self._output, self._counts = source, output, counts
        self.given = self._processed = 0
        self._last = time.monotonic()

    @property
    def bytes(self) -> int:
        return self._source.bytes

    def __iter__(self) -> Iterator[Record | RecordError]:
        for item in self._source:
            self.given += 1
            if self.given <= self._output.records:
                continue
            yield item
            if self._processed == self.given and time.monotonic() - self._last > INTERVAL:
                self._output.commit(self.given, self._counts())
                self._last = time.monotonic()

    def watched(
        self, process: Callable[[list[Record]], Sequence[Record | RecordError | None]]
    ) -> Callable[[list[Record]], Sequence[Record | RecordError | None]]:
        """The processing of batches. A batch has all records up to the last one that was given."""

        def processed(records: list[Record]) -> Sequence[Record | RecordError | None]:
            out = process(records)
            self._processed = self.given
            return out

        return processed
