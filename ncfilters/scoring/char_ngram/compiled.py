"""N-gram models compiled: lines of JSON to scores in C, where there is a core.

    model = compiled_ngrams(header["parameters"], arrays)    # None where there is no core
    model.score_line(line, head_of, b"")    # the line with scores; None: see `structure.compiled`

The Python code is the reference (`model`, `odds_table`, `neighbour_smoothing`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

from ..compiled_core import LineScoringModel, scoring_core
from .folding import Folding
from .parameters import MAX_COUNT, check_parameters


def compiled_ngrams(header: Mapping[str, Any], arrays: Mapping[str, memoryview]) -> LineScoringModel | None:
    """The model of the core for the parameters in a file's header and the bytes of its arrays, without numpy; None if
    there is no core, and for parts that do not fit, of which `CharNgramModel.from_parts` says why."""
    core = scoring_core()
    if core is None or sys.byteorder != "little":
        return None
    try:
        folding = Folding(header["folding"], header.get("characters", ""))
        size = len(folding.symbols)
        numbers = header["n"], float(header["q"]), float(header.get("bias", 0)), float(header.get("context", 0))
        check_parameters(*numbers, size)
        other = folding.other if folding.name == "ascii" else -1
        counts = arrays["keys"], arrays["clean"], arrays["dirty"]
        alphabet = size, folding.ascii, other, _by_code(folding)
        model: LineScoringModel = core.Ngrams(*numbers, *alphabet, *counts, MAX_COUNT)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        return None
    return model


def _by_code(folding: Folding) -> Callable[[int], int]:
    """The number of the symbol of a code point."""
    return lambda code: folding.number(chr(code))
