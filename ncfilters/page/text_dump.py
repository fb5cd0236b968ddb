"""Plain text dumps: of a page's blocks, and back to paragraphs, whoever made them (`lynx -dump`, a WET file).

    list(paragraphs("A heading\\n\\n   Some text that\\n   goes on.\\n   * An item"))

Paragraphs are apart by empty lines, items begin with bullets or numbers. Where no line is wrapped (WET files), every
line is a paragraph. The CleanEval markers `<p>`, `<h>` and `<l>` at the start of a line, which nc-normalize puts into
pages before somebody else's renderer, are honoured.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from .dom_path import HEADING, LIST

# A dump whose lines are longer than this (but for SOME of them: addresses) was not wrapped.
WRAP, SOME = 100, 0.02
# A wrapped dump has at least this share of empty lines; one without has a paragraph a line.
EMPTY = 0.02

# Lynx indents text but not headings, and uses letters as bullets of inner lists.
_START = re.compile(
    r"\s*(?:([*+-](?= )|--(?= )|(?<=\s{4})[o#@](?= )|[•‣◦▪●○■□·]|\(?\d{1,3}[.)](?= ))\s*)?(?:<([phl])>)?\s*", re.I
)
INDENTED = 0.6
_IDEOGRAPH = "[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]"
_BROKEN_IDEOGRAPHS = re.compile(rf"(?<={_IDEOGRAPH}) *\n *(?={_IDEOGRAPH})")


# `lynx -dump` numbers links and lists their addresses at the end.
_REFERENCES = re.compile(r"\n\s*References\n\s*(?:Visible links:?\s*)?1\. \w+:\S+\n.*\Z", re.S)
_LINK_NUMBER = re.compile(r"\[\d{1,5}\](?=\S)")


def paragraphs(text: str) -> Iterator[dict[str, Any]]:
    """The paragraphs of *text*: `text`, its lines joined, and for items `marker`, for marked ones `type`. Linear in
    the text."""
    references = _REFERENCES.search(text)
    if references:
        text = _LINK_NUMBER.sub("", text[: references.start()])
    lines = text.expandtabs().splitlines()
    filled = [line for line in lines if line and not line.isspace()]
    long = sum(len(line) > WRAP for line in filled)
    apart = long > SOME * len(filled) or len(lines) - len(filled) < EMPTY * len(lines)
    indented = sum(line.startswith("  ") for line in filled) > INDENTED * len(filled)
    gathered: list[str] = []
    about: dict[str, Any] = {}
    for line in [*lines, ""]:
        start = _START.match(line)
        assert start is not None  # it matches the empty string
        rest = line[start.end() :]
        begins = bool(start[1] or start[2]) and bool(rest)
        if gathered and (begins or apart or not rest):
            if indented and len(gathered) > 1 and about.get("type") == "h":
                about = {}
            yield {"text": _BROKEN_IDEOGRAPHS.sub("", "\n".join(gathered)), **about}
            gathered, about = [], {}
        if begins:
            about = {"type": start[2].lower()} if start[2] else {}
            if start[1]:
                about["marker"] = start[1] if start[1][-1] in ".)" else "*"
        elif start[1] and not rest:  # a bullet by itself, the text in the next line
            about = {"marker": "*"}
            continue
        elif indented and not gathered and line[:1].strip() and not line.rstrip().endswith(tuple(".!?:;,")):
            about = {"type": "h"}
        if line.strip():
            gathered.append(rest or line.strip())


# ---- from blocks to a dump ----------------------------------------------------------------------------------

# As Lynx lays pages out (columns): text stands in by three, headings at the margin, items by their depth.
WIDTH, MIN_WIDTH, INDENT = 80, 20, 3


def dump(blocks: Sequence[dict[str, Any]], width: int = WIDTH) -> str:
    """The blocks as plain text, much as `lynx -dump -nolist` shows them; *width* 0 does not wrap lines."""
    out: list[str] = []
    tight = False  # no empty line between items of one list
    for block in blocks:
        if block.get("hidden") in ("display", "hidden"):
            continue
        depth = len(LIST.findall(block["path"]))
        indent = INDENT + 2 * max(depth, 1) if depth else INDENT
        marker = block.get("marker")
        if HEADING.search(block["path"]) and not depth:
            indent = 0
        if out and not block.get("br") and not (tight and marker):
            out.append("")
        lines = (
            block["text"].split("\n")
            if "pre" in block
            else _wrapped(block["text"].replace("\t", "  "), max(width - indent, MIN_WIDTH // 2) if width else 0)
        )
        first = f"{marker} ".rjust(indent + 2) if marker else " " * (indent + (2 if depth else 0))
        rest = " " * len(first)
        out += [((first if not at else rest) + line).rstrip() for at, line in enumerate(lines)]
        tight = bool(depth)
    return "\n".join(out)


def _wrapped(text: str, width: int) -> list[str]:
    if not width or len(text) <= width:
        return [text]
    import textwrap

    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False) or [text]
