"""Streams with broken records: each is counted, in both formats and with any number of processes."""

from __future__ import annotations

import pytest

from bench import fault_records

EVERY = 10  # one of ten is broken
NUM_RECORDS = EVERY * len(fault_records.WAYS)  # each way once


def test_there_are_thirty_ways() -> None:
    assert len(fault_records.WAYS) == 30


@pytest.mark.slow
def test_every_record_comes_out_and_every_broken_one_has_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fault_records, "EVERY", EVERY)
    rows = fault_records.rows(NUM_RECORDS)
    for _, stream, differ in rows:
        assert (stream.documents, stream.broken) == (NUM_RECORDS, len(fault_records.WAYS))
        assert (stream.missing, stream.unmarked, stream.wrong, differ) == (0, 0, 0, 0)
    assert fault_records.table(rows).count("\n") == 1 + len(rows)


def test_what_is_lost_is_counted() -> None:
    stream = fault_records.Stream()
    fault_records.count_document(stream, {"id": 0}, "", 0)
    fault_records.count_document(stream, {"id": 0}, "", 1)
    fault_records.count_document(stream, {"id": 2}, "cut", 2)
    fault_records.count_document(stream, {"id": 3, "error": {}}, "", 3)
    assert (stream.documents, stream.broken, stream.unmarked, stream.wrong) == (4, 1, 1, 2)


def test_the_slope_is_that_of_the_second_half_without_outliers() -> None:
    stream = fault_records.Stream(memory=[(0, 50.0), (10, 80.0), (100_000, 100.0), (200_000, 103.0)])
    assert stream.slope == pytest.approx(3.0)
    memory = [(number, 50 + number * 1e-5 + number % 2 / 4) for number in range(0, 1_000_000, 9_999)]
    stream = fault_records.Stream(memory=[*memory, (1_000_001, 9.0)])  # a process has ended
    assert stream.slope == pytest.approx(1.0, abs=0.1)
    assert fault_records.Stream().slope == 0
