"""What stands at the head of a page: lines that by their form are a date or a byline, in the languages of the gold
standards; and its title, known from the gold standard or from the title of the page's head.

forms("By Ann Lee, 3 May 2024")     # {"byline", "date"}
days("Updated May 3, 2024")         # {(2024, 5, 3)}
title, repeats = find_titles(segments, counts, gold, "Bridge closed - The Valley Post", first=7)    # 3, [0]
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import regex

from ..record import EMBEDDED, Segment
from ..text.words import words
from .gold import Gold

# Longer lines are no bylines or dates (words).
MAX_WORDS = 20
MAX_CHARS = 160
# The years of pages.
YEARS = range(1985, 2036)

# Month → its names and abbreviations, in English, German, French, Spanish, Italian, Polish, Russian and Greek.
_MONTHS: dict[int, str] = {
    1: "january jan januar janvier enero gennaio stycznia styczeń января янв ιανουαρίου ιανουάριος",
    2: "february feb februar février febrero febbraio lutego luty февраля фев φεβρουαρίου φεβρουάριος",
    3: "march mar märz mars marzo marca marzec марта мар μαρτίου μάρτιος",
    4: "april apr avril abril aprile kwietnia kwiecień апреля апр απριλίου απρίλιος",
    5: "may mai mayo maggio maja maj мая май μαΐου μαίου μάιος",
    6: "june jun juni juin junio giugno czerwca czerwiec июня июн ιουνίου ιούνιος",
    7: "july jul juli juillet julio luglio lipca lipiec июля июл ιουλίου ιούλιος",
    8: "august aug août agosto sierpnia sierpień августа авг αυγούστου αύγουστος",
    9: "september sep sept septembre septiembre settembre września wrzesień сентября сен σεπτεμβρίου σεπτέμβριος",
    10: "october oct oktober okt octobre octubre ottobre października październik октября окт οκτωβρίου οκτώβριος",
    11: "november nov novembre noviembre listopada listopad ноября ноя νοεμβρίου νοέμβριος",
    12: "december dec dezember dez décembre diciembre dicembre grudnia grudzień декабря дек δεκεμβρίου δεκέμβριος",
}
_MONTH_OF = {name: month for month, names in _MONTHS.items() for name in names.split()}
# Other words of lines that are only a date.
_DATE_WORDS = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun "
    "poniedziałek wtorek środa czwartek piątek sobota niedziela понедельник вторник среда четверг пятница суббота "
    "воскресенье δευτέρα τρίτη τετάρτη πέμπτη παρασκευή σάββατο κυριακή "
    "am pm a p m noon midnight gmt utc est edt et cst cdt ct mst mdt mt pst pdt pt bst ist cet cest eastern hrs hours "
    "st nd rd th of de the on at in "
    "published posted updated update last first modified date dated created added submitted filed revised publication "
    "publish reviewed originally edited changed released release post time entry online web "
    "min mins minute minutes read reading "
    "data dodano opublikowano aktualizacja ostatnia godz g r o dnia дата опубликовано обновлено г в δημοσίευση "
    "ημερομηνία ώρα τελευταία ενημέρωση 年 月 日 时 時 分 点 發 发 布 表 間 间 星 期 一 二 三 四 五 六 "
    "更 新".split()
)
# Words between the parts of a date.
_BETWEEN = frozenset("年 月 of de the".split())
_NUMBER = regex.compile(r"\d{1,4}(?:st|nd|rd|th|am|pm|h|hrs)?")
_ISO = regex.compile(r"\d{8}|\d{4}\d{2}\d{2}t\d+z?|\d{2}t\d{2}")
_DIGIT = regex.compile(r"\d")
_LABELS = "written|posted|published|reported|words|story|article|review|text|report|submitted|contributed|started"
_BY = regex.compile(
    rf"\W*(?:(?:post|article)\s+)?(?P<label>(?:{_LABELS})(?:\s+on\b.{{0,40}}?)?\s+)?"
    r"(?:by|von|par|por|autor|author|writer|editor|автор|συντάκτης|作者|记者|記者|编辑|責任編輯|责任编辑)"
    r"(?:\(s\))?(?P<colon>\s*[:：/]\s*)?(?:\s+|(?<=[\s:：/者辑輯]))(?=\S)",
    regex.I,
)
# Words that the byline may follow, in the same line: a date.
_DATE_FIRST = regex.compile(r"\W*(?:\p{L}{3,9}\.?[ ,]+)?[\d:./,-]{1,10}[^|·•–—]{0,30}?\W{1,3}(?=by\s)", regex.I)
_NAME = regex.compile(r"[\p{Lu}\p{Lo}@]")


def forms(text: str) -> set[str]:
    """What the line looks like: `date` if it has a date and nothing else, `byline` if it says by whom, or both."""
    if len(text) > MAX_CHARS:
        return set()
    start = _name_start(text)
    if start is None and not _DIGIT.search(text):
        return set()
    tokens = words(text if start is None else text[start:])
    if len(tokens) > MAX_WORDS:
        return set()
    rest = [token for token in tokens if not _is_date_word(token)]
    if start is not None:
        return ({"byline", "date"} if is_dated(text) else {"byline"}) if 0 < len(rest) <= 8 else set()
    return {"date"} if not rest and _has_date(tokens) else set()


def _name_start(text: str) -> int | None:
    """Where the name begins in a line that says by whom; None for any other."""
    match = _BY.match(text)
    if match is None and (first := _DATE_FIRST.match(text)) is not None and _has_date(words(first[0])):
        match = _BY.match(text, first.end())
    if match is None or not (match["label"] or match["colon"] or _NAME.match(text, match.end())):
        return None
    return int(match.end())


def is_dated(text: str) -> bool:
    """Whether the line has a date."""
    return len(text) <= MAX_CHARS and _DIGIT.search(text) is not None and _has_date(words(text))


def other_words(text: str) -> list[str]:
    """The words of a line that no date has."""
    return [token for token in words(text) if not _is_date_word(token)]


def days(text: str) -> set[tuple[int, int, int]]:
    """The days (year, month, day) that the line may name; a numeric date may be read in both orders."""
    tokens = [token for token in words(text) if token not in _BETWEEN]
    out = set()
    for place in range(len(tokens) - 2):
        three = [_value(token) for token in tokens[place : place + 3]]
        if None in three:
            continue
        (a, named_a), (b, named_b), (c, _) = (value for value in three if value is not None)
        if a > 31 and not named_a:
            out.add((a, b, c))
        elif c > 31 or c >= 0 and not (named_a or named_b):
            year = c if c > 99 else 2000 + c
            if not named_b:
                out.add((year, a, b))
            if not named_a:
                out.add((year, b, a))
    return {day for day in out if day[0] in YEARS and 1 <= day[1] <= 12 and 1 <= day[2] <= 31}


def _value(token: str) -> tuple[int, bool] | None:
    """The number that a word of a date stands for, and whether it is the name of a month."""
    if token in _MONTH_OF:
        return _MONTH_OF[token], True
    digits = token.rstrip("abcdefghijklmnopqrstuvwxyz")
    return (int(digits), False) if digits.isdecimal() and len(digits) <= 4 else None


def _is_date_word(token: str) -> bool:
    return (
        token in _DATE_WORDS
        or token in _MONTH_OF
        or _NUMBER.fullmatch(token) is not None
        or _ISO.fullmatch(token) is not None
    )


def _has_date(tokens: list[str]) -> bool:
    numbers = sum(_NUMBER.fullmatch(token) is not None for token in tokens)
    return any(token in _MONTH_OF for token in tokens) and numbers > 0 or bool(days(" ".join(tokens)))


# ---- titles -----------------------------------------------------------------------------------------------------

# Rules of nc-segment whose segments are boilerplate where they are not in the gold text.
MENU_RULES = frozenset(("nav", "header", "footer", "dialog", "select", "bars", "copyright"))
_SEPARATOR = re.compile(r"(?<!\s)\s+[|–—»«:·•/<>_-]+\s+|(?:(?<!\s)\s+)?[|_»]\s*|:\s+")
_HEADINGS = frozenset(("h1", "h2", "h3"))
# A title is at most so many segments before the text; one that the gold standard names may be anywhere.
_MAX_DISTANCE = 30
# Words of a title in the head's title. Shorter parts of it may be the name of the site.
_MIN_TITLE, _MAX_TITLE = 3, 40
# The title is among the first lines of the gold text, and is a heading or shares at least this part of its words with
# the title of the head.
_GOLD_LINES, _MIN_SHARED = 5, 0.6
# A heading that shares at least this part of the words of both is the title in other words.
_MIN_OVERLAP = 0.7


def title_of(gold: Gold) -> str:
    """The title as the gold standard names it: a field of its own, or the first headline; or else empty."""
    return gold.title or next((text for role, text in gold.runs if role == "headline"), "")


def find_titles(
    segments: Sequence[Segment], counts: Sequence[int], gold: Gold, head_title: str, first: int
) -> tuple[int | None, list[int]]:
    """The place of the title, or None; and the places of the other segments with the same words.

    *counts* are the numbers of words of the segments, *first* is the place of the first segment of the text.
    """
    page = _Titles(segments, counts, first)
    named = words(title_of(gold))
    if named and (found := page.equal(named)):
        return found
    parts = [words(part) for part in (head_title, *_SEPARATOR.split(head_title))]
    parts = [part for part in parts if _MIN_TITLE <= len(part) <= _MAX_TITLE]
    if not named and not gold.has_markers:
        for line in _first_lines(gold.plain):
            found = page.equal(line, set(words(head_title)))
            if found:
                return found
    for part in parts:
        found = page.equal(part)
        if found and found[0] >= first - _MAX_DISTANCE:
            return found
    return page.similar([named, *parts]), []


def _first_lines(text: str) -> list[list[str]]:
    """The words of the first lines of a gold text that may be a title."""
    lines = [line for line in text.lstrip().split("\n", 2 * _GOLD_LINES)[: 2 * _GOLD_LINES] if line.strip()]
    found = [words(line) for line in lines[:_GOLD_LINES] if not forms(line)]
    return [line for line in found if 0 < len(line) <= _MAX_TITLE]


class _Titles:
    def __init__(self, segments: Sequence[Segment], counts: Sequence[int], first: int) -> None:
        self.segments, self.counts, self.first = segments, counts, first

    def equal(self, name: list[str], in_head: set[str] | None = None) -> tuple[int, list[int]] | None:
        """The best segment with exactly the words *name*, and the others; None without any. With *in_head*, the best
        one must be a heading, or enough of its words must be among these."""
        size = len(name)
        places = [
            place
            for place, count in enumerate(self.counts)
            if count == size and words(self.segments[place]["text"]) == name and self._may_be(place)
        ]
        if not places:
            return None
        best = max(places, key=self._rank)
        if in_head is not None:
            is_heading = self.segments[best].get("tag") in _HEADINGS
            if not is_heading and len(in_head.intersection(name)) < _MIN_SHARED * len(set(name)):
                return None
        return best, [place for place in places if place != best]

    def similar(self, names: list[list[str]]) -> int | None:
        """The heading before the text that shares most words with a title, or begins with all of them."""
        best, found = _MIN_OVERLAP, None
        for place in range(max(0, self.first - _MAX_DISTANCE), min(len(self.counts), self.first + 2)):
            if self.segments[place].get("tag") not in ("h1", "h2") or not self._may_be(place):
                continue
            has = words(self.segments[place]["text"])
            for name in names:
                if len(name) < _MIN_TITLE or len(has) > _MAX_TITLE:
                    continue
                overlap = len(set(has).intersection(name)) / max(len(set(has)), len(set(name)))
                if has[: len(name)] == name:
                    overlap = max(overlap, _MIN_OVERLAP + 0.01)
                if overlap > best:
                    best, found = overlap, place
        return found

    def _may_be(self, place: int) -> bool:
        segment = self.segments[place]
        return segment.get("rule") != EMBEDDED and segment.get("tag") != "title"

    def _rank(self, place: int) -> tuple[bool, bool, bool, bool, int]:
        """Sorts segments with the words of the title: the headline is a heading next to the beginning of the text."""
        segment = self.segments[place]
        is_menu = segment.get("rule") in MENU_RULES or segment.get("rule") == "widget"
        tag = segment.get("tag")
        return not is_menu, tag == "h1", tag in _HEADINGS, place <= self.first + 1, -abs(self.first - place)
