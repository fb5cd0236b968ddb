"""Cross-validation by domain: each page is scored by a model that has not seen its site.

for scored in cross_validate(trainer.pages, trainer.train, Folds(10)):
    print(scored.page.key, kept_text(scored.page, scored.scores))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..dataset.labelled_pages import TEN_FOLDS, Folds, LabelledPage, splits
from ..evaluation.results import Evaluation
from ..evaluation.systems import System
from ..features.document import ModelInput
from ..record import VERSION, Record
from ..scoring.base import Evidence, Model
from ..selection.forms.plain import cleaneval, plain
from .base import StepsDone


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
        """The record that the page has kept, its segments with the fields of the model."""
        assert self.page.record is not None
        segments = [dict(segment) for segment in self.page.record["segments"]]
        for field, values in self.evidence.items():
            for segment, value in zip(segments, values):
                segment[field] = value
        out = {**self.page.record, "segments": segments}
        out.setdefault("nc", VERSION)
        return out if self.page_evidence is None else {**out, "page": self.page_evidence}


def cross_validate(
    pages: Sequence[LabelledPage],
    train: Callable[[Sequence[LabelledPage]], Model],
    folds: Folds = TEN_FOLDS,
    progress: StepsDone = lambda folds_done: None,
) -> Iterator[PageEvidence]:
    """The pages of each fold in turn, scored by a model trained on the other folds.

    Raises ValueError if there are fewer domains than folds, or no training data without some fold.
    """
    for number, (part, others) in enumerate(splits(pages, *folds)):
        progress(number)
        try:
            model = train([pages[place] for place in others])
        except ValueError as error:
            raise ValueError(f"without fold {number + 1} of {folds.number}: {error}") from None
        yield from score_pages(model, [pages[place] for place in part], part)
    progress(folds.number)


def score_pages(model: Model, pages: Sequence[LabelledPage], places: Sequence[int] | None = None) -> list[PageEvidence]:
    """The pages, scored by a model; *places* are their places, if not from 0 on.

    The model reads the records of pages that have kept them, and else the texts of their segments.
    """
    if not pages:
        return []
    evidence, about = model.evidence_with_pages([_document(page) for page in pages])
    columns = zip(pages, places or range(len(pages)), evidence, about)
    return [PageEvidence(page, place, segments, whole) for page, place, segments, whole in columns]


def _document(page: LabelledPage) -> ModelInput:
    if page.record:
        return ModelInput.of_record(page.record)
    segments = zip(page.texts, page.marked)
    return ModelInput([{"text": text, "rule": "marked"} if marked else {"text": text} for text, marked in segments])


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
