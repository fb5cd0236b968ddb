"""Batches of items to one or several workers, and their results in order; memory and delay are bounded.

    for item, result in in_parallel(source, work, ParallelOptions(jobs=4)): ...

A thread reads the items. A worker takes a full batch if reading is faster than working, and after a moment what there
is, so that an item of a slow source does not wait for others.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from .batch_queue import BatchQueue, ParallelOptions, QueuedBatch

if TYPE_CHECKING:
    from .worker_processes import ForkServer, WorkerProcess

# The result for one item whose worker died, from the item and the message.
AtDeath = Callable[[Any, str], Any]
# Processes that work on an item alone, one after the other, if they die.
LIVES = 2


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
    queue = BatchQueue(options)
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


def _read(first: tuple[Any, int], rest: Iterator[tuple[Any, int]], queue: BatchQueue) -> None:
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
        self,
        queue: BatchQueue,
        work: Callable[[list[Any]], Sequence[Any]],
        server: ForkServer | None,
        at_death: AtDeath,
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

    def _give(self, batch: QueuedBatch) -> QueuedBatch | None:
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
