"""Author and date of a page, from its segments: short ones around the title, labels elsewhere, biographies.

segments = [{"text": "Rain"}, {"text": "By Ann Lee"}, {"text": "3 May 2024"}]
statements_of_segments(segments, "Rain")    # {'author': ['Ann Lee'], 'date': '2024-05-03'}
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from ...record import SEEN, Segment
from ...text.lazy_pattern import lazy_pattern
from ...words import bylines as words
from ...words.bylines import CHANGED, MADE, any_of, label_words
from .author_names import author_names, is_byline, is_full_name, is_role, organization_name
from .dates import day_spans, iso_day
from .titles import place_of_title, short_around, title_key

# What segments say.
FIELDS = ("author", "date", "modified")
# Segments before and after the title that are read, and characters of one; of a segment that is a name.
BEFORE, AFTER, MAX_SEGMENT_CHARS, MAX_NAME_CHARS = 3, 10, 200, 60
# Characters beside the name of an organisation around the title; of the text below a name in bold type.
MAX_BESIDE, MIN_TEXT = 60, 100
# Of the bylines of articles of the WCXB development set that are a name without "By", with a date around, by the model
# en, 7 of 7 with this probability are right, and 14 of 29 with a lower one.
MIN_PROBABILITY = 0.8
# Characters of a text that is a day and names, of a byline or a time beside a day, and after a label.
MAX_CHARS, MAX_REST, MAX_LABELLED = 100, 30, 40
# Characters of a biography, those of it that are read, and segments between it and the name.
MIN_BIOGRAPHY_CHARS, MAX_BIOGRAPHY_CHARS, MAX_READ_CHARS, MAX_BETWEEN = 40, 3_000, 400, 2

_SEPARATOR = lazy_pattern(r"(?:(?<!\s)\s+)?[|\t]+\s*|(?<!\s)\s+[/-]+\s+")
# Start-up: a set with signs beyond Latin-1 takes 0.2 ms to compile.
_SAME_SIGNS = str.maketrans("·•»›⋅●–—", "||||||--")
_EDGE = " ,:;.–—-/|·•@"
# The author after a label in Chinese or Japanese, which may stand behind a day: 「2024年5月3日 来源：日报 作者：王明」;
# and what each label has. Those who answer for an article that names nobody else, below it.
_LABELLED = lazy_pattern(
    r"(?:^|[\s|｜])(?:作者|记者|記者|撰文|文)\s*[:：/／・]\s*(?:\w{0,4}[记記]者\s+)?"
    r"(?!\w*(?:[记記]者|手机|手機|佚名|未知|本站|来源|來源))([\u4e00-\u9fff\u3040-\u30ff·]{2,8})(?=$|[\s|｜、()（）/／])"
)
_LABEL_SIGNS = ("者", "文")
_IN_CHARGE = lazy_pattern(
    r"[(（\[【]?(?:责编|责任编辑|責編|責任編輯)\s*[:：]\s*([\u4e00-\u9fff·、，, ]{2,20})[)）\]】]?"
)
# Labels in small letters, as all that follow: a pattern that ignores case takes twice as long to compile.
_WRITTEN = lazy_pattern(
    r"(?:(?:this )?(?:article|post|story|text)\s+(?:(?:was|is)\s+)?)?(?:written|by|words)(?:\s+by|:)\s+(?=\S)|"
    r"(?:article|story|post|words|text) by:?\s+(?=\S)|"
    r"(?:authors?|contributors?|text|autorin|autore?|auteure?):\s+(?=\S)"
)
_WRITTEN_ALONE = frozenset(("written by", "words by", "article written by", "article words by", "author", "authors"))
_ON = r"(?:\s+(?:on|am|le|el|il|op|em))?(?:\s+the)?\W*"
_THIS = r"\W*(?:(?:this )?(?:article|page|post|story|content)\s+(?:(?:was|is)\s+)?)?"
# What labels of days say.
_DAYS = {
    "date": lazy_pattern(
        rf"{_THIS}(?:(?:first|originally|date|last) )?({any_of(label_words(MADE))}|{words.PUBLISHED}){_ON}"
    ),
    "modified": lazy_pattern(
        rf"{_THIS}(?:(?:last|date|zuletzt) )?({any_of(label_words(CHANGED) - {'edited'})}|{words.CHANGED_LABELS}){_ON}"
    ),
}
# How a biography begins.
_BEGINNING = lazy_pattern(
    r"([^\W\d_][\w.'-]*(?: [^\W\d_][\w.'-]*){0,3}?),?(?: \([^()]{1,40}\))? "
    r"(?:is|has|was|writes|works|covers|joined|leads|serves)\b"
)
_WORD = lazy_pattern(r"\w+")
_ABOUT = lazy_pattern(r"(?:about|meet|author|written by|by)[: ]+(?=\S)", re.I)


def statements_of_segments(
    segments: Sequence[Segment],
    title: str,
    sites: Iterable[str] = (),
    month_first: bool = False,
    wanted: Collection[str] = FIELDS,
) -> dict[str, Any]:
    """The `author`, the `date` and the day `modified` that segments around the *title* name, or labels elsewhere; those
    that are found, of the fields *wanted*.

    A full name counts if "By" is before it, or if the segment is it and has the role byline, with a probability of
    MIN_PROBABILITY, and a date is around; or if it leads to the page of an author, and a date is around.
    """
    out: dict[str, Any] = {}
    if not wanted:
        return out
    place = place_of_title(segments, title)
    if place is not None:
        _read_around(out, segments, place, (wanted, sites, month_first))
    missing = [name for name in FIELDS if name in wanted and name not in out]
    if "author" in missing or "date" in missing:
        out |= _labelled(segments, sites, month_first, missing)
    if "author" in missing and "author" not in out and not title.isascii():
        editors = next(filter(None, (_editors_in_charge(segment["text"]) for segment in reversed(segments))), [])
        out |= {"author": editors} if editors else {}
    return out


def shows_author(segments: Sequence[Segment], title: str, name: str) -> bool:
    """Whether a byline, or a short segment around the *title*, has the *name* of an author."""
    key = title_key(name)
    place = place_of_title(segments, title)
    near = range(0) if place is None else range(place - BEFORE, place + AFTER + 1)
    word = max(key.split(), key=len, default="")
    for number, segment in enumerate(segments):
        text = segment["text"]
        if len(text) > MAX_SEGMENT_CHARS or word not in text.casefold():  # for speed: most
            continue
        if number != place and key in (letters := title_key(text)):
            is_said = title_key(organization_name(text)) == key
            is_edge = letters.startswith(key) or letters.endswith(key)
            is_beside = is_edge and len(letters) <= len(key) + MAX_BESIDE
            if is_said and is_byline(text) or number in near and (is_said or is_beside):
                return True
    return False


def biography_author(segments: Sequence[Segment], place: int | None, sites: Iterable[str] = ()) -> list[str]:
    """The author of a page with its title at *place*: the full name that a segment around it is, if a biography below
    begins with it; or else the name above a biography in the second half of the page, if all there have the same."""
    near = [] if place is None else [segments[n] for n in short_around(segments, place, 2, 6, MAX_NAME_CHARS)]
    shown = [one["text"] for one in near if _is_name(one["text"]) and _is_seen(one)]
    below = {
        beginning.casefold()
        for number, beginning in (_biographies(segments, place + 1) if shown and place is not None else ())
        if _tells_of_person(segments[number]["text"])
    }
    for text in shown:
        if text.casefold() in below and [name.casefold() for name in author_names(text, sites)] == [text.casefold()]:
            return author_names(text, sites)
    found: dict[str, str] = {}
    for number, beginning in _biographies(segments, len(segments) // 2):
        above = segments[max(number - 1 - MAX_BETWEEN, 0) : number]
        names = (_name_above(one, beginning, sites) for one in reversed(above))
        if (name := next(filter(None, names), "")) and _tells_of_person(segments[number]["text"]):
            found[title_key(name)] = name
        if len(found) > 1:
            return []
    return list(found.values())


def is_day(text: str) -> bool:
    """Whether a text is a day, and a byline or a time at most."""
    spans = day_spans(text)
    if len(spans) != 1:
        return False
    rests = [text[: spans[0][0]].strip(_EDGE), text[spans[0][1] :].strip(_EDGE)]
    return len("".join(rests)) <= MAX_REST and all(
        not rest or is_byline(rest) or not any(map(str.isalpha, rest)) for rest in rests
    )


# The fields that are wanted, the names of the page's sites, and whether the month is before the day.
_Asked = tuple[Collection[str], Iterable[str], bool]


def _read_around(out: dict[str, Any], segments: Sequence[Segment], place: int, asked: _Asked) -> None:
    """Adds what segments around the title at *place* say, the nearest first."""
    wanted, sites, month_first = asked
    with_author, missing = "author" in wanted, {name for name in wanted if name != "author"}
    near = short_around(segments, place, BEFORE, AFTER, MAX_SEGMENT_CHARS)
    has_day = any(iso_day(segments[number]["text"]) for number in near)
    for number in near:
        segment = segments[number]
        text = segment["text"]
        if not _is_seen(segment):
            continue
        if with_author and "author" not in out:
            is_by = is_byline(text) or has_day and _is_named(segment)
            names = author_names(text, sites) if is_by else []
            if not _are_persons(names, text):
                names = _linked_names(segment, sites) if has_day else []
            names = names or _author_after_label(text, sites) or _beside_day(segment, sites)
            if not names and number > place:
                names = _signature(segments, place, number, sites)
            if names:
                out["author"] = names
        if missing and (days := _days(text, month_first)):
            out |= {name: day for name, day in days.items() if name in missing}
            missing.difference_update(days)
        if not missing and ("author" in out or not with_author):
            return


def _is_seen(segment: Segment) -> bool:
    return segment.get("origin", SEEN[0]) in SEEN


def _is_named(segment: Segment) -> bool:
    """Whether a segment is a full name and a byline, as a model says with MIN_PROBABILITY."""
    probability = segment.get("role_probability")
    is_sure = isinstance(probability, (int, float)) and probability >= MIN_PROBABILITY
    return is_sure and segment.get("role") == "byline" and is_full_name(segment["text"])


def _are_persons(names: list[str], text: str) -> bool:
    """Whether there are names, all of them full, and *text* does not have them in small letters."""
    return bool(names) and all(is_full_name(name.partition(",")[0]) and name.lower() not in text for name in names)


def _days(text: str, month_first: bool) -> dict[str, str]:
    """The `date` and the day `modified` in a text."""
    if "20" not in text and "19" not in text:  # no year
        return {}
    lower = text.lower()
    change = min((at for word in words.CHANGES if (at := lower.find(word)) >= 0), default=len(text))
    parts = {"date": text[:change], "modified": text[change:]}
    return {name: day for name, part in parts.items() if (day := iso_day(part, month_first))}


# ---- names near the title -------------------------------------------------------------------------------------------


def _is_author_page(address: str) -> bool:
    """Whether an address has a folder of authors, and what is in it."""
    parts = address.casefold().split("/")[1:]
    return any(part in words.AUTHOR_PAGES and after[:1] not in ("", "?", "#") for part, after in zip(parts, parts[1:]))


def _linked_names(segment: Segment, sites: Iterable[str]) -> list[str]:
    """The full names that a segment links to the pages of authors; all that it has if its element is of the author."""
    out: list[str] = []
    for start, end, kind, *value in segment.get("spans", ()):
        if kind == "link" and _is_author_page(value[0]):
            out += [name for name in author_names(segment["text"][start:end], sites) if is_full_name(name)]
    path = str(segment.get("path", ""))
    if not out and (_is_author_element(path.rpartition("/")[2].casefold()) or "/address" in path):
        names = author_names(segment["text"], sites)
        out = names if len(names) == 1 and is_full_name(names[0]) else []
    return list(dict.fromkeys(out))


def _is_author_element(name: str) -> bool:
    """Whether an element is named after an author, and not after what is beside one."""
    last = max(map(name.rfind, words.AUTHOR_ELEMENTS))
    return last >= 0 and not any(name.find(word, last) >= 0 for word in words.BESIDE_AUTHORS)


def _signature(segments: Sequence[Segment], place: int, number: int, sites: Iterable[str]) -> list[str]:
    """The full names in bold type that a segment is, if the text of the article begins below."""
    segment, after = segments[number], segments[number + 1 : number + 2]
    text = segment["text"]
    if not after or len(after[0]["text"]) < MIN_TEXT or after[0].get("path") != segment.get("path"):
        return []
    if not any(kind == "strong" and end - start >= len(text) for start, end, kind, *_ in segment.get("spans", ())):
        return []
    if any(len(one["text"]) >= MIN_TEXT for one in segments[place + 1 : number]):
        return []
    names = author_names(text, sites)
    is_all = title_key(text) == " ".join(map(title_key, names))
    return names if is_all and all(map(is_full_name, names)) else []


def _beside_day(segment: Segment, sites: Iterable[str]) -> list[str]:
    """Who is named with "By" in a segment that has a day, or by a full name alone beside the day, which no link covers
    but one to the page of an author; empty if nobody is. An organisation counts after "By" alone. A name of one of
    *sites* counts where there is no other."""
    text = segment["text"]
    days = day_spans(text) if len(text) <= MAX_CHARS and "\n" not in text else []
    if not days or not (pieces := list(_pieces(text, days))):
        return []
    spans = segment.get("spans", ())
    links = [(start, end) for start, end, kind, *value in spans if kind == "link" and not _is_author_page(value[0])]
    return _authors_in(text, pieces, links, sites) or (_authors_in(text, pieces, links, ()) if sites else [])


def _authors_in(
    text: str, pieces: Sequence[tuple[int, int]], links: Iterable[tuple[int, int]], sites: Iterable[str]
) -> list[str]:
    """The same, of *pieces* of a text, without names of *sites*."""
    for start, end in pieces:
        if is_byline(piece := text[start:end]):
            return author_names(piece, sites) or list(filter(None, [organization_name(piece)]))
    persons = [piece for piece in pieces if not is_role(text[slice(*piece)])]
    if len(persons) != 1:
        return []
    start, end = persons[0]
    names = author_names(text[start:end], sites)
    if not names or not all(map(is_full_name, names)):
        return []
    # what follows the names may be a link
    if (last := text.find(names[-1], start)) >= 0:
        end = last + len(names[-1])
    return [] if any(first < end and start < after for first, after in links) else names


def _pieces(text: str, days: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The start and the end of each part of a text between its *days* and its separators, but for times and labels."""
    signs = text.translate(_SAME_SIGNS)
    for start, end in days:
        signs = f"{signs[:start]}{'|' * (end - start)}{signs[end:]}"
    separators = [match.span() for match in _SEPARATOR.finditer(signs)]
    for start, end in zip([0, *(end for _, end in separators)], [*(start for start, _ in separators), len(text)]):
        piece = text[start:end]
        if not _is_label(piece.strip(_EDGE)):
            yield start + len(piece) - len(piece.lstrip(_EDGE)), start + len(piece.rstrip(_EDGE))


def _is_label(text: str) -> bool:
    """Whether a text is what stands beside a day, or nothing."""
    parts = text.lower().removeprefix("last ").split()
    while parts and parts[0] in words.DAY_LABELS:
        del parts[0]
    return not parts or parts[0][0].isdecimal() or len(parts) == 1 and parts[0] in words.WEEKDAYS


def _author_after_label(text: str, sites: Iterable[str] = ()) -> list[str]:
    """The author whom a text in Chinese or Japanese names after a label; empty if it names none."""
    if len(text) > MAX_CHARS or not any(map(text.__contains__, _LABEL_SIGNS)):
        return []
    match = _LABELLED.search(text)
    return author_names(match[1], sites) if match else []


def _editors_in_charge(text: str) -> list[str]:
    """The persons whom a text in Chinese names as the editors in charge, after that label."""
    if len(text) > MAX_CHARS or text[:2].isascii() or not (match := _IN_CHARGE.fullmatch(text)):
        return []
    return author_names(match[1])


# ---- labels and biographies anywhere --------------------------------------------------------------------------------


def _labelled(
    segments: Sequence[Segment], sites: Iterable[str], month_first: bool, wanted: Collection[str]
) -> dict[str, Any]:
    """The `author`, the `date` and the day `modified` that short segments with a label say anywhere on the page
    ("Written by Ann Lee", "Published" and a date), each if it is *wanted* and all of them say the same."""
    found: dict[str, list[Any]] = {name: [] for name in wanted}
    labels = [(name, label) for name, label in _DAYS.items() if name in wanted]
    for number, segment in enumerate(segments):
        text = segment["text"]
        if len(text) > MAX_SEGMENT_CHARS or not _is_seen(segment):
            continue
        after = segments[number + 1]["text"] if number + 1 < len(segments) else ""
        if text.casefold().removesuffix(":") in _WRITTEN_ALONE:
            text = f"Written by {after[:MAX_SEGMENT_CHARS]}"
        lower = text.lower()
        if "author" in found and (match := _WRITTEN.match(lower)):
            rest = text[match.end() :]
            names = author_names(rest, sites) or author_names(rest)  # of a person after whom the site is named
            if _are_persons(names, text):
                found["author"].append(names)
        for name, label in labels:
            if (match := label.match(lower)) and not text[match.end(1) :][:1].islower():
                day = iso_day((text[match.end() :] or after)[:MAX_LABELLED], month_first)
                found[name] += [day] if day else []
    return {name: values[0] for name, values in found.items() if values and all(value == values[0] for value in values)}


def _is_name(text: str) -> bool:
    """Whether a text is a full name and nothing else."""
    return 1 <= text.count(" ") <= 3 and is_full_name(text)


def _biographies(segments: Sequence[Segment], first: int) -> Iterator[tuple[int, str]]:
    """The indexes, from *first* on, of the segments that are biographies if they tell of a person, and the names with
    which these begin."""
    for place in range(first, len(segments)):
        text = segments[place]["text"]
        is_of_size = MIN_BIOGRAPHY_CHARS <= len(text) <= MAX_BIOGRAPHY_CHARS
        if is_of_size and (beginning := _BEGINNING.match(text.replace("’", "'"))):
            yield place, text[: beginning.end(1)]


def _tells_of_person(text: str) -> bool:
    return not words.PERSONS.isdisjoint(_WORD.findall(text[:MAX_READ_CHARS].lower()))


def _name_above(segment: Segment, beginning: str, sites: Iterable[str]) -> str:
    """The full name that a segment is, if the *beginning* of the biography is that or the first name."""
    text = segment["text"]
    if len(text) > MAX_NAME_CHARS or beginning.partition(" ")[0] not in text or not _is_seen(segment):
        return ""
    names = author_names(_ABOUT.sub("", text), sites)
    name = names[0].partition(",")[0] if len(names) == 1 else ""
    return names[0] if name and is_full_name(name) and beginning in (name, name.partition(" ")[0]) else ""
