"""Records begin where they begin, and not inside others."""

from __future__ import annotations

import gzip
import io
import random

import pytest
from archives import archived, http, zstd

from ncfilters.spark.boundaries import Kind, first_boundary, kind_of

RANDOM = random.Random(7)
# An archive in an archive, which deflate copies as it is.
INNER = b"".join(gzip.compress(archived(100 + number, http(RANDOM.randbytes(40).hex()))) for number in range(150))
RECORDS = [archived(1, http()), archived(2, http(INNER)), *(archived(number, http()) for number in range(3, 40))]
MEMBERS = [gzip.compress(record, 0 if INNER in record else 6, mtime=0) for record in RECORDS]
STARTS = [sum(map(len, MEMBERS[:number])) for number in range(len(MEMBERS))]
ARCHIVE = b"".join(MEMBERS)
LINES = b'{"id": 1}\n\n{"id": 2}\nnot JSON\n{"id": 3}'


def found(data: bytes, kind: Kind, low: int, high: int) -> int | None:
    return first_boundary(io.BytesIO(data), kind, low, high)


def test_the_boundaries_of_an_archive_are_the_starts_of_its_members() -> None:
    assert b"\x1f\x8b\x08" in ARCHIVE[STARTS[1] + 50 : STARTS[2]]
    places = {start + distance for start in STARTS for distance in (-1, 0, 1, 40)} | {*range(0, len(ARCHIVE), 997)}
    for low in sorted(places - {-1}):
        expected = next((start for start in STARTS if start >= low), None)
        assert found(ARCHIVE, "archive", low, len(ARCHIVE)) == expected
        assert found(ARCHIVE, "archive", low, low + 1) == (low if low in STARTS else None)


def test_an_archive_in_one_member_has_one_boundary() -> None:
    packed = gzip.compress(b"".join(RECORDS))
    assert found(packed, "archive", 0, len(packed)) == 0
    assert found(packed, "archive", 1, len(packed)) is None


def test_a_damaged_part_hides_the_boundaries_before_it_but_none_after_it() -> None:
    broken = bytearray(ARCHIVE)
    broken[STARTS[20] + 30] ^= 0xFF
    assert found(bytes(broken), "archive", STARTS[18], len(broken)) == STARTS[21]
    assert found(bytes(broken), "archive", STARTS[22], len(broken)) == STARTS[22]


def test_the_boundaries_of_lines_come_after_line_feeds() -> None:
    starts = [at for at in range(len(LINES)) if at == 0 or LINES[at - 1 : at] == b"\n"]
    for low in range(len(LINES)):
        assert found(LINES, "lines", low, len(LINES)) == next((start for start in starts if start >= low), None)
        assert found(LINES, "lines", low, low + 1) == (low if low in starts else None)


def test_no_record_begins_at_the_end() -> None:
    assert found(b'{"id": 1}\n', "lines", 5, 10) is None


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (ARCHIVE, "archive"),
        (LINES, "lines"),
        (b"PAR1\x15\x04", "row groups"),
        (gzip.compress(LINES, mtime=0), "whole"),
        (zstd(RECORDS[0]), "whole"),
        (RECORDS[0], "whole"),
        ('{"id": 1}\n'.encode("utf-16"), "whole"),
        ('{"id": 1}\n'.encode("utf-16-le"), "whole"),
        (b"<p>A page", "whole"),
        (b"\x82\xa2id\x01", "whole"),
        (b"", "whole"),
    ],
)
def test_what_a_file_is_says_whether_it_has_parts(data: bytes, kind: Kind) -> None:
    assert kind_of(data[: 1 << 16]) == kind
