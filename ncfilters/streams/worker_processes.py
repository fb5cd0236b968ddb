"""Processes that work on batches, forked by a server that stays small and has no threads.

    with ForkServer(work) as server:    # before the first thread starts
        worker = server.start()
        worker.work(["a", "b"])         # the result of work(["a", "b"]) in another process

Where a worker ends while it works, WorkerDied is raised, and the server can fork another one. Memory that was in use
before, such as models, is shared.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from mmap import mmap
from multiprocessing.connection import Connection
from threading import Lock
from typing import Any

Work = Callable[[Any], Any]

# Requests to the server, and the number in its answers: a process id, or how a process ended.
_START, _STATUS = b"f", b"s"
_NUMBER = struct.Struct("i")
# The answer of a worker whose result cannot be sent.
_UNSENDABLE = b""
# Bytes of the memory that a worker shares with its parent. It gets batches in the first part, and gives results in the
# second, each in the halves of that in turn; longer ones are sent. What is not written to takes no memory.
BATCH_BYTES, RESULT_BYTES = 1 << 24, 1 << 23
SHARED_BYTES = BATCH_BYTES + RESULT_BYTES
# A batch or a result is in the shared memory: where it, and each of its long buffers, begins and ends. Pickles begin
# with another byte.
_SHARED, _PLACE = b"m", struct.Struct("QQ")


class WorkerDied(Exception):
    """A worker ended before it gave a result. The message says how."""


class Unsendable(Exception):
    """A batch, or its result, cannot be sent to another process."""


class WorkerProcess:
    """A process that works on one batch at a time, and may have the next one already."""

    def __init__(self, connection: Connection, pid: int, server: ForkServer, shared: mmap | None) -> None:
        self._connection, self.pid, self._server = connection, pid, server
        self._shared = _SharedPart(shared, 0, BATCH_BYTES) if shared else None

    def work(self, batch: Any) -> Any:
        """The result of the work on a batch. Raises WorkerDied, and Unsendable."""
        self.send(batch)
        return self.result()

    def send(self, batch: Any) -> None:
        """Begins the work on a batch. Raises Unsendable."""
        try:
            self._send((self._shared and self._shared.put(batch)) or pickle.dumps(batch, pickle.HIGHEST_PROTOCOL))
        except Exception as error:  # nested too deeply, for example
            raise Unsendable(str(error)) from None

    def send_ahead(self, batch: Any) -> bool:
        """Sends a batch before the result of the one before is taken. Returns whether it has room in the shared memory:
        a long message would wait for the process, and that for its result to be taken."""
        try:
            message = self._shared and self._shared.put(batch)
        except Exception:  # `send` says so
            return False
        if message:
            self._send(message)
        return bool(message)

    def _send(self, message: bytes) -> None:
        with suppress(OSError):  # of a process that has ended, which `result` says
            self._connection.send_bytes(message)

    def result(self) -> Any:
        """The result of the first batch whose result is not taken. Raises WorkerDied, and Unsendable."""
        try:
            answer = self._connection.recv_bytes()
        except (EOFError, OSError):
            self._connection.close()
            raise WorkerDied(self._server.end_of(self.pid)) from None
        if answer == _UNSENDABLE:
            raise Unsendable
        return _loaded(answer, self._shared)

    def kill(self) -> None:
        """Ends the process, whatever it is doing."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)


class _SharedPart:
    """A part of the shared memory, in which one process puts what another one takes: two things at most."""

    def __init__(self, memory: mmap, start: int, size: int) -> None:
        self._memory, self._start, self._size = memory, start, size // 2
        self._half = 0  # where the next one is put

    def put(self, thing: Any) -> bytes | None:
        """Puts a batch or a result there: the message that says so; None if it has no room. Long bytes are copied
        once, and not by the kernel. Raises what `pickle.dumps` raises."""
        start = self._start + self._half * self._size
        self._memory.seek(start)
        memory = _Bounded(self._memory, start + self._size)
        buffers: list[pickle.PickleBuffer] = []
        places = []
        try:
            pickle.dump(thing, memory, pickle.HIGHEST_PROTOCOL, buffer_callback=buffers.append)
            for data in (b"", *buffers):
                memory.write(data)
                places.append(_PLACE.pack(start, start := self._memory.tell()))
        except _NoRoom:
            return None
        self._half = 1 - self._half
        return _SHARED + b"".join(places)

    def take(self, message: bytes) -> Any:
        """What a message says that it is there. Its long buffers stay there, until the next thing but one is put."""
        memory = memoryview(self._memory)
        first, *rest = _PLACE.iter_unpack(message[1:])
        return pickle.loads(memory[slice(*first)], buffers=[memory[slice(*place)].toreadonly() for place in rest])


def _loaded(message: bytes, shared: _SharedPart | None) -> Any:
    return shared.take(message) if shared and message.startswith(_SHARED) else pickle.loads(message)


class _NoRoom(Exception):
    """The end of a part of the shared memory is near."""


class _Bounded:
    """The shared memory to an end, behind which is what the other process takes."""

    def __init__(self, memory: mmap, end: int) -> None:
        self._memory, self._end = memory, end

    def write(self, data: Any) -> int:
        """Writes bytes. Raises _NoRoom."""
        if self._memory.tell() + memoryview(data).nbytes > self._end:
            raise _NoRoom
        return self._memory.write(data)


class ForkServer:
    """A process that forks workers, each of which calls *work*. To be created while there is one thread only."""

    def __init__(self, work: Work) -> None:
        gc.freeze()  # objects of now are not visited by the garbage collection of workers, so their memory stays shared
        self._asking = Lock()  # several threads may have workers
        self._control, theirs = socket.socketpair()
        self._pid = os.fork()
        if self._pid == 0:
            self._control.close()
            _as_child(lambda: _serve(theirs, work))
        theirs.close()

    def start(self) -> WorkerProcess:
        """A new worker. Raises OSError if there is no server any more, or no more process."""
        ours, theirs = socket.socketpair()
        memory, shared = _new_memory()
        with theirs, self._asking:
            try:
                socket.send_fds(self._control, [_START], [theirs.fileno(), *([] if memory is None else [memory])])
            finally:
                if memory is not None:
                    os.close(memory)
            pid = self._answer()
        if pid <= 0:
            ours.close()
            raise OSError(-pid, os.strerror(-pid))
        return WorkerProcess(Connection(ours.detach()), pid, self, shared)

    def end_of(self, pid: int) -> str:
        """How a worker ended."""
        try:
            with self._asking:
                self._control.sendall(_STATUS + _NUMBER.pack(pid))
                status = self._answer()
        except OSError:
            return "ended"
        if status < 0:
            return f"was ended by {signal.strsignal(-status) or 'a signal'} (signal {-status})"
        return f"ended with status {status}"

    def close(self) -> None:
        """Ends the server; workers end when they have finished their batch."""
        self._control.close()
        with suppress(ChildProcessError):
            os.waitpid(self._pid, 0)

    def _answer(self) -> int:
        answer = self._control.recv(_NUMBER.size)
        if len(answer) < _NUMBER.size:
            raise BrokenPipeError("the server of workers has ended")
        number: int = _NUMBER.unpack(answer)[0]
        return number


def _new_memory() -> tuple[int, mmap] | tuple[None, None]:
    """New memory that processes can share, and its descriptor; None where there is no such thing, or no room."""
    if not hasattr(os, "memfd_create"):
        return None, None
    memory = None
    try:
        memory = os.memfd_create("nc-batches")
        os.truncate(memory, SHARED_BYTES)
        return memory, mmap(memory, SHARED_BYTES)
    except OSError:
        if memory is not None:
            os.close(memory)
        return None, None


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


def _serve(control: socket.socket, work: Work) -> None:
    """Answers the requests of the parent until it closes the connection."""
    while True:
        request, descriptors, _, _ = socket.recv_fds(control, 1 + _NUMBER.size, 2)
        if not request:
            with suppress(ChildProcessError):  # until there is no child: so the time of workers counts as the command's
                while True:
                    os.wait()
            return
        if request.startswith(_START):
            control.sendall(_NUMBER.pack(_fork(control, descriptors, work)))
        else:
            status = os.waitpid(_NUMBER.unpack(request[1:])[0], 0)[1]
            control.sendall(_NUMBER.pack(os.waitstatus_to_exitcode(status)))


def _fork(control: socket.socket, descriptors: list[int], work: Work) -> int:
    """The id of a new worker with that end of a connection, and with shared memory, if any; the negative number of an
    error."""
    try:
        pid = os.fork()
    except OSError as error:
        pid = -(error.errno or 1)
    if pid == 0:
        control.close()
        _as_child(lambda: _work(Connection(descriptors[0]), [*map(_mapped, descriptors[1:])], work))
    for descriptor in descriptors:
        os.close(descriptor)
    return pid


def _mapped(descriptor: int) -> _SharedPart:
    return _SharedPart(mmap(descriptor, SHARED_BYTES), BATCH_BYTES, RESULT_BYTES)


def _work(connection: Connection, parts: list[_SharedPart], work: Work) -> None:
    """Works on batches until the parent closes the connection."""
    shared = parts[0] if parts else None
    while True:
        try:
            message = connection.recv_bytes()
        except (EOFError, OSError):
            return
        batch = _loaded(message, shared)
        result = work(batch)
        del batch
        try:
            answer = (shared and shared.put(result)) or pickle.dumps(result, pickle.HIGHEST_PROTOCOL)
        except Exception:  # nested too deeply, for example: the parent works on it itself
            answer = _UNSENDABLE
        connection.send_bytes(answer)
