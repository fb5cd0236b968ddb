"""Structure models compiled: a page from its segments to its scores in C, where there is a core.

    model = compiled_model(parameters, page_classifier)    # None where there is no core
    model.score(segments, (head.title, head.description, head.names))    # the evidence and the page; None: see below

The Python code is the reference (`features`, `inference`, `page_classifier`). The core returns None for pages with
something unusual, such as a field of another type. Then the Python code scores the page, and raises the errors.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import accumulate
from math import isfinite
from typing import TYPE_CHECKING, Any, Protocol

from ...features.categories import CATEGORIES
from ...features.schema import FAMILIES, NAMES
from ...page import compiled_core
from ...record import Segment
from ...roles import ROLES, score_field
from ..base import Evidence

if TYPE_CHECKING:  # numpy, which the scoring of lines does without
    from .page_classifier import PageClassifier
    from .parameters import StructureParameters

Head = tuple[str, str, tuple[str, ...]]


class CompiledModel(Protocol):
    """A model of the core."""

    def score(self, segments: Sequence[Segment], head: Head) -> tuple[Evidence, dict[str, Any] | None] | None:
        """The evidence of segments and the classification of the page."""

    def score_line(
        self, line: bytes, head_of: Callable[[bytes | None, bytes | None], Head], models: bytes
    ) -> tuple[bytes, bytes | None, bytes | None] | None:
        """A record on a line of JSON with all that is written; and the JSON of its `lang` and `lang_probability`.

        *head_of* returns the head that the JSON of the fields `head` and `url` gives; *models* is the JSON of `models`.
        """


@cache
def scoring_core() -> Any:
    """The compiled core, or None (see `compiled_core.chosen`)."""
    return compiled_core.chosen(lambda: compiled_core.load("ncfilters.scoring._core"))


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
        }
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
    return _made(parts)


def _made(parts: dict[str, Any]) -> CompiledModel | None:
    """The model of the core of these parts; None if there is no core, or if it does not know such a model."""
    core = scoring_core()
    if core is None:
        return None
    policies = parts["policies"]
    whole: dict[str, Any] = {
        **parts,
        "starts": [*accumulate(map(len, FAMILIES.values()), initial=0)],
        "categories": list(CATEGORIES.values()),
        "policies": list(policies.values()),
        "score_fields": ["score", *map(score_field, list(policies)[1:])],
    }
    try:
        model: CompiledModel = core.Model(whole)
    except (ValueError, TypeError, KeyError):
        return None
    return model
