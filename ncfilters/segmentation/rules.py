"""Trivial boilerplate: what needs no model (NCleaner, stage 3; Evert 2008, section 2).

    mark([{"text": "Home | About | Contact"}])    # [{"text": …, "rule": "bars"}]

Each rule marks a segment with its name, once. The constants are from the development sets of 2007 (CleanEval), 2012
(DAnIEL) and 2025 (WCXB): the comments say what they are right about there.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from ..page.dom_path import HEADING
from ..text.sentence_ends import FULL_STOPS, ends_with

Segment = dict[str, Any]

# Elements that say themselves what they are. Of the text in them on the WCXB development pages, more than 97 % is
# boilerplate; a <header> inside <main> or <article> is content.
LANDMARKS = ("nav", "footer", "dialog", "select")
# Ids and classes that name what is on every page: of the text so named on the development pages of 2007 (CleanEval),
# 2012 (DAnIEL) and 2025 (WCXB) and seen by no other rule, 93 to 99 % is boilerplate. <body> bears the names of what its
# page holds.
WIDGET_TAGS = frozenset("div ul ol li aside form table td p".split())
WIDGETS = frozenset(
    "modal popup consent cookie cookies related social sharing login signup subscribe copyright breadcrumb "
    "breadcrumbs".split()
)
_SIGN = re.compile(r"[#._-]+")
# The rule an element and those around it make, whether there is a <header>, whether there is content
Place = tuple[str | None, bool, bool]
_WORDS = re.compile(r"\w")
# Fields apart by bars (Evert 2008, section 2, third stage), and what newer pages use in their place.
_BAR = re.compile(r"\s[|•·»›>/]\s|\|")
_HINT = re.compile(r"[|•·»›>/©(]")
_COPYRIGHT = re.compile(
    r".{0,20}(?:©|\([cC]\)\s*(?:\d{4}|[Cc]opyright|by\b)|[Cc]opyright\s*\([cC]\)).*|"
    r".*\b[Rr](?:ights [Rr]eserved|IGHTS RESERVED).*",
    re.S,
)
MIN_BARS, MAX_FIELD = 2, 25  # so many bars, with so many characters between them on average
MAX_COPYRIGHT = 300  # a longer paragraph is about copyright rather than a notice
# A segment is a link when this share of its characters is; LINK_RUN of them in a row are a menu. In <main> and
# <article> they may be what the page is about: without the rule there, listings gain ten points of F and articles
# lose 0.3.
LINK_SHARE, LINK_RUN = 0.9, 2
# Between marked segments, or one of them and the edge of the page, what has no longer segment and no sentence is an
# island of captions and labels.
MAX_ISLAND = 100


def mark_boilerplate(segments: list[Segment]) -> list[Segment]:
    """Gives trivial boilerplate the `rule` that saw it: `nav`, `footer`, `header`, `dialog`, `select`, `widget`,
    `links`, `bars`, `copyright`, `wordless` or `island`."""
    places: dict[str, Place] = {}
    links: list[Segment] = []
    for segment in segments:
        text, path = segment["text"], segment.get("path", "")
        rule, header, content = places.get(path) or _landmark(path, places)
        if not rule:
            rule = "header" if header and not content else _rule(text)
            if rule == "bars" and ("pre" in segment or HEADING.search(path)):
                rule = None
        if rule:
            segment["rule"] = rule
        if segment.get("links", 0) >= LINK_SHARE * len(text) and not content and not _title(segment):
            links.append(segment)
        elif rule != "wordless":
            _menu(links)
    _menu(links)
    _islands(segments)
    return segments


def _title(segment: Segment) -> bool:
    """Whether it is the title of the page: a text of its own, whatever stands around it."""
    return segment.get("tag") == "h1"


def _islands(segments: list[Segment]) -> None:
    shore = 0  # the first segment after the last marked one
    for at, segment in enumerate([*segments, {"rule": ""}]):
        if "rule" in segment:
            if at - shore < len(segments):
                island = [s for s in segments[shore:at] if not _title(s)]
                if all(len(s["text"]) < MAX_ISLAND and not ends_with(s["text"], FULL_STOPS) for s in island):
                    for s in island:
                        s["rule"] = "island"
            shore = at + 1


def _landmark(path: str, seen: dict[str, Place]) -> Place:
    """What the elements of a path say; *seen* has the paths of this page that were looked at before."""
    place = seen.get(path)
    if place is None:
        parent, _, element = path.rpartition("/")
        rule, header, content = _landmark(parent, seen) if parent else (None, False, False)
        name, own_header, own_content = _element(element)
        place = seen[path] = (rule or name, header or own_header, content or own_content)
    return place


@lru_cache(maxsize=1 << 14)
def _element(element: str) -> Place:
    """The same of one element, as paths have it."""
    tag, *names = _SIGN.split(element.lower())
    if tag in LANDMARKS:
        return tag, False, False
    rule = "widget" if tag in WIDGET_TAGS and not WIDGETS.isdisjoint(names) else None
    return rule, tag == "header", tag in ("main", "article")


def _rule(text: str) -> str | None:
    if not _HINT.search(text) and "eserved" not in text and "RESERVED" not in text:  # for speed: most text is innocent
        return None if text[0].isalnum() or _WORDS.search(text) else "wordless"
    if len(text) < MAX_COPYRIGHT and _COPYRIGHT.match(text):
        return "copyright"
    bars = len(_BAR.findall(text))
    if bars >= MIN_BARS and len(text) < MAX_FIELD * (bars + 1):
        return "bars"
    return None if _WORDS.search(text) else "wordless"


def _menu(links: list[Segment]) -> None:
    if len(links) >= LINK_RUN:
        for segment in links:
            segment.setdefault("rule", "links")
    links.clear()
