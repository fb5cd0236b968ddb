"""The systems that nc-eval compares: their texts of the pages, and the gold texts that they are compared with.

systems, golds, status = read_systems(["ours.jsonl", "b=theirs.jsonl"], "gold", StreamOptions("nc-eval"))
systems[0].texts["42"]
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ..dataset.gold import CONTENT_FIELDS, Gold, PageIds, gold_of, key_of
from ..errors import RecordError
from ..record import Record, is_error
from ..streams import runner
from ..streams.readers import RecordSource
from ..streams.text_folder import CorpusReader

_SUFFIXES = re.compile(r"(?:\.(?:jsonl?|ndjson|msgpack|gz|zst|xz|bz2|txt))+\Z", re.I)


@dataclass
class System:
    """The output of a system: texts by page id, and the quality, models and other fields of its records."""

    name: str
    texts: dict[str, str] = field(default_factory=dict)
    quality: dict[str, float] = field(default_factory=dict)
    models: set[str] = field(default_factory=set)
    fields: dict[str, Record] = field(default_factory=dict)

    def add(self, page: Record) -> Record:
        """Adds a record with `text`, and returns it. Raises RecordError."""
        key = key_of(page)
        if key is None:
            raise RecordError("id: missing: text is joined to gold text by id")
        if not isinstance(page.get("text"), str):
            raise RecordError("text: missing", remedy="nc-select -f jsonl writes it")
        if key in self.texts:
            raise RecordError(f"id: {key!r} occurs twice: only the first text is evaluated")
        self.texts[key] = page["text"]
        quality = page.get("quality")
        if isinstance(quality, float | int) and 0 <= quality <= 1:
            self.quality[key] = quality
        if isinstance(page.get("models"), list):
            self.models.update(map(str, page["models"]))
        self.fields[key] = {name: value for name, value in page.items() if name not in CONTENT_FIELDS}
        return page


def system_name(argument: str) -> tuple[str, str]:
    """The name and the file of a system given as FILE or NAME=FILE."""
    name, equals, path = argument.partition("=")
    if equals and name and path and not os.path.exists(argument):
        return name, path
    if argument == "-":
        return "standard input", "-"
    return _SUFFIXES.sub("", Path(argument).name) or argument, argument


def system_names(arguments: Sequence[str]) -> list[tuple[str, str]]:
    """The names and files of systems given as FILE or NAME=FILE (standard input if there is none); names are unique."""
    out: list[tuple[str, str]] = []
    for number, (name, path) in enumerate(map(system_name, arguments or ["-"]), 1):
        used = [other for other, _ in out]
        name = next(candidate for candidate in (name, path, f"{path} ({number})") if candidate not in used)
        out.append((name.encode("utf-8", "replace").decode(), path))
    return out


class ObservedRecords:
    """The records of a source, each passed to *observe* first, also those that failed at an earlier stage.

    An error that *observe* raises is the error of a record that has none yet.
    """

    def __init__(self, source: RecordSource, observe: Callable[[Record], None]) -> None:
        self._source, self._observe = source, observe

    @property
    def bytes(self) -> int:
        return self._source.bytes

    def __iter__(self) -> Iterator[Record | RecordError]:
        for item in self._source:
            if isinstance(item, RecordError):
                yield item
                continue
            try:
                self._observe(item)
            except RecordError as error:
                yield item if is_error(item) else RecordError(str(error), item)
            else:
                yield item


def read_systems(
    files: Sequence[str], gold_field: str | None, options: runner.StreamOptions
) -> tuple[list[System], dict[str, Gold], int]:
    """The systems of files given as FILE or NAME=FILE, the gold texts that their records have in *gold_field*, if any,
    by page; and the exit status."""
    systems: list[System] = []
    golds: dict[str, Gold] = {}
    status = 0

    def collect_gold(page: Record) -> None:
        key, value = key_of(page), page.get(gold_field) if gold_field else None
        if key is not None and value is not None:
            gold = gold_of({**page, "gold": value})
            if golds.setdefault(key, gold).marked != gold.marked:
                raise RecordError("gold: differs from the gold text of another record with this id")

    for name, path in system_names(files):
        system = System(name)
        source = ObservedRecords(CorpusReader([path], options.max_record, text_only=True), collect_gold)
        tool = f"{options.tool}: {system.name}" if len(files) > 1 else options.tool
        status = max(status, runner.consume(source, system.add, options._replace(tool=tool)))
        systems.append(system)
        if status > 1:
            break
    return systems, golds, status


def join_to_gold(system: System, golds: Mapping[str, Gold]) -> System:
    """The system with the ids of the gold texts, where its own differ from them as names of files do (`PageIds`).

    An id stays as it is if another text has, or would have, the id of the gold text.
    """
    ids = PageIds(golds)
    found = {key: ids.find(key) for key in system.texts}
    uses = Counter(found.values())
    names = {key: new if uses[new] == 1 else key for key, new in found.items()}
    return replace(
        system,
        texts={names[key]: text for key, text in system.texts.items()},
        quality={names[key]: value for key, value in system.quality.items()},
        fields={names[key]: fields for key, fields in system.fields.items()},
    )
