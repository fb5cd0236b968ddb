"""Prose in the scripts of applications."""

from __future__ import annotations

import json
import random

import pytest

from ncfilters.page.embedded.hydration import INTERFACE_NAMES, MAX_TEXTS, is_prose, prose_texts

PROSE = "It had rained all day in the town. Then the sun came, and with it the children."
DATA = json.dumps({"post": [{"body": PROSE}], "slug": "a-b"})
TEXTS = [("post/body", PROSE)]


@pytest.mark.parametrize(
    "text",
    [
        PROSE,
        f"<p class='x'>{PROSE}</p>",
        "“What,” she said, “will become of the children?”",
        "Three things are in the box: a lamp, a cable, and a book.",
        "Дождь шёл весь день, и никто не выходил на улицу из дома.",
        "昨天下了一整天的雨，谁也没有出门。后来太阳出来了。",
        "昨日は一日中雨が降っていて、誰も外に出ませんでした。",
        "Wir haben im Jahr 2020 mit über 30 Leuten in Berlin an der Sache gearbeitet.",
    ],
)
def test_text_that_is_prose(text: str) -> None:
    assert is_prose(text)


@pytest.mark.parametrize(("name", "is_interface"), [("i18n", True), ("Cookies", True), ("İcon", True), ("ıcon", False)])
def test_names_of_the_interface(name: str, is_interface: bool) -> None:
    assert bool(INTERFACE_NAMES.fullmatch(name)) == is_interface


def test_text_in_ascii_is_read_like_other_text() -> None:
    choice = random.Random(1).choice
    parts = [*"don't Word word WORD x1 (in it), \"so end. end.\" a-b [1] 1. ? 'A".split(" "), "\x1cab"]
    ends = (" ", "\n ", " \x1f ", "\x1c ")
    texts = ["don't " + "".join(choice(parts) + choice(ends) for _ in range(12)) for _ in range(2_000)]
    found = [is_prose(text) for text in texts]
    assert found == [is_prose(text.replace("n't", "n’t")) for text in texts]
    assert 100 < sum(found) < 1_900


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Add to cart",
        "https://example.org/a/b. c",
        "A lamp of brass with a cable and a book in a box",  # no sentence
        "M0 0 L 10 10 a 5 5 0 1 0 10. 7 z m 8 9 l 7 8 9 0 1.",
        "body { margin: 0 } .a { color: red; } and so on, and on, and on it goes.",
        "function (a) { return a } // it had rained all day in the town.",
        "We have {{count}} of them in the town, and they are all here now.",
        "12.5 13.6 14.7 15.8 16.9 18.0 19.1 20.2 21.3.",
        "px-4 md:flex w-1/2 h-3 text-sm bg-red-100 p-2 m-3 b-4 c-5.",
    ],
)
def test_text_that_is_no_prose(text: str) -> None:
    assert not is_prose(text)


@pytest.mark.parametrize(
    "kind, script",
    [
        ("application/json", DATA),
        ("text/json", f"<!--{DATA}-->"),
        ("", f"window.__INITIAL_STATE__ = {DATA};"),
        ("text/javascript", f"  var state={DATA}"),
        ("module", f"\nwindow['a'] = {DATA};\nrun(window['a']);"),
        ("", f"window.A = JSON.parse({json.dumps(DATA)});"),
        ("", "window.A = " + DATA[:-1] + ', "x": undefined, "y":[undefined ,1]};'),
        ("application/json", json.dumps(DATA)),
        ("application/json", DATA + ";"),
        ("application/json", json.dumps(json.dumps({"post": {"body": PROSE}, "x": "y" * 40}))),
    ],
)
def test_scripts_with_data(kind: str, script: str) -> None:
    assert prose_texts([(kind, script)]) == TEXTS


@pytest.mark.parametrize(
    "kind, script",
    [
        ("application/ld+json", DATA),
        ("text/template", DATA),
        ("", f"window.A = {{body: {json.dumps(PROSE)}}}"),
        ("", f"if (a == {DATA}) b()"),
        ("", f"f({DATA})"),
        ("", f"window.A = JSON.parse('{DATA}')"),
        ("", f"window.A = {DATA[:-5]}"),
        ("application/json", DATA.replace("post", "messages")),
        ("application/json", '""'),
        ("application/json", "[[], {}, null, 7]. . "),
    ],
)
def test_scripts_without_data(kind: str, script: str) -> None:
    assert prose_texts([(kind, script)]) == []


def test_stream_of_react() -> None:
    long = "Né. " + PROSE
    rows = f'1:I[7,[],""]\n2:["$","p",null,{{"children":{json.dumps(PROSE)}}}]\n3:T{len(long.encode()):x},{long}4:[]\n'
    half = len(rows) // 2
    scripts = ["(self.__next_f=self.__next_f||[]).push([0])"]
    scripts += [f"self.__next_f.push([1,{json.dumps(part)}])" for part in (rows[:half], rows[half:])]
    assert prose_texts([("", script) for script in scripts]) == [("children", PROSE), ("text", long)]


@pytest.mark.parametrize("rows", ["0:Tfffffff,a. b. c", "0:T0,0:T0,", "x. y. z", ":\n:\n. . . ", '7:{"a": "b. c. d'])
def test_rows_with_wrong_lengths(rows: str) -> None:
    assert prose_texts([("", f"self.__next_f.push([1,{json.dumps(rows)}])")]) == []


def test_number_of_texts_is_bounded() -> None:
    data = json.dumps([f"{PROSE} That is text {number}." for number in range(MAX_TEXTS + 10)])
    assert len(prose_texts([("application/json", data)] * 3)) == MAX_TEXTS
