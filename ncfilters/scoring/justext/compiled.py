"""jusText's rules compiled: lines of JSON to classes in C, where there is a core.

    model = compiled_rules(rules.header(), {})    # None where there is no core
    model.score_line(line, head_of, b"")    # the line with classes; None: see `structure.compiled`

The Python code is the reference (`rules`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from ..compiled_core import LineScoringModel, scoring_core
from .rules import CLASS_SCORES, CLASSES, JusTextRules


def compiled_rules(header: Mapping[str, Any], arrays: Mapping[str, memoryview]) -> LineScoringModel | None:
    """The model of the core for the parameters in a file's header; None if there is no core, and for the Java edition,
    words of characters and *short_pages*, which Python does."""
    core = scoring_core()
    if core is None:
        return None
    try:
        rules = JusTextRules.from_parts(dict(header), {})
        p = rules.parameters
        if p.variant == "java" or p.spaceless or p.short_pages:
            return None
        copyright_length = -1 if p.copyright_length is None else p.copyright_length
        lengths = p.length_low, p.length_high, copyright_length
        shares = p.stopwords_low, p.stopwords_high, p.max_link_density
        words, written = sorted(rules.words), tuple(map(_written, CLASSES))
        model: LineScoringModel = core.Rules(words, written, *lengths, *shares, p.select_exact, p.list_items)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        return None
    return model


def _written(name: str) -> bytes:
    """What is written of a class, up to the link density."""
    return b',"score":%b,"class":%b,"link_density":' % (orjson.dumps(CLASS_SCORES[name]), orjson.dumps(name))
