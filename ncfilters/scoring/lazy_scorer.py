"""A scorer whose models are loaded when the first record needs them: with numpy, which pages do without whose segments
are scored as JSON (see `line_scorer`).

    score = LazyScorer(["en"])
    score([{"segments": [{"text": "Is this clean?"}]}])    # as `Scorer`
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from ..errors import RecordError
from ..record import Record
from . import registry
from .scorer import Scorer


class LazyScorer:
    """A `Scorer` with the models of these *names*."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names

    def __call__(self, records: list[Record]) -> list[Record | RecordError]:
        """The records with scores, and an error in place of each that cannot be scored. Raises ModelError."""
        return self._scorer(records)

    @cached_property
    def _scorer(self) -> Scorer:
        return Scorer([registry.load_named(name) for name in self._names])
