"""The format of model files: a readable header, then arrays. There is no code in a file.

    header = write_file(Path("x.model"), {"kind": "ngram", "parameters": {"n": 3}}, {"keys": keys})
    header, payload = read_file(Path("x.model"))
    arrays_in(header, payload)["keys"]

A file is the line `ncfilters model 1`, a header in JSON, an empty line, and the bytes of the arrays, compressed with
zlib. The header has the names, types and lengths of the arrays, and a checksum of itself and their bytes.

In the files of `mapped` models the arrays are uncompressed and aligned. They are mapped to memory, so that processes
share one copy and only what is looked up is read. The checksum of such a header covers the header alone and is always
verified. The checksum of the arrays (`content`) is verified in small files, and on request (`nc-model check`).
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
import sys
import zlib
from array import array
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import ModelError

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAGIC = b"ncfilters model 1\n"
# The types of arrays: of fixed width and little-endian.
DTYPES = ("<i8", "<i4", "<i2", "|i1", "<u8", "<u4", "<u2", "|u1", "<f8", "<f4")
# The limits of a header, and of arrays that have to be decompressed: a file beyond them is damaged or hostile.
MAX_HEADER_BYTES, MAX_ARRAY_BYTES = 1 << 20, 1 << 30
# Compressed arrays of more than the second number of bytes are at most so many times as large as in the file; those of
# our models are 2.4 times as large.
MAX_EXPANSION, MIN_EXPANDED_BYTES = 32, 1 << 20
# Mapped arrays begin at multiples of a cache line.
ALIGNMENT_BYTES = 64
# Mapped arrays up to this size are always verified: that takes a millisecond.
MAX_VERIFIED_BYTES = 1 << 20


def read_file(path: Path, verify: bool = False) -> tuple[dict[str, Any], bytes | memoryview]:
    """The header of a model file and the bytes of its arrays, verified. With *verify*, mapped arrays are verified
    whatever their size. Raises ModelError."""
    try:
        with path.open("rb") as file:
            head = file.read(MAX_HEADER_BYTES + len(MAGIC))
            if not head.startswith(MAGIC):
                what = "refused: a pickle file, which can run code" if head[:1] == b"\x80" else "not an ncfilters model"
                raise ModelError(f"{path}: {what}")
            end = head.find(b"\n\n")
            if end < 0:
                raise ModelError(f"{path}: truncated")
            header: dict[str, Any] = json.loads(head[len(MAGIC) : end])
            if header.get("mapped"):
                return header, _map_arrays(path, file.fileno(), header, end + 2, verify)
            return header, _decompress_arrays(path, header, memoryview(head + file.read())[end + 2 :])
    except OSError as error:
        raise ModelError(f"{path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, zlib.error):
        raise ModelError(f"{path}: truncated or damaged") from None


class Arrays(Mapping[str, "NDArray[Any]"]):
    """The arrays of a model file, views of its bytes: those of numpy, made when they are asked for; and `buffers`, the
    same without numpy. *source* names the file in messages."""

    def __init__(self, parts: Mapping[str, tuple[str, memoryview]], source: str = "") -> None:
        self._parts, self.source = parts, source

    def __getitem__(self, name: str) -> NDArray[Any]:
        import numpy as np  # start-up: pages are scored without it

        dtype, data = self._parts[name]
        return np.frombuffer(data, dtype)

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    @cached_property
    def buffers(self) -> dict[str, Any]:
        """The arrays of four and eight bytes a number, copied."""
        return {name: _numbers(*part) for name, part in self._parts.items() if part[0] in _CODES}


# The codes of types for arrays of Python.
_CODES = {"<f4": "f", "<f8": "d", "<i4": "i", "<i8": "q"}


def arrays_in(header: dict[str, Any], payload: bytes | memoryview, source: str = "") -> Arrays:
    """The arrays that the header of a file, *source*, describes. Raises ValueError for bytes that do not fit."""
    out: dict[str, tuple[str, memoryview]] = {}
    at = 0
    for one in header["arrays"]:
        at += -at % _alignment(header)
        end = at + one["length"] * int(one["dtype"][-1])
        out[one["name"]] = one["dtype"], memoryview(payload)[at:end]
        at = end
    if at != len(payload):
        raise ValueError("bytes after the last array" if at < len(payload) else "fewer bytes than the arrays have")
    return Arrays(out, source)


def _numbers(dtype: str, data: memoryview) -> Any:
    out = array(_CODES[dtype])
    out.frombytes(data)
    if sys.byteorder == "big":
        out.byteswap()
    return out


def write_file(
    path: Path, header: dict[str, Any], arrays: dict[str, NDArray[Any]], mapped: bool = False
) -> dict[str, Any]:
    """Writes a model file with compressed arrays, or with *mapped* ones. Returns the header, to which the description
    of the arrays and the checksum are added. Raises OSError."""
    little_endian = {name: one.astype(one.dtype.newbyteorder("<"), copy=False) for name, one in arrays.items()}
    descriptions = [{"name": n, "dtype": one.dtype.str, "length": len(one)} for n, one in little_endian.items()]
    header = {**header, "arrays": descriptions}
    if mapped:
        return _write_mapped(path, header, list(little_endian.values()))
    packed = zlib.compress(b"".join(one.tobytes() for one in little_endian.values()), 9)
    header["bytes"] = len(packed)
    header["sha256"] = _checksum(header, packed)
    path.write_bytes(_header_text(header) + packed)
    return header


def _decompress_arrays(path: Path, header: dict[str, Any], packed: memoryview) -> bytes:
    """The bytes of compressed arrays. Raises ModelError, and the exceptions that `read_file` turns into one."""
    if len(packed) < header["bytes"]:
        raise ModelError(f"{path}: truncated")
    size = _verified_size(path, header, packed)
    if size > min(MAX_ARRAY_BYTES, max(MAX_EXPANSION * len(packed), MIN_EXPANDED_BYTES)):
        raise ModelError(f"{path}: the parts of the model do not fit: arrays of {size:,} bytes")
    return zlib.decompressobj().decompress(packed, size + 1)  # one byte more: `arrays_in` notices it


def _map_arrays(path: Path, descriptor: int, header: dict[str, Any], end: int, verify: bool) -> memoryview:
    """The bytes of arrays that are mapped to memory; *end* is that of the header. Raises ModelError."""
    size = _verified_size(path, header, b"")
    start = end + -end % ALIGNMENT_BYTES
    if size != header["bytes"]:
        raise ModelError(f"{path}: the parts of the model do not fit: {header['bytes']} bytes for arrays of {size}")
    if (file_size := os.fstat(descriptor).st_size) < start + size:
        raise ModelError(f"{path}: truncated")
    if file_size > start + size:
        raise ModelError(f"{path}: damaged: {file_size:,} bytes instead of {start + size:,}")
    payload = memoryview(mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ))[start:]
    if (verify or size <= MAX_VERIFIED_BYTES) and hashlib.sha256(payload).hexdigest() != header["content"]:
        raise ModelError(f"{path}: damaged: the checksum is wrong")
    return payload


def _verified_size(path: Path, header: dict[str, Any], packed: bytes | memoryview) -> int:
    """The size in bytes of the arrays of a header. Raises ModelError for a wrong checksum, kind or array."""
    if _checksum(header, packed) != header["sha256"]:
        raise ModelError(f"{path}: damaged: the checksum is wrong")
    if not isinstance(header["kind"], str) or not isinstance(header["parameters"], dict):
        raise ModelError(f"{path}: truncated or damaged")
    try:
        return _size(header["arrays"], _alignment(header))
    except ValueError as error:
        raise ModelError(f"{path}: the parts of the model do not fit: {error}") from None


def _alignment(header: dict[str, Any]) -> int:
    return ALIGNMENT_BYTES if header.get("mapped") else 1


def _size(descriptions: list[dict[str, Any]], alignment: int) -> int:
    """The size in bytes of arrays. Raises ValueError for a type or length that is not accepted."""
    size = 0
    for one in descriptions:
        dtype, length = one["dtype"], one["length"]
        if dtype not in DTYPES:
            raise ValueError(f"an array of type {dtype}")
        if not isinstance(length, int) or length < 0:
            raise ValueError(f"an array of length {length!r}")
        size += -size % alignment + length * int(dtype[-1])
    return size


def _write_mapped(path: Path, header: dict[str, Any], arrays: list[NDArray[Any]]) -> dict[str, Any]:
    """Writes a file whose arrays can be mapped. It replaces an old file, which may be in use, when it is complete."""
    header |= {"mapped": True, "bytes": _size(header["arrays"], ALIGNMENT_BYTES)}
    digest = hashlib.sha256()
    for part in _aligned_parts(arrays):
        digest.update(part)
    header["content"] = digest.hexdigest()
    header["sha256"] = _checksum(header, b"")
    text = _header_text(header)
    new = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with new.open("wb") as file:
            file.write(text + bytes(-len(text) % ALIGNMENT_BYTES))
            for part in _aligned_parts(arrays):
                file.write(part)
        new.replace(path)
    except BaseException:
        with suppress(OSError):
            new.unlink()
        raise
    return header


def _aligned_parts(arrays: list[NDArray[Any]]) -> Iterator[memoryview]:
    """The bytes of arrays, each preceded by padding."""
    import numpy as np  # start-up: only models with arrays need it

    at = 0
    for one in arrays:
        yield memoryview(bytes(-at % ALIGNMENT_BYTES))
        at += -at % ALIGNMENT_BYTES + one.nbytes
        if one.nbytes:
            yield np.ascontiguousarray(one).data.cast("B")


def _header_text(header: dict[str, Any]) -> bytes:
    """The beginning of a file, up to the arrays or their padding."""
    return MAGIC + json.dumps(header, indent=1, ensure_ascii=False).encode() + b"\n\n"


def _checksum(header: dict[str, Any], packed: bytes | memoryview) -> str:
    """The checksum of the header, without the checksum itself, and of compressed arrays."""
    text = json.dumps({key: value for key, value in header.items() if key != "sha256"}, sort_keys=True)
    digest = hashlib.sha256(text.encode())
    digest.update(packed)
    return digest.hexdigest()
