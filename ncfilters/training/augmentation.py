"""Data augmentation for structure models: new pages derived from training pages, which are too similar to each other.

    fragments(pages, seed=0)       # a few segments of each page, as a small page
    portals(pages, fold, seed=0)   # each article among lists and teasers of other sites, most laid out by tables

A variant belongs to the site of the page it comes from.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..dataset.labelled_pages import LabelledPage
from ..dataset.labelling import CLEAN_SHARE, mask_of
from ..features.document import NO_HEAD, Head, ModelInput
from ..page import dom_path
from ..record import Segment
from .examples import TrainingPage

MAX_FRAGMENT = 12  # segments
# An article has at least this many words of gold text, and this share of them in segments of at least so many words.
ARTICLE_WORDS, ARTICLE_SHARE, PROSE_WORDS = 60, 0.7, 15
# A portal has up to MAX_RUNS runs of segments of other pages. A run has RUN segments (from, to; log-uniform), and ends
# before the first segment of MAX_TEASER_WORDS: it must hold no article.
MAX_RUNS, RUN, MAX_TEASER_WORDS = 8, (6, 250), 40
# The probability that a run stands before the article.
BEFORE = 0.4
# The probability that a portal is laid out by tables, as most were in 2010.
TABLES = 0.6
# The probability that a fragment and a portal keep the head of their page: models must work without one, too.
HEADED_FRAGMENTS, HEADED_PORTALS = 0.3, 0.7
# Elements that pages laid out by tables replace by tables; elements whose text may be directly in a cell there, and
# the probability that it is.
_CONTAINERS = frozenset("div section article aside main nav header footer".split())
_BARE = {"p": 0.4, "h1": 0.5, "h2": 0.5, "h3": 0.6, "li": 0.3}


def fragments(pages: Sequence[TrainingPage], seed: int) -> dict[int, TrainingPage]:
    """A few adjacent segments of each page, with little of their paths, by the place of the page.

    Users also clean small pages. Trained on large pages alone, the network would learn that a page with little around
    its text has no clean text.
    """
    random = np.random.default_rng(seed)
    out = {}
    for place, page in enumerate(pages):
        labelled, segments = page.labelled, page.document.segments
        size = int(random.integers(1, MAX_FRAGMENT + 1))
        start = int(random.integers(0, max(len(segments) - size, 0) + 1))
        stop, steps, bare = min(start + size, len(segments)), int(random.integers(0, 3)), bool(random.integers(0, 2))
        fragment = _PageBuilder()
        fragment.add(labelled, [_shallow(segment, steps, bare) for segment in segments[start:stop]], start, stop)
        if labelled.is_usable and labelled.known is None:
            head = page.document.head if random.random() < HEADED_FRAGMENTS else NO_HEAD
            # with the gold words that it has, so that it is usable as the page is
            gold_words = sum(labelled.matched[start:stop])
            out[place] = fragment.page(replace(labelled, gold_words=gold_words), head)
    return out


def _shallow(segment: Segment, steps: int, bare: bool) -> Segment:
    """A segment with up to *steps* ancestors between `body` and its own element; *bare*: without ids and classes."""
    if "path" not in segment:
        return segment
    path = dom_path.tag_names(segment["path"]) if bare else segment["path"]
    last = path.split("/")[1:][-1 - steps :]
    return {**segment, "path": "/".join(["body", *last])}


def portals(pages: Sequence[TrainingPage], fold: Sequence[int], seed: int) -> dict[int, TrainingPage]:
    """Each article with runs of short segments of other sites before and after its text, which are boilerplate there;
    by the place of its page.

    *fold*: of each page; runs come from pages of the same fold. The model learns that the content of some pages,
    such as lists of headlines, is boilerplate next to an article. Without portals, models trained on the pages of 2025
    keep most of the press portals of 2012, in all languages.
    """
    random = np.random.default_rng(seed)
    short: dict[int, list[TrainingPage]] = {number: [] for number in fold}
    for number, page in zip(fold, pages):
        # pages with enough short segments to take runs from
        shorts = sum(0 < words < 2 * PROSE_WORDS for words in page.labelled.words)
        if page.labelled.known is None and shorts >= 2 * RUN[0]:
            short[number].append(page)
    out = {}
    for place, page in enumerate(pages):
        others, segments = short[fold[place]], page.document.segments
        if not others or not _is_article(page.labelled) or not all("path" in segment for segment in segments):
            continue
        portal = _portal(page, others, random)
        if random.random() < TABLES:
            portal.segments = lay_out_by_tables(portal.segments, random)
        head = page.document.head if random.random() < HEADED_PORTALS else NO_HEAD
        if len(portal.segments) > len(segments):
            out[place] = portal.page(page.labelled, head)
    return out


def _portal(page: TrainingPage, others: Sequence[TrainingPage], random: np.random.Generator) -> _PageBuilder:
    """An article with runs of segments of other pages before and after its text."""
    segments = page.document.segments
    text = np.flatnonzero(_is_clean(page.labelled))
    runs: dict[int, list[tuple[TrainingPage, int, int]]] = {int(text[0]): [], int(text[-1]) + 1: []}
    before, after = runs
    for _ in range(int(random.integers(1, MAX_RUNS + 1))):
        other = others[int(random.integers(0, len(others)))]
        start, stop = _run(other.labelled, random)
        if other.labelled.domain != page.labelled.domain and stop - start >= RUN[0]:
            runs[before if random.random() < BEFORE else after].append((other, start, stop))
    portal = _PageBuilder()
    for first, last in ((0, before), (before, after), (after, len(segments))):
        portal.add(page.labelled, segments[first:last], first, last)
        for other, start, stop in runs.pop(last, ()):
            above = _element(segments, text, random)
            run = _moved_under(above, other.document.segments[start:stop], random)
            portal.add(other.labelled, run, start, stop, clean=False)
    return portal


# The labels of segments of other pages: boilerplate, of the roles that teasers have.
_BOILERPLATE = {"matched": 0, "roles": mask_of("related", "boilerplate")}


class _PageBuilder:
    """Collects segments of training pages for a new one."""

    def __init__(self) -> None:
        self.segments: list[Segment] = []
        self._columns: dict[str, list[Any]] = {
            name: [] for name in ("texts", "types", "marked", "words", "matched", "roles")
        }

    def add(
        self, page: LabelledPage, segments: Sequence[Segment], start: int, stop: int, *, clean: bool = True
    ) -> None:
        """Adds segments of a page, from *start* to *stop*, as *segments* has them; if not *clean*, as boilerplate."""
        self.segments += segments
        for name, column in self._columns.items():
            values = getattr(page, name)[start:stop]
            if not clean and name in _BOILERPLATE:
                values = [_BOILERPLATE[name]] * len(values)
            column += values

    def page(self, labelled: LabelledPage, head: Head) -> TrainingPage:
        """The new page; the fields that are not lists over segments are those of *labelled*."""
        columns: dict[str, Any] = self._columns
        return TrainingPage(replace(labelled, **columns), ModelInput(self.segments, head))


def _is_clean(page: LabelledPage) -> NDArray[np.bool_]:
    words, matched = np.array(page.words), np.array(page.matched)
    clean: NDArray[np.bool_] = (matched >= CLEAN_SHARE * words) & (words > 0)
    return clean


def _is_article(page: LabelledPage) -> bool:
    """Whether the clean text of a page is mostly prose."""
    clean, words, matched = _is_clean(page), np.array(page.words), np.array(page.matched)
    if not page.is_usable or page.gold_words < ARTICLE_WORDS or not clean.any():
        return False
    prose = matched[clean & (words >= PROSE_WORDS)].sum()
    return bool(prose >= ARTICLE_SHARE * matched[clean].sum())


def _run(page: LabelledPage, random: np.random.Generator) -> tuple[int, int]:
    """The start and the end of a run of segments."""
    size = int(np.exp(random.uniform(*np.log(RUN))))
    start = int(random.integers(0, max(1, len(page.words) - size)))
    long = [at for at, words in enumerate(page.words[start : start + size]) if words >= MAX_TEASER_WORDS]
    return start, start + long[0] if long else min(start + size, len(page.words))


def _element(segments: Sequence[Segment], text: NDArray[np.int64], random: np.random.Generator) -> list[str]:
    """The path of an element to put a run into: an ancestor of any segment, or of a segment of the text."""
    at = int(random.integers(0, len(segments))) if random.random() < 0.5 else int(random.choice(text))
    steps: list[str] = segments[at]["path"].split("/")
    return steps[: int(random.integers(1, max(2, len(steps))))]


def _moved_under(above: list[str], segments: Sequence[Segment], random: np.random.Generator) -> list[Segment]:
    """Segments with the last steps of their paths under another path."""
    kept = int(random.integers(2, 6))
    return [
        {**segment, "path": "/".join(above + segment.get("path", "body").split("/")[1:][-kept:])}
        for segment in segments
    ]


def lay_out_by_tables(segments: Sequence[Segment], random: np.random.Generator) -> list[Segment]:
    """Segments with the paths of a page laid out by tables.

    Some containers become tables, some ids and classes are removed, and some text is directly in its cell. A step of a
    path is replaced in the same way everywhere on the page.
    """
    without_ids, table_share = random.random() < 0.5, random.random()
    bare = {name for name, probability in _BARE.items() if random.random() < probability}
    steps: dict[str, str] = {}

    def table_step(step: str) -> str:
        if step not in steps:
            name = re.split(r"[#.:]", step, maxsplit=1)[0]
            rest = "" if without_ids or random.random() < 0.5 else step[len(name) :]
            if name in _CONTAINERS:
                name = "table/tbody/tr/td" if random.random() < table_share else "div"
            elif name in ("ul", "li") and random.random() < 0.6 * table_share:
                name = {"ul": "table/tbody", "li": "tr/td"}[name]
            steps[step] = name + rest
        return steps[step]

    out = []
    for segment in segments:
        root, *below = segment["path"].split("/")
        path, tag = [root, *map(table_step, below)], segment.get("tag")
        segment = {**segment}
        if tag in bare and below and dom_path.tag_names(below[-1]) == tag:
            path.pop()
            if segment.get("type") == "h" and tag != "h1" and not segment.get("bold"):
                segment["type"] = "p"
        segment["path"] = "/".join(path)
        if tag in bare or tag in _CONTAINERS or tag == "li":
            segment["tag"] = dom_path.tag_names(segment["path"]).rpartition("/")[2]
        out.append(segment)
    return out
