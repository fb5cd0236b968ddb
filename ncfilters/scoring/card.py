"""The card beside a model's file, in Markdown: a description of the model and of its training data.

write_card(path, header)    # my.md beside my.model
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..streams.output_file import write_whole
from .registry import card_path, model_name

# Of a list or object with more members than the first number, a line shows as many as the second.
MAX_LISTED, LISTED_OF_LONG = 24, 5


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
