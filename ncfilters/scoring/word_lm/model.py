"""The word n-gram kind of model: one class for each family of estimators.

from_parts(header["parameters"], arrays).perplexities(["The second sentence."])
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from .backoff import BackoffModel
from .interpolated import PROBABILITIES, InterpolatedModel


def from_parts(header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> InterpolatedModel | BackoffModel:
    """The model of a file's parameters and arrays. Raises KeyError, TypeError or ValueError where they do not fit
    together."""
    return (InterpolatedModel if header["estimator"] in PROBABILITIES else BackoffModel).from_parts(header, arrays)
