"""The interface of trainers, which nc-train uses for every kind of model, and the records that they learn from.

chosen = ChosenRecords(ngram_trainer.make_trainer(NgramOptions()), lang="pl", max_pages=50)
for record in records:
    chosen.add(record)
chosen.finish()
chosen.trainer.write(Path("my.model"), {"language": "pl"})
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

import orjson

from ..dataset.gold import domain
from ..dataset.labelled_pages import LabelledPage, count_labels
from ..errors import RecordError
from ..record import Record
from ..scoring import registry
from ..scoring.base import Model

# Reports the number of steps that are done.
StepsDone = Callable[[int], None]
# Starts a report on a number of steps, given with their unit, such as folds.
ProgressReport = Callable[[int, str], StepsDone]
# Second-level domains below which sites register, as in .co.uk.
PUBLIC_SECOND_LEVEL = frozenset(("com", "net", "org", "gov", "edu", "co", "kiev", "city"))


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
