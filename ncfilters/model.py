"""Model files: a header anyone can read, then arrays. Kinds of model, and where models are found.

    model = load("ncleaner-en")
    model.evidence([[{"text": "Is this clean?"}]])    # [{"score": [3.1]}]

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
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast, runtime_checkable

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAGIC = b"ncfilters model 1\n"
SUFFIX = ".model"
# What names of jusText's rules begin with; the code of a stop list's language follows.
RULES = "justext-"
# What names of other programs' models end with, which are used as they are (see `kenlm_files`).
FOREIGN = (".bin", ".binary", ".klm", ".mmlm", ".arpa", ".arpa.gz", ".arpa.xz", ".arpa.bz2", ".arpa.zst")
# The types arrays may have, all of fixed width and little-endian.
DTYPES = ("<i8", "<i4", "<i2", "|i1", "<u8", "<u4", "<u2", "|u1", "<f8", "<f4")
# A header longer than this is none; arrays of more bytes than this are no model, if they must be unpacked.
MAX_HEADER, MAX_ARRAYS = 1 << 20, 1 << 30
# Mapped arrays begin at multiples of this, in bytes: a line of the cache.
ALIGNED = 64
# Mapped arrays of so many bytes are checked each time: that takes a millisecond.
CHECKED = 1 << 20


class ModelError(Exception):
    """A model that cannot be had; says which and why."""


class Stored(Protocol):
    """What a model file holds, whatever its kind. One whose arrays are to be mapped to memory has `mapped`, True."""

    @property
    def kind(self) -> str:
        """The kind's name."""

    def header(self) -> dict[str, Any]:
        """The parameters, as JSON."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What it learned."""


@runtime_checkable
class Inspectable(Protocol):
    """What nc-model asks of kinds that can say what they learned. Rows are best first, their numbers rounded."""

    def telling(self, count: int) -> dict[str, list[dict[str, Any]]]:
        """For `clean` and for `dirty`, up to *count* rows of what speaks most for it."""

    def compared(self, other: Any, count: int) -> dict[str, Any]:
        """How another model of this kind differs: figures, and up to *count* rows `changed`."""


class Model(Stored, Protocol):
    """What nc-score knows of a model. One that reads more of segments than their text has `reads`, types by field;
    one that gives them a perplexity has `limit`, which may be set: that of a score of 0."""

    def evidence(self, documents: Sequence[Sequence[dict[str, Any]]]) -> list[dict[str, list[Any]]]:
        """For each document, each field the model writes and its values for the segments. One is `score` (bits)."""


def _ngram(header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> Model:
    from .ngram import Ngram

    return Ngram.restored(header, arrays)


def _word(header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> Model:
    from .word import restored

    return restored(header, arrays)


def _quality(header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> Stored:
    from .quality import Quality

    return Quality.restored(header)


def _rules(header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> Model:
    from .justext import Rules

    return Rules.restored(header)


# kind → how to make a model of a file's header and arrays
KINDS: dict[str, Callable[[dict[str, Any], dict[str, NDArray[Any]]], Stored]] = {
    "ngram": _ngram,
    "word": _word,
    "quality": _quality,
    "rules": _rules,
}
# kinds that score no segments → what they are for
ELSEWHERE = {"quality": "nc-select --quality-model, which predicts the precision of pages"}


def folders() -> list[Path]:
    """Where models are looked for by name: NC_MODELS (a list, as PATH is), then what came with the program."""
    here = Path(__file__).resolve().parent
    named = [Path(folder) for folder in os.environ.get("NC_MODELS", "").split(os.pathsep) if folder]
    return [*named, *(folder for folder in (here / "models", here.parent / "models") if folder.is_dir())]


def names() -> dict[str, Path]:
    """The models there are, by name."""
    out: dict[str, Path] = {}
    for folder in folders():
        for path in sorted(folder.glob("*" + SUFFIX)):
            out.setdefault(bare(path), path)
    return out


def load(name: str) -> Model:
    """The model of that name, or in that file, to score segments with. Raises ModelError."""
    return load_from(find(name))[1]


def load_from(path: Path) -> tuple[dict[str, Any], Model]:
    """The header of a model file and the model, which scores segments. Raises ModelError."""
    header, found = stored(path)
    if found.kind in ELSEWHERE:
        raise ModelError(
            f"{bare(path)}: a model of kind '{found.kind}' scores no segments: it is for {ELSEWHERE[found.kind]}"
        )
    return header, cast(Model, found)


def stored(path: Path, verify: bool = False) -> tuple[dict[str, Any], Stored]:
    """The header of a model file and the model, of any kind; of a stop list jusText's rules with it, and of another
    program's model a header made for it. Raises ModelError. With *verify* the checksum of mapped arrays is checked,
    however long that takes."""
    if path.suffix == ".txt":
        return _with_stoplist(path)
    if path.name.endswith(FOREIGN):
        from . import kenlm_files

        return kenlm_files.loaded(path)
    header, payload = read(path, verify)
    try:
        return header, KINDS[header["kind"]](header["parameters"], _arrays(header, payload))
    except ImportError as error:
        raise ModelError(f"{path}: a {header['kind']} model needs a library that is not installed: {error}") from None
    except Exception as error:  # each kind of model finds its own
        raise ModelError(f"{path}: the parts of the model do not fit: {error}") from None


def _with_stoplist(path: Path) -> tuple[dict[str, Any], Stored]:
    from . import justext, stoplist

    try:
        words, about = stoplist.read(path)
        rules = justext.of_language(words, about.get("language", ""))
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except (stoplist.StopListError, ValueError, OSError) as error:
        raise ModelError(str(error)) from None
    language = about.get("name") or path.stem
    header = {
        "kind": rules.kind,
        "language": about.get("language", ""),
        "description": f"jusText's rules with our stop list: {language}.",
        "credits": about.get("credits", "").splitlines(),
        "command": about.get("command", ""),
        "parameters": rules.header(),
        "sha256": digest,
    }
    return header, rules


def rules() -> dict[str, Path]:
    """The stop lists there are, by the name of jusText's rules with them: justext-en, …"""
    from . import stoplist

    return {RULES + code: path for code, (_, path) in stoplist.available().items()}


def find(name: str) -> Path:
    """The file of a model, or the stop list of justext-LANG. Raises ModelError."""
    if os.sep in name or name.endswith((SUFFIX, *FOREIGN)):
        return Path(name)
    there = names()
    if name not in there and name.startswith(RULES):
        lists = rules()
        if name in lists:
            return lists[name]
        raise ModelError(f"unknown model '{name}': there is {', '.join(lists) or 'no stop list'}")
    if name not in there:
        known = ", ".join([*there, *([RULES + "LANG"] if there else [])]) or "none"
        file = f"./{name}" if os.path.exists(name) else f"./{name}{SUFFIX}"
        raise ModelError(f"unknown model '{name}': there is {known} (or give a file: {file})")
    return there[name]


def signature(name: str, header: dict[str, Any]) -> str:
    """What stands for a model and no other, such as ncleaner-en@3fa94c0e12ab: bare name and start of the checksum."""
    return f"{name}@{header['sha256'][:12]}"


def bare(path: Path) -> str:
    """The name of the model in a file."""
    return path.name.removesuffix(SUFFIX)


def card(path: Path) -> Path:
    """The file beside a model's that has its card."""
    return path.with_name(bare(path) + ".md")


def read(path: Path, verify: bool = False) -> tuple[dict[str, Any], bytes | memoryview]:
    """The header of a model file and its arrays' bytes, checked (see `stored`). Raises ModelError."""
    try:
        with path.open("rb") as file:
            head = file.read(MAX_HEADER + len(MAGIC))
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
    if size > MAX_ARRAYS:
        raise ModelError(f"{path}: the parts of the model do not fit: arrays of {size:,} bytes")
    return zlib.decompressobj().decompress(packed, size + 1)  # one more: _arrays sees what is too much


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
    if header["kind"] not in KINDS:
        raise ModelError(f"{path}: a model of kind '{header['kind']}'; known are {', '.join(KINDS)}")
    try:
        return _size(header["arrays"], _step(header))
    except ValueError as error:
        raise ModelError(f"{path}: the parts of the model do not fit: {error}") from None


def _step(header: dict[str, Any]) -> int:
    """What arrays begin at multiples of."""
    return ALIGNED if header.get("mapped") else 1


def _size(arrays: list[dict[str, Any]], step: int) -> int:
    """The bytes of arrays as a header describes them. Raises ValueError for a type or length that cannot be."""
    size = 0
    for array in arrays:
        dtype, length = array["dtype"], array["length"]
        if dtype not in DTYPES:
            raise ValueError(f"an array of type {dtype}")
        if not isinstance(length, int) or length < 0:
            raise ValueError(f"an array of length {length!r}")
        size += -size % step + length * int(dtype[-1])
    return size


def _arrays(header: dict[str, Any], payload: bytes | memoryview) -> dict[str, NDArray[Any]]:
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


def write(path: Path, model: Stored, about: dict[str, Any]) -> dict[str, Any]:
    """Writes a model file and returns its header, *about* (language, corpora, licences, command …) in it. Raises
    OSError."""
    arrays = {name: array.astype(array.dtype.newbyteorder("<"), copy=False) for name, array in model.arrays().items()}
    described = [{"name": name, "dtype": array.dtype.str, "length": len(array)} for name, array in arrays.items()]
    header = {"kind": model.kind, **about, "parameters": model.header(), "arrays": described}
    if getattr(model, "mapped", False):
        return _write_mapped(path, header, list(arrays.values()))
    packed = zlib.compress(b"".join(array.tobytes() for array in arrays.values()), 9)
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
