"""ARPA files: those of lmplz and SRILM are read, and written files have the same numbers and scores."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from word_lm_corpus import DATA, SENTENCES, arpa_values

from ncfilters.errors import ModelError
from ncfilters.scoring.word_lm import arpa
from ncfilters.scoring.word_lm.arpa import ArpaModel

# as SRILM's ngram-count writes: -99 for <s>, no weight for n-grams that are no histories
SRILM = b"""
\\data\\
ngram 1=5
ngram 2=3

\\1-grams:
-0.8450981\t</s>
-99\t<s>\t-0.2632414
-0.544068\tcaf\xc3\xa9\t-0.09691
-1.146128\t<unk>
-inf\tnever\x0bsaid

\\2-grams:
-0.2218488\t<s> caf\xc3\xa9
-0.30103\tcaf\xc3\xa9 </s>
-0.5\tcaf\xc3\xa9 never\x0bsaid

\\end\\
"""
TEXTS = [*SENTENCES[:20], "the captain never saw a submarine .", "submarine", "", "the the the", ". ? !"]


def read(data: bytes) -> ArpaModel:
    return arpa.read_arpa(io.BytesIO(data), "some.arpa")


def written(model: ArpaModel) -> bytes:
    return b"".join(arpa.arpa_blocks(*model))


def values_by_ngram(model: ArpaModel) -> dict[tuple[str, ...], tuple[float, float]]:
    return {
        tuple(model.words[number] for number in row): (probability, weight)
        for rows, *values in model.orders
        for row, probability, weight in zip(rows.tolist(), *(some.tolist() for some in values))
    }


def sorted_lines(data: bytes) -> list[bytes]:
    return sorted(line for line in data.splitlines() if line)


@pytest.mark.parametrize("name", ["harbour-2", "harbour-3", "harbour-3-pruned", "harbour-few-2"])
def test_files_of_lmplz_are_written_as_they_were_read(name: str) -> None:
    path = DATA / f"{name}.arpa"
    model = arpa.read_arpa_file(path)
    assert values_by_ngram(model) == arpa_values(path)
    out = written(model)
    # lmplz writes n-grams in another order
    assert sorted_lines(out) == sorted_lines(path.read_bytes())
    assert written(read(out)) == out


def test_files_of_srilm_are_read() -> None:
    model = read(SRILM)
    assert model.words == ["</s>", "<s>", "café", "<unk>", "never\x0bsaid"]
    assert values_by_ngram(model)[("<s>",)] == (-99, -0.2632414)
    assert values_by_ngram(model)[("</s>",)] == (-0.8450981, 0)
    assert values_by_ngram(model)[("<s>", "café")] == (-0.2218488, 0)
    assert values_by_ngram(model)[("never\x0bsaid",)] == (-99, 0)


def test_ngrams_are_written_sorted_with_back_off_weights() -> None:
    assert written(read(SRILM)).decode() == (
        "\\data\\\nngram 1=5\nngram 2=3\n\n\\1-grams:\n"
        "-0.8450981\t</s>\t0\n-99\t<s>\t-0.2632414\n-1.146128\t<unk>\t0\n-0.544068\tcafé\t-0.09691\n"
        "-99\tnever\x0bsaid\t0\n\n\\2-grams:\n"
        "-0.2218488\t<s> café\n-0.30103\tcafé </s>\n-0.5\tcafé never\x0bsaid\n\n\\end\\\n"
    )


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_numbers_have_the_fewest_digits_that_differ(dtype: type) -> None:
    values = np.array([-0.1, -2.0345678, -99, 0, -0.0, -1e-7, -np.inf, -1 / 3], dtype)
    texts = arpa.shortest_decimals(values)
    assert [dtype(text) for text in texts] == pytest.approx(np.where(np.isinf(values), -99, values).tolist(), abs=1e-15)
    assert texts[2:6] == ["-99", "0", "0", "-1e-07"]
    assert max(map(len, texts)) <= (18 if dtype is np.float64 else 11)


def test_words_with_spaces_are_refused() -> None:
    for word in ("two words", "", "a\ttab", "a\nline", "\0"):
        with pytest.raises(ValueError, match="is not allowed in an ARPA file"):
            list(arpa.arpa_blocks([word], [(np.array([[0]]), np.array([-1.0]), np.array([0.0]))]))


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress])
def test_compressed_files_are_read(tmp_path: Path, compress: Callable[[bytes], bytes]) -> None:
    data = (DATA / "harbour-2.arpa").read_bytes()
    path = tmp_path / "model.arpa.gz"
    path.write_bytes(compress(data))
    assert values_by_ngram(arpa.read_arpa_file(path)) == arpa_values(DATA / "harbour-2.arpa")
    path.write_bytes(compress(data)[:3000])
    with pytest.raises(ModelError, match=r"model\.arpa\.gz: the compressed content is damaged"):
        arpa.read_arpa_file(path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b"\\data\\", b"data", r"some\.arpa: not an ARPA file"),
        (b"ngram 1=5\nngram 2=3\n", b"", r"line 4: expected 'ngram 1=' and a number"),
        (b"ngram 2=3", b"ngram 3=3", r"line 4: n-grams of 3 words follow those of 1"),
        (b"ngram 1=5", b"ngram 1=4", r"line 11: expected \\2-grams:"),
        (b"ngram 1=5", b"ngram 1=6", r"line 13: fewer 1-grams than \\data\\ announces"),
        (b"ngram 2=3", b"ngram 2=4", r"line 18: fewer 2-grams than \\data\\ announces"),
        (b"ngram 2=3", b"ngram 2=2", r"line 16: expected \\end\\"),
        (b"\\1-grams:", b"\\2-grams:", r"line 6: expected \\1-grams:"),
        (b"-0.544068", b"0.5", r"line 9: '0.5' is not a logarithm of a probability"),
        (b"-0.544068", b"nan", r"line 9: 'nan' is not a logarithm of a probability"),
        (b"-0.544068", b"x", r"line 9: 'x' is not a logarithm of a probability"),
        (b"-0.09691", b"inf", r"line 9: 'inf' is not a logarithm of a weight"),
        (b"\t-0.09691", b"\t1\t2", r"line 9: expected 2 fields, or 3 with a back-off weight, got 4"),
        (b"<unk>", b"<s>", r"line 10: the word '<s>' occurs twice"),
        (b"<s> caf", b"<s> kaf", r"line 14: the word 'kafé' is not among the unigrams"),
        (b"\\end\\\n", b"", r"line 17: the file is truncated"),
        (SRILM[SRILM.index(b"-inf") :], b"", r"line 10: the file is truncated"),
    ],
)
def test_errors_name_the_line(old: bytes, new: bytes, message: str) -> None:
    assert old in SRILM
    with pytest.raises(ModelError, match=message):
        read(SRILM.replace(old, new, 1))


@pytest.mark.parametrize(
    "data", [b"", b"\x80\x04]\x94.", b"\0" * 100, b"mmap lm http://kheafield.com\n", b"x" * 100_000]
)
def test_other_files_are_refused(data: bytes) -> None:
    with pytest.raises(ModelError, match=r"some\.arpa: not an ARPA file: \\data\\ is missing"):
        read(data)


def test_words_that_are_not_utf_8_are_read() -> None:
    assert "caf\N{REPLACEMENT CHARACTER}" in read(SRILM.replace(b"caf\xc3\xa9", b"caf\xe9")).words


def test_the_unknown_word_has_one_spelling() -> None:
    assert values_by_ngram(read(SRILM.replace(b"<unk>", b"<UNK>")))[("<unk>",)][0] == -1.146128


@pytest.mark.oracle
def test_kenlm_scores_a_rewritten_file_the_same(tmp_path: Path) -> None:
    kenlm = pytest.importorskip("kenlm")
    path = tmp_path / "ours.arpa"
    path.write_bytes(written(arpa.read_arpa_file(DATA / "harbour-3.arpa")))
    ours, theirs = kenlm.Model(str(path)), kenlm.Model(str(DATA / "harbour-3.arpa"))
    assert [ours.score(text) for text in TEXTS] == [theirs.score(text) for text in TEXTS]
