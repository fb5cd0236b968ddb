"""Archives of pages in many content codings, charsets and packings: each comes out as it was, or as an error.

    row(1_000)    # what was tried, how often, the result, and what failed

A page is in one of CHARSETS, which its head names or not, in up to three of CODINGS, chunked or not; its record is
plain, a gzip member or a zstd frame. One in two is sound; of the others, the body is cut, has a flipped bit, or is in
other codings than the head says. A *failure* is a sound page that is changed, a cut one that comes out without an
error, or a record without page or error.
"""

from __future__ import annotations

import gzip
import random
import sys
import zlib
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.fault_archives import read, record_id, zstd_frame
from ncfilters.errors import RecordError

CHARSETS = {
    "utf-8": "<p>Grüße – 日本語 текст",
    "windows-1252": "<p>Grüße – café",
    "shift_jis": "<p>日本語のページ",
    "koi8-r": "<p>русский текст",
    "gb18030": "<p>中文页面",
}
CODINGS: list[tuple[str, Callable[[bytes], bytes]]] = [
    ("gzip", gzip.compress),
    ("x-gzip", gzip.compress),
    ("deflate", zlib.compress),
    ("deflate", lambda data: zlib.compress(data)[2:-4]),  # as some servers send it
    ("zstd", zstd_frame),
]
with suppress(ImportError):
    import brotli  # Python's library has none

    CODINGS.append(("br", brotli.compress))
PACKINGS: list[Callable[[bytes], bytes]] = [bytes, gzip.compress, zstd_frame]
FAULTS = ("cut", "a flipped bit", "other codings")
PER_ARCHIVE = 100


def row(count: int, seed: int = 0) -> tuple[str, int, str, list[str]]:
    """What was tried, how often, the result, and what failed."""
    at, failed, found = random.Random(seed), list[str](), Counter[str]()
    for start in range(0, count, PER_ARCHIVE):
        numbers = range(start, min(start + PER_ARCHIVE, count))
        made = {record_id(number): _record(number, at) for number in numbers}
        items = read(b"".join(packed for packed, _, _ in made.values()))
        pages = {str(item["id"]): str(item["html"]) for item in items if isinstance(item, dict)}
        errors = sum(isinstance(item, RecordError) for item in items)
        if len(pages) + errors != len(numbers):
            failed.append(f"{len(numbers)} records: {len(pages)} pages, {errors} errors")
        for name, (_, page, fault) in made.items():
            outcome = "told" if name not in pages else "whole" if pages[name] == page else "changed"
            found[outcome] += 1
            if (fault, outcome) == ("cut", "changed") or not fault and outcome != "whole":
                failed.append(f"{name}: {fault or 'sound'}, {outcome}")
    result = f"{found['whole']:,} whole, {found['told']:,} errors, {found['changed']:,} changed where no checksum tells"
    return "pages in archives, in mixed content codings, charsets and packings", count, result, failed


def _record(number: int, at: random.Random) -> tuple[bytes, str, str]:
    """A record as it is in the archive, the page, and what is wrong with it."""
    charset = at.choice(list(CHARSETS))
    page = f"<meta charset={charset}>{CHARSETS[charset]} {number} {' '.join(str(at.random()) for _ in range(50))}"
    codings = at.choices(CODINGS, k=at.choice((1, 1, 2, 3)))
    body = page.encode(charset)
    for _, code in codings:
        body = code(body)
    names = [name for name, _ in codings]
    fault = at.choice(("", "", "", *FAULTS))
    if fault == "cut":
        body = body[: at.randrange(4, len(body))]  # the first bytes tell the coding
    elif fault == "a flipped bit":
        place = at.randrange(len(body))
        body = body[:place] + bytes([body[place] ^ 1 << at.randrange(8)]) + body[place + 1 :]
    elif fault:
        names = [at.choice(CODINGS)[0] for _ in names]
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html{at.choice(('', f'; charset={charset}'))}\r\n"
    head += f"Content-Encoding: {', '.join(names)}\r\n"
    if at.random() < 0.2:
        head += "Transfer-Encoding: chunked\r\n"
        body = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
    block = f"{head}\r\n".encode() + body
    lines = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <{record_id(number)}>\r\n"
    lines += f"WARC-Target-URI: http://a.example/{number}\r\nContent-Type: application/http\r\n"
    lines += f"Content-Length: {len(block)}\r\n\r\n"
    return at.choice(PACKINGS)(lines.encode() + block + b"\r\n\r\n"), page, fault
