"""Parameters of word models, and texts normalised for models of other programs: CCNet's rules, tokens separated by
spaces, SentencePiece."""

from __future__ import annotations

import io
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from word_lm_corpus import SENTENCES

from ncfilters.errors import ModelError
from ncfilters.scoring.word_lm.interpolated import PROBABILITIES, WEIGHTS
from ncfilters.scoring.word_lm.parameters import (
    CCNET_PUNCTUATION,
    ESTIMATORS,
    ORDERS,
    TOKENIZATIONS,
    WordModelParameters,
    ccnet,
    text_normalizer,
)
from ncfilters.text.tokenizers import TOKENIZERS


# ---- parameters ----
def test_limits_are_floats_and_tables_agree() -> None:
    limit = WordModelParameters("interpolated", 2, "words", 500).limit
    assert (limit, type(limit)) == (500.0, float)
    assert set(PROBABILITIES) == set(ESTIMATORS)
    assert tuple(WEIGHTS) == ORDERS
    assert {estimator.tokens for estimator in ESTIMATORS.values()} <= set(TOKENIZERS) == set(TOKENIZATIONS)


@pytest.mark.parametrize(("estimator", "n", "tokens", "why"), [
    ("pyplexity", 1, "words", "n is 1; it must be 2 or 3"), ("pyplexity", 2.0, "words", "n is 2.0"),
    ("pyplexity-misaligned", 2, "words", "requires 3"), ("good-turing", 2, "words", "estimator is 'good-turing'"),
    (None, 2, "words", "estimator is None"), ("interpolated", 2, "letters", "tokens is 'letters'; known are spaces"),
    ("interpolated", 2, [], "tokens is "), ("interpolated", 2, None, "tokens is None"),
])  # fmt: skip
def test_parameters_out_of_range_are_refused(estimator: Any, n: Any, tokens: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        WordModelParameters(estimator, n, tokens)


@pytest.mark.parametrize("limit", [0, -5, math.inf, math.nan, "8000", True, None])
def test_a_limit_that_is_no_perplexity_is_refused(limit: Any) -> None:
    with pytest.raises(ValueError, match=f"limit: expected a perplexity above 0, got {limit}"):
        WordModelParameters("interpolated", 2, "words", limit)


def test_the_names_of_estimators_need_no_numpy() -> None:
    code = "import sys, ncfilters.scoring.word_lm.parameters; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


# ---- texts ----
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("  The Café in 2024  ", "the cafe in 0000"), ("“Über” — ‘so’…", '"uber"  -  ‘so\'...'),
        ("«Élan», 1.234–5", '"elan", 0.000-0'), ("ＡＢ１２３ ٣٤", "ａｂ000 00"), ("東京、「大阪」。", '東京,"大阪".'),
        ("a\tb\x00c\x7fd\x85e\xa0f", "abcde\xa0f"),
        ("가", "\u1100\u1161"),  # decomposed, as CCNet leaves it
        ("ΆΣ", "ας"), ("one\n\n two \nthree", "one two three"), ("", ""), (" \n ", ""),
    ],
)  # fmt: skip
def test_texts_are_normalised_as_ccnet_does(text: str, wanted: str) -> None:
    assert ccnet(text) == wanted


def test_all_punctuation_becomes_ascii() -> None:
    assert all(ccnet(f"x{mark}x") == f"x{ascii}x" for mark, ascii in CCNET_PUNCTUATION.items())
    assert all(value.isascii() for value in CCNET_PUNCTUATION.values())
    assert len(CCNET_PUNCTUATION) == 33


def test_texts_are_normalised_and_then_tokenized() -> None:
    assert text_normalizer()(["The  cat, sat."]) == ["The  cat, sat."]
    assert text_normalizer("lower")(["The Cat", "É"]) == ["the cat", "é"]
    assert text_normalizer("none", "words")(["The cat, 3,000 sat.", "", "É!"]) == ["the cat , 3 , 000 sat .", "", "é !"]
    assert text_normalizer("ccnet", "words")(["Élan 42!"]) == ["elan 00 !"]
    assert text_normalizer("none", "pyplexity")(["The cat, sat."]) == ["the cat , sat ."]
    assert text_normalizer("none", "words")([]) == []


@pytest.mark.oracle
def test_a_sentencepiece_model_cuts_words_into_pieces(tmp_path: Path) -> None:
    sentencepiece = pytest.importorskip("sentencepiece")
    out = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(SENTENCES), model_writer=out, vocab_size=80, hard_vocab_limit=False, minloglevel=2
    )
    path = tmp_path / "en.sp.model"
    path.write_bytes(out.getvalue())
    processor = sentencepiece.SentencePieceProcessor(model_proto=out.getvalue())
    texts = ["The Captain saw 12 albatrosses", "the old captain", ""]
    found = text_normalizer("ccnet", tokens=str(path))(texts)
    assert found == [" ".join(processor.encode_as_pieces(ccnet(text))) for text in texts]
    assert found[0].startswith("▁th e ▁c ")
    assert "▁ 00" in found[0]


def test_other_files_are_no_sentencepiece_models(tmp_path: Path) -> None:
    pytest.importorskip("sentencepiece")
    for data in (b"", b"some text", b"\x80\x04]\x94.", bytes(1000)):
        path = tmp_path / "x.model"
        path.write_bytes(data)
        with pytest.raises(ModelError, match="x.model: not a SentencePiece model"):
            text_normalizer(tokens=str(path))
    with pytest.raises(ModelError, match=r"none\.model: No such file"):
        text_normalizer(tokens="none.model")


def test_without_sentencepiece_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    with pytest.raises(
        ModelError, match=r"x\.model: needs the package sentencepiece, .*: pip install 'ncfilters\[kenlm"
    ):
        text_normalizer(tokens="x.model")
