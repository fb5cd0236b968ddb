"""Blocks as a plain-text dump, laid out as by Lynx.

dump([{"text": "Title", "path": "body/h1"}, {"text": "Some text.", "path": "body/p"}])    # 'Title\\n\\n   Some text.'
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from .dom_path import HEADING, LIST

# Columns of a dump, by default and at least.
DEFAULT_WIDTH, MIN_WIDTH = 80, 20
# Indents, in columns: of text, and of each list level. Headings are at the margin.
TEXT_INDENT, LIST_INDENT = 3, 2


def dump(blocks: Sequence[dict[str, Any]], width: int = DEFAULT_WIDTH) -> str:
    """The blocks as plain text of *width* columns, similar to `lynx -dump -nolist`; 0 does not wrap lines.

    Hidden blocks are left out, except those with `aria-hidden`.
    """
    out: list[str] = []
    after_item = False  # no empty line between the items of a list
    for block in blocks:
        if block.get("hidden") in ("display", "hidden"):
            continue
        depth = len(LIST.findall(block["path"]))
        indent = TEXT_INDENT + LIST_INDENT * max(depth, 1) if depth else TEXT_INDENT
        marker = block.get("marker")
        if HEADING.search(block["path"]) and not depth:
            indent = 0
        if out and not block.get("br") and not (after_item and marker):
            out.append("")
        lines = (
            block["text"].split("\n")
            if "pre" in block
            else _wrap(block["text"].replace("\t", "  "), max(width - indent, MIN_WIDTH // 2) if width else 0)
        )
        first = f"{marker} ".rjust(indent + 2) if marker else " " * (indent + (2 if depth else 0))
        rest = " " * len(first)
        out += [((first if not at else rest) + line).rstrip() for at, line in enumerate(lines)]
        after_item = bool(depth)
    return "\n".join(out)


def _wrap(text: str, width: int) -> list[str]:
    if not width or len(text) <= width:
        return [text]
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False) or [text]
