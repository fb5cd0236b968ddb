"""The collections of documents that tests of the inspector look at.

with collected("crawl.jsonl", "page.html") as collection: ...
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ncfilters.inspector.collection import Collection


@contextmanager
def collected(*files: str | Path) -> Iterator[Collection]:
    """The documents of files, read to their end."""
    with closing(Collection(list(map(str, files)))) as collection:
        list(collection.read())
        yield collection
