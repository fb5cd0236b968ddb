"""Labelled pages: the segments of pages, each clean or not according to the gold text. Trainers learn from them.

pages = [label_page(record) for record in records]
texts_of(pages, clean=True)[0]        # ("A paragraph of clean text.", 0.02)
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from .. import record
from ..record import Record
from ..segmentation import segmenter
from . import labelling
from .gold import Gold, domain, gold_of, key_of

# A page counts as the square root of the length of its text, and a segment nearly so. Otherwise a few long pages and
# paragraphs would dominate a model that has to decide about short segments. Exponents from 0.5 to 0.7 are within half a
# point of F on the CleanEval development set.
PAGE_WEIGHT, SEGMENT_WEIGHT = -0.5, -0.6
# Pages that have less than this share of their gold words are left out: page and gold text do not belong together.
MIN_GOLD_SHARE = 0.2

Texts = list[tuple[str, float]]


class Folds(NamedTuple):
    """How pages are split for cross-validation: the number of folds, and the seed that shuffles the domains."""

    number: int = 10
    seed: int = 0


TEN_FOLDS = Folds()


@dataclass(frozen=True)
class LabelledPage:
    """The segments of a page, how many of their words occur in the gold text (see `labelling`), and the gold.

    Segments that are *marked* carry a rule of nc-segment; no model decides about them. *record* is the page's record
    with its `segments`, if it was kept, and *roles* are then the masks of the roles that the gold allows (see
    `labelling`). *known*: which segments have a label, where the gold has snippets alone; None if all have one.
    """

    key: str
    domain: str
    texts: list[str]
    types: list[str]
    marked: list[bool]
    words: list[int]
    matched: list[int]
    gold: Gold
    gold_words: int
    record: Record | None = field(default=None, repr=False, compare=False)
    roles: list[int] = field(default_factory=list, repr=False)
    known: list[bool] | None = None

    @property
    def is_usable(self) -> bool:
        """Whether enough of the gold text is on the page."""
        return sum(self.matched) >= MIN_GOLD_SHARE * self.gold_words

    def labels(self) -> list[bool | None]:
        """Whether each segment is clean; None for segments without words, with a rule, or without a known label."""
        return [
            None if marked or not words or not known else matched / words >= labelling.CLEAN_SHARE
            for marked, words, matched, known in zip(
                self.marked, self.words, self.matched, self.known or [True] * len(self.words)
            )
        ]


def label_page(document: Record, keep_record: bool = False, *, partial: bool = False) -> LabelledPage:
    """The labelled page of a record with `gold`, and with `segments` or what nc-segment reads. With *keep_record*, the
    record stays with the page. *partial*: the gold may have snippets alone. Raises RecordError."""
    gold = gold_of(document, partial=partial)
    host = domain(document)
    if "segments" not in document:
        document = segmenter.segment_record(document)
    segments = record.parts(document, "segments", {"text": (str,)})
    texts = [segment["text"] for segment in segments]
    words, matched, gold_words = labelling.matched_words(texts, gold.plain)
    known = None
    if gold.is_partial:
        labels = labelling.snippet_labels(texts, gold.required, gold.forbidden)
        known = [label is not None for label in labels]
        matched = [count if label else 0 for label, count in zip(labels, words)]
    roles: list[int] = []
    if keep_record:  # snippets say nothing of roles
        unknown = [labelling.ANY] * len(words)
        roles = unknown if gold.is_partial else labelling.allowed_roles(document, gold, words, matched)
    return LabelledPage(
        str(key_of(document) or ""),
        host,
        [" ".join(text.split()) for text in texts],
        [segment.get("type", "p") for segment in segments],
        ["rule" in segment for segment in segments],
        words,
        matched,
        gold,
        gold_words,
        document if keep_record else None,
        roles,
        known,
    )


def texts_of(pages: Sequence[LabelledPage], clean: bool) -> Texts:
    """The clean (or dirty) segments of usable pages, with the weights of their pages."""
    labelled = ([text for text, label in zip(page.texts, page.labels()) if label is clean] for page in _usable(pages))
    return [weighted for texts in labelled for weighted in _weighted(texts)]


def gold_texts(pages: Sequence[LabelledPage]) -> Texts:
    """The segments of the gold texts of usable pages, with the weights of their pages, for differential training."""
    golds = ([segment["text"] for segment in segmenter.segment_text(page.gold.plain)] for page in _usable(pages))
    return [weighted for texts in golds for weighted in _weighted(texts)]


def count_labels(pages: Sequence[LabelledPage]) -> dict[str, int]:
    """The numbers of pages, and of segments and characters of each class, for the model card."""
    usable = _usable(pages)
    counts = {"pages": len(pages), "segments marked by rules": sum(sum(page.marked) for page in usable)}
    if left_out := len(pages) - len(usable):
        counts["pages left out"] = left_out
    for name, label in (("clean", True), ("dirty", False)):
        some = [text for page in usable for text, its in zip(page.texts, page.labels()) if its is label]
        counts[f"{name} segments"] = len(some)
        counts[f"{name} characters"] = sum(map(len, some))
    return counts


def _usable(pages: Sequence[LabelledPage]) -> list[LabelledPage]:
    return [page for page in pages if page.is_usable]


def by_segment(texts: Texts) -> Texts:
    """Texts weighted by their own length, too. Not for differential training: gold text has other paragraphs."""
    return [(text, weight * (len(text) + 1) ** SEGMENT_WEIGHT) for text, weight in texts]


def splits(pages: Sequence[LabelledPage], number: int, seed: int = 0) -> Iterator[tuple[list[int], list[int]]]:
    """For each of *number* folds the places of its pages, and those of all others, fold by fold (see `fold_places`)."""
    parts = fold_places([page.domain for page in pages], number, seed)
    for part in parts:
        yield part, [place for other in parts if other is not part for place in other]


def fold_places(domains: Sequence[str], number: int, seed: int = 0) -> list[list[int]]:
    """The places, from 0 on, of the pages of *number* folds of about equal size, given the domain of each page.

    Pages of a domain are in the same fold; a page without a domain is a domain of its own. *seed* shuffles the domains.
    Raises ValueError for fewer domains than folds.
    """
    places: dict[str, list[int]] = {}
    for place, name in enumerate(domains):
        places.setdefault(name or f"\0{place}", []).append(place)
    if number < 2:
        raise ValueError(f"{number} folds: at least 2 are needed")
    if len(places) < number:
        raise ValueError(
            f"{number} folds need pages from at least {number} domains (pages: {len(domains)}, domains: "
            f"{len(places)}): use fewer folds, or pages from more domains"
        )
    names = sorted(places)
    random.Random(seed).shuffle(names)
    out: list[list[int]] = [[] for _ in range(number)]
    for name in sorted(names, key=lambda name: -len(places[name])):  # large ones first, into the smallest fold
        min(out, key=len).extend(places[name])
    return out


def _weighted(texts: list[str]) -> Texts:
    size = sum(map(len, texts)) + len(texts)
    return [(text, size**PAGE_WEIGHT) for text in texts]
