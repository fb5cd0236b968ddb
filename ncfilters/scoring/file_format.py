"""The format of model files: a readable header, then arrays. There is no code in a file.

    header = write_file(Path("x.model"), {"kind": "ngram", "parameters": {"n": 3}}, {"keys": keys})
    header, arrays = read_file("x.model")
    arrays["keys"]

A file is the line `ncfilters model 1`, a header in JSON, an empty line, and the bytes of the arrays, compressed with
zlib. The header has the names, types and lengths of the arrays, and a checksum of itself and their bytes.

In the files of `mapped` models the arrays are uncompressed and aligned. They are mapped to memory, so that processes
share one copy and only what is looked up is read. Their first line is `ncfilters model 2` and the CRC-32 of the header,
which is always verified. That of the arrays, in the header, is verified in small files, and on request (`nc-model
check`), together with their SHA-256 (`content`). There are mapped arrays in files of version 1, too, without a CRC-32.
"""

from __future__ import annotations

import json
import mmap
import os
import sys
import zlib
from array import array
from collections.abc import Iterable, Iterator, Mapping
from math import hypot
from typing import TYPE_CHECKING, Any, BinaryIO

from ..errors import ModelError

if TYPE_CHECKING:  # start-up
    from pathlib import Path

    from numpy.typing import NDArray

MAGIC = b"ncfilters model 1\n"
# Of a file with mapped arrays; the checksum of the header follows, with as many hexadecimal digits, and a newline.
MAPPED_MAGIC, CHECKSUM_DIGITS = b"ncfilters model 2 ", 8
# The types of arrays: of fixed width and little-endian.
DTYPES = ("<i8", "<i4", "<i2", "|i1", "<u8", "<u4", "<u2", "|u1", "<f8", "<f4")
# Fields of a header that are read, and their types.
HEADER_FIELDS = {
    "kind": (str,),
    "parameters": (dict,),
    "sha256": (str,),
    "description": (str,),
    "language": (str, type(None)),
}
# The limits of a header, and of arrays that have to be decompressed: a file beyond them is damaged or hostile.
MAX_HEADER_BYTES, MAX_ARRAY_BYTES = 1 << 20, 1 << 30
# Compressed arrays of more than the second number of bytes are at most so many times as large as in the file; those of
# our models are 2.4 times as large.
MAX_EXPANSION, MIN_EXPANDED_BYTES = 32, 1 << 20
MAX_NORM = 1e6
# Mapped arrays begin at multiples of a cache line.
ALIGNMENT_BYTES = 64
# Mapped arrays up to this size are always verified: that takes a millisecond or two.
MAX_VERIFIED_BYTES = 1 << 22
# The codes of types for arrays of Python.
_CODES = {"<f4": "f", "<f8": "d", "<i4": "i", "<i8": "q"}


class Arrays(Mapping[str, "NDArray[Any]"]):
    """The arrays of a model file, views of its bytes, made by numpy when they are asked for. *source* names the file in
    messages."""

    def __init__(self, parts: Mapping[str, tuple[str, memoryview]], source: str) -> None:
        self._parts, self.source = parts, source

    def __getitem__(self, name: str) -> NDArray[Any]:
        import numpy as np  # start-up: pages are scored without it

        dtype, data = self._parts[name]
        return np.frombuffer(data, dtype)

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    def copied(self, name: str) -> array[Any]:
        """An array of four or eight bytes a number, without numpy. Raises KeyError for another one."""
        dtype, data = self._parts[name]
        out: array[Any] = array(_CODES[dtype])
        out.frombytes(data)
        if sys.byteorder == "big":
            out.byteswap()
        return out


def are_bounded(values: Iterable[float]) -> bool:
    """Whether weights are numbers, and so small that no sum of products of them overflows: those of our models have a
    norm of at most 2,280."""
    return hypot(*values) <= MAX_NORM


# ---- reading --------------------------------------------------------------------------------------------------


def read_file(path: Path | str, verify: bool = False) -> tuple[dict[str, Any], Arrays]:
    """The header of a model file and its arrays, verified. With *verify*, mapped arrays are verified whatever their
    size. Raises ModelError."""
    try:
        with open(path, "rb") as file:
            header, payload = _read(file, verify)
        places, size = _places(header)
        if len(payload) != size:
            raise _misfit("bytes after the last array" if len(payload) > size else "fewer bytes than the arrays have")
        return header, Arrays({name: (dtype, payload[start:end]) for name, dtype, start, end in places}, str(path))
    except OSError as error:
        raise ModelError(f"{path}: {error.strerror}") from None
    except ModelError as error:
        raise ModelError(f"{path}: {error}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, zlib.error):
        raise ModelError(f"{path}: truncated or damaged") from None


def _read(file: BinaryIO, verify: bool) -> tuple[dict[str, Any], memoryview]:
    """The header of a file and the bytes of its arrays. Raises ModelError, and what `read_file` turns into one."""
    head = file.read(MAX_HEADER_BYTES + len(MAGIC))
    start = len(MAPPED_MAGIC) + CHECKSUM_DIGITS + 1
    is_first = head.startswith(MAGIC)
    if is_first:
        start = len(MAGIC)
    elif not head.startswith(MAPPED_MAGIC) or head[start - 1 : start] != b"\n":
        pickle = head[:1] == b"\x80"
        raise ModelError("refused: a pickle file, which can run code" if pickle else "not an ncfilters model")
    end = head.find(b"\n\n")
    if end < 0:
        raise ModelError("truncated")
    text, start_of_arrays = head[start:end], end + 2
    if not is_first and _crc32(text).encode() != head[start - 1 - CHECKSUM_DIGITS : start - 1]:
        raise _wrong_checksum()
    header: dict[str, Any] = json.loads(text)
    if not is_first or header.get("mapped"):
        if is_first and _sha256(header, b"") != header["sha256"]:
            raise _wrong_checksum()
        return header, _map_arrays(file.fileno(), header, start_of_arrays, verify)
    return header, memoryview(_decompress_arrays(header, (head + file.read())[start_of_arrays:]))


def _decompress_arrays(header: dict[str, Any], packed: bytes) -> bytes:
    """The bytes of compressed arrays."""
    if len(packed) < header["bytes"]:
        raise ModelError("truncated")
    if _sha256(header, packed) != header["sha256"]:
        raise _wrong_checksum()
    _, size = _places(header)
    if size > min(MAX_ARRAY_BYTES, max(MAX_EXPANSION * len(packed), MIN_EXPANDED_BYTES)):
        raise _misfit(f"arrays of {size:,} bytes")
    return zlib.decompressobj().decompress(packed, size + 1)  # one byte more: `read_file` notices it


def _map_arrays(descriptor: int, header: dict[str, Any], end: int, verify: bool) -> memoryview:
    """The bytes of arrays that are mapped to memory; *end* is that of the header."""
    _, size = _places(header)
    start = end + -end % ALIGNMENT_BYTES
    if size != header["bytes"]:
        raise _misfit(f"{header['bytes']} bytes for arrays of {size}")
    if (file_size := os.fstat(descriptor).st_size) < start + size:
        raise ModelError("truncated")
    if file_size > start + size:
        raise ModelError(f"damaged: {file_size:,} bytes instead of {start + size:,}")
    payload = memoryview(mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ))[start:]
    if verify or size <= MAX_VERIFIED_BYTES:
        if "crc32" in header and _crc32(payload) != header["crc32"]:
            raise _wrong_checksum()
        if verify or "crc32" not in header:
            import hashlib  # start-up: to load it takes as long as to verify 10 MB by CRC-32

            if hashlib.sha256(payload).hexdigest() != str(header["content"]):
                raise _wrong_checksum()
    return payload


def _misfit(what: str) -> ModelError:
    return ModelError(f"the parts of the model do not fit: {what}")


def _wrong_checksum() -> ModelError:
    return ModelError("damaged: the checksum is wrong")


def _places(header: dict[str, Any]) -> tuple[list[tuple[str, str, int, int]], int]:
    """The name and the type of each array, and where it begins and ends; and the size in bytes of all. Raises
    ModelError for what is not accepted."""
    given = {"language": "", "description": "", **header}
    if not all(isinstance(given[name], kind) for name, kind in HEADER_FIELDS.items()):
        raise ModelError("truncated or damaged")
    out, at, alignment = [], 0, ALIGNMENT_BYTES if header.get("mapped") else 1
    for one in header["arrays"]:
        dtype, length = one["dtype"], one["length"]
        if dtype not in DTYPES:
            raise _misfit(f"an array of type {dtype}")
        if not isinstance(length, int) or length < 0:
            raise _misfit(f"an array of length {length!r}")
        start = at + -at % alignment
        at = start + length * int(dtype[-1])
        out.append((one["name"], dtype, start, at))
    return out, at


# ---- writing --------------------------------------------------------------------------------------------------


def write_file(
    path: Path, header: dict[str, Any], arrays: Mapping[str, NDArray[Any]], mapped: bool = False
) -> dict[str, Any]:
    """Writes a model file with compressed arrays, or with *mapped* ones. Returns the header, to which the description
    of the arrays and the checksum are added. The file replaces an old one, which may be in use, when it is complete.
    Raises OSError and UsageError."""
    # start-up: only who writes models needs these
    import hashlib
    from itertools import chain

    from ..streams.output_file import write_whole  # as above

    little_endian = {name: one.astype(one.dtype.newbyteorder("<"), copy=False) for name, one in arrays.items()}
    descriptions = [{"name": n, "dtype": one.dtype.str, "length": len(one)} for n, one in little_endian.items()]
    header = {**header, "arrays": descriptions}
    if not mapped:
        packed = zlib.compress(b"".join(one.tobytes() for one in little_endian.values()), 9)
        header["bytes"] = len(packed)
        header["sha256"] = _sha256(header, packed)
        write_whole(str(path), [MAGIC + _header_text(header) + b"\n\n", packed])
        return header
    digest, crc32, size = hashlib.sha256(), 0, 0
    for part in _aligned_parts(little_endian.values()):
        digest.update(part)
        crc32 = zlib.crc32(part, crc32)
        size += len(part)
    header |= {"mapped": True, "bytes": size, "content": digest.hexdigest(), "crc32": f"{crc32:08x}"}
    header["sha256"] = _sha256(header, b"")
    text = _header_text(header)
    text = MAPPED_MAGIC + _crc32(text).encode() + b"\n" + text + b"\n\n"
    parts = _aligned_parts(little_endian.values())
    write_whole(str(path), chain([text + bytes(-len(text) % ALIGNMENT_BYTES)], parts))
    return header


def _aligned_parts(arrays: Iterable[NDArray[Any]]) -> Iterator[memoryview]:
    """The bytes of arrays, each preceded by padding."""
    import numpy as np  # start-up: only models with arrays need it

    at = 0
    for one in arrays:
        yield memoryview(bytes(-at % ALIGNMENT_BYTES))
        at += -at % ALIGNMENT_BYTES + one.nbytes
        if one.nbytes:
            yield np.ascontiguousarray(one).data.cast("B")


def _header_text(header: dict[str, Any]) -> bytes:
    return json.dumps(header, indent=1, ensure_ascii=False).encode()


def _crc32(data: bytes | memoryview) -> str:
    return f"{zlib.crc32(data):08x}"


def _sha256(header: dict[str, Any], packed: bytes | memoryview) -> str:
    """The checksum of the header, without the checksum itself, and of compressed arrays: it identifies a model."""
    import hashlib  # start-up: models that are read in every run have a CRC-32

    text = json.dumps({key: value for key, value in header.items() if key != "sha256"}, sort_keys=True)
    digest = hashlib.sha256(text.encode())
    digest.update(packed)
    return digest.hexdigest()
