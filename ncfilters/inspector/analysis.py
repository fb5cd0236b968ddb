"""Documents parsed and scored once, and decided as often as the settings change.

    analysis = Analysis()
    analysis.result("a", {"html": "<h1>Rain</h1><p>It rained all day."}, Settings())["text"]    # 'Rain\\nIt rained …'

The last documents stay parsed, and scored by each model: a decision about a page takes some milliseconds.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from threading import RLock
from typing import Any, NamedTuple, TypeVar

from ..errors import ModelError, RecordError, UsageError
from ..page.profiles import PageOptions
from ..record import Record, check
from ..roles import DEFAULT_POLICY
from ..scoring import registry
from ..scoring.auto import AUTO, AutoScorer
from ..scoring.base import ExplainingModel
from ..scoring.one_thread import one_thread
from ..scoring.scorer import Scorer
from ..segmentation import segmenter
from ..segmentation.page_language import with_language
from ..selection import policies
from ..selection.formats import OUTPUT_FORMS
from ..selection.options import ContentOptions, PolicyOptions
from ..selection.selector import SelectionOptions, select_text

# Documents that stay parsed, and scored by a model.
MAX_PARSED, MAX_SCORED = 32, 64
# Models that stay loaded.
MAX_MODELS = 6
MAX_REASONS = 4
MAX_BITS = 1000.0

Value = TypeVar("Value")
Score = Callable[[list[Record]], list["Record | RecordError"]]


@dataclass(frozen=True)
class Settings:
    """What the controls say: the model, what counts as content, how segments are decided, the form."""

    model: str = AUTO
    policy: PolicyOptions = PolicyOptions()
    form: str = "plain"  # one of OUTPUT_FORMS

    @classmethod
    def of_query(cls, query: Mapping[str, str], default: Settings | None = None) -> Settings:
        """The settings that a query gives; those of *default* where it says nothing. Raises UsageError."""
        default = default or cls()
        form = query.get("form", default.form)
        if form not in OUTPUT_FORMS:
            raise UsageError(f"form: expected {', '.join(OUTPUT_FORMS)}, got {form[:40]!r}")
        try:
            content = ContentOptions(
                query.get("policy", DEFAULT_POLICY), _roles(query.get("with", "")), _roles(query.get("without", ""))
            )
            policy = PolicyOptions(
                query.get("decide", "auto"),
                _bits(query.get("threshold", "")),
                favour=query.get("favour", "balance"),
                content=content,
            )
        except ValueError as error:
            raise UsageError(str(error)) from None
        return cls(query.get("model", "") or default.model, policy, form)


class Analysis:
    """Parses, scores and decides. It may be used from several threads.

    *models* are the names that settings may ask for: a request must not open any file of the computer.
    """

    def __init__(self, models: list[str] | None = None) -> None:
        self.models = [AUTO, *registry.installed_models()] if models is None else models
        self.models = [name for name in self.models if name == AUTO or _scores_segments(name)]
        self.version = 0  # another one where models are others
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

    def add_model(self, name: str) -> None:
        """Accepts a model, as after its training. Raises UsageError if it cannot be used."""
        with self._lock:
            self.version += 1
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


def _roles(text: str) -> frozenset[str]:
    return frozenset(filter(None, text.split(",")))


def _bits(text: str) -> float | None:
    if not text.strip():
        return None
    try:
        bits = float(text)
    except ValueError:
        bits = math.nan
    if not abs(bits) <= MAX_BITS:
        raise UsageError(f"threshold: expected a number of bits, got {text[:40]!r}")
    return bits


# ---- pages that are pasted: in processes of their own, with limits


class Call(NamedTuple):
    """What a function returns for an `Analysis` with these models, and arguments."""

    models: tuple[str, ...]
    version: int
    function: Callable[..., Any]
    arguments: tuple[Any, ...]


def call_all(calls: list[Call]) -> list[tuple[bool, Any]]:
    """For each call whether there is a result, and that, or the message of the error."""
    out: list[tuple[bool, Any]] = []
    for call in calls:
        try:
            out.append((True, call.function(_own(call.models, call.version), *call.arguments)))
        except (RecordError, UsageError, ValueError) as error:
            out.append((False, str(error)))
    return out


def too_much(call: Call, how: str) -> tuple[bool, str]:
    """The answer to a call whose process died."""
    return False, f"the page takes too much time or memory: the process that worked on it {how}"


@lru_cache(maxsize=1)
def _own(models: tuple[str, ...], version: int) -> Analysis:
    return Analysis(list(models))
