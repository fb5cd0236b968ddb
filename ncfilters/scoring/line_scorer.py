"""Scoring of lines of JSON, whose segments are read where they are, and whose other bytes stay.

    parse = line_parser(find_line_model("en"))
    parse(b'{"segments":[{"text":"Some text.","path":"body/p"}]}\\n').line    # b'{"segments":[{…,"score":2.1}],…}\\n'

This needs the compiled core, and an n-gram model or jusText's rules. It reads lines as the filters
write them. Others are parsed as other records are, and scored later; these records are the reference.
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
from .char_ngram.compiled import compiled_ngrams
from .compiled_core import LineScoringModel, scoring_core
from .justext.compiled import compiled_rules

# Bytes at the start of a file that name the kind of model.
KIND_BYTES = 200
# The end of the name of a stop list, which is a model of the kind `rules`.
STOPLIST_SUFFIX = ".txt"
# The JSON of `lang` without a language.
NO_LANGUAGE = (b"null", b'""')
# Choices that are remembered; probabilities have three decimals.
MAX_CHOICES = 1 << 12
# The kinds that score lines.
COMPILED_KINDS = {"ngram": compiled_ngrams, "rules": compiled_rules}


class LineModel(NamedTuple):
    """A model that scores lines: its name, signature and language (see `NamedModel`), and its compiled form."""

    name: str
    signature: str
    language: str
    compiled: LineScoringModel


# The compiled form of a model, and the JSON of the field `models`.
Choice = tuple[LineScoringModel, bytes]
# Chooses a model by the JSON of `lang` and of `lang_probability`, or None, and by whether the record is plain text. A
# record without a choice is left to Python.
Chooser = Callable[[bytes | None, bytes | None, bool], Choice | None]


def find_line_model(name: str) -> LineModel | None:
    """The model with that name or in that file, if there is a core, and it is a model that the core knows. It is made
    without numpy. Raises ModelError."""
    path = registry.find(name)
    compile_model = COMPILED_KINDS.get(_kind(path))
    if compile_model is None:
        return None
    try:
        if path.suffix == STOPLIST_SUFFIX:
            header, arrays = registry.read_model(path)[0], {}
        else:
            header, payload = registry.read_parts(path)
            arrays = file_format.buffers_in(header, payload)
        compiled = compile_model(header["parameters"], arrays)
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
        self._choices: dict[tuple[bytes, bytes | None, bool], Choice | None] = {}

    def __call__(self, record: Record, is_plain: bool = False) -> LineModel | None:
        """The model for a record of a page, or of plain text; *record* may lack its segments."""
        name = self._name
        if self._auto:
            name = self._auto.name_of(record.get("lang"), record.get("lang_probability", 1), is_plain)
        if name not in self._models:
            try:
                self._models[name] = find_line_model(name)
            except ModelError:  # loading says so
                self._models[name] = None
        return self._models[name]

    def choose(self, lang: bytes | None, probability: bytes | None, is_plain: bool) -> Choice | None:
        """The same for the JSON of `lang` and `lang_probability` (see `Chooser`); None for a record without a language,
        which is to be identified."""
        if lang is None or lang in NO_LANGUAGE:
            return None
        given = lang, probability, is_plain
        if given not in self._choices:
            number = 1 if probability is None else orjson.loads(probability)
            model = self({"lang": orjson.loads(lang), "lang_probability": number}, is_plain)
            if len(self._choices) >= MAX_CHOICES:
                self._choices.clear()
            self._choices[given] = choice_of(model) if model else None
        return self._choices[given]


def choice_of(model: LineModel) -> Choice:
    """A model as it is given to the core."""
    return model.compiled, orjson.dumps([model.signature])


def line_parser(choice: Choice | Chooser) -> Callable[[bytes], Record | RecordError]:
    """What makes a record of a line: a `WrittenLine` with scores where it can. The core must be there."""
    score_line = scoring_core().score_line

    def parse(line: bytes) -> Record | RecordError:
        scored = score_line(line, choice, head_of)
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


def _kind(path: Path) -> str:
    """The kind of model that a file begins as; empty if that is none that scores lines."""
    if path.suffix == STOPLIST_SUFFIX:
        return "rules"
    try:
        with path.open("rb") as file:
            start = file.read(KIND_BYTES)
    except OSError:  # loading says why
        return ""
    return next((kind for kind in COMPILED_KINDS if f'"kind": "{kind}"'.encode() in start), "")
