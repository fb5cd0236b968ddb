"""The stream loop."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import Any

import pytest

from ncfilters.errors import RecordError
from ncfilters.record import Record
from ncfilters.streams.runner import Process, StreamOptions, per_record, run, schema_error


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


def test_records_come_out_in_order_with_the_version() -> None:
    assert processed(per_record(lambda record: record), {"id": 1}, {"id": 2}) == (
        0,
        [{"id": 1, "nc": 1}, {"id": 2, "nc": 1}],
    )


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


def test_strict_stops_at_the_first_failure() -> None:
    status, out = processed(per_record(lambda record: record), {"id": 1}, RecordError("bad"), {"id": 3}, strict=True)
    assert (status, len(out)) == (1, 2)


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
        assert run(source, per_record(lambda record: record), sink, StreamOptions("nc-test")) == status
        assert sink.ended == ended


def test_a_dropped_record_is_no_failure() -> None:
    drop: Callable[[Record], Record | None] = lambda record: None if record["id"] == 1 else record  # noqa: E731
    assert processed(per_record(drop), {"id": 1}, {"id": 2}) == (0, [{"id": 2, "nc": 1}])


def test_an_earlier_error_passes_through_and_counts() -> None:
    failed = {"id": 1, "error": {"stage": "nc-warc", "message": "truncated"}}
    status, out = processed(per_record(lambda record: {"never": "called"}), failed)
    assert (status, out) == (1, [{**failed, "nc": 1}])


def test_a_record_of_wrong_types_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    status, (out,) = processed(per_record(lambda record: record), {"id": 1, "html": 7})
    assert status == 1 and "html" in out["error"]["message"]
    assert capsys.readouterr().err.startswith("nc-test: record 1 (1): html: ")


def test_a_stream_without_memory_ends_with_a_message(capsys: pytest.CaptureFixture[str]) -> None:
    class Endless(Source):
        def __iter__(self) -> Any:
            yield {"id": 1}
            raise MemoryError

    sink = Collector()
    assert run(Endless(), per_record(lambda record: record), sink, StreamOptions("nc-test")) == 1
    assert [record["id"] for record in sink.records] == [1]
    assert capsys.readouterr().err == "nc-test: out of memory\n"


def test_a_record_that_cannot_be_written_is_an_error() -> None:
    status, out = processed(per_record(lambda record: record), {"id": 1, "odd": 2}, {"id": 3})
    assert status == 1
    assert out[0] == {"id": 1, "nc": 1, "error": {"stage": "nc-test", "message": "cannot be written"}}


def test_a_record_whose_id_cannot_be_written_is_an_error_without_it() -> None:
    earlier = {"id": "odd", "error": {"stage": "nc-warc", "message": 7}}
    status, out = processed(per_record(lambda record: record), {"id": "odd"}, earlier, {"id": 3})
    assert status == 1
    assert [record.get("error") for record in out] == [
        {"stage": "nc-test", "message": "cannot be written"},
        {"stage": "nc-warc", "message": "7"},
        None,
    ]


def test_fields_of_other_programs_are_mapped() -> None:
    assert processed(per_record(lambda record: record), {"content": "<p>"}, fields={"html": "content"})[1] == [
        {"html": "<p>", "nc": 1}
    ]


def test_a_name_of_a_field_that_no_record_has_is_remarked(capsys: pytest.CaptureFixture[str]) -> None:
    processed(list, {"html": "x"}, {"html": "y"}, fields={"html": "contnet"})
    assert capsys.readouterr().err == "nc-test: no record has the field contnet (--field html)\n"
    processed(list, {"html": "x"}, fields={"html": "contnet"}, quiet=True)
    processed(list, {"html": "x"}, {"contnet": "y"}, fields={"html": "contnet"})
    processed(list, fields={"html": "contnet"})
    assert capsys.readouterr().err == ""


def test_an_error_of_an_earlier_stage_stays_and_is_not_told_again(capsys: pytest.CaptureFixture[str]) -> None:
    failed = {"id": 1, "html": 7, "nc": 9, "error": {"stage": "nc-before", "message": "html: a number"}}
    assert processed(per_record(lambda record: {"id": 2}), failed) == (1, [failed])
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
