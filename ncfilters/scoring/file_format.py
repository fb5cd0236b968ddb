"""What a model file looks like: a header anyone can read, then arrays. It is written and read here.

    header = write(Path("x.model"), {"kind": "ngram", "parameters": {"n": 3}}, {"keys": keys})
    header, payload = read(Path("x.model"))
    arrays(header, payload)["keys"]

A file is the line `ncfilters model 1`, a header in JSON, an empty line, and the arrays' bytes, compressed with
zlib. The header has the arrays' names, types and lengths, and a checksum of their bytes. There is no code in it.

Models that are too large to be read before each use are `mapped`: their arrays stand in the file as they are, aligned,
and are mapped to memory, so that processes share one copy and nothing is read but what is looked up. Their header has
a checksum of its own, which is always checked, and one of the arrays (`content`), which is checked in small files and
where that is asked for (`nc-model check`).
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import ModelError

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAGIC = b"ncfilters model 1\n"
# The types arrays may have, all of fixed width and little-endian.
DTYPES = ("<i8", "<i4", "<i2", "|i1", "<u8", "<u4", "<u2", "|u1", "<f8", "<f4")
# A header longer than this is none; arrays of more bytes than this are no model, if they must be unpacked.
MAX_HEADER_BYTES, MAX_ARRAY_BYTES = 1 << 20, 1 << 30
# Mapped arrays begin at multiples of this, in bytes: a line of the cache.
ALIGNED = 64
# Mapped arrays of so many bytes are checked each time: that takes a millisecond.
CHECKED = 1 << 20


def read(path: Path, verify: bool = False) -> tuple[dict[str, Any], bytes | memoryview]:
    """The header of a model file and its arrays' bytes, checked. Raises ModelError. With *verify* the
    checksum of mapped arrays is checked, however long that takes."""
    try:
        with path.open("rb") as file:
            head = file.read(MAX_HEADER_BYTES + len(MAGIC))
            if not head.startswith(MAGIC):
                what = "a pickle, which could run code" if head[:1] == b"\x80" else "no model of ours"
                raise ModelError(f"{path}: {what}")
            end = head.find(b"\n\n")
            if end < 0:
                raise ModelError(f"{path}: cut short")
            header: dict[str, Any] = json.loads(head[len(MAGIC) : end])
            if header.get("mapped"):
                return header, _mapped(path, file.fileno(), header, end + 2, verify)
            return header, _unpacked(path, header, memoryview(head + file.read())[end + 2 :])
    except OSError as error:
        raise ModelError(f"{path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, zlib.error):
        raise ModelError(f"{path}: cut short, or damaged") from None


def _unpacked(path: Path, header: dict[str, Any], packed: memoryview) -> bytes:
    """The arrays' bytes of a file that is compressed. Raises ModelError, and what those of other files raise."""
    if len(packed) < header["bytes"]:
        raise ModelError(f"{path}: cut short")
    size = _checked(path, header, packed)
    if size > MAX_ARRAY_BYTES:
        raise ModelError(f"{path}: the parts of the model do not fit: arrays of {size:,} bytes")
    return zlib.decompressobj().decompress(packed, size + 1)  # one more: `arrays` sees what is too much


def _mapped(path: Path, descriptor: int, header: dict[str, Any], end: int, verify: bool) -> memoryview:
    """The arrays' bytes of a file that is mapped to memory. Raises ModelError."""
    size = _checked(path, header, b"")
    start = end + -end % ALIGNED
    if size != header["bytes"]:
        raise ModelError(f"{path}: the parts of the model do not fit: {header['bytes']} bytes for arrays of {size}")
    if (there := os.fstat(descriptor).st_size) < start + size:
        raise ModelError(f"{path}: cut short")
    if there > start + size:
        raise ModelError(f"{path}: damaged: {there - start - size:,} bytes behind the last array")
    found = memoryview(mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ))[start:]
    if (verify or size <= CHECKED) and hashlib.sha256(found).hexdigest() != header["content"]:
        raise ModelError(f"{path}: damaged: the checksum is wrong")
    return found


def _checked(path: Path, header: dict[str, Any], packed: bytes | memoryview) -> int:
    """The bytes of the arrays that a header describes. Raises ModelError for a wrong checksum, kind or array."""
    if _checksum(header, packed) != header["sha256"]:
        raise ModelError(f"{path}: damaged: the checksum is wrong")
    if not isinstance(header["kind"], str) or not isinstance(header["parameters"], dict):
        raise ModelError(f"{path}: cut short, or damaged")
    try:
        return _size(header["arrays"], _step(header))
    except ValueError as error:
        raise ModelError(f"{path}: the parts of the model do not fit: {error}") from None


def _step(header: dict[str, Any]) -> int:
    """What arrays begin at multiples of."""
    return ALIGNED if header.get("mapped") else 1


def _size(described: list[dict[str, Any]], step: int) -> int:
    """The bytes of arrays as a header describes them. Raises ValueError for a type or length that cannot be."""
    size = 0
    for array in described:
        dtype, length = array["dtype"], array["length"]
        if dtype not in DTYPES:
            raise ValueError(f"an array of type {dtype}")
        if not isinstance(length, int) or length < 0:
            raise ValueError(f"an array of length {length!r}")
        size += -size % step + length * int(dtype[-1])
    return size


def arrays(header: dict[str, Any], payload: bytes | memoryview) -> dict[str, NDArray[Any]]:
    """The arrays that a header describes. Raises ValueError for bytes that do not fit."""
    out: dict[str, NDArray[Any]] = {}
    at = 0
    for array in header["arrays"]:
        import numpy as np  # a model without arrays does not need it

        at += -at % _step(header)
        out[array["name"]] = np.frombuffer(payload, array["dtype"], array["length"], at)
        at += out[array["name"]].nbytes
    if at < len(payload):
        raise ValueError("bytes behind the last array")
    return out


def write(path: Path, header: dict[str, Any], arrays: dict[str, NDArray[Any]], mapped: bool = False) -> dict[str, Any]:
    """Writes a model file, compressed or to be *mapped*, and returns its header, that is *header* and what describes
    the arrays. Raises OSError."""
    little = {name: array.astype(array.dtype.newbyteorder("<"), copy=False) for name, array in arrays.items()}
    described = [{"name": name, "dtype": array.dtype.str, "length": len(array)} for name, array in little.items()]
    header = {**header, "arrays": described}
    if mapped:
        return _write_mapped(path, header, list(little.values()))
    packed = zlib.compress(b"".join(array.tobytes() for array in little.values()), 9)
    header["bytes"] = len(packed)
    header["sha256"] = _checksum(header, packed)
    path.write_bytes(_text(header) + packed)
    return header


def _write_mapped(path: Path, header: dict[str, Any], arrays: list[NDArray[Any]]) -> dict[str, Any]:
    """A file whose arrays can be mapped. It takes its place when it is whole: the old one may be in use."""
    header |= {"mapped": True, "bytes": _size(header["arrays"], ALIGNED)}
    digest = hashlib.sha256()
    for part in _padded(arrays):
        digest.update(part)
    header["content"] = digest.hexdigest()
    header["sha256"] = _checksum(header, b"")
    text = _text(header)
    new = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with new.open("wb") as file:
            file.write(text + bytes(-len(text) % ALIGNED))
            for part in _padded(arrays):
                file.write(part)
        new.replace(path)
    except BaseException:
        with suppress(OSError):
            new.unlink()
        raise
    return header


def _padded(arrays: list[NDArray[Any]]) -> Iterator[memoryview]:
    """The bytes of arrays, those of nothing between them."""
    import numpy as np

    at = 0
    for array in arrays:
        yield memoryview(bytes(-at % ALIGNED))
        at += -at % ALIGNED + array.nbytes
        if array.nbytes:
            yield np.ascontiguousarray(array).data.cast("B")


def _text(header: dict[str, Any]) -> bytes:
    """How a file begins."""
    return MAGIC + json.dumps(header, indent=1, ensure_ascii=False).encode() + b"\n\n"


def _checksum(header: dict[str, Any], packed: bytes | memoryview) -> str:
    """Of the header, but for the checksum itself, and the arrays."""
    said = json.dumps({key: value for key, value in header.items() if key != "sha256"}, sort_keys=True)
    digest = hashlib.sha256(said.encode())
    digest.update(packed)
    return digest.hexdigest()
