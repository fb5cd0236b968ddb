"""Pages that users paste or upload: in memory for a while, the last ones of a limited size.

pages = PastedPages()
key = pages.add("<p>Some text.")
pages.record(key)["html"]    # '<p>Some text.'
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

from ..page.tree.html_parser import decode_html
from ..record import Record
from ..streams.html_pages import is_html

# How long a page stays, and how many pages and characters of pages there are at most.
MAX_SECONDS, MAX_PAGES, MAX_CHARS = 1800.0, 500, 200 << 20
KEY_PREFIX = "p-"
SWEEP_SECONDS = 30.0


class PastedPages:
    """Pages by keys that nobody guesses. *forget* is called with the key of each page that is dropped."""

    def __init__(
        self, forget: Callable[[str], None] = lambda key: None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._clock, self._forget = clock, forget
        self._lock = Lock()
        self._pages: OrderedDict[str, tuple[float, Record]] = OrderedDict()
        self._chars = 0

    def add(self, content: str | bytes, name: str = "") -> str:
        """Adds HTML or plain text, and returns its key."""
        key = KEY_PREFIX + secrets.token_urlsafe(12)
        record = record_of(content)
        record["id"] = name or "pasted"
        with self._lock:
            self._drop_old()
            self._pages[key] = self._clock(), record
            self._chars += _chars(record)
            while len(self._pages) > 1 and (len(self._pages) > MAX_PAGES or self._chars > MAX_CHARS):
                self._drop_first()
        return key

    def record(self, key: str) -> Record:
        """The page with a key. Raises KeyError for one that is not (any more) there."""
        with self._lock:
            self._drop_old()
            return self._pages[key][1]

    def __len__(self) -> int:
        return len(self._pages)

    def drop_old(self) -> None:
        """Drops the pages whose time is over."""
        with self._lock:
            self._drop_old()

    def sweep(self, seconds: float = SWEEP_SECONDS) -> None:
        """Drops old pages now and then, also if nobody asks for any."""

        def work() -> None:
            while True:
                time.sleep(seconds)
                self.drop_old()

        threading.Thread(target=work, daemon=True).start()

    def _drop_old(self) -> None:
        while self._pages and self._clock() - next(iter(self._pages.values()))[0] > MAX_SECONDS:
            self._drop_first()

    def _drop_first(self) -> None:
        key, (_, record) = self._pages.popitem(last=False)
        self._chars -= _chars(record)
        self._forget(key)


def record_of(content: str | bytes) -> Record:
    """A record of HTML or of plain text. Bytes are decoded as browsers decode them."""
    html = str(decode_html({"html": content})["html"]) if isinstance(content, bytes) else content
    start = html[:4096].encode("utf-8", "replace").lstrip()
    return {"html": html} if is_html(start) or start.startswith(b"<") else {"text": html}


def _chars(record: Record) -> int:
    return len(record.get("html") or record.get("text") or "")
