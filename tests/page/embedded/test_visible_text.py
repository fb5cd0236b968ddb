"""Text compared with the visible text of a page, sentence by sentence."""

from __future__ import annotations

import pytest
from operations import assert_linear

from ncfilters.page.embedded import visible_text
from ncfilters.page.embedded.visible_text import VisibleText, comparison_key

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


def test_long_comparisons_take_linear_time() -> None:
    def compare(text: str) -> None:
        VisibleText("a" * len(text)).add_missing(f"{text[: len(text) // 3]}b{text[: len(text) // 3]}")

    assert_linear(compare, lambda size: "a" * size, 200_000)
