"""Structure models compiled: a page from its segments to its scores in C, where there is a core.

    model = compiled_model(parameters, page_classifier)    # None where there is no core
    model.score(segments, (head.title, head.description, head.names))    # the evidence and the page; None: see below

The Python code is the reference (`features`, `inference`, `page_classifier`). The core returns None for pages with
something unusual, such as a field of another type. Then the Python code scores the page, and raises the errors.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from itertools import accumulate
from math import isfinite
from typing import TYPE_CHECKING, Any, Protocol

from ...features.schema import FAMILIES, NAMES
from ...record import Segment
from ...roles import ROLES, score_field
from ..base import Evidence
from ..char_ngram.compiled import compiled_ngrams
from ..compiled_core import Head, LineScoringModel, scoring_core

if TYPE_CHECKING:  # numpy, which the scoring of lines does without
    from .page_classifier import PageClassifier
    from .parameters import StructureParameters

# The prefix of the n-gram model's arrays in files.
PLAIN_PREFIX = "plain."


class CompiledModel(LineScoringModel, Protocol):
    """A model of the core."""

    def score(self, segments: Sequence[Segment], head: Head) -> tuple[Evidence, dict[str, Any] | None] | None:
        """The evidence of segments and the classification of the page."""


def compiled_model(parameters: StructureParameters, page_classifier: PageClassifier | None) -> CompiledModel | None:
    """The model of the core; None if there is no core, or if it does not know such a model."""
    parts = {
        "names": list(parameters.names),
        "phrases": list(parameters.phrases),
        "policies": parameters.outputs.calibrations,
        "roles": list(ROLES) if parameters.outputs.roles else [],
        "types": page_classifier.names if page_classifier else [],
        "surroundings": parameters.surroundings,
        "arrays": {
            **{name: array.ravel() for name, array in parameters.network.weights.items()},
            "means": parameters.means,
            "scales": parameters.scales,
            **(page_classifier.arrays() if page_classifier else {}),
        },
        "plain": None,  # plain text is scored in Python
    }
    return _made(parts)


def compiled_of_file(header: Mapping[str, Any], arrays: Mapping[str, memoryview]) -> CompiledModel | None:
    """The same for the parameters in a file's header and the bytes of its arrays, without numpy; None also for parts
    that do not fit, of which `StructureModel.from_parts` says why."""
    try:
        fits = header["features"] == list(NAMES) and header.get("roles", list(ROLES)) == list(ROLES)
        if not fits or sys.byteorder != "little":
            return None
        policies = {str(name): (float(factor), float(shift)) for name, (factor, shift) in header["policies"].items()}
        if not all(isfinite(value) for pair in policies.values() for value in pair):
            return None
        parts = {
            "names": header["names"],
            "phrases": header["phrases"],
            "policies": policies,
            "roles": header.get("roles", []),
            "types": header["whole"]["types"] if "whole" in header else [],
            "surroundings": "around" not in header.get("without", ()),
            "arrays": dict(arrays),
            "plain": compiled_ngrams(header["plain"], _plain_arrays(arrays)),
        }
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
    return _made(parts)


def _plain_arrays(arrays: Mapping[str, memoryview]) -> dict[str, memoryview]:
    return {name.removeprefix(PLAIN_PREFIX): data for name, data in arrays.items() if name.startswith(PLAIN_PREFIX)}


def _made(parts: dict[str, Any]) -> CompiledModel | None:
    """The model of the core of these parts; None if there is no core, or if it does not know such a model."""
    core = scoring_core()
    if core is None:
        return None
    policies = parts["policies"]
    whole: dict[str, Any] = {
        **parts,
        "starts": [*accumulate(map(len, FAMILIES.values()), initial=0)],
        "policies": list(policies.values()),
        "score_fields": ["score", *map(score_field, list(policies)[1:])],
    }
    try:
        model: CompiledModel = core.Model(whole)
    except (ValueError, TypeError, KeyError):
        return None
    return model
