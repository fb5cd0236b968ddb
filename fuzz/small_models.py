"""Small model files of all kinds, and files made of them with parts that are wrong and a checksum that is right."""

from __future__ import annotations

import copy
import hashlib
import json
import math
import struct
import tempfile
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ncfilters.features.document import Head, ModelInput
from ncfilters.scoring import file_format, registry
from ncfilters.scoring.justext.rules import rules_for_language
from ncfilters.scoring.quality import QualityModel, decided_page
from ncfilters.scoring.word_lm import storable

# Numbers and other values that a parameter or a length may become.
VALUES: list[Any] = [
    *(
        math.nan,
        math.inf,
        -math.inf,
        -1,
        0,
        1,
        2,
        7,
        255,
        256,
        65_535,
        1 << 31,
        (1 << 31) - 1,
        1 << 32,
        1 << 62,
        1 << 63,
    ),
    *(1 << 64, -(1 << 63), 1e308, 1e-308, 0.5, -0.5, "", "x", "en", None, True, [], {}, [1], {"a": 1}, "1", [math.nan]),
]
# Bytes that an array may get at a place: numbers of all types that are special in one of them.
SPECIAL = [
    *(struct.pack("<d", number) for number in (math.nan, math.inf, -math.inf, -0.0, 1e300, -1e300)),
    *(struct.pack("<f", number) for number in (math.nan, math.inf, -math.inf, 3e38, -3e38)),
    *(b"\xff" * size for size in (1, 2, 4, 8)),
    *(b"\0" * size for size in (1, 2, 4, 8)),
    *(b"\xff\x7f", b"\xff\xff\xff\x7f", b"\xff" * 7 + b"\x7f", b"\0\0\0\x80", b"\0" * 7 + b"\x80", b"\1", b"\x80"),
]
MAX_EDITS = 8
DATA = Path(__file__).resolve().parent.parent / "tests" / "data"
# Texts that a loaded model scores.
TEXTS = ["Some clean text of the harbour, which is long enough.", "Home | About", "", "né 中 😀"]

Parts = tuple[dict[str, Any], bytes]


@cache
def model_parts() -> list[Parts]:
    """For each kind, the header and the uncompressed bytes of the arrays of a small model."""
    out = []
    with tempfile.TemporaryDirectory() as folder:
        for number, model in enumerate(_models()):
            path = Path(folder) / f"{number}.model"
            registry.write_model(path, model, {"language": "en", "description": "small"})
            header, arrays = file_format.read_file(path)
            payload = b""
            for array in arrays.values():
                payload += bytes(-len(payload) % (file_format.ALIGNMENT_BYTES if header.get("mapped") else 1))
                payload += array.tobytes()
            out.append((header, payload))
    return out


def _models() -> Iterator[Any]:
    from model_files import trained
    from structure_pages import train_small
    from threadpoolctl import threadpool_limits
    from word_lm_corpus import SENTENCES, train

    yield trained(3)
    yield trained(4, fold="frequent", characters="é中 a")
    yield train(SENTENCES[:6], 2, "pyplexity")
    yield storable.import_model(DATA / "storable" / "bigrams.st")[0]
    yield rules_for_language(frozenset(("the", "of")), "en")
    _, quality = registry.read_model(registry.find("quality"))
    assert isinstance(quality, QualityModel)
    yield quality
    with threadpool_limits(1):
        structure = train_small(passes=1)
    structure.plain = trained(2)  # n-grams are damaged above; the table of longer ones takes a tenth of a second
    yield structure


def packed(header: dict[str, Any], arrays: bytes) -> bytes:
    """A model file of a header and the bytes of the arrays, with checksums that are right."""
    header = dict(header)
    if header.get("mapped"):
        header["bytes"], header["content"] = len(arrays), hashlib.sha256(arrays).hexdigest()
        header["crc32"] = f"{zlib.crc32(arrays):08x}"
        text = json.dumps(header, indent=1, ensure_ascii=False).encode()
        head = file_format.MAPPED_MAGIC + f"{zlib.crc32(text):08x}\n".encode() + text + b"\n\n"
        return head + bytes(-len(head) % file_format.ALIGNMENT_BYTES) + arrays
    body = zlib.compress(arrays, 1)
    header["bytes"] = len(body)
    text = json.dumps({key: value for key, value in header.items() if key != "sha256"}, sort_keys=True)
    header["sha256"] = hashlib.sha256(text.encode() + body).hexdigest()
    return file_format.MAGIC + json.dumps(header, indent=1, ensure_ascii=False).encode() + b"\n\n" + body


def changed_file(header: dict[str, Any], arrays: bytes, changes: bytes) -> bytes:
    """The file of a model with changes, four bytes each: of a number in an array, of a value in the header, of the type
    or length of an array, or of the length of all arrays. The checksums are right."""
    header, content = copy.deepcopy(header), bytearray(arrays)
    for at in range(0, min(len(changes) // 4, MAX_EDITS) * 4, 4):
        kind, where, what = changes[at] % 8, int.from_bytes(changes[at + 1 : at + 3], "little"), changes[at + 3]
        if kind < 3 and content:
            place = where * 8 % len(content) if kind else where % len(content)
            new = SPECIAL[what % len(SPECIAL)]
            content[place : place + len(new)] = new[: len(content) - place]
        elif kind < 5:
            _change_value(header["parameters"], where, VALUES[what % len(VALUES)])
        elif kind == 5 and header["arrays"]:
            array = header["arrays"][where % len(header["arrays"])]
            if what % 2:
                array["length"] = VALUES[what // 2 % len(VALUES)]
            else:
                array["dtype"] = file_format.DTYPES[what // 2 % len(file_format.DTYPES)]
        elif kind == 6 and content:
            del content[where % len(content) :]
        elif header["arrays"]:
            array = header["arrays"][where % len(header["arrays"])]
            if isinstance(array["length"], int):
                array["length"] = max(0, array["length"] + (-1) ** what * (what // 2))
            content += bytes(what)
    return packed(header, bytes(content))


def forged_files(header: dict[str, Any], arrays: bytes) -> Iterator[bytes]:
    """Files of a model, their checksums right: each of its arrays backwards, in another order, with one value alone;
    each field of its header, and the first of each list in it, of another type."""
    at = 0
    for one in header["arrays"]:
        at += -at % (file_format.ALIGNMENT_BYTES if header.get("mapped") else 1)
        end = at + one["length"] * int(one["dtype"][-1])
        values = np.frombuffer(arrays[at:end], one["dtype"])
        most = np.finfo(values.dtype).max if values.dtype.kind == "f" else np.iinfo(values.dtype).max
        shuffled = np.random.default_rng(1).permutation(values)
        for forged in (values[::-1], np.roll(values, 7), shuffled, values * 0, np.full_like(values, most)):
            yield packed(header, arrays[:at] + np.ascontiguousarray(forged).tobytes() + arrays[end:])
        at = end
    parameters = header["parameters"]
    for value in (None, 7, -0.5, math.nan, "x", [1], {"a": 1}):
        for name in sorted(header.keys() - {"arrays", "mapped", "bytes"}):
            yield packed({**header, name: value}, arrays)
        for name, whole in parameters.items():
            forged = (
                [value, *whole[1:]]
                if isinstance(whole, list)
                else {**whole, "a": value}
                if isinstance(whole, dict)
                else value
            )
            yield packed({**header, "parameters": {**parameters, name: forged}}, arrays)


def _change_value(parameters: dict[str, Any], where: int, new: Any) -> None:
    """Changes the *where*-th value in nested parameters, or removes it."""
    leaves: list[tuple[Any, Any]] = []
    todo: list[Any] = [parameters]
    while todo:
        value = todo.pop()
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            leaves.append((value, key))
            if isinstance(item, (dict, list)):
                todo.append(item)
    if leaves:
        holder, key = leaves[where % len(leaves)]
        if new == "1" and isinstance(holder, dict):
            del holder[key]
        else:
            holder[key] = copy.deepcopy(new)


def use_model(path: Path) -> list[Any]:
    """Loads a model, and returns the scores of texts. Raises ModelError; fails if a score is not a finite number."""
    model: Any = storable.import_model(path)[0] if path.suffix == ".st" else registry.read_model(path, verify=True)[1]
    if isinstance(model, QualityModel):
        segments = [{"text": text, "score": 1.0} for text in TEXTS[:2]]
        predicted = model.predict(decided_page(segments, [True] * len(segments)))
        assert 0 <= predicted <= 1, predicted
        return [predicted]
    segments = [{"text": text, "type": "p", "tag": "p", "path": "body/main#content/p", "links": 0} for text in TEXTS]
    page = ModelInput(segments, Head(TEXTS[0]))
    documents = [ModelInput.of_texts(TEXTS), ModelInput.of_texts([]), page]
    found = model.evidence(documents)
    if path.suffix == registry.SUFFIX:
        named = registry.load_named(str(path))
        assert isinstance(named.language + named.signature, str)
    for document, evidence in zip(documents, found):
        for name, values in evidence.items():
            assert len(values) == len(document), (name, len(values))
            numbers = [value for value in values if isinstance(value, float)]
            assert np.isfinite(numbers).all(), (name, values)
    return list(found)
