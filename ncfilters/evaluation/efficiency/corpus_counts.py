"""What a stream of pages holds: documents, bytes, words. Before cleaning, and what a system has left of them.

    before = Before()
    for record in pages: before.take(record)
    before.text.words

Memory holds the ids alone. Texts that are wanted again, for an index, wait on disk.
"""

from __future__ import annotations

import argparse
import tempfile
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ...dataset.gold import key_of
from ...errors import RecordError, UsageError
from ...page import block_builder, html_parser
from ...record import Record
from ...streams import console, runner
from ...streams.text_folder import CorpusReader
from ..metrics import MARKER, spaced
from ..systems import named_apart


class Texts:
    """Texts in a temporary file, in the order they came: as many as fit on the disk. Raises OSError."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile(prefix="nc-texts-")  # noqa: SIM115  open as long as the texts are wanted
        self._ends = array("Q", [0])

    def add(self, text: str) -> None:
        data = text.encode("utf-8", "replace")
        self._file.seek(self._ends[-1])
        self._file.write(data)
        self._ends.append(self._ends[-1] + len(data))

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, place: int) -> str:
        self._file.seek(self._ends[place])
        return self._file.read(self._ends[place + 1] - self._ends[place]).decode()

    def __iter__(self) -> Iterator[str]:
        return (self[place] for place in range(len(self)))


class Holding:
    """Documents that have any words, their bytes (UTF-8) and words, and, if *stored*, the texts.

    Words are apart by white space; of scripts without spaces each character is one. CleanEval's segment markers are no
    text.
    """

    def __init__(self, name: str, stored: bool) -> None:
        self.name = name
        self.documents = self.bytes = self.words = 0
        self.texts = Texts() if stored else None

    def add(self, text: str) -> None:
        text = MARKER.sub("", text)
        apart = spaced(text)
        words = len(apart.split())
        if words:
            if self.texts is not None:
                self.texts.add(apart)
            self.documents += 1
            self.bytes += len(text.encode("utf-8", "replace"))
            self.words += words


class Before:
    """The pages as they were: `documents`, `bytes` of HTML, and their `text`, which removing the tags leaves."""

    def __init__(self, stored: bool = False) -> None:
        self.documents = self.bytes = 0
        self.text = Holding("(text of the pages)", stored)
        self.places: dict[str, int] = {}

    def take(self, page: Record) -> Record:
        """Takes in a page, which has `html`, or else `text`. Raises RecordError."""
        key, html = key_of(page), page.get("html")
        text = page.get("text") if html is None else raw_text(page)
        if key is None:
            raise RecordError("id: missing: pages before and after are matched by it")
        if text is None:
            raise RecordError("html: missing: the page as it was")
        if key in self.places:
            raise RecordError(f"id: {key!r} a second time: the first page counts")
        self.places[key] = len(self.places)
        self.documents += 1
        self.bytes += len(_bytes(text if html is None else html))
        self.text.add(text)
        return page


class After(Holding):
    """What a system has left of the pages *before*."""

    def __init__(self, name: str, before: Before, stored: bool = False) -> None:
        super().__init__(name, stored)
        self._before = before
        self._seen = bytearray(len(before.places))
        self.unknown = 0

    def take(self, page: Record) -> Record:
        """Takes in a record with `text`; it is passed over where the page is unknown. Raises RecordError."""
        key = key_of(page)
        if key is None:
            raise RecordError("id: missing: pages before and after are matched by it")
        if not isinstance(page.get("text"), str):
            raise RecordError("text: missing: nc-select -f jsonl writes it")
        place = self._before.places.get(key)
        if place is None:
            self.unknown += 1
            return page
        if place >= len(self._seen):  # the first system's records are the pages themselves
            self._seen.extend(bytes(place + 1 - len(self._seen)))
        if self._seen[place]:
            raise RecordError(f"id: {key!r} a second time: the first text counts")
        self._seen[place] = 1
        self.add(page["text"])
        return page

    @property
    def missing(self) -> list[str]:
        """The pages that did not come."""
        seen = self._seen
        return [key for key, place in self._before.places.items() if place >= len(seen) or not seen[place]]


def raw_text(page: Record) -> str:
    """What is left of a page's `html` if nothing but its tags is removed, with what they hide from readers: scripts
    and styles. A block a line, hidden ones too. Raises RecordError."""
    tree = html_parser.parse_html(html_parser.decode_html(page)["html"])
    return "\n".join([block["text"] for block in block_builder.blocks(tree)])


def _bytes(data: str | bytes) -> bytes:
    return data if isinstance(data, bytes) else data.encode("utf-8", "replace")


# ---- reading ------------------------------------------------------------------------------------------------


def read(args: argparse.Namespace, stored: bool, options: runner.StreamOptions) -> tuple[Before, list[After], int]:
    """The pages before and after, and the status; *stored* keeps the texts. Raises UsageError.

    Each input is read once. Without --before, the pages are in the first system's records.
    """
    before = Before(stored)
    found: list[After] = []
    status = 0
    if args.before:
        source = CorpusReader([args.before], options.max_record)
        status = runner.consume(source, before.take, replace(options, tool=f"{options.tool}: --before"))
    for name, path in named_apart(args.files):
        if status > 1:
            break
        system = After(name, before, stored)
        who = f"{options.tool}: {name}" if len(args.files) > 1 or args.before else options.tool
        take = system.take if args.before or found else _both(before, system)
        source = CorpusReader([path], options.max_record, text_only=True)
        status = max(status, runner.consume(source, take, replace(options, tool=who)))
        found.append(system)
    return before, found, status


def _both(before: Before, system: After) -> Callable[[Record], Record]:
    def take(page: Record) -> Record:
        if page.get("html") is None:
            raise RecordError("html: missing: the page as it was (nc-segment --keep leaves it; or give --before FILE)")
        before.take(page)
        return system.take(page)

    return take


def tell(tool: str, before: Before, found: Sequence[After]) -> None:
    """Says which pages are missing and how many are unknown. Raises UsageError where there is nothing to compare."""
    if not before.documents:
        raise UsageError("no page as it was before: records with html are wanted (--before FILE)")
    for system in found:
        missing = system.missing
        some = ", ".join(map(repr, missing[:3]))
        if len(missing) == before.documents:
            raise UsageError(f"{system.name}: none of the pages before, such as {some}; they match by id")
        if missing:
            what = f"{len(missing)} of {before.documents} pages missing"
            console.warn(tool, f"{system.name}: {what}, such as {some}: counted as dropped")
        if system.unknown:
            s = "s" * (system.unknown > 1)
            console.warn(tool, f"{system.name}: {system.unknown} page{s} that no page before has the id of: left out")
