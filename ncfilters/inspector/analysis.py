"""Documents parsed and scored once, and decided as often as the settings change; all of them in the background.

    analysis = Analysis()
    analysis.result("a", {"html": "<h1>Rain</h1><p>It rained all day."}, Settings())["text"]    # 'Rain\\nIt rained …'

The last documents stay parsed, and scored by each model: a decision about a page takes some milliseconds.
"""

from __future__ import annotations

import math
import sqlite3
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from threading import RLock
from typing import Any, TypeVar

from ..dataset import labelling
from ..dataset.gold import gold_of
from ..errors import ModelError, RecordError, UsageError, as_usage_errors
from ..evaluation.metrics import bag_overlap, precision_recall_f
from ..page.profiles import PageOptions
from ..record import Record, check
from ..roles import DEFAULT_POLICY
from ..scoring import registry
from ..scoring.scorer import AUTO, AutoScorer, Scorer, one_thread
from ..segmentation import segmenter
from ..segmentation.page_language import with_language
from ..selection import decision
from ..selection.formats import OUTPUT_FORMS
from ..selection.options import ContentOptions, PolicyOptions
from ..selection.selector import SelectionOptions, select_text
from ..text.words import words
from .collection import MAX_SNIPPET, Collection, main_type

# Words of a text that are aligned for people to read; longer ones are cut.
MAX_ALIGNED_WORDS = 30_000
# Documents that stay parsed or scored by a model, and models that stay loaded.
MAX_DOCUMENTS, MAX_MODELS = 96, 6
MAX_REASONS = 4
MAX_BITS = 1000.0
# Of the time of a core, the share that is left to whoever looks at a page.
REST = 0.3
# Seconds between two looks for further documents.
WAIT = 0.2

Run = tuple[str, str]
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
        with as_usage_errors(ValueError):
            roles = (frozenset(filter(None, query.get(name, "").split(","))) for name in ("with", "without"))
            content = ContentOptions(query.get("policy", DEFAULT_POLICY), *roles)
            policy = PolicyOptions(
                query.get("decide", "auto"),
                _bits(query.get("threshold", "")),
                favour=query.get("favour", "balance"),
                content=content,
            )
        return cls(query.get("model", "") or default.model, policy, form)


class Analysis:
    """Parses, scores and decides. It may be used from several threads.

    *models* are the names that settings may ask for, and *added* more of them: a request must not open any file of the
    computer. Raises UsageError if an added one cannot be used.
    """

    def __init__(self, models: list[str] | None = None, added: Sequence[str] = ()) -> None:
        self.models = [AUTO, *registry.installed_models()] if models is None else models
        self.models = [name for name in self.models if name == AUTO or _scores_segments(name)]
        self.version = 0  # another one where models are others
        self._lock = RLock()
        self._documents: OrderedDict[Hashable, Record] = OrderedDict()
        self._scorers: OrderedDict[Hashable, Score] = OrderedDict()
        self._quality = registry.find_quality(None, required=False)
        for name in added:
            self.add_model(name)

    def parsed(self, key: Hashable, record: Record) -> Record:
        """The record with `segments`, with markup. Raises RecordError."""
        return self._kept(self._documents, (key,), MAX_DOCUMENTS, lambda: _segmented(record))

    def scored(self, key: Hashable, record: Record, model: str, reasons: int = 0) -> Record:
        """The record scored by a model, with so many *reasons* of each score. Raises RecordError and UsageError."""

        def score() -> Record:
            parsed = self.parsed(key, record)
            copy = {**parsed, "segments": [dict(segment) for segment in parsed["segments"]]}
            with one_thread:
                result = self._scorer(model, reasons)([copy])[0]
            if isinstance(result, RecordError):
                raise result
            return result

        return self._kept(self._documents, (key, model, reasons), MAX_DOCUMENTS, score)

    def result(self, key: Hashable, record: Record, settings: Settings) -> Record:
        """The record with `text`, with `segments` that have a decision (`keep`), and with its `quality`. Raises
        RecordError and UsageError."""
        scored = self.scored(key, record, settings.model)
        selection = SelectionOptions(settings.form, bullets=True, mark_segments=True, reasons=True)
        with as_usage_errors(ValueError):
            decide = decision.policy(settings.policy)
        with self._lock:
            return select_text(scored, decide, selection, self._quality)

    def reasons(self, key: Hashable, record: Record, settings: Settings) -> list[Any]:
        """For each segment the reasons of its score, as nc-score --explain writes them; None for models that give none.
        Raises RecordError and UsageError."""
        return [segment.get("reasons") for segment in self.scored(key, record, settings.model, MAX_REASONS)["segments"]]

    def add_model(self, name: str) -> None:
        """Accepts a model, as after its training. Raises UsageError if it cannot be used."""
        with self._lock:
            self.version += 1
            self._scorers.clear()
            self._documents.clear()
            if name not in self.models:
                self.models.append(name)
            self._scorer(name, 0)

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
        return with_language(segmenter.checked_segments(record))
    return with_language(segmenter.segment_record(record, PageOptions(markup=True)))


def _load(model: str, reasons: int) -> Score:
    with as_usage_errors(ModelError):
        if model == AUTO:
            return AutoScorer(reasons)
        named = registry.load_named(model)
    return Scorer([named], reasons)


def _scores_segments(name: str) -> bool:
    """Whether a model is not one that predicts quality."""
    try:
        return str(registry.read_header(registry.find(name))["kind"]) != "quality"
    except ModelError:
        return True  # of another program; an error when it is used


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


# ---- gold


def compare(document: Record, segments: Sequence[Record], text: str) -> dict[str, Any]:
    """Figures in per cent by the bags of words, and the numbers of the segments that gold and decision see differently.

    Raises RecordError for a gold of another form.
    """
    gold = gold_of(document)
    precision, recall, f = precision_recall_f(bag_overlap(text, gold, False))
    shares = labelling.matched_shares([segment["text"] for segment in segments], gold.plain)
    clean = [share is not None and share >= labelling.CLEAN_SHARE for share in shares]
    return {
        "precision": round(100 * precision, 1),
        "recall": round(100 * recall, 1),
        "f": round(100 * f, 1),
        "missed": [n for n, segment in enumerate(segments) if clean[n] and not segment["keep"]],
        "wrong": [
            n for n, segment in enumerate(segments) if segment["keep"] and not clean[n] and shares[n] is not None
        ],
        "policy": gold.policy,
    }


def runs(document: Record, text: str) -> list[Run]:
    """The text and the gold text as runs of words: `equal`, `wrong` (in the text alone) and `missed`. Raises
    RecordError."""
    from rapidfuzz.distance import LCSseq  # of the extra web: only pages with gold need it

    ours, gold = text.split()[:MAX_ALIGNED_WORDS], gold_of(document).plain.split()[:MAX_ALIGNED_WORDS]
    out: list[Run] = []
    keys = [["".join(words(word)) or word for word in side] for side in (ours, gold)]
    for step in LCSseq.opcodes(keys[0], keys[1]):
        if step.tag == "equal":
            out.append(("equal", " ".join(ours[step.src_start : step.src_end])))
            continue
        if step.src_end > step.src_start:
            out.append(("wrong", " ".join(ours[step.src_start : step.src_end])))
        if step.dest_end > step.dest_start:
            out.append(("missed", " ".join(gold[step.dest_start : step.dest_end])))
    return out


# ---- pages that are pasted: in processes of their own, with limits


# The models of an analysis, their version, and what is called with the analysis and these arguments.
Call = tuple[tuple[str, ...], int, Callable[..., Any], tuple[Any, ...]]


def call_all(calls: list[Call]) -> list[tuple[bool, Any]]:
    """For each call whether there is a result, and that, or the message of the error."""
    out: list[tuple[bool, Any]] = []
    for models, version, function, arguments in calls:
        try:
            out.append((True, function(_own(models, version), *arguments)))
        except (RecordError, UsageError, ValueError) as error:
            out.append((False, str(error)))
    return out


def too_much(call: Call, how: str) -> tuple[bool, str]:
    return False, f"the page takes too much time or memory: the process that worked on it {how}"


@lru_cache(maxsize=1)
def _own(models: tuple[str, ...], version: int) -> Analysis:
    return Analysis(list(models))


# ---- the analysis of all documents in the background -----------------------------------------------------------------


def analyse(collection: Collection, analysis: Analysis, settings: Settings) -> Iterator[int]:
    """Analyses the documents in order as they are read, and yields the number of each when its row is written."""
    number = 0
    while True:
        if number < len(collection):
            record = collection.record(number)
            if not record.get("error"):
                try:
                    values = row_values(record, analysis.result(number, record, settings))
                except (RecordError, UsageError) as error:
                    values = {"error": str(error)[:200], "analysed": 1}
                except Exception as error:  # an unforeseen page must not end the analysis of the others
                    values = {"error": f"{type(error).__name__}: {error}"[:200], "analysed": 1}
                collection.update(number, values)
            yield number
            number += 1
        elif collection.is_complete:
            return
        else:
            time.sleep(WAIT)


def start(make: Callable[[], Analysis], collection: Collection, settings: Settings) -> None:
    """Analyses in a thread of its own."""

    def work() -> None:
        before = time.monotonic()
        for _ in analyse(collection, make(), settings):
            time.sleep(min((time.monotonic() - before) * REST, WAIT))
            before = time.monotonic()

    in_thread(work)


def in_thread(work: Callable[[], object]) -> None:
    """Runs work on a collection in a thread, which ends with the collection."""

    def until_closed() -> None:
        with suppress(sqlite3.ProgrammingError, ValueError):  # the collection is closed
            work()

    threading.Thread(target=until_closed, daemon=True).start()


def row_values(document: Record, result: Record) -> dict[str, Any]:
    """What the analysis of a document says for its row."""
    head = result.get("head")
    out: dict[str, Any] = {
        "lang": result.get("lang"),
        "type": main_type(result),
        "quality": None if result.get("quality") is None else float(result["quality"]),
        "snippet": " ".join(result["text"][: 4 * MAX_SNIPPET].split())[:MAX_SNIPPET],
        "analysed": 1,
    }
    if isinstance(head, dict) and isinstance(head.get("title"), str) and head["title"]:
        out["title"] = head["title"][:200]
    if document.get("gold"):
        out["f"] = compare(document, result["segments"], result["text"])["f"]
    return out
