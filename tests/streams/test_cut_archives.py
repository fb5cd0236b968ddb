"""Archives that are cut or have a flipped bit: each page comes out whole, or an error says what is missing."""

from __future__ import annotations

import gzip
import io
import random
from collections.abc import Callable

import pytest
from archives import archived, http

from ncfilters.errors import RecordError
from ncfilters.streams.html_pages import PageSelection
from ncfilters.streams.warc_reader import WarcReader


def page(number: int) -> str:
    return f"<p>{number} " + " ".join(map(str, random.Random(number).sample(range(10_000), 40)))


RECORDS = [archived(number, http(page(number))) for number in range(5)]
PACKINGS = {
    "plain": lambda parts: b"".join(parts),
    "members": lambda parts: b"".join(gzip.compress(part, mtime=0) for part in parts),
    "one member": lambda parts: gzip.compress(b"".join(parts), mtime=0),
}


def read(data: bytes) -> tuple[list[str], list[RecordError]]:
    """The pages of an archive, and its errors."""
    items = list(WarcReader([("archive", io.BytesIO(data))], PageSelection(1 << 20)))  # type: ignore[list-item]
    return [str(item["html"]) for item in items if isinstance(item, dict)], [
        item for item in items if isinstance(item, RecordError)
    ]


@pytest.mark.parametrize("pack", PACKINGS.values(), ids=PACKINGS)
def test_pages_of_a_cut_archive_are_whole_or_told(pack: Callable[[list[bytes]], bytes]) -> None:
    data, pages = pack(RECORDS), [page(number) for number in range(5)]
    assert read(data) == (pages, [])
    ends = {len(pack(RECORDS[:number])) for number in range(6)}
    for cut in range(1, len(data), 7):
        found, errors = read(data[:cut])
        assert found == pages[: len(found)], cut
        is_between = pack is not PACKINGS["one member"] and any(0 <= end - cut <= 4 for end in ends)
        assert errors or is_between, cut
        assert all("archive: " in str(error) for error in errors)


def test_pages_of_a_damaged_archive_are_whole_or_told() -> None:
    data, pages = PACKINGS["members"](RECORDS), [page(number) for number in range(5)]
    at = random.Random(3)
    for _ in range(300):
        place = at.randrange(len(data))
        damaged = data[:place] + bytes([data[place] ^ 1 << at.randrange(8)]) + data[place + 1 :]
        found, errors = read(damaged)
        assert set(found) <= set(pages), place
        assert errors or found == pages, place
