"""Platt scaling: turns the logits of a network into calibrated log odds (Platt 1999).

factor, shift = fit_calibration(logits, labels, weights)
log_odds = logits * factor + shift
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

# If the labels of held-out pages are separable, no finite factor is the best.
MAX_FACTOR = 2.0


def fit_calibration(logits: NDArray[Any], labels: NDArray[Any], weights: NDArray[Any]) -> tuple[float, float]:
    """The factor and the shift of *logits* that minimise the weighted cross-entropy of *labels* (0 or 1), rounded to
    four decimals. The logits must come from models that have not seen the labels."""
    logits = logits.astype(np.float64)
    weights = weights / weights.sum()

    def loss(parameters: Any) -> float:
        scaled = logits * parameters[0] + parameters[1]
        return float(((np.logaddexp(0, scaled) - labels * scaled) * weights).sum())

    fitted = minimize(loss, [1.0, 0.0], method="Nelder-Mead", options={"xatol": 1e-4, "fatol": 1e-8})
    return round(min(float(fitted.x[0]), MAX_FACTOR), 4), round(float(fitted.x[1]), 4)
