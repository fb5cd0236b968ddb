"""WARC and WET files that are cut, damaged or wrong: what nc-warc makes of them, and whether anything is lost silently.

    print(table(rows(flips=10_000)))

An archive of NUM_RECORDS pages is written as it is, with a gzip member or a zstd frame for each record, and as one gzip
member. A fault is injected, the archive is read, and each page is counted: whole (as without the fault), changed (its
text or its id), or missing. A page that is missing or changed is *told* if reading gives an error; else it is lost.
A WET file has the same texts as conversions, after a record that describes it.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import random
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from ncfilters.errors import RecordError
from ncfilters.streams.html_pages import PageSelection
from ncfilters.streams.warc_reader import WarcReader

NUM_RECORDS, PAGE_BYTES = 60, 16_000
CUT_STEP = 1_000
NUM_FLIPS = 10_000
LIMIT = 1 << 24
SEED = 18
NOTES = """Of lies, the damaged record itself is not counted. A revisit is no error: it has no content of its own. A
gzip member has a checksum; a plain record and a zstd frame without one are only as good as the digest in their head,
which `--check-digests` compares. A kind of record, or a content type, that is a known one but for one bit is told, as
is an id that is none; an id that becomes another id is a changed page. A conversion without a content type is text,
if it is UTF-8, and else an error."""


@dataclass
class Count:
    """What came of one fault, over all its tries."""

    tries: int = 0
    told: int = 0  # tries with an error
    whole: int = 0
    missing: int = 0
    changed: int = 0
    silent: Counter[str] = field(default_factory=Counter)
    unplaced: int = 0  # errors that do not name the file and an offset

    def add(self, pages: dict[str, str], items: list[object], expected: set[str]) -> None:
        """Counts a try in which the pages of *expected* should be whole, or an error should tell."""
        self.tries += 1
        errors = [str(item) for item in items if isinstance(item, RecordError)]
        self.told += bool(errors)
        self.unplaced += sum("archive: " not in error or "byte " not in error for error in errors)
        found = pages_of(items)
        whole = {name for name in expected if found.get(name) == pages[name]}
        renamed = set(found.values())
        changed = {name for name in expected - whole if name in found or pages[name] in renamed}
        missing = expected - whole - changed
        self.whole += len(whole)
        self.changed += len(changed)
        self.missing += len(missing)
        if not errors:
            self.silent["missing"] += len(missing)
            self.silent["changed"] += len(changed)


def pages_of(items: Iterable[object]) -> dict[str, str]:
    """The HTML, or the text, of each record."""
    return {str(item["id"]): str(item.get("html", item.get("text"))) for item in items if isinstance(item, dict)}


def record_id(number: int) -> str:
    """The id of a record."""
    return f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, str(number))}"


def records() -> list[bytes]:
    """The records of the archive, with digests of their blocks; every fourth has a chunked payload."""
    made, words = [], random.Random(SEED)
    for number in range(NUM_RECORDS):
        text = " ".join("".join(words.choices("abcdefghijklmnop", k=7)) for _ in range(PAGE_BYTES // 8))
        page = f"<p>{number} {text}".encode()
        head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
        if number % 4 == 3:
            head += "Transfer-Encoding: chunked\r\n"
            page = b"%x\r\n%s\r\n0\r\n\r\n" % (len(page), page)
        block = head.encode() + b"\r\n" + page
        digest = base64.b32encode(hashlib.sha1(block, usedforsecurity=False).digest()).decode()
        lines = [
            "WARC/1.0",
            "WARC-Type: response",
            f"WARC-Record-ID: <{record_id(number)}>",
            f"WARC-Target-URI: http://a.example/{number}",
            f"WARC-Block-Digest: sha1:{digest}",
            "Content-Type: application/http; msgtype=response",
            f"Content-Length: {len(block)}",
        ]
        made.append("\r\n".join(lines).encode() + b"\r\n\r\n" + block + b"\r\n\r\n")
    return made


def wet_records() -> list[bytes]:
    """The records of a WET file; before the first one is what describes the file."""
    made = []
    info = b"Software-Info: a test\r\n"
    for number, record in enumerate(records()):
        text = record.split(b"<p>", 1)[1].partition(b"\r\n")[0] + " – in UTF-8\n".encode()
        lines = [
            "WARC/1.0",
            "WARC-Type: conversion",
            f"WARC-Target-URI: http://a.example/{number}",
            f"WARC-Record-ID: <{record_id(number)}>",
            f"WARC-Refers-To: <{record_id(-1 - number)}>",
            f"WARC-Block-Digest: sha1:{base64.b32encode(hashlib.sha1(text, usedforsecurity=False).digest()).decode()}",
            "WARC-Identified-Content-Language: eng",
            "Content-Type: text/plain",
            f"Content-Length: {len(text)}",
        ]
        made.append("\r\n".join(lines).encode() + b"\r\n\r\n" + text + b"\r\n\r\n")
    lines = ["WARC/1.0", "WARC-Type: warcinfo", f"WARC-Record-ID: <{record_id(NUM_RECORDS)}>"]
    head = "\r\n".join([*lines, f"Content-Length: {len(info)}"]).encode()
    return [head + b"\r\n\r\n" + info + b"\r\n\r\n" + made[0], *made[1:]]


def zstd_frame(data: bytes) -> bytes:
    """A zstd frame of raw blocks."""
    blocks = [data[at : at + 100_000] for at in range(0, len(data), 100_000)]
    out = b"\x28\xb5\x2f\xfd\xa0" + len(data).to_bytes(4, "little")
    for number, block in enumerate(blocks):
        out += (len(block) << 3 | (number == len(blocks) - 1)).to_bytes(3, "little") + block
    return out


def read(data: bytes, check_digests: bool = False) -> list[object]:
    """The records and errors of an archive."""
    selection = PageSelection(LIMIT, check_digests=check_digests)
    return list(WarcReader([("archive", io.BytesIO(data))], selection))  # type: ignore[list-item]


def cuts(parts: list[bytes], pages: dict[str, str], name: Callable[[int], str]) -> Count:
    """The archive cut at every CUT_STEP-th byte of its first megabyte. All records that begin before are expected; of
    one gzip member, all records."""
    count, data = Count(), b"".join(parts)
    starts = [len(b"".join(parts[:at])) for at in range(len(parts))]
    for cut in range(CUT_STEP, min(len(data), 1 << 20), CUT_STEP):
        expected = {name(at) for at, start in enumerate(starts) if start < cut} if len(parts) > 1 else set(pages)
        count.add(pages, read(data[:cut]), expected)
    return count


def flips(data: bytes, pages: dict[str, str], tries: int, check_digests: bool) -> Count:
    """The archive with one bit flipped, at random places. All records are expected."""
    count, places = Count(), random.Random(SEED)
    for _ in range(tries):
        place = places.randrange(len(data))
        damaged = bytearray(data)
        damaged[place] ^= 1 << places.randrange(8)
        count.add(pages, read(bytes(damaged), check_digests), set(pages))
    return count


_Change = Callable[[bytes], bytes]


def lies_about_length() -> dict[str, _Change]:
    """What is made of a record whose head has another length."""
    return {
        "Content-Length too long by 1,000": lambda r: _length(r, 1_000),
        "Content-Length too short by 1,000": lambda r: _length(r, -1_000),
        "Content-Length of a petabyte": lambda r: _length(r, 10**15),
        "Content-Length is no number": lambda r: r.replace(b"Content-Length: ", b"Content-Length: x"),
        "no Content-Length": lambda r: r.replace(b"Content-Length", b"X-Length"),
    }


def lies(made: list[bytes], pages: dict[str, str]) -> Iterator[tuple[str, Count]]:
    """Records that lie, each as the third of the archive. All others are expected."""
    changes: dict[str, _Change] = {
        **lies_about_length(),
        "chunked, but is not": lambda r: _http(r, b"Transfer-Encoding: chunked\r\n"),
        "gzip, but is not": lambda r: _http(r, b"Content-Encoding: gzip\r\n"),
        "br, but is not": lambda r: _http(r, b"Content-Encoding: br\r\n"),
        "deflate, but is not": lambda r: _http(r, b"Content-Encoding: deflate\r\n"),
        "a revisit": lambda r: r.replace(b"Type: response", b"Type: revisit", 1),
        "a record of ARC": lambda _: b"http://a.example/2 192.0.2.1 20200101000000 text/html 9\n<p>Page.\n\n",
        "garbage": lambda _: b"garbage\0" * 500,
    }
    yield from told_lies(made, pages, changes)
    dictionary = b"\x5d\x2a\x4d\x18" + (64).to_bytes(4, "little") + b"\x37\xa4\x30\xec" + b"d" * 60
    count = Count()
    count.add(pages, read(dictionary + b"".join(map(zstd_frame, made))), set(pages))
    yield "a zstd dictionary before the first frame", count


def told_lies(made: list[bytes], pages: dict[str, str], changes: dict[str, _Change]) -> Iterator[tuple[str, Count]]:
    """The counts of archives of which one record is changed."""
    for name, change in changes.items():
        count = Count()
        for pack in (bytes, gzip.compress, zstd_frame):
            parts = [pack(change(record) if at == 2 else record) for at, record in enumerate(made)]
            count.add(pages, read(b"".join(parts)), set(pages) - {record_id(2)})
        yield f"{name}: plain, gzip, zstd", count


def _length(record: bytes, more: int) -> bytes:
    before, _, rest = record.partition(b"Content-Length: ")
    number, _, after = rest.partition(b"\r\n")
    return before + b"Content-Length: %d\r\n" % (int(number) + more) + after


def _http(record: bytes, line: bytes) -> bytes:
    changed = record.replace(b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\n" + line)
    return _length(changed, len(line))


def mixed(made: list[bytes]) -> list[bytes]:
    """The records in turn as a gzip member, as a zstd frame and plain, as when archives are joined by `cat`."""
    packs: list[Callable[[bytes], bytes]] = [lambda record: gzip.compress(record, mtime=0), zstd_frame, bytes]
    return [packs[number % len(packs)](record) for number, record in enumerate(made)]


def rows(num_flips: int) -> list[tuple[str, Count]]:
    """The counts of all faults."""
    made = records()
    pages = pages_of(read(b"".join(made)))
    assert len(pages) == NUM_RECORDS
    forms: dict[str, list[bytes]] = {
        "plain": made,
        "gzip": [gzip.compress(record, mtime=0) for record in made],
        "zstd": [zstd_frame(record) for record in made],
        "gzip, zstd and plain in turn": mixed(made),
        "one gzip member": [gzip.compress(b"".join(made), mtime=0)],
    }
    whole = Count()
    whole.add(pages, read(b"".join(forms["gzip, zstd and plain in turn"])), set(pages))
    found = [("none, gzip, zstd and plain in turn", whole)]
    found += [(f"cut, {form}", cuts(parts, pages, record_id)) for form, parts in forms.items()]
    each = -(-num_flips // (len(forms) + 1))
    found += [(f"a bit flipped, {form}", flips(b"".join(parts), pages, each, False)) for form, parts in forms.items()]
    found.append(("a bit flipped, plain, with --check-digests", flips(b"".join(made), pages, each, True)))
    found += lies(made, pages)
    return found + [(f"WET: {name}", count) for name, count in wet_rows(each)]


def wet_rows(num_flips: int) -> Iterator[tuple[str, Count]]:
    """The counts of faults of a WET file, of so many flipped bits of each form."""
    made = wet_records()
    pages = pages_of(read(b"".join(made)))
    assert len(pages) == NUM_RECORDS
    forms = {
        "plain": made,
        "gzip": [gzip.compress(record, mtime=0) for record in made],
        "one gzip member": [gzip.compress(b"".join(made), mtime=0)],
    }
    for form, parts in forms.items():
        yield f"cut, {form}", cuts(parts, pages, record_id)
        yield f"a bit flipped, {form}", flips(b"".join(parts), pages, num_flips, False)
    yield "a bit flipped, plain, with --check-digests", flips(b"".join(made), pages, num_flips, True)
    yield from told_lies(made, pages, lies_about_length())


def table(rows: list[tuple[str, Count]]) -> str:
    """The counts as a table."""
    lines = [
        "| fault | tries | told | pages whole | missing | changed | lost without an error | changed without an error "
        "| errors without file and offset |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, count in rows:
        figures = (
            count.tries,
            count.told,
            count.whole,
            count.missing,
            count.changed,
            count.silent["missing"],
            count.silent["changed"],
            count.unplaced,
        )
        lines.append(f"| {name} | " + " | ".join(f"{figure:,}" for figure in figures) + " |")
    return "\n".join(lines)
