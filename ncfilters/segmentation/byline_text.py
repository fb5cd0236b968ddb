"""The authors that a short text names beside a day.

authors_beside_day("Dec. 19, 2025 · Ann Lee on behalf of the club")    # ['Ann Lee']
authors_beside_day("Dec. 19, 2025 · Machine Learning", [(16, 32)])    # []: a link, as to a category
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..page.metadata.author_names import author_names, is_byline, is_full_name, is_role, organization_name
from ..page.metadata.dates import day_spans
from ..record import Segment
from ..text.lazy_pattern import lazy_pattern

# Characters of a text that is a day and names, and of a byline or a time beside a day.
MAX_CHARS, MAX_REST = 100, 30

_SEPARATOR = lazy_pattern(r"(?:(?<!\s)\s+)?[|\t]\s*|(?<!\s)\s+[/-]+\s+")
# Start-up: a set with signs beyond Latin-1 takes 0.2 ms to compile.
_SAME_SIGNS = str.maketrans("·•»›⋅●–—", "||||||--")
# What else stands beside a day: the day of the week, a time, the label of the day.
_LABEL_WORDS = frozenset("published posted updated modified reviewed on at".split())
_AFTER_LAST = _LABEL_WORDS - {"on", "at"}
_WEEKDAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
# The author after a label in Chinese or Japanese, which may stand behind a day: 「2024年5月3日 来源：日报 作者：王明」;
# and what each label has.
_LABELLED = lazy_pattern(
    r"(?:^|[\s|｜])(?:作者|记者|記者|撰文|文)\s*[:：/／・]\s*(?:\w{0,4}[记記]者\s+)?"
    r"(?!\w*(?:[记記]者|手机|手機|佚名|未知|本站|来源|來源))([\u4e00-\u9fff\u3040-\u30ff·]{2,8})(?=$|[\s|｜、()（）/／])"
)
_LABEL_SIGNS = ("者", "文")
# Those who answer for an article that names nobody else, below it.
_IN_CHARGE = lazy_pattern(
    r"[(（\[【]?(?:责编|责任编辑|責編|責任編輯)\s*[:：]\s*([\u4e00-\u9fff·、，, ]{2,20})[)）\]】]?"
)
# Elements of which the authors and the days are not those of the page.
_OTHER_WORKS = ("infobox", "references", "reflist", "citation")
_EDGE = " ,:;.–—-/|·•@"


def authors_beside_day(text: str, links: Iterable[tuple[int, int]] = (), sites: Iterable[str] = ()) -> list[str]:
    """Who is named with "By" in a text that has a day, or by a full name alone beside the day, which no link covers;
    empty if nobody is. *links*: the start and the end of each that leads elsewhere than to the page of an author. An
    organisation counts after "By" alone. A name of one of *sites* counts where there is no other."""
    if len(text) > MAX_CHARS or "\n" in text or not (days := day_spans(text)):
        return []
    if not (pieces := list(_pieces(text, days))):  # for speed: most
        return []
    return _authors_in(text, pieces, links, sites) or (_authors_in(text, pieces, links, ()) if sites else [])


def _authors_in(
    text: str, pieces: Sequence[tuple[int, int]], links: Iterable[tuple[int, int]], sites: Iterable[str]
) -> list[str]:
    """The same, of *pieces* of a text, without names of *sites*."""
    for start, end in pieces:
        if is_byline(piece := text[start:end]):
            names = author_names(piece, sites)
            organization = "" if names else organization_name(piece)
            return names or ([organization] if organization else [])
    persons = [piece for piece in pieces if not is_role(text[slice(*piece)])]
    if len(persons) != 1:
        return []
    start, end = persons[0]
    names = author_names(text[start:end], sites)
    if not names or not all(is_full_name(name) for name in names):
        return []
    # what follows the names may be a link
    if (last := text.find(names[-1], start)) >= 0:
        end = last + len(names[-1])
    return [] if any(first < end and start < after for first, after in links) else names


def author_after_label(text: str, sites: Iterable[str] = ()) -> list[str]:
    """The author whom a text in Chinese or Japanese names after a label; empty if it names none."""
    if len(text) > MAX_CHARS or not any(map(text.__contains__, _LABEL_SIGNS)):
        return []
    match = _LABELLED.search(text)
    return author_names(match[1], sites) if match else []


def editors_in_charge(text: str) -> list[str]:
    """The persons whom a text in Chinese names as the editors in charge, after that label."""
    if len(text) > MAX_CHARS or text[:2].isascii() or not (match := _IN_CHARGE.fullmatch(text)):
        return []
    return author_names(match[1])


def is_of_another(segment: Segment) -> bool:
    """Whether a segment tells of what the page is about, or of works that it names, as wikis and papers have them."""
    path = str(segment.get("path", ""))
    return any(map(path.__contains__, _OTHER_WORKS))


def are_persons(names: list[str], text: str) -> bool:
    """Whether there are names, all of them full, and *text* does not have them in small letters."""
    return bool(names) and all(is_full_name(name.partition(",")[0]) and name.lower() not in text for name in names)


def is_day(text: str) -> bool:
    """Whether a text is a day, and a byline or a time at most."""
    if not (spans := day_spans(text)) or len(spans) > 1:
        return False
    start, end = spans[0]
    before, after = text[:start].strip(_EDGE), text[end:].strip(_EDGE)
    return len(before) + len(after) <= MAX_REST and all(
        not rest or is_byline(rest) or not any(letter.isalpha() for letter in rest) for rest in (before, after)
    )


def _pieces(text: str, days: Sequence[tuple[int, int]]) -> Iterable[tuple[int, int]]:
    """The start and the end of each part of a text between its *days* and its separators, but for times and labels."""
    gaps = zip([0, *(end for _, end in days)], [*(start for start, _ in days), len(text)])
    for first, last in gaps:
        if not text[first:last].strip(_EDGE):  # for speed: nothing but signs
            continue
        found = list(_SEPARATOR.finditer(text[first:last].translate(_SAME_SIGNS)))
        starts = [first, *(first + match.end() for match in found)]
        ends = [*(first + match.start() for match in found), last]
        for start, end in zip(starts, ends):
            piece = text[start:end]
            if not _is_label(piece.strip(_EDGE)):
                yield start + len(piece) - len(piece.lstrip(_EDGE)), start + len(piece.rstrip(_EDGE))


def _is_label(text: str) -> bool:
    """Whether a text is what stands beside a day, or nothing."""
    words = text.lower().split()
    while words and (words[0] in _LABEL_WORDS or words[0] == "last" and words[1:2] and words[1] in _AFTER_LAST):
        del words[: 1 if words[0] in _LABEL_WORDS else 2]
    return not words or words[0][0].isdecimal() or len(words) == 1 and words[0] in _WEEKDAYS
