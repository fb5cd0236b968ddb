"""The size of a corpus in documents, bytes and words: before cleaning, and after cleaning by each system.

    raw = RawCorpus()
    for record in pages: raw.add(record)
    raw.text.words

Only the ids are in memory. Texts that an index needs are stored on disk.
"""

from __future__ import annotations

import tempfile
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ...dataset.gold import PageIds, key_of
from ...errors import RecordError
from ...page.blocks import visual_blocks
from ...page.tree import html_parser
from ...record import Record
from ...streams import runner
from ...streams.text_folder import CorpusReader
from ..systems import system_names
from ..tokenization import MARKER, separate_characters


class StoredTexts:
    """A sequence of texts in a temporary file. Raises OSError."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile(prefix="nc-texts-")  # noqa: SIM115  open as long as the object lives
        self._ends = array("Q", [0])

    def append(self, text: str) -> None:
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


class CorpusCounts:
    """The number of documents with at least one word, and their bytes (UTF-8) and words; *stored* keeps the texts.

    Words are separated by white space; in scripts without spaces each character is a word. CleanEval's segment markers
    do not count.
    """

    def __init__(self, name: str, stored: bool) -> None:
        self.name = name
        self.documents = self.bytes = self.words = 0
        self.texts = StoredTexts() if stored else None

    def count(self, text: str) -> None:
        """Adds a text."""
        text = MARKER.sub("", text)
        separated = separate_characters(text)
        words = len(separated.split())
        if words:
            if self.texts is not None:
                self.texts.append(separated)
            self.documents += 1
            self.bytes += len(text.encode("utf-8", "replace"))
            self.words += words


class RawCorpus:
    """The pages before cleaning: the number of documents, the bytes of HTML, and the counts of their `text`, which is
    what remains without tags."""

    def __init__(self, stored: bool = False) -> None:
        self.documents = self.bytes = 0
        self.text = CorpusCounts("(text of the pages)", stored)
        self.places: dict[str, int] = {}
        self._ids: PageIds | None = None  # made when a text has none of the ids

    def add(self, page: Record) -> Record:
        """Adds a page, which has `html` or else `text`, and returns it. Raises RecordError."""
        key, html = key_of(page), page.get("html")
        text = page.get("text") if html is None else raw_text(page)
        if key is None:
            raise RecordError("id: missing: cleaned texts are joined to pages by id")
        if text is None:
            raise RecordError("html: missing: the page before cleaning")
        if key in self.places:
            raise RecordError(f"id: {key!r} occurs twice: only the first page counts")
        self.places[key] = len(self.places)
        self.documents += 1
        self.bytes += len(_bytes(text if html is None else html))
        self.text.count(text)
        return page

    def place(self, id: str) -> int | None:
        """The place of a page; None if it is unknown. All pages must have been added before the first unknown one."""
        if id not in self.places and self._ids is None:
            self._ids = PageIds(self.places)
        return self.places.get(id if self._ids is None else self._ids.find(id))


class CleanedCorpus(CorpusCounts):
    """The texts of a system for the pages of a *raw* corpus."""

    def __init__(self, name: str, raw: RawCorpus, stored: bool = False) -> None:
        super().__init__(name, stored)
        self._raw = raw
        self._seen = bytearray(len(raw.places))
        self.unknown = 0

    def add(self, page: Record) -> Record:
        """Adds a record with `text`, unless its page is unknown, and returns it. Raises RecordError."""
        key = key_of(page)
        if key is None:
            raise RecordError("id: missing: cleaned texts are joined to pages by id")
        if not isinstance(page.get("text"), str):
            raise RecordError("text: missing", remedy="nc-select -f jsonl writes it")
        place = self._raw.place(key)
        if place is None:
            self.unknown += 1
            return page
        if place >= len(self._seen):  # the records of the first system are the pages themselves
            self._seen.extend(bytes(place + 1 - len(self._seen)))
        if self._seen[place]:
            raise RecordError(f"id: {key!r} occurs twice: only the first text counts")
        self._seen[place] = 1
        self.count(page["text"])
        return page

    @property
    def missing(self) -> list[str]:
        """The pages without a text."""
        seen = self._seen
        return [key for key, place in self._raw.places.items() if place >= len(seen) or not seen[place]]


def raw_text(page: Record) -> str:
    """The text of a page's `html` without tags, scripts and styles: one block per line, hidden blocks included. Raises
    RecordError."""
    tree = html_parser.parse_html(html_parser.decode_html(page)["html"])
    return "\n".join(visual_blocks.block_table(tree).text)


def _bytes(data: str | bytes) -> bytes:
    return data if isinstance(data, bytes) else data.encode("utf-8", "replace")


# ---- reading ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CorpusInputs:
    """Where the pages and the cleaned texts are."""

    files: Sequence[str] = ()  # FILE or NAME=FILE, each a system; standard input if there is none
    before: str | None = None  # the file or folder of the pages; None: they are in the records of the first system
    stored: bool = False  # keep the texts for an index


def read_corpora(inputs: CorpusInputs, options: runner.StreamOptions) -> tuple[RawCorpus, list[CleanedCorpus], int]:
    """The pages, the texts of each system, and the exit status. Each input is read once. Raises UsageError."""
    raw = RawCorpus(inputs.stored)
    systems: list[CleanedCorpus] = []
    status = 0
    if inputs.before:
        source = CorpusReader([inputs.before], options.max_record)
        status = runner.consume(source, raw.add, options._replace(tool=f"{options.tool}: --before"))
    for name, path in system_names(inputs.files):
        if status > 1:
            break
        system = CleanedCorpus(name, raw, inputs.stored)
        tool = f"{options.tool}: {name}" if len(inputs.files) > 1 or inputs.before else options.tool
        add = system.add if inputs.before or systems else _add_to_both(raw, system)
        source = CorpusReader([path], options.max_record, text_only=True)
        status = max(status, runner.consume(source, add, options._replace(tool=tool)))
        systems.append(system)
    return raw, systems, status


def _add_to_both(raw: RawCorpus, system: CleanedCorpus) -> Callable[[Record], Record]:
    def add(page: Record) -> Record:
        if page.get("html") is None:
            raise RecordError("html: missing: the page before cleaning (nc-segment --keep leaves it in the record)")
        raw.add(page)
        return system.add(page)

    return add
