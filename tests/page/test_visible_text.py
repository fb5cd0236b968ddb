"""Text compared with the visible text of a page, sentence by sentence."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from operations import assert_linear

from ncfilters.page import compiled_core, visible_text
from ncfilters.page.visible_text import VisibleText, comparison_key

PAGE = "The river rose by two metres. Nobody was hurt. “It’s over,” they said on Tuesday in the town hall."


@pytest.mark.parametrize(
    "text",
    [
        "The river rose by two metres.",
        "the river  rose\nby two metres",
        'THE RIVER ROSE BY TWO METRES. "It\'s over," they said on Tuesday in the town hall.',
        "The river rose by two me\u00adtres. No\u200bbody was hurt.",
        "Nobody was hurt. The river rose by two metres.",  # in another order
        "… they said on Tuesday in the town hall…",
        "",
        "—!",
    ],
)
def test_visible_sentences_are_not_missing(text: str) -> None:
    assert VisibleText(PAGE).add_missing(text) == []


@pytest.mark.parametrize(
    "text, expected",
    [
        ("The bridge is closed.", ["The bridge is closed."]),
        (f"{PAGE} The bridge is closed.", ["The bridge is closed."]),
        (f"The bridge is closed. {PAGE} The road is not.", ["The bridge is closed.", "The road is not."]),
        ("The bridge is closed. So is the road. Nobody was hurt.", ["The bridge is closed. So is the road."]),
        # a short sentence stays with those before it
        ("The bridge across it is closed. Hurt. The road along it is not, for now.", None),
        ("河水上涨了两米。桥梁已经关闭，所有的人都回家了，没有人知道什么时候再打开。", None),
    ],
)
def test_other_sentences_are_missing(text: str, expected: list[str] | None) -> None:
    assert VisibleText(PAGE).add_missing(text) == (expected or [text])


def test_long_sentence_with_one_changed_word_is_visible() -> None:
    words = "It is said that the river has not been so high for a hundred and twenty years or more, in the town"
    other = "It is said that the road has been closed ever since a lorry went into the river"
    assert VisibleText(f"{words}.").add_missing(words.replace("hundred", "HUNDRED ") + "…") == []
    assert VisibleText(f"{words}.").add_missing(words.replace("high", "low")) == []
    assert VisibleText(f"{words}.").add_missing(other) == [other]


def test_added_text_is_visible_from_then_on() -> None:
    visible = VisibleText(PAGE)
    assert visible.add_missing("The bridge is closed.") == ["The bridge is closed."]
    assert visible.add_missing("The bridge is closed!") == []
    assert visible.add_if_missing("a\tb c") and not visible.add_if_missing("A\tb\tc")


def test_scripts_of_two_bytes_are_compared() -> None:
    assert VisibleText("Дождь шёл весь день.").add_missing("Дождь шёл весь день") == []
    assert VisibleText("Дождь шёл весь день.").add_missing("Снег шёл всю ночь") == ["Снег шёл всю ночь"]


def test_comparison_keys_keep_letters_and_digits() -> None:
    assert comparison_key("A1 — “b”\u00a0c…\n2") == b"a1bc2"
    assert comparison_key("\ud83d x") == b"x"
    assert comparison_key("H₂O, 10⁶, 5²") == comparison_key("H2O 106 52")


def test_an_index_replaces_long_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visible_text, "MAX_SEARCHED_BYTES", 0)
    visible = VisibleText(PAGE)
    lines = [f"Line {number} of the text, which has {number} words." for number in range(1_000, 2_000)]
    assert all(map(visible.add_missing, lines))
    assert not any(map(visible.add_missing, lines))
    key = comparison_key(PAGE)
    size = visible_text.MIN_SAMPLED_BYTES
    assert all(visible.contains(key[at : at + size]) for at in range(len(key) - size + 1))
    assert not visible.contains(b"0123456789abcdefghijklmn")
    assert visible.contains(b"short")


def test_the_index_takes_linear_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visible_text, "MAX_SEARCHED_BYTES", 0)
    assert_linear(VisibleText("").add_missing, lambda size: "".join(f"Sentence {n}. " for n in range(size)), 3_000)


@given(st.text() | st.text("Aé1²₃\u2041\u20ac\u200b\xad\xa8Ā \u0142ﬁ\ud800🙂-"))
def test_the_compiled_keys_are_those_of_python(text: str) -> None:
    compiled = comparison_key(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(visible_text, "core", lambda: None)
        assert comparison_key(text) == compiled


_SIGNS = st.text(" .!?…”'\")\u00a0\u0085\u3000\u2009\x1c。！？』）\n\rAbc1é中²\ud800", max_size=12)
_WORDS = st.sampled_from(["the river rose by two metres", "nobody was hurt", "it is over in the hall", "дождь шёл"])
_PART = _WORDS | _SIGNS


@pytest.mark.parametrize("searched", [0, 300, visible_text.MAX_SEARCHED_BYTES])
@given(st.lists(_PART).map("".join), st.lists(st.lists(_PART, max_size=8).map("".join), max_size=40))
def test_the_compiled_comparison_is_that_of_python(searched: int, page: str, texts: list[str]) -> None:
    def missing(compiled: bool) -> list[list[str]]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(visible_text, "MAX_SEARCHED_BYTES", searched)
            if not compiled:
                patch.setattr(visible_text, "core", lambda: None)
            visible = VisibleText(page)
            return [visible.add_missing(text) for text in texts]

    assert missing(True) == missing(False)


@given(st.lists(_PART).map("".join), st.lists(_PART, max_size=8).map("".join))
def test_what_is_surely_shown_is_not_missing(page: str, text: str) -> None:
    lines = [" ".join(line.split()) for line in re.split(r"[\r\n]+", text)]
    is_shown = VisibleText(page).surely_shows(text)
    visible = VisibleText(page)
    missing = [run for line in lines for run in visible.add_missing(line)]
    if is_shown:
        assert text.isascii() and missing == []
    elif text.isascii() and compiled_core.core():
        assert missing or any(comparison_key(line) not in comparison_key(page) for line in lines)


def test_long_comparisons_take_linear_time() -> None:
    def compare(text: str) -> None:
        VisibleText("a" * len(text)).add_missing(f"{text[: len(text) // 3]}b{text[: len(text) // 3]}")

    assert_linear(compare, lambda size: "a" * size, 200_000)
