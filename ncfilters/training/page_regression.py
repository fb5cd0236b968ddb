"""How the structure kind learns of whole pages: two logistic regressions (see `whole`), fitted by L-BFGS.

    whole = fit(examples, "article article forum".split())

Pages with content are the training pages whose gold has words. Those without are the ones whose gold is empty and, as
these are rare, pages with all that is clean taken away: what remains of an article without its text is much like a
login wall. Both kinds together weigh the same, so that odds are those at even odds beforehand.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..scoring.structure.page_classifier import ODDS, TYPICAL, Whole

Doubles = NDArray[np.float64]

# Ridges, chosen on held-out sites of the development pages. A type that fewer pages have is none.
ODDS_RIDGE, TYPES_RIDGE, LEAST = 1e-3, 3e-2, 10
# Numbers are taken as standard deviations from the mean, and no smaller deviation than this is one.
SMALLEST = 1e-3


def fit(evidence: Doubles, content: NDArray[np.bool_], rows: Doubles, types: Sequence[str | None]) -> Whole:
    """The regressions: of *evidence* (pages, ODDS) on whether there is *content*; of *rows* (other pages, TYPICAL) on
    *types*, None where it is not known. With a class missing the odds are those of nothing known: 0."""
    odds = np.zeros((len(ODDS) + 1, 2))
    if 0 < content.sum() < len(content):
        odds = regression(evidence, content.astype(np.int64), 2, ODDS_RIDGE, even=True)
    names = sorted({name for name in types if name is not None and types.count(name) >= LEAST})
    known = [place for place, name in enumerate(types) if name in names]
    weights = np.zeros((TYPICAL + 1, len(names) if len(names) > 1 else 0))
    if len(names) > 1:
        labels = np.array([names.index(str(types[place])) for place in known])
        weights = regression(rows[known], labels, len(names), TYPES_RIDGE)
    return Whole(odds[:, 1] - odds[:, 0], names if len(names) > 1 else [], weights)


def regression(rows: Doubles, labels: NDArray[np.int64], classes: int, ridge: float, *, even: bool = False) -> Doubles:
    """The weights of a multinomial logistic regression of *labels* on *rows*, a column for each of the *classes*, the
    constants last. *even*: each class weighs the same, however many rows it has."""
    from scipy.optimize import minimize

    means, scales = rows.mean(axis=0), 1 / np.maximum(rows.std(axis=0), SMALLEST)
    scaled = (rows - means) * scales
    wanted = np.eye(classes)[labels]
    weights = 1 / np.bincount(labels, minlength=classes)[labels] if even else np.ones(len(labels))
    weights = (weights / weights.sum())[:, None]

    def loss(flat: Doubles) -> tuple[float, Doubles]:
        parameters = flat.reshape(-1, classes)
        found = scaled @ parameters[:-1] + parameters[-1]
        found = found - found.max(axis=1, keepdims=True)
        found = found - np.log(np.exp(found).sum(axis=1, keepdims=True))
        errors = (np.exp(found) - wanted) * weights
        slopes = np.vstack([scaled.T @ errors + 2 * ridge * parameters[:-1], errors.sum(axis=0)])
        return float(-(wanted * found * weights).sum() + ridge * (parameters[:-1] ** 2).sum()), slopes.ravel()

    start = np.zeros((rows.shape[1] + 1) * classes)
    fitted = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 500}).x.reshape(-1, classes)
    out: Doubles = np.vstack([fitted[:-1] * scales[:, None], fitted[-1] - (means * scales) @ fitted[:-1]])
    return out
