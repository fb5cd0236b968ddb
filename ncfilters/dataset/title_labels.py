"""The segments of a page that are its title, known from the gold standard or from the title of the page's head.

title, repeats = find_titles(segments, counts, gold, "Bridge closed - The Valley Post", first=7)    # 3, [0]
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..record import EMBEDDED, Segment
from ..text.words import words
from . import byline_forms
from .gold import Gold

# Rules of nc-segment whose segments are boilerplate where they are not in the gold text.
MENU_RULES = frozenset(("nav", "header", "footer", "dialog", "select", "bars", "copyright"))
_SEPARATOR = re.compile(r"(?<!\s)\s+[|–—»«:·•/<>_-]+\s+|(?:(?<!\s)\s+)?[|_»]\s*|:\s+")
_HEADINGS = frozenset(("h1", "h2", "h3"))
# A title is at most so many segments before the text; one that the gold standard names may be anywhere.
_MAX_DISTANCE = 30
# Words of a title in the head's title. Shorter parts of it may be the name of the site.
_MIN_WORDS, _MAX_WORDS = 3, 40
# The title is among the first lines of the gold text, and is a heading or shares at least this part of its words with
# the title of the head.
_GOLD_LINES, _MIN_SHARED = 5, 0.6
# A heading that shares at least this part of the words of both is the title in other words.
_MIN_OVERLAP = 0.7


def title_of(gold: Gold) -> str:
    """The title as the gold standard names it: a field of its own, or the first headline; or else empty."""
    notes = gold.annotations
    return notes.title or next((text for role, text in notes.runs if role == "headline"), "")


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
    parts = [part for part in parts if _MIN_WORDS <= len(part) <= _MAX_WORDS]
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
    found = [words(line) for line in lines[:_GOLD_LINES] if not byline_forms.forms(line)]
    return [line for line in found if 0 < len(line) <= _MAX_WORDS]


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
                if len(name) < _MIN_WORDS or len(has) > _MAX_WORDS:
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
