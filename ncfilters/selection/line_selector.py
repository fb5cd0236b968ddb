"""Selection from lines of JSON, of which only the fields are decoded that the decision and the form read.

    parse = line_parser(policy, SelectionOptions(), quality_model=None)
    parse(b'{"segments": [{"text": "Some text.", "type": "p", "score": 2.0}]}').result    # {"text": "Some text."}

This needs the compiled core (see `columns`). What it does not read is parsed as other records are, and selected later.
"""

from __future__ import annotations

from collections.abc import Callable

from ..errors import RecordError
from ..record import Record, check
from ..scoring.quality import QualityModel
from ..streams.json_lines import parse_line
from .column_policy import column_policy_of
from .columns import read_line, selection_core
from .decision import DecisionPolicy
from .selector import SelectionOptions, needs_all_segments, select_columns


class Selected(dict[str, object]):
    """A record whose text has been selected when its line was read: the fields that were read, and the *result*, which
    is None for a record that is dropped."""

    result: Record | None


def line_parser(
    policy: DecisionPolicy,
    options: SelectionOptions,
    quality_model: QualityModel | None,
    accepts: Callable[[Record], bool] = lambda document: True,
    finish: Callable[[Record], Record | None] = lambda selected: selected,
) -> Callable[[bytes], Record | RecordError] | None:
    """What makes a record of a line: a `Selected` where it can, with what *finish* returns for the text of a record
    that *accepts* accepts. None without a core, and for options that need all segments."""
    own = column_policy_of(policy)
    if own is None or needs_all_segments(options) or selection_core() is None:
        return None

    def parse(line: bytes) -> Record | RecordError:
        found = read_line(line, own.score_field)
        if found is None:
            return parse_line(line)
        document, columns = found
        out = Selected(document)
        out.result = None
        try:
            check(document)
            if accepts(document):
                result = select_columns(document, columns, own, options, quality_model)
                if result is None:
                    return parse_line(line)
                out.result = finish(result)
        except Exception:  # it comes again, with the whole record
            return parse_line(line)
        return out

    return parse
