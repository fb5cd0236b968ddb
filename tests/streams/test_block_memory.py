"""The memory of long blocks: they are what the reader has, and a short one is left alone."""

from __future__ import annotations

import io

import pytest

from ncfilters.streams.block_memory import MAX_KEPT, PIECE_BYTES, BlockMemory, read_block


def test_blocks_are_what_is_read_one_after_the_other() -> None:
    memory = BlockMemory()
    for size in (0, 5, PIECE_BYTES, PIECE_BYTES + 1, 3 * PIECE_BYTES + 7, PIECE_BYTES + 2, MAX_KEPT + 1, 9):
        data = bytes(range(251)) * (size // 251 + 1)
        assert memory.read(io.BytesIO(data), size) == data[:size]


def test_a_reader_that_ends_gives_a_shorter_block() -> None:
    block = BlockMemory().read(io.BytesIO(b"x" * (PIECE_BYTES + 5)), 4 * PIECE_BYTES)
    assert len(block) == PIECE_BYTES + 5


def test_long_blocks_use_the_same_memory() -> None:
    memory = BlockMemory()
    first, second = (memory.read(io.BytesIO(b"y" * MAX_KEPT), MAX_KEPT - more) for more in (0, 1))
    assert isinstance(first, memoryview) and isinstance(second, memoryview) and first.obj is second.obj


@pytest.mark.parametrize("size", [0, 1, PIECE_BYTES, PIECE_BYTES + 1, 3 * PIECE_BYTES])
def test_a_block_is_read_in_pieces(size: int) -> None:
    data = bytes(range(256)) * (3 * PIECE_BYTES // 256)
    assert read_block(io.BytesIO(data), size) == data[:size]
    assert read_block(io.BytesIO(data[:size]), size + 7) == data[:size]
