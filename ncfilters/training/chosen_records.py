"""Which records a trainer learns from: those of one language, and of complete sites.

chosen = ChosenRecords(trainer, Choice(lang="pl", max_pages=50))
for record in records:
    chosen.add(record)
chosen.finish()
"""

from __future__ import annotations

from dataclasses import dataclass

from ..dataset.page_sample import split_by_site
from ..errors import RecordError
from ..record import Record
from .base import Trainer
from .fingerprint import RecordDigest


@dataclass(frozen=True)
class Choice:
    """The records with this `lang`; of these, pages of complete sites, at most *max_pages* (see `page_sample`)."""

    lang: str | None = None
    max_pages: int | None = None


class ChosenRecords:
    """Passes records to a trainer, and keeps a digest of those it passed."""

    def __init__(self, trainer: Trainer, choice: Choice) -> None:
        self._trainer, self._choice = trainer, choice
        self._waiting: list[Record] = []  # until all sites are known
        self.digest = RecordDigest()

    def add(self, record: Record) -> Record:
        """Adds a record if it is chosen; returns what the trainer returns, or the record. Raises RecordError."""
        if self._choice.lang is not None and record.get("lang") != self._choice.lang:
            return record
        if self._choice.max_pages is None:
            return self._pass(record)
        self._waiting.append(record)
        return record

    def finish(self) -> list[str]:
        """Adds the records that could not be chosen before the last one was known; returns the errors of those that
        failed, with their ids."""
        if self._choice.max_pages is None:
            return []
        errors = []
        for record in split_by_site(self._waiting, self._choice.max_pages)[0]:
            try:
                self._pass(record)
            except RecordError as error:
                errors.append(f"{record.get('id')}: {error}")
        return errors

    def _pass(self, record: Record) -> Record:
        self.digest.add(record)
        return self._trainer.add(record)
