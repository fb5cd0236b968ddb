"""nc-score: segments in, evidence for each out (NCleaner, stage 4).

    nc-segment crawl.jsonl | nc-score -m en -m ncleaner-nonlexical | jq '.segments[].scores'

`score` is in bits: the log2 odds that the segment is clean rather than boilerplate; above 0 it is clean.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import repeat
from typing import Any

from .. import record
from ..errors import RecordError
from ..features.document import Document
from ..record import Record
from ..streams import runner
from . import base

# Bytes of input scored at once: enough for table look-ups to be cheap, little enough to stay in the cache.
BATCH = 1 << 18


def scorer(
    models: Sequence[tuple[str, base.Model]], signatures: Sequence[str] = (), explain: int = 0
) -> Callable[[list[Record]], list[Record | RecordError]]:
    """A function that scores the segments of many documents at once, in place.

    The first model's fields go on each segment; with several models, each one's score also into `scores`, by its name.
    What judged it goes into the record's `models`: *signatures*. What the first says of whole pages, if it does, is the
    record's `page`; with *explain*, each segment has its so many `reasons`.
    """

    written: dict[str, tuple[type, ...]] = {"scores": (dict,)} if len(models) > 1 else {}
    reads = {field: types for _, scoring in models for field, types in getattr(scoring, "reads", {}).items()}

    def checked(document: Record) -> Record:
        record.check_optional(_checked(document)["segments"], "segments", written)
        return document

    def readable(document: Record) -> Record:
        record.check_optional(document["segments"], "segments", reads)
        return document

    def judge(documents: list[Record]) -> None:
        good = list(map(Document.of_record, documents))
        # of scores that are not calibrated no page says so: what an earlier run said is taken away
        pages: Sequence[dict[str, Any] | None] = [None] * len(documents)
        found = []
        for number, (_, scoring) in enumerate(models):
            if not number and isinstance(scoring, base.PageScoringModel):
                evidence, pages = scoring.evidence_with_pages(good)
            else:
                evidence = scoring.evidence(good)
            found.append(evidence)
        for document, page in zip(documents, pages):
            _put(document, "page", page)
        for each, own in zip(good, found[0]):
            for field, values in own.items():
                for segment, value in zip(each.segments, values):
                    segment[field] = value
        for (name, _), evidence in zip(models, found if len(models) > 1 else ()):
            for each, own in zip(good, evidence):
                for segment, value in zip(each.segments, own["score"]):
                    segment.setdefault("scores", {})[name] = value
        if explain and isinstance(models[0][1], base.ExplainingModel):
            for each, reasons in zip(good, models[0][1].reasons(good, explain)):
                for segment, why in zip(each.segments, reasons or repeat(None)):
                    _put(segment, "reasons", why)
        if signatures:
            for document in documents:
                document["models"] = list(signatures)

    def work(documents: list[Record]) -> list[Record | RecordError]:
        results = [runner.attempt(checked, document) for document in documents]
        fine = _fine(results)
        try:
            judge(fine)
        except Exception:  # what models read beside texts is checked where it is read; now it is asked whose it was
            results = [runner.attempt(readable, found) if isinstance(found, dict) else found for found in results]
            if len(_fine(results)) == len(fine):
                raise
            judge(_fine(results))
        return results

    return work


def _fine(results: list[Record | RecordError]) -> list[Record]:
    return [result for result in results if not isinstance(result, RecordError)]


def _put(into: Record, field: str, value: object) -> None:
    """Sets a field, or takes away what an earlier run said where there is nothing to say."""
    if value is None:
        into.pop(field, None)
    else:
        into[field] = value


def _checked(document: Record) -> Record:
    record.parts(document, "segments", {"text": (str,)})
    return document
