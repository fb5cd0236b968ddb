"""The words that the metrics compare."""

from __future__ import annotations

import pytest

from ncfilters.dataset.gold import Gold
from ncfilters.evaluation.tokenization import (
    WordOptions,
    cleaneval_words,
    counts_by_character,
    lowercase_words,
    unmarked_words,
)

ZH = "大桥关闭，五月重新开放。"


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


def test_cleaneval_words_unlabelled_and_ascii() -> None:
    assert cleaneval_words("<H>a<l>b", WordOptions(unlabelled=True)) == ["", "<p>", "a", "<p>", "b"]
    assert cleaneval_words("café é b\xa0c", WordOptions(ascii=True)) == ["caf", "bc"]
    assert cleaneval_words("é", WordOptions(ascii=True)) == [""]


def test_unmarked_words() -> None:
    assert unmarked_words("URL: x\n<p>a\x00b<H>c\xa0d\u3000e") == ["a", "b", "c", "d", "e"]
    assert unmarked_words("café \xa0 naïf\u2003b é", WordOptions(ascii=True)) == ["caf", "naf", "b"]
    assert unmarked_words(f"<p>NHK {ZH[:2]}", WordOptions(by_character=True)) == ["NHK", "大", "桥"]
    assert unmarked_words("\ud800 a\ud800b") == ["\ud800", "a\ud800b"]


def test_bag_of_words() -> None:
    assert lowercase_words("It's 3.5 snake_case, CAFÉ!") == ["it", "s", "3", "5", "snake_case", "café"]
    assert lowercase_words("Café\xa0au lait", WordOptions(ascii=True)) == ["caf", "au", "lait"]
    assert lowercase_words("大桥ab", WordOptions(by_character=True)) == ["大", "桥", "ab"]
    assert lowercase_words("大桥ab") == ["大桥ab"]


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
    assert counts_by_character(Gold(text, fields={"lang": lang})) is spaceless
