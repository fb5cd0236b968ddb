"""What marks of notes and links back look like: their texts, their attributes, and the ids that they lead to.

is_mark("[12]"), is_arrow("↩"), is_note_id("fn-1"), is_back_id("fnref1")    # (True, True, True, True)
function_of({"href": "#a", "role": "doc-noteref"})                         # (True, False)
"""

from __future__ import annotations

import re
from functools import lru_cache

from ...native.page_table import PageTable
from ...text.lazy_pattern import lazy_pattern

# Patterns are of small letters, and of one sign of each kind: to ignore case, and a set with signs beyond Latin-1, take
# 0.2 ms to compile.
_MARK = lazy_pattern(
    r"[\[(]?\s*(?:\d{1,4}[a-z]?|[a-z]|[ivxlc]{1,6}|\*{1,4}|¹{1,4}|(?:note|nb|n|fn|lower-\w+)\.?\s?\d{1,4})"
    r"\s*[\])]?\s*[.:]?"
)
_YEAR = lazy_pattern(r"[\[(]?\s*(?:1[5-9]|20)\d\d[a-z]?\s*[\])]?")
_SAME_SIGNS = str.maketrans("†‡§¶#" + "⁰²³⁴⁵⁶⁷⁸⁹", "*" * 5 + "¹" * 9)
# What says in an attribute that a link leads to a note, or back from it; and what each has.
_REFERENCE_WORDS, _BACK_WORDS = ("note", "fn"), ("back", "note", "return")
_REFERENCE = lazy_pattern(
    r"(?:^|[\s_-])(?:doc-noteref|noteref|footnote|footnotes|footnote-?ref(?:erence)?|footnoteref|fn-?ref|footnote-anchor|"
    r"sdfootnoteanc|sdendnoteanc|fn|note-ref|endnote-?ref|endnote)(?=$|[\s_-])"
)
_BACK = lazy_pattern(
    r"(?:^|[\s_-])(?:doc-backlink|backlink|back-?ref|reversefootnote|footnote-back(?:ref|link)?|fn-backref|footnote-backref|"
    r"back-?link|return|footnote-number|sdfootnotesym|sdendnotesym)(?=$|[\s_-])"
)
# An id of a note: fn-1, ftn1, en1, endnote1, n1, nb1, note-1, cite_note-1, ref-CR1 of Springer.
_NOTE_ID = lazy_pattern(
    r"(?=.{1,200}\Z)(?:[\w-]*[-_:.])?"
    r"(?:fn|_?ftn|_?edn|en|n|foot-?note|cite_note|sdfootnote|sdendnote|easy-footnote-bottom|ref-cr)"
    r"[\w.:-]*\d[\w.:-]*"
)
_BACK_ID = lazy_pattern(
    r"(?=.{1,200}\Z)(?:(?:[\w-]*[-_:.])?"
    r"(?:fn-?r(?:ef)?|_?ftnref|_?ednref|cite_ref|footnote-?(?:ref|anchor)|noteref|en-?ref|ref)"
    r"[-_:.]?[\w.:-]*|\w+anc)"
)
# A word in the class or the id of an element that holds a displayed formula: math, mjx-eqn-1, eq:rain, Equ3.
_FORMULA = lazy_pattern(
    r"(?:^|[\s_:.-])(?:math|mathjax|displaymath|disp-formula|formula|equations?|equationgroup|equ|eqns?|eqno|eq)"
    r"(?:(?=$|[\s_:.-])|\d)"
)
# The text of a link back: an arrow and other signs, or one of these phrases and signs around it.
_ARROWS = frozenset("↩↵↑⇑⤴⬆⏎^⮌🔙")
_PHRASE = lazy_pattern(r"\w(?:.*\w)?", re.S)
# Behind an arrow: the number of the mark that it leads back to.
_NUMBER_BEHIND = lazy_pattern(r"[^\w\[(]+[\[(]?(?:\d{1,3}|[a-z])[\])]?\s*")
_BACK_PHRASES = frozenset(
    ("back", "return", "return to text", "jump up", "up")
    + tuple(f"back to {place}" for place in ("text", "top", "content", "article", "post", "reference"))
)


def may_be_mark(page: PageTable, link: int) -> bool:
    """Whether a link to a place on a page looks like the mark of a note, for speed: most do not."""
    target = (page.attribute_of(link, "href") or "").partition("#")[2]
    return target != "" and (is_note_id(target) or is_mark(page.text_below(link).strip()))


def is_mark(text: str) -> bool:
    """Whether a text is what marks of notes are."""
    return _MARK.fullmatch(text.translate(_SAME_SIGNS).lower()) is not None


def is_year(text: str) -> bool:
    """Whether a text is the year of a reference ("Alm 2001a"), which belongs to its sentence."""
    return _YEAR.fullmatch(text) is not None


def is_arrow(text: str) -> bool:
    """Whether a text is what links back are."""
    phrase = _PHRASE.search(text)
    if phrase and phrase[0].lower() in _BACK_PHRASES:
        return True
    return not _ARROWS.isdisjoint(text) and (phrase is None or _NUMBER_BEHIND.fullmatch(text) is not None)


def is_note_id(name: str) -> bool:
    """Whether an id is named after a note."""
    return _NOTE_ID.fullmatch(name.lower()) is not None


def is_of_formula(attributes: dict[str, str | None]) -> bool:
    """Whether the class or the id of an element says that it holds a displayed formula, to which `(1)` refers."""
    names = " ".join(filter(None, (attributes.get("class"), attributes.get("id"), attributes.get("name"))))
    return _FORMULA.search(names.lower()) is not None


def is_back_id(name: str) -> bool:
    """Whether an id is that of a mark, to which a note leads back."""
    return _BACK_ID.fullmatch(name.lower()) is not None


def function_of(attributes: dict[str, str | None]) -> tuple[bool, bool]:
    """Whether the attributes of a link say that it leads to a note, and that it leads back."""
    return _function_of(_names(attributes))


def _names(attributes: dict[str, str | None]) -> str:
    """What the attributes of a link say about its function."""
    if len(attributes) == 1 and "href" in attributes:  # for speed: most links
        return " " * 5  # six empty values, joined
    values = [attributes.get(name) or "" for name in ("class", "rel", "rev", "role", "epub:type", "type")]
    return " ".join([*values, *(name.removeprefix("data-") for name in attributes if "footnote" in name)])


@lru_cache(maxsize=1 << 10)
def _function_of(names: str) -> tuple[bool, bool]:
    """Whether the attributes of a link, as `_names` has them, say that it leads to a note, and that it leads back."""
    names = names.lower()
    is_reference = any(map(names.__contains__, _REFERENCE_WORDS)) and _REFERENCE.search(names) is not None
    return is_reference, any(map(names.__contains__, _BACK_WORDS)) and _BACK.search(names) is not None
