"""Which records a trainer learns from: those of one language, and of complete sites.

chosen = ChosenRecords(trainer, lang="pl", max_pages=50)
for record in records:
    chosen.add(record)
chosen.finish()
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from ..dataset.gold import domain
from ..errors import RecordError
from ..record import Record
from .base import Trainer
from .fingerprint import RecordDigest

# Second-level domains below which sites register, as in .co.uk.
PUBLIC_SECOND_LEVEL = frozenset(("com", "net", "org", "gov", "edu", "co", "kiev", "city"))


class ChosenRecords:
    """Passes records to a trainer, and keeps a digest of those it passed: the records with this `lang`; of these, pages
    of complete sites, at most *max_pages* (see `split_by_site`)."""

    def __init__(self, trainer: Trainer, lang: str | None = None, max_pages: int | None = None) -> None:
        self._trainer, self._lang, self._max_pages = trainer, lang, max_pages
        self._waiting: list[Record] = []  # until all sites are known
        self.digest = RecordDigest()

    def add(self, record: Record) -> Record:
        """Adds a record if it is chosen; returns what the trainer returns, or the record. Raises RecordError."""
        if self._lang is not None and record.get("lang") != self._lang:
            return record
        if self._max_pages is None:
            return self._pass(record)
        self._waiting.append(record)
        return record

    def finish(self) -> list[str]:
        """Adds the records that could not be chosen before the last one was known; returns the errors of those that
        failed, with their ids."""
        if self._max_pages is None:
            return []
        errors = []
        for record in split_by_site(self._waiting, self._max_pages)[0]:
            try:
                self._pass(record)
            except RecordError as error:
                errors.append(f"{record.get('id')}: {error}")
        return errors

    def _pass(self, record: Record) -> Record:
        self.digest.add(record)
        return self._trainer.add(record)


def split_by_site(records: Sequence[Record], max_pages: int) -> tuple[list[Record], list[Record]]:
    """At most *max_pages* of the records, of complete sites, the same for everybody; and the rest. The pages of a site
    follow one another.

    Registered domains are taken in the order of their SHA-256 digests, each if all its pages still fit.
    """
    sites: dict[str, list[Record]] = {}
    for record in records:
        sites.setdefault(registered_domain(domain(record)), []).append(record)
    chosen: set[str] = set()
    left = max_pages
    for site in sorted(sites, key=lambda site: hashlib.sha256(site.encode("utf-8", "replace")).hexdigest()):
        if len(sites[site]) <= left:
            chosen.add(site)
            left -= len(sites[site])
    parts: tuple[list[Record], list[Record]] = ([], [])
    for site, pages in sites.items():
        parts[site not in chosen].extend(pages)
    return parts


def registered_domain(host: str) -> str:
    """The registered domain, approximately: two labels, or three below suffixes such as .co.uk."""
    labels = host.split(".")
    return ".".join(labels[-3:] if len(labels) > 2 and labels[-2] in PUBLIC_SECOND_LEVEL else labels[-2:])
