"""The interface of trainers, which nc-train uses for every kind of model.

trainer: Trainer = NgramTrainer(NgramOptions(n=3, q=0.5))
trainer.add({"gold": "Some text.", "html": "<p>Some text.</p><p>Home</p>"})
trainer.write(Path("my.model"), {"language": "en"})
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from ..dataset.labelled_pages import LabelledPage, LabelledPages
from ..record import Record
from ..scoring.base import Model

# Reports the number of steps that are done.
StepsDone = Callable[[int], None]
# Starts a report on a number of steps, given with their unit, such as folds.
ProgressReport = Callable[[int, str], StepsDone]


class Trainer(Protocol):
    """Learns from records as they come, then writes a model."""

    def add(self, record: Record) -> Record:
        """Adds a record to the training data and returns it. Raises RecordError."""

    def counts(self) -> dict[str, int]:
        """The size of the training data, for the model card."""

    def write(self, path: Path, about: dict[str, Any]) -> dict[str, Any]:
        """Trains on all records and writes the model file; returns its header, *about* included. Raises ValueError
        if there is no training data, and OSError."""


class PageTrainer(Trainer, Protocol):
    """A trainer whose models can be cross-validated on labelled pages."""

    pages: list[LabelledPage]

    def train(self, pages: LabelledPages) -> Model:
        """A model of some of the pages. Raises ValueError if there is no training data."""


def no_progress(total: int, unit: str) -> StepsDone:
    """A ProgressReport that reports nothing."""
    return lambda done: None
