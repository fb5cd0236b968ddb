"""The authors that a short text names beside a day, behind a label, or in the biography below the text of a page.

authors_beside_day("Dec. 19, 2025 · Ann Lee on behalf of the club")    # ['Ann Lee']
authors_beside_day("Dec. 19, 2025 · Machine Learning", [(16, 32)])    # []: a link, as to a category
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from ..page.metadata.author_names import author_names, is_byline, is_full_name, is_role, organization_name
from ..page.metadata.dates import day_spans, iso_day
from ..page.metadata.site_name import title_key
from ..record import SEEN, Segment
from ..text.lazy_pattern import lazy_pattern
from .page_segments import Around, short_around

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
_EDGE = " ,:;.–—-/|·•@"

# Characters of a segment that is read, and after a label.
MAX_SEGMENT_CHARS, MAX_LABELLED = 200, 40

# Labels of authors, in small letters, as all that follow: a pattern that ignores case takes twice as long to compile.
_WRITTEN = lazy_pattern(
    r"(?:(?:this )?(?:article|post|story|text)\s+(?:(?:was|is)\s+)?)?(?:written|by|words)(?:\s+by|:)\s+(?=\S)|"
    r"(?:article|story|post|words|text) by:?\s+(?=\S)|(?:authors?|contributors?):\s+(?=\S)|"
    r"(?:text|autorin|autore?|auteure?):\s+(?=\S)"
)
_WRITTEN_ALONE = frozenset(("written by", "words by", "article written by", "article words by", "author", "authors"))
_PUBLISHED = lazy_pattern(
    r"\W*(?:(?:this )?(?:article|page|post|story)\s+(?:(?:was|is)\s+)?)?(?:(?:first|originally|date|last) )?"
    r"(?:published|posted|post time|publication date|publish date|release date|veröffentlicht|erschienen|erstellt|"
    r"publié|"
    r"publicado|pubblicato|gepubliceerd|geplaatst|opublikowan[oy]|"
    r"опубликовано|дата публикации|发布时间|发布日期|公開日|投稿日)"
    r"(?:\s+(?:on|am|le|el|il|op|em))?(?:\s+the)?\W*"
)
_CHANGED = lazy_pattern(
    r"\W*(?:(?:this )?(?:article|page|post|content)\s+(?:(?:was|is)\s+)?)?(?:(?:last|date|zuletzt) )?"
    r"(?:updated|edited(?=\s+on\b)|modified|revised|reviewed/updated|aktualisiert|geändert|mis à jour|actualizado|"
    r"aggiornato|bijgewerkt|обновлено|更新日|最后更新)(?:\s+(?:on|am|le|el|il|op|em))?\W*"
)
# What labels of days say.
_DAYS = {"date": _PUBLISHED, "modified": _CHANGED}

# Characters of a name and of a biography, and segments between the two.
MIN_NAME_CHARS, MAX_NAME_CHARS, MIN_CHARS, MAX_BETWEEN = 4, 60, 40, 2
# Characters of a biography, and what is read of one.
MAX_BIOGRAPHY_CHARS, MAX_READ_CHARS = 3_000, 400
# Segments before and after the title one of which may be the name.
AROUND = Around(before=2, after=6, most=MAX_NAME_CHARS, least=MIN_NAME_CHARS)

# How a biography begins, and what it says of a person and not of a product.
_BEGINNING = lazy_pattern(
    r"([^\W\d_][\w.'-]*(?: [^\W\d_][\w.'-]*){0,3}?),?(?: \([^()]{1,40}\))? "
    r"(?:is|has|was|writes|works|covers|joined|leads|serves)\b"
)
_WORD = lazy_pattern(r"\w+")
_PERSON = frozenset(
    "he she his her him writer editor founder author director manager engineer developer journalist specialist "
    "professor consultant creator blogger".split()
)
_LABEL = lazy_pattern(r"(?:about|meet|author|written by|by)[: ]+(?=\S)", re.I)


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


def labelled_statements(
    segments: Sequence[Segment],
    sites: Iterable[str] = (),
    month_first: bool = False,
    wanted: Collection[str] = ("author", *_DAYS),
) -> dict[str, Any]:
    """The `author`, the `date` and the day `modified` that short segments with a label say anywhere on the page
    ("Written by Ann Lee", "Published" and a date), each if it is *wanted* and all of them say the same."""
    with_author = "author" in wanted
    found: dict[str, list[Any]] = {name: [] for name in wanted}
    days = [(name, label) for name, label in _DAYS.items() if name in wanted]
    for number, segment in enumerate(segments):
        text = segment["text"]
        if len(text) > MAX_SEGMENT_CHARS or segment.get("origin", SEEN[0]) not in SEEN:
            continue
        if text.casefold().removesuffix(":") in _WRITTEN_ALONE and number + 1 < len(segments):
            text = f"Written by {segments[number + 1]['text'][:MAX_SEGMENT_CHARS]}"
        lower = text.lower()
        if with_author and (match := _WRITTEN.match(lower)):
            rest = text[match.end() :]
            names = author_names(rest, sites) or author_names(rest)  # of a person after whom the site is named
            if are_persons(names, text):
                found["author"].append(names)
        for name, label in days:
            if match := label.match(lower):
                rest = text[match.end() :]
                if not rest and number + 1 < len(segments):
                    rest = segments[number + 1]["text"]
                if day := iso_day(rest[:MAX_LABELLED], month_first):
                    found[name].append(day)
    return {name: values[0] for name, values in found.items() if values and all(value == values[0] for value in values)}


def biography_author(segments: Sequence[Segment], place: int | None, sites: Iterable[str] = ()) -> list[str]:
    """The author of a page with its title at *place*, by one of the two below."""
    names = [] if place is None else author_with_biography(segments, place, sites)
    return names or author_of_biography(segments, sites)


def author_of_biography(segments: Sequence[Segment], sites: Iterable[str] = ()) -> list[str]:
    """The name that stands above a biography in the second half of the page, if all that are there have the same."""
    found: dict[str, str] = {}
    for place, beginning in _beginnings(segments, len(segments) // 2):
        for before in reversed(segments[max(place - 1 - MAX_BETWEEN, 0) : place]):
            if name := _name_above(before, beginning, sites):
                if _tells_of_person(segments[place]["text"]):
                    found[title_key(name)] = name
                break
        if len(found) > 1:
            return []
    return list(found.values()) if len(found) == 1 else []


def author_with_biography(segments: Sequence[Segment], place: int, sites: Iterable[str] = ()) -> list[str]:
    """The full name that a segment around the title at *place* is, if a biography below begins with it."""
    near = [segments[number] for number in short_around(segments, place, AROUND)]
    texts = [segment["text"] for segment in near if _is_name(segment)]
    if not texts:  # for speed: on most pages
        return []
    keys = {text.casefold() for text in texts}
    below = {
        key
        for number, beginning in _beginnings(segments, place + 1)
        if (key := beginning.casefold()) in keys and _tells_of_person(segments[number]["text"])
    }
    for text in texts:
        if text.casefold() in below:
            names = author_names(text, sites)
            if len(names) == 1 and names[0].casefold() == text.casefold():
                return names
    return []


def _is_name(segment: Segment) -> bool:
    """Whether a segment is a full name and nothing else."""
    text = segment["text"]
    return 1 <= text.count(" ") <= 3 and is_full_name(text) and segment.get("origin", SEEN[0]) in SEEN


def _beginnings(segments: Sequence[Segment], first: int) -> Iterator[tuple[int, str]]:
    """The indexes, from *first* on, of the segments that are biographies if they tell of a person, and the names with
    which these begin."""
    for place in range(first, len(segments)):
        text = segments[place]["text"]
        if MIN_CHARS <= len(text) <= MAX_BIOGRAPHY_CHARS and (beginning := _BEGINNING.match(text.replace("’", "'"))):
            yield place, text[: beginning.end(1)]


def _tells_of_person(text: str) -> bool:
    return not _PERSON.isdisjoint(_WORD.findall(text[:MAX_READ_CHARS].lower()))


def _name_above(segment: Segment, beginning: str, sites: Iterable[str]) -> str:
    """The full name that a segment is, if the *beginning* of the biography is that or the first name."""
    text = segment["text"]
    if len(text) > MAX_NAME_CHARS or beginning.partition(" ")[0] not in text:
        return ""
    if segment.get("origin", SEEN[0]) not in SEEN:
        return ""
    names = author_names(_LABEL.sub("", text), sites)
    name = names[0].partition(",")[0] if len(names) == 1 else ""
    return names[0] if name and is_full_name(name) and beginning in (name, name.partition(" ")[0]) else ""
