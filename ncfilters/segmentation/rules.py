"""Trivial boilerplate: segments that are recognised without a model (NCleaner, stage 3; Evert 2008, section 2).

    mark_boilerplate([{"text": "Home | About | Contact"}])    # [{"text": …, "rule": "bars"}]

A marked segment has the name of the rule that recognised it. The constants were set on the development sets of 2007
(CleanEval), 2012 (DAnIEL) and 2025 (WCXB).
"""

from __future__ import annotations

import re

from ..page.dom_path import HEADING
from ..record import Segment
from ..text.lazy_pattern import lazy_pattern
from ..text.sentence_ends import FULL_STOPS, ends_with
from .landmarks import Landmark, landmark_of_path, landmarks_without_wrappers

# At least so many bars separate fields, with fewer than so many characters per field on average.
MIN_BARS, MAX_FIELD_CHARS = 2, 25
# A longer paragraph is about copyright rather than a notice.
MAX_COPYRIGHT_CHARS = 300
# A segment is a link if at least this share of its characters is link text; so many links in a row are a menu. In
# <main> and <article> links may be the content: without the rule there, listings gain 10 points of F and articles lose
# 0.3.
MIN_LINK_DENSITY, MIN_MENU = 0.9, 2
# Segments between marked segments, or between a marked segment and the edge of the page, are an island of captions and
# labels if all are shorter and do not end a sentence.
MAX_ISLAND_CHARS = 100

_WORD = lazy_pattern(r"\w")
# Bars between fields (Evert 2008, section 2, third stage), and the characters that newer pages use instead.
_BAR = lazy_pattern(r"\s[|•·»›>/]\s|\|")
_HINT = lazy_pattern(r"[|•·»›>/©(]")
_COPYRIGHT = lazy_pattern(
    r".{0,20}(?:©|\([cC]\)\s*(?:\d{4}|[Cc]opyright|by\b)|[Cc]opyright\s*\([cC]\)).*|"
    r".*\b[Rr](?:ights [Rr]eserved|IGHTS RESERVED).*",
    re.S,
)


def mark_boilerplate(segments: list[Segment]) -> list[Segment]:
    """Sets the `rule` of those *segments* that are trivial boilerplate, and returns all of them.

    Rules are `nav`, `footer`, `header`, `dialog`, `select`, `widget`, `links`, `bars`, `copyright`, `wordless` and
    `island`.
    """
    if mark_without_islands(segments, {}) and (landmarks := landmarks_without_wrappers(segments)):
        for segment in segments:
            segment.pop("rule", None)
        mark_without_islands(segments, landmarks)
    mark_islands(segments)
    return segments


def mark_without_islands(segments: list[Segment], landmarks: dict[str, Landmark]) -> bool:
    """Sets the rules but `island`, given the evidence of some paths; returns whether most text is in named parts.

    The text of links does not count.
    """
    excess = 0  # of the characters in named parts over the others
    links: list[Segment] = []  # the last ones in a row
    for segment in segments:
        text, path, link_chars = segment["text"], segment.get("path", ""), segment.get("links", 0)
        rule, in_header, in_content = landmarks.get(path) or landmark_of_path(path, landmarks)
        if rule or in_header and not in_content:
            rule = rule or "header"
            excess += len(text) - link_chars
        else:
            excess -= len(text) - link_chars
            rule = rule_of_text(text)
            if rule == "bars" and ("pre" in segment or HEADING.search(path)):
                rule = None
        if rule:
            segment["rule"] = rule
        is_link = link_chars >= MIN_LINK_DENSITY * len(text)
        if is_link and not in_content and not _is_title(segment):
            links.append(segment)
        elif rule != "wordless":
            _end_menu(links)
    _end_menu(links)
    return excess > 0


def rule_of_text(text: str) -> str | None:
    """The rule that recognises a text, if any: `copyright`, `bars` or `wordless`."""
    if not _HINT.search(text) and "eserved" not in text and "RESERVED" not in text:  # for speed: most text has none
        return None if text[0].isalnum() or _WORD.search(text) else "wordless"
    if len(text) < MAX_COPYRIGHT_CHARS and _COPYRIGHT.match(text):
        return "copyright"
    bars = len(_BAR.findall(text))
    if bars >= MIN_BARS and len(text) < MAX_FIELD_CHARS * (bars + 1):
        return "bars"
    return None if _WORD.search(text) else "wordless"


def _is_title(segment: Segment) -> bool:
    """Whether the segment is the title of the page, which rules about neighbours do not apply to."""
    return segment.get("tag") == "h1"


def _end_menu(links: list[Segment]) -> None:
    """Marks links in a row, if they are a menu, and empties the list."""
    if len(links) >= MIN_MENU:
        for segment in links:
            segment.setdefault("rule", "links")
    links.clear()


def mark_islands(segments: list[Segment]) -> None:
    """Marks islands, after the other rules."""
    start = 0  # the first segment after the last marked one
    for at, segment in enumerate([*segments, {"rule": ""}]):
        if "rule" in segment:
            if at - start < len(segments):
                island = [s for s in segments[start:at] if not _is_title(s)]
                if all(len(s["text"]) < MAX_ISLAND_CHARS and not ends_with(s["text"], FULL_STOPS) for s in island):
                    for s in island:
                        s["rule"] = "island"
            start = at + 1
