"""Documents as a WET file, the format of web archives for plain text.

sink = WetWriter(Output(watched=False))
sink.write({"id": "urn:uuid:…", "url": "http://example.org/", "text": "Text."}); sink.close()

The same documents give the same bytes. fastwarc's writer is not used: it dates records itself, and accepts URLs that
its reader rejects.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
import uuid
from datetime import datetime, timezone
from urllib.parse import quote

from ..errors import RecordError
from ..installed import __version__
from ..record import Record, is_error
from .writers import ByteOutput, json_line, replace_surrogates

# The date of documents without one. It cannot be mistaken for the date of a crawl, and does not depend on the clock.
UNDATED = "1970-01-01T00:00:00Z"
# The URI of documents with an id and no URL begins with this.
NAMESPACE = "urn:x-ncfilters:"
# Bytes of a URI. fastwarc reads heads of at most 65,536 bytes.
MAX_URI = 16_384
GZIP_LEVEL = 6  # the default of gzip

_IDS = uuid.uuid5(uuid.NAMESPACE_URL, "urn:x-ncfilters:wet")
# An id that names a record in an archive, not any text with a colon.
_URI = re.compile(r"(?:urn:|[a-z][a-z0-9+.-]*://)[!-;=?-~]+", re.I)
# Characters that a header cannot contain, or would lose: white space, controls, and the brackets of WARC/1.0.
_UNSAFE = re.compile(r"[\x00-\x20<>\x7f-\xa0\ud800-\udfff\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
_LANGUAGES = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*(?:,[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*)*")


class WetWriter:
    """A sink: a `warcinfo` record, and a `conversion` record for the `text` of each document that has not failed.

    With *packed*, each record is a gzip member.
    """

    def __init__(self, output: ByteOutput, packed: bool = False) -> None:
        self._output, self._packed = output, packed
        self._documents = WetRecords()

    def write(self, record: Record) -> None:
        """Writes a document. Raises RecordError for a URL or id that is too long for a header."""
        self._put(self._documents.of(record))

    def close(self) -> None:
        if not self._documents.started:
            self._put([warcinfo(UNDATED, b"")])
        self._output.flush()

    def _put(self, records: list[bytes]) -> None:
        for data in records:
            self._output.write(gzip.compress(data, GZIP_LEVEL, mtime=0) if self._packed else data)


class WetRecords:
    """The WARC records of documents, numbered, in the order of a file."""

    def __init__(self) -> None:
        self._number = 0
        self.started = False

    def of(self, record: Record) -> list[bytes]:
        """The record of a document, after `warcinfo` if it is the first; none for one that has failed."""
        self._number += 1
        if is_error(record):
            return []
        data = conversion(record, self._number)
        before = [] if self.started else [warcinfo(date_of(record), data)]
        self.started = True
        return [*before, data]


def conversion(record: Record, number: int) -> bytes:
    """The WARC record of a document. *number* replaces the id of a document without one.

    `WARC-Refers-To` is the `id` if that is a URI, as the ids of archived records are. `WARC-Record-ID` is a name-based
    UUID (RFC 9562, version 5) of id, URL, date and text. Raises RecordError for a URL or id that is too long.
    """
    block = str(replace_surrogates(record["text"])).encode()
    url, date = record.get("url"), date_of(record)
    name = None if record.get("id") == "" else record.get("id")
    what = [name, number if name is None else None, url, date, _digest(block)]
    urn = uuid.uuid5(_IDS, json_line(what).decode()).urn
    refers = str(name) if isinstance(name, str) and name != url and _URI.fullmatch(name) else None
    if url:
        target = _UNSAFE.sub(lambda found: quote(found[0], safe="", errors="replace"), url)
    elif refers or name is None:
        target = refers or urn
    else:
        target = NAMESPACE + quote(str(name), errors="replace")
    for field, uri in (("url" if url else "id", target), ("id", refers or "")):
        if len(uri.encode()) > MAX_URI:
            raise RecordError(f"{field}: too long for a WET file, more than {MAX_URI:,} bytes")
    lang = record.get("lang")
    return _warc_record(
        {
            "WARC-Type": "conversion",
            "WARC-Target-URI": target,
            "WARC-Date": date,
            "WARC-Record-ID": f"<{urn}>",
            "WARC-Refers-To": f"<{refers}>" if refers else None,
            "WARC-Block-Digest": _digest(block),
            "WARC-Identified-Content-Language": lang if isinstance(lang, str) and _LANGUAGES.fullmatch(lang) else None,
            "Content-Type": "text/plain",
        },
        block,
    )


def warcinfo(date: str, first: bytes) -> bytes:
    """The first record of a file, with the software that wrote it. *first* is the record after it."""
    block = (
        f"software: ncfilters/{__version__}\r\n"
        "description: clean text of web pages\r\n"
        "format: WARC File Format 1.0\r\n"
        "conformsTo: http://bibnum.bnf.fr/WARC/WARC_ISO_28500_version1_latestdraft.pdf\r\n"
    ).encode()
    name = uuid.uuid5(_IDS, hashlib.sha256(block + first).hexdigest())
    head = {"WARC-Type": "warcinfo", "WARC-Date": date, "WARC-Record-ID": f"<{name.urn}>"}
    return _warc_record({**head, "WARC-Block-Digest": _digest(block), "Content-Type": "application/warc-fields"}, block)


def date_of(record: Record) -> str:
    """The record's `crawl_date` in UTC and whole seconds, as in WARC/1.0; UNDATED if it has none."""
    date = record.get("crawl_date")
    try:
        # Python 3.10 reads neither Z nor nanoseconds
        found = datetime.fromisoformat(re.sub(r"[.,]\d+", "", str(date)).replace("Z", "+00:00"))
        if found.tzinfo:
            found = found.astimezone(timezone.utc)
    except (ValueError, OverflowError):
        return UNDATED
    return found.replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def _warc_record(headers: dict[str, str | None], block: bytes) -> bytes:
    lines = ["WARC/1.0", *(f"{name}: {value}" for name, value in headers.items() if value is not None)]
    return "\r\n".join([*lines, f"Content-Length: {len(block)}", "", ""]).encode() + block + b"\r\n\r\n"


def _digest(block: bytes) -> str:
    return "sha1:" + base64.b32encode(hashlib.sha1(block, usedforsecurity=False).digest()).decode()
