"""Documents parsed and scored once, and decided as often as the settings change.

    analysis = Analysis()
    analysis.result("a", {"html": "<h1>Rain</h1><p>It rained all day."}, Settings())["text"]    # 'Rain\\nIt rained …'

The last documents stay parsed, and scored by each model: a decision about a page takes some milliseconds.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import RLock
from typing import Any, TypeVar

from ..errors import ModelError, RecordError, UsageError
from ..page.profiles import PageOptions
from ..record import Record, check
from ..scoring import registry
from ..scoring.auto import AUTO, AutoScorer
from ..scoring.base import ExplainingModel
from ..scoring.one_thread import one_thread
from ..scoring.scorer import Scorer
from ..segmentation import segmenter
from ..segmentation.page_language import with_language
from ..selection import policies
from ..selection.selector import SelectionOptions, select_text
from .settings import Settings

# Documents that stay parsed, and scored by a model.
MAX_PARSED, MAX_SCORED = 32, 64
# Models that stay loaded.
MAX_MODELS = 6
MAX_REASONS = 4

Value = TypeVar("Value")
Score = Callable[[list[Record]], list["Record | RecordError"]]


class Analysis:
    """Parses, scores and decides. It may be used from several threads.

    *models* are the names that settings may ask for: a request must not open any file of the computer.
    """

    def __init__(self, models: list[str] | None = None) -> None:
        self.models = [AUTO, *registry.installed_models()] if models is None else models
        self.models = [name for name in self.models if name == AUTO or _scores_segments(name)]
        self._lock = RLock()
        self._parsed: OrderedDict[Hashable, Record] = OrderedDict()
        self._scored: OrderedDict[Hashable, Record] = OrderedDict()
        self._scorers: OrderedDict[Hashable, Score] = OrderedDict()
        self._quality = registry.find_quality(None, required=False)

    def parsed(self, key: Hashable, record: Record) -> Record:
        """The record with `segments`, with markup. Raises RecordError."""
        return self._kept(self._parsed, key, MAX_PARSED, lambda: _segmented(record))

    def scored(self, key: Hashable, record: Record, model: str) -> Record:
        """The record scored by a model. One that has scores of another program has them as the model `""`. Raises
        RecordError and UsageError."""
        return self._kept(
            self._scored, (key, model), MAX_SCORED, lambda: self._score(self.parsed(key, record), model, 0)
        )

    def result(self, key: Hashable, record: Record, settings: Settings) -> Record:
        """The record with `text`, with `segments` that have a decision (`keep`), and with its `quality`. Raises
        RecordError and UsageError."""
        scored = self.scored(key, record, settings.model)
        has_title = "title" not in settings.policy.content.excluded
        selection = SelectionOptions(settings.form, bullets=True, mark_segments=True, reasons=True, title=has_title)
        try:
            decide = policies.policy(settings.policy)
        except ValueError as error:
            raise UsageError(str(error)) from None
        with self._lock:
            return select_text(scored, decide, selection, self._quality)

    def reasons(self, key: Hashable, record: Record, model: str) -> list[Any]:
        """For each segment the reasons of its score, as nc-score --explain writes them; None for models that give none.
        Raises RecordError and UsageError."""
        scored = self._kept(
            self._scored,
            (key, model, "reasons"),
            MAX_SCORED,
            lambda: self._score(self.parsed(key, record), model, MAX_REASONS),
        )
        return [segment.get("reasons") for segment in scored["segments"]]

    def forget(self, key: Hashable) -> None:
        """Forgets a document."""
        with self._lock:
            self._parsed.pop(key, None)
            for scored in [of for of in self._scored if isinstance(of, tuple) and of[0] == key]:
                del self._scored[scored]

    def add_model(self, name: str) -> None:
        """Accepts a model, as after its training. Raises UsageError if it cannot be used."""
        with self._lock:
            for scorer in [of for of in self._scorers if isinstance(of, tuple) and of[0] == name]:
                del self._scorers[scorer]
            for scored in [of for of in self._scored if isinstance(of, tuple) and of[1] == name]:
                del self._scored[scored]
            if name not in self.models:
                self.models.append(name)
            self._scorer(name, 0)

    def _score(self, parsed: Record, model: str, reasons: int) -> Record:
        copy = {**parsed, "segments": [dict(segment) for segment in parsed["segments"]]}
        with one_thread:
            result = self._scorer(model, reasons)([copy])[0]
        if isinstance(result, RecordError):
            raise result
        return result

    def _scorer(self, model: str, reasons: int) -> Score:
        if model not in self.models:
            raise UsageError(f"model: {model[:80]!r} is not one of {', '.join(self.models)}")
        return self._kept(self._scorers, (model, reasons), MAX_MODELS, lambda: _load(model, reasons))

    def _kept(self, store: OrderedDict[Hashable, Value], key: Hashable, size: int, make: Callable[[], Value]) -> Value:
        with self._lock:
            if key not in store:
                store[key] = make()
                if len(store) > size:
                    store.popitem(last=False)
            store.move_to_end(key)
            return store[key]


def _segmented(record: Record) -> Record:
    check(record)
    if "segments" in record:
        out = segmenter.checked_segments(record)
    else:
        out = segmenter.segment_record(record, PageOptions(markup=True))
    return with_language(out)


def _load(model: str, reasons: int) -> Score:
    try:
        if model == AUTO:
            return AutoScorer(reasons)
        named = registry.load_named(model)
    except ModelError as error:
        raise UsageError(str(error)) from None
    return Scorer([named], reasons if isinstance(named.model, ExplainingModel) else 0)


def _scores_segments(name: str) -> bool:
    """Whether a model is not one that predicts quality."""
    try:
        return str(registry.read_header(registry.find(name))["kind"]) != "quality"
    except ModelError:
        return True  # of another program; an error when it is used
