"""What Markdown takes for markup, and the backslashes against it (CommonMark 0.31, and GFM).

Escapes().text("2*3*4, [edit] and 1.")    # '2\\*3\\*4, [edit] and 1.'

A backslash stands only where a parser would misread the text.
"""

from __future__ import annotations

import re as stdlib_re
from dataclasses import dataclass
from functools import cache

import regex as re

from .lines import without_controls

# Within a line: a backslash before punctuation or at its end, HTML, entities, the middle of a link, footnotes.
_INLINE = (
    r"\\(?=[!-/:-@\[-`{-~\n]|$)|<(?=[a-zA-Z/!?])|\](?=\()|\[(?=\^)|\^(?=\[)"
    r"|&(?=(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,31});)"
)
# What needs a partner: between white space it is text, as underscores are within words.
_SPACE = r"[\t\n\r\p{Zs}]"
_PAIRED = {
    "*": rf"(?<!{_SPACE})\*|\*(?!{_SPACE})",
    "~": r"(?<=[^\s])~|~(?=~)",  # one after white space opens what nothing closes
    "_": rf"(?<![^\W_])_(?!{_SPACE})|(?<!{_SPACE})_(?![^\W_])",
    "`": "`",
}
# The same beside markup, where the characters that are not in the text are unknown.
_BESIDE_MARKUP = rf"[*`]|(?<!{_SPACE})~|~(?=~)|(?<![^\W_])_|_(?![^\W_])"
# The place for a backslash in what would start a block: after a number, before anything else.
_START = stdlib_re.compile(
    r"\d{1,9}(?=[.)](?:[ \t]|$))"
    r"|(?=\#{1,6}(?:[ \t]|$)|>|~~~|[-+*](?:[ \t]|$)|-[- \t]*$|_[_ \t]*$|=+[ \t]*$|[|:-][-:| \t]*$|\[[ xX]\](?:[ \t]|$))"
)
_SIGNS = stdlib_re.compile(r"[][\\<&*~_`^$]")
_DEFINITION = stdlib_re.compile(r"\[[^\]]*\]:")
_ENTITY = stdlib_re.compile(r"&(?=#?\w{1,32};)")
_ESCAPED = r"\\\g<0>"


@dataclass(frozen=True)
class Escapes:
    """The escapes of a document."""

    has_math: bool = False  # readers look for formulas, so that dollar signs are markup
    has_references: bool = False  # links have numbers, so that numbers in brackets are markup

    def text(self, text: str) -> str:
        """Text of a block that has no other markup."""
        if not _SIGNS.search(text):
            return text
        paired = "".join([sign for sign in "*~_`" if text.count(sign) > 1])
        out: str = _pattern(self.has_math, self.has_references, paired).sub(_ESCAPED, text)
        return out

    def beside_markup(self, text: str, in_link: bool = False) -> str:
        """Text before or after markup, or *in_link*, where brackets are markup."""
        if not _SIGNS.search(text):
            return text
        out: str = _pattern(self.has_math, self.has_references or in_link, None, in_link).sub(_ESCAPED, text)
        return out


@cache
def _pattern(has_math: bool, has_references: bool, paired: str | None, in_link: bool = False) -> re.Pattern[str]:
    parts = [_INLINE, _BESIDE_MARKUP if paired is None else "|".join([_PAIRED[sign] for sign in paired])]
    if has_math:
        parts.append(r"\$")
    if in_link:
        parts.append(r"[\[\]]")
    elif has_references:
        parts.append(r"\[(?=\d+\])")
    return re.compile("|".join([part for part in parts if part]))


def escape_block(text: str, first: bool = True) -> str:
    """A line of text with a backslash where it would start another block than a paragraph; *first* of its paragraph."""
    if text[:1].isalpha():
        return text
    start = _START.match(text)
    if start:
        return f"{text[: start.end()]}\\{text[start.end() :]}"
    return f"\\{text}" if first and text[:1] == "[" and is_definition(text) else text


def is_definition(text: str) -> bool:
    """Whether a paragraph would be the definition of a link."""
    return text.startswith("[") and _DEFINITION.match(text) is not None


def destination(url: str) -> str:
    """A safe address (`urls.link_url`) as the destination of a link."""
    if "&" in url:
        url = _ENTITY.sub(_ESCAPED, url)
    if "(" not in url and ")" not in url:
        return url
    depth = 0
    for character in url:
        depth += (character == "(") - (character == ")")
        if not 0 <= depth <= 8:
            break
    return url.replace("(", "\\(").replace(")", "\\)") if depth else url


def inline_code(text: str) -> str:
    """*text* as a code span, between backticks in a number that it does not have in a row."""
    text = " ".join(without_controls(text).split())
    if not text:
        return ""
    if "`" not in text:
        return f"`{text}`"
    runs = {len(run) for run in re.findall("`+", text)}
    fence = "`" * next(number for number in range(1, len(text) + 2) if number not in runs)
    pad = " " if text[0] == "`" or text[-1] == "`" else ""
    return f"{fence}{pad}{text}{pad}{fence}"
