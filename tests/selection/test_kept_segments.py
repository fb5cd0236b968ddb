"""What becomes of the segments that are kept: their images, code, notes, and those that show nothing."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from ncfilters.selection.kept_images import keep_images
from ncfilters.selection.scored_page import page_of
from ncfilters.selection.written_segments import code_alone, join_code, pull_notes, with_visible_text

# ---- images


WORDS = "one two three four"
PHOTO, ICON, SNOW = ({"src": f"https://a.org/{name}"} for name in ("rain.jpg", "ads/1.png", "snow.jpg"))
LINKED, CELL = {**PHOTO, "link": "https://a.org/rain"}, {**PHOTO, "row": 0, "column": 1}
SPANS = [[0, 0, "image", {**PHOTO, "alt": ""}], [0, 0, "image", {"src": "https://a.org/zoom.gif", "alt": ""}]]


def figures(*fields: dict[str, Any], kept: str = "+-+") -> list[Any]:
    """The images of each segment, when those of dropped ones have found a place."""
    page = [{"text": WORDS, "type": "p", "path": "body/p", "score": 1.0, **more} for more in fields]
    before = copy.deepcopy(page)
    found = keep_images(page_of(page), [one == "+" for one in kept])
    assert page == before and [one | {"figure": 0} for one in found] == [one | {"figure": 0} for one in page]
    return [segment.get("figure") for segment in found]


def after(*images: dict[str, Any], **fields: Any) -> list[dict[str, Any]]:
    return [{**image, **fields, "after": True} for image in images]


@pytest.mark.parametrize(
    ("dropped", "images"),
    [
        ({"figure": [PHOTO], "role": "caption"}, after(PHOTO)),
        ({"figure": [PHOTO, ICON]}, after(PHOTO)),
        ({"figure": [PHOTO], "rule": "nav"}, None),
        ({"figure": [PHOTO], "text": WORDS * 50}, None),
        # references and bylines have linked images of their own
        ({"figure": [LINKED], "role": "related"}, None),
        ({"figure": [LINKED], "role": "byline"}, None),
        ({"figure": [LINKED], "role": "caption", "spans": [[0, 3, "link", LINKED["link"]]]}, None),
        ({"figure": [LINKED], "role": "caption"}, after(LINKED)),
        # a photograph in its caption, and a sign
        ({"spans": SPANS, "role": "caption"}, after(PHOTO, alt="")),
        ({"spans": SPANS, "tag": "figure"}, after(PHOTO, alt="")),
        ({"spans": SPANS, "tag": "p"}, after(PHOTO, alt="")),
        ({"spans": SPANS, "text": WORDS * 50}, None),
        ({"spans": SPANS, "rule": "nav"}, None),
    ],
)
def test_images_of_dropped_segments_stay_with_the_text(dropped: dict[str, Any], images: Any) -> None:
    found = figures({}, dropped, {})
    assert (found[0], found[2]) == (images, None)
    assert images or found[1] == dropped.get("figure")


def test_images_of_several_segments() -> None:
    image = {"src": "a.png", "alt": "A"}
    rows: list[dict[str, Any]] = [{}, {"role": "caption", "figure": [image]}, {}, {"figure": [image]}, {}]
    assert figures(*rows, kept="+-+-+")[::2] == [after(image), after(image), None]
    assert figures(*rows, kept="--+--") == [None, [image], None, [image], None]


def test_images_go_into_no_other_table_item_or_quote() -> None:
    assert figures({"table": 1}, {"table": 1, "figure": [CELL]}, {"table": 1})[0] == after(CELL)
    assert figures({"table": 1}, {"table": 2, "figure": [CELL]}, {"table": 1})[0] == after(PHOTO)
    images = {"figure": [PHOTO]}
    for holder in ({"table": 1}, {"item": 1}, {"quote": 1}):
        below = figures(holder, {"figure": after(PHOTO)}, {"figure": [SNOW]}, {"figure": [ICON]}, kept="+--+")
        assert (below[0], below[3]) == (None, [PHOTO, SNOW, ICON])
        assert figures(holder, {**holder, **images}, {})[0] == after(PHOTO)
        outside = {name: 0 for name in ("quote", "table") if name in holder}
        assert figures(holder, images, holder)[0] == after(PHOTO, **outside)
    assert figures({"item": 1}, {"item": 2, **images}, {"item": 2}) == [None, [PHOTO], [PHOTO]]


def test_captions_of_a_gallery_do_not_count_as_distance() -> None:
    photos = [{"src": f"https://a.org/{number}.jpg", "alt": ""} for number in range(6)]
    captions = [{"figure": [photo], "role": "caption"} for photo in photos]
    assert figures({}, *captions, {}, kept="+------+")[0] == after(*photos)
    assert figures({}, captions[0], *[{}] * 5, kept="+-----+") == [None, [photos[0]], *[None] * 5]


# ---- code


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


# ---- footnotes in sentences


def foot(start: int, end: int, name: str) -> list[Any]:
    return [start, end, "footnote", name]


def note(at: int, name: str) -> list[Any]:
    return [at, at, "note", name]


def image(at: int) -> list[Any]:
    return [at, at, "image", {}]


@pytest.mark.parametrize(
    "text, spans, expected",
    [
        ("It rains. Or not. Often.", [foot(10, 17, "a")], [("It rains. Often.", [note(9, "a")]), ("Or not.", None)]),
        ("Rain1Snow", [[4, 5, "note", "a"], foot(5, 9, "a")], [("Rain1", [[4, 5, "note", "a"]]), ("Snow", None)]),
        (
            "Ab cd, ef gh.",
            [[0, 2, "em"], foot(3, 5, "a"), foot(7, 9, "b"), [7, 9, "em"], [10, 12, "strong"]],
            [
                ("Ab , gh.", [[0, 2, "em"], note(2, "a"), note(4, "b"), [5, 7, "strong"]]),
                ("cd", None),
                ("ef", [[0, 2, "em"]]),
            ],
        ),
        ("Snow Rain", [foot(0, 4, "a"), [5, 9, "em"]], [("Rain", [note(0, "a"), [0, 4, "em"]]), ("Snow", None)]),
        (
            "Rain Snow", [image(0), image(5), foot(5, 9, "a"), image(9)],
            [("Rain", [image(0), note(4, "a"), image(4)]), ("Snow", [image(0)])],
        ),
        ("Rain", [[0, 4, "em"]], [("Rain", [[0, 4, "em"]])]),
    ],
)  # fmt: skip
def test_notes(text: str, spans: list[Any], expected: list[Any]) -> None:
    segments = pull_notes([{"text": text, "type": "l", "marker": "*", "spans": spans}])
    assert [(segment["text"], segment.get("spans")) for segment in segments] == expected
    assert [segment.get("note") for segment in segments[1:]] == [{"id": name} for name in "ab"[: len(segments) - 1]]
    assert ["marker" in segment for segment in segments] == [True] + [False] * (len(segments) - 1)


# ---- segments that show nothing


IMAGE = {"src": "https://x.y/a.png", "alt": ""}


@pytest.mark.parametrize(
    "segment",
    [
        {"text": "\u200d", "type": "p"},
        {"text": " \u200b\ufeff ", "type": "l", "marker": "*", "depth": 1},
        {"text": "🔗", "type": "h", "level": 2},
        {"text": "#\ufe0f", "type": "h", "level": 3},
    ],
)
def test_nothing_to_see(segment: dict[str, Any]) -> None:
    rain = {"text": "Rain", "type": "p"}
    assert with_visible_text([segment, rain]) == [rain]
    shown = {**segment, "figure": [IMAGE]}
    assert with_visible_text([rain, shown]) == [{**rain, "figure": [{**IMAGE, "after": True}]}]
    row = {"text": "a", "type": "l", "table": 1}
    assert with_visible_text([shown]) == [shown]
    assert with_visible_text([row, shown]) == [row, shown]


@pytest.mark.parametrize(
    "segment",
    [
        {"text": "🔗", "type": "p"},
        {"text": "+", "type": "h", "level": 3},
        {"text": "\u200d", "type": "p", "spans": [[0, 0, "image", IMAGE]]},
        {"text": "\u200b", "type": "p", "table": 1, "cells": [{"start": 0, "end": 1, "row": 0, "column": 0}]},
        {"text": " \n\u200b", "type": "p", "pre": True},
        {"text": "ok", "type": "p"},
    ],
)
def test_the_rest_stays(segment: dict[str, Any]) -> None:
    assert with_visible_text([segment]) == [segment]
