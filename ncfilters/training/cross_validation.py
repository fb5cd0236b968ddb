"""Cross-validation by domain: each page is scored by a model that has not seen its site.

for scored in cross_validate(trainer.pages, trainer.train, FoldOptions(10)):
    print(scored.page.key, kept_text(scored.page, scored.scores))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..dataset.labelled_pages import LabelledPage, LabelledPages, fold_places
from ..evaluation.results import Evaluation
from ..evaluation.systems import System
from ..features.document import ModelInput
from ..record import Record
from ..scoring.base import Evidence, Model
from ..selection.forms.plain import cleaneval, plain
from .base import StepsDone


@dataclass(frozen=True)
class FoldOptions:
    """How pages are split for cross-validation: the number of folds, and the seed that shuffles the domains."""

    number: int = 10
    seed: int = 0


TEN_FOLDS = FoldOptions()


@dataclass(frozen=True)
class PageEvidence:
    """A page, its place among the pages given, and the fields that the model writes for its segments. *page_evidence*
    is the field `page` of models that classify whole pages."""

    page: LabelledPage
    place: int
    evidence: Evidence
    page_evidence: dict[str, Any] | None = None

    @property
    def scores(self) -> list[float]:
        """The score of each segment (bits)."""
        return self.evidence["score"]

    def scored_record(self) -> Record:
        """The page's record, its segments with the fields of the model. Raises ValueError if the page has not kept its
        record."""
        if self.page.record is None:
            raise ValueError("the page has not kept its record")
        segments = [dict(segment) for segment in self.page.record["segments"]]
        for field, values in self.evidence.items():
            for segment, value in zip(segments, values):
                segment[field] = value
        page_evidence = {} if self.page_evidence is None else {"page": self.page_evidence}
        return {**self.page.record, "segments": segments, **page_evidence}


def cross_validate(
    pages: Sequence[LabelledPage],
    train: Callable[[LabelledPages], Model],
    options: FoldOptions,
    progress: StepsDone = lambda folds_done: None,
) -> Iterator[PageEvidence]:
    """The pages of each fold in turn, scored by a model trained on the other folds.

    Raises ValueError if there are fewer domains than folds, or no training data without some fold.
    """
    parts = fold_places([page.domain for page in pages], options.number, options.seed)
    for number, part in enumerate(parts):
        progress(number)
        others = [pages[place] for other in parts if other is not part for place in other]
        try:
            model = train(LabelledPages(others))
        except ValueError as error:
            raise ValueError(f"without fold {number + 1} of {options.number}: {error}") from None
        yield from score_pages(model, [pages[place] for place in part], part)
    progress(options.number)


def score_pages(model: Model, pages: Sequence[LabelledPage], places: Sequence[int] | None = None) -> list[PageEvidence]:
    """The pages, scored by a model; *places* are their places, if not from 0 on.

    The model reads the records of pages that have kept them, and else the texts of their segments.
    """
    if not pages:
        return []
    documents = [ModelInput.of_record(page.record) if page.record else _text_document(page) for page in pages]
    evidence, about = model.evidence_with_pages(documents)
    columns = zip(pages, places or range(len(pages)), evidence, about)
    return [PageEvidence(page, place, segments, whole) for page, place, segments, whole in columns]


def kept_text(page: LabelledPage, scores: Sequence[float], threshold: float = 0.0) -> str:
    """The text of the segments above the threshold and without a rule; with CleanEval markers if the gold has them."""
    kept = [
        {"type": kind, "text": text}
        for kind, text, marked, score in zip(page.types, page.texts, page.marked, scores)
        if not marked and score > threshold
    ]
    return (cleaneval if page.gold.has_markers else plain)(kept, {})


def evaluate(pages: Iterable[PageEvidence], system: System, measures: Sequence[str]) -> Evaluation:
    """The evaluation of the text kept of each page, as the output of *system*, against its gold text. A page whose gold
    has snippets alone is left out."""
    golds = {}
    for number, scored in enumerate((page for page in pages if not page.page.gold.is_partial), 1):
        key = scored.page.key if scored.page.key not in golds else f"{scored.page.key} ({number})"
        system.texts[key] = kept_text(scored.page, scored.scores)
        golds[key] = scored.page.gold
    return Evaluation([system], golds, measures)


def _text_document(page: LabelledPage) -> ModelInput:
    return ModelInput(
        [
            {"text": text, "rule": "marked"} if marked else {"text": text}
            for text, marked in zip(page.texts, page.marked)
        ]
    )
