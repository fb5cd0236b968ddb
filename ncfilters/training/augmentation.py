"""Pages made of pages, for training: those of a set are too much alike.

    fragments(sources, seed=0)    # a few segments of each page, as small pages
    portals(sources, seed=0)      # each article among lists and teasers of other sites, most of them laid out by tables

What is made of a page is learned from as pages of its site are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..dataset.labelled_pages import LabelledPage
from ..features.document import NO_HEAD, Document, Head
from ..page import dom_path as paths
from ..record import Segment

Floats = NDArray[np.float32]

# Segments of a fragment, at most.
MOST_OF_FRAGMENT = 12
# An article has so many words of text, and so much of them in segments of so many words.
ARTICLE_WORDS, ARTICLE_SHARE, PROSE_WORDS = 60, 0.7, 15
# A portal has at most so many runs of other pages' segments, each of so many segments and up to the first of so many
# words: no article.
MOST_RUNS, RUN, LONG = 8, (6, 250), 40
# How many portals are laid out by tables, as most were in 2010.
TABLES = 0.6
# How many fragments and portals know the head of their page: models are to do without, too.
HEADED_FRAGMENTS, HEADED_PORTALS = 0.3, 0.7
# Elements that such pages have tables for; and those whose text stands right in a cell, and how often.
_CONTAINERS = frozenset("div section article aside main nav header footer".split())
_BARE = {"p": 0.4, "h1": 0.5, "h2": 0.5, "h3": 0.6, "li": 0.3}


@dataclass(frozen=True)
class Source:
    """A labelled page, its segments, and its fold of sites."""

    page: LabelledPage
    document: Document
    fold: int = 0


@dataclass(frozen=True)
class Variant:
    """What was made of the page with the number *source*."""

    page: LabelledPage
    document: Document
    source: int


def fragments(sources: Sequence[Source], seed: int) -> list[Variant]:
    """A piece of each page, of few segments and with little of its paths: people clean small pages, too, and among
    large ones alone the network would learn that a page with little around its text has none."""
    random = np.random.default_rng(seed)
    out = []
    for number, source in enumerate(sources):
        page, document = source.page, source.document.segments
        size = int(random.integers(1, MOST_OF_FRAGMENT + 1))
        start = int(random.integers(0, max(len(document) - size, 0) + 1))
        stop, steps, bare = min(start + size, len(document)), int(random.integers(0, 3)), bool(random.integers(0, 2))
        piece = _Made()
        piece.add(page, [_moved(segment, steps, bare) for segment in document[start:stop]], start, stop)
        if page.is_usable:
            # usable where the page is
            head = source.document.head if random.random() < HEADED_FRAGMENTS else NO_HEAD
            out.append(piece.variant(replace(page, gold_words=sum(page.matched[start:stop])), number, head))
    return out


def _moved(segment: Segment, steps: int, bare: bool) -> Segment:
    """A segment under `body`, with so many of its last steps and without ids and classes if it is to be *bare*."""
    if "path" not in segment:
        return segment
    path = paths.tag_names(segment["path"]) if bare else segment["path"]
    last = path.split("/")[1:][-1 - steps :]
    return {**segment, "path": "/".join(["body", *last])}


def portals(sources: Sequence[Source], seed: int) -> list[Variant]:
    """Each article with runs of short segments of other sites of its fold before and after its text, boilerplate there.

    So what is a page's content where nothing else is, such as lists of headlines, is learned to be none beside an
    article. Without them, models of the pages of 2025 keep most of the press portals of 2012, in all languages.
    """
    random = np.random.default_rng(seed)
    short: dict[int, list[Source]] = {source.fold: [] for source in sources}
    for source in sources:
        if _has_short(source.page):
            short[source.fold].append(source)
    out = []
    for number, source in enumerate(sources):
        others = short[source.fold]
        if (
            not others
            or not _is_article(source.page)
            or not all("path" in segment for segment in source.document.segments)
        ):
            continue
        text = np.flatnonzero(_clean(source.page))
        places: dict[int, list[tuple[Source, int, int]]] = {int(text[0]): [], int(text[-1]) + 1: []}
        before, after = places
        for _ in range(int(random.integers(1, MOST_RUNS + 1))):
            other = others[int(random.integers(0, len(others)))]
            start, stop = _run(other.page, random)
            if other.page.domain != source.page.domain and stop - start >= RUN[0]:
                places[before if random.random() < 0.4 else after].append((other, start, stop))
        made = _Made()
        for first, last in ((0, before), (before, after), (after, len(source.document))):
            made.add(source.page, source.document.segments[first:last], first, last)
            for other, start, stop in places.pop(last, ()):
                above = _place(source.document.segments, text, random)
                made.add(other.page, _under(above, other.document.segments[start:stop], random), start, stop, False)
        if random.random() < TABLES:
            made.document = laid_out_by_tables(made.document, random)
        head = source.document.head if random.random() < HEADED_PORTALS else NO_HEAD
        if len(made.document) > len(source.document):
            out.append(made.variant(source.page, number, head))
    return out


class _Made:
    """A page in the making."""

    def __init__(self) -> None:
        self.document: list[Segment] = []
        self._columns: dict[str, list[Any]] = {name: [] for name in ("texts", "types", "marked", "words", "matched")}

    def add(
        self, page: LabelledPage, document: Sequence[Segment], start: int, stop: int, labelled: bool = True
    ) -> None:
        """Adds a page's segments from *start* to *stop*, as they are in *document*; not *labelled*: as boilerplate."""
        self.document += document
        for name, column in self._columns.items():
            some = getattr(page, name)[start:stop]
            column += [0] * len(some) if name == "matched" and not labelled else some

    def variant(self, page: LabelledPage, source: int, head: Head) -> Variant:
        """What was added, as a variant of *page*."""
        columns: dict[str, Any] = self._columns
        document = Document(self.document, head)
        return Variant(replace(page, **columns), document, source)


def _clean(page: LabelledPage) -> NDArray[np.bool_]:
    words, matched = np.array(page.words), np.array(page.matched)
    clean: NDArray[np.bool_] = (matched >= 0.5 * words) & (words > 0)
    return clean


def _is_article(page: LabelledPage) -> bool:
    """Whether the page's text is mostly prose."""
    clean, words, matched = _clean(page), np.array(page.words), np.array(page.matched)
    if not page.is_usable or page.gold_words < ARTICLE_WORDS or not clean.any():
        return False
    prose = matched[clean & (words >= PROSE_WORDS)].sum()
    return bool(prose >= ARTICLE_SHARE * matched[clean].sum())


def _has_short(page: LabelledPage) -> bool:
    return sum(0 < words < 2 * PROSE_WORDS for words in page.words) >= 2 * RUN[0]


def _run(page: LabelledPage, random: np.random.Generator) -> tuple[int, int]:
    """Where a run of segments begins and ends."""
    size = int(np.exp(random.uniform(*np.log(RUN))))
    start = int(random.integers(0, max(1, len(page.words) - size)))
    long = [at for at, words in enumerate(page.words[start : start + size]) if words >= LONG]
    return start, start + long[0] if long else min(start + size, len(page.words))


def _place(document: Sequence[Segment], text: NDArray[np.int64], random: np.random.Generator) -> list[str]:
    """The steps to an element of the page that a run may stand in: above any segment, or above one of the text."""
    at = int(random.integers(0, len(document))) if random.random() < 0.5 else int(random.choice(text))
    steps: list[str] = document[at]["path"].split("/")
    return steps[: int(random.integers(1, max(2, len(steps))))]


def _under(above: list[str], document: Sequence[Segment], random: np.random.Generator) -> list[Segment]:
    """Segments with the last steps of their paths under others."""
    kept = int(random.integers(2, 6))
    return [
        {**segment, "path": "/".join(above + segment.get("path", "body").split("/")[1:][-kept:])}
        for segment in document
    ]


def laid_out_by_tables(document: Sequence[Segment], random: np.random.Generator) -> list[Segment]:
    """Segments as of a page laid out by tables: of containers, some are tables, of ids and classes, some are gone, and
    some text stands right in its cell. The same step becomes the same everywhere on the page."""
    bare, share = random.random() < 0.5, random.random()
    cells = {name for name, often in _BARE.items() if random.random() < often}
    steps: dict[str, str] = {}

    def moved(step: str) -> str:
        if step not in steps:
            name = re.split(r"[#.]", step, maxsplit=1)[0]
            rest = "" if bare or random.random() < 0.5 else step[len(name) :]
            if name in _CONTAINERS:
                name = "table/tbody/tr/td" if random.random() < share else "div"
            elif name in ("ul", "li") and random.random() < 0.6 * share:
                name = {"ul": "table/tbody", "li": "tr/td"}[name]
            steps[step] = name + rest
        return steps[step]

    out = []
    for segment in document:
        root, *below = segment["path"].split("/")
        new, tag = [root, *map(moved, below)], segment.get("tag")
        segment = {**segment}
        if tag in cells and below and paths.tag_names(below[-1]) == tag:
            new.pop()
            if segment.get("type") == "h" and tag != "h1" and not segment.get("bold"):
                segment["type"] = "p"
        segment["path"] = "/".join(new)
        if tag in cells or tag in _CONTAINERS or tag == "li":
            segment["tag"] = paths.tag_names(segment["path"]).rpartition("/")[2]
        out.append(segment)
    return out
