"""The trainer of quality models: word precision on features of a page, validated on sites left out.

    trainer = QualityTrainer()
    for record in records:                 # as nc-train --cv --scored writes them
        trainer.add(record)
    trainer.write(Path("mine.model"), {"language": "en"})

The model and its features are in `scoring.quality`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from .. import record
from ..dataset.gold import domain, gold_of
from ..dataset.labelling import matched_words
from ..record import Record
from ..scoring import registry
from ..scoring.quality import FEATURES, QualityModel, decided_page, features
from ..selection.decision import DecisionPolicy, page_evidence, policy

# What a model predicts, as its header describes it.
NORMALISED = "segments as they were scored; word precision of those above 0, without a rule"
# The ridge penalty, in pages: features of length are correlated, and no weight may grow to cancel another.
RIDGE_PAGES = 1.0
# With fewer pages for each feature, a fit models their noise.
MIN_PAGES_PER_FEATURE = 5
FOLDS = 10
# Decimals of weights: further ones differ from one machine to another.
DECIMALS = 6


class QualityTrainer:
    """Trains a quality model on the features and the word precision of pages."""

    def __init__(self) -> None:
        self._policy = policy()
        self._pages = 0
        self._rows: list[list[float]] = []
        self._precisions: list[float] = []
        self._sites: list[str] = []

    def add(self, record: Record) -> None:
        """Adds a page with gold text and scored segments. Raises RecordError."""
        example = quality_example(record, self._policy)
        self._pages += 1
        if example:
            self._rows.append(example[0])
            self._precisions.append(example[1])
            self._sites.append(domain(record))

    def counts(self) -> dict[str, int]:
        """The numbers of pages, of pages left out, and of sites."""
        left_out = {"pages left out, without kept text or gold": self._pages - len(self._rows)}
        return {"pages": self._pages, **left_out, "sites": len(set(self._sites))}

    def write(self, path: Path, about: dict[str, Any]) -> dict[str, Any]:
        """Writes the model; its header, with the goodness of fit on held-out sites. Raises ValueError for too few pages
        or sites, and OSError."""
        min_pages = MIN_PAGES_PER_FEATURE * len(FEATURES)
        if len(self._rows) < min_pages:
            raise ValueError(
                f"too few pages to predict quality from: {len(self._rows)}; at least {min_pages} are needed"
            )
        held_out = held_out_predictions(self._rows, self._precisions, self._sites)
        goodness = goodness_of_fit(held_out, self._precisions)
        model = fit(self._rows, self._precisions)
        return registry.write_model(path, model, {**about, "normalised": NORMALISED, "held out": goodness})


def quality_example(page: Record, decide: DecisionPolicy) -> tuple[list[float], float] | None:
    """The features and the word precision (0 to 1) of a page with scored `segments` and `gold`. None where nothing is
    kept, or where the gold text has no word.

    The precision is the share of the words that *decide* keeps that is in their longest common subsequence with the
    gold text (`labelling.matched_words`; NCleaner, section 4, uses difflib's alignment). Raises RecordError.
    """
    gold = gold_of(page).plain
    segments = record.parts(page, "segments", {name: record.SEGMENT_FIELDS[name] for name in ("text", "score")})
    record.check_optional(segments, "segments", {name: record.SEGMENT_FIELDS[name] for name in ("path", "type")})
    kept = decide(segments, page_evidence(page))
    texts = [segment["text"] for segment, keep in zip(segments, kept) if keep]
    words, matched, gold_words = matched_words(texts, gold)
    if not any(words) or not gold_words:
        return None
    return features(decided_page(segments, kept)), sum(matched) / sum(words)


def held_out_predictions(
    rows: Sequence[Sequence[float]], precisions: Sequence[float], sites: Sequence[str]
) -> list[float]:
    """For each page the quality that a model fitted to the pages of other sites predicts, in FOLDS folds of sites.

    *sites* has the domain of each page: pages of a site share their template. Raises ValueError where all pages are
    of one site.
    """
    folds = [crc32(site.encode("utf-8", "replace")) % FOLDS for site in sites]
    out = [0.0] * len(rows)
    for fold in set(folds):
        others = [at for at, other in enumerate(folds) if other != fold]
        if not others:
            raise ValueError("all pages are of one site: quality is validated on other sites")
        model = fit([rows[at] for at in others], [precisions[at] for at in others])
        for at, own in enumerate(folds):
            if own == fold:
                out[at] = model.predict_row(rows[at])
    return out


def goodness_of_fit(predicted: Sequence[float], actual: Sequence[float]) -> dict[str, float]:
    """The share of variance explained (R²), the standard error, and Pearson's correlation. 0 where nothing varies."""
    estimated, true = np.array(predicted), np.array(actual)
    error = float(np.square(true - estimated).mean())
    variance, spread = float(true.var()), float(true.std() * estimated.std())
    covariance = float(((true - true.mean()) * (estimated - estimated.mean())).mean())
    return {
        "R²": round(1 - error / variance, 3) if variance else 0.0,
        "standard error": round(error**0.5, 3),
        "correlation": round(covariance / spread, 3) if spread else 0.0,
    }


def fit(rows: Sequence[Sequence[float]], precisions: Sequence[float]) -> QualityModel:
    """The ridge regression of *precisions* (0 to 1, one for each page) on *rows* (pages × FEATURES)."""
    values = np.array(rows, np.float64)
    target = np.array(precisions, np.float64)
    known = np.isfinite(values)
    means = np.where(known, values, 0).sum(0) / np.maximum(known.sum(0), 1)
    centred = np.where(known, values - means, 0)
    scale = centred.std(0)
    scale[scale == 0] = 1
    # the penalty as data: further pages that have the mean precision whatever a feature's value
    penalty = np.eye(len(FEATURES)) * RIDGE_PAGES**0.5
    design = np.concatenate([centred / scale, penalty])
    coefficients = np.linalg.lstsq(
        design, np.concatenate([target - target.mean(), np.zeros(len(penalty))]), rcond=None
    )[0]
    weights = coefficients / scale
    # the residual standard error of predictions, clipped as the model clips them
    residuals = target - (design[: len(rows)] @ coefficients + target.mean()).clip(0, 1)
    sd = _round((residuals @ residuals / (len(target) - len(FEATURES) - 1)) ** 0.5)
    return QualityModel(_by_name(weights), _by_name(means), _round(target.mean() - weights @ means), sd, len(rows))


def _by_name(values: NDArray[Any]) -> dict[str, float]:
    return {name: _round(value) for name, value in zip(FEATURES, values)}


def _round(value: Any) -> float:
    return round(float(value), DECIMALS) + 0.0  # no -0.0
