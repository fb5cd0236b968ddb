"""The systems that nc-eval compares: what each made of the pages, and the gold that belongs to them.

systems, golds, status = read("nc-eval", args)
golds = matched("nc-eval", systems, golds, args)
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ..dataset.gold import Gold, gold_of, key_of
from ..errors import RecordError, UsageError
from ..record import Record, is_error
from ..streams import console, runner
from ..streams.text_folder import CorpusReader
from .metrics import MARKER
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


def named_apart(arguments: Sequence[str]) -> list[tuple[str, str]]:
    """Names and files of the systems that FILE or NAME=FILE say, standard input where none do; no name twice."""
    out: list[tuple[str, str]] = []
    for number, (name, path) in enumerate(map(named, arguments or ["-"]), 1):
        taken = [other for other, _ in out]
        name = next(some for some in (name, path, f"{path} ({number})") if some not in taken)
        out.append((name.encode("utf-8", "replace").decode(), path))
    return out


class Watched:
    """Records as they come. *see* is shown each, also those that failed before and are no work; what it raises is the
    error of a record that did not."""

    def __init__(self, source: runner.RecordSource, see: Callable[[Record], None]) -> None:
        self._source, self._see = source, see

    @property
    def bytes(self) -> int:
        return self._source.bytes

    def __iter__(self) -> Iterator[Record | RecordError]:
        for item in self._source:
            yield item if isinstance(item, RecordError) else self._seen(item)

    def _seen(self, record: Record) -> Record | RecordError:
        try:
            self._see(record)
        except RecordError as error:
            return record if is_error(record) else RecordError(str(error), record)
        return record


def read(args: argparse.Namespace, options: runner.StreamOptions) -> tuple[list[System], dict[str, Gold], int]:
    """What each system made of the pages, the gold of their records where there is no --gold, and the status."""
    out: list[System] = []
    golds: dict[str, Gold] = {}
    status = 0

    def own_gold(page: Record) -> None:
        """Takes the gold of a record, if it has any. Raises RecordError."""
        key, gold = key_of(page), page.get(args.gold_field or "gold")
        if args.gold or key is None or gold is None:
            return
        found = gold_of({**page, "gold": gold})
        if golds.setdefault(key, found).marked != found.marked:
            raise RecordError("gold: not the same as in another record of this id; --gold says which to take")

    for name, path in named_apart(args.files):
        system = System(name)
        source = Watched(CorpusReader([path], options.max_record, text_only=True), own_gold)
        who = f"{options.tool}: {system.name}" if len(args.files) > 1 else options.tool
        status = max(status, runner.consume(source, system.take, replace(options, tool=who)))
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
        raise UsageError(
            f"{', '.join(args.files) or 'standard input'}: no record has gold text in the field gold: "
            "say where it is with --gold, or in what field with --gold-field"
        )
    for system in found:
        missing = [key for key in golds if key not in system.texts]
        if len(missing) == len(golds):
            known = f"{_some(golds)} there, {_some(system.texts)} here" if system.texts else "there is no text"
            raise UsageError(f"{system.name}: no page that {where} has gold for ({known}); they match by id")
        if missing:
            fate = "left out" if args.skip_missing else "counted as empty (--skip-missing leaves them out)"
            what = f"{len(missing)} of {len(golds)} pages missing"
            console.warn(tool, f"{system.name}: {what}, such as {_some(missing)}: {fate}")
        if any(gold.has_markers for gold in golds.values()) and not any(map(MARKER.search, system.texts.values())):
            console.warn(
                tool, f"{system.name}: no segment markers, unlike the gold (nc-select --as cleaneval writes them)"
            )
        if unknown := [key for key in system.texts if key not in golds]:
            what = f"{len(unknown)} page{'s' * (len(unknown) > 1)} without gold"
            console.warn(tool, f"{system.name}: {what}, such as {_some(unknown)}: left out")
    if args.skip_missing:
        golds = {key: gold for key, gold in golds.items() if all(key in system.texts for system in found)}
        if not golds:
            raise UsageError("no page that all systems have: nothing to compare")
    return golds


def _some(keys: Iterable[str]) -> str:
    return ", ".join(repr(key) for key, _ in zip(keys, range(3))) or "none"
