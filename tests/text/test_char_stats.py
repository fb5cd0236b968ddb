"""Counts of characters, words and sentences, in any script."""

from __future__ import annotations

from array import array
from types import ModuleType

import pytest
from uncompiled import both_forms

from ncfilters.text import char_classes as classes
from ncfilters.text.char_classes import BRACKET, COMMA, DIGIT, END, LETTER, MARK, PLAIN, SIGN, STOP, UPPER, WIDE

FORMS = pytest.mark.parametrize("form", both_forms("ncfilters.text.char_stats"), ids=lambda form: form.__name__)


def count(form: ModuleType, text: str) -> list[float]:
    """The numbers of a text, behind a row that stays."""
    out = array("f", bytes(8 * classes.CHAR_COLUMNS))
    room = array("i", [9] * classes.CLASSES)
    form.count_characters(text.encode("utf-8", "surrogatepass"), len(text), room, out, classes.CHAR_COLUMNS)
    assert not any(out[: classes.CHAR_COLUMNS])
    return out[classes.CHAR_COLUMNS :].tolist()


@pytest.mark.parametrize(
    "text, words, sentences, titles",
    [
        ("Is this clean? Yes.", 4, 2, 2),
        ("no full stop", 3, 0, 0),
        ("3.5 is no sentence", 4, 0, 0),
        ("He said “Go.”", 3, 1, 1),
        ("Quoted (here.)", 2, 1, 1),
        ("«Il est là.»", 3, 1, 0),
        ("", 0, 0, 0),
        ("***", 0, 0, 0),
        ("我们今天去公园散步。", 10 / 1.5, 1, 0),
        ("他说。“好。”", 5 / 1.5, 2, 0),
        ("我用Linux系统", 4 / 1.5 + 1, 0, 0),
        ("Мы гуляли весь день.", 4, 1, 0),
        ("وصلنا أمس؟ نعم", 3, 1, 0),
        ("हम कल आए। वह आज आया।", 6, 2, 0),
        ("ก" * 60, 6, 0, 0),  # Thai has no spaces between words
    ],
)
@FORMS
def test_words_and_sentences_are_counted(
    form: ModuleType, text: str, words: float, sentences: int, titles: int
) -> None:
    counts = count(form, text)
    assert counts[classes.WORDS] == pytest.approx(words)
    assert counts[classes.SENTENCES] == sentences
    assert counts[classes.TITLES] == titles
    assert counts[classes.CHARS] == len(text)


@FORMS
def test_bytes_of_each_class_are_counted(form: ModuleType) -> None:
    counts = count(form, "Ab, 12! (c) $é我€;")
    assert (counts[classes.UPPERS], counts[classes.DIGITS], counts[classes.COMMAS]) == (1, 2, 2)
    assert (counts[classes.SYMBOLS], counts[classes.PUNCTUATION], counts[classes.FOREIGN]) == (1, 3, 3)


@pytest.mark.parametrize(
    "text, first, last",
    [
        ("Abc.", UPPER, STOP),
        ("abc", PLAIN, PLAIN),
        ("1,", DIGIT, COMMA),
        ("(a)", BRACKET, BRACKET),
        ("© x…", SIGN, MARK),
        ("é", LETTER, PLAIN),
        ("“Go!”", SIGN, STOP),
        ("”", SIGN, MARK),
        ('"', BRACKET, BRACKET),
        ("好！", WIDE, STOP),
        ("", END, END),
    ],
)
@FORMS
def test_first_and_last_bytes_have_classes(form: ModuleType, text: str, first: int, last: int) -> None:
    counts = count(form, text)
    assert (counts[classes.FIRST], counts[classes.LAST]) == (first, last)


@FORMS
def test_nul_is_a_space(form: ModuleType) -> None:
    assert count(form, "a\0b")[classes.WORDS] == 2


@FORMS
def test_lone_surrogates_are_counted(form: ModuleType) -> None:
    assert count(form, "a \ud800 b")[classes.WORDS] == 3
