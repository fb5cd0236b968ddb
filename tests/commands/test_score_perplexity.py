"""nc-score with perplexity models: trained ones, ARPA files and KenLM's; how texts are normalised for them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from word_lm_corpus import DATA, train

from ncfilters.scoring import registry

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]
BINARY = DATA / "harbour-3-pruned.bin"
ARPA = DATA / "harbour-3-pruned.arpa"


@pytest.fixture
def theirs() -> Any:
    return pytest.importorskip("kenlm").Model(str(BINARY))


def test_a_trained_model_scores_and_is_listed(
    tmp_path: Path, run: Callable[..., subprocess.CompletedProcess[bytes]]
) -> None:
    registry.write_model(
        tmp_path / "x.model", train(["The cat sat on the mat.", "The dog sat."], 2, "interpolated"), {"language": "en"}
    )
    done = run(
        "nc-score",
        "-m",
        "./x.model",
        stdin=[{"id": "a", "segments": [{"text": "The cat sat on the mat."}, {"text": "Login"}]}],
    )
    assert (done.returncode, done.stderr) == (0, b"")
    clean, dirty = json.loads(done.stdout)["segments"]
    assert clean["score"] > 0 > dirty["score"]
    assert clean["perplexity"] < 8000 < dirty["perplexity"] == 1e6
    listed = run("nc-score", "--list-models", NC_MODELS=str(tmp_path)).stdout.decode()
    assert ["x", "word", "en"] in [line.split() for line in listed.splitlines()]


def scored(run: Run, *args: str | Path, texts: tuple[str, ...] = ("The captain forgot the nets.",)) -> dict[str, Any]:
    done = run("nc-score", *args, stdin=[{"segments": [{"text": text} for text in texts]}])
    assert (done.returncode, done.stderr) == (0, b"")
    record: dict[str, Any] = json.loads(done.stdout)
    return record


@pytest.mark.oracle
def test_texts_are_normalised_and_the_signature_says_so(run: Run, theirs: Any) -> None:
    plain = scored(run, "-m", BINARY)
    assert plain["segments"][0]["perplexity"] == pytest.approx(theirs.perplexity("The captain forgot the nets."), 1e-6)
    signature = plain["models"][0]
    assert signature.startswith("harbour-3-pruned.bin@")
    lower = scored(run, "-m", BINARY, "--normalise", "lower")
    assert lower["segments"][0]["perplexity"] == pytest.approx(theirs.perplexity("the captain forgot the nets."), 1e-6)
    assert lower["models"] == [f"{signature}+normalise=lower"]
    cut = scored(run, "-m", BINARY, "--tokens", "words", "--limit", "300", "--normalise", "ccnet")
    perplexity = theirs.perplexity("the captain forgot the nets .")
    assert cut["segments"][0]["perplexity"] == pytest.approx(perplexity, 1e-6)
    assert cut["segments"][0]["score"] == pytest.approx(np.log2(300 / perplexity), abs=0.006)
    assert cut["models"] == [f"{signature}+normalise=ccnet+tokens=words+limit=300"]


def test_only_perplexity_models_get_normalised_texts(run: Run) -> None:
    pytest.importorskip("kenlm")
    both = scored(run, "-m", "ncleaner-en", "-m", ARPA, "--tokens", "words")
    alone = scored(run, "-m", "ncleaner-en")
    assert both["segments"][0]["score"] == alone["segments"][0]["score"]
    assert both["models"][0] == alone["models"][0]
    assert both["models"][1].endswith("+tokens=words")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["-m", "ncleaner-en", "--normalise", "lower"], "require a model that computes perplexity"),
        pytest.param(
            ["-m", ARPA, "--tokens", "none.model"],
            "none.model: ",
            marks=pytest.mark.skipif(not find_spec("kenlm"), reason="kenlm is not installed"),
        ),
        (["-m", "none.bin"], "none.bin: No such file or directory"),
        (["-m", "none.arpa"], "none.arpa: No such file or directory"),
    ],
)
def test_impossible_options_are_usage_errors(run: Run, args: list[str | Path], message: str) -> None:
    done = run("nc-score", *args, stdin=b"")
    assert (done.returncode, done.stdout) == (2, b"")
    assert message in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1


def test_a_tokenization_in_the_header_is_not_overridden(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "own.model"
    assert run("nc-model", "import", DATA / "storable" / "bigrams.st", "-o", path).returncode == 0
    done = run("nc-score", "-m", path, "--tokens", "words")
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert b"own.model: its header already names a tokenization: pyplexity" in done.stderr
    assert scored(run, "-m", path, "--normalise", "lower")["models"][0].endswith("+normalise=lower")
