"""What a page does not show, sentence by sentence."""

from __future__ import annotations

import pytest

from ncfilters.page import shown_text
from ncfilters.page.shown_text import Shown, squashed

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
def test_what_is_shown_is_not_lacking(text: str) -> None:
    assert Shown(PAGE).lacks(text) == []


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
def test_what_is_not_shown_is_lacking(text: str, expected: list[str] | None) -> None:
    assert Shown(PAGE).lacks(text) == (expected or [text])


def test_a_long_sentence_with_a_word_changed_is_shown() -> None:
    words = "It is said that the river has not been so high for a hundred and twenty years or more, in the town"
    assert Shown(f"{words}.").lacks(words.replace("hundred", "HUNDRED ") + "…") == []
    assert Shown(f"{words}.").lacks(words.replace("high", "low")) == []
    assert (
        Shown(f"{words}.").lacks("It is said that the road has been closed ever since a lorry went into the river")
        != []
    )


def test_what_was_found_is_shown_from_then_on() -> None:
    shown = Shown(PAGE)
    assert shown.lacks("The bridge is closed.") == ["The bridge is closed."]
    assert shown.lacks("The bridge is closed!") == []
    assert shown.lacks_all("a\tb c") and not shown.lacks_all("A\tb\tc")


def test_scripts_of_two_bytes_are_compared() -> None:
    assert Shown("Дождь шёл весь день.").lacks("Дождь шёл весь день") == []
    assert Shown("Дождь шёл весь день.").lacks("Снег шёл всю ночь") == ["Снег шёл всю ночь"]


def test_squashed_keeps_letters_and_digits() -> None:
    assert squashed("A1 — “b”\u00a0c…\n2") == b"a1bc2"
    assert squashed("\ud83d x") == b"x"


def test_work_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shown_text, "WORK", 3 * len(squashed(PAGE)))
    shown = Shown(PAGE)
    assert [bool(shown.lacks(f"Line {number} of the text")) for number in range(4)] == [True, False, False, False]
