"""nc-clean: what happens to an item of the input: reading, segmentation, scoring and selection.

job = WholeJob(stages, {}, max_record=1 << 28)
job([Item(b'{"html": "<p>Text."}', "nc-segment")])    # [Outcome({"text": "Text.", …})]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ..errors import RecordError
from ..record import VERSION, Record, is_error
from ..streams.archived_page import ArchivedPage
from ..streams.crawl_source import PAGE_TOOL, Item
from ..streams.field_names import FieldNames
from ..streams.json_lines import WrittenLine, parse_line
from ..streams.stages import Outcome, Stage, through

TOOL = "nc-clean"
# Fields of a written record that are counted.
_COUNTED = ("lang", "lang_probability")


@dataclass(frozen=True)
class WholeJob:
    """What happens to items: the *stages*, after they are parsed or decoded, to at most *max_record* bytes, and fields
    are renamed (*fields*: ours → theirs). *line_of* makes the bytes that are written of a record, if these are all
    that is needed of it."""

    stages: tuple[Stage, ...]
    fields: Mapping[str, str]
    max_record: int
    line_of: Callable[[Record], bytes] | None = None

    def __call__(self, items: Sequence[Item]) -> list[Outcome]:
        """What became of each item."""
        read = list(map(self._read, items))
        good = [outcome.record for outcome in read if outcome.record is not None and not outcome.error]
        results = iter(through(self._versioned(), good))
        return [self._written(outcome if outcome.error else next(results)) for outcome in read]

    def _written(self, outcome: Outcome) -> Outcome:
        """The outcome with a line instead of a record: less to send to another process, which has less to do."""
        record = outcome.record
        if self.line_of is None or record is None or outcome.error or is_error(record):
            return outcome
        _with_version(record)
        out = WrittenLine({name: record[name] for name in _COUNTED if name in record})
        try:
            out.line = self.line_of(record)
        except Exception:  # who writes it says why
            return outcome
        return Outcome(out)

    def _read(self, item: Item) -> Outcome:
        record = item.record(self.max_record)
        if isinstance(record, RecordError):
            return Outcome(record.record, record, item.tool)
        if item.tool != PAGE_TOOL:
            _with_version(record)
        FieldNames(self.fields).rename(record)
        return Outcome(record)

    def _versioned(self) -> list[Stage]:
        """The stages, of which the first one writes the version of the schema, as a filter does."""
        first, *others = self.stages

        def process(records: list[Record]) -> list[Record | RecordError | None]:
            return [_with_version(result) for result in first.process(records)]

        return [Stage(first.tool, process), *others]


def _with_version(result: Record | RecordError | None) -> Record | RecordError | None:
    if isinstance(result, dict):
        result.setdefault("nc", VERSION)
    return result


def at_death(item: Item, how: str) -> Outcome:
    """The outcome of an item with which processes died. Nothing is decoded, for that may be why."""
    content = item.content
    if isinstance(content, bytes):
        content = parse_line(content)
    fields = content.record if isinstance(content, RecordError | ArchivedPage) else content
    return Outcome(fields, RecordError(f"the process that worked on it {how}"), TOOL)
