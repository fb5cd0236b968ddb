"""The contents of model files: descriptions, checks and differences, as nc-model writes them in JSON.

    describe(registry.find("en"), 20)["telling"]
    verify(Path("my.model"))    # {"ok": True, "problems": [], …}

`inspection_report` formats these as text.
"""

from __future__ import annotations

import re
from math import isnan
from pathlib import Path
from typing import Any

from ..errors import ModelError
from . import registry
from .base import InspectableModel, StorableModel

# Fields of a header that differ between any two models, or that are compared in another way.
_NOT_COMPARED = ("arrays", "bytes", "content", "made", "sha256")
_CHECKSUM = re.compile(r"sha256\b.*?\b([0-9a-f]{64})\b")


def describe(path: Path, count: int) -> dict[str, Any]:
    """A model: name, signature, file, size in bytes, header, and as `telling` up to *count* of its most informative
    features for each class, if its kind reports them. Raises ModelError."""
    header, model = registry.read_model(path)
    out = {**_identity(path, header), "size": path.stat().st_size, "header": header}
    if count and isinstance(model, InspectableModel):
        out["telling"] = model.most_informative(count)
    return out


def verify(path: Path) -> dict[str, Any]:
    """Whether the file of a model is sound and its card has the same checksum: file, `ok`, `problems` and `notes`."""
    try:
        header, model = registry.read_model(path, verify=True)
        without_value = _without_value(header, model)
    except ModelError as error:
        return {"file": str(path), "ok": False, "problems": [str(error).removeprefix(f"{path}: ")], "notes": []}
    problems, notes = _verify_card(registry.card_path(path), header["sha256"])
    problems = [*without_value, *problems]
    return {**_identity(path, header), "ok": not problems, "problems": problems, "notes": notes}


def compare(first: Path, second: Path, count: int) -> dict[str, Any]:
    """The differences of two models of one kind: whether they are the `same`; the `fields` of their headers and the
    `arrays` that differ; and what their kind reports, with up to *count* rows. Raises ModelError."""
    (first_header, first_model), (second_header, second_model) = registry.read_model(first), registry.read_model(second)
    if first_model.kind != second_model.kind:
        raise ModelError(
            f"{first} is of kind {first_model.kind}, {second} of kind {second_model.kind}: "
            "models of different kinds cannot be compared"
        )
    fields = _differences(_flat_fields(first_header), _flat_fields(second_header))
    arrays = sorted(_differences(_array_bytes(first_model), _array_bytes(second_model)))
    out = {
        "first": _identity(first, first_header),
        "second": _identity(second, second_header),
        "same": not fields and not arrays,
        "fields": fields,
        "arrays": arrays,
    }
    if not out["same"] and isinstance(first_model, InspectableModel):
        out["compared"] = first_model.differences(second_model, count)
    return out


def _identity(path: Path, header: dict[str, Any]) -> dict[str, Any]:
    name = registry.model_name(path)
    return {"name": name, "signature": registry.signature(name, header), "file": str(path)}


def _without_value(header: dict[str, Any], model: StorableModel) -> list[str]:
    """The parameters and arrays of a model that contain values that are not numbers (NaN), as problems."""
    found = [name for name, value in _flat_fields(header).items() if isinstance(value, float) and isnan(value)]
    found += [name for name, values in model.arrays().items() if values.dtype.kind == "f" and (values != values).any()]
    return [f"{name}: not a number (NaN)" for name in found]


def _verify_card(path: Path, checksum: str) -> tuple[list[str], list[str]]:
    """Problems of a card, and notes."""
    try:
        match = _CHECKSUM.search(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return [], [f"there is no card {path.name}"]
    except (OSError, ValueError) as error:
        return [f"the card {path.name} cannot be read: {getattr(error, 'strerror', None) or 'not UTF-8'}"], []
    if not match:
        return [], [f"the card {path.name} has no checksum"]
    if match[1] != checksum:
        return [f"the card {path.name} is of another model: the checksum in it is {match[1][:12]}…"], []
    return [], []


def _flat_fields(header: dict[str, Any]) -> dict[str, Any]:
    """The fields of a header that are compared, those within objects as `outer.inner`."""
    out = {}
    for key, value in header.items():
        if key in _NOT_COMPARED:
            continue
        if isinstance(value, dict):
            out.update({f"{key}.{inner}": more for inner, more in value.items()})
        else:
            out[key] = value
    return out


def _array_bytes(model: StorableModel) -> dict[str, tuple[str, bytes]]:
    return {name: (array.dtype.str, array.tobytes()) for name, array in model.arrays().items()}


def _differences(first: dict[str, Any], second: dict[str, Any]) -> dict[str, list[Any]]:
    """The pairs of values that differ; None for a value that is missing."""
    pairs = {key: [first.get(key), second.get(key)] for key in {**first, **second}}
    return {key: pair for key, pair in pairs.items() if pair[0] != pair[1]}
