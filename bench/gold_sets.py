"""Gold sets for the papers' tables: pages segmented from HTML and from a plain dump, and n-gram models of them.

wcxb = GoldSet(Path("data/wcxb-dev.jsonl.xz"))
texts = selected_texts(train_model(wcxb.pages, LEXICAL), wcxb.pages)
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.support import Record, read_pages
from ncfilters.dataset import labelled_pages
from ncfilters.dataset.labelled_pages import Folds, LabelledPage
from ncfilters.evaluation.results import Evaluation
from ncfilters.evaluation.systems import System
from ncfilters.page.blocks import visual_blocks
from ncfilters.page.blocks.visual_blocks import blocks as blocks_of_tree
from ncfilters.page.tree import html_parser
from ncfilters.scoring.base import Model
from ncfilters.segmentation import segmenter
from ncfilters.training.cross_validation import cross_validate, kept_text, score_pages
from ncfilters.training.ngram_trainer import NgramOptions, train_ngram

FOLDS = 10


# The two models of the NCleaner paper.
LEXICAL, NONLEXICAL = NgramOptions(3, 0.5, "ascii"), NgramOptions(6, 0.4, "nonlexical")


@dataclass(frozen=True)
class SegmentedPage:
    """A page segmented from HTML and from a plain dump, the dump, and the segments from HTML."""

    page: LabelledPage
    dumped_page: LabelledPage
    dump: str
    segments: list[Record]


class GoldSet:
    """A gold set: its records and its pages."""

    def __init__(self, path: Path, number: int | None = None) -> None:
        self.records = read_pages(path, number)
        self.name = path.name.partition(".")[0]
        with multiprocessing.Pool() as pool:
            segmented = pool.map(segment_page, self.records, 8)
        self.pages = [one.page for one in segmented]
        self.dumped_pages = [one.dumped_page for one in segmented]
        self.dumps = [one.dump for one in segmented]
        self.segments = [one.segments for one in segmented]
        self._scores: dict[NgramOptions, list[list[float]]] = {}

    def evaluate(self, systems: Mapping[str, Sequence[str]]) -> Evaluation:
        """The measures of each system's texts."""
        golds = {page.key: page.gold for page in self.pages}
        outputs = [System(name, dict(zip(golds, texts))) for name, texts in systems.items()]
        return Evaluation(outputs, golds, (self.measure, *(("segments",) if self.has_markers else ())))

    def cross_validated(self, options: NgramOptions) -> list[list[float]]:
        """The scores of each page's segments by models of pages of other domains; computed once."""
        if options not in self._scores:
            self._scores[options] = cross_validated_scores(self.pages, options)
        return self._scores[options]

    @property
    def has_markers(self) -> bool:
        """Whether the gold has segment markers."""
        return self.pages[0].gold.has_markers

    @property
    def measure(self) -> str:
        """The measure of words: with markers as words where the gold has them, as in the papers."""
        return "cleaneval" if self.has_markers else "words"


def segment_page(record: Record) -> SegmentedPage:
    """A page with both segmentations."""
    blocks = blocks_of_tree(html_parser.parse_html(record["html"], "lexbor"))
    dump = visual_blocks.dump(blocks)
    about = {name: value for name, value in record.items() if name != "html"}
    dumped = labelled_pages.label_page({**about, "segments": segmenter.segment_text(dump)})
    segments = segmenter.segment_blocks(blocks)
    page = labelled_pages.label_page({**about, "segments": segments})
    return SegmentedPage(page, dumped, dump, segments)


def train_model(pages: Sequence[LabelledPage], options: NgramOptions) -> Model:
    """An n-gram model of pages."""
    return train_ngram(pages, options)


def cross_validated_scores(pages: Sequence[LabelledPage], options: NgramOptions) -> list[list[float]]:
    """The scores of each page's segments by a model of pages of other domains."""
    scored = cross_validate(pages, lambda some: train_model(some, options), Folds(FOLDS))
    return [page.scores for page in sorted(scored, key=lambda page: page.place)]


def texts_above_zero(pages: Sequence[LabelledPage], scores: Sequence[Sequence[float]]) -> list[str]:
    """The text of each page's segments whose score is above 0."""
    return list(map(kept_text, pages, scores))


def selected_texts(model: Model, pages: Sequence[LabelledPage]) -> list[str]:
    """The text that a model keeps of each page."""
    return [kept_text(scored.page, scored.scores) for scored in score_pages(model, pages)]


def texts_by_rules(pages: Sequence[LabelledPage]) -> list[str]:
    """The text of each page that the rules of nc-segment keep."""
    return texts_above_zero(pages, [[1.0] * len(page.texts) for page in pages])
