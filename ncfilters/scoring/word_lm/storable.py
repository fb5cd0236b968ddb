"""Perl's Storable files as far as PyPlexity's models need: an array of hashes, their values numbers.

    number, tables = hashes(open("bigrams-bnc.st", "rb"), "bigrams-bnc.st")      # 2, those of pairs and of words
    for keys, values in chain.from_iterable(tables):                             # [b"of the", …], [0.21, …]

Files of `store` and of `nstore` are read, a batch of entries at a time. They hold data; what could make Perl run code
(blessed and tied things, code) is refused, as is all else that is no table of numbers.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any, BinaryIO

MAGIC = b"pst0"
SUFFIX = ".st"
# Entries of a hash given at a time.
BATCH = 1 << 16
# Bytes read at a time, and the longest key or number there may be.
READ, LONGEST = 1 << 20, 1 << 20

Batches = Iterator[tuple[list[bytes], list[float]]]

# What the first byte of a thing says it is (Storable.xs of Perl 5.36).
LONG_SCALAR, ARRAY, HASH, REFERENCE, UNDEF, INTEGER, DOUBLE, SMALL, NET_INTEGER, SCALAR = range(1, 11)
SV_UNDEF, YES, NO = 14, 15, 16
UTF8, LONG_UTF8, FLAG_HASH = 23, 24, 25
UNDEF_ELEMENT, TRUE, FALSE = 31, 34, 35
FIXED = {UNDEF: 0.0, SV_UNDEF: 0.0, UNDEF_ELEMENT: 0.0, YES: 1.0, NO: 0.0, TRUE: 1.0, FALSE: 0.0}
NAMES = {
    0: "something that stands in the file twice",
    LONG_SCALAR: "a string",
    ARRAY: "an array",
    HASH: "a hash",
    REFERENCE: "a reference",
    SCALAR: "a string",
    11: "a tied array",
    12: "a tied hash",
    13: "a tied scalar",
    17: "a blessed object",
    18: "a blessed object",
    19: "an object with code of its own",
    20: "an object with overloaded operators",
    21: "a tied element",
    22: "a tied element",
    UTF8: "a string",
    LONG_UTF8: "a string",
    FLAG_HASH: "a hash",
    26: "Perl code",
    27: "a weak reference",
    28: "an object with overloaded operators",
    29: "a version string",
    30: "a version string",
    32: "a regular expression",
    33: "something of more than 2 GB",
}
# Flags of a key: it is UTF-8; it is Latin-1 that once was UTF-8; it may stand in a locked hash.
KEY_UTF8, KEY_LATIN1, KEY_LOCKED = 1, 2, 4


class StorableError(Exception):
    """A file that is no table of numbers; says which and why."""


def hashes(stream: BinaryIO, name: str) -> tuple[int, Iterator[Batches]]:
    """How many hashes an array has, and their entries in batches of keys (bytes; UTF-8 where Perl knew them for text)
    and values. Each hash is to be gone through before the next. Raises StorableError, with *name*."""
    source = _Source(stream, name)
    source.header()
    if (code := source.byte()) != ARRAY:
        raise source.error(f"{source.named(code)} where an array of hashes is wanted")
    number = source.length()
    return number, (_hash(source) for _ in range(number))


def _hash(source: _Source) -> Batches:
    """The entries of the next hash, in batches."""
    while (code := source.byte()) == REFERENCE:
        pass
    if code not in (HASH, FLAG_HASH):
        raise source.error(f"{source.named(code)} where a hash is wanted")
    if code == FLAG_HASH:
        source.byte()  # whether it is locked
    return source.entries(source.length(), code == FLAG_HASH)


class _Source:
    """The bytes of a file, and where in them reading is."""

    def __init__(self, stream: Any, name: str) -> None:
        self._stream, self._name = stream, name
        self._data, self._at, self._before = b"", 0, 0

    def error(self, what: str) -> StorableError:
        """An error that says where it is."""
        return StorableError(f"{self._name}: byte {self._before + self._at}: {what}")

    def named(self, code: int) -> str:
        """What a first byte stands for; blessed things with their class."""
        name = NAMES.get(
            code, "a number or nothing" if code in FIXED or code < SCALAR else f"something unknown ({code})"
        )
        if code == REFERENCE:
            what = self.byte()
            return name if what == REFERENCE else f"{name} to {self.named(what)}"
        if code == 17 and (length := self.byte()) < 128:
            name += f" ({self.take(length).decode('utf-8', 'replace')!r})"
        return name

    def take(self, size: int) -> bytes:
        """So many bytes."""
        if not 0 <= size <= LONGEST:
            raise self.error(f"a string of {size:,} bytes")
        if self._at + size > len(self._data):
            self._fill(size)
        found = self._data[self._at : self._at + size]
        self._at += size
        return found

    def _fill(self, size: int) -> None:
        """Reads on until there are so many bytes."""
        rest = self._data[self._at :]
        self._before += self._at
        self._at = 0
        while len(rest) < size:
            more = self._stream.read(max(READ, size - len(rest)))
            if not more:
                self._data = rest
                self._at = len(rest)
                raise self.error("the file is cut short")
            rest += more
        self._data = rest

    def byte(self) -> int:
        """One byte."""
        return self.take(1)[0]

    def length(self) -> int:
        """A length, or a number of things."""
        (found,) = self._long.unpack(self.take(4))
        if found < 0:
            raise self.error("a length below 0")
        return int(found)

    def header(self) -> None:
        """Reads what a file begins with; how its numbers are written follows from it."""
        try:
            begin = self.take(5)
        except StorableError:
            begin = b""
        if begin[:4] != MAGIC:
            raise StorableError(f"{self._name}: no Storable file of Perl")
        if begin[4] >> 1 != 2:
            raise self.error(f"Storable's format {begin[4] >> 1}; 2 is read")
        minor = self.byte()
        order = ">"
        size = 8
        if not begin[4] & 1:
            digits = self.take(self.byte())
            orders = {b"12345678"[:size]: "<", b"87654321": ">", b"1234": "<", b"4321": ">"}
            sizes = self.take(4 if minor >= 2 else 3)
            if digits not in orders or sizes[0] != 4 or sizes[3:] not in (b"", b"\x08"):
                raise self.error("numbers as no usual machine has them: store it with nstore")
            order, size = orders[digits], len(digits)
        self._long = struct.Struct(order + "i")
        self._integer, self._double = struct.Struct(order + ("q" if size == 8 else "i")), struct.Struct(order + "d")

    def entries(self, size: int, flagged: bool) -> Batches:
        """The entries of a hash, in batches."""
        long, double, most = self._long.unpack_from, self._double.unpack_from, self._long.size + self._double.size + 1
        while size:
            keys: list[bytes] = []
            values: list[float] = []
            for _ in range(min(size, BATCH)):
                data, at = self._data, self._at
                if not flagged and at + most <= len(data) and data[at] == DOUBLE:
                    # nearly all are like this, and many: read without a call for each part
                    value = double(data, at + 1)[0]
                    length = long(data, at + 9)[0]
                    self._at = at = at + most
                    if 0 <= length <= len(data) - at:
                        key = data[at : at + length]
                        self._at = at + length
                    else:
                        key = self.take(length)
                else:
                    value = self._number()
                    key = self._key(self.byte() if flagged else 0)
                keys.append(key)
                values.append(value)
            size -= len(keys)
            yield keys, values

    def _key(self, flags: int) -> bytes:
        if flags & ~(KEY_UTF8 | KEY_LATIN1 | KEY_LOCKED):
            raise self.error("a key that is no string")
        key = self.take(self.length())
        return key.decode("latin-1").encode() if flags & KEY_LATIN1 else key

    def _number(self) -> float:
        """The value of an entry: a number, or a string that says one."""
        code = self.byte()
        if code in FIXED:
            return FIXED[code]
        if code == DOUBLE:
            return float(self._double.unpack(self.take(8))[0])
        if code == SMALL:
            return float(self.byte() - 128)
        if code == NET_INTEGER:
            return float(int.from_bytes(self.take(4), "big", signed=True))
        if code == INTEGER:
            return float(self._integer.unpack(self.take(self._integer.size))[0])
        if code not in (SCALAR, UTF8, LONG_SCALAR, LONG_UTF8):
            raise self.error(f"{self.named(code)} where a number is wanted")
        text = self.take(self.byte() if code in (SCALAR, UTF8) else self.length())
        try:
            return float(text)
        except ValueError:
            raise self.error(f"{text[:40].decode('utf-8', 'replace')!r} where a number is wanted") from None
