"""TeX of formulas on one line, where it can stand between dollar signs.

inline_tex("x^2 % the square\\n + 1")    # 'x^2 + 1'
"""

from __future__ import annotations

import re

from .lines import without_controls

# Characters. More is no formula.
MAX_TEX_CHARS = 10_000

_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*\n?")
_DOLLAR = re.compile(r"(?<!\\)(?:\\\\)*\$")
# The start of a tag, of the address of a link, of an entity, or of code; and a number in brackets.
_MARKUP = re.compile(r"<(?=[A-Za-z/!?])|\](?=[(\[:])|&(?=[A-Za-z#])|`|\[(\d+)\]")
_TRAILING_BACKSLASH = re.compile(r"(?<!\\)(?:\\\\)*\\$")


def plain_tex(tex: str) -> str:
    """*tex* on one line without comments; empty if it is too long."""
    if len(tex) > MAX_TEX_CHARS:
        return ""
    return " ".join(without_controls(_COMMENT.sub(r"\1", tex) if "%" in tex else tex).split())


def inline_tex(tex: str) -> str:
    """The same, without what a parser of Markdown that knows no formulas takes for HTML, a link, an entity or code;
    empty also if a dollar sign or a backslash at the end would end the formula elsewhere."""
    tex = plain_tex(tex)
    if _DOLLAR.search(tex) or _TRAILING_BACKSLASH.search(tex):
        return ""
    return _MARKUP.sub(_as_tex, tex) if _MARKUP.search(tex) else tex


def _as_tex(match: re.Match[str]) -> str:
    """What means the same in TeX and nothing in Markdown: a space is nothing in a formula, `\\lq` a grave accent."""
    if match[0] == "`":
        return r"\lq "
    if match[1]:  # it may be the label of a reference link
        return f"[{{{match[1]}}}] "
    return f"{match[0]} "
