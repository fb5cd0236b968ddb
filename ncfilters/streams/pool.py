"""Processes that work on batches, and survive that one of them dies; results in order, memory and delay bounded.

    for item, result in in_parallel(source, work, at_death, ParallelOptions(jobs=4)): ...

    with closing(Pool(2, work, at_death)) as pool:    # before the first thread starts
        pool(["a", "b"])                              # the result of work(["a", "b"]) in another process

A server that stays small and has no threads forks them; memory that was in use before, such as models, is shared. Where
one ends while it works, each item of its batch is worked on alone, in other processes.
"""

from __future__ import annotations

import gc
import os
import pickle
import queue
import resource
import signal
import socket
import struct
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from ..errors import UsageError

Work = Callable[[list[Any]], Sequence[Any]]
# The result for one item whose process died, from the item and the message.
AtDeath = Callable[[Any, str], Any]

# The number in answers of the server: a process id, or how a process ended.
_NUMBER = struct.Struct("i")
# The last batches become smaller, so that all workers end at about the same time: down to a batch by this.
LAST_PARTS = 16
# Seconds that an idle worker waits for a batch to be full.
MOMENT = 0.02
# Batches that are read ahead of each process; of one worker, which does not work while another thread reads.
AHEAD, AHEAD_OF_ONE = 4, 2
# What is kept of an item with its result takes this part of the memory of the item, or less.
KEPT_PART = 4


class Limits(NamedTuple):
    """Bounds of a process: bytes of memory besides those that it has when it is forked, seconds for a batch; and how
    many work on an item alone if they die."""

    memory: int | None = None
    seconds: float | None = None
    lives: int = 2


class ParallelOptions(NamedTuple):
    """How many processes work, on batches of how many bytes."""

    jobs: int = 1  # 1: this process does the work
    batch_bytes: int = 1 << 21
    kept: Callable[[Any], Any] | None = None  # what is kept of an item that has a result; None: all


class Pool:
    """So many processes, or as many as there is room for; without any, this one does the *work*. To be made while there
    is one thread; many threads may use it."""

    def __init__(self, jobs: int, work: Work, at_death: AtDeath, limits: Limits = Limits()) -> None:  # noqa: B008
        self._work, self._at_death, self._limits = work, at_death, limits
        self._server = _Server(work, limits.memory)
        self._processes: list[tuple[Connection, int]] = []  # with their ids
        self._idle: queue.Queue[int] = queue.Queue()  # places in that list
        with suppress(OSError):
            for number in range(jobs):
                self._processes.append(self._server.start())
                self._idle.put(number)
        self.size = len(self._processes)

    def __call__(self, items: list[Any], wait: float | None = None) -> Sequence[Any]:
        """The results of items. Raises queue.Empty if no process is free in *wait* seconds."""
        if not self.size:
            return self._work(items)
        number = self._idle.get(timeout=wait)
        try:
            return self._results(number, items, self._limits.lives)
        finally:
            self._idle.put(number)

    def _results(self, number: int, items: list[Any], lives: int) -> Sequence[Any]:
        """The results of items. Where the process dies, each is worked on alone, by so many processes as it has
        *lives*: one that was killed for another reason costs nothing."""
        connection, pid = self._processes[number]
        try:
            result = _exchanged(connection, pid, items, self._limits.seconds)
        except (EOFError, OSError):
            how = self._server.end_of(pid)
            try:
                self._processes[number] = self._server.start()
            except OSError:  # what ended a process may end this one
                message = "a process ended, and no other can be started: memory or processes are limited"
                raise UsageError(message) from None
            if len(items) > 1:
                return [result for item in items for result in self._results(number, [item], self._limits.lives)]
            return self._results(number, items, lives - 1) if lives > 1 else [self._at_death(items[0], how)]
        return self._work(items) if result is None else result

    def close(self) -> None:
        """Ends the processes, whatever they are doing."""
        self._server.close()


def _exchanged(connection: Connection, pid: int, items: list[Any], seconds: float | None) -> Sequence[Any] | None:
    """The results of a process; None if they, or the items, cannot be sent. Raises EOFError and OSError if the process
    ends, as it does after so many seconds."""
    try:
        message = pickle.dumps(items, pickle.HIGHEST_PROTOCOL)
    except Exception:  # nested too deeply, for example
        return None
    timer = threading.Timer(seconds, os.kill, (pid, signal.SIGKILL)) if seconds else None
    if timer:
        timer.start()
    try:
        connection.send_bytes(message)
        answer: Sequence[Any] | None = pickle.loads(connection.recv_bytes())
    finally:
        if timer:
            timer.cancel()
    return answer


# ---- batches of a stream ----------------------------------------------------------------------------------------


def in_parallel(
    source: Iterable[tuple[Any, int]],
    work: Work,
    at_death: AtDeath,
    options: ParallelOptions = ParallelOptions(),  # noqa: B008 (frozen)
) -> Generator[tuple[Any, Any], None, None]:
    """Each item of *source*, which gives items with their sizes in bytes, and its result of *work*, in order.

    The first item is worked on in this process, so that a single one starts no other. A thread reads the others: a
    batch is full if reading is faster than working, and what there is after a moment, so that an item of a slow source
    does not wait. An exception of *source* is raised after the results of the items before.
    """
    iterator = iter(source)
    first = next(iterator, None)
    if first is None:
        return
    yield first[0], work([first[0]])[0]
    second = next(iterator, None)
    if second is None:
        return
    batches = _Batches(options)
    pool = Pool(options.jobs, work, at_death) if options.jobs > 1 else None
    # where memory allows some processes only, no more of it is used here
    workers = pool.size if pool and pool.size else 1
    try:
        _start(batches.read, chain([second], iterator))
        for _ in range(workers):
            _start(batches.work, pool or work)
        yield from batches.results()
    finally:
        batches.stop()
        if pool:
            pool.close()


def _start(function: Callable[..., None], *arguments: Any) -> None:
    try:
        threading.Thread(target=function, args=arguments, daemon=True).start()
    except RuntimeError:
        message = "no thread can be started, for want of memory or because of a limit: see ulimit, and -j"
        raise UsageError(message) from None


class _Batch:
    """Items that are worked on together, their size in memory, and in the end their results."""

    def __init__(self, items: list[Any], size: int) -> None:
        self.items, self.size = items, size
        self.results: Sequence[Any] | None = None


class _Batches:
    """Items of the thread that reads, batches for those that work, results in order for the one that takes them."""

    def __init__(self, options: ParallelOptions) -> None:
        self._options = options
        self._limit = options.batch_bytes * options.jobs * (AHEAD if options.jobs > 1 else AHEAD_OF_ONE)
        self._changed = threading.Condition()
        self._items: deque[tuple[Any, int]] = deque()  # in no batch yet
        self._batches: deque[_Batch] = deque()  # whose results were not taken
        self._waiting = self._load = 0  # bytes of the items; of these and of the batches
        self._ended = self._stopped = False
        self._error: BaseException | None = None

    def read(self, source: Iterable[tuple[Any, int]]) -> None:
        error = None
        try:
            for item, size in source:
                with self._changed:
                    while not (self._stopped or self._has_room(size)):
                        self._changed.wait()
                    if self._stopped:
                        return
                    self._items.append((item, size))
                    self._waiting += size
                    self._load += size
                    if len(self._items) == 1 or self._waiting >= self._options.batch_bytes:
                        self._changed.notify_all()
        except BaseException as raised:
            error = raised
        with self._changed:
            self._ended, self._error = True, self._error or error
            self._changed.notify_all()

    def _has_room(self, size: int) -> bool:
        return not self._load or self._load + size <= self._limit

    def work(self, work: Work) -> None:
        try:
            while (batch := self._take()) is not None:
                results = work(batch.items)
                kept = self._options.kept
                if kept:
                    batch.items[:] = map(kept, batch.items)
                with self._changed:
                    if kept:
                        self._load -= batch.size - batch.size // KEPT_PART
                        batch.size //= KEPT_PART
                    batch.results = results
                    self._changed.notify_all()
        except BaseException as error:
            self.stop(error)

    def _take(self) -> _Batch | None:
        """The next batch; None if there are no more."""
        with self._changed:
            while not (self._stopped or self._ended and not self._items):
                self._changed.wait_for(lambda: self._items or self._ended or self._stopped)
                self._changed.wait_for(lambda: self._is_full() or self._ended or self._stopped, MOMENT)
                if self._items and not self._stopped:
                    return self._next()
        return None

    def _is_full(self) -> bool:
        """Whether to wait for more items is of no use."""
        return self._waiting >= self._options.batch_bytes or not self._items or not self._has_room(1)

    def _next(self) -> _Batch:
        limit = self._options.batch_bytes
        if self._ended and self._options.jobs > 1:
            limit = max(min(limit, self._waiting // (2 * self._options.jobs)), limit // LAST_PARTS, 1)
        batch = _Batch([], 0)
        while self._items and batch.size < limit:
            item, size = self._items.popleft()
            batch.items.append(item)
            batch.size += size
        self._waiting -= batch.size
        self._batches.append(batch)
        return batch

    def results(self) -> Iterator[tuple[Any, Any]]:
        """The items with their results, in order. Raises the error of the thread that reads, after these."""
        while True:
            with self._changed:
                self._changed.wait_for(
                    lambda: self._has_results() or self._stopped or self._ended and not (self._items or self._batches)
                )
                if not self._has_results():
                    if self._error:
                        raise self._error
                    return
                batch = self._batches.popleft()
            yield from zip(batch.items, batch.results or ())
            with self._changed:
                self._load -= batch.size
                self._changed.notify_all()

    def _has_results(self) -> bool:
        return bool(self._batches) and self._batches[0].results is not None

    def stop(self, error: BaseException | None = None) -> None:
        """Nothing more is read or worked on; the taker of results gets the error."""
        with self._changed:
            self._stopped, self._error = True, self._error or error
            self._changed.notify_all()


# ---- processes --------------------------------------------------------------------------------------------------


class _Server:
    """A process that forks others, each of which calls *work*, with at most so many bytes of memory."""

    def __init__(self, work: Work, memory: int | None) -> None:
        self._asking = threading.Lock()
        self._pids: set[int] = set()
        self._control, theirs = socket.socketpair()
        self._pid = os.fork()
        if self._pid == 0:
            self._control.close()
            gc.freeze()  # objects of now are not visited by the garbage collection of workers: memory stays shared
            _as_child(lambda: _serve(theirs, work, memory))
        theirs.close()

    def start(self) -> tuple[Connection, int]:
        """A connection to a new process, and its id. Raises OSError if there is no room for it, or no server."""
        ours, theirs = socket.socketpair()
        with ours, theirs, self._asking:
            socket.send_fds(self._control, [_NUMBER.pack(0)], [theirs.fileno()])
            pid = self._answer()
            if pid <= 0:
                raise OSError(-pid, os.strerror(-pid))
            self._pids.add(pid)
            return Connection(ours.detach()), pid

    def end_of(self, pid: int) -> str:
        try:
            with self._asking:
                self._control.sendall(_NUMBER.pack(pid))
                status = self._answer()
                self._pids.discard(pid)
        except OSError:
            return "ended"
        if status < 0:
            return f"was ended by {signal.strsignal(-status) or 'a signal'} (signal {-status})"
        return f"ended with status {status}"

    def _answer(self) -> int:
        answer = self._control.recv(_NUMBER.size)
        if len(answer) < _NUMBER.size:
            raise BrokenPipeError("the server of processes has ended")
        return int(_NUMBER.unpack(answer)[0])

    def close(self) -> None:
        """Ends the server and its processes."""
        with self._asking:
            self._control.close()
            for pid in self._pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(self._pid, 0)


def _as_child(run: Callable[[], None]) -> None:
    """Runs a forked process, which neither reads standard input nor keeps standard output open."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the parent, which ends its children
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        os.dup2(nothing, 1)
        run()
        os._exit(0)
    except BaseException:
        os._exit(1)


def _serve(control: socket.socket, work: Work, memory: int | None) -> None:
    """Answers the requests of the parent until it closes the connection."""
    while True:
        request, descriptors, _, _ = socket.recv_fds(control, _NUMBER.size, 1)
        if not request:
            with suppress(ChildProcessError):  # until there is no child: so the time of workers counts as the command's
                while True:
                    os.wait()
            return
        if descriptors:
            answer = _fork(control, Connection(descriptors[0]), work, memory)
        else:
            answer = os.waitstatus_to_exitcode(os.waitpid(_NUMBER.unpack(request)[0], 0)[1])
        control.sendall(_NUMBER.pack(answer))


def _fork(control: socket.socket, connection: Connection, work: Work, memory: int | None) -> int:
    """The id of a new process with that end of a connection; the negative number of an error."""
    with connection:
        try:
            pid = os.fork()
        except OSError as error:
            return -(error.errno or 1)
        if pid == 0:
            control.close()
            _as_child(lambda: _answer_all(connection, work, memory))
        return pid


def _address_space() -> int:
    """The bytes of address space that this process has already, from the one that forked it; 0 without /proc."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 0


def _answer_all(connection: Connection, work: Work, memory: int | None) -> None:
    """Works on batches until the parent closes the connection."""
    if memory:
        most = memory + _address_space()
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    while True:
        try:
            message = connection.recv_bytes()
        except (EOFError, OSError):
            return
        result = work(pickle.loads(message))
        try:
            answer = pickle.dumps(result, pickle.HIGHEST_PROTOCOL)
        except Exception:  # nested too deeply, for example: the parent works on it itself
            answer = pickle.dumps(None)
        connection.send_bytes(answer)
