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


# What becomes of a record after the first stage (its input and its output are given), in all later stages at once. None
# for a record that is to pass through these stages.
ShortCut = Callable[[Record, Record], Outcome | None]


def through(stages: Sequence[Stage], records: Sequence[Record], short_cut: ShortCut | None = None) -> list[Outcome]:
    """What becomes of each record in the stages. A record with an `error` of an earlier program passes through. Where
    the *short cut* gives the outcome of a record, the stages after the first do not see it."""
    out = [_given(record, stages[0].tool) for record in records]
    done: set[int] = set()
    for place, stage in enumerate(stages):
        at, good = [], []
        for number, outcome in enumerate(out):
            if outcome.record is None or outcome.error or number in done or is_error(outcome.record):
                continue
            if place == 1 and short_cut and (last := short_cut(records[number], outcome.record)):
                out[number] = last
                done.add(number)
                continue
            if error := schema_error(outcome.record):
                out[number] = Outcome(outcome.record, error, stage.tool)
            else:
                at.append(number)
                good.append(outcome.record)
        for number, record, result in zip(at, good, process_batch(stage.process, good) if good else ()):
            if isinstance(result, RecordError):
                out[number] = Outcome(record, result, stage.tool)
            else:
                out[number] = Outcome(result)
    return out


def _given(record: object, tool: str) -> Outcome:
    """The outcome before the first stage; an error of that for what is no record, which Python code may give."""
    if isinstance(record, dict):
        return Outcome(record)
    what = NAMES.get(type(record), type(record).__name__)
    return Outcome({}, RecordError(f"expected a record, got {what}"), tool)
