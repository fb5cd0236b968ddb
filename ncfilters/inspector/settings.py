"""What the controls of the inspector say: the model, what counts as content, how segments are decided, the form.

Settings.of_query({"model": "xx", "favour": "recall", "threshold": ""}).policy    # PolicyOptions(favour="recall")
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from ..errors import UsageError
from ..roles import DEFAULT_POLICY
from ..scoring.auto import AUTO
from ..selection.formats import OUTPUT_FORMS
from ..selection.options import ContentOptions, PolicyOptions

MAX_BITS = 1000.0


@dataclass(frozen=True)
class Settings:
    """The settings of one view."""

    model: str = AUTO
    policy: PolicyOptions = PolicyOptions()
    form: str = "plain"  # one of OUTPUT_FORMS

    @classmethod
    def of_query(cls, query: Mapping[str, str], default: Settings | None = None) -> Settings:
        """The settings that a query gives; those of *default* where it says nothing. Raises UsageError."""
        default = default or cls()
        form = query.get("form", default.form)
        if form not in OUTPUT_FORMS:
            raise UsageError(f"form: expected {', '.join(OUTPUT_FORMS)}, got {form[:40]!r}")
        try:
            content = ContentOptions(
                query.get("policy", DEFAULT_POLICY), _roles(query.get("with", "")), _roles(query.get("without", ""))
            )
            policy = PolicyOptions(
                query.get("decide", "auto"),
                _bits(query.get("threshold", "")),
                favour=query.get("favour", "balance"),
                content=content,
            )
        except ValueError as error:
            raise UsageError(str(error)) from None
        return cls(query.get("model", "") or default.model, policy, form)


def _roles(text: str) -> frozenset[str]:
    return frozenset(filter(None, text.split(",")))


def _bits(text: str) -> float | None:
    if not text.strip():
        return None
    try:
        bits = float(text)
    except ValueError:
        bits = math.nan
    if not abs(bits) <= MAX_BITS:
        raise UsageError(f"threshold: expected a number of bits, got {text[:40]!r}")
    return bits
