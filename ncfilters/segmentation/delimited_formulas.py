r"""Formulas that stand in the text with TeX's delimiters, where a script of the page would draw them.

    segments = [{"text": r"If \(x\) is"}]
    mark_delimited(segments)
    segments[0]["spans"]    # [[3, 8, 'math', 'x']]

`\(x\)`, `\[x\]`, `$$x$$` and environments such as `\begin{align}` are formulas. `$x$` may be a price.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ..page.markup_run import sort_spans
from ..record import Segment

# Characters of a formula, and formulas of a segment.
MAX_CHARS, MAX_FORMULAS = 2_000, 500

_FORMULA = re.compile(
    rf"\\\((?P<inline>.{{1,{MAX_CHARS}}}?)\\\)|\\\[(?P<brackets>.{{1,{MAX_CHARS}}}?)\\\]"
    rf"|(?<![\\$])\$\$(?P<dollars>[^$]{{1,{MAX_CHARS}}})\$\$(?!\$)"
    rf"|(?P<environment>\\begin\{{(?P<name>(?:equation|align|gather|multline|eqnarray)\*?)\}}.{{1,{MAX_CHARS}}}?"
    r"\\end\{(?P=name)\})",
    re.S,
)
# What is left of a formula in TeX: a letter, a digit or a command.
_CONTENT = re.compile(r"\w")


def mark_delimited(segments: Sequence[Segment]) -> None:
    """Adds spans of the kind `math` for delimited formulas, instead of the spans in them. Code has none."""
    for segment in segments:
        text = segment["text"]
        if ("\\" in text or "$$" in text) and "code" not in segment and "pre" not in segment:
            formulas = [span for span in map(_span_of, _FORMULA.finditer(text)) if span]
            if formulas:
                _add(segment, formulas[:MAX_FORMULAS])


def _span_of(match: re.Match[str]) -> list[Any]:
    kind = match.lastgroup if match["environment"] is None else "environment"
    tex = match[kind or 0].strip()
    if not _CONTENT.search(tex):
        return []
    span: list[Any] = [*match.span(), "math", tex]
    return span if kind == "inline" else [*span, "display"]


def _add(segment: Segment, formulas: list[list[Any]]) -> None:
    """Adds formulas to the spans of a segment, except those that others overlap; drops the spans in them."""
    spans = segment.get("spans", [])
    out = []
    for formula in formulas:
        start, end = formula[:2]
        if not any(
            span[2] in ("code", "math") and span[0] < end and span[1] > start or _is_across(span, start, end)
            for span in spans
        ):
            spans = [span for span in spans if not (start <= span[0] and span[1] <= end and span[:2] != [start, end])]
            out.append(formula)
    if out:
        spans = spans + out
        sort_spans(spans)
        segment["spans"] = spans


def _is_across(span: list[Any], start: int, end: int) -> bool:
    """Whether a span begins or ends in a formula, but not both."""
    return bool(span[0] < start < span[1] < end or start < span[0] < end < span[1])
