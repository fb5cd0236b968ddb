"""Reasons: every segment has one, and the option that one names keeps the segment; decisions in colours."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from terminals import at_terminal

from ncfilters.commands.select import Selection, option_parser
from ncfilters.inspector.analysis import Analysis
from ncfilters.record import Record
from ncfilters.selection.colour_listing import DROPPED, INDENT, KEPT, bar, colour_listing, fold, visible, width_of
from ncfilters.selection.reasons import remark

# ---- reasons


WAYS = (
    "--policy main",
    "--policy article",
    "--policy all",
    "--favour precision",
    "--without title,caption",
    "--with byline",
    "--decide expected",
    "--decide viterbi",
    "--decide justext",
    "-t 1",
)


@cache
def scored_pages() -> tuple[Record, ...]:
    """The sample crawl and the same without evidence of pages, as of models that are not calibrated."""
    analysis = Analysis(["en"])
    lines = (ROOT / "tests/data/crawl.jsonl").read_text(encoding="utf-8").splitlines()
    pages = [analysis.scored(number, json.loads(line), "en") for number, line in enumerate(lines)]
    return (*pages, *({name: value for name, value in page.items() if name != "page"} for page in pages[:6]))


def selected(page: Record, *options: str) -> list[Record]:
    """The segments of a page with what nc-select --all says of them."""
    args = option_parser().parse_args(["--all", "-f", "jsonl", *options])
    result = Selection(args)(page)
    assert result is not None
    segments: list[Record] = result["segments"]
    return segments


@pytest.mark.parametrize("way", WAYS)
def test_the_option_in_a_reason_keeps_the_segment(way: str) -> None:
    for page in scored_pages():
        segments = selected(page, *way.split())
        trials = {option: selected(page, *way.split(), *option.split()) for option in options_of(segments)}
        for row, segment in enumerate(segments):
            assert segment["reason"], segment
            option = segment.get("option")
            assert option is None or not segment["keep"] and trials[option][row]["keep"], (page["id"], segment)


def options_of(segments: list[Record]) -> set[str]:
    return {segment["option"] for segment in segments if "option" in segment}


def segment(text: str, score: float, kind: str = "p", role: str = "text", **more: Any) -> Record:
    return {"text": text, "type": kind, "score": score, "role": role, "role_probability": 0.97, **more}


TEXT = "Some words of a paragraph that is the text of this page, and of no other."
BODY = segment(TEXT, 4.0, path="body/main/p")
ITEM = {"type": "l", "marker": "*", "tag": "li", "path": "body/main/ul/li"}


def items(*scores: float) -> list[Record]:
    return [{**segment("two eggs, or three if they are small", score), **ITEM} for score in scores]


@pytest.mark.parametrize(
    ("options", "segments", "reason"),
    [
        ("", [segment("Home", -5.0)], r"[\d.]+ bits below the threshold"),
        ("", [segment("Home", -5.0, rule="nav")], r"[\d.]+ bits below the threshold, rule nav"),
        ("", [segment("Home", -5.0, role="byline")], r"[\d.]+ bits below .*, --policy main leaves out byline"),
        ("", [segment("More text.", 4.0)], r"[\d.]+ bits above the threshold"),
        ("", [segment("Me too.", 4.0, role="comment")], "--policy main leaves out comment"),
        ("--without caption", [segment("Rain", 4.0, role="caption")], "--without caption"),
        ("--with caption", [segment("Rain", -4.0, role="caption")], "--with caption"),
        ("", [segment(TEXT, 3.0, path="body/aside/p")], "copy of a text that is kept"),
        ("", items(-1.4, 3.0, 3.0), "list kept as a whole"),
        ("", items(0.9, 0.9, -6.0, -6.0, -6.0), "list dropped as a whole"),
        ("", [segment("Rain", 0.5, "h", path="body/h2"), segment("Home", -5.0)], "heading without text that is kept"),
        ("", [segment("Rain", -5.0, declared="articleBody")], "declared as content by the page"),
        ("", [segment("Rain", -5.0, "h", role="title")], "title of the page"),
        ("--without title", [segment("Rain", 5.0, "h", role="title")], "--without title"),
        ("", [segment("Quote", 4.0, post=0, part="furniture")], "menu, signature or counts of a post"),
        ("", [segment("Rain", 4.0, element_rule="drop aside")], "rule 'drop aside'"),
        ("--decide threshold -t 5", [], r"1\.0 bits below the threshold"),
    ],
)
def test_reasons_name_the_last_step_that_changed_the_decision(
    options: str, segments: list[Record], reason: str
) -> None:
    page = {"segments": [BODY, *segments], "page": {"odds": 3.0, "types": {"article": 1.0}}}
    segment = selected(page, *options.split())[bool(segments)]
    assert re.fullmatch(reason, segment["reason"]), segment


def test_sentences_have_the_reason_of_their_segment() -> None:
    parts = [{**BODY, "text": text, "segment": 0, "start": at} for at, text in ((0, "One is it."), (11, "Two."))]
    first, second = selected({"segments": parts, "page": {"odds": 3.0}})
    assert first["reason"] == second["reason"]


def test_an_earlier_option_goes() -> None:
    (kept,) = selected({"segments": [{**BODY, "option": "--favour recall"}], "page": {"odds": 3.0}})
    assert kept["keep"] and "option" not in kept


def test_remarks_say_what_the_score_does_not() -> None:
    assert remark({"keep": True, "reason": "2.0 bits above the threshold"}) == ""
    assert remark({"keep": True, "reason": "title of the page"}) == "title of the page"
    assert remark({"keep": False, "reason": "rule nav", "option": "--no-rules"}) == "rule nav; --no-rules keeps it"
    assert remark({"keep": False}) == ""


def test_options_for_what_rules_drop() -> None:
    segments = [
        segment("It rained all day. " * 20, 4.0, path="body/main/p"),
        segment("Read also: Snow in May", 4.0, path="body/main/p", links=11),
        segment("Newest first", 4.0, path="body/main/ul.dropdown-menu/li"),
    ]
    page = {"id": "1", "lang": "en", "segments": segments, "page": {"odds": 5.0, "types": {"article": 1.0}}}
    remarks = [remark(one) for one in selected(page)[1:]]
    assert remarks == [
        "refers to other pages, or to the site; --with related keeps it",
        "list of choices; --no-rules keeps it",
    ]


# ---- decisions in colours at a terminal


ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
SEGMENTS = [
    {"text": "Home", "type": "l", "score": -3.0, "keep": False},
    {"text": "It rained all day in the valley, " * 5, "type": "p", "role": "text", "score": 9.5, "keep": True},
    {"text": "© 2024", "type": "p", "score": -1.0, "keep": False, "reason": "rule copyright", "option": "--no-rules"},
]


def lines(columns: int, **fields: object) -> list[str]:
    return colour_listing({"id": "a", "segments": SEGMENTS, **fields}, columns).split("\n")


@pytest.mark.parametrize("columns", [60, 80, 200])
def test_lines_are_folded_to_the_width(columns: int) -> None:
    plain = [ESCAPE.sub("", line) for line in lines(columns)]
    assert max(map(len, plain)) <= columns
    text = " ".join(line[INDENT:] for line in plain[2:])
    assert text == "It rained all day in the valley, " * 5 + "© 2024 [rule copyright; --no-rules keeps it]"


def test_signs_and_colours_say_what_is_kept() -> None:
    home, rain = lines(300)[1:3]
    assert ESCAPE.sub("", home).startswith("- ") and DROPPED in home and KEPT not in home
    assert ESCAPE.sub("", rain).startswith("+ ") and KEPT in rain
    assert "1 of 3 segments kept" in lines(300)[0]


def test_the_reason_stands_after_the_text() -> None:
    assert ESCAPE.sub("", lines(300)[3]).endswith("© 2024 [rule copyright; --no-rules keeps it]")


def test_every_line_ends_its_colours() -> None:
    assert all(line.endswith("\x1b[0m") or "\x1b" not in line.rpartition("\x1b[0m")[2] for line in lines(60))


def test_bars_grow_with_the_score() -> None:
    assert bar(0).strip() == "" and bar(99) == bar(-99) == "█" * 6
    assert [len(bar(score)) for score in (0.1, 3, -5.5, 20)] == [6] * 4
    assert bar(6) == "███   " and bar(1) == "▌     "


def test_texts_cannot_steer_the_terminal() -> None:
    evil = "a\x1b[2Jb\x9bc\rd\u202ee\x07f"
    assert visible(evil) == "a [2Jb c d e f"
    listing = colour_listing(
        {"id": evil, "url": evil, "segments": [{**SEGMENTS[0], "text": evil, "type": "\x1b]0;x"}]}, 80
    )
    assert not set(ESCAPE.sub("", listing)) & set("\x1b\x9b\r\u202e\x07")


def test_wide_and_combining_characters() -> None:
    assert width_of("abc") == 3 and width_of("雨が降る") == 8 and width_of("e\u0301") == 1
    assert [width_of(line) for line in fold("雨が降る日には" * 4, 10)] == [10] * 5 + [6]
    assert fold("", 10) == [""]
    assert fold("a bb " + "c" * 25, 10) == ["a bb", "c" * 10, "c" * 10, "c" * 5]


@pytest.mark.slow
def test_colours_are_for_terminals(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<nav>Home</nav><p>It rained all day in the valley, and nobody went out.</p>")
    (tmp_path / "scored").write_text("")
    assert at_terminal("nc-segment page.html | nc-score -m xx > scored", tmp_path) == ""
    shown = at_terminal("nc-select --all scored", tmp_path, width=70)
    assert KEPT in shown and max(len(ESCAPE.sub("", line)) for line in shown.splitlines()) <= 70
    assert "\x1b" not in at_terminal("nc-select --all scored", tmp_path, environment={"NO_COLOR": "1"})
    assert "\x1b" not in at_terminal("nc-select --all scored", tmp_path, environment={"TERM": "dumb"})
    assert "\x1b" not in at_terminal("NO_COLOR=1 nc-select --all scored", tmp_path)
    at_terminal("nc-select --all scored > plain; FORCE_COLOR=1 nc-select --all scored > coloured", tmp_path)
    assert "\x1b" not in (tmp_path / "plain").read_text() and KEPT in (tmp_path / "coloured").read_text()
