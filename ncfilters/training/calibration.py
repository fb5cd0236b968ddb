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
_PRECISION = {"xatol": 1e-4, "fatol": 1e-8}


def fit_calibration(logits: NDArray[Any], labels: NDArray[Any], weights: NDArray[Any]) -> tuple[float, float]:
    """The factor and the shift of *logits* that minimise the weighted cross-entropy of *labels* (0 or 1), rounded to
    four decimals. The logits must come from models that have not seen the labels."""
    logits = logits.astype(np.float64)
    weights = weights / weights.sum()

    def loss(parameters: Any) -> float:
        scaled = logits * parameters[0] + parameters[1]
        return float(((np.logaddexp(0, scaled) - labels * scaled) * weights).sum())

    factor, shift = minimize(loss, [1.0, 0.0], method="Nelder-Mead", options=_PRECISION).x.tolist()
    if factor > MAX_FACTOR:  # the shift for a larger factor does not fit
        factor = MAX_FACTOR
        shift = minimize(lambda free: loss([factor, free[0]]), [0.0], method="Nelder-Mead", options=_PRECISION).x[0]
    return round(factor, 4), round(float(shift), 4)
