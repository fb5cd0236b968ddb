"""Several stages in one process, without serialising between them: what a pipe of filters does.

    through([Stage("nc-segment", segment), Stage("nc-score", score)], [{"id": "a", "html": "<p>Text."}])

Each stage checks the records that it reads, and a record that fails passes the later ones by, as in a pipe.
"""

from __future__ import annotations

from collections.abc import Sequence
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


def through(stages: Sequence[Stage], records: Sequence[Record]) -> list[Outcome]:
    """What becomes of each record in the stages. A record with an `error` of an earlier program passes through."""
    out = [_given(record, stages[0].tool) for record in records]
    for stage in stages:
        _pass(stage, out)
    return out


def _pass(stage: Stage, out: list[Outcome]) -> None:
    """Passes the outcomes through a stage that have not failed or been dropped."""
    at, good = [], []
    for number, outcome in enumerate(out):
        record = outcome.record
        if record is None or outcome.error is not None or is_error(record):
            continue
        if error := schema_error(record):
            out[number] = Outcome(record, error, stage.tool)
        else:
            at.append(number)
            good.append(record)
    for number, record, result in zip(at, good, process_batch(stage.process, good) if good else ()):
        out[number] = Outcome(record, result, stage.tool) if isinstance(result, RecordError) else Outcome(result)


def _given(record: object, tool: str) -> Outcome:
    """The outcome before the first stage; an error of that for what is no record, which Python code may give."""
    if isinstance(record, dict):
        return Outcome(record)
    what = NAMES.get(type(record), type(record).__name__)
    return Outcome({}, RecordError(f"expected a record, got {what}"), tool)
