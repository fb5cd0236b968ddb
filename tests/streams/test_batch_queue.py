"""Batches between threads: what is in hand is bounded, and results that wait for an earlier one take little room."""

from __future__ import annotations

import threading
import time

import pytest

from ncfilters.streams import batch_queue
from ncfilters.streams.batch_queue import MOMENT, BatchQueue, ParallelOptions, QueuedBatch


def taken(queue: BatchQueue) -> QueuedBatch:
    batch = queue.take()
    assert batch is not None and batch.items
    return batch


def reading(queue: BatchQueue, number: int) -> tuple[threading.Thread, list[int]]:
    """A thread that puts so many items of one byte, and those that it has put."""
    done: list[int] = []

    def read() -> None:
        for item in range(number):
            if not queue.put(item, 1):
                break
            done.append(item)
        queue.end()

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    return thread, done


def settled(done: list[int]) -> int:
    """How many items are put when no more are."""
    before = -1
    while before != len(done):
        before = len(done)
        time.sleep(0.1)
    return before


def test_items_come_with_their_results_in_order() -> None:
    queue = BatchQueue(ParallelOptions(jobs=2, batch_bytes=2))
    for item in "abcd":
        queue.put(item, 1)
    queue.end()
    batches = []
    while (batch := queue.take()) is not None:
        batches.append(batch)
    for batch in reversed(batches):
        queue.give(batch, [item.upper() for item in batch.items])
    assert [*queue.results()] == [("a", "A"), ("b", "B"), ("c", "C"), ("d", "D")]


@pytest.mark.parametrize(("keeps_little", "most"), [(False, 4), (True, 7)])
def test_results_that_wait_take_less_room_where_little_is_kept(keeps_little: bool, most: int) -> None:
    queue = BatchQueue(ParallelOptions(1, batch_bytes=2, kept=(lambda item: -item) if keeps_little else None))
    _, done = reading(queue, 100)
    first = taken(queue)
    while settled(done) and (batch := queue.take_ahead()):
        queue.give(batch, batch.items)  # all but the first
    assert settled(done) == most
    queue.give(first, first.items)
    results = queue.results()
    assert [next(results) for _ in range(4)] == [(-n if keeps_little else n, n) for n in range(4)]
    queue.stop()


def test_a_batch_is_not_waited_for_where_reading_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_queue, "MOMENT", 60.0)
    queue = BatchQueue(ParallelOptions(1, batch_bytes=20, batches_ahead=2))
    queue.put("a", 30)
    taken(queue)
    queue.put("b", 9)
    threading.Thread(target=queue.put, args=("c", 9), daemon=True).start()  # for which there is no room
    start = time.monotonic()
    assert taken(queue).items == ["b"]
    assert time.monotonic() - start < 30
    queue.stop()


def test_a_batch_that_is_not_full_is_taken_after_a_moment() -> None:
    queue = BatchQueue(ParallelOptions(1, batch_bytes=100))
    queue.put("a", 1)
    start = time.monotonic()
    assert taken(queue).items == ["a"]
    assert time.monotonic() - start >= MOMENT
    queue.end()
    assert queue.take() is None


def test_an_error_of_reading_comes_after_the_results() -> None:
    queue = BatchQueue(ParallelOptions())
    queue.put("a", 1)
    queue.end(OSError("it"))
    batch = taken(queue)
    queue.give(batch, ["A"])
    results = queue.results()
    assert next(results) == ("a", "A")
    with pytest.raises(OSError, match="it"):
        next(results)
