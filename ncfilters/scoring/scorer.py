"""Scoring of segments: the evidence of one or several models goes on the segments of records (NCleaner, stage 4).

    score = Scorer([registry.load_named("en")])
    score([{"segments": [{"text": "Is this clean?"}]}])    # [{"segments": [{"text": …, "score": 3.1}], "models": […]}]
    score = AutoScorer()
    score([{"lang": "de", "segments": [{"text": "Das ist Text.", "path": "body/p"}]}])    # […, "models": ["xx@…"]}]

A score is the log2 odds (bits) that a segment is clean text rather than boilerplate: above 0 it is more likely clean.

`AutoScorer` chooses a model for each page (nc-score -m auto). For the language LANG, it is the first of the models
`LANG` (for English, `en`), `xx`, `ncleaner-LANG` and `ncleaner-nonlexical` that is installed; for plain text, which has
no structure, `ncleaner-LANG` comes before `xx`. The record's `models` says which model scored it.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from threading import Lock
from typing import Any

from ..errors import ModelError, RecordError
from ..features.document import ModelInput, is_flat
from ..page.blocks.block_table import BlockTable
from ..record import BLOCK_FIELDS, Record, check_optional, parts
from ..streams.runner import attempt
from ..text.scripts import primary
from . import registry
from .base import NamedModel

# Bytes of input that are scored at once: enough for table look-ups to be cheap, few enough to stay in the cache.
BATCH_BYTES = 1 << 18
_TEXT: dict[str, tuple[type, ...]] = {"text": (str,)}

# The name that stands for the choice of a model for each page.
AUTO = "auto"
# Below this probability a document has no language: `en` gains 1.1 points of F over `xx` on WCXB (bench/accuracy.md),
# and loses 4 points or more on the pages of DAnIEL in other languages (`nc-score -m en`; Polish 4, Russian 18).
MIN_PROBABILITY = 0.7
GENERAL = ("xx", "ncleaner-nonlexical")

# A document with a lower probability may be in the language of the model.
MIN_OTHER_PROBABILITY = 0.9
MAX_LISTED = 5


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
            self._read_types.update(named.model.reads)
        # whether segments may get a `role`, which content policies need
        self.writes_roles = models[0].model.writes_roles

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
        if not isinstance(scored.get("segments"), BlockTable):
            check_optional(parts(scored, "segments", _TEXT), "segments", self._written_types)
        return scored

    def _check_read_fields(self, scored: Record) -> Record:
        """The record. Raises RecordError if segments have fields of types that a model does not accept."""
        if not isinstance(scored["segments"], BlockTable):
            check_optional(scored["segments"], "segments", self._read_types)
        return scored

    def _score(self, records: list[Record]) -> None:
        documents = list(map(ModelInput.of_record, records))
        (name, first, *_), *others = self._models
        evidence, pages = first.evidence_with_pages(documents)
        all_scores = [(named.name, named.model.evidence(documents)) for named in others]
        if others:
            all_scores.insert(0, (name, evidence))
        reasons = first.reasons(documents, self._max_reasons) if self._max_reasons and first.explains else None
        for at, (scored, document) in enumerate(zip(records, documents)):
            # without a classification, the field of an earlier run is removed: it would mark these scores as calibrated
            _set_or_remove(scored, "page", pages[at])
            fields: dict[str, Sequence[Any]] = dict(evidence[at])
            if all_scores:
                names, columns = zip(*[(name, of_model[at]["score"]) for name, of_model in all_scores])
                fields["scores"] = [dict(zip(names, values)) for values in zip(*columns)]
            if reasons is not None:
                no_reasons: list[None] = [None] * len(document)
                fields["reasons"] = reasons[at] or no_reasons
            _write_fields(document, fields)
            if self._signatures:
                scored["models"] = list(self._signatures)


def _write_fields(document: ModelInput, fields: dict[str, Sequence[Any]]) -> None:
    """Writes fields to the segments. The scores of other models stay that a segment has; old reasons go."""
    segments: Any = document.segments
    for field, values in fields.items():
        if isinstance(segments, BlockTable):
            segments.score(field, list(values))
        elif field == "scores":
            for segment, value in zip(segments, values):
                segment.setdefault(field, {}).update(value)
        elif field == "reasons":
            for segment, value in zip(segments, values):
                _set_or_remove(segment, field, value)
        else:
            for segment, value in zip(segments, values):
                segment[field] = value


def _without_errors(results: list[Record | RecordError]) -> list[Record]:
    return [result for result in results if not isinstance(result, RecordError)]


def _set_or_remove(target: Record, field: str, value: object) -> None:
    if value is None:
        target.pop(field, None)
    else:
        target[field] = value


class AutoScorer:
    """Scores each record with the best installed model for its language, as `Scorer` does. Models are loaded when the
    first record needs them.

    A record without `lang` gets one, and its probability. Raises ModelError if no model of GENERAL is installed.
    """

    # the size of batches in bytes of input, as for one structure model
    batch_bytes = 1 << 21
    # as Scorer's: those of pages get one
    writes_roles = True

    def __init__(self, max_reasons: int = 0) -> None:
        self._max_reasons = max_reasons
        self._installed = registry.installed_models().keys()
        self._scorers: dict[str, Scorer] = {}
        if not any(name in self._installed for name in GENERAL):
            raise ModelError(f"{AUTO}: neither {' nor '.join(GENERAL)} is installed")

    def __call__(self, records: list[Record]) -> list[Record | RecordError]:
        """The records with scores, and an error in place of each that cannot be scored."""
        results = [attempt(_prepared, record) for record in records]
        groups: dict[str, list[int]] = {}
        for number, result in enumerate(results):
            if not isinstance(result, RecordError):
                groups.setdefault(self.model_of(result), []).append(number)
        for name, numbers in groups.items():
            scored = self._scorer(name)([result for n in numbers if isinstance(result := results[n], dict)])
            for number, result in zip(numbers, scored):
                results[number] = result
        return results

    def model_of(self, record: Record) -> str:
        """The name of the model for a record with `segments`."""
        preferred = _preferred(record.get("lang"), record.get("lang_probability", 1), is_flat(record["segments"]))
        return next(name for name in preferred if name in self._installed)

    def _scorer(self, name: str) -> Scorer:
        if name not in self._scorers:
            self._scorers[name] = Scorer([registry.load_named(name)], self._max_reasons)
        return self._scorers[name]


def _prepared(record: Record) -> Record:
    """The record with its language. Raises RecordError for segments in which it cannot be identified."""
    from ..segmentation.page_language import with_language  # start-up: other models need no language

    if not isinstance(record.get("segments"), BlockTable):
        check_optional(parts(record, "segments", {"text": (str,)}), "segments", BLOCK_FIELDS)
    return with_language(record)


def _preferred(lang: object, probability: object, is_plain: bool) -> Iterator[str]:
    """The names of models for a record with these values of `lang` and `lang_probability`, the best first."""
    code = primary(lang)
    if isinstance(probability, int | float) and probability < MIN_PROBABILITY:
        code = ""
    of_language = [code, f"{registry.NGRAM_MODEL_PREFIX}{code}"] if code else []
    yield from of_language[: 2 if is_plain else 1]
    yield GENERAL[0]
    yield from of_language[1:]
    yield GENERAL[1]


class OtherLanguages:
    """Counts documents whose field `lang` is another *language* than that of the model *name*."""

    def __init__(self, name: str, language: str) -> None:
        self._name, self._language = name, primary(language)
        self._documents = 0
        self._others: Counter[str] = Counter()

    def count(self, records: Iterable[Record]) -> None:
        """Counts documents. Those without a language, or with an uncertain one, are in no other language."""
        for record in records:
            self._documents += 1
            code, probability = primary(record.get("lang")), record.get("lang_probability", 1)
            if code and code != self._language and isinstance(probability, int | float):
                self._others[code] += probability >= MIN_OTHER_PROBABILITY

    def message(self) -> str:
        """What to tell the user; empty if all documents are in the language of the model, or it is for any language."""
        number = self._others.total()
        if not number or self._language in ("", "xx"):
            return ""
        listed = ", ".join(f"{code} {count}" for code, count in self._others.most_common(MAX_LISTED) if count)
        more = ", …" if len(+self._others) > MAX_LISTED else ""
        documents = f"{number} of {self._documents} documents {'is' if number == 1 else 'are'} in another language"
        return (
            f"{self._name} is for {self._language}; {documents} ({listed}{more}): -m {AUTO} chooses the model of each"
        )


class OneThread:
    """A context in which BLAS has one thread; after it, as many as before.

    It has no effect where numpy is not loaded: pages are scored without it.

    In some versions the number belongs to the process, in others to the calling thread. So contexts of several threads
    that overlap all restore the number from before the first of them.
    """

    def __init__(self) -> None:
        self._lock, self._entered = Lock(), 0
        self._controller: Any = None
        self._first: Any = None

    def __enter__(self) -> None:
        if "numpy" not in sys.modules:
            return
        from threadpoolctl import ThreadpoolController  # start-up: pages are scored without it

        with self._lock:
            self._controller = self._controller or ThreadpoolController()
            limit = self._controller.limit(limits=1, user_api="blas")
            self._first = self._first if self._entered else limit
            self._entered += 1

    def __exit__(self, *error: object) -> None:
        with self._lock:
            if self._entered:
                self._entered -= 1
                self._first.restore_original_limits()


# The number of threads belongs to the process, and so does its context.
one_thread = OneThread()
