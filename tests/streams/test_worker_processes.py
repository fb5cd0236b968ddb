"""Workers in processes of their own: their results, their deaths, and what cannot be sent."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ncfilters.streams.worker_processes import SHARED_BYTES, ForkServer, Unsendable, WorkerDied


def work(items: list[Any]) -> Any:
    for item in items:
        if item == "crash":
            os.kill(os.getpid(), signal.SIGTERM)
        if item == "exit":
            os._exit(3)
        if item == "unsendable":
            return lambda: None
        if item == "sleep":
            time.sleep(60)
    return [os.getpid(), *items]


@pytest.fixture
def server() -> Iterator[ForkServer]:
    made = ForkServer(work)
    yield made
    made.close()


def test_work_is_done_in_another_process(server: ForkServer) -> None:
    workers = [server.start(), server.start()]
    pids = [worker.work(["a"])[0] for worker in workers]
    assert [worker.work(["b", 1])[1:] for worker in workers] == [["b", 1]] * 2
    assert pids == [worker.pid for worker in workers]
    assert len({os.getpid(), *pids}) == 3


def test_large_batches(server: ForkServer) -> None:
    items = ["x" * 3_000_000, b"y" * 3_000_000]
    assert server.start().work(items)[1:] == items


def test_batches_of_any_size_one_after_the_other(server: ForkServer) -> None:
    worker = server.start()
    for size in (10, SHARED_BYTES + 1, 100_000, SHARED_BYTES - 50, 0):
        assert worker.work([b"z" * size, "end"])[1:] == [b"z" * size, "end"]


def test_a_batch_is_sent_before_the_result_of_the_one_before_is_taken(server: ForkServer) -> None:
    worker = server.start()
    worker.send(["a"])
    for n in range(5):
        assert worker.send_ahead([b"z" * 100_000, n])
        assert worker.result()[-1] == ("a" if n == 0 else n - 1)
    assert not worker.send_ahead([b"z" * (SHARED_BYTES // 2)])  # no room beside the batch that is worked on
    assert not worker.send_ahead([lambda: None])
    assert worker.result()[1:] == [b"z" * 100_000, 4]
    assert worker.work(["b"])[1:] == ["b"]


def test_a_death_loses_the_batch_that_was_sent_ahead(server: ForkServer) -> None:
    worker = server.start()
    worker.send(["crash"])
    worker.send_ahead(["a"])
    with pytest.raises(WorkerDied, match="signal 15"):
        worker.result()
    assert server.start().work(["a"])[1:] == ["a"]


def test_batches_without_shared_memory(monkeypatch: pytest.MonkeyPatch, server: ForkServer) -> None:
    def fails(name: str) -> int:
        raise OSError("no memory")

    monkeypatch.setattr(os, "memfd_create", fails, raising=False)
    assert server.start().work(["a", b"b" * 3_000_000])[1:] == ["a", b"b" * 3_000_000]
    monkeypatch.delattr(os, "memfd_create")
    assert server.start().work(["a"])[1:] == ["a"]


@pytest.mark.parametrize(("item", "how"), [("crash", "signal 15"), ("exit", "ended with status 3")])
def test_a_death_says_how_and_another_worker_can_be_started(server: ForkServer, item: str, how: str) -> None:
    worker = server.start()
    with pytest.raises(WorkerDied, match=how):
        worker.work(["a", item])
    assert server.start().work(["a"])[1:] == ["a"]


def test_what_cannot_be_sent(server: ForkServer) -> None:
    worker = server.start()
    for item in (lambda: None, "unsendable"):
        with pytest.raises(Unsendable):
            worker.work([item])
    assert worker.work(["a"])[1:] == ["a"]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc")
def test_workers_end_with_the_server() -> None:
    server = ForkServer(work)
    pid = server.start().pid
    server.close()
    with pytest.raises(OSError):
        server.start()
    assert _ends(pid)


def test_a_worker_can_be_killed(server: ForkServer) -> None:
    worker = server.start()
    worker.kill()
    with pytest.raises(WorkerDied, match="signal 9"):
        worker.work(["a"])


def _ends(pid: int) -> bool:
    """Whether a process ends soon, on systems where that can be seen."""
    for _ in range(200):
        if not Path(f"/proc/{pid}").exists() or Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z":
            return True
        time.sleep(0.05)
    return False
