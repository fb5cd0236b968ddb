"""Scoring of segments: the evidence of one or several models goes on the segments of records (NCleaner, stage 4).

    score = Scorer([registry.load_named("en")])
    score([{"segments": [{"text": "Is this clean?"}]}])    # [{"segments": [{"text": …, "score": 3.1}], "models": […]}]

A score is the log2 odds (bits) that a segment is clean text rather than boilerplate: above 0 it is more likely clean.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import repeat
from threading import Lock
from typing import Any

from .. import record
from ..errors import RecordError
from ..features.document import ModelInput
from ..record import Record
from ..streams.runner import attempt
from .base import Evidence, ExplainingModel, FieldReadingModel, NamedModel, PageScoringModel, RoleModel

# Bytes of input that are scored at once: enough for table look-ups to be cheap, few enough to stay in the cache.
BATCH_BYTES = 1 << 18
_TEXT: dict[str, tuple[type, ...]] = {"text": (str,)}


class Scorer:
    """Scores the segments of records, in place.

    The fields that the first model writes go on each segment. With several models, the score of each also goes into
    the segment's `scores`, by the name of the model. The record's `models` has their signatures. The first model's
    classification of the whole page is the record's `page`. With *max_reasons*, each segment has up to so many
    `reasons` of the first model for its score and against it.
    """

    def __init__(self, models: Sequence[NamedModel], max_reasons: int = 0) -> None:
        self._models, self._max_reasons = models, max_reasons
        self._signatures = [named.signature for named in models if named.signature]
        self._written_types: dict[str, tuple[type, ...]] = {"scores": (dict,)} if len(models) > 1 else {}
        self._read_types: dict[str, tuple[type, ...]] = {}
        for named in models:
            if isinstance(named.model, FieldReadingModel):
                self._read_types.update(named.model.reads)

    @property
    def writes_roles(self) -> bool:
        """Whether segments may get a `role`, which content policies need."""
        first = self._models[0].model
        return isinstance(first, RoleModel) and first.writes_roles

    def __call__(self, records: list[Record]) -> list[Record | RecordError]:
        """The records with scores, and an error in place of each that cannot be scored."""
        results = [attempt(self._check_texts, one) for one in records]
        valid = _without_errors(results)
        try:
            self._score(valid)
        except Exception:
            # models check the other fields as they read them; only now it matters which record is the wrong one
            results = [attempt(self._check_read_fields, one) if isinstance(one, dict) else one for one in results]
            if len(_without_errors(results)) == len(valid):
                raise
            self._score(_without_errors(results))
        return results

    def _check_texts(self, scored: Record) -> Record:
        """The record. Raises RecordError if segments have no text, or fields that cannot be written to."""
        record.check_optional(record.parts(scored, "segments", _TEXT), "segments", self._written_types)
        return scored

    def _check_read_fields(self, scored: Record) -> Record:
        """The record. Raises RecordError if segments have fields of types that a model does not accept."""
        record.check_optional(scored["segments"], "segments", self._read_types)
        return scored

    def _score(self, records: list[Record]) -> None:
        documents = list(map(ModelInput.of_record, records))
        first = self._models[0].model
        # without a classification, the field of an earlier run is removed: it would mark these scores as calibrated
        pages: Sequence[dict[str, Any] | None] = [None] * len(documents)
        if isinstance(first, PageScoringModel):
            evidence, pages = first.evidence_with_pages(documents)
        else:
            evidence = first.evidence(documents)
        others = {named.name: named.model.evidence(documents) for named in self._models[1:]}
        reasons = None
        if self._max_reasons and isinstance(first, ExplainingModel):
            reasons = first.reasons(documents, self._max_reasons)
        for at, (scored, document) in enumerate(zip(records, documents)):
            _set_or_remove(scored, "page", pages[at])
            _write_fields(document, evidence[at])
            if others:
                scores = {
                    self._models[0].name: evidence[at],
                    **{name: of_model[at] for name, of_model in others.items()},
                }
                _write_scores(document, scores)
            if reasons is not None:
                for segment, own in zip(document.segments, reasons[at] or repeat(None)):
                    _set_or_remove(segment, "reasons", own)
            if self._signatures:
                scored["models"] = list(self._signatures)


def _write_fields(document: ModelInput, evidence: Evidence) -> None:
    """Writes the fields of a model to the segments."""
    for field, values in evidence.items():
        for segment, value in zip(document.segments, values):
            segment[field] = value


def _write_scores(document: ModelInput, evidence: dict[str, Evidence]) -> None:
    """Writes the scores of each model to the segments, by the models' names."""
    for name, own in evidence.items():
        for segment, value in zip(document.segments, own["score"]):
            segment.setdefault("scores", {})[name] = value


def _without_errors(results: list[Record | RecordError]) -> list[Record]:
    return [result for result in results if not isinstance(result, RecordError)]


def _set_or_remove(target: Record, field: str, value: object) -> None:
    if value is None:
        target.pop(field, None)
    else:
        target[field] = value


class OneThread:
    """A context in which BLAS has one thread; after it, as many as before.

    It has no effect where numpy is not loaded: pages are scored without it.

    In some versions the number belongs to the process, in others to the calling thread. So contexts of several threads
    that overlap all restore the number from before the first of them.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._entered = 0
        self._controller: Any = None
        self._first: Any = None

    def __enter__(self) -> None:
        if "numpy" not in sys.modules:
            return
        with self._lock:
            limit = self._loaded_libraries().limit(limits=1, user_api="blas")
            self._first = self._first if self._entered else limit
            self._entered += 1

    def __exit__(self, *error: object) -> None:
        with self._lock:
            if self._entered:
                self._entered -= 1
                self._first.restore_original_limits()

    def _loaded_libraries(self) -> Any:
        if self._controller is None:
            from threadpoolctl import ThreadpoolController  # start-up: pages are scored without it

            self._controller = ThreadpoolController()
        return self._controller


# The number of threads belongs to the process, and so does its context.
one_thread = OneThread()
