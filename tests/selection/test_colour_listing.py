"""Decisions in colours at a terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from terminals import at_terminal

from ncfilters.selection.colour_listing import DROPPED, INDENT, KEPT, bar, colour_listing, fold, visible, width_of

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
