"""Several stages in one process, without serialising between them: what a pipe of filters does.

    through([Stage("nc-segment", segment), Stage("nc-score", score)], [{"id": "a", "html": "<p>Text."}])

Each stage checks the records that it reads, and a record that fails passes the later ones by, as in a pipe.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..errors import RecordError
from ..record import NAMES, Record, is_error
from .runner import Process, process_batch, schema_error


class Stage(NamedTuple):
    """A stage: the tool that does it alone, which error records name, and its processing."""

    tool: str
    process: Process


class Outcome(NamedTuple):
    """What became of a record: the record after its last stage (None if that dropped it), and if a stage failed, the
    error and the tool of the stage, whose input the record is."""

    record: Record | None
    error: RecordError | None = None
    tool: str = ""


# What becomes of a result of the first stage in all later stages at once; or the record that is to pass through these.
ShortCut = Callable[[Record], "Outcome | Record"]


def through(stages: Sequence[Stage], records: Sequence[Record], short_cut: ShortCut | None = None) -> list[Outcome]:
    """What becomes of each record in the stages. A record with an `error` of an earlier program passes through. Each
    takes the *short cut*, if there is one, instead of the stages after the first."""
    out = [_given(record, stages[0].tool) for record in records]
    left = [*range(len(out))]
    if short_cut:
        left = [number for number in left if not _shortened(stages[0], short_cut, out, number)]
        stages = stages[1:]
    for stage in stages if left else ():
        _pass(stage, out, left)
    return out


def _shortened(first: Stage, short_cut: ShortCut, out: list[Outcome], number: int) -> bool:
    """Passes an outcome through the *first* stage, and takes the short cut. Whether this is its end."""
    outcome = out[number] = _passed(first, out[number])
    record = outcome.record
    if record is None or _has_failed(outcome, record):
        return True
    result = short_cut(record)
    out[number] = result if isinstance(result, Outcome) else Outcome(result)
    return isinstance(result, Outcome)


def _passed(stage: Stage, outcome: Outcome) -> Outcome:
    """As `_pass`, of one outcome."""
    record = outcome.record
    if record is None or _has_failed(outcome, record):
        return outcome
    if error := schema_error(record):
        return Outcome(record, error, stage.tool)
    return _outcome(stage, record, process_batch(stage.process, [record])[0])


def _pass(stage: Stage, out: list[Outcome], numbers: Sequence[int]) -> None:
    """Passes the outcomes with these numbers through a stage, if they have not failed or been dropped."""
    at, good = [], []
    for number in numbers:
        record = out[number].record
        if record is None or _has_failed(out[number], record):
            continue
        if error := schema_error(record):
            out[number] = Outcome(record, error, stage.tool)
        else:
            at.append(number)
            good.append(record)
    for number, record, result in zip(at, good, process_batch(stage.process, good) if good else ()):
        out[number] = _outcome(stage, record, result)


def _has_failed(outcome: Outcome, record: Record) -> bool:
    return outcome.error is not None or is_error(record)


def _outcome(stage: Stage, record: Record, result: Record | RecordError | None) -> Outcome:
    """What a stage has made of a record."""
    return Outcome(record, result, stage.tool) if isinstance(result, RecordError) else Outcome(result)


def _given(record: object, tool: str) -> Outcome:
    """The outcome before the first stage; an error of that for what is no record, which Python code may give."""
    if isinstance(record, dict):
        return Outcome(record)
    what = NAMES.get(type(record), type(record).__name__)
    return Outcome({}, RecordError(f"expected a record, got {what}"), tool)
