"""Scoring of lines of JSON, whose segments are read where they are, and whose other bytes stay.

    parse = line_parser([registry.load_named("en")])
    parse(b'{"segments":[{"text":"Some text.","path":"body/p"}]}\\n').line    # b'{"segments":[{…,"score":2.1}],…}\\n'

This needs the compiled core of a structure model. It reads lines as the filters write them. Others are parsed as other
records are, and scored later; these records are the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import orjson

from ..errors import RecordError
from ..features.document import Head
from ..record import Record
from ..streams.json_lines import WrittenLine, parse_line
from .base import LineScoringModel, NamedModel


def line_parser(models: Sequence[NamedModel]) -> Callable[[bytes], Record | RecordError] | None:
    """What makes a record of a line: a `WrittenLine` with scores where it can. None without a core, and for several
    models."""
    model = models[0].model
    if len(models) > 1 or not isinstance(model, LineScoringModel) or model.compiled is None:
        return None
    score_line = model.compiled.score_line
    signatures = orjson.dumps([models[0].signature]) if models[0].signature else b""

    def parse(line: bytes) -> Record | RecordError:
        scored = score_line(line, head_of, signatures)
        if scored is None:
            return parse_line(line)
        out = WrittenLine()
        out.line, language, probability = scored
        if language is not None:
            out["lang"] = orjson.loads(language)
        if probability is not None:
            out["lang_probability"] = orjson.loads(probability)
        return out

    return parse


def head_of(head: bytes | None, url: bytes | None) -> Head:
    """The head that the JSON of the fields `head` and `url` gives."""
    fields: dict[str, Any] = {"head": head and orjson.loads(head), "url": url and orjson.loads(url)}
    return Head.of_record(fields)
