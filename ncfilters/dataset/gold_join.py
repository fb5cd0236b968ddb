"""Gold text from another file or folder, joined to its pages by their ids.

    status = consume_with_gold(["pages.jsonl"], learn, GoldLocation("gold.jsonl"), StreamOptions("nc-train"))

`learn` gets each page with its `gold`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..errors import RecordError, UsageError
from ..record import Record
from ..streams import console, runner
from ..streams.runner import StreamOptions
from ..streams.text_folder import CorpusReader
from .gold import Gold, PageIds, key_of, read_gold

MAX_EXAMPLES = 3  # ids in a message


@dataclass(frozen=True)
class GoldLocation:
    """Where gold text is: in the records themselves if *path* is None, else in that file or folder. *field* is the
    name of the field there, if not `gold`."""

    path: str | None = None
    field: str | None = None


def consume_with_gold(
    files: Sequence[str],
    function: Callable[[Record], Record],
    where: GoldLocation,
    options: StreamOptions,
    plain: bool = False,
) -> int:
    """Calls the function with each record of files and folders, which then has its gold text. With *plain*, files may
    be plain text.

    Returns the exit status. Gold text without a page is reported on standard error. Raises UsageError if an input
    cannot be opened or no gold text has a page.
    """
    if where.path == "-" and (not files or "-" in files):
        raise UsageError("standard input cannot be both the pages and their gold text")
    source = CorpusReader(files, options.max_record, plain=plain)  # missing files are reported before the work
    console.hint_at_terminal(options.tool, files or ["-"], options.quiet)
    golds = read_gold(where.path, options.max_record, where.field) if where.path else {}
    number = len(golds)
    status = runner.consume(source, _joined(function, golds, where.path) if where.path else function, options)
    if status not in (0, 1):
        raise KeyboardInterrupt(status)
    if status and options.strict:
        return status
    examples = ", ".join(repr(key) for key, _ in zip(golds, range(MAX_EXAMPLES)))
    if number and len(golds) == number:
        raise UsageError(f"{where.path}: no page has the id of a gold text, such as {examples}")
    if golds:
        console.warn(
            options.tool, f"{where.path}: {len(golds)} of {number} gold texts have no page, such as {examples}"
        )
    return status


def describe_inputs(files: Sequence[str]) -> str:
    """The name of the input, for messages."""
    first = files[0] if files and files[0] != "-" else "standard input"
    return first if len(files) < 2 else f"{first} and {len(files) - 1} more"


def _joined(function: Callable[[Record], Record], golds: dict[str, Gold], path: str) -> Callable[[Record], Record]:
    """*function* of a page with its gold text, which is removed from *golds*."""
    used: set[str] = set()
    ids = PageIds(golds)

    def work(page: Record) -> Record:
        if (own := key_of(page)) is None:
            raise RecordError("id: missing: gold text is joined to pages by id")
        key = ids.find(own)
        if key in used:
            raise RecordError(f"an earlier page has the same id and the gold text in {path}")
        if key not in golds:
            raise RecordError(f"no gold text in {path} has this id")
        used.add(key)
        gold = golds.pop(key)
        page["gold"] = gold.as_field()
        if not page.get("url") and gold.fields.get("url"):
            page["url"] = gold.fields["url"]
        return function(page)

    return work
