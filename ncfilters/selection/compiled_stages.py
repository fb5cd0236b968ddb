"""nc-score and nc-select on the segments of a page in one go, without a dictionary for each segment.

    stages = CompiledStages(LineModels(["en"]), selector)
    stages({"html": "…"}, {"head": {…}, "segments": […]})    # an Outcome with `text`; None: see below

The segments are a line of JSON in memory, which the compiled cores score and select from (see `scoring.line_scorer` and
`line_selector`). Where something is unusual, there is no outcome: the stages themselves are to do it.
"""

from __future__ import annotations

from collections.abc import Callable

import orjson

from ..features.document import Head
from ..record import Record
from ..scoring.line_scorer import LineModel
from ..streams.stages import Outcome
from .columns import read_line
from .line_selector import LineSelector

# Fields of the input that say what the segments are, or that the stages write.
_OTHER_INPUTS = frozenset(("segments", "blocks", "page", "models"))


class CompiledStages:
    """What becomes of a page that has been segmented; *model_of* gives the model that scores it, if it scores lines."""

    def __init__(self, model_of: Callable[[Record], LineModel | None], selector: LineSelector) -> None:
        self._model_of, self._selector = model_of, selector

    def __call__(self, given: Record, segmented: Record) -> Outcome | None:
        """The outcome of a page from its record before segmentation and after; None where the stages are to find it."""
        if "html" not in given or not _OTHER_INPUTS.isdisjoint(given) or (model := self._model_of(segmented)) is None:
            return None
        fields = {name: value for name, value in segmented.items() if name != "segments"}
        try:
            line = orjson.dumps({"segments": segmented["segments"]})
        except TypeError:  # lone surrogates
            return None
        scored = model.compiled.score_line(line, lambda head, url: Head.of_record(fields), b"")
        found = scored and read_line(scored[0], self._selector.policy.score_field)
        if not found:
            return None
        written, columns = found
        if page := written.get("page"):
            fields["page"] = page
        if model.signature:
            fields["models"] = [model.signature]
        selected = self._selector.select(fields, columns)
        return None if selected is None else Outcome(selected.result)
