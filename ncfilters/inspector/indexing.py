"""The analysis of all documents in the background: what the table shows of each.

for number in analyse(collection, Analysis(), Settings()): ...
row_values({"lang": "en", "text": "It rained.", "quality": 0.9, …})    # {"lang": "en", "snippet": "It rained.", …}
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from ..errors import RecordError, UsageError
from ..record import Record
from .analysis import Analysis, Settings
from .collection import Collection
from .table import MAX_SNIPPET, main_type
from .views import compare

# Of the time of a core, the share that is left to whoever looks at a page.
REST = 0.3
# Seconds between two looks for further documents.
WAIT = 0.2


def analyse(collection: Collection, analysis: Analysis, settings: Settings) -> Iterator[int]:
    """Analyses the documents in order as they are read, and yields the number of each when its row is written."""
    number = 0
    while True:
        if number < len(collection):
            record = collection.record(number)
            if not record.get("error"):
                collection.update(number, _values(analysis, number, record, settings))
            yield number
            number += 1
        elif collection.is_complete:
            return
        else:
            time.sleep(WAIT)


def start(make: Callable[[], Analysis], collection: Collection, settings: Settings) -> threading.Event:
    """Analyses in a thread of its own until the event is set that it returns."""
    ended = threading.Event()

    def work() -> None:
        before = time.monotonic()
        for _ in analyse(collection, make(), settings):
            now = time.monotonic()
            if ended.wait(min((now - before) * REST, WAIT)):
                return
            before = time.monotonic()

    in_thread(work)
    return ended


def in_thread(work: Callable[[], object]) -> None:
    """Runs work on a collection in a thread, which ends with the collection."""

    def until_closed() -> None:
        with suppress(sqlite3.ProgrammingError, ValueError):  # the collection is closed
            work()

    threading.Thread(target=until_closed, daemon=True).start()


def row_values(document: Record, result: Record) -> dict[str, Any]:
    """What the analysis of a document says for its row."""
    page = result.get("page")
    head = result.get("head")
    out: dict[str, Any] = {
        "lang": result.get("lang"),
        "type": main_type(page.get("types") if isinstance(page, dict) else None),
        "quality": None if result.get("quality") is None else float(result["quality"]),
        "words": len(result["text"].split()),
        "snippet": " ".join(result["text"][: 4 * MAX_SNIPPET].split())[:MAX_SNIPPET],
        "analysed": 1,
    }
    if isinstance(head, dict) and isinstance(head.get("title"), str) and head["title"]:
        out["title"] = head["title"][:200]
    if document.get("gold"):
        figures = compare(document, result["segments"], result["text"])
        out |= {name: figures[name] for name in ("precision", "recall", "f")}
    return out


def _values(analysis: Analysis, number: int, record: Record, settings: Settings) -> dict[str, Any]:
    try:
        return row_values(record, analysis.result(number, record, settings))
    except (RecordError, UsageError) as error:
        return {"error": str(error)[:200], "analysed": 1}
    except Exception as error:  # an unforeseen page must not end the analysis of the others
        return {"error": f"{type(error).__name__}: {error}"[:200], "analysed": 1}
