"""Superscripts and subscripts in plain text: `<sup>` and `<sub>`.

    10<sup>6</sup>, H<sub>2</sub>O    10⁶, H₂O
    said<sup><a href="#n1">1</a></sup>, 2<sup>k</sup>, 1<sup>st</sup>    said[1], 2^k, 1st

Numbers get the superscript and subscript digits of Unicode, so that 10⁶ does not become 106. Letters after a number or
a word, as in 1st, stay.
"""

from __future__ import annotations

from ...text.lazy_pattern import lazy_pattern

_SIGNS = "0123456789+-−–=()"
_SUPERSCRIPTS = str.maketrans(f"{_SIGNS}in", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ⁱⁿ")
_SUBSCRIPTS = str.maketrans(f"{_SIGNS}aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ")
# Such a character, and the plain form of each.
PLAIN_SIGNS = dict(
    zip(
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁱⁿ₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ",
        "0123456789+-=()in0123456789+-=()aehijklmnoprstuvx",
        strict=True,
    )
)
RAISED = lazy_pattern(f"[{''.join(PLAIN_SIGNS)}]")
# Longer text is not an exponent or an index, whatever its element.
MAX_CHARS = 16

_RAISED = lazy_pattern(r"[0-9+−–=()in-]+")
_LOWERED = lazy_pattern(r"[0-9+−–=()aehijklmnoprstuvx-]+")
# The marks of footnotes, in links: 1, 2a, 1–3, *.
_NOTE = lazy_pattern(r"\d{1,3}[a-z]?(?:\s*[,–-]\s*\d{1,3}[a-z]?){0,3}|[a-z]|[^\W\d]+ \d+")
# What is maths: digits, operators, a negative exponent.
_MATHS = lazy_pattern(r"[0-9=+^]|^[−–-](?:\w|$)")
_NOTE_SIGN = lazy_pattern(r"[*†‡§¶#\s]")
# Letters that are exponents rather than ordinals or the marks of notes in tables, after a number or a variable.
_EXPONENT = lazy_pattern(r"[j-np-qu-zA-Z]")
_VARIABLE = lazy_pattern(r"(?:\d|\b[^\W\d_]|[)\]])$")
_PRICE = lazy_pattern(r"(?:[$€£¥]|\b(?:USD|EUR|GBP))\s?\d[\d,]*$")
# Ordinals (1º, nº 5), and degrees that are written with a letter.
_INDICATORS = {"o": "º", "a": "ª"}
_PLAIN = lazy_pattern(r"\w+(?:\.\w+)?")
_BADGE = lazy_pattern(r"[A-Z][A-Za-z]{2,}")


def superscript(content: str, before: str, is_link: bool = False) -> str:
    """The text of a superscript as it is written after the text *before*. *is_link*: it is in a link, as the marks of
    footnotes are."""
    if not content or len(content) > MAX_CHARS or content[0] in "([.,":
        return content
    if is_link and _NOTE.fullmatch(content):
        return f"[{content}]"
    if _PRICE.search(before[-MAX_CHARS:]) and len(content) == 2 and content.isdecimal():
        return f".{content}"  # cents
    if _RAISED.fullmatch(content) and (_MATHS.search(content) or len(content) == 1 and content.isalpha()):
        return content.translate(_SUPERSCRIPTS)
    if content in _INDICATORS and (before[-1:].isdigit() or before[-1:] in ("n", "N")):
        return _INDICATORS[content]
    if content in ("TM", "SM") and before[-1:].isalpha():
        return "™" if content == "TM" else "℠"
    if _BADGE.fullmatch(content) and (before[-1:].islower() or before[-1:].isdigit()):
        return f" {content}"
    return _marked("^", content) if _is_maths(content, before) else content


def subscript(content: str, before: str) -> str:
    """The text of a subscript as it is written after the text *before*."""
    if not content or len(content) > MAX_CHARS:
        return content
    if _LOWERED.fullmatch(content) and (len(content) == 1 or not content.isalpha()):
        return content.translate(_SUBSCRIPTS)
    return _marked("_", content) if _is_maths(content, before) else content


def _is_maths(content: str, before: str) -> bool:
    """Whether text without a form in Unicode is an exponent or an index."""
    if not before or not (before[-1].isalnum() or before[-1] in ")]"):
        return False
    if _MATHS.search(content):
        return not _NOTE_SIGN.search(content)
    return bool(_EXPONENT.fullmatch(content) and _VARIABLE.search(before[-2:]))


def _marked(sign: str, content: str) -> str:
    return f"{sign}{content}" if _PLAIN.fullmatch(content) else f"{sign}({content})"
