"""Batches of items to one or several workers, and their results in order; memory and delay are bounded.

    for item, result in in_parallel(source, work, ParallelOptions(jobs=4)): ...

A thread reads the items. A worker takes a full batch if reading is faster than working, and after a moment what there
is, so that an item of a slow source does not wait for others.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import UsageError

if TYPE_CHECKING:
    from .worker_processes import ForkServer, WorkerProcess

# The result for one item whose worker died, from the item and the message.
AtDeath = Callable[[Any, str], Any]
# Processes that work on an item alone, one after the other, if they die.
LIVES = 2
# The last batches become smaller, so that all workers end at about the same time: down to a batch by this.
LAST_PARTS = 16
# Seconds that an idle worker waits for a batch to be full.
MOMENT = 0.02


@dataclass(frozen=True)
class ParallelOptions:
    """How many processes work, on batches of how many bytes."""

    jobs: int = 1  # 1: this process does the work
    batch_bytes: int = 1 << 21
    batches_ahead: int = 4  # for each job: batches that are read before the results of earlier ones are taken


@dataclass
class _Batch:
    number: int
    items: list[Any]
    size: int


class _Queue:
    """The items between the thread that reads, the threads of workers and the thread that takes results."""

    def __init__(self, options: ParallelOptions) -> None:
        self._options = options
        self._changed = threading.Condition()
        self._items: deque[tuple[Any, int]] = deque()
        self._waiting = 0  # bytes that no worker has taken
        self._unfinished = 0  # bytes whose results are not taken
        self._taken = self._given = 0  # batches
        self._idle = 0  # workers that wait for a batch
        self._results: dict[int, tuple[_Batch, Sequence[Any]]] = {}
        self._ended = self._stopped = False
        self._error: BaseException | None = None

    def put(self, item: Any, size: int) -> bool:
        """Adds an item; waits while there is too much. Returns whether to continue."""
        limit = self._options.batch_bytes * self._options.batches_ahead * self._options.jobs
        with self._changed:
            self._changed.wait_for(lambda: self._stopped or not self._unfinished or self._unfinished + size <= limit)
            self._items.append((item, size))
            self._waiting += size
            self._unfinished += size
            self._changed.notify_all()
            return not self._stopped

    def end(self, error: BaseException | None = None) -> None:
        """There are no more items, or there is an error that the taker of results gets."""
        with self._changed:
            self._ended = True
            self._error = self._error or error
            self._changed.notify_all()

    def take(self) -> _Batch | None:
        """The next batch; None if there are no more."""
        with self._changed:
            self._idle += 1
            self._changed.wait_for(lambda: self._items or self._ended or self._stopped)
            self._changed.wait_for(lambda: self._is_full() or self._ended or self._stopped, MOMENT)
            self._idle -= 1
            if self._stopped or not self._items:
                return None if self._stopped or self._ended else _Batch(-1, [], 0)
            return self._next()

    def take_ahead(self) -> _Batch | None:
        """The next batch for a worker that has one, if there are full ones for all workers and none is idle; None
        otherwise."""
        jobs = self._options.jobs
        with self._changed:
            is_enough = self._waiting >= self._options.batch_bytes * jobs and len(self._items) >= jobs
            return self._next() if is_enough and not self._idle and not self._stopped else None

    def _next(self) -> _Batch:
        batch = _Batch(self._taken, [], 0)
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
        return self._waiting >= self._options.batch_bytes or not self._items

    def give(self, batch: _Batch, results: Sequence[Any]) -> None:
        """The results of a batch."""
        with self._changed:
            self._results[batch.number] = batch, results
            self._changed.notify_all()

    def results(self) -> Iterator[tuple[Any, Any]]:
        """The items with their results, in order. Raises the error of the thread that reads, after these."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._given in self._results or self._is_done() or self._stopped)
                if self._given not in self._results:
                    if self._error:
                        raise self._error
                    return
                batch, results = self._results.pop(self._given)
                self._given += 1
            yield from zip(batch.items, results)
            with self._changed:
                self._unfinished -= batch.size
                self._changed.notify_all()

    def _is_done(self) -> bool:
        return self._ended and not self._items and self._given == self._taken

    def stop(self, error: BaseException | None = None) -> None:
        """Nothing more is read or worked on; the taker of results gets the error."""
        with self._changed:
            self._stopped = True
            self._error = self._error or error
            self._changed.notify_all()


def in_parallel(
    source: Iterable[tuple[Any, int]],
    work: Callable[[list[Any]], Sequence[Any]],
    at_death: AtDeath,
    options: ParallelOptions = ParallelOptions(),  # noqa: B008 (frozen)
) -> Generator[tuple[Any, Any], None, None]:
    """Each item of *source*, which gives items with their sizes in bytes, and its result of *work*, in order.

    The first item is worked on in this process, so that a single one starts no other. *at_death* makes the result of an
    item with which workers die. An exception of *source* is raised after the results of the items before.
    """
    iterator = iter(source)
    first = next(iterator, None)
    if first is None:
        return
    yield first[0], work([first[0]])[0]
    second = next(iterator, None)
    if second is None:
        return
    queue = _Queue(options)
    server = None
    if options.jobs > 1:
        from .worker_processes import ForkServer  # start-up: a single page needs no process

        server = ForkServer(work)
    workers = [_Worker(queue, work, server, at_death) for _ in range(options.jobs)]
    # where memory allows some processes only, no more of it is used here
    workers = [worker for worker in workers if worker.has_process] or workers[:1]
    try:
        # where not all threads can be started, those that can do the work
        if not (_is_started(_read, second, iterator, queue) and sum(_is_started(worker.run) for worker in workers)):
            raise UsageError("no thread can be started, for want of memory or because of a limit: see ulimit, and -j")
        yield from queue.results()
    finally:
        queue.stop()
        for worker in workers:
            worker.kill()
        if server:
            server.close()


def _is_started(function: Callable[..., None], *arguments: Any) -> bool:
    """Starts a thread; whether there is room for it."""
    try:
        threading.Thread(target=function, args=arguments, daemon=True).start()
    except RuntimeError:
        return False
    return True


def _read(first: tuple[Any, int], rest: Iterator[tuple[Any, int]], queue: _Queue) -> None:
    """Puts the items into the queue."""
    try:
        go_on = queue.put(*first)
        while go_on and (item := next(rest, None)) is not None:
            go_on = queue.put(*item)
        queue.end()
    except BaseException as error:
        queue.end(error)


class _Worker:
    """The work of one thread: in a process of its own, or without a *server* in the thread itself."""

    def __init__(
        self, queue: _Queue, work: Callable[[list[Any]], Sequence[Any]], server: ForkServer | None, at_death: AtDeath
    ) -> None:
        self._queue, self._work, self._server, self._at_death = queue, work, server, at_death
        self._process: WorkerProcess | None = None
        self._is_begun = False  # the process has the next batch already
        self._has_died = False  # a process of this worker
        self._start()

    @property
    def has_process(self) -> bool:
        """Whether a process does the work."""
        return self._process is not None

    def run(self) -> None:
        """Works on batches until there are no more."""
        try:
            while (batch := self._queue.take()) is not None:
                while batch and batch.items:
                    batch = self._give(batch)
        except BaseException as error:
            self._queue.stop(error)

    def _give(self, batch: _Batch) -> _Batch | None:
        """Gives the results of a batch, and returns another one, which the process has got in the meantime: it does not
        wait until its results are taken."""
        process = self._process
        is_begun, self._is_begun = self._is_begun or self._begin(batch.items), False
        ahead = self._queue.take_ahead() if process and is_begun else None
        self._is_begun = bool(process and ahead and process.send_ahead(ahead.items))
        self._queue.give(batch, self._results(batch.items, is_begun=is_begun))
        self._is_begun = self._is_begun and self._process is process
        return ahead

    def _begin(self, items: list[Any]) -> bool:
        """Sends a batch to the process. Returns whether it has it."""
        from .worker_processes import Unsendable  # start-up: a single page needs no process

        try:
            if self._process:
                self._process.send(items)
            return bool(self._process)
        except Unsendable:
            return False

    def kill(self) -> None:
        """Ends the process of the worker."""
        if self._process:
            self._process.kill()

    def _start(self) -> None:
        """Starts a process; where none can be started, the thread works itself."""
        try:
            self._process = self._server.start() if self._server else None
        except OSError:
            self._process = None

    def _results(self, items: list[Any], lives: int = LIVES, is_begun: bool = False) -> Sequence[Any]:
        """The results of items, with which the process has begun, or not. Where it dies, each is worked on alone, by so
        many processes as it has *lives*: one that was killed for another reason costs nothing."""
        if self._process is None and self._has_died:
            self._start()
            if self._process is None:  # what ended a process may end this one
                raise UsageError("a process ended, and no other can be started: memory or processes are limited")
        if self._process is None:
            return self._work(items)
        from .worker_processes import Unsendable, WorkerDied  # loaded with the process

        try:
            results: Sequence[Any] = self._process.result() if is_begun else self._process.work(items)
            return results
        except Unsendable:
            return self._work(items)
        except WorkerDied as death:
            self._process, self._has_died = None, True
            self._start()
            if len(items) > 1:
                return [result for item in items for result in self._results([item])]
            return self._results(items, lives - 1) if lives > 1 else [self._at_death(items[0], str(death))]
