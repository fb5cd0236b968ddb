"""Models of other programs used as they are: perplexities are those of KenLM, and errors name the file."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from word_lm_corpus import DATA, SENTENCES

from ncfilters.errors import ModelError
from ncfilters.features.document import ModelInput
from ncfilters.scoring import registry
from ncfilters.scoring.word_lm import kenlm

BINARY = DATA / "harbour-3-pruned.bin"
ARPA = DATA / "harbour-3-pruned.arpa"
TEXTS = [
    *SENTENCES[:30], "The captain never saw a submarine.", "submarine", "the the", "café", "a\tb\nc", "\ud800 half",
    "<s> </s> <unk>", "a\0b", "the tide " * 50_000,
]  # fmt: skip


@pytest.fixture
def theirs() -> Any:
    return pytest.importorskip("kenlm").Model(str(BINARY))


@pytest.mark.oracle
@pytest.mark.parametrize("path", [BINARY, ARPA])
def test_perplexities_are_those_of_kenlm(theirs: Any, path: Path) -> None:
    wanted = [theirs.perplexity(text.encode("utf-8", "surrogatepass")) for text in TEXTS]
    model_of: Any = registry.load(str(path))
    assert model_of.perplexities(TEXTS).tolist() == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("path", [BINARY, ARPA])
def test_a_text_without_words_has_the_limit(path: Path) -> None:
    pytest.importorskip("kenlm")
    found: Any = registry.load(str(path))
    found.limit = 500.0
    assert found.perplexities(["", " \n"]).tolist() == [500, 500]
    assert found.evidence([ModelInput.of_texts(texts) for texts in ([""], [], ["the tide"])])[0] == {
        "perplexity": [500],
        "score": [0],
    }


def test_perplexities_are_finite() -> None:
    class Never:
        def score(self, raw: bytes) -> float:
            return -100_000.0

    found = kenlm.KenlmModel(Never())
    assert np.isfinite(found.perplexities(["a"])).all()
    assert found.evidence([ModelInput.of_texts(["a"])])[0]["score"][0] == pytest.approx(-1011, abs=1)


def test_compressed_arpa_files_are_models(tmp_path: Path) -> None:
    pytest.importorskip("kenlm")
    path = tmp_path / "lm.arpa.gz"
    path.write_bytes(gzip.compress(ARPA.read_bytes()))
    found: Any = registry.load(str(path))
    plain: Any = registry.load(str(ARPA))
    assert found.perplexities(TEXTS[:5]).tolist() == plain.perplexities(TEXTS[:5]).tolist()


def test_headers_describe_the_model() -> None:
    pytest.importorskip("kenlm")
    header, _ = registry.read_model(BINARY)
    assert (header["kind"], header["parameters"]) == ("kenlm", {"n": 3, "limit": 8000.0})
    other, _ = registry.read_model(ARPA)
    assert (other["kind"], other["parameters"]) == ("kenlm", {"n": 3, "limit": 8000.0})
    assert registry.signature(registry.model_name(ARPA), other) == f"harbour-3-pruned.arpa@{other['sha256'][:12]}"


def test_checksums_of_large_files_are_of_start_and_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kenlm, "SAMPLED_BYTES", 1 << 10)
    data = bytearray(range(256)) * 64
    sums = set()
    for change in (None, 0, -1, 5000):
        changed = bytearray(data)
        if change is not None:
            changed[change] ^= 255
        path = tmp_path / "x.bin"
        path.write_bytes(changed)
        with path.open("rb") as file:
            sums.add(kenlm.file_checksum(file))
    path.write_bytes(data + b"\0")
    with path.open("rb") as file:
        sums.add(kenlm.file_checksum(file))
    assert len(sums) == 4  # bytes between them are not sampled
    path.write_bytes(data[:2000])
    with path.open("rb") as file:
        assert kenlm.file_checksum(file) == hashlib.sha256(data[:2000]).hexdigest()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not a KenLM binary file"),
        (b"hello", "not a KenLM binary file"),
        (b"\x80\x04]\x94.", "refused: a pickle file, which can run code"),
        (b"mmap lm http://kheafield.com/code incomplete\n" + bytes(60), "not a KenLM binary file"),
        (BINARY.read_bytes()[:60], "KenLM cannot read it: This looks like a binary file"),
        (BINARY.read_bytes()[:100], "KenLM cannot read it: End of file in"),
        (BINARY.read_bytes()[:5000], "KenLM cannot read it: Binary file has size 5000 but the headers say"),
        (BINARY.read_bytes().replace(b"version 5", b"version 4"), "KenLM cannot read it: Binary file has version 4"),
    ],
)
def test_broken_binary_files_are_refused(
    tmp_path: Path, data: bytes, message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("kenlm")
    path = tmp_path / "broken.bin"
    path.write_bytes(data)
    with pytest.raises(ModelError, match=rf"broken\.bin: {message}"):
        registry.load(str(path))
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "KenLM cannot read it: End of file"),
        (ARPA.read_bytes()[:5000], "KenLM cannot read it: End of file in the 1-gram at byte 5000"),
        (b"hello\n", r"KenLM cannot read it: first non-empty line was \"hello\" not .data"),
        (
            b"\\data\\\nngram 1=1\nngram 2=1\n\n\\1-grams:\n-1 a\n\\\n",
            "KenLM cannot read it: Expected tab after probability",
        ),
        (b"\x80\x04]\x94.", "refused: a pickle file, which can run code"),
    ],
)
def test_broken_arpa_files_are_refused(
    tmp_path: Path, data: bytes, message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("kenlm")
    path = tmp_path / "broken.arpa"
    path.write_bytes(data)
    with pytest.raises(ModelError, match=rf"broken\.arpa: {message}"):
        registry.load(str(path))
    assert capfd.readouterr() == ("", "")


def test_a_missing_file_is_an_error() -> None:
    with pytest.raises(ModelError, match=r"none\.arpa: No such file or directory"):
        registry.load("none.arpa")
