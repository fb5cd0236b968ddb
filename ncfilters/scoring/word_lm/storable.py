"""Reads PyPlexity's models, which are Perl's Storable files: an array of hashes whose values are numbers.

    model, counts = import_model(Path("bigrams-bnc.st"))
    number, tables = read_hashes(open("bigrams-bnc.st", "rb"), "bigrams-bnc.st")    # 2: bigrams and unigrams
    for entries in tables:
        dict(entries)                                                               # {b"of the": 0.21, …}

Files of `store` and of `nstore` are read, entry by entry. Whatever could make Perl run code (blessed and tied values,
code) is refused, and so is everything else that is no table of numbers. The format is that of Storable.xs in Perl 5.36.
"""

from __future__ import annotations

import errno
import os
import struct
from array import array
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
# A longer key or number is taken for damage.
MAX_STRING_BYTES = 1 << 20

Entries = Iterator[tuple[bytes, float]]

# The type of a value, its first byte: those that tables of numbers consist of.
LONG_SCALAR, ARRAY, HASH, REFERENCE, UNDEF, INTEGER, DOUBLE, SMALL, NET_INTEGER, SCALAR = range(1, 11)
SV_UNDEF, YES, NO = 14, 15, 16
UTF8, LONG_UTF8, FLAG_HASH = 23, 24, 25
UNDEF_ELEMENT, TRUE, FALSE = 31, 34, 35
CONSTANTS = {UNDEF: 0.0, SV_UNDEF: 0.0, UNDEF_ELEMENT: 0.0, YES: 1.0, NO: 0.0, TRUE: 1.0, FALSE: 0.0}
# Flags of a key: UTF-8; Latin-1 that Perl had as UTF-8; part of a locked hash.
KEY_UTF8, KEY_LATIN1, KEY_LOCKED = 1, 2, 4
# The first bytes of files with numbers in the order of a processor: digits as that stores a number.
BYTE_ORDERS = {b"12345678": "<", b"87654321": ">", b"1234": "<", b"4321": ">"}


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


def read_hashes(stream: BinaryIO, name: str) -> tuple[int, Iterator[Entries]]:
    """The number of hashes in an array, and for each its entries: keys (bytes; UTF-8 where Perl had them as text) and
    values. Each hash must be consumed before the next. Raises ModelError, with *name*."""
    reader = _StorableReader(stream, name)
    if (code := reader.byte()) != ARRAY:
        raise reader.error(f"expected an array of hashes, got a value of type {code}")
    number = reader.length()
    return number, (reader.entries() for _ in range(number))


class _StorableReader:
    """The values of a file. Raises ModelError for a wrong header, which tells the byte order and size of numbers."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self._read, self._name, self._at = stream.read, name, 0
        if self._read(4) != MAGIC:
            raise ModelError(f"{name}: not a Storable file of Perl")
        version, minor = self.take(2)
        order, size = ">", 8
        if version >> 1 != 2:
            raise self.error(f"Storable's format {version >> 1}; only 2 is supported")
        if not version & 1:
            digits = self.take(self.byte())
            sizes = self.take(4 if minor >= 2 else 3)
            if digits not in BYTE_ORDERS or sizes[0] != 4 or sizes[3:] not in (b"", b"\x08"):
                raise self.error("the byte order or size of numbers is not supported: write the file with nstore")
            order, size = BYTE_ORDERS[digits], len(digits)
        self._long, self._double = struct.Struct(order + "i"), struct.Struct(order + "d")
        self._integer = struct.Struct(order + ("q" if size == 8 else "i"))

    def error(self, what: str) -> ModelError:
        return ModelError(f"{self._name}: byte {len(MAGIC) + self._at}: {what}")

    def take(self, size: int) -> bytes:
        if not 0 <= size <= MAX_STRING_BYTES:
            raise self.error(f"a string of {size:,} bytes")
        data = self._read(size)
        self._at += len(data)
        if len(data) < size:
            raise self.error("the file is truncated")
        return data

    def byte(self) -> int:
        return self.take(1)[0]

    def length(self) -> int:
        (length,) = self._long.unpack(self.take(4))
        if length < 0:
            raise self.error("a negative length")
        return int(length)

    def entries(self) -> Entries:
        """The entries of the next hash."""
        while (code := self.byte()) == REFERENCE:
            pass
        if code not in (HASH, FLAG_HASH):
            raise self.error(f"expected a hash, got a value of type {code}")
        flagged = code == FLAG_HASH
        if flagged:
            self.byte()  # whether it is locked
        for _ in range(self.length()):
            value, flags = self._number(), self.byte() if flagged else 0
            if flags & ~(KEY_UTF8 | KEY_LATIN1 | KEY_LOCKED):
                raise self.error("a key that is not a string")
            key = self.take(self.length())
            yield key.decode("latin-1").encode() if flags & KEY_LATIN1 else key, value

    def _number(self) -> float:
        """The value of an entry: a number, or a string that contains one."""
        code = self.byte()
        if code == DOUBLE:
            return float(self._double.unpack(self.take(8))[0])
        if code in CONSTANTS:
            return CONSTANTS[code]
        if code == SMALL:
            return float(self.byte() - 128)
        if code == NET_INTEGER:
            return float(int.from_bytes(self.take(4), "big", signed=True))
        if code == INTEGER:
            return float(self._integer.unpack(self.take(self._integer.size))[0])
        if code not in (SCALAR, UTF8, LONG_SCALAR, LONG_UTF8):
            raise self.error(f"expected a number, got a value of type {code}")
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
        raise ValueError(
            f"expected tables of bigrams and unigrams, or of trigrams, bigrams and unigrams, got an array of {longest}"
        )
    numbers: dict[bytes, int] = {}
    orders = [_ngram_rows(entries, order, numbers) for order, entries in zip(range(longest, 0, -1), tables)][::-1]
    names = ("single words", "n-grams of 2 words", "n-grams of 3 words")
    counts = {name: len(values) for name, (_, values, _) in zip(names, orders)}
    if left_out := sum(number for *_, number in orders):
        counts["left out, of another number of words or no UTF-8"] = left_out
    ngrams = [(rows, values) for rows, values, _ in orders]
    if longest == 3:
        ngrams[1] = _with_histories(*ngrams[1], ngrams[2][0][:, :-1], len(numbers))
    parameters = WordModelParameters(estimator, longest, "pyplexity")
    return InterpolatedModel.of_probabilities([word.decode() for word in numbers], ngrams, parameters), counts


def _ngram_rows(entries: Entries, order: int, numbers: dict[bytes, int]) -> tuple[NDArray[Any], NDArray[Any], int]:
    """The n-grams of a table as rows of numbers of words, their values, and the number of entries that are no n-grams
    of this length. New words are added to *numbers*."""
    ids, probabilities, left_out = array("I"), array("d"), 0
    for key, value in entries:
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
