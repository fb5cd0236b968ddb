"""Reads PyPlexity's models, which are Perl's Storable files: an array of hashes whose values are numbers.

    model, counts = import_model(Path("bigrams-bnc.st"))
    number, tables = read_hashes(open("bigrams-bnc.st", "rb"), "bigrams-bnc.st")    # 2: bigrams and unigrams
    for keys, values in chain.from_iterable(tables):                                # [b"of the", …], [0.21, …]

Files of `store` and of `nstore` are read, a batch of entries at a time. Whatever could make Perl run code (blessed and
tied values, code) is refused, and so is everything else that is no table of numbers. The format is that of Storable.xs
in Perl 5.36.
"""

from __future__ import annotations

import errno
import os
import struct
from array import array
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelError
from ...streams.compression import decompress
from .interpolated import InterpolatedModel
from .parameters import WordModelParameters

MAGIC = b"pst0"
ENTRIES_PER_BATCH = 1 << 16
BYTES_PER_READ = 1 << 20
# A longer key or number is taken for damage.
MAX_STRING_BYTES = 1 << 20

Batches = Iterator[tuple[list[bytes], list[float]]]

# The type of a value, its first byte.
LONG_SCALAR, ARRAY, HASH, REFERENCE, UNDEF, INTEGER, DOUBLE, SMALL, NET_INTEGER, SCALAR = range(1, 11)
SV_UNDEF, YES, NO = 14, 15, 16
UTF8, LONG_UTF8, FLAG_HASH = 23, 24, 25
UNDEF_ELEMENT, TRUE, FALSE = 31, 34, 35
CONSTANTS = {UNDEF: 0.0, SV_UNDEF: 0.0, UNDEF_ELEMENT: 0.0, YES: 1.0, NO: 0.0, TRUE: 1.0, FALSE: 0.0}
TYPE_NAMES = {
    0: "a second reference to an earlier value",
    **dict.fromkeys((LONG_SCALAR, SCALAR, UTF8, LONG_UTF8), "a string"),
    **dict.fromkeys((HASH, FLAG_HASH), "a hash"),
    ARRAY: "an array",
    REFERENCE: "a reference",
    26: "Perl code",
    27: "a weak reference",
    32: "a regular expression",
    **dict.fromkeys((11, 12, 13, 21, 22), "a tied value"),
    **dict.fromkeys((17, 18), "a blessed object"),
    **dict.fromkeys((19, 20, 28), "an object with its own code"),
    29: "a version string",
    30: "a version string",
    33: "a value of more than 2 GB",
}
# Flags of a key: UTF-8; Latin-1 that Perl had as UTF-8; part of a locked hash.
KEY_UTF8, KEY_LATIN1, KEY_LOCKED = 1, 2, 4


def import_model(path: Path, estimator: str = "pyplexity") -> tuple[InterpolatedModel, dict[str, int]]:
    """The word model of a file of PyPlexity's, compressed or not, whose probabilities an *estimator* interpolates; and
    the number of n-grams of each length in it, and of entries left out. Raises ModelError."""
    try:
        with path.open("rb", buffering=0) as raw:
            stream, head = decompress(raw)
            if head.startswith(MAGIC):
                return _model_of_tables(stream, str(path), estimator)
    except OSError as error:
        raise ModelError(f"{path}: {error.strerror or os.strerror(errno.EIO)}") from None
    except ValueError as error:
        raise ModelError(f"{path}: {error}") from None
    if head[:1] == b"\x80":
        raise ModelError(f"{path}: refused: a pickle file, which can run code")
    if head.startswith(b"mmap lm ") or b"\\data\\" in head:
        raise ModelError(f"{path}: a model of KenLM: nc-score -m {path} reads it as it is")
    raise ModelError(f"{path}: not a model of PyPlexity, which is a Storable file of Perl")


def read_hashes(stream: BinaryIO, name: str) -> tuple[int, Iterator[Batches]]:
    """The number of hashes in an array, and for each hash its entries, in batches of keys (bytes; UTF-8 where Perl had
    them as text) and values. Each hash must be consumed before the next. Raises ModelError, with *name*."""
    reader = _StorableReader(stream, name)
    reader.header()
    if (code := reader.byte()) != ARRAY:
        raise reader.error(f"expected an array of hashes, got {reader.type_name(code)}")
    number = reader.length()
    return number, (_hash_entries(reader) for _ in range(number))


def _hash_entries(reader: _StorableReader) -> Batches:
    """The entries of the next hash, in batches."""
    while (code := reader.byte()) == REFERENCE:
        pass
    if code not in (HASH, FLAG_HASH):
        raise reader.error(f"expected a hash, got {reader.type_name(code)}")
    if code == FLAG_HASH:
        reader.byte()  # whether it is locked
    return reader.entries(reader.length(), code == FLAG_HASH)


class _StorableReader:
    """The values of a file, read from a buffer."""

    def __init__(self, stream: Any, name: str) -> None:
        self._stream, self._name = stream, name
        self._data, self._at, self._before = b"", 0, 0

    def error(self, what: str) -> ModelError:
        return ModelError(f"{self._name}: byte {self._before + self._at}: {what}")

    def type_name(self, code: int) -> str:
        """The type that a first byte denotes, with the class of a blessed object."""
        name = TYPE_NAMES.get(
            code, "a number or nothing" if code in CONSTANTS or code < SCALAR else f"an unknown type ({code})"
        )
        if code == REFERENCE:
            target = self.byte()
            return name if target == REFERENCE else f"{name} to {self.type_name(target)}"
        if code == 17 and (length := self.byte()) < 128:
            name += f" ({self.take(length).decode('utf-8', 'replace')!r})"
        return name

    def take(self, size: int) -> bytes:
        if not 0 <= size <= MAX_STRING_BYTES:
            raise self.error(f"a string of {size:,} bytes")
        if self._at + size > len(self._data):
            self._fill(size)
        start = self._at
        self._at += size
        return self._data[start : self._at]

    def _fill(self, size: int) -> None:
        """Reads until the buffer holds *size* bytes."""
        rest = self._data[self._at :]
        self._before += self._at
        self._at = 0
        while len(rest) < size:
            more = self._stream.read(max(BYTES_PER_READ, size - len(rest)))
            if not more:
                self._data = rest
                self._at = len(rest)
                raise self.error("the file is truncated")
            rest += more
        self._data = rest

    def byte(self) -> int:
        return self.take(1)[0]

    def length(self) -> int:
        (length,) = self._long.unpack(self.take(4))
        if length < 0:
            raise self.error("a negative length")
        return int(length)

    def header(self) -> None:
        """Reads the header, which tells the byte order and size of numbers."""
        try:
            begin = self.take(5)
        except ModelError:
            begin = b""
        if begin[:4] != MAGIC:
            raise ModelError(f"{self._name}: not a Storable file of Perl")
        if begin[4] >> 1 != 2:
            raise self.error(f"Storable's format {begin[4] >> 1}; only 2 is supported")
        minor = self.byte()
        order = ">"
        size = 8
        if not begin[4] & 1:
            digits = self.take(self.byte())
            orders = {b"12345678"[:size]: "<", b"87654321": ">", b"1234": "<", b"4321": ">"}
            sizes = self.take(4 if minor >= 2 else 3)
            if digits not in orders or sizes[0] != 4 or sizes[3:] not in (b"", b"\x08"):
                raise self.error("the byte order or size of numbers is not supported: write the file with nstore")
            order, size = orders[digits], len(digits)
        self._long = struct.Struct(order + "i")
        self._integer, self._double = struct.Struct(order + ("q" if size == 8 else "i")), struct.Struct(order + "d")

    def entries(self, size: int, flagged: bool) -> Batches:
        long, double = self._long.unpack_from, self._double.unpack_from
        head = 1 + self._double.size + self._long.size
        while size:
            keys: list[bytes] = []
            values: list[float] = []
            for _ in range(min(size, ENTRIES_PER_BATCH)):
                data, at = self._data, self._at
                if not flagged and at + head <= len(data) and data[at] == DOUBLE:
                    # nearly all of the millions of entries are like this: no call for each part
                    value = double(data, at + 1)[0]
                    length = long(data, at + 9)[0]
                    self._at = at = at + head
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
            raise self.error("a key that is not a string")
        key = self.take(self.length())
        return key.decode("latin-1").encode() if flags & KEY_LATIN1 else key

    def _number(self) -> float:
        """The value of an entry: a number, or a string that contains one."""
        code = self.byte()
        if code in CONSTANTS:
            return CONSTANTS[code]
        if code == DOUBLE:
            return float(self._double.unpack(self.take(8))[0])
        if code == SMALL:
            return float(self.byte() - 128)
        if code == NET_INTEGER:
            return float(int.from_bytes(self.take(4), "big", signed=True))
        if code == INTEGER:
            return float(self._integer.unpack(self.take(self._integer.size))[0])
        if code not in (SCALAR, UTF8, LONG_SCALAR, LONG_UTF8):
            raise self.error(f"expected a number, got {self.type_name(code)}")
        text = self.take(self.byte() if code in (SCALAR, UTF8) else self.length())
        try:
            return float(text)
        except ValueError:
            raise self.error(f"expected a number, got {text[:40].decode('utf-8', 'replace')!r}") from None


# ---- tables to a model -----------------------------------------------------------------------------------------


def _model_of_tables(stream: Any, name: str, estimator: str) -> tuple[InterpolatedModel, dict[str, int]]:
    """The model of PyPlexity's tables: of bigrams and unigrams, or of trigrams, bigrams and unigrams.

    Keys with another number of words (separated by single spaces) are left out: PyPlexity never looks them up.
    """
    longest, tables = read_hashes(stream, name)
    if longest not in (2, 3):
        for batches in tables:  # errors in them are more informative
            deque(batches, 0)
        raise ValueError(
            f"expected tables of bigrams and unigrams, or of trigrams, bigrams and unigrams, got an array of {longest}"
        )
    numbers: dict[bytes, int] = {}
    orders = [_ngram_rows(batches, order, numbers) for order, batches in zip(range(longest, 0, -1), tables)][::-1]
    names = ("single words", "n-grams of 2 words", "n-grams of 3 words")
    counts = {name: len(values) for name, (_, values, _) in zip(names, orders)}
    if left_out := sum(number for *_, number in orders):
        counts["left out, of another number of words or no UTF-8"] = left_out
    ngrams = [(rows, values) for rows, values, _ in orders]
    if longest == 3:
        ngrams[1] = _with_histories(*ngrams[1], ngrams[2][0][:, :-1], len(numbers))
    parameters = WordModelParameters(estimator, longest, "pyplexity")
    return InterpolatedModel.of_probabilities([word.decode() for word in numbers], ngrams, parameters), counts


def _ngram_rows(batches: Batches, order: int, numbers: dict[bytes, int]) -> tuple[NDArray[Any], NDArray[Any], int]:
    """The n-grams of a table as rows of numbers of words, their values, and the number of entries that are no n-grams
    of this length. New words are added to *numbers*."""
    ids, probabilities, left_out = array("I"), array("d"), 0
    for keys, values in batches:
        for key, value in zip(keys, values):
            words = key.split(b" ")
            try:
                if len(words) != order:
                    raise ValueError
                row = [numbers[word] if word in numbers else _add_word(word, numbers) for word in words]
            except ValueError:
                left_out += 1
                continue
            ids.extend(row)
            probabilities.append(value)
    rows = np.frombuffer(ids, np.uint32) if ids else np.zeros(0, np.uint32)
    return rows.reshape(-1, order), np.array(probabilities), left_out


def _add_word(word: bytes, numbers: dict[bytes, int]) -> int:
    """The number of a new word. Raises ValueError for an empty word, and for one that is not UTF-8."""
    if not word.decode():
        raise ValueError
    return numbers.setdefault(word, len(numbers))


def _with_histories(
    rows: NDArray[Any], values: NDArray[Any], histories: NDArray[Any], words: int
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Bigrams and their values, with the histories of trigrams added that are not among them; their value is 0."""
    keys, needed = (some[:, 0].astype(np.uint64) * np.uint64(words) + some[:, 1] for some in (rows, histories))
    missing = np.setdiff1d(needed, keys)
    added = np.stack([missing // np.uint64(words), missing % np.uint64(words)], axis=1).astype(rows.dtype)
    return np.concatenate([rows, added]), np.concatenate([values, np.zeros(len(added))])
