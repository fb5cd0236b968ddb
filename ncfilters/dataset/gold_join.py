"""Pages and their gold text, brought together: what nc-train and nc-tune read.

status = consume_with_gold(options, (files, pages.append), gold_path=None, gold_field=None)

With --gold the gold text is elsewhere, and goes to the page that has its id.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ..errors import RecordError, UsageError
from ..record import Record
from ..streams import console, runner
from ..streams.runner import StreamOptions

if TYPE_CHECKING:
    from .gold import Gold

# Files, and what learns of the pages in them.
Reading = tuple[Sequence[str], Callable[[Record], Record]]


def with_gold(function: Callable[[Record], Record], golds: dict[str, Gold], where: str) -> Callable[[Record], Record]:
    """*function* of pages whose gold is in another file: *golds*, from which those that are used up are taken."""
    from .gold import key_of

    used: set[str] = set()

    def work(page: Record) -> Record:
        key = key_of(page)
        if key is None:
            raise RecordError("id: missing: gold and page are matched by it")
        if key in used:
            raise RecordError(f"the gold for it in {where} was that of an earlier page, which has the same id")
        if key not in golds:
            raise RecordError(f"no gold for it in {where}")
        used.add(key)
        gold = golds.pop(key)
        page["gold"] = {"text": gold.text, "markup": gold.marked if gold.has_markers else None}
        if not page.get("url") and gold.fields.get("url"):
            page["url"] = gold.fields["url"]
        return function(page)

    return work


def consume_with_gold(
    options: StreamOptions, *readings: Reading, gold_path: str | None, gold_field: str | None, plain: bool = False
) -> int:
    """Runs functions over all pages of their files, with the gold of --gold; the status. With *plain*, files may be
    plain text. Says what gold no page was found for. Raises UsageError where that is all of it."""
    from ..streams.text_folder import Incomings
    from . import gold

    files = [name for names, _ in readings for name in names or ["-"]]
    if gold_path == "-" and "-" in files:
        raise UsageError("--gold -: standard input has the pages")
    # what is not there is said before the work
    sources = [Incomings(names, options.max_record, plain=plain) for names, _ in readings]
    golds = gold.read_gold(gold_path, options.max_record, gold_field) if gold_path else {}
    there = len(golds)
    status = 0
    for source, (_, function) in zip(sources, readings):
        status |= runner.consume(source, with_gold(function, golds, gold_path) if gold_path else function, options)
        if status not in (0, 1):
            raise KeyboardInterrupt
        if status and options.strict:
            return status
    some = ", ".join(repr(key) for key, _ in zip(golds, range(3)))
    if there and len(golds) == there:
        raise UsageError(f"{gold_path}: no page has the id of any gold text in it (such as {some})")
    if golds:
        console.warn(options.tool, f"{gold_path}: {len(golds)} of {there} gold texts have no page, such as {some}")
    return status


def describe_inputs(files: Sequence[str]) -> str:
    """The input, for messages."""
    first = files[0] if files and files[0] != "-" else "standard input"
    return first if len(files) < 2 else f"{first} and {len(files) - 1} more"
