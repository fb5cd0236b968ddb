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
_TRAILING_BACKSLASH = re.compile(r"(?<!\\)(?:\\\\)*\\$")


def plain_tex(tex: str) -> str:
    """*tex* on one line without comments; empty if it is too long."""
    if len(tex) > MAX_TEX_CHARS:
        return ""
    return " ".join(without_controls(_COMMENT.sub(r"\1", tex) if "%" in tex else tex).split())


def inline_tex(tex: str) -> str:
    """The same; empty also if a dollar sign or a backslash at the end would end the formula elsewhere."""
    tex = plain_tex(tex)
    return "" if _DOLLAR.search(tex) or _TRAILING_BACKSLASH.search(tex) else tex
