"""The reports of nc-model as text.

print(text_table([{"ngram": "e␣t", "odds": 1.01}]))    # a line of headings, and a line for each row
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

from ..errors import ModelError
from . import registry
from .card import MAX_LISTED, one_line, printable

# The order of a header's fields. Other fields are between the two.
FIRST_FIELDS = ("file", "kind", "language", "description", "parameters", "normalised", "credits", "seen", "command")
LAST_FIELDS = ("arrays", "sha256")
# The marks of the two models in a comparison, as in diff(1).
SIDES = {"<": "first", ">": "second"}


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
            rows.append((name, header["kind"], header.get("language", ""), header.get("description", "")))
        except ModelError as error:
            rows.append((name, "damaged", "", str(error)))
    prefix = registry.STOPLIST_MODEL_PREFIX
    if lists := [name.removeprefix(prefix) for name in registry.stoplist_models()]:
        rows.append((f"{prefix}LANG", "rules", "", f"jusText's rules; LANG is one of {' '.join(lists)}"))
    widths = [max(map(len, column)) for column in list(zip(*rows))[:3]] if rows else []
    return "".join("  ".join([*(cell.ljust(width) for cell, width in zip(row, widths)), row[3]]) + "\n" for row in rows)


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
