"""Plain text dumps to paragraphs: what `lynx -dump`, a WET file or another renderer left of a page.

    list(paragraphs("A heading\\n\\n   Some text that\\n   goes on.\\n   * An item"))

Paragraphs are apart by empty lines, items begin with bullets or numbers. Where no line is wrapped (WET files), every
line is a paragraph. The CleanEval markers `<p>`, `<h>` and `<l>` at the start of a line, which nc-normalize puts into
pages before somebody else's renderer, are honoured.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

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
