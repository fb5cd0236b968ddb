"""The trainer of quality models, from pages with gold text whose segments have scores.

trainer = QualityTrainer()
for record in records:                 # as nc-train --cv --scored writes them
    trainer.add(record)
trainer.write(Path("mine.model"), {"language": "en"})
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..dataset.gold import domain
from ..record import Record
from ..scoring import registry
from ..selection.policies import policy
from . import quality_regression

# What a model predicts, as its header describes it.
NORMALISED = "segments as they were scored; word precision of those above 0, without a rule"


class QualityTrainer:
    """Trains a quality model on the features and the word precision of pages."""

    def __init__(self) -> None:
        self._policy = policy()
        self._pages = 0
        self._rows: list[list[float]] = []
        self._precisions: list[float] = []
        self._sites: list[str] = []

    def add(self, record: Record) -> Record:
        """Adds a page with gold text and scored segments. Raises RecordError."""
        example = quality_regression.quality_example(record, self._policy)
        self._pages += 1
        if example:
            self._rows.append(example[0])
            self._precisions.append(example[1])
            self._sites.append(domain(record))
        return record

    def counts(self) -> dict[str, int]:
        """The numbers of pages, of pages left out, and of sites."""
        left_out = {"pages left out, without kept text or gold": self._pages - len(self._rows)}
        return {"pages": self._pages, **left_out, "sites": len(set(self._sites))}

    def write(self, path: Path, about: dict[str, Any]) -> dict[str, Any]:
        """Writes the model; its header, with the goodness of fit on held-out sites. Raises ValueError for too few pages
        or sites, and OSError."""
        model = quality_regression.fit(self._rows, self._precisions)
        held_out = quality_regression.held_out_predictions(self._rows, self._precisions, self._sites)
        goodness = quality_regression.goodness_of_fit(held_out, self._precisions)
        return registry.write_model(path, model, {**about, "normalised": NORMALISED, "held out": goodness})
