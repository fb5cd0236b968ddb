"""What marks of notes and links back look like: their texts, their attributes, and the ids that they lead to. And the
notes that no link leads to: paragraphs that begin with the same superscript (add_unlinked_notes), and notes that stand
in the sentence beside their mark, of Tufte CSS, Distill and LaTeXML (sidenotes).

is_mark("[12]"), is_arrow("↩"), is_note_id("fn-1"), is_back_id("fnref1")    # (True, True, True, True)
function_of({"href": "#a", "role": "doc-noteref"})                         # (True, False)
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from ...native.element_names import BLANK, TEXT, number_of_tag, tag_groups
from ...native.page_table import PageTable
from ...text.lazy_pattern import lazy_pattern
from ..tree.elements import elements_of, has_element, is_blank, name_at

# Patterns are of small letters, and of one sign of each kind: to ignore case, and a set with signs beyond Latin-1, take
# 0.2 ms to compile.
_MARK = lazy_pattern(
    r"[\[(]?\s*(?:\d{1,4}[a-z]?|[a-z]|[ivxlc]{1,6}|\*{1,4}|¹{1,4}|(?:note|nb|n|fn|lower-\w+)\.?\s?\d{1,4})"
    r"\s*[\])]?\s*[.:]?"
)
_YEAR = lazy_pattern(r"[\[(]?\s*(?:1[5-9]|20)\d\d[a-z]?\s*[\])]?")
_SAME_SIGNS = str.maketrans("†‡§¶#" + "⁰²³⁴⁵⁶⁷⁸⁹", "*" * 5 + "¹" * 9)
# What says in an attribute that a link leads to a note, or back from it.
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

BLOCKS = tag_groups(
    {1: "p li div td tr dd dt aside section blockquote table article main body figure ol ul dl footer center address"}
)
# Elements that hold more than a note.
NO_NOTES = tag_groups({1: "h1 h2 h3 h4 h5 h6 main article body html nav header form ol ul dl tbody section"})
BRACKETS = lazy_pattern(r"[\s\[\]().,:]+")

# A mark has at most so many nodes, and so many elements between it and its block.
MAX_NODES, MAX_WRAPPERS = 8, 20
_LINK, _LINKS = number_of_tag("a"), tag_groups({1: "a"})
_NUMBER_MARK = lazy_pattern(r"[\[(]?\d{1,3}[\])]?|[*§¶]{1,3}")
_DAGGERS = str.maketrans("†‡", "**")  # start-up: a set with them takes 0.2 ms to compile
# A word or a full stop; not a number, a unit or a variable.
_WORD = lazy_pattern(r"[^\W\d_]{3}")
_STOPS = frozenset('.,;:!?"”’)]')

# Notes of a page; nodes and characters of one.
MAX_SIDENOTES, MAX_SIDE_NODES, MAX_SIDE_CHARS = 1_000, 400, 5_000

_SIDE_MARK = lazy_pattern(r"[\[(]?(?:\d{1,3}|[*†‡§⊕‣]+|&#8853;)[\])]?")
# Elements around a note that its mark may stand before.
MAX_SIDE_WRAPPERS = 3


_BLOCKS_IN = tag_groups({1: "p div ul ol"})
_LABELS, _LABEL_CLASSES = tag_groups({1: "sup"}), frozenset(("ltx_tag_note", "sidenote-number"))
_SIDE_MARKS = frozenset(("sup", "label", "a", "span"))


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
    return _REFERENCE.search(names) is not None, _BACK.search(names) is not None


class Footnotes(NamedTuple):
    """The footnotes of a page by the rows of elements, each with its id: the marks in the text (*references*), the
    notes (*definitions*), and the places in paragraphs where one of several notes begins (*starts*). *asides* are the
    labels of notes and their links back."""

    references: dict[int, str]
    definitions: dict[int, str]
    starts: dict[int, str]
    asides: set[int]


def no_footnotes() -> Footnotes:
    """The footnotes of a page without any."""
    return Footnotes({}, {}, {}, set())


def may_be_unlinked(page: PageTable, superscripts: Iterable[int]) -> bool:
    """Whether two superscripts may be a mark and the beginning of its note."""
    marks = (row for row in superscripts if _is_number_mark(_text_of_mark(page, row)))
    return next(marks, None) is not None and next(marks, None) is not None


def _text_of_mark(page: PageTable, row: int) -> str:
    """The text of a superscript; empty if it has more than a mark."""
    return page.text_below(row).strip() if page.end[row] - row <= MAX_NODES else ""


def _is_number_mark(text: str) -> bool:
    return _NUMBER_MARK.fullmatch(text.translate(_DAGGERS)) is not None


def add_unlinked_notes(page: PageTable, out: Footnotes, superscripts: Iterable[int]) -> None:
    """Adds *superscripts* without links, and the paragraphs below that begin with the same ones, to *out*."""
    marks: dict[str, list[int]] = {}
    notes: dict[str, list[tuple[int, int]]] = {}
    for row in superscripts:
        size = page.end[row] - row
        if size == 1 or page.tag[row + 1] == _LINK:  # for speed: those of linked notes
            continue
        text = _text_of_mark(page, row)
        if not _is_number_mark(text) or has_element(page, row, _LINKS):
            continue
        block, wrappers = page.parent[row], 0
        while block >= 0 and not BLOCKS[page.tag[block]] and wrappers < MAX_WRAPPERS:
            block, wrappers = page.parent[block], wrappers + 1
        if block < 0 or not BLOCKS[page.tag[block]] or NO_NOTES[page.tag[block]]:
            continue
        name = BRACKETS.sub("", text)
        if is_first(page, row, block):
            if name in marks:  # a note is below its marks
                notes.setdefault(name, []).append((row, block))
        elif _is_after_word(page, row):
            marks.setdefault(name, []).append(row)
    for name, found in notes.items():
        row, block = found[0]
        if len(found) > 1 or block in out.definitions:
            continue
        if any(mark in out.references for mark in marks[name]):
            continue
        out.definitions[block] = f"note-{name}"
        out.asides.add(row)
        for mark in marks[name]:
            out.references[mark] = f"note-{name}"


def _is_after_word(page: PageTable, row: int) -> bool:
    before = page.before[row]
    end = page.text_below(before).rstrip()[-3:] if before >= 0 else ""
    return end[-1:] in _STOPS or _WORD.fullmatch(end) is not None


def is_first(page: PageTable, row: int, block: int) -> bool:
    """Whether nothing but white space is before an element in the *block* that it is in."""
    return not any(page.tag[at] == TEXT and not page.flags[at] & BLANK for at in range(block + 1, row))


def sidenotes(page: PageTable, candidates: list[int], notes: Footnotes) -> dict[int, str]:
    """The elements of notes in sentences, with the id of each, of *candidates*. Adds their marks to the references of
    *notes*, and their labels to the asides."""
    found: dict[int, str] = {}
    for row in candidates:
        if BLOCKS[page.tag[row]] or len(found) >= MAX_SIDENOTES or page.end[row] - row > MAX_SIDE_NODES:
            continue
        text = page.text_below(row).strip()
        if not text or len(text) > MAX_SIDE_CHARS or has_element(page, row, _BLOCKS_IN):
            continue
        name = f"sidenote-{len(found) + 1}"
        found[row] = name
        mark = _mark_before(page, row)
        if mark >= 0:
            notes.references[mark] = name
        for label in elements_of(page, row, _LABELS, _LABEL_CLASSES)[:2]:
            if _SIDE_MARK.fullmatch(page.text_below(label).strip()):
                notes.asides.add(label)
    return found


def _mark_before(page: PageTable, note: int) -> int:
    """The superscript or label right before a note; -1 if there is none."""
    at = note
    for _ in range(MAX_SIDE_WRAPPERS):
        before = page.before[at]
        while before >= 0 and (name_at(page, before) == "input" or is_blank(page, before)):
            before = page.before[before]
        if before >= 0:
            is_mark = name_at(page, before) in _SIDE_MARKS and _SIDE_MARK.fullmatch(page.text_below(before).strip())
            return before if is_mark else -1
        at = page.parent[at]
        if at < 0 or BLOCKS[page.tag[at]]:
            break
    return -1
