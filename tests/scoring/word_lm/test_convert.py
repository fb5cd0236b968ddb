"""Converted models: ARPA files compared with KenLM, PyPlexity's files with its equations."""

from __future__ import annotations

import io
import math
from itertools import chain
from pathlib import Path

import pytest
from word_lm_corpus import DATA, SENTENCES

from ncfilters.errors import ModelError
from ncfilters.scoring import registry
from ncfilters.scoring.word_lm import arpa, convert, storable
from ncfilters.scoring.word_lm.backoff import BackoffModel
from ncfilters.scoring.word_lm.interpolated import InterpolatedModel
from ncfilters.text.tokenizers import tokenize

PERL = DATA / "storable"
TEXTS = [
    *SENTENCES[:80],
    "The captain never saw a submarine. Nobody on the quay did!",
    "submarine",
    "a a a",
    "café; (the long bridge) - 1,000 = ?",
    "no harbour",
]


# ---- PyPlexity's equations, on the tables of its files ----------------------------------------------------------


def tables(name: str) -> list[dict[str, float]]:
    _, found = storable.read_hashes(io.BytesIO((PERL / name).read_bytes()), name)
    return [
        {key.decode(): value for key, value in chain.from_iterable(zip(*batch) for batch in batches)}
        for batches in found
    ]


def tokens(text: str) -> list[str]:
    return tokenize([text], "pyplexity").words()[0]


def perplexity(text: str, name: str) -> float:
    """As the program computes it: the last two words of a trigram are the same word."""
    words = tokens(text)
    bits = 0.0
    if name == "bigrams.st":
        pairs, single = tables(name)
        for before, word in zip(["#", *words[:-1]], words):
            bits += math.log2(0.8 * pairs.get(f"{before} {word}", 0) + 0.2 * single.get(before, 0) + 1e-6)
    else:
        triples, pairs, single = tables(name)
        for one, two, three in zip(["#", *words[:-2]], words[:-1], words):
            bits += math.log2(
                0.6 * triples.get(f"{one} {two} {three}", 0)
                + 0.3 * pairs.get(f"{one} {two}", 0)
                + 0.1 * single.get(one, 0)
                + 1e-6
            )
    return float(2 ** (-bits / len(words)))


def aligned_perplexity(text: str) -> float:
    """As the paper defines it."""
    triples, pairs, single = tables("trigrams.st")
    words = ["#", "#", *tokens(text)]
    bits = 0.0
    for one, two, three in zip(words, words[1:], words[2:]):
        bits += math.log2(
            0.6 * triples.get(f"{one} {two} {three}", 0)
            + 0.3 * pairs.get(f"{two} {three}", 0)
            + 0.1 * single.get(three, 0)
            + 1e-6
        )
    return float(2 ** (-bits / (len(words) - 2)))


@pytest.mark.parametrize(("name", "estimator"), [("bigrams.st", "pyplexity"), ("trigrams.st", "pyplexity-misaligned")])
def test_pyplexity_files_give_its_perplexities(tmp_path: Path, name: str, estimator: str) -> None:
    made, _ = convert.convert_model(PERL / name, estimator=estimator)
    registry.write_model(tmp_path / "made.model", made, {})
    read = registry.load(str(tmp_path / "made.model"))
    wanted = [perplexity(text, name) for text in TEXTS]
    assert isinstance(read, InterpolatedModel)
    assert read.perplexities(TEXTS).tolist() == pytest.approx(wanted, rel=1e-12)


def test_trigrams_are_aligned_by_default() -> None:
    made, seen = convert.convert_model(PERL / "trigrams.st")
    assert made.perplexities(TEXTS).tolist() == pytest.approx([aligned_perplexity(text) for text in TEXTS], rel=1e-12)
    sizes = [len(table) for table in tables("trigrams.st")]
    assert list(seen.values()) == sizes[::-1]


def test_values_beyond_a_codebook_have_seven_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ncfilters.scoring.word_lm.interpolated.MAX_CODES", 4)
    made, _ = convert.convert_model(PERL / "bigrams.st")
    wanted = [perplexity(text, "bigrams.st") for text in TEXTS]
    found = made.perplexities(TEXTS).tolist()
    assert found == pytest.approx(wanted, rel=1e-6)
    assert found != pytest.approx(wanted, rel=1e-12)


def test_keys_with_other_word_counts_are_left_out() -> None:
    made, seen = convert.convert_model(PERL / "odd-keys.st")
    assert seen == {"single words": 2, "n-grams of 2 words": 1, "left out, of another number of words or no UTF-8": 4}
    assert made.perplexities(["a b"]) == pytest.approx(
        2 ** (-(math.log2(1e-6) + math.log2(0.8 * 0.5 + 0.1 + 1e-6)) / 2)
    )


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("storable/negative.st", r"-1\.0 is not a probability"),
        ("storable/numbers.st", "expected tables of bigrams and unigrams, .*, got an array of 1"),
        ("storable/code.st", "byte 32: expected a number, got a reference to Perl code"),
        ("storable/twice.st", "byte 39: expected a hash, got a second reference to an earlier value"),
        ("harbour-3-pruned.bin", "a KenLM binary file: score with it directly, or import its ARPA file"),
        ("harbour.txt", r"not an ARPA file: \\data\\ is missing"),
        ("none.arpa", "No such file or directory"),
    ],
)
def test_other_files_are_refused(name: str, message: str) -> None:
    with pytest.raises(ModelError, match=f"{name}: {message}"):
        convert.convert_model(DATA / name)


def test_a_pickle_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "evil.st"
    path.write_bytes(b"\x80\x04cos\nsystem\n")
    with pytest.raises(ModelError, match=r"evil\.st: refused: a pickle file, which can run code"):
        convert.convert_model(path)


# ---- ARPA -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["harbour-2.arpa", "harbour-3.arpa", "harbour-3-pruned.arpa"])
def test_an_arpa_file_survives_conversion(tmp_path: Path, name: str) -> None:
    made, seen = convert.convert_model(DATA / name)
    registry.write_model(tmp_path / "made.model", made, {})
    out = b"".join(convert.arpa_file("made", registry.load(str(tmp_path / "made.model"))))
    assert sorted(out.split(b"\n")) == sorted((DATA / name).read_bytes().split(b"\n"))
    assert list(seen.values()) == [len(order[0]) for order in arpa.read_arpa_file(DATA / name).orders]


@pytest.mark.oracle
@pytest.mark.parametrize("name", ["harbour-2.arpa", "harbour-3.arpa", "harbour-3-pruned.arpa"])
def test_arpa_files_give_the_perplexities_of_kenlm(name: str) -> None:
    kenlm = pytest.importorskip("kenlm")
    theirs = kenlm.Model(str(DATA / name))
    made, _ = convert.convert_model(DATA / name)
    assert isinstance(made, BackoffModel)
    assert made.perplexities(TEXTS).tolist() == pytest.approx([theirs.perplexity(text) for text in TEXTS], rel=1e-5)


def test_only_back_off_models_have_arpa_files(tmp_path: Path) -> None:
    made, _ = convert.convert_model(PERL / "bigrams.st")
    with pytest.raises(ModelError, match="its estimator is 'pyplexity': its probabilities do not sum to 1"):
        convert.arpa_file("x", made)
    with pytest.raises(ModelError, match="a model of kind 'ngram'; only word models have ARPA files"):
        convert.arpa_file("x", registry.load("ncleaner-en"))
