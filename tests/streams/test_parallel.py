"""Results come in order, from one process or several; a dead worker costs one item; memory and delay are bounded."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ncfilters.errors import UsageError
from ncfilters.streams.batch_queue import ParallelOptions
from ncfilters.streams.parallel import in_parallel
from ncfilters.streams.worker_processes import ForkServer, WorkerProcess

JOBS = [1, 3]


def work(items: list[Any]) -> list[Any]:
    for item in items:
        if item == "crash":
            os.kill(os.getpid(), signal.SIGKILL)
        if isinstance(item, float):
            time.sleep(item)
    return [(len(items), item) for item in items]


def at_death(item: Any, how: str) -> Any:
    return "dead", item, how


def sized(items: list[Any], size: int = 1) -> Iterator[tuple[Any, int]]:
    return ((item, size) for item in items)


def results(items: list[Any], options: ParallelOptions) -> list[Any]:
    found = list(in_parallel(sized(items), work, at_death, options))
    assert [item for item, _ in found] == items
    return [result for _, result in found]


@pytest.mark.parametrize("jobs", JOBS)
def test_results_are_in_order(jobs: int) -> None:
    items = [0.05 if n % 7 == 1 else n for n in range(60)]
    found = results(items, ParallelOptions(jobs, batch_bytes=4))
    assert [result[1] for result in found] == items
    assert found[0][0] == 1  # the first one is worked on at once
    assert max(result[0] for result in found) == 4


def test_the_last_batches_are_small_so_that_workers_end_together() -> None:
    sizes = [size for size, _ in results([0.001] * 100, ParallelOptions(jobs=2, batch_bytes=16))]
    assert max(sizes) > 8 and sizes[-1] == 1


@pytest.mark.parametrize("items", [[], ["a"]])
def test_one_item_starts_neither_thread_nor_process(items: list[str]) -> None:
    before = threading.active_count()
    pids: list[int] = []

    def where(batch: list[Any]) -> list[Any]:
        pids.append(os.getpid())
        assert threading.active_count() == before
        return batch

    assert list(in_parallel(sized(items), where, at_death, ParallelOptions(4))) == [(item, item) for item in items]
    assert pids == [os.getpid()] * len(items)


def test_a_dead_worker_costs_one_item() -> None:
    items = ["a", *range(10), "crash", *range(10, 20)]
    found = results(items, ParallelOptions(2, batch_bytes=6))
    dead = [result for result in found if result[0] == "dead"]
    assert [result[1] for result in dead] == ["crash"]
    assert "signal 9" in dead[0][2]
    assert [result[1] for result in found] == items


@pytest.mark.parametrize("jobs", JOBS)
def test_an_item_of_a_slow_source_does_not_wait(jobs: int) -> None:
    seen = threading.Semaphore(0)

    def slow() -> Iterator[tuple[Any, int]]:
        for number in range(4):
            yield number, 1
            # the next item comes only when the result of this one has been seen, except after the first: the second
            # one is awaited to know that it is not the only one
            assert number == 0 or seen.acquire(timeout=30)

    with closing(in_parallel(slow(), work, at_death, ParallelOptions(jobs))) as found:
        for item, _ in found:
            if item:
                seen.release()


@pytest.mark.parametrize("jobs", JOBS)
def test_few_items_are_read_ahead(jobs: int) -> None:
    read = []

    def endless() -> Iterator[tuple[Any, int]]:
        while True:
            read.append(1)
            yield len(read), 10

    options = ParallelOptions(jobs, batch_bytes=20, batches_ahead=2)
    with closing(in_parallel(endless(), work, at_death, options)) as found:
        for number in range(100):
            assert next(found)[0] == number + 1
            assert len(read) <= number + 2 * 2 * jobs + 4


@pytest.mark.parametrize("jobs", JOBS)
def test_an_error_of_the_source_comes_after_the_results_before(jobs: int) -> None:
    def broken() -> Iterator[tuple[Any, int]]:
        yield from sized(list(range(10)))
        raise OSError(5, "input/output error")

    found = []
    with pytest.raises(OSError, match="input/output error"):
        found.extend(item for item, _ in in_parallel(broken(), work, at_death, ParallelOptions(jobs, 3)))
    assert found == list(range(10))


def test_an_error_of_the_work_ends_everything() -> None:
    def fails(items: list[Any]) -> list[Any]:
        if items != [0]:
            raise ZeroDivisionError
        return items

    with pytest.raises(ZeroDivisionError):
        list(in_parallel(sized([0, 1, 2]), fails, at_death, ParallelOptions(1)))


def test_a_worker_that_is_killed_once_costs_nothing(tmp_path: Path) -> None:
    def dies_once(items: list[Any]) -> list[Any]:
        if "b" in items and not (tmp_path / "died").exists():
            (tmp_path / "died").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return items

    found = list(in_parallel(sized(["a", "b", "c"]), dies_once, at_death, ParallelOptions(2, batch_bytes=1)))
    assert [result for _, result in found] == ["a", "b", "c"]
    assert (tmp_path / "died").exists()


def test_workers_get_batches_ahead_and_a_death_loses_none_of_them() -> None:
    def waits(items: list[Any]) -> list[Any]:
        time.sleep(0.01)
        return work(items)

    items = [*range(20), "crash", *range(20, 40), "crash", *range(40, 60), len, lambda: None, *range(60, 80)]
    found = list(in_parallel(sized(items), waits, at_death, ParallelOptions(2, batch_bytes=2, batches_ahead=9)))
    assert [item for item, _ in found] == items
    assert [result[1] for _, result in found] == items
    assert sum(result[0] == "dead" for _, result in found) == 2


def test_workers_with_a_batch_do_not_wait_for_their_next_one(monkeypatch: pytest.MonkeyPatch) -> None:
    ahead: list[bool] = []
    send_ahead = WorkerProcess.send_ahead

    def noted(self: WorkerProcess, batch: Any) -> bool:
        ahead.append(send_ahead(self, batch))
        return ahead[-1]

    monkeypatch.setattr(WorkerProcess, "send_ahead", noted)
    items = [0.01] * 60
    assert [result[1] for result in results(items, ParallelOptions(2, batch_bytes=2, batches_ahead=9))] == items
    assert ahead.count(True) > 5


def test_what_cannot_be_sent_is_worked_on_here() -> None:
    items = ["a", len, lambda: None, "b"]
    assert [result[1] for result in results(items, ParallelOptions(2, batch_bytes=1))] == items


@pytest.mark.parametrize("jobs", JOBS)
@pytest.mark.parametrize("room", range(4))
def test_as_many_threads_as_there_is_room_for(jobs: int, room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    start, started = threading.Thread.start, []

    def start_or_fail(thread: threading.Thread) -> None:
        if len(started) == room:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", start_or_fail)
    if room < 2:
        with pytest.raises(UsageError, match="no thread can be started"):
            results([1, 2, 3], ParallelOptions(jobs))
    else:
        assert [item for _, item in results([*range(50)], ParallelOptions(jobs, batch_bytes=4))] == [*range(50)]


@pytest.mark.parametrize("room", [0, 2])
def test_processes_that_cannot_be_started_are_not_replaced_by_threads(
    room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    start, started = ForkServer.start, []

    def start_or_fail(server: ForkServer) -> WorkerProcess:
        if len(started) == room:
            raise OSError("no memory")
        started.append(start(server))
        return started[-1]

    monkeypatch.setattr(ForkServer, "start", start_or_fail)
    items = [*range(50)]
    pids = [pid for _, pid in in_parallel(sized(items), pids_of, at_death, ParallelOptions(4, batch_bytes=4))]
    others = {worker.pid for worker in started} or {os.getpid()}
    assert len(pids) == 50 and set(pids[1:]) <= others  # the first is worked on here


def pids_of(items: list[Any]) -> list[int]:
    return [os.getpid() for _ in items]


def test_without_another_process_what_killed_one_is_not_tried_here(monkeypatch: pytest.MonkeyPatch) -> None:
    start, started = ForkServer.start, []

    def start_once(server: ForkServer) -> WorkerProcess:
        if started:
            raise OSError("no memory")
        started.append(start(server))
        return started[-1]

    monkeypatch.setattr(ForkServer, "start", start_once)
    with pytest.raises(UsageError, match="no other can be started"):
        results([1, 2, "crash", 3, 4], ParallelOptions(2, batch_bytes=1))
