"""The systems that nc-eval compares: what each made of the pages, and the gold that belongs to them.

systems, golds, status = read("nc-eval", args)
golds = matched("nc-eval", systems, golds, args)
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from . import stream
from .folder import Incomings
from .gold import Gold, gold_of, key_of
from .record import Record, RecordError, is_error
from .results import System

_SUFFIXES = re.compile(r"(?:\.(?:jsonl?|ndjson|msgpack|gz|zst|xz|bz2|txt))+\Z", re.I)


def named(argument: str) -> tuple[str, str]:
    """The name and the file of a system given as FILE or NAME=FILE."""
    name, equals, path = argument.partition("=")
    if equals and name and path and not os.path.exists(argument):
        return name, path
    if argument == "-":
        return "standard input", "-"
    return _SUFFIXES.sub("", Path(argument).name) or argument, argument


class Watched:
    """Records as they come; *see* is shown those on which an earlier stage failed, which no work gets."""

    def __init__(self, source: stream.Incoming, see: Callable[[Record], None]) -> None:
        self._source, self._see = source, see

    @property
    def bytes(self) -> int:
        return self._source.bytes

    def __iter__(self) -> Iterator[Record | RecordError]:
        for item in self._source:
            if not isinstance(item, RecordError) and is_error(item):
                self._see(item)
            yield item


def read(tool: str, args: argparse.Namespace) -> tuple[list[System], dict[str, Gold], int]:
    """What each system made of the pages, the gold of their records where there is no --gold, and the status."""
    out: list[System] = []
    golds: dict[str, Gold] = {}
    status = 0

    def own_gold(page: Record, name: str = "gold") -> None:
        """Takes the gold of a record, if it has any. Raises RecordError."""
        key = key_of(page)
        if args.gold or key is None or page.get(name) is None:
            return
        found = gold_of({**page, "gold": page[name]})
        if golds.setdefault(key, found).marked != found.marked:
            raise RecordError("gold: not the same as in another record of this id; --gold says which to take")

    def of_failed(page: Record) -> None:
        with suppress(RecordError):
            own_gold(page, args.gold_field or "gold")

    for number, (name, path) in enumerate(map(named, args.files or ["-"]), 1):
        names = [system.name for system in out]
        name = next(some for some in (name, path, f"{path} ({number})") if some not in names)
        system = System(name.encode("utf-8", "replace").decode())

        def take(page: Record, system: System = system) -> Record:
            if key_of(page) not in system.texts:
                own_gold(page)
            return system.take(page)

        source = Watched(Incomings([path], args.limit, text_only=True), of_failed)
        status = max(status, stream.consumed(tool, source, take, args))
        out.append(system)
        if status > 1:
            break
    return out, golds, status


def matched(tool: str, found: Sequence[System], golds: dict[str, Gold], args: argparse.Namespace) -> dict[str, Gold]:
    """The gold that is measured with: of all its pages, or with --skip-missing of those that every system has.

    Says what is missing; raises UsageError where nothing matches.
    """
    where = args.gold or "the records"
    if not golds:
        raise stream.UsageError(
            f"{', '.join(args.files) or 'standard input'}: no record has gold text in the field gold: "
            "say where it is with --gold, or in what field with --gold-field"
        )
    for system in found:
        missing = [key for key in golds if key not in system.texts]
        if len(missing) == len(golds):
            known = f"{_some(golds)} there, {_some(system.texts)} here" if system.texts else "there is no text"
            raise stream.UsageError(f"{system.name}: no page that {where} has gold for ({known}); they match by id")
        if missing:
            fate = "left out" if args.skip_missing else "counted as empty (--skip-missing leaves them out)"
            stream.say(
                tool,
                f"{system.name}: {len(missing)} of {len(golds)} pages are missing, such as {_some(missing)}: {fate}",
            )
        if unknown := [key for key in system.texts if key not in golds]:
            stream.say(tool, f"{system.name}: {len(unknown)} pages without gold are left out, such as {_some(unknown)}")
    if args.skip_missing:
        golds = {key: gold for key, gold in golds.items() if all(key in system.texts for system in found)}
        if not golds:
            raise stream.UsageError("no page that all systems have: nothing to compare")
    return golds


def _some(keys: Iterable[str]) -> str:
    return ", ".join(repr(key) for key, _ in zip(keys, range(3))) or "none"
