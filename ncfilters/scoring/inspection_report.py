"""The reports of nc-model as aligned text.

print(table([{"ngram": "e␣t", "odds": 1.01}]))    # a line of headings, and a line for each row
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

from ..errors import ModelError
from . import registry
from .card import MAX_LISTED, one_line, printable

# Fields of a header in the order people read them; what else there is comes after them.
FIRST = ("file", "kind", "language", "description", "parameters", "normalised", "credits", "seen", "command")
LAST = ("arrays", "sha256")


def shown(models: Iterable[dict[str, Any]]) -> str:
    """What models are, an empty line between them."""
    return "\n".join(_shown(described) for described in models)


def _shown(described: dict[str, Any]) -> str:
    header = described["header"]
    arrays = {str(array["name"]): f"{array['length']:,} {array['dtype']}" for array in header["arrays"]}
    facts = {**header, "file": f"{described['file']} ({described['size']:,} bytes)", "arrays": arrays}
    more = [key for key in header if key not in (*FIRST, *LAST, "bytes")]
    rows = []
    for key in [*FIRST, *more, *LAST]:
        for number, line in enumerate(filter(None, _lines(facts.get(key)))):
            rows.append(("" if number else printable(key), line))
    out = [printable(described["signature"]), *("  " + line for line in aligned(rows))]
    for kind, found in described.get("telling", {}).items():
        out += ["", f"most telling for {kind}", *("  " + line for line in table(found).splitlines())]
    return "\n".join(out) + "\n"


def checked(models: Iterable[dict[str, Any]]) -> str:
    """A line for each model."""
    rows = []
    for result in models:
        said = [*result["problems"], *result["notes"]]
        rows.append(
            (
                "ok" if result["ok"] else "bad",
                printable(result["file"]),
                printable("; ".join([result["signature"], *said] if "signature" in result else said)),
            )
        )
    return "".join(line + "\n" for line in aligned(rows))


def differing(pairs: Iterable[dict[str, Any]]) -> str:
    """How two models differ; empty where they do not."""
    (pair,) = pairs
    if pair["same"]:
        return ""
    sides = [(mark, printable(pair[side]["signature"]), printable(pair[side]["file"])) for mark, side in SIDES.items()]
    out = aligned(sides)
    for field, values in pair["fields"].items():
        out += ["", printable(field)]
        out += [f"  {mark} {line}" for mark, value in zip(SIDES, values) for line in _lines(value) or [""]]
    if pair["arrays"]:
        out += ["", f"arrays that differ: {printable(', '.join(pair['arrays']))}"]
    out += [""] if pair.get("compared") else []
    for what, value in pair.get("compared", {}).items():
        if isinstance(value, list):
            out += ["", f"{what} most", *("  " + line for line in table(value).splitlines())]
        else:
            value = (
                ", ".join(f"{key} {number:,}" for key, number in value.items()) if isinstance(value, dict) else value
            )
            out += [f"{what}: {'none' if value is None else value}"]
    return "\n".join(out) + "\n"


SIDES = {"<": "first", ">": "second"}


def table(rows: Sequence[dict[str, Any]]) -> str:
    """Rows under headings, numbers to the right with two decimals; `none` where there are no rows."""
    if not rows:
        return "none\n"
    cells = [list(rows[0]), *([f"{v:.2f}" if isinstance(v, float) else str(v) for v in row.values()] for row in rows)]
    left = [isinstance(value, str) for value in rows[0].values()]
    return "".join(line + "\n" for line in aligned(cells, left))


def aligned(rows: Sequence[Sequence[str]], left: Sequence[bool] | None = None) -> list[str]:
    """A line for each row, its cells in columns, flush left or (where *left* says no) right."""
    if not rows:
        return []
    left = left or [True] * len(rows[0])
    widths = [max(map(width, column)) for column in zip(*rows)]
    out = []
    for row in rows:
        pads = [" " * (wide - width(cell)) for cell, wide in zip(row, widths)]
        out.append("  ".join(c + pad if flush else pad + c for c, pad, flush in zip(row, pads, left)).rstrip())
    return out


def width(text: str) -> int:
    """The columns a text takes on a terminal."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _lines(value: Any) -> list[str]:
    """A field of a header as lines: of an object each member, of a list each item."""
    if isinstance(value, dict):
        return aligned([(printable(key), one_line(inner)) for key, inner in value.items()])
    if isinstance(value, list):
        more = [f"… ({len(value):,})"] if len(value) > MAX_LISTED else []
        return [one_line(inner) for inner in value[:MAX_LISTED]] + more
    return [] if value is None else [one_line(value)]


def model_list() -> str:
    """A line for each installed model: name, kind, language, description. A model that cannot be read is `damaged`."""
    rows = []
    for name, path in registry.installed_models().items():
        try:
            header = registry.read_header(path)
            rows.append((name, header["kind"], header.get("language", ""), header.get("description", "")))
        except ModelError as error:
            rows.append((name, "damaged", "", str(error)))
    prefix = registry.STOPLIST_MODEL_PREFIX
    if lists := [name.removeprefix(prefix) for name in registry.stoplist_models()]:
        rows.append((f"{prefix}LANG", "rules", "", f"jusText's rules; LANG is one of {' '.join(lists)}"))
    widths = [max(map(len, column)) for column in list(zip(*rows))[:3]] if rows else []
    return "".join("  ".join([*(cell.ljust(width) for cell, width in zip(row, widths)), row[3]]) + "\n" for row in rows)
