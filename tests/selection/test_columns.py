"""Columns of segments: what is read of dictionaries and of lines of JSON, and what is left to the Python code."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest
from column_pages import pages, rest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ncfilters.features.document import Head
from ncfilters.page import compiled_core
from ncfilters.record import SEGMENT_FIELDS, Record
from ncfilters.scoring.line_scorer import find_line_model
from ncfilters.segmentation.json_segments import json_segments, shown_segments
from ncfilters.selection.columns import columns_of, columns_of_shown, read_line, segments_at, selection_core
from ncfilters.selection.expected_f import word_counts
from ncfilters.selection.forms.plain import plain
from ncfilters.selection.packed_cells import cells_of
from ncfilters.selection.title import title_first

SLOW_MACHINES = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

needs_core = pytest.mark.skipif(
    compiled_core.core() is None or selection_core() is None,
    reason="no compiled core here: python setup.py build_ext --inplace",
)
SEGMENT = {"text": "It rained.", "type": "p", "score": 2.5}
CELL = {"start": 0, "end": 0, "row": 0, "column": 0, "rows": 1, "columns": 1, "header": False}


def line_of(segments: Any, **more: Any) -> bytes:
    return orjson.dumps({**rest, "segments": segments, **more})


@needs_core
@SLOW_MACHINES
@given(pages, st.booleans())
def test_columns_of_dictionaries_and_of_lines_are_the_same(segments: list[Record], in_ascii: bool) -> None:
    columns = columns_of(segments, "score_article")
    line = json.dumps({**rest, "segments": segments, "page": None}, ensure_ascii=in_ascii).encode()
    found = read_line(line, "score_article")
    assert columns is not None and found is not None
    document, others = found
    assert document == {**rest, "page": None} and list(document) == [*rest, "page"]
    assert columns.words() == others.words() == word_counts(segments)
    places = list(range(len(segments)))
    assert segments_at(columns, places) == segments_at(others, places) == segments


HTML = (
    "<title>It rained</title><nav><a href=/>Home</a> <a href=/a>About</a></nav><h1>It rained</h1>"
    "<p>It rained all day in the town, and nobody went out before the evening – “nobody”.<br>Not one.",
    '<ol start=3><li>One \\ "two"<li><b>Three</b></ol><table><tr><td>a<td>b\u00a0c<tr><td>d<td>e</table>',
    "<pre>int x;\n  y\n</pre><p hidden>hidden<noscript><p>Text without scripts, which it lacks elsewhere.</noscript>"
    '<script type=application/ld+json>{"@type":"Article","articleBody":"It snowed. Nobody came."}</script>',
)


@needs_core
@pytest.mark.parametrize("field", ["score", "score_article", "score_unknown"])
@pytest.mark.parametrize("name", ["en", "xx", "ncleaner-en"])
@pytest.mark.parametrize("html", [*HTML, "".join(HTML), HTML[0] * 30])
def test_columns_of_capsules_and_of_lines_are_the_same(html: str, name: str, field: str) -> None:
    shown, written, model = shown_segments(html), json_segments(html), find_line_model(name)
    assert shown is not None and written is not None and model is not None
    scored = model.compiled.score_segments(shown.segments, Head("It rained"))
    line = model.compiled.score_line(b'{"segments":%b}' % written.segments, lambda head, url: Head("It rained"), b"")
    assert scored is not None and line is not None
    found = read_line(line[0], field)
    columns = columns_of_shown(shown.segments, scored[0], field)
    assert found is not None and columns is not None
    assert found[0].get("page") == scored[1]
    places = list(range(shown.number))
    segments = segments_at(columns, places)
    assert segments == segments_at(found[1], places) and list(segments[0]) == list(segments_at(found[1], [0])[0])
    assert columns.words() == found[1].words() and columns.has_roles == found[1].has_roles
    for one in (columns, found[1]):
        one.keep_expected(1.0, 1.0)
        one.fit(False)
    assert columns.kept() == found[1].kept()
    assert columns.features() == found[1].features() and columns.plain(0) == found[1].plain(0)
    assert [columns.of_role(role) for role in range(10)] == [found[1].of_role(role) for role in range(10)]


@needs_core
def test_capsules_are_of_their_own_kind() -> None:
    shown = shown_segments(HTML[0])
    assert shown is not None
    for segments, scores in ((None, None), (shown.segments, shown.segments), (shown.segments, b"")):
        with pytest.raises(ValueError, match="expected the capsules of segments and of scores"):
            columns_of_shown(segments, scores, "score")


@needs_core
@SLOW_MACHINES
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(1 << 63), 1 << 63) | st.floats(allow_nan=False) | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_other_fields_of_a_record_stay_as_they_are(value: Any) -> None:
    record = {"a": value, "segments": [SEGMENT], "b": value}
    line = orjson.dumps(record)
    found = read_line(line, "score")
    if found is None:  # a float with a large exponent
        assert b"e" in line
    else:
        assert found[0] == {name: item for name, item in orjson.loads(line).items() if name != "segments"}


@needs_core
@SLOW_MACHINES
@given(st.text() | st.text(st.characters(min_codepoint=0x1F, max_codepoint=0x22)))
@example("\ud7ff\ue000\uffff\U0010ffff\x80\u07ff\u0800")
def test_strings(text: str) -> None:
    for line in (line_of([{**SEGMENT, "text": text}]), json.dumps({"segments": [{**SEGMENT, "text": text}]}).encode()):
        found = read_line(line, "score")
        assert found is not None
        assert segments_at(found[1], [0])[0]["text"] == text
        assert found[1].words() == word_counts([{"text": text}])


@needs_core
@SLOW_MACHINES
@given(st.lists(st.sampled_from("a b\t\n\v\x1c\x85é中\u3000😀"), max_size=80).map("".join))
@example("a" * 15 + " b" * 20 + "é" * 9 + " c" * 9)
def test_words_of_longer_texts(text: str) -> None:
    columns = columns_of([{**SEGMENT, "text": text}], "score")
    assert columns is not None
    assert columns.words() == word_counts([{"text": text}])


@needs_core
@SLOW_MACHINES
@given(pages, st.integers(-1, 24))
def test_plain_text(segments: list[Record], title: int) -> None:
    title = min(title, len(segments) - 1)
    line = json.dumps({"segments": segments}).encode()
    for columns in (columns_of(segments, "score"), (read_line(line, "score") or [None, None])[1]):
        assert columns is not None
        columns.keep_above(0.0, False)
        if title >= 0:
            columns.set_kept(title, True)
        kept = [segments[place] for place in columns.kept()]
        expected = plain(title_first(kept, segments[title]) if title >= 0 else kept, {})
        assert columns.plain(title) == (None if any("pre" in segment for segment in kept) else expected)
        assert columns.texts([*range(len(segments))]) == [segment["text"] for segment in segments]
        if segments and "role" in segments[0]:
            assert columns.role_probability(0) == segments[0]["role_probability"]


@needs_core
def test_places_that_are_none() -> None:
    columns = columns_of([SEGMENT], "score")
    assert columns is not None
    for call in (lambda: columns.plain(1), lambda: columns.texts([1]), lambda: columns.role_probability(0)):
        with pytest.raises(IndexError):
            call()
    with pytest.raises(TypeError):
        columns.texts((0,))
    assert columns_of([{**SEGMENT, "segment": 1, "start": 0}], "score").plain(-1) == ""  # type: ignore[union-attr]


@needs_core
@pytest.mark.parametrize("place", ["first", "middle", "last", "alone"])
def test_the_segments_may_be_any_field(place: str) -> None:
    own, before, after = '"segments" : [ ]', '"a": 1', '"b": ["}", 2]'
    fields = {
        "first": [own, before, after],
        "middle": [before, own, after],
        "last": [before, after, own],
        "alone": [own],
    }[place]
    found = read_line(f" {{ {' , '.join(fields)} }} \n".encode(), "score")
    assert found is not None
    assert found[0] == ({} if place == "alone" else {"a": 1, "b": ["}", 2]})
    assert len(found[1]) == 0


@needs_core
@pytest.mark.parametrize(
    "change",
    [
        {"text": 7},
        {"text": None},
        {"type": "x"},
        {"type": ""},
        {"score": "1"},
        {"score": True},
        {"score": None},
        {"score": 1001},
        {"score": 10**400},
        {"path": 7},
        {"pre": 1},
        {"segment": 1.0},
        {"rule": None},
        {"role": "text"},
        {"role_probability": 0.5},
        {"role": "text", "role_probability": 1.5},
        {"role": "other", "role_probability": 0.5},
        {"spans": None},
        {"spans": [[0, 1]]},
        {"spans": [[0, 11, "em"]]},
        {"spans": [[2, 1, "em"]]},
        {"spans": [[0, 10**30, "em"]]},
        {"spans": [[0, 1, "link"]]},
        {"spans": [[0, 1, "note", 7]]},
        {"spans": [[0, 0, "image", {"alt": ""}]]},
        {"figure": [{"src": 1}]},
        {"figure": [{"src": "", "alt": None}]},
        {"figure": {}},
        {"cells": [{"start": 0, "end": 1, "row": 0}]},
        {"cells": [{"start": 0, "end": 11, "row": 0, "column": 0}]},
        {"note": "a"},
        {"level": True},
        {"code": "1"},
        {"code_text": 1},
        {"score_all": "x"},
        {"score_all": True},
    ],
    ids=repr,
)
def test_unusual_segments_are_left_to_python(change: Record) -> None:
    segments = [SEGMENT, {**SEGMENT, **change}]
    assert columns_of([SEGMENT, dict(SEGMENT)], "score_all") is not None
    assert columns_of(segments, "score_all") is None
    assert read_line(json.dumps({"segments": segments}).encode(), "score_all") is None


@needs_core
@pytest.mark.parametrize(
    "markup",
    [
        {"spans": []},
        {"spans": [[0, 10, "em"], [1, 1, "image", {"src": "a", "alt": "b"}], [2, 3, "math", "x", "display"]]},
        {"spans": [[0, 1, "other", 7], [0, 1, "footnote", "a"]], "note": {"id": "a"}},
        {"figure": [{"src": "a.png"}], "level": 2, "item": 1, "depth": 1, "quote": 1},
        {"table": 1, "cells": [{"start": 0, "end": 10, "row": 0, "column": 0}]},
        {"code": 1, "code_text": "a", "code_language": "b"},
    ],
    ids=repr,
)
def test_segments_with_markup(markup: Record) -> None:
    segments = [SEGMENT, {**SEGMENT, **markup}]
    columns = columns_of(segments, "score")
    assert columns is not None and columns.has_markup and columns.segments([1]) == segments[1:]
    found = read_line(json.dumps({"segments": segments}).encode(), "score")
    assert found is not None and found[1].has_markup and found[0]["segments"][:1] == segments[:1]
    assert {**found[0]["segments"][1], "cells": None} == {**segments[1], "cells": None}
    assert [CELL | cell for cell in markup.get("cells", [])] == cells_of(found[0]["segments"][1])
    plain = columns_of([SEGMENT], "score")
    assert plain is not None and not plain.has_markup


@needs_core
@pytest.mark.parametrize("field", ["segment", "start"])
@pytest.mark.parametrize("number", [10**17, 2**63, -(2**63) - 1, 2**64, 10**21, 10**298])
def test_integers_of_more_than_64_bits_are_decimals(field: str, number: int) -> None:
    line = json.dumps({"segments": [{**SEGMENT, field: number}]}).encode()
    is_integer = columns_of(orjson.loads(line)["segments"], "score") is not None
    assert is_integer is (-(2**63) <= number < 2**64)
    assert is_integer or read_line(line, "score") is None
    assert abs(number) > 10**17 or read_line(line, "score") is not None


@needs_core
@pytest.mark.parametrize("segments", [None, {}, (SEGMENT,), [7], [{"type": "p", "score": 1}], [[SEGMENT]]], ids=repr)
def test_what_is_no_list_of_segments_is_left_to_python(segments: Any) -> None:
    assert columns_of(segments, "score") is None
    if segments != (SEGMENT,):
        assert read_line(json.dumps({"segments": segments}).encode(), "score") is None


@needs_core
@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{}",
        b"[]",
        b'{"segments": []',
        b'{"segments": []} x',
        b'{"segments": [],}',
        b'{"segments": [], "segments": []}',
        b'{"segments": [{}]}',
        b'{"segm\\u0065nts": []}',
        b'{"segments": [], "error": {"stage": "x"}}',
        b'{"segments": [], "a": "\xff"}',
        b'{"segments": [], "a": "\xed\xa0\x80"}',
        b'{"segments": [], "a": "\xc0\x80"}',
        b'{"segments": [], "a": "\xf4\x90\x80\x80"}',
        b'{"segments": [], "a": "\\ud800"}',
        b'{"segments": [], "a": "\\udc00\\ud800"}',
        b'{"segments": [], "a": "\\x"}',
        b'{"segments": [], "a": "\n"}',
        b'{"segments": [], "a": 01}',
        b'{"segments": [], "a": 1.}',
        b'{"segments": [], "a": .5}',
        b'{"segments": [], "a": +1}',
        b'{"segments": [], "a": 1e}',
        b'{"segments": [], "a": NaN}',
        b'{"segments": [], "a": 1e309}',
        b'{"segments": [], "a": -1e999}',
        b'{"segments": [], "a": ' + b"9" * 400 + b"}",
        b'{"segments": [], "a": 0.' + b"0" * 400 + b"1}",
        b'\xef\xbb\xbf{"segments": []}',
        b'{"segments": []}\x00',
        b'{"segments": [], "a": "\x1f"}',
        b'{"segments": [], "a": "\xf0\x9f\x98"}',
        b'{"segments": [], "a": "\\ud83d\\ude0"}',
        b'{"segments": [], "a": "\\ud83d\\u0041"}',
        b'{"segments": [], "a": tru}',
        b'{"segments": [], "a" 1}',
        b'{"segments": [], "a": [1,]}',
        b'{"segments": [], "a": {"b"}}',
        b'{"segments": [], "a": ' + b"[" * 100 + b"]" * 100 + b"}",
        b'{"segments": [], "html": {"$base64": "YQ=="}}',
        b'{"segments": [{"text": "a", "type": "p", "score": 1} {"text": "a", "type": "p", "score": 1}]}',
        b'{"segments": [{"text": "a", "type": "p", "score": 1,}]}',
    ],
)
def test_other_lines_are_left_to_python(line: bytes) -> None:
    assert read_line(line, "score") is None


@needs_core
@SLOW_MACHINES
@given(st.binary(max_size=40), st.integers(0, 200), st.integers(0, 20))
def test_broken_lines_are_read_as_orjson_reads_them_or_not_at_all(noise: bytes, start: int, size: int) -> None:
    line = line_of([{**SEGMENT, "path": "body/ż", "links": 3}, {**SEGMENT, "text": 'a "b"\n'}], page={"odds": 2})
    line = line[:start] + noise + line[start + size :]
    found = read_line(line, "score")
    if found is None:
        return
    expected = orjson.loads(line)
    segments = expected.pop("segments")
    assert found[0] == expected
    assert segments_at(found[1], list(range(len(segments)))) == segments


@needs_core
def test_the_last_of_two_equal_fields_counts() -> None:
    found = read_line(b'{"segments": [{"text": "a b", "type": "p", "score": 1, "text": "a", "score": -2}]}', "score")
    assert found is not None
    assert found[1].words() == [1.0]
    found[1].keep_above(0.0, False)
    assert found[1].kept() == []


@needs_core
def test_places_outside_the_page() -> None:
    columns = columns_of([SEGMENT], "score")
    assert columns is not None
    for call in (lambda: columns.segments([1]), lambda: columns.set_kept(-1, True)):
        with pytest.raises(IndexError):
            call()


def test_there_are_no_columns_without_a_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ncfilters.selection.columns.selection_core", lambda: None)
    assert columns_of([SEGMENT], "score") is None
    assert read_line(line_of([SEGMENT]), "score") is None


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**65), 2**65) | st.floats(-1e20, 1e20) | st.text() | st.just(10**40),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@needs_core
@SLOW_MACHINES
@given(st.lists(st.dictionaries(st.text().filter(lambda name: name not in SEGMENT_FIELDS), JSON_VALUES, max_size=4)))
def test_segments_of_a_line_are_those_that_orjson_reads(others: list[Record]) -> None:
    segments = [{**other, **SEGMENT, "level": 2} for other in others]
    line = json.dumps({"segments": segments}, ensure_ascii=False).encode("utf-8", "replace")
    found = read_line(line, "score_all")
    if found is not None:
        expected = orjson.loads(line)["segments"]
        assert repr(segments_at(found[1], list(range(len(segments))))) == repr(expected)
        assert repr(found[0].get("segments", expected)) == repr(expected)


@needs_core
def test_what_no_form_reads_of_segments_with_markup_is_left_out() -> None:
    scores = {"score_article": 1.5, "score_all": 2.5, "role": "text", "role_probability": 0.5}
    line = json.dumps({"segments": [{**SEGMENT, **scores, "level": 2}]}).encode()
    found = read_line(line, "score_all")
    assert found is not None
    assert found[0]["segments"] == [{**SEGMENT, "score_all": 2.5, "role": "text", "role_probability": 0.5, "level": 2}]
    assert segments_at(found[1], [0]) == [{**SEGMENT, **scores, "level": 2}]


@needs_core
@pytest.mark.parametrize(
    "cells",
    [
        [],
        [{"start": 0, "end": 1, "row": 2, "column": 3, "rows": 0, "columns": 4, "header": True}],
        [{"header": False, "column": 3, "row": 999_999_999, "end": 1, "start": 0}] * 2,
    ],
)
def test_packed_cells(cells: list[Record]) -> None:
    line = json.dumps({"segments": [{**SEGMENT, "cells": cells}]}).encode()
    found = read_line(line, "score")
    assert found is not None
    segment = found[0]["segments"][0]
    assert (type(segment["cells"]) is bytes) is bool(cells)
    assert cells_of(segment) == [CELL | cell for cell in cells]


@needs_core
@pytest.mark.parametrize(
    "changed", [{"row": -1}, {"rows": -1}, {"row": 10**9}, {"header": 1}, {"more": 1}, {"rows": 1.0}]
)
def test_unusual_cells_are_not_packed(changed: Record) -> None:
    cells = [{"start": 0, "end": 1, "row": 2, "column": 3}, {"start": 0, "end": 1, "row": 2, "column": 3, **changed}]
    line = json.dumps({"segments": [{**SEGMENT, "cells": cells}]}).encode()
    found = read_line(line, "score")
    assert found is not None and found[0]["segments"][0]["cells"] == cells


@needs_core
def test_names_with_escapes_in_cells() -> None:
    name = "\n" + "x" * 100_000
    for cells in ([{"start": 0, "end": 1, "row": 0, "column": 0, name: 1}], [{name: True}] * 2):
        line = json.dumps({"segments": [{**SEGMENT, "cells": cells}]}).encode()
        found = read_line(line, "score")
        assert found is None or found[0]["segments"][0]["cells"] == cells
