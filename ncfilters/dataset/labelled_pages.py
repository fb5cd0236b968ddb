"""What models are trained on: pages whose segments are labelled by their gold text.

material = LabelledPages([label_page(record) for record in records])
material.texts(clean=True)[0]        # ("A paragraph of clean text.", 0.02)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .. import record
from ..record import Record
from ..segmentation import segmenter
from . import labelling
from .gold import Gold, domain, gold_of, key_of

# A page weighs as the square root of its text, and so does, nearly, a segment: else a few long pages and paragraphs
# would make the model, which then decides about short segments. Exponents from 0.5 to 0.7 are within half a point of
# F on the CleanEval development set.
PAGE_WEIGHT, SEGMENT_WEIGHT = -0.5, -0.6
# Pages of whose gold text less than this share is found are left out: something else is wrong with them.
MIN_GOLD_SHARE = 0.2

Texts = list[tuple[str, float]]


@dataclass(frozen=True)
class LabelledPage:
    """A page's segments, how many of their words stand in the gold text (see `align`), and the gold.

    *marked* segments have a rule of nc-segment; no model decides about them.
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

    @property
    def is_usable(self) -> bool:
        """Whether enough of the gold text is on the page."""
        return sum(self.matched) >= MIN_GOLD_SHARE * self.gold_words

    def labels(self) -> list[bool | None]:
        """Whether each segment is clean; None for those that say nothing: without words, or marked."""
        return [
            None if marked or not words else matched / words >= labelling.CLEAN_SHARE
            for marked, words, matched in zip(self.marked, self.words, self.matched)
        ]


def label_page(document: Record) -> LabelledPage:
    """A record with `gold` and `segments`, or what nc-segment reads, as a page. Raises RecordError."""
    gold = gold_of(document)
    host = domain(document)
    if "segments" not in document:
        document = segmenter.segment_record(document)
    segments = record.parts(document, "segments", {"text": (str,)})
    texts = [found["text"] for found in segments]
    words, matched, gold_words = labelling.matches(texts, gold.plain)
    return LabelledPage(
        str(key_of(document) or ""),
        host,
        [" ".join(text.split()) for text in texts],
        [found.get("type", "p") for found in segments],
        ["rule" in found for found in segments],
        words,
        matched,
        gold,
        gold_words,
    )


class LabelledPages:
    """Labelled pages. Those of whose gold too little is found are in *pages*, and nothing is learned from them."""

    def __init__(self, pages: Sequence[LabelledPage]) -> None:
        self.pages = pages

    def texts(self, clean: bool) -> Texts:
        """The clean (or dirty) segments with the weights of their pages."""
        out: Texts = []
        for page in self._usable():
            out += _weighted([text for text, label in zip(page.texts, page.labels()) if label is clean])
        return out

    def gold_texts(self) -> Texts:
        """The segments of the gold texts, for counts that are subtracted."""
        out: Texts = []
        for page in self._usable():
            out += _weighted([found["text"] for found in segmenter.segment_text(page.gold.plain)])
        return out

    def _usable(self) -> Iterable[LabelledPage]:
        return (page for page in self.pages if page.is_usable)

    def counts(self) -> Counter[str]:
        """What there is, for the card."""
        usable = list(self._usable())
        counts = Counter({"pages": len(self.pages), "segments marked by rules": sum(sum(p.marked) for p in usable)})
        if left_out := len(self.pages) - len(usable):
            counts["pages left out"] = left_out
        for name, label in (("clean", True), ("dirty", False)):
            some = [text for page in usable for text, its in zip(page.texts, page.labels()) if its is label]
            counts[f"{name} segments"] = len(some)
            counts[f"{name} characters"] = sum(map(len, some))
        return counts


def _weighted(texts: list[str]) -> Texts:
    size = sum(map(len, texts)) + len(texts)
    return [(text, size**PAGE_WEIGHT) for text in texts]


def by_segment(texts: Texts) -> Texts:
    """Segments weighed by their length, too. Not for counts that are subtracted: gold text has other paragraphs."""
    return [(text, weight * (len(text) + 1) ** SEGMENT_WEIGHT) for text, weight in texts]


def folds(pages: Sequence[LabelledPage], number: int, seed: int = 0) -> list[list[LabelledPage]]:
    """The pages in so many folds of about as many pages, those of a domain in the same; a page without is one of its
    own. Raises ValueError where there are fewer domains than folds."""
    import random

    domains: dict[str, list[LabelledPage]] = {}
    for place, page in enumerate(pages):
        domains.setdefault(page.domain or f"\0{place}", []).append(page)
    if number < 2:
        raise ValueError(f"{number} folds: at least 2 (--cv)")
    if len(domains) < number:
        raise ValueError(
            f"{number} folds want pages of {number} domains or more (pages: {len(pages)}, domains: {len(domains)}): "
            "fewer folds (--cv), or pages of more sites"
        )
    names = sorted(domains)
    random.Random(seed).shuffle(names)
    out: list[list[LabelledPage]] = [[] for _ in range(number)]
    for name in sorted(names, key=lambda name: -len(domains[name])):  # large ones first, into the smallest fold
        min(out, key=len).extend(domains[name])
    return out
