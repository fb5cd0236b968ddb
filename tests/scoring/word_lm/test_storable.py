"""PyPlexity's Storable files: tables of numbers are read, and everything else is refused by name; models of the tables
agree with PyPlexity's equations."""

from __future__ import annotations

import io
import math
import struct
from pathlib import Path

import pytest
from word_lm_corpus import SENTENCES

from ncfilters.errors import ModelError
from ncfilters.scoring import registry
from ncfilters.scoring.word_lm import storable
from ncfilters.scoring.word_lm.interpolated import InterpolatedModel
from ncfilters.scoring.word_lm.storable import read_hashes
from ncfilters.text.tokenizers import tokenize

DATA = Path(__file__).resolve().parents[2] / "data" / "storable"
TEXTS = [
    *SENTENCES[:80], "The captain never saw a submarine. Nobody on the quay did!", "submarine", "a a a",
    "café; (the long bridge) - 1,000 = ?", "no harbour",
]  # fmt: skip
NUMBERS = {
    b"half": 0.5, b"third": 1 / 3, b"zero": 0, b"one": 1, b"small": -7, b"text": 0.25, b"long": float("0." + "3" * 300),
    b"none": 0, b"large": 70000, b"huge": 1234567890123456789.0, "café".encode(): 0.125,
}  # fmt: skip


def tables(data: bytes) -> list[dict[bytes, float]]:
    number, found = read_hashes(io.BytesIO(data), "some.st")
    out = [dict(entries) for entries in found]
    assert len(out) == number
    return out


def file_tables(name: str) -> list[dict[bytes, float]]:
    return tables((DATA / name).read_bytes())


def test_numbers_and_keys_of_all_types_are_read() -> None:
    assert file_tables("numbers.st") == [NUMBERS]
    # nstore writes fractions as text, in 15 digits
    assert file_tables("numbers-network.st") == [pytest.approx(NUMBERS, rel=1e-14)]
    assert file_tables("utf8.st") == [{"☃".encode(): 0.5, b"caf\xe9": 0.25, "ét".encode(): 0.125}]


@pytest.mark.oracle
@pytest.mark.parametrize("name", ["bigrams.st", "trigrams.st", "numbers.st"])
def test_values_are_those_of_the_package_storable(name: str) -> None:
    package = pytest.importorskip("storable")
    theirs = [
        {key if isinstance(key, bytes) else key.encode(): float(value or 0) for key, value in table.items()}
        for table in package.retrieve(str(DATA / name))
    ]
    assert file_tables(name) == theirs


@pytest.mark.parametrize(
    ("begin", "order"), [(b"\x08" + b"87654321", ">"), (b"\x04" + b"1234", "<"), (b"\x04" + b"4321", ">")]
)
def test_other_byte_orders_are_read(begin: bytes, order: str) -> None:
    integer = "q" if begin[0] == 8 else "i"
    body = b"\x02" + struct.pack(order + "i", 1) + b"\x04\x03" + struct.pack(order + "i", 2)
    body += b"\x07" + struct.pack(order + "di", 0.1, 3) + b"a b"
    body += b"\x06" + struct.pack(order + integer + "i", -70000, 1) + b"c"
    sizes = bytes([4, begin[0], begin[0], 8])
    assert tables(b"pst0\x04\x0b" + begin + sizes + body) == [{b"a b": 0.1, b"c": -70000}]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("blessed.st", "expected a hash, got a value of type 17"),
        ("blessed-value.st", "expected a number, got a value of type 4"),
        ("code.st", "expected a number, got a value of type 4"),
        ("expression.st", "expected a number, got a value of type 4"),
        ("array.st", "expected a number, got a value of type 4"),
        ("word.st", "expected a number, got 'word'"),
        ("twice.st", "expected a hash, got a value of type 0"),
        ("hash.st", "expected an array of hashes, got a value of type 3"),
    ],
)
def test_other_types_are_refused(name: str, message: str) -> None:
    with pytest.raises(ModelError, match=rf"some\.st: byte \d+: {message}"):
        file_tables(name)


@pytest.mark.parametrize("data", [b"", b"pst", b"\x80\x04]\x94.", b"some text", b"perl-store\x00\x00"])
def test_other_files_are_refused(data: bytes) -> None:
    with pytest.raises(ModelError, match=r"some\.st: not a Storable file of Perl"):
        tables(data)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"pst0\x06\x00", "Storable's format 3; only 2 is supported"),
        (b"pst0\x04\x0b\x08abcdefgh\x04\x08\x08\x08", "the byte order or size of numbers is not supported: "),
        (b"pst0\x04\x0b\x0812345678\x04\x08\x08\x10", "the byte order or size of numbers"),
        (b"pst0\x05\x0b\x02\xff\xff\xff\xff", "a negative length"),
        (b"pst0\x05\x0b\x02\0\0\0\1\x03\0\0\0\1\x08\x80\x7f\xff\xff\xff", "a string of 2,147,483,647 bytes"),
        (b"pst0\x05\x0b\x02\0\0\0\1\x19\0\0\0\0\1\x08\x80\x08\0\0\0\1a", "a key that is not a string"),
        (b"pst0\x05\x0b\x02\0\0\0\1\x03\0\0\0\1\x63", "expected a number, got a value of type 99"),
    ],
)
def test_damaged_files_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(ModelError, match=rf"some\.st: byte \d+: {message}"):
        tables(data)


@pytest.mark.parametrize("name", ["bigrams.st", "numbers-network.st", "utf8.st"])
def test_truncated_files_are_refused(name: str) -> None:
    data = (DATA / name).read_bytes()
    for size in range(5, len(data), max(1, len(data) // 200)):
        with pytest.raises(ModelError, match="the file is truncated"):
            tables(data[:size])


# ---- models of tables, with PyPlexity's equations ----------------------------------------------------------


def text_tables(name: str) -> list[dict[str, float]]:
    return [{key.decode(): value for key, value in table.items()} for table in file_tables(name)]


def tokens(text: str) -> list[str]:
    return tokenize([text], "pyplexity").words()[0]


def perplexity(text: str, name: str) -> float:
    """As the program computes it: the last two words of a trigram are the same word."""
    words = tokens(text)
    bits = 0.0
    if name == "bigrams.st":
        pairs, single = text_tables(name)
        for before, word in zip(["#", *words[:-1]], words):
            bits += math.log2(0.8 * pairs.get(f"{before} {word}", 0) + 0.2 * single.get(before, 0) + 1e-6)
    else:
        triples, pairs, single = text_tables(name)
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
    triples, pairs, single = text_tables("trigrams.st")
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
    made, _ = storable.import_model(DATA / name, estimator=estimator)
    registry.write_model(tmp_path / "made.model", made, {})
    read = registry.load(str(tmp_path / "made.model"))
    wanted = [perplexity(text, name) for text in TEXTS]
    assert isinstance(read, InterpolatedModel)
    assert read.perplexities(TEXTS).tolist() == pytest.approx(wanted, rel=1e-12)


def test_tables_become_models(monkeypatch: pytest.MonkeyPatch) -> None:
    # trigrams are aligned by default
    made, seen = storable.import_model(DATA / "trigrams.st")
    assert made.perplexities(TEXTS).tolist() == pytest.approx([aligned_perplexity(text) for text in TEXTS], rel=1e-12)
    sizes = [len(table) for table in text_tables("trigrams.st")]
    assert list(seen.values()) == sizes[::-1]
    # keys with other word counts are left out
    made, seen = storable.import_model(DATA / "odd-keys.st")
    assert seen == {"single words": 2, "n-grams of 2 words": 1, "left out, of another number of words or no UTF-8": 4}
    assert made.perplexities(["a b"]) == pytest.approx(
        2 ** (-(math.log2(1e-6) + math.log2(0.8 * 0.5 + 0.1 + 1e-6)) / 2)
    )
    # values beyond a codebook have seven digits
    monkeypatch.setattr("ncfilters.scoring.word_lm.interpolated.MAX_CODES", 4)
    made, _ = storable.import_model(DATA / "bigrams.st")
    wanted = [perplexity(text, "bigrams.st") for text in TEXTS]
    found = made.perplexities(TEXTS).tolist()
    assert found == pytest.approx(wanted, rel=1e-6)
    assert found != pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("negative.st", r"-1\.0 is not a probability"),
        ("numbers.st", "expected tables of bigrams and unigrams, .*, got an array of 1"),
        ("blessed.st", "expected tables of bigrams and unigrams, .*, got an array of 1"),
        ("twice.st", "byte 39: expected a hash, got a value of type 0"),
        ("../harbour-3-pruned.bin", "a model of KenLM: nc-score -m .* reads it as it is"),
        ("../harbour-2.arpa", "a model of KenLM: nc-score -m .* reads it as it is"),
        ("../harbour.txt", "not a model of PyPlexity, which is a Storable file of Perl"),
        ("none.st", "No such file or directory"),
    ],
)
def test_files_that_are_no_model_of_pyplexity_are_refused(name: str, message: str) -> None:
    with pytest.raises(ModelError, match=f"{Path(name).name}: {message}"):
        storable.import_model(DATA / name)


def test_a_pickle_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "evil.st"
    path.write_bytes(b"\x80\x04cos\nsystem\n")
    with pytest.raises(ModelError, match=r"evil\.st: refused: a pickle file, which can run code"):
        storable.import_model(path)
