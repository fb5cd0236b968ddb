"""The interface of trainers, which nc-train uses for every kind of model; the records that they learn from; and the
fingerprints of trained models.

chosen = ChosenRecords(ngram_trainer.make_trainer(NgramOptions()), lang="pl", max_pages=50)
for record in records:
    chosen.add(record)
chosen.finish()
made = fingerprint(chosen.trainer, chosen.digest(), make_trainer, "ngram")
chosen.trainer.write(Path("my.model"), {"language": "pl", "made": made})

By a fingerprint, `models/check` says whether the code of today would make the same model. A hash of the source would
change with every rewording, and a version would be forgotten. So the code is known by what it does: the witness is a
model that the same trainer, with the same options, makes of a few pages that are part of the program
(`models/witness.jsonl`). Other code makes other segments of them, or other figures. Two digests stand for the data: of
the records, and of the labelled segments that the model has learned from.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

import orjson

from ..dataset.gold import domain, gold_of
from ..dataset.labelled_pages import LabelledPage, count_labels
from ..errors import RecordError
from ..features.document import ModelInput
from ..features.schema import READS
from ..installed import installed_folder
from ..record import Record
from ..scoring import registry
from ..scoring.base import Model
from ..scoring.quality import QualityModel
from ..segmentation.segmenter import segment_record

# Reports the number of steps that are done.
StepsDone = Callable[[int], None]
# Starts a report on a number of steps, given with their unit, such as folds.
ProgressReport = Callable[[int, str], StepsDone]
# Second-level domains below which sites register, as in .co.uk.
PUBLIC_SECOND_LEVEL = frozenset(("com", "net", "org", "gov", "edu", "co", "kiev", "city"))
WITNESS_FILE = "witness.jsonl"
# Segments whose figures are kept, about, and their decimals.
MAX_SEGMENTS, DECIMALS = 40, 3


def no_progress(total: int, unit: str) -> StepsDone:
    """A ProgressReport that reports nothing."""
    return lambda done: None


class Trainer(Protocol):
    """Learns from records as they come, then writes a model."""

    def add(self, record: Record) -> None:
        """Adds a record to the training data. Raises RecordError."""

    def counts(self) -> dict[str, int]:
        """The size of the training data, for the model card."""

    def write(self, path: Path, about: dict[str, Any]) -> dict[str, Any]:
        """Trains on all records and writes the model file; returns its header, *about* included. Raises ValueError
        if there is no training data, and OSError."""


class PageTrainer:
    """A trainer on labelled pages, of which `train` makes a model, and `label` makes a page of a record, if there is
    one. *normalised* describes the text of the model, for its header."""

    def __init__(
        self,
        label: Callable[[Record], LabelledPage | None],
        train: Callable[[Sequence[LabelledPage]], Model],
        normalised: str,
    ) -> None:
        self._label, self.train, self._normalised = label, train, normalised
        self.pages: list[LabelledPage] = []

    def add(self, record: Record) -> None:
        """Adds a page with gold text. Raises RecordError."""
        if page := self._label(record):
            self.pages.append(page)

    def counts(self) -> dict[str, int]:
        """The numbers of pages, and of segments and characters of each class."""
        return count_labels(self.pages)

    def write(self, path: Path, about: dict[str, Any]) -> dict[str, Any]:
        """Writes the model of all pages; its header. Raises ValueError as `train` does, and OSError."""
        return registry.write_model(path, self.train(self.pages), {**about, "normalised": self._normalised})


class ChosenRecords:
    """Passes records to a trainer, and keeps a digest of those it passed: the records with this `lang`; of these, pages
    of complete sites, at most *max_pages* (see `whole_sites`)."""

    def __init__(self, trainer: Trainer, lang: str | None = None, max_pages: int | None = None) -> None:
        self.trainer, self._lang, self._max_pages = trainer, lang, max_pages
        self._waiting: list[Record] = []  # until all sites are known
        self._digest = hashlib.sha256()

    def add(self, record: Record) -> Record:
        """Adds a record if it is chosen, and returns it. Raises RecordError."""
        if self._lang is None or record.get("lang") == self._lang:
            if self._max_pages is None:
                self._pass(record)
            else:
                self._waiting.append(record)
        return record

    def finish(self) -> list[str]:
        """Adds the records that could not be chosen before the last one was known; returns the errors of those that
        failed, with their ids."""
        errors = []
        for record in whole_sites(self._waiting, self._max_pages or 0):
            try:
                self._pass(record)
            except RecordError as error:
                errors.append(f"{record.get('id')}: {error}")
        return errors

    def digest(self) -> str:
        """A digest of the records that were passed, in order. Neither the order of their fields nor how they are stored
        makes a difference."""
        return self._digest.hexdigest()

    def _pass(self, record: Record) -> None:
        self._digest.update(json_bytes(record) + b"\n")
        self.trainer.add(record)


def whole_sites(records: Sequence[Record], max_pages: int) -> list[Record]:
    """At most *max_pages* of the records, of complete sites, the same for everybody. The pages of a site follow one
    another.

    Registered domains are taken in the order of their SHA-256 digests, each if all its pages still fit.
    """
    sites: dict[str, list[Record]] = {}
    for record in records:
        sites.setdefault(registered_domain(domain(record)), []).append(record)
    chosen: set[str] = set()
    for site in sorted(sites, key=lambda site: hashlib.sha256(site.encode("utf-8", "replace")).hexdigest()):
        if len(sites[site]) <= max_pages:
            chosen.add(site)
            max_pages -= len(sites[site])
    return [record for site, pages in sites.items() if site in chosen for record in pages]


def registered_domain(host: str) -> str:
    """The registered domain, approximately: two labels, or three below suffixes such as .co.uk."""
    labels = host.split(".")
    return ".".join(labels[-3:] if len(labels) > 2 and labels[-2] in PUBLIC_SECOND_LEVEL else labels[-2:])


def json_bytes(value: Any) -> bytes:
    """A value as JSON, objects with their fields in order; what JSON lacks as Python writes it."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS)
    except TypeError:  # bytes, large integers, lone surrogates
        return repr(value).encode("utf-8", "surrogatepass")


# ---- fingerprints -----------------------------------------------------------------------------------------------


def fingerprint(trainer: Trainer, records: str, make_trainer: Callable[[], Trainer], kind: str) -> dict[str, Any]:
    """The fingerprint of a trainer that has its data: the digests of its *records* and of its `labelled` segments, and
    what `witness` returns for trainers like it."""
    labelled = labelled_digest(trainer)
    return {"records": records, **({"labelled": labelled} if labelled else {}), **witness(make_trainer, kind)}


def labelled_digest(trainer: Trainer) -> str | None:
    """A digest of the labelled segments that a trainer has; None if it learns from something else."""
    digest = hashlib.sha256()
    for page in _pages(trainer):
        own: list[Any] = [page.domain, page.texts, page.types, page.marked, page.words, page.matched, page.gold.policy]
        if page.record:
            fields = [[segment.get(name) for name in READS] for segment in page.record["segments"]]
            own += [page.roles, page.record.get("head"), fields]
        digest.update(json_bytes(own))
    return digest.hexdigest() if _pages(trainer) else None


def _pages(trainer: Trainer) -> Sequence[LabelledPage]:
    pages: Sequence[LabelledPage] = getattr(trainer, "pages", ())
    return pages


def witness(make_trainer: Callable[[], Trainer], kind: str) -> dict[str, Any]:
    """The witness of trainers of that kind (the argument of nc-train): the digest `witness` of its labelled segments,
    if it has any, and its `figures`. Empty if the options need more pages, or if the pages are not installed."""
    try:
        lines = Path(installed_folder(), WITNESS_FILE).read_text(encoding="utf-8").splitlines()
    except OSError:
        return {}
    records: list[Record] = [json.loads(line) for line in lines]
    if kind == "quality":
        records = _scored(records)
    trainer = make_trainer()
    for record in records:
        with suppress(RecordError):  # some pages are of no use to some trainers
            trainer.add(record)
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"witness{registry.SUFFIX}"
        try:
            trainer.write(path, {})
        except ValueError:
            return {}
        figures = _figures(registry.read_model(path)[1], trainer, records)
    digest = labelled_digest(trainer)
    return {"figures": figures, "witness": digest} if digest else {"figures": figures}


def _scored(records: Sequence[Record]) -> list[Record]:
    """The pages with scores by the length of their segments, twice, because a quality model needs many."""
    out = []
    for shift in (4, 6):
        for record in records:
            page = segment_record(record)
            for segment in page["segments"]:
                segment["score"] = round(len(segment["text"]) ** 0.5 - shift, 2)
            out.append({**page, "url": f"http://{shift}.{page['id']}.example/".replace(" ", "")})
    return out


def _figures(model: Model, trainer: Trainer, records: Sequence[Record]) -> list[float]:
    """Numbers that change if the model does: what it says of some of the segments of its pages, or of the lines of
    their gold texts; or the parameters of a quality model."""
    if isinstance(model, QualityModel):
        return [round(number, DECIMALS) for number in _numbers(model.header())]
    documents = [
        ModelInput.of_record(page.record) if page.record else ModelInput.of_texts(page.texts)
        for page in _pages(trainer)
    ] or [ModelInput.of_texts(gold_of(record).plain.splitlines()) for record in records]
    rows = [
        row for evidence in model.evidence(documents) for row in zip(*(evidence[field] for field in sorted(evidence)))
    ]
    chosen = rows[:: max(1, len(rows) // MAX_SEGMENTS)]
    return [len(rows), *(round(number, DECIMALS) for row in chosen for number in _numbers(row))]


def _numbers(value: Any) -> Iterator[float]:
    """The numbers in a JSON value, in order."""
    if isinstance(value, dict):
        value = [value[name] for name in sorted(value)]
    if isinstance(value, list | tuple):
        for item in value:
            yield from _numbers(item)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield float(value)
