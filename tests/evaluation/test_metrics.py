"""The measures: by hand, against the harness that judges the project, and on pages nobody wants."""

from __future__ import annotations

import importlib.util
import itertools
import lzma
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from ncfilters.dataset.gold import Gold, gold_of
from ncfilters.evaluation.metrics import (
    MARKER,
    MEASURES,
    Counts,
    aligned,
    bag,
    cleaneval_aligned,
    counts,
    is_spaceless,
    normalised,
    scores,
    shown_aligned,
    unmarked,
)

Data = Callable[[str], Path]
ZH = "大桥关闭，五月重新开放。"


def of(name: str, text: str, gold: Gold | str, ascii: bool = False) -> Any:
    return MEASURES[name].of(text, gold if isinstance(gold, Gold) else Gold(gold), ascii)


# ---- words --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("URL: http://a.example/\n<h>A title<p>Some\ttext", ["", "<h>", "A", "title", "<p>", "Some", "text"]),
        ("  URL of a page\nkept", ["", "kept"]),
        ("a URL: kept", ["a", "URL:", "kept"]),
        ("<p>URL: kept", ["", "<p>", "URL:", "kept"]),
        ("x<L>y <b>z<p", ["x", "<L>", "y", "<b>z<p"]),
        ("a\x00b\x1fc", ["a", "b", "c"]),
        ("a\xa0b\u2003c\x85d", ["a\xa0b\u2003c\x85d"]),  # white space is ASCII's, as in bytes
        ("", [""]),
        (" ", ["", ""]),
        ("a ", ["a", ""]),
    ],
)
def test_normalised_as_cleaneval(text: str, words: list[str]) -> None:
    assert normalised(text) == words


def test_normalised_unlabelled_and_ascii() -> None:
    assert normalised("<H>a<l>b", unlabelled=True) == ["", "<p>", "a", "<p>", "b"]
    assert normalised("café é b\xa0c", ascii=True) == ["caf", "bc"]
    assert normalised("é", ascii=True) == [""]


def test_unmarked_words() -> None:
    assert unmarked("URL: x\n<p>a\x00b<H>c\xa0d\u3000e") == ["a", "b", "c", "d", "e"]
    assert unmarked("café \xa0 naïf\u2003b é", ascii=True) == ["caf", "naf", "b"]
    assert unmarked(f"<p>NHK {ZH[:2]}", spaceless=True) == ["NHK", "大", "桥"]
    assert unmarked("\ud800 a\ud800b") == ["\ud800", "a\ud800b"]


def test_bag_of_words() -> None:
    assert bag("It's 3.5 snake_case, CAFÉ!") == ["it", "s", "3", "5", "snake_case", "café"]
    assert bag("Café\xa0au lait", ascii=True) == ["caf", "au", "lait"]
    assert bag("大桥ab", spaceless=True) == ["大", "桥", "ab"]
    assert bag("大桥ab") == ["大桥ab"]


@pytest.mark.parametrize(
    ("lang", "text", "spaceless"),
    [
        ("zh", "English", True),
        ("ja-JP", "", True),
        ("zh_CN", "", True),
        ("cmn-Hans", "", True),
        ("th", "", True),
        ("", ZH, True),
        ("en", ZH, True),
        ("", f"{ZH} NHK", True),
        ("", f"The name of the bridge is {ZH[:2]}", False),
        ("en", "English", False),
        ("ko", "다리가 닫혔다", False),
        ("", "", False),
        ("", "12 34", False),
    ],
)
def test_scripts_without_spaces(lang: str, text: str, spaceless: bool) -> None:
    assert is_spaceless(Gold(text, fields={"lang": lang})) is spaceless


# ---- alignments and counts ----------------------------------------------------------------------------------


def test_a_replacement_is_wrong_words_then_missed_ones() -> None:
    assert aligned("a b x c".split(), "a b y z c d".split()) == [
        ("equal", ["a", "b"]),
        ("delete", ["x"]),
        ("insert", ["y", "z"]),
        ("equal", ["c"]),
        ("insert", ["d"]),
    ]
    assert aligned([], []) == []
    assert aligned(["a"], []) == [("delete", ["a"])]


def test_counts_of_words_and_of_some_of_them() -> None:
    diff = [("equal", ["<p>", "a"]), ("delete", ["<h>"]), ("insert", ["b", "<L>", "<l>"])]
    assert counts(diff) == (2, 1, 3)
    assert counts(diff, MARKER.match) == (1, 1, 2)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ((3, 1, 2), (0.75, 0.6, 2 / 3)),
        ((0, 0, 0), (1, 1, 1)),
        ((0, 1, 0), (0, 0, 0)),
        ((0, 0, 1), (0, 0, 0)),
        ((5, 0, 0), (1, 1, 1)),
    ],
)
def test_scores(found: Counts, expected: tuple[float, ...]) -> None:
    assert scores(found) == pytest.approx(expected, abs=1e-15)


def test_nothing_against_nothing_may_be_nothing() -> None:
    assert scores((0, 0, 0), 0.0) == (0, 0, 0)
    assert {name for name, measure in MEASURES.items() if measure.nothing == 0} == {
        "cleaneval",
        "segments",
        "unlabelled",
    }


# ---- each measure by hand -----------------------------------------------------------------------------------

GOLD = Gold("URL: http://a.example/\n<h>The bridge\n<p>It is closed.\n<l>May", has_markers=True)
TEXT = "<p>The bridge\n<p>It is not closed.\n<p>Share"


@pytest.mark.parametrize(
    ("name", "found"),
    [
        # The bridge It is [not] closed. [Share] {May}
        ("words", (5, 2, 1)),
        # "" [<p>] {<h>} The bridge <p> It is [not] closed. [<p> Share] {<l> May}
        ("cleaneval", (7, 4, 3)),
        ("segments", (1, 2, 2)),
        # all are <p>; the last is matched too
        ("unlabelled", (3, 0, 0)),
        # of 7 words one is deleted, one replaced
        ("similarity", 1 - 2 / 7),
        ("bag", (5, 2, 1)),
        ("required", None),
        ("forbidden", None),
    ],
)
def test_a_page_by_hand(name: str, found: Any) -> None:
    assert of(name, TEXT, GOLD) == pytest.approx(found)


def test_rouge_by_hand() -> None:
    assert of("rouge", TEXT, GOLD) == pytest.approx((5 / 7, 5 / 6, 10 / 13))


@pytest.mark.parametrize("name", ["cleaneval", "segments", "unlabelled"])
def test_measures_of_markers_want_gold_with_markers(name: str) -> None:
    assert of(name, TEXT, "plain gold") is None


def test_snippets() -> None:
    gold = Gold("x", required=("The  BRIDGE", "is open"), forbidden=("share", "home page", "<p>"))
    assert of("required", "<h>the<p>\n bridge", gold) == 0.5
    assert of("forbidden", "Share this on your home\npage", gold) == pytest.approx(2 / 3)
    assert of("required", "cafe BRIDGE the bridgé", Gold("", required=("the bridg",)), ascii=True) == 1


@pytest.mark.parametrize(
    ("text", "gold", "f"), [("", "", 1.0), ("a b", "", 0.0), ("", "a b", 0.0), (" \n", "<p>", 1.0), ("a", "a", 1.0)]
)
def test_empty_text_and_empty_gold(text: str, gold: str, f: float) -> None:
    for name in ("words", "bag"):
        assert scores(of(name, text, gold))[2] == f
    assert of("similarity", text, gold) == f
    assert of("rouge", text, gold)[2] == f


def test_empty_gold_with_markers_as_in_cleaneval() -> None:
    gold = Gold("URL: http://a.example/\n", has_markers=True)
    assert of("cleaneval", "", gold) == (1, 0, 1)  # [""] against ["", ""]
    assert of("segments", "", gold) == (0, 0, 0)
    assert of("segments", "<p>a", gold) == (0, 1, 0)


def test_characters_that_are_none() -> None:
    text = "a\x00b \ud800 c\x1b[1m\udfff"
    for name in MEASURES:
        assert of(name, text, Gold(text, has_markers=True, required=(text,), forbidden=(text,))) is not None
    assert of("words", text, text) == (5, 0, 0)  # a b \ud800 c [1m\udfff
    assert of("required", text, Gold("", required=(text,))) == 1


def test_chinese_is_counted_in_characters() -> None:
    for lang in ("zh", ""):
        gold = Gold(ZH, fields={"lang": lang})
        assert of("words", "首页" + ZH, gold) == (12, 2, 0)
        assert of("bag", "首页" + ZH, gold) == (10, 2, 0)  # without punctuation
        assert of("similarity", "首页" + ZH, gold) == pytest.approx(12 / 14)
        assert of("rouge", "首页\n" + ZH, gold)[0] == pytest.approx(12 / 14)
    marked = Gold("<p>" + ZH, has_markers=True)
    assert of("cleaneval", "<h>首页<p>" + ZH, marked)[1:] == (3, 0)
    # cleaneval.py knows no characters
    assert counts(cleaneval_aligned("<h>首页<p>" + ZH, marked, False)) == (3, 2, 0)


def test_ascii_leaves_out_what_is_outside() -> None:
    for name in ("words", "bag"):
        assert of(name, "un caf\xe9", "un caf", ascii=True) == (2, 0, 0)
        assert of(name, "un caf\xe9", "un caf") == (1, 1, 1)
    assert of("similarity", "caf\xe9", "caf", ascii=True) == 1
    assert of("rouge", "caf\xe9", "caf", ascii=True) == (1, 1, 1)


def test_the_alignment_to_look_at_has_markers_if_the_gold_has() -> None:
    assert shown_aligned("<p>a", Gold("<p>a", has_markers=True), False) == [("equal", ["", "<p>", "a"])]
    assert shown_aligned("<p>a", Gold("a"), False) == [("equal", ["a"])]


def test_two_measures_of_one_alignment_do_not_mix_pages_up() -> None:
    pages = [(TEXT, GOLD), ("<p>a", GOLD), (TEXT, Gold("<p>The bridge", has_markers=True))]
    alone = [(of("cleaneval", *page), of("segments", *page), of("unlabelled", *page)) for page in pages]
    assert [(of("cleaneval", *page)) for page in pages] == [some[0] for some in alone]
    assert [(of("unlabelled", *page)) for page in pages] == [some[2] for some in alone]
    assert len({some[0] for some in alone}) == 3


# ---- against others, and in time ----------------------------------------------------------------------------


def _pages(path: Path, number: int, has: bytes = b"") -> list[dict[str, Any]]:
    with lzma.open(path) as file:
        return [orjson.loads(line) for line in itertools.islice((line for line in file if has in line), number)]


def _dropped(text: str, seed: int) -> str:
    """What a bad filter might have made of a gold text: paragraphs lost, doubled and put in; runs of words lost."""
    rnd = random.Random(seed)
    out = []
    for line in text.split("\n"):
        words = line.split(" ")
        at = rnd.randrange(len(words) + 1)
        cut = " ".join(words[:at] + words[at + 2 :])
        out += rnd.choice([[line], [line], [cut], [], [line, "Share this page now"], ["Home", line, line]])
    return "\n".join(out)


@pytest.fixture
def harness(data: Data) -> Any:
    specification = importlib.util.spec_from_file_location("measure", data("measure.py"))
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("name", "number", "has"),
    [("wcxb-dev", 60, b""), ("cleaneval-dev", 58, b""), ("daniel-dev", 25, b'"lang": "zh"'), ("daniel-dev", 40, b"")],
)
def test_figures_are_those_of_the_harness(data: Data, harness: Any, name: str, number: int, has: bytes) -> None:
    pages = _pages(data(f"data/{name}.jsonl.xz"), number, has)
    assert pages
    for seed, page in enumerate(pages):
        gold = gold_of(page)
        marked = _dropped(gold.marked, seed)
        text = _dropped(gold.plain, seed)
        theirs = harness.score(page, text, 0)
        p, r, f = scores(of("bag", text, gold))
        assert (p, r, f) == pytest.approx(theirs["bag"], abs=1e-12), page["id"]
        if "seq" in theirs:
            assert of("words", text, gold) == theirs["seq"], page["id"]
        for ours, name in ("required", "with"), ("forbidden", "without"):
            assert of(ours, text, gold) == theirs.get(name), page["id"]
        if gold.has_markers:
            assert of("segments", marked, gold) == harness.tags(marked, gold.marked, True), page["id"]
            assert of("unlabelled", marked, gold) == harness.tags(marked, gold.marked, False), page["id"]


def test_a_page_of_200000_words_takes_seconds() -> None:
    """No page is as long (the longest of WCXB has 10,000 words). difflib takes 12 s for 200,000 words of real pages,
    one after the other, and minutes at worst."""
    rnd = random.Random(3)
    ends = [0, *sorted(rnd.sample(range(1, 200_000), 2000)), 200_000]
    words = [f"w{rnd.randrange(50_000)}" for _ in range(200_000)]
    lines = [words[start:end] for start, end in itertools.pairwise(ends)]
    kept = [line for number, line in enumerate(lines) if number < 100 or number > 300]
    gold = Gold("\n".join(map(" ".join, lines)))
    text = "\n".join(map(" ".join, kept))
    number = sum(map(len, kept))
    for name, seconds in (("words", 30), ("similarity", 30), ("bag", 5), ("rouge", 60)):
        start = time.process_time()
        found = of(name, text, gold)
        assert time.process_time() - start < seconds, name
        if name == "similarity":
            assert found == pytest.approx(number / 200_000)
        elif name == "rouge":
            assert found == pytest.approx((1, number / 200_000, 2 * number / (number + 200_000)), abs=0.02)
        else:
            assert found == (number, 0, 200_000 - number), name
