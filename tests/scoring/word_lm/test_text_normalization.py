"""Texts normalised for models of other programs: CCNet's rules, tokens separated by spaces, SentencePiece."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from word_lm_corpus import SENTENCES

from ncfilters.errors import ModelError
from ncfilters.scoring.word_lm.text_normalization import CCNET_PUNCTUATION, ccnet, text_normalizer


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
