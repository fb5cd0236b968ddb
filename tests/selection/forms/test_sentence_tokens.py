"""Sentences of tokens, with the white space between them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncfilters.selection.forms.sentence_tokens import sentence_tokens


@pytest.mark.parametrize(
    ("text", "kind", "sentences"),
    [
        ("It rained. It stopped!", "p", ["It_ rained . _", "It_ stopped !_"]),
        ("It rained. It stopped!", "h", ["It_ rained . _ It_ stopped !_"]),
        ("今天下雨。明天晴。", "p", ["今 天 下 雨 。", "明 天 晴 。_"]),
        ("a\u00a0b\n\tc", "p", ["a_ b_", "c_"]),
        ("a\x00b", "p", ["ab_"]),
        (" ", "p", []),
        ("", "h", []),
    ],
)
def test_sentences(text: str, kind: str, sentences: list[str]) -> None:
    found = sentence_tokens({"text": text, "type": kind}, "")
    shown = [" ".join(token + "_" * spaced for token, spaced in sentence) for sentence in found]
    assert [line.replace(" _", "_") for line in sentences] == shown


@given(st.text("ab.!? \n。今'\u2028"))
def test_no_token_is_lost(text: str) -> None:
    found = sentence_tokens({"text": text, "type": "p"}, "en")
    assert "".join(token for sentence in found for token, _ in sentence) == "".join(text.split())
    assert "".join(token + " " * spaced for sentence in found for token, spaced in sentence).split() == text.split()
