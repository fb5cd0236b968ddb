"""The items between a thread that reads them, the threads that work on batches of them, and the one that takes results.

    queue = BatchQueue(ParallelOptions(jobs=2))
    queue.put("a", 1); queue.end()                       # the thread that reads: items and their sizes
    batch = queue.take(); queue.give(batch, ["result"])   # a thread that works
    [*queue.results()]                                    # [("a", "result")]

Memory is bounded: reading waits while too much is in hand.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

# The last batches become smaller, so that all workers end at about the same time: down to a batch by this.
LAST_PARTS = 16
# Seconds that an idle worker waits for a batch to be full.
MOMENT = 0.02
# Batches that are read ahead of one worker, which does not work while another thread of the same process reads.
AHEAD_OF_ONE = 2
# What is kept of an item with its result takes this part of the memory of the item, or less.
KEPT_PART = 4


class ParallelOptions(NamedTuple):
    """How many processes work, on batches of how many bytes."""

    jobs: int = 1  # 1: this process does the work
    batch_bytes: int = 1 << 21
    batches_ahead: int = 4  # for each job: batches that are read before earlier ones are done
    kept: Callable[[Any], Any] | None = None  # what is kept of an item that has a result; None: all


@dataclass
class QueuedBatch:
    """Items that are worked on together, and their size in bytes."""

    number: int
    items: list[Any]
    size: int


class BatchQueue:
    """Items in, batches out, their results in order."""

    def __init__(self, options: ParallelOptions) -> None:
        self._options = options
        ahead = options.batches_ahead if options.jobs > 1 else min(options.batches_ahead, AHEAD_OF_ONE)
        self._limit = options.batch_bytes * ahead * options.jobs
        self._lock = threading.Lock()
        # what each kind of thread waits for: only those are woken for which there may be something
        self._room, self._work, self._done = (threading.Condition(self._lock) for _ in range(3))
        self._items: deque[tuple[Any, int]] = deque()
        self._waiting = 0  # bytes that no worker has taken
        self._unfinished = 0  # bytes without results
        self._held = 0  # bytes whose results are not taken
        self._taken = self._given = 0  # batches
        self._idle = 0  # workers that wait for a batch
        self._results: dict[int, tuple[QueuedBatch, Sequence[Any]]] = {}
        self._is_at_limit = self._ended = self._stopped = False
        self._error: BaseException | None = None

    def put(self, item: Any, size: int) -> bool:
        """Adds an item; waits while there is too much. Returns whether to continue."""
        with self._lock:
            if not self._has_room(size):
                self._is_at_limit = True
                self._work.notify_all()
                self._room.wait_for(lambda: self._stopped or self._has_room(size))
                self._is_at_limit = False
            self._items.append((item, size))
            self._waiting += size
            self._unfinished += size
            if self._idle and (len(self._items) == 1 or self._is_full()):
                self._work.notify_all()
            return not self._stopped

    def _has_room(self, size: int) -> bool:
        held = self._held // KEPT_PART if self._options.kept else self._held
        load = self._unfinished + held
        return not load or load + size <= self._limit

    def end(self, error: BaseException | None = None) -> None:
        """There are no more items, or there is an error that the taker of results gets."""
        with self._lock:
            self._ended = True
            self._error = self._error or error
            self._wake_all()

    def take(self) -> QueuedBatch | None:
        """The next batch; None if there are no more."""
        with self._lock:
            self._idle += 1
            self._work.wait_for(lambda: self._items or self._ended or self._stopped)
            self._work.wait_for(lambda: self._is_full() or self._ended or self._stopped, MOMENT)
            self._idle -= 1
            if self._stopped or not self._items:
                return None if self._stopped or self._ended else QueuedBatch(-1, [], 0)
            return self._next()

    def take_ahead(self) -> QueuedBatch | None:
        """The next batch for a worker that has one, if there are full ones for all workers and none is idle; None
        otherwise."""
        jobs = self._options.jobs
        with self._lock:
            is_enough = self._waiting >= self._options.batch_bytes * jobs and len(self._items) >= jobs
            return self._next() if is_enough and not self._idle and not self._stopped else None

    def _next(self) -> QueuedBatch:
        batch = QueuedBatch(self._taken, [], 0)
        limit = self._options.batch_bytes
        if self._ended and self._options.jobs > 1:
            share = self._waiting // (2 * self._options.jobs)
            limit = max(min(limit, share), limit // LAST_PARTS, 1)
        while self._items and batch.size < limit:
            item, size = self._items.popleft()
            batch.items.append(item)
            batch.size += size
        self._taken += 1
        self._waiting -= batch.size
        return batch

    def _is_full(self) -> bool:
        """Whether to wait for more items is of no use."""
        return self._waiting >= self._options.batch_bytes or self._is_at_limit or not self._items

    def give(self, batch: QueuedBatch, results: Sequence[Any]) -> None:
        """The results of a batch."""
        if self._options.kept:
            batch.items = [*map(self._options.kept, batch.items)]
        with self._lock:
            self._results[batch.number] = batch, results
            self._unfinished -= batch.size
            self._held += batch.size
            self._room.notify()
            if batch.number == self._given:
                self._done.notify()

    def results(self) -> Iterator[tuple[Any, Any]]:
        """The items with their results, in order. Raises the error of the thread that reads, after these."""
        while True:
            with self._lock:
                self._done.wait_for(lambda: self._given in self._results or self._is_done() or self._stopped)
                if self._given not in self._results:
                    if self._error:
                        raise self._error
                    return
                batch, results = self._results.pop(self._given)
                self._given += 1
            yield from zip(batch.items, results)
            with self._lock:
                self._held -= batch.size
                self._room.notify()

    def _is_done(self) -> bool:
        return self._ended and not self._items and self._given == self._taken

    def stop(self, error: BaseException | None = None) -> None:
        """Nothing more is read or worked on; the taker of results gets the error."""
        with self._lock:
            self._stopped = True
            self._error = self._error or error
            self._wake_all()

    def _wake_all(self) -> None:
        for condition in (self._room, self._work, self._done):
            condition.notify_all()
