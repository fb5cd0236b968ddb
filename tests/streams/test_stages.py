"""Several stages in one process do what a pipe of filters does."""

from __future__ import annotations

from typing import Any

from ncfilters.errors import RecordError
from ncfilters.record import Record
from ncfilters.streams.runner import per_record
from ncfilters.streams.stages import Outcome, Stage, through


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


def test_failed_records_pass_through() -> None:
    failed: Record = {"text": "abc", "error": {"stage": "nc-warc", "message": "truncated"}}
    assert through(STAGES, [failed]) == [Outcome(failed)]


def test_each_stage_checks_what_it_reads() -> None:
    wrong_later = Stage("nc-wrong", per_record(lambda record: {**record, "html": 7}))
    first, second = Stage("nc-a", per_record(lambda record: record)), Stage("nc-b", per_record(lambda record: record))
    assert described(through([first], [{"html": 7}])[0])[1:] == (
        "html: expected a string or bytes, got a number",
        "nc-a",
    )
    assert described(through([first, wrong_later, second], [{}])[0])[1:] == (
        "html: expected a string or bytes, got a number",
        "nc-b",
    )
    not_a_record: Any = ["a"]
    assert described(through([first], [not_a_record])[0])[1:] == ("expected a record, got an array", "nc-a")


def test_a_batch_that_fails_is_processed_one_by_one() -> None:
    seen: list[int] = []

    def together(records: list[Record]) -> list[Record]:
        seen.append(len(records))
        if any(record["id"] == 1 for record in records):
            raise ValueError("one")
        return records

    out = through([Stage("nc-all", together)], [{"id": n} for n in range(3)])
    assert [described(outcome)[1] for outcome in out] == [None, "ValueError: one", None]
    assert seen == [3, 1, 1, 1]


def test_a_stage_is_not_run_without_records() -> None:
    def never(records: list[Record]) -> list[Record]:
        raise AssertionError("no record is left")

    assert [outcome.tool for outcome in through([STAGES[0], Stage("nc-never", never)], [{"text": "bad"}])] == [
        "nc-upper"
    ]
    assert through([Stage("nc-never", never)], []) == []
