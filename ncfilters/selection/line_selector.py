"""Selection from lines of JSON, of which only the fields are decoded that the decision and the form read.

    selector = line_selector(policy, SelectionOptions(), quality_model=None)
    selector.parse(b'{"segments": [{"text": "A text.", "type": "p", "score": 2.0}]}').result    # {"text": "A text."}

This needs the compiled core (see `columns`). What it does not read is parsed as other records are, and selected later.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ..errors import RecordError
from ..record import Record, check
from ..scoring.quality import QualityModel
from ..streams.json_lines import parse_line
from .column_policy import ColumnPolicy, column_policy_of
from .columns import Columns, read_line, selection_core
from .decision import DecisionPolicy
from .selector import SelectionOptions, needs_all_segments, select_columns


class Selected(dict[str, object]):
    """A record whose text has been selected when its line was read: the fields that were read, and the *result*, which
    is None for a record that is dropped."""

    result: Record | None


class LineSelector(NamedTuple):
    """Selects with what *finish* returns for the text of a record that *accepts* accepts."""

    policy: ColumnPolicy
    options: SelectionOptions
    quality_model: QualityModel | None
    accepts: Callable[[Record], bool]
    finish: Callable[[Record], Record | None]

    def parse(self, line: bytes) -> Record | RecordError:
        """What is on a line: a `Selected` where it can be selected from, else the record."""
        found = read_line(line, self.policy.score_field)
        selected = self.select(*found) if found else None
        return parse_line(line) if selected is None else selected

    def select(self, document: Record, columns: Columns) -> Selected | None:
        """The text of a record, which may lack segments without markup, from their *columns*; None where it is to be
        selected otherwise, which says what is wrong."""
        out = Selected(document)
        out.pop("segments", None)
        out.result = None
        try:
            check(document)
            if self.accepts(document):
                result = select_columns(document, columns, self.policy, self.options, self.quality_model)
                if result is None:
                    return None
                out.result = self.finish(result)
        except Exception:  # it comes again, with the whole record
            return None
        return out


def line_selector(
    policy: DecisionPolicy,
    options: SelectionOptions,
    quality_model: QualityModel | None,
    accepts: Callable[[Record], bool] = lambda document: True,
    finish: Callable[[Record], Record | None] = lambda selected: selected,
) -> LineSelector | None:
    """What selects from lines (see `LineSelector`). None without a core, and for options that need all segments."""
    own = column_policy_of(policy)
    if own is None or needs_all_segments(options) or selection_core() is None:
        return None
    return LineSelector(own, options, quality_model, accepts, finish)
