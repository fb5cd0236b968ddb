"""Blocks of code as one segment each."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.selection.code_listings import code_alone, join_code


@pytest.mark.parametrize(
    "segments, expected",
    [
        ([{"text": "a"}], [("a", None)]),
        ([{"text": "a\n b", "code": 1, "pre": True}, {"text": "c"}], [("a\n b", True), ("c", None)]),
        (
            [{"text": "1", "code": 1, "code_text": "a\n  b"}, {"text": "t"}, {"text": "2", "code": 1}],
            [("a\n  b", True), ("t", None)],
        ),
        # without its first segment
        ([{"text": "a", "code": 1}, {"text": "b", "code": 1}, {"text": "c", "code": 2}], [("a\nb", True), ("c", True)]),
    ],
)  # fmt: skip
def test_join(segments: list[dict[str, Any]], expected: list[Any]) -> None:
    joined = join_code(segments)
    assert [(segment["text"], segment.get("pre")) for segment in joined] == expected


def test_fields() -> None:
    segment = {
        "text": "a",
        "code": 1,
        "code_language": "c",
        "type": "l",
        "marker": "*",
        "spans": [[0, 1, "em"]],
        "quote": 1,
    }
    assert join_code([segment]) == [
        {"text": "a", "code": 1, "code_language": "c", "type": "p", "tag": "pre", "pre": True, "quote": 1}
    ]
    assert segment["marker"] == "*"


def test_images_of_all_parts_stay() -> None:
    image = {"src": "a.png", "alt": "", "after": True}
    joined = join_code([{"text": "a", "code": 1}, {"text": "b", "code": 1, "figure": [image]}])
    assert joined == [{"text": "a\nb", "code": 1, "type": "p", "tag": "pre", "pre": True, "figure": [image]}]


def test_line_numbers_beside_a_listing_are_left_out() -> None:
    gutter = {"text": "7\n8", "pre": True, "path": "body/table/tr/td.gutter/pre"}
    code = {"text": "a\nb", "pre": True, "path": "body/table/tr/td.code/pre"}
    assert code_alone([{"text": "a"}, gutter, code]) == [{"text": "a"}, code]


@pytest.mark.parametrize(
    "gutter, code",
    [
        ({"text": "7\n9"}, {}),
        ({"text": "7\nx"}, {}),
        ({"path": "body/pre"}, {}),
        ({"code": 1}, {}),
        ({}, {"text": "a"}),
        ({}, {"pre": False}),
    ],
)
def test_other_numbers_stay(gutter: dict[str, Any], code: dict[str, Any]) -> None:
    segments = [
        {"text": "7\n8", "pre": True, "path": "body/table/tr/td/pre", **gutter},
        {"text": "a\nb", "pre": True, "path": "body/table/tr/td/pre", **code},
    ]
    assert code_alone(segments) == segments


@pytest.mark.parametrize(
    "button", ["Copy", "Copied!", "Copy code block", "copy to clipboard", "Copy code", "Code: [Select]", "[Select all]"]
)
def test_buttons_beside_code_are_left_out(button: str) -> None:
    code, before, after = {"text": "x = 1", "pre": True}, {"text": button}, {"text": button}
    segments = [{"text": "Copy"}, {"text": "so:"}, before, code, after, {"text": "Copy"}]
    assert [segment["text"] for segment in code_alone(segments)] == ["Copy", "so:", "x = 1", "Copy"]
    assert code_alone([{**before, "pre": True}, code]) == [{**before, "pre": True}, code]


@pytest.mark.parametrize(
    "label, is_left_out",
    [("js", True), ("JS", True), ("C++", True), ("Shell", True), ("settings.py", False), ("In JS", False)],
)
def test_the_name_of_a_language_above_code(label: str, is_left_out: bool) -> None:
    code = {"text": "x", "pre": True}
    name = {"text": label, "path": "body/div/p"}
    assert len(code_alone([name, code])) == (1 if is_left_out else 2)
    assert len(code_alone([code, name])) == 2
    assert len(code_alone([name, {"text": "Copy"}, code])) == (1 if is_left_out else 2)
    assert len(code_alone([{**name, "path": "body/h3"}, code])) == 2


def test_line_numbers_between_the_lines() -> None:
    def joined(*lines: str) -> str:
        (code,) = join_code([{"text": line, "code": 1} for line in lines])
        return str(code["text"])

    assert joined("1", "make", "2", "make install") == "make\nmake install"
    for lines in (("1", "make"), ("1", "make", "3", "make"), ("1", "a", "2"), ("2", "a", "3", "b")):
        assert joined(*lines) == "\n".join(lines)


def test_code_in_a_table_cell_stays_there() -> None:
    cell = {"start": 0, "end": 3, "row": 1, "column": 0}
    parts = [{"text": text, "code": 1, "table": 2, "cells": [cell]} for text in ("a", "b c")]
    (joined,) = join_code(parts)
    assert (joined["table"], joined["cells"]) == (2, [{**cell, "end": 5}])
    other = {**parts[1], "cells": [{**cell, "column": 1}]}
    assert "cells" not in join_code([parts[0], other])[0]
