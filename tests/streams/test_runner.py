"""The stream loop."""

from __future__ import annotations

import os
import queue
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ncfilters.errors import RecordError, UsageError
from ncfilters.record import Record
from ncfilters.streams.pool import Limits, ParallelOptions, Pool, _Server, in_parallel
from ncfilters.streams.runner import Outcome, Process, Stage, StreamOptions, per_record, run, schema_error, through


class Source:
    """Records, each of a byte."""

    def __init__(self, *items: Record | RecordError) -> None:
        self._items, self.bytes = items, 0

    def __iter__(self) -> Any:
        for item in self._items:
            self.bytes += 1
            yield item


class Collector:
    """A sink that keeps records, and cannot write those that have `odd`, or the id `odd`."""

    def __init__(self) -> None:
        self.records: list[Record] = []

    def write(self, record: Record) -> None:
        if "odd" in record or record.get("id") == "odd":
            raise RecordError("cannot be written")
        self.records.append(record)

    def close(self) -> None:
        pass


def processed(process: Process, *items: Any, **options: Any) -> tuple[int, list[Record]]:
    """The exit status, and the records that came out."""
    sink = Collector()
    return run(Source(*items), process, sink, StreamOptions("nc-test", **options)), sink.records


SAME = per_record(lambda record: record)
UNWRITTEN = {"stage": "nc-test", "message": "cannot be written"}


@pytest.mark.parametrize(("items", "options", "expected"), [
    ([{"id": 1}, {"id": 2}], {}, (0, [{"id": 1, "nc": 1}, {"id": 2, "nc": 1}])),
    ([{"content": "<p>"}], {"fields": {"html": "content"}}, (0, [{"html": "<p>", "nc": 1}])),
    ([{"id": 1}, RecordError("bad"), {"id": 3}], {"strict": True},
     (1, [{"id": 1, "nc": 1}, {"error": {"stage": "nc-test", "message": "bad"}, "nc": 1}])),
    ([{"id": 1, "odd": 2}], {}, (1, [{"id": 1, "nc": 1, "error": UNWRITTEN}])),
    ([{"id": "odd"}], {}, (1, [{"nc": 1, "error": UNWRITTEN}])),
    ([{"id": "odd", "error": {"stage": "nc-warc", "message": 7}}], {},
     (1, [{"nc": 1, "error": {"stage": "nc-warc", "message": "7"}}])),
])  # fmt: skip
def test_records_and_errors_come_out_in_order_with_the_version(
    items: list[Any], options: dict[str, Any], expected: tuple[int, list[Record]]
) -> None:
    assert processed(SAME, *items, **options) == expected


@pytest.mark.parametrize("batch_bytes", [0, 2, 100])
def test_a_batch_that_fails_is_processed_record_by_record(batch_bytes: int) -> None:
    def process(records: list[Record]) -> list[Record]:
        if any(record["id"] == 2 for record in records):
            raise ValueError("two")
        return [{**record, "done": True} for record in records]

    status, out = processed(process, *({"id": number} for number in range(4)), batch_bytes=batch_bytes)
    assert status == 1
    assert [record.get("done") for record in out] == [True, True, None, True]
    assert out[2] == {"id": 2, "error": {"stage": "nc-test", "message": "ValueError: two"}, "nc": 1}


def test_an_interrupted_run_discards_what_is_not_complete() -> None:
    class Interrupted(Source):
        def __iter__(self) -> Any:
            yield {"id": 1}
            signal.raise_signal(signal.SIGINT)
            yield {"id": 2}

    class Files(Collector):
        ended = ""

        def close(self) -> None:
            self.ended += "closed"

        def discard(self) -> None:
            self.ended += "discarded"

    for source, status, ended in ((Interrupted(), 130, "discarded"), (Source({"id": 1}), 0, "closed")):
        sink = Files()
        assert run(source, SAME, sink, StreamOptions("nc-test")) == status
        assert sink.ended == ended


def test_a_record_of_wrong_types_is_an_error_and_a_dropped_one_none(capsys: pytest.CaptureFixture[str]) -> None:
    status, (out,) = processed(SAME, {"id": 1, "html": 7})
    assert status == 1 and "html" in out["error"]["message"]
    assert capsys.readouterr().err.startswith("nc-test: record 1 (1): html: ")
    drop = per_record(lambda record: None if record["id"] == 1 else record)
    assert processed(drop, {"id": 1}, {"id": 2}) == (0, [{"id": 2, "nc": 1}])


def test_a_stream_without_memory_ends_with_a_message(capsys: pytest.CaptureFixture[str]) -> None:
    class Endless(Source):
        def __iter__(self) -> Any:
            yield {"id": 1}
            raise MemoryError

    sink = Collector()
    assert run(Endless(), SAME, sink, StreamOptions("nc-test")) == 1
    assert [record["id"] for record in sink.records] == [1]
    assert capsys.readouterr().err == "nc-test: out of memory\n"


def test_a_name_of_a_field_that_no_record_has_is_remarked(capsys: pytest.CaptureFixture[str]) -> None:
    processed(list, {"html": "x"}, {"html": "y"}, fields={"html": "contnet"})
    assert capsys.readouterr().err == "nc-test: no record has the field contnet (--field html)\n"
    processed(list, {"html": "x"}, fields={"html": "contnet"}, quiet=True)
    processed(list, {"html": "x"}, {"contnet": "y"}, fields={"html": "contnet"})
    processed(list, fields={"html": "contnet"})
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("fields", [{"html": 7, "nc": 9}, {"nc": 1}])
def test_an_error_of_an_earlier_stage_stays_and_is_not_told_again(
    fields: dict[str, int], capsys: pytest.CaptureFixture[str]
) -> None:
    failed = {"id": 1, **fields, "error": {"stage": "nc-before", "message": "html: a number"}}
    assert processed(per_record(lambda record: {"never": "called"}), failed) == (1, [failed])
    assert capsys.readouterr().err == ""


def test_a_record_that_fails_and_cannot_be_written_counts_once(capsys: pytest.CaptureFixture[str]) -> None:
    def process(record: Record) -> Record:
        raise RecordError("first")

    status, records = processed(per_record(process), {"id": 1, "odd": 1}, verbose=True)
    assert (status, records) == (1, [{"id": 1, "nc": 1, "error": {"stage": "nc-test", "message": "first"}}])
    err = capsys.readouterr().err
    assert err.count("record 1") == 1
    assert "1 in, 1 out, 1 errors" in err


def test_an_error_keeps_neither_frames_nor_records() -> None:
    def check(record: Record) -> Record:
        try:
            return record["none"]  # type: ignore[no-any-return]
        except KeyError:
            raise RecordError("none: missing") from None

    (error,) = per_record(check)([{}])
    for result in (error, schema_error({"url": 7})):
        assert isinstance(result, RecordError)
        assert (result.__traceback__, result.__context__) == (None, None)


# ---- results come in order, from one process or several, and a dead process costs one item ----
JOBS = [1, 3]


def work(items: list[Any]) -> list[Any]:
    for item in items:
        if item == "crash":
            os.kill(os.getpid(), signal.SIGKILL)
        if item == "exit":
            os._exit(3)
        if item == "memory":
            bytearray(1 << 33)
        if item == "unsendable":
            return [lambda: None for _ in items]
        if isinstance(item, float):
            time.sleep(item)
    return [(len(items), item, os.getpid()) for item in items]


def at_death(item: Any, how: str) -> Any:
    return "dead", item, how


def sized(items: list[Any]) -> Iterator[tuple[Any, int]]:
    return ((item, 1) for item in items)


def results(items: list[Any], options: ParallelOptions) -> list[Any]:
    found = list(in_parallel(sized(items), work, at_death, options))
    assert [item for item, _ in found] == items
    assert [result[1] for _, result in found] == items
    return [result for _, result in found]


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """For how many processes there is room."""
    start, left = _Server.start, [0]

    def start_or_fail(server: _Server) -> Any:
        if not left[0]:
            raise OSError("no memory")
        left[0] -= 1
        return start(server)

    monkeypatch.setattr(_Server, "start", start_or_fail)
    return left


@pytest.mark.parametrize("jobs", JOBS)
def test_results_are_in_order(jobs: int) -> None:
    found = results([0.05 if n % 7 == 1 else n for n in range(60)], ParallelOptions(jobs, batch_bytes=4))
    assert found[0][0] == 1  # the first one is worked on at once
    assert max(result[0] for result in found) == 4


def test_the_last_batches_are_small_so_that_workers_end_together() -> None:
    sizes = [result[0] for result in results([0.001] * 100, ParallelOptions(jobs=2, batch_bytes=16))]
    assert max(sizes) > 8 and sizes[-1] == 1


@pytest.mark.parametrize("items", [[], ["a"]])
def test_one_item_starts_neither_thread_nor_process(items: list[str]) -> None:
    before = threading.active_count()
    found = [result for _, result in in_parallel(sized(items), work, at_death, ParallelOptions(4))]
    assert found == [(1, item, os.getpid()) for item in items] and threading.active_count() <= before


@pytest.mark.parametrize("fatal, how", [("crash", "signal 9"), ("exit", "ended with status 3")])
def test_a_dead_process_costs_one_item(fatal: str, how: str) -> None:
    found = results(["a", *range(20), fatal, *range(20), fatal, "b"], ParallelOptions(2, batch_bytes=6))
    dead = [result for result in found if result[0] == "dead"]
    assert [result[1] for result in dead] == [fatal] * 2 and all(how in result[2] for result in dead)


def test_a_process_that_is_killed_once_costs_nothing(tmp_path: Path) -> None:
    def dies_once(items: list[Any]) -> list[Any]:
        if "b" in items and not (tmp_path / "died").exists():
            (tmp_path / "died").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return items

    found = list(in_parallel(sized(["a", "b", "c"]), dies_once, at_death, ParallelOptions(2, batch_bytes=1)))
    assert [result for _, result in found] == ["a", "b", "c"] and (tmp_path / "died").exists()


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


@pytest.mark.parametrize("jobs, kept, ahead", [(1, None, 44), (3, None, 28), (3, lambda item: None, 104)])
def test_few_items_are_read_ahead(jobs: int, kept: Any, ahead: int) -> None:
    read = []

    def endless() -> Iterator[tuple[Any, int]]:
        while True:
            read.append(1)
            yield len(read), 10

    with closing(in_parallel(endless(), work, at_death, ParallelOptions(jobs, 20, kept))) as found:
        for number in range(100):
            assert next(found)[1][1] == number + 1
            assert len(read) <= number + ahead


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
        return [1 // (1 - item) for item in items]

    with pytest.raises(ZeroDivisionError):
        list(in_parallel(sized([0, 1, 2]), fails, at_death, ParallelOptions(1)))


@pytest.mark.parametrize("item", [lambda: None, "unsendable"])
def test_what_cannot_be_sent_is_worked_on_here(item: Any) -> None:
    found = list(in_parallel(sized(["a", "b", item, "c"]), work, at_death, ParallelOptions(2, batch_bytes=1)))
    assert [given for given, _ in found] == ["a", "b", item, "c"]
    assert callable(found[2][1]) if item == "unsendable" else found[2][1][2] == os.getpid()


@pytest.mark.parametrize("threads", [0, 1])
def test_without_room_for_a_thread_nothing_is_done(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    start, started = threading.Thread.start, []

    def start_or_fail(thread: threading.Thread) -> None:
        if len(started) == threads:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", start_or_fail)
    with pytest.raises(UsageError, match="no thread can be started"):
        results([1, 2, 3], ParallelOptions(1))


@pytest.mark.parametrize("processes", [0, 2])
def test_processes_that_cannot_be_started_are_not_replaced_by_threads(processes: int, room: list[int]) -> None:
    room[0] = processes
    pids = [result[2] for result in results([0.001] * 50, ParallelOptions(4, batch_bytes=4))]
    assert len(set(pids[1:]) - {os.getpid()}) == processes  # the first is worked on here
    assert (os.getpid() in pids[1:]) == (not processes)


def test_without_another_process_what_killed_one_is_not_tried_here(room: list[int]) -> None:
    room[0] = 2
    with pytest.raises(UsageError, match="no other can be started"):
        results([1, 2, "crash", 3, 4], ParallelOptions(2, batch_bytes=1))


def test_work_is_done_in_other_processes_that_end_with_the_pool() -> None:
    with closing(Pool(2, work, at_death)) as pool:
        items = ["x" * 3_000_000, b"y" * 3_000_000]
        found = pool(items)
        assert [result[1] for result in found] == items and found[0][2] != os.getpid()
        assert [result[:2] for result in pool(["crash", "a"])] == [("dead", "crash"), (1, "a")]
        pids = {result[2] for _ in range(4) for result in pool([1])}
        assert len(pids) == 2
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@pytest.mark.parametrize("item, limits", [(60.0, Limits(seconds=0.3)), ("memory", Limits(memory=1 << 32))])
def test_an_item_beyond_a_limit_ends_its_process_alone(item: Any, limits: Limits) -> None:
    with closing(Pool(1, work, at_death, limits._replace(lives=1))) as pool:
        assert pool([item])[0][:2] == ("dead", item)
        assert pool(["b"])[0][1] == "b"


def test_a_caller_does_not_wait_longer_than_it_says() -> None:
    with closing(Pool(1, work, at_death)) as pool:
        thread = threading.Thread(target=pool, args=([0.5],))
        thread.start()
        time.sleep(0.1)
        with pytest.raises(queue.Empty):
            pool(["a"], wait=0.05)
        thread.join()
        assert pool(["a"], wait=5.0)[0][1] == "a"


# ---- several stages in one process do what a pipe of filters does ----
def upper(record: Record) -> Record:
    if record.get("text") == "bad":
        raise RecordError("text: bad")
    return {**record, "text": record["text"].upper()}


def drop_short(record: Record) -> Record | None:
    if record["text"] == "WORSE":
        raise ZeroDivisionError("worse")
    return record if len(record["text"]) > 1 else None


STAGES = [Stage("nc-upper", per_record(upper)), Stage("nc-drop", per_record(drop_short))]


def described(outcome: Outcome) -> tuple[Record | None, str | None, str]:
    return outcome.record, outcome.error and str(outcome.error), outcome.tool


def test_records_go_through_all_stages_in_order() -> None:
    records: list[Record] = [{"id": n, "text": text} for n, text in enumerate(["abc", "a", "bad", "worse", "de"])]
    assert [described(outcome) for outcome in through(STAGES, records)] == [
        ({"id": 0, "text": "ABC"}, None, ""),
        (None, None, ""),
        ({"id": 2, "text": "bad"}, "text: bad", "nc-upper"),
        # the record is what the failing stage read
        ({"id": 3, "text": "WORSE"}, "ZeroDivisionError: worse", "nc-drop"),
        ({"id": 4, "text": "DE"}, None, ""),
    ]


def test_each_stage_checks_what_it_reads() -> None:
    wrong_later = Stage("nc-wrong", per_record(lambda record: {**record, "html": 7}))
    first, second = Stage("nc-a", SAME), Stage("nc-b", SAME)
    given: list[tuple[list[Stage], Any, str, str]] = [
        ([first], {"html": 7}, "html: expected a string or bytes, got a number", "nc-a"),
        ([first, wrong_later, second], {}, "html: expected a string or bytes, got a number", "nc-b"),
        ([first], ["a"], "expected a record, got an array", "nc-a"),
    ]
    for stages, record, *expected in given:
        assert list(described(through(stages, [record])[0])[1:]) == expected


def test_a_stage_is_not_run_without_records() -> None:
    def never(records: list[Record]) -> list[Record]:
        raise AssertionError("no record is left")

    stages = [STAGES[0], Stage("nc-never", never)]
    assert [outcome.tool for outcome in through(stages, [{"text": "bad"}])] == ["nc-upper"]
    assert through(stages[1:], []) == []
    failed: Record = {"text": "abc", "error": {"stage": "nc-warc", "message": "truncated"}}
    assert through(STAGES, [failed]) == [Outcome(failed)]
