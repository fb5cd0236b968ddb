"""The contents of model files: descriptions, checks and differences, as nc-model writes them in JSON.

    describe(Path(registry.find("en")), 20)["telling"]
    verify(Path("my.model"))    # {"ok": True, "problems": [], …}

The reports format these as text.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from math import isnan
from pathlib import Path
from typing import Any

from ..errors import ModelError
from ..streams.output_file import write_whole
from . import registry
from .base import Model
from .registry import card_path, model_name

# Fields of a header that differ between any two models, or that are compared in another way.
_NOT_COMPARED = ("arrays", "bytes", "content", "made", "sha256")
_CHECKSUM = re.compile(r"sha256\b.*?\b([0-9a-f]{64})\b")

# The order of a header's fields. Other fields are between the two.
FIRST_FIELDS = ("file", "kind", "language", "description", "parameters", "normalised", "credits", "seen", "command")
LAST_FIELDS = ("arrays", "sha256")
# The marks of the two models in a comparison, as in diff(1).
SIDES = {"<": "first", ">": "second"}

# Of a list or object with more members than the first number, a line shows as many as the second.
MAX_LISTED, LISTED_OF_LONG = 24, 5


def describe(path: Path, count: int) -> dict[str, Any]:
    """A model: name, signature, file, size in bytes, header, and as `telling` up to *count* of its most informative
    features for each class, if its kind reports them. Raises ModelError."""
    header, model = registry.read_model(path)
    out = {**_identity(path, header), "size": path.stat().st_size, "header": header}
    if count and (telling := model.most_informative(count)):
        out["telling"] = telling
    return out


def verify(path: Path) -> dict[str, Any]:
    """Whether the file of a model is sound and its card has the same checksum: file, `ok`, `problems` and `notes`."""
    try:
        header, model = registry.read_model(path, verify=True)
        found = [name for name, value in _flat_fields(header).items() if isinstance(value, float) and isnan(value)]
        found += [
            name for name, values in model.arrays().items() if values.dtype.kind == "f" and (values != values).any()
        ]
        without_value = [f"{name}: not a number (NaN)" for name in found]
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
    if not out["same"] and (compared := first_model.differences(second_model, count)):
        out["compared"] = compared
    return out


def _identity(path: Path, header: dict[str, Any]) -> dict[str, Any]:
    name = registry.model_name(path)
    return {"name": name, "signature": registry.signature(name, header), "file": str(path)}


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


def _array_bytes(model: Model) -> dict[str, tuple[str, bytes]]:
    return {name: (array.dtype.str, array.tobytes()) for name, array in model.arrays().items()}


def _differences(first: dict[str, Any], second: dict[str, Any]) -> dict[str, list[Any]]:
    """The pairs of values that differ; None for a value that is missing."""
    pairs = {key: [first.get(key), second.get(key)] for key in {**first, **second}}
    return {key: pair for key, pair in pairs.items() if pair[0] != pair[1]}


def description_report(models: Iterable[dict[str, Any]]) -> str:
    """Descriptions (`inspection.describe`), separated by empty lines."""
    return "\n".join(map(_description, models))


def verification_report(models: Iterable[dict[str, Any]]) -> str:
    """A line for each verification (`inspection.verify`)."""
    rows = []
    for result in models:
        remarks = [*result["problems"], *result["notes"]]
        rows.append(
            (
                "ok" if result["ok"] else "bad",
                printable(result["file"]),
                printable("; ".join([result["signature"], *remarks] if "signature" in result else remarks)),
            )
        )
    return "".join(line + "\n" for line in aligned(rows))


def comparison_report(pairs: Iterable[dict[str, Any]]) -> str:
    """A comparison (`inspection.compare`); empty if the models are the same."""
    (pair,) = pairs
    if pair["same"]:
        return ""
    out = aligned(
        [(mark, printable(pair[side]["signature"]), printable(pair[side]["file"])) for mark, side in SIDES.items()]
    )
    for field, values in pair["fields"].items():
        out += ["", printable(field)]
        out += [f"  {mark} {line}" for mark, value in zip(SIDES, values) for line in _lines(value) or [""]]
    if pair["arrays"]:
        out += ["", f"arrays that differ: {printable(', '.join(pair['arrays']))}"]
    compared = pair.get("compared", {})
    out += [""] if compared else []
    for name, value in compared.items():
        if isinstance(value, list):
            out += ["", f"{name} most", *("  " + line for line in text_table(value).splitlines())]
        elif isinstance(value, dict):
            out.append(f"{name}: {', '.join(f'{key} {number:,}' for key, number in value.items())}")
        else:
            out.append(f"{name}: {'none' if value is None else value}")
    return "\n".join(out) + "\n"


def model_list() -> str:
    """A line for each installed model: name, kind, language, description. A model that cannot be read is `damaged`."""
    rows = []
    for name, path in registry.installed_models().items():
        try:
            header = registry.read_header(path)
            rows.append((name, header["kind"], header.get("language") or "", header.get("description", "")))
        except ModelError as error:
            rows.append((name, "damaged", "", str(error)))
    prefix = registry.STOPLIST_MODEL_PREFIX
    if lists := [name.removeprefix(prefix) for name in registry.stoplist_models()]:
        rows.append((f"{prefix}LANG", "rules", "", f"jusText's rules; LANG is one of {' '.join(lists)}"))
    return "".join(line + "\n" for line in aligned(rows))


def text_table(rows: Sequence[dict[str, Any]]) -> str:
    """Rows under headings, numbers to the right with two decimals; `none` if there are no rows."""
    if not rows:
        return "none\n"
    cells = [list(rows[0]), *([f"{v:.2f}" if isinstance(v, float) else str(v) for v in row.values()] for row in rows)]
    flush_left = [isinstance(value, str) for value in rows[0].values()]
    return "".join(line + "\n" for line in aligned(cells, flush_left))


def aligned(rows: Sequence[Sequence[str]], flush_left: Sequence[bool] | None = None) -> list[str]:
    """A line for each row, its cells in columns: flush left, or right where *flush_left* is false.

    Wide characters (Chinese) take two columns of a terminal.
    """
    if not rows:
        return []
    flush_left = flush_left or [True] * len(rows[0])
    widths = [max(map(_width, column)) for column in zip(*rows)]
    out = []
    for row in rows:
        pads = [" " * (width - _width(cell)) for cell, width in zip(row, widths)]
        out.append("  ".join(c + pad if left else pad + c for c, pad, left in zip(row, pads, flush_left)).rstrip())
    return out


def _description(described: dict[str, Any]) -> str:
    header = described["header"]
    arrays = {str(array["name"]): f"{array['length']:,} {array['dtype']}" for array in header.get("arrays", ())}
    values = {**header, "file": f"{described['file']} ({described['size']:,} bytes)", "arrays": arrays}
    others = [key for key in header if key not in (*FIRST_FIELDS, *LAST_FIELDS, "bytes")]
    rows = []
    for key in [*FIRST_FIELDS, *others, *LAST_FIELDS]:
        for number, line in enumerate(filter(None, _lines(values.get(key)))):
            rows.append(("" if number else printable(key), line))
    out = [printable(described["signature"]), *("  " + line for line in aligned(rows))]
    for name, features in described.get("telling", {}).items():
        out += ["", f"most telling for {name}", *("  " + line for line in text_table(features).splitlines())]
    return "\n".join(out) + "\n"


def _width(text: str) -> int:
    """The columns that a text takes on a terminal."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _lines(value: Any) -> list[str]:
    """A field of a header as lines: one for each member of an object and for each item of a list."""
    if isinstance(value, dict):
        return aligned([(printable(key), one_line(inner)) for key, inner in value.items()])
    if isinstance(value, list):
        more = [f"… ({len(value):,})"] if len(value) > MAX_LISTED else []
        return [one_line(inner) for inner in value[:MAX_LISTED]] + more
    return [] if value is None else [one_line(value)]


def card(name: str, header: dict[str, Any]) -> str:
    """The card of a model, given its name and the header of its file."""
    lines = [f"# {name}", "", header["description"], ""]
    lines += [
        f"- {key}: {one_line(value)}"
        for key, value in [("kind", header["kind"]), ("language", header["language"]), *header["parameters"].items()]
        if key != "characters" and value != "" and not isinstance(value, dict)
    ]
    lines += [f"- {key}: {value}" for key, value in header.get("held out", {}).items()]
    lines += [
        "",
        "Learned from:",
        "",
        *(f"- {credit}" for credit in header["credits"]),
        *(f"- {what}: {number:,}" for what, number in header["seen"].items()),
        "",
        "Made by",
        "",
        f"    {header['command']}",
        "",
        f"Checksum (sha256 of header and arrays): {header['sha256']}",
        "",
    ]
    return "\n".join(lines)


def write_card(path: Path, header: dict[str, Any]) -> None:
    """Writes the card of the model in a file, with that header, beside it. Raises OSError and UsageError."""
    write_whole(str(card_path(path)), [card(model_name(path), header).encode()])


def one_line(value: Any) -> str:
    """A value of a header on one line; of a long list or object, the first members and the length."""
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    if isinstance(value, (list, dict)) and len(value) > MAX_LISTED:
        first = ", ".join(json.dumps(inner, ensure_ascii=False) for inner in list(value)[:LISTED_OF_LONG])
        return printable(f"{first}, … ({len(value):,})")
    return printable(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def printable(text: str) -> str:
    """The text with a replacement character for each that would break the line or control the terminal."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
