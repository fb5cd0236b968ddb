"""Scoring of lines: what is written of a line is what is written of its record, or the line is left to Python."""

from __future__ import annotations

import random
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ncfilters.errors import ModelError
from ncfilters.record import VERSION, Record
from ncfilters.scoring import file_format, registry
from ncfilters.scoring.compiled_core import scoring_core
from ncfilters.scoring.line_scorer import choice_of, find_line_model, head_of, line_parser
from ncfilters.scoring.scorer import Scorer
from ncfilters.streams.json_lines import WrittenLine, parse_line
from ncfilters.streams.runner import schema_error
from ncfilters.streams.writers import json_line

needs_core = pytest.mark.skipif(
    scoring_core() is None, reason="no compiled core here: python setup.py build_ext --inplace"
)
RECORD: Record = {
    "id": "a/é",
    "url": "http://a.org/blog/2020/it-rained",
    "lang": "en",
    "lang_probability": 0.98,
    "head": {
        "title": "It rained all day",
        "description": 'On the rain. "All day", they said.',
        "kinds": ["og:article"],
    },
    "other": [1, -7, 0.5, 12.25, None, True, {"a": {"b": []}}],
    "segments": [
        {"text": "Home", "tag": "li", "path": "body/nav/li", "links": 4, "type": "l", "rule": "nav", "marker": "-"},
        {"text": "It rained all day", "tag": "h1", "path": "body/h1", "links": 0, "type": "h", "level": 1},
        {"text": 'The rain\tfell "hard" \\ on the “roof”.\nTwice, 我们.', "path": "body/pre", "tag": "p", "type": "p"},
        {"text": "a\tb", "path": "body/table/tr", "tag": "tr", "spans": [[0, 1, "em"]], "type": "p"},
        {"text": "", "path": "body/pre/code", "bold": True, "x\u0001\u007f": "\b\f\u001f"},
    ],
    "nc": 1,
}


@cache
def parser(name: str = "en") -> Any:
    model = find_line_model(name)
    assert model
    return line_parser(choice_of(model))


@cache
def scorer(name: str = "en") -> Scorer:
    return Scorer([registry.load_named(name)])


def by_record(line: bytes, name: str = "en") -> bytes | None:
    """What is written of the record of a line; None for an error."""
    record = parse_line(line)
    if not isinstance(record, dict) or "error" in record or schema_error(record):
        return None
    result = scorer(name)([record])[0]
    if not isinstance(result, dict):
        return None
    result.setdefault("nc", VERSION)
    return json_line(result)


def line_of(record: Record) -> bytes:
    return orjson.dumps(record) + b"\n"


NGRAM_MODELS = ("ncleaner-en", "ncleaner-nonlexical", "ncleaner-ru")


@needs_core
@pytest.mark.parametrize("is_plain", [False, True])
@pytest.mark.parametrize("name", ["en", "xx", *NGRAM_MODELS])
def test_a_line_is_what_its_record_is(name: str, is_plain: bool) -> None:
    segments = [{k: v for k, v in s.items() if k != "path" or not is_plain} for s in RECORD["segments"]]
    line = line_of({**RECORD, "segments": segments})
    found = parser(name)(line)
    assert type(found) is WrittenLine
    assert found.line == by_record(line, name)
    assert found == {"lang": "en", "lang_probability": 0.98}
    assert parser(name)(line[:-1]).line == found.line  # the last line may have no end


@needs_core
@pytest.mark.parametrize("name", ["en", "xx", *NGRAM_MODELS])
def test_capsules_are_of_their_own_kind(name: str) -> None:
    found = find_line_model(name)
    assert found is not None
    for wrong in (None, b"[]", found.compiled):
        with pytest.raises(ValueError, match="expected segments in a capsule"):
            found.compiled.score_segments(wrong, ("", "", ()))


@needs_core
@pytest.mark.parametrize(
    "change",
    [
        {"nc": None},
        {"head": None},
        {"head": {"title": 7}},
        {"url": None, "lang": None},
        {"id": 7},
        {"other": orjson.loads(b"[" * 64 + b"1" + b"]" * 64)},
        {"other": [0.001, 123456789012.345, -0.5, 0.0, -0.0, 1e5]},
        {"text": "as well", "blocks": []},
    ],
    ids=repr,
)
def test_fields_may_be_missing_or_of_other_types(change: Record) -> None:
    line = line_of({key: value for key, value in {**RECORD, **change}.items() if value is not None})
    assert parser()(line).line == by_record(line)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**14), 10**14)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text('ab"\\\n é', max_size=3), inner, max_size=3),
    max_leaves=6,
)


@needs_core
@settings(max_examples=300, deadline=None)
@given(st.lists(VALUES, min_size=2, max_size=2), st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
def test_any_values_of_other_fields_stay(values: list[Any], text: str) -> None:
    segments = [{**RECORD["segments"][0], "other": values[0], "text": text}, *RECORD["segments"][1:]]
    line = line_of({**RECORD, "other": values[1], "segments": segments})
    found = parser()(line)
    assert json_line(found) if type(found) is dict else found.line == by_record(line)


@needs_core
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"nc":1', b'"nc": 1'),
        (b'"nc":1', b'"nc":2'),
        (b'"nc":1', b'"nc":1,"nc":1'),
        (b'"nc":1', b'"nc":1,"models":["x"]'),
        (b'"nc":1', b'"nc":1,"page":null'),
        (b'"nc":1', b'"nc":1,"error":7'),
        (b'"nc":1', b'"nc":1,"segments":[]'),
        (b'"nc":1', b'"nc":1,"html":{"$base64":"YQ=="}'),
        (b'"Home"', b'"H\\u006fme"'),
        (b'"Home"', b'"Home\\/"'),
        (b'"Home"', b'"Home\\ud83d\\ude00"'),
        (b'"Home"', b'"Home\\ud83d"'),
        (b'"Home"', b'"Home\xff"'),
        (b'"Home"', b'"Home\xed\xa0\x80"'),
        (b'"Home"', b'"Ho\nme"'),
        (b'"Home"', b"7"),
        (b'"links":4', b'"links":4.0'),
        (b'"links":4', b'"links":true'),
        (b'"links":4', b'"links":12345678901234567890'),
        (b'"links":4', b'"links":4,"score":1'),
        (b'"links":4', b'"links":4,"role":"text"'),
        (b'"links":4', b'"links":4,"links":4'),
        (b'"tag":"li"', b'"tag":["li"]'),
        (b"12.25", b"12.250"),
        (b"12.25", b"1.225e1"),
        (b"12.25", b"012"),
        (b"12.25", b"-0"),
        (b"12.25", b"0.00001"),
        (b"12.25", b"12.2500000000000001"),
        (b"12.25", b"NaN"),
        (b'{"b":[]}', b'{"b":[],"b":[]}'),
        (b'{"b":[]}', b"[" * 90 + b"]" * 90),
        (b"12.25", b"1e999"),
        (b'"Home"', b'"Home\\u001F"'),
        (b'"Home"', b'"Home\\u000a"'),
        (b'"Home"', b'"Home\xf0\x9f\x98"'),
        (b'{"id"', b'\xef\xbb\xbf{"id"'),
        (b"}\n", b"} \n"),
        (b"}\n", b"}}\n"),
        (b"}\n", b"\n"),
        (b'"segments"', b'"parts"'),
    ],
    ids=repr,
)
def test_other_lines_are_left_to_python(old: bytes, new: bytes) -> None:
    line = line_of(RECORD)
    assert old in line
    found = parser()(line.replace(old, new))
    assert type(found) is not WrittenLine
    assert found == parse_line(line.replace(old, new)) or isinstance(found, Exception)


@needs_core
def test_damaged_lines_are_those_of_their_records() -> None:
    line, rnd, written = line_of(RECORD), random.Random(1), 0
    for _ in range(4000):
        damaged = bytearray(line)
        for _ in range(rnd.choice([1, 1, 2, 5])):
            at = rnd.randrange(len(damaged))
            damaged[at : at + rnd.choice([0, 1, 1, 4])] = rnd.choice(
                [b"", b'"', b"\\", b"{", b"]", b",", b"e", b"0", b"\xe9"]
            )
        found = parser()(bytes(damaged))
        if type(found) is WrittenLine:
            written += 1
            assert found.line == by_record(bytes(damaged))
    assert written > 500


@needs_core
@pytest.mark.parametrize(("chars", "is_written"), [(400, True), (401, False)])
def test_paths_have_a_limit_in_characters(chars: int, is_written: bool) -> None:
    path = "body/" + "é" * (chars - 12) + "/a/b/p…"
    assert len(path) == chars
    line = line_of({"segments": [{"text": "It rained.", "path": path}, {"text": "It stopped.", "path": "body/p"}]})
    found = parser()(line)
    assert (type(found) is WrittenLine) == is_written
    assert not is_written or found.line == by_record(line)


TEXTS = ["", "a", "\0", "Read more", "It rained all day, and nobody went out. " * 40, "x" * 5000] + [
    "Ünïcode — “quotes” 我们 Привет 👍 ٣ \u3000",
    "1.2.2024 | 12 comments",
    "\t\n",
    "é" * 200,
]


@needs_core
@pytest.mark.parametrize("name", NGRAM_MODELS)
def test_texts_of_any_length_have_the_scores_of_their_records(name: str) -> None:
    rnd = random.Random(name)
    for size in (1, 2, 7, 60):
        segments = []
        for _ in range(size):
            text = "".join(rnd.choices(TEXTS, k=2))[: rnd.choice([1, 9, 10, 129, 130, 260, 9000])]
            rule = rnd.choice([{}, {}, {"rule": "nav"}, {"rule": "embedded"}, {"rule": ""}])
            segments.append({"text": text, **rule})
        line = line_of({"segments": segments})
        found = parser(name)(line)
        assert type(found) is WrittenLine
        assert found.line == by_record(line, name)


@needs_core
@pytest.mark.parametrize("name", ["en", "ncleaner-ru"])
def test_only_segments_make_a_line(name: str) -> None:
    for line in (
        b'{"nc":1}\n',
        b'{"segments":[],"nc":1}\n',
        b'{"segments":[{}],"nc":1}\n',
        b'{"segments":{},"nc":1}\n',
    ):
        assert parser(name)(line) == parse_line(line)


def test_other_kinds_of_models_score_records() -> None:
    assert find_line_model("perplexity-en") is None
    assert find_line_model("justext-zh") is None  # its words are characters
    with pytest.raises(ModelError, match="unknown model"):
        find_line_model("no-such-model")


def test_a_model_that_does_not_fit_is_left_to_loading(tmp_path: Path) -> None:
    header, payload = file_format.read_file(registry.find("en"))
    arrays = file_format.arrays_in(header, payload)
    for change in (
        {"features": ["a"]},
        {"policies": {"main": [1, float("inf")]}},
        {"roles": ["text"]},
        {"whole": None},
    ):
        path = tmp_path / "other.model"
        file_format.write_file(path, {**header, "parameters": {**header["parameters"], **change}}, arrays)
        assert find_line_model(str(path)) is None
    file_format.write_file(path, header, {**arrays, "first": arrays["first"][:-1]})
    assert find_line_model(str(path)) is None


@needs_core
@pytest.mark.parametrize("model", ["en", "ncleaner-en", "auto"])
def test_lines_are_scored_without_numpy(model: str) -> None:
    program = f"import sys; from ncfilters.commands import score; score.main(['-m', '{model}']); "
    done = subprocess.run(
        [sys.executable, "-c", program + "assert 'numpy' not in sys.modules"],
        input=line_of(RECORD) * 3,
        capture_output=True,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    name = "en" if model == "auto" else model
    assert done.stdout == (by_record(line_of(RECORD), name) or b"") * 3


def test_the_head_is_that_of_the_record() -> None:
    head = head_of(b'{"title":"A"}', b'"http://a.org/"')
    assert (head.title, head.names) == ("A", ("@no og", "@no ld", "@top org", "@depth 0"))
    assert head_of(None, None) == head_of(b"7", b"null")
