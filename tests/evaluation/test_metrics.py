"""Metrics, their tokens, and long texts."""

from __future__ import annotations

import importlib.util
import itertools
import lzma
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from operations import assert_linear_time

from ncfilters.dataset.gold import Gold, gold_of
from ncfilters.evaluation import metrics
from ncfilters.evaluation.metrics import (
    MARKER,
    METRICS,
    Counts,
    WordOptions,
    align,
    cleaneval_alignment,
    cleaneval_words,
    count_aligned,
    display_alignment,
    lowercase_words,
    pieces,
    precision_recall_f,
    unmarked_words,
    word_options,
)

Data = Callable[[str], Path]
ZH = "大桥关闭，五月重新开放。"


def of(name: str, text: str, gold: Gold | str, ascii: bool = False) -> Any:
    return METRICS[name].compute(text, gold if isinstance(gold, Gold) else Gold(gold), ascii)


# ---- alignments and counts ----------------------------------------------------------------------------------
def test_a_replacement_is_wrong_words_then_missed_words() -> None:
    assert align("a b x c".split(), "a b y z c d".split()) == [
        ("equal", ["a", "b"]), ("delete", ["x"]), ("insert", ["y", "z"]), ("equal", ["c"]), ("insert", ["d"]),
    ]  # fmt: skip
    assert align([], []) == []
    assert align(["a"], []) == [("delete", ["a"])]


def test_metrics_of_markers_and_their_counts() -> None:
    diff = [("equal", ["<p>", "a"]), ("delete", ["<h>"]), ("insert", ["b", "<L>", "<l>"])]
    assert count_aligned(diff) == (2, 1, 3)
    assert count_aligned(diff, MARKER.match) == (1, 1, 2)
    assert precision_recall_f((0, 0, 0), 0.0) == (0, 0, 0)
    assert {name for name, metric in METRICS.items() if metric.empty_score == 0} == {
        "cleaneval",
        "segments",
        "unlabelled",
    }


@pytest.mark.parametrize(("found", "expected"), [
    ((3, 1, 2), (0.75, 0.6, 2 / 3)), ((0, 0, 0), (1, 1, 1)), ((0, 1, 0), (0, 0, 0)), ((0, 0, 1), (0, 0, 0)),
    ((5, 0, 0), (1, 1, 1)),
])  # fmt: skip
def test_scores(found: Counts, expected: tuple[float, ...]) -> None:
    assert precision_recall_f(found) == pytest.approx(expected, abs=1e-15)


# ---- each metric by hand -----------------------------------------------------------------------------------
GOLD = Gold("URL: http://a.example/\n<h>The bridge\n<p>It is closed.\n<l>May", has_markers=True)
TEXT = "<p>The bridge\n<p>It is not closed.\n<p>Share"


@pytest.mark.parametrize(
    ("name", "found"),
    [
        # The bridge It is [not] closed. [Share] {May}
        ("words", (5, 2, 1)),
        # "" [<p>] {<h>} The bridge <p> It is [not] closed. [<p> Share] {<l> May}
        ("cleaneval", (7, 4, 3)), ("segments", (1, 2, 2)),
        # all are <p>; the last is matched too
        ("unlabelled", (3, 0, 0)),
        # of 7 words one is deleted, one replaced
        ("similarity", 1 - 2 / 7), ("bag", (5, 2, 1)), ("required", None), ("forbidden", None),
    ],
)  # fmt: skip
def test_each_metric_by_hand(name: str, found: Any) -> None:
    assert of(name, TEXT, GOLD) == pytest.approx(found)


@pytest.mark.parametrize("name", ["cleaneval", "segments", "unlabelled"])
def test_marker_metrics_need_gold_with_markers(name: str) -> None:
    assert of(name, TEXT, "plain gold") is None


def test_snippets_and_empty_gold() -> None:
    gold = Gold("x", required=("The  BRIDGE", "is open"), forbidden=("share", "home page", "<p>"))
    assert of("required", "<h>the<p>\n bridge", gold) == 0.5
    assert of("forbidden", "Share this on your home\npage", gold) == pytest.approx(2 / 3)
    assert of("required", "cafe BRIDGE the bridgé", Gold("", required=("the bridg",)), ascii=True) == 1
    gold = Gold("URL: http://a.example/\n", has_markers=True)
    assert of("cleaneval", "", gold) == (1, 0, 1)  # [""] against ["", ""]
    assert of("segments", "", gold) == (0, 0, 0)
    assert of("segments", "<p>a", gold) == (0, 1, 0)
    text = "a\x00b \ud800 c\x1b[1m\udfff"
    for name in METRICS:
        assert of(name, text, Gold(text, has_markers=True, required=(text,), forbidden=(text,))) is not None
    assert of("words", text, text) == (5, 0, 0)  # a b \ud800 c [1m\udfff
    assert of("required", text, Gold("", required=(text,))) == 1


@pytest.mark.parametrize(
    ("text", "gold", "f"), [("", "", 1.0), ("a b", "", 0.0), ("", "a b", 0.0), (" \n", "<p>", 1.0), ("a", "a", 1.0)]
)
def test_empty_text_and_empty_gold(text: str, gold: str, f: float) -> None:
    for name in ("words", "bag"):
        assert precision_recall_f(of(name, text, gold))[2] == f
    assert of("similarity", text, gold) == f


def test_chinese_and_ascii() -> None:
    for lang in ("zh", ""):
        gold = Gold(ZH, fields={"lang": lang})
        assert of("words", "首页" + ZH, gold) == (12, 2, 0)
        assert of("bag", "首页" + ZH, gold) == (10, 2, 0)  # without punctuation
        assert of("similarity", "首页" + ZH, gold) == pytest.approx(12 / 14)
    marked = Gold("<p>" + ZH, has_markers=True)
    assert of("cleaneval", "<h>首页<p>" + ZH, marked)[1:] == (3, 0)
    # cleaneval.py knows no characters
    assert count_aligned(cleaneval_alignment("<h>首页<p>" + ZH, marked.marked, WordOptions())) == (3, 2, 0)
    for name in ("words", "bag"):
        assert of(name, "un caf\xe9", "un caf", ascii=True) == (2, 0, 0)
        assert of(name, "un caf\xe9", "un caf") == (1, 1, 1)
    assert of("similarity", "caf\xe9", "caf", ascii=True) == 1


def test_alignments_are_displayed_and_cached() -> None:
    assert display_alignment("<p>a", Gold("<p>a", has_markers=True), False) == [("equal", ["", "<p>", "a"])]
    assert display_alignment("<p>a", Gold("a"), False) == [("equal", ["a"])]
    pages = [(TEXT, GOLD), ("<p>a", GOLD), (TEXT, Gold("<p>The bridge", has_markers=True))]
    alone = [(of("cleaneval", *page), of("segments", *page), of("unlabelled", *page)) for page in pages]
    assert [(of("cleaneval", *page)) for page in pages] == [some[0] for some in alone]
    assert [(of("unlabelled", *page)) for page in pages] == [some[2] for some in alone]
    assert len({some[0] for some in alone}) == 3


# ---- against other implementations ----------------------------------------------------------------------------
def _pages(path: Path, number: int, has: bytes = b"") -> list[dict[str, Any]]:
    with lzma.open(path) as file:
        return [orjson.loads(line) for line in itertools.islice((line for line in file if has in line), number)]


def _dropped(text: str, seed: int) -> str:
    """A gold text as a bad filter might output it: paragraphs lost, doubled and inserted; runs of words lost."""
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


@pytest.mark.slow
@pytest.mark.oracle
@pytest.mark.parametrize(
    ("name", "number", "has"),
    [("wcxb-dev", 20, b""), ("cleaneval-dev", 8, b""), ("daniel-dev", 10, b'"lang": "zh"'), ("daniel-dev", 15, b"")],
)
def test_values_are_those_of_another_implementation(
    data: Data, harness: Any, name: str, number: int, has: bytes
) -> None:
    pages = _pages(data(f"data/{name}.jsonl.xz"), number, has)
    assert pages
    for seed, page in enumerate(pages):
        gold = gold_of(page)
        marked = _dropped(gold.marked, seed)
        text = _dropped(gold.plain, seed)
        theirs = harness.score(page, text, 0)
        p, r, f = precision_recall_f(of("bag", text, gold))
        assert (p, r, f) == pytest.approx(theirs["bag"], abs=1e-12), page["id"]
        if "seq" in theirs:
            assert of("words", text, gold) == theirs["seq"], page["id"]
        for ours, name in ("required", "with"), ("forbidden", "without"):
            assert of(ours, text, gold) == theirs.get(name), page["id"]
        if gold.has_markers:
            assert of("segments", marked, gold) == harness.tags(marked, gold.marked, True), page["id"]
            assert of("unlabelled", marked, gold) == harness.tags(marked, gold.marked, False), page["id"]


def test_pages_of_20000_words_are_evaluated_exactly() -> None:
    """No page of WCXB has more than 10,000 words."""
    rnd = random.Random(3)
    ends = [0, *sorted(rnd.sample(range(1, 20_000), 200)), 20_000]
    words = [f"w{rnd.randrange(5_000)}" for _ in range(20_000)]
    lines = [words[start:end] for start, end in itertools.pairwise(ends)]
    kept = [line for number, line in enumerate(lines) if number < 10 or number > 30]
    gold = Gold("\n".join(map(" ".join, lines)))
    text = "\n".join(map(" ".join, kept))
    number = sum(map(len, kept))
    for name in ("words", "bag"):
        assert of(name, text, gold) == (number, 0, 20_000 - number), name
    assert of("similarity", text, gold) == pytest.approx(number / 20_000)


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
def test_words_are_those_of_cleaneval(text: str, words: list[str]) -> None:
    assert cleaneval_words(text) == words


def test_words_of_cleaneval_and_of_bags() -> None:
    assert cleaneval_words("<H>a<l>b", WordOptions(unlabelled=True)) == ["", "<p>", "a", "<p>", "b"]
    assert cleaneval_words("café é b\xa0c", WordOptions(ascii=True)) == ["caf", "bc"]
    assert cleaneval_words("é", WordOptions(ascii=True)) == [""]
    assert unmarked_words("URL: x\n<p>a\x00b<H>c\xa0d\u3000e") == ["a", "b", "c", "d", "e"]
    assert unmarked_words("café \xa0 naïf\u2003b é", WordOptions(ascii=True)) == ["caf", "naf", "b"]
    assert unmarked_words(f"<p>NHK {ZH[:2]}", WordOptions(by_character=True)) == ["NHK", "大", "桥"]
    assert unmarked_words("\ud800 a\ud800b") == ["\ud800", "a\ud800b"]
    assert lowercase_words("It's 3.5 snake_case, CAFÉ!") == ["it", "s", "3", "5", "snake_case", "café"]
    assert lowercase_words("Café\xa0au lait", WordOptions(ascii=True)) == ["caf", "au", "lait"]
    assert lowercase_words("大桥ab", WordOptions(by_character=True)) == ["大", "桥", "ab"]
    assert lowercase_words("大桥ab") == ["大桥ab"]


@pytest.mark.parametrize(("lang", "text", "spaceless"), [
    ("zh", "English", True), ("ja-JP", "", True), ("zh_CN", "", True), ("cmn-Hans", "", True), ("th", "", True),
    ("", ZH, True), ("en", ZH, True), ("", f"{ZH} NHK", True), ("", f"The name of the bridge is {ZH[:2]}", False),
    ("en", "English", False), ("ko", "다리가 닫혔다", False), ("", "", False), ("", "12 34", False),
])  # fmt: skip
def test_scripts_without_spaces(lang: str, text: str, spaceless: bool) -> None:
    assert word_options(Gold(text, fields={"lang": lang}), False).by_character is spaceless


def texts(size: int, words: int = 3_000, seed: int = 1) -> tuple[list[str], list[str]]:
    """A gold text of so many words, and a text without three in ten of them and with one in seven changed."""
    numbers = random.Random(seed)
    gold = [f"w{numbers.randrange(words)}" for _ in range(size)]
    text = [word if numbers.random() > 1 / 7 else "x" for word in gold if numbers.random() > 0.3]
    return text, gold


def test_texts_that_are_not_long_are_one_piece() -> None:
    text, gold = texts(20_000)
    assert pieces(text, gold) == [(slice(0, len(text)), slice(0, len(gold)))]
    assert pieces([], []) == [(slice(0, 0), slice(0, 0))]


@pytest.mark.parametrize("words", [3, 3_000, 10**9])
def test_pieces_cover_both_texts_and_are_short(words: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "MAX_WORDS", 0)
    text, gold = texts(60_000, words)
    found = pieces(text, gold)
    assert [word for here, _ in found for word in text[here]] == text
    assert [word for _, there in found for word in gold[there]] == gold
    assert max(len(text[here]) + len(gold[there]) for here, there in found) <= 2 * metrics.PIECE_WORDS


@pytest.mark.parametrize("size", [4_000, 8_000])
def test_counts_are_about_the_same(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text, gold = texts(size)
    matched, wrong, missed = count_aligned(align(text, gold))
    monkeypatch.setattr(metrics, "MAX_WORDS", 0)
    monkeypatch.setattr(metrics, "PIECE_WORDS", 1_000)
    in_pieces = count_aligned(align(text, gold))
    assert in_pieces[0] + in_pieces[1] == matched + wrong == len(text)
    assert in_pieces[0] + in_pieces[2] == matched + missed == len(gold)
    assert in_pieces[0] == pytest.approx(matched, rel=0.02)


@pytest.mark.parametrize("words", [3, 3_000, 10**9])
def test_time_is_in_proportion_to_the_texts(words: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "MAX_WORDS", 0)
    monkeypatch.setattr(metrics, "PIECE_WORDS", 500)
    assert_linear_time(lambda pair: align(*pair), lambda size: texts(size, words), 2_000)
