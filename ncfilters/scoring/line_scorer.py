"""Scoring of lines of JSON, whose segments are read where they are, and whose other bytes stay.

    parse = line_parser(find_line_model("en"))
    parse(b'{"segments":[{"text":"Some text.","path":"body/p"}]}\\n').line    # b'{"segments":[{…,"score":2.1}],…}\\n'

This needs the compiled core of a structure model. It reads lines as the filters write them. Others are parsed as other
records are, and scored later; these records are the reference.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from ..errors import ModelError, RecordError
from ..features.document import Head
from ..record import Record
from ..streams.json_lines import WrittenLine, parse_line
from . import file_format, registry
from .auto import AutoScorer
from .structure.compiled import CompiledModel, compiled_of_file

# Bytes at the start of a file that name the kind of model.
KIND_BYTES = 200


class LineModel(NamedTuple):
    """A model that scores lines: its name, signature and language (see `NamedModel`), and its compiled form."""

    name: str
    signature: str
    language: str
    compiled: CompiledModel


def find_line_model(name: str) -> LineModel | None:
    """The model with that name or in that file, if there is a core, and it is a structure model that the core knows. It
    is made without numpy. Raises ModelError."""
    path = registry.find(name)
    if not _is_structure(path):
        return None
    header, payload = registry.read_parts(path)
    try:
        compiled = compiled_of_file(header["parameters"], file_format.buffers_in(header, payload))
    except ValueError:
        return None
    if compiled is None:
        return None
    signature = registry.signature(registry.model_name(path), header)
    return LineModel(name, signature, header.get("language", ""), compiled)


class LineModels:
    """The model for each record: the one with that *name* or in that file; or for AUTO (see `AutoScorer`) the best one
    for the language of the page. None where this does not score lines. A model is read when it is needed."""

    def __init__(self, name: str, auto: AutoScorer | None = None) -> None:
        self._name, self._auto = name, auto
        self._models: dict[str, LineModel | None] = {}

    def __call__(self, record: Record) -> LineModel | None:
        name = self._auto.model_of_page(record) if self._auto else self._name
        if name not in self._models:
            try:
                self._models[name] = find_line_model(name)
            except ModelError:  # loading says so
                self._models[name] = None
        return self._models[name]


def line_parser(model: LineModel) -> Callable[[bytes], Record | RecordError]:
    """What makes a record of a line: a `WrittenLine` with scores where it can."""
    score_line = model.compiled.score_line
    signatures = orjson.dumps([model.signature])

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


def _is_structure(path: Path) -> bool:
    """Whether a file begins as that of a structure model."""
    try:
        with path.open("rb") as file:
            return b'"kind": "structure"' in file.read(KIND_BYTES)
    except OSError:  # loading says why
        return False
