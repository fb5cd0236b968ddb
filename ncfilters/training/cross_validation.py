"""Cross-validation by domain: each page judged by a model that has not seen its site.

for page, scores in validated(pages, 10, train=lambda material: ngram(material, 3, 0.5)): ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from ..dataset.labelled_pages import LabelledPage, LabelledPages, folds
from ..features.document import Document
from ..record import Record
from ..scoring.base import Model, PageScoringModel
from ..selection import formats


def validated(
    pages: Sequence[LabelledPage],
    number: int,
    train: Callable[[LabelledPages], Model],
    seed: int = 0,
    progress: Callable[[int], None] = lambda fold: None,
    documents: Mapping[int, Record] | None = None,
) -> Iterator[tuple[LabelledPage, list[float]]]:
    """Each page and the scores that its segments get from a model of the other folds.

    *progress* is told how many folds are done; *documents* are the pages' records, by identity. Raises ValueError where
    there are fewer domains than folds, or nothing to learn from in the pages of some.
    """
    parts = folds(pages, number, seed)
    for place, part in enumerate(parts):
        progress(place)
        try:
            model = train(LabelledPages([page for other in parts if other is not part for page in other]))
        except ValueError as error:
            raise ValueError(f"without fold {place + 1} of {number}: {error}") from None
        yield from zip(part, judged(model, part, documents))
    progress(number)


def judged(
    model: Model, pages: Sequence[LabelledPage], documents: Mapping[int, Record] | None = None
) -> list[list[float]]:
    """The scores that a model gives each page's segments: whole, where there are *documents* by pages' identities; they
    also get what it says of their `page`."""
    if documents:
        records = [documents[id(page)] for page in pages]
        read = list(map(Document.of_record, records))
        if not isinstance(model, PageScoringModel):
            return [found["score"] for found in model.evidence(read)]
        evidence, found_pages = model.evidence_with_pages(read)
        for record, found in zip(records, found_pages):
            if found is not None:
                record["page"] = found
        return [found["score"] for found in evidence]
    texts = [
        Document(
            [
                {"text": text, "rule": "marked"} if marked else {"text": text}
                for text, marked in zip(page.texts, page.marked)
            ]
        )
        for page in pages
    ]
    return [found["score"] for found in model.evidence(texts)]


def selected(page: LabelledPage, scores: Sequence[float], threshold: float = 0.0) -> str:
    """The text of a page's segments above the threshold, with CleanEval markers if its gold has such."""
    kept = [
        {"type": kind, "text": text}
        for kind, text, marked, score in zip(page.types, page.texts, page.marked, scores)
        if not marked and score > threshold
    ]
    return (formats.cleaneval if page.gold.has_markers else formats.plain)(kept, {})
