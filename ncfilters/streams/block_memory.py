"""Memory that the long blocks of an archive use one after the other: memory that is new for each is slow.

memory = BlockMemory()
block = memory.read(archived.reader, size)    # a view, until the next one is read
"""

from __future__ import annotations

from typing import Any

# Bytes that are read at once: they do not leave the caches of the processor before they are copied.
PIECE_BYTES = 1 << 17
# The most bytes that are kept for the next block.
MAX_KEPT = 1 << 23


def read_block(reader: Any, size: int) -> bytes:
    """The next *size* bytes of a reader, or fewer, if it ends: in pieces, because fastwarc moves what it has when it
    reads more."""
    pieces: list[bytes] = []
    left = size
    while left and (piece := reader.read(min(PIECE_BYTES, left))):
        pieces.append(piece)
        left -= len(piece)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


class BlockMemory:
    """Where blocks are read to."""

    def __init__(self) -> None:
        self._memory = bytearray()

    def read(self, reader: Any, size: int) -> bytes | memoryview:
        """The next *size* bytes of a reader, or fewer, if it ends. A view is to be used before the next call."""
        if size <= PIECE_BYTES:
            data: bytes = reader.read(size)
            return data
        memory = self._of(size)
        at = 0
        while at < size and (piece := reader.read(min(PIECE_BYTES, size - at))):
            memory[at : at + len(piece)] = piece
            at += len(piece)
        return memory[:at]

    def _of(self, size: int) -> memoryview:
        if size > MAX_KEPT:
            return memoryview(bytearray(size))
        if len(self._memory) < size:
            self._memory = bytearray(min(size + size // 4, MAX_KEPT))
        return memoryview(self._memory)
