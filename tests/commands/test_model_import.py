"""nc-model import: word models from PyPlexity's files."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from word_lm_corpus import DATA

from ncfilters.scoring import registry

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]
BIGRAMS = DATA / "storable" / "bigrams.st"


def test_an_imported_model_has_a_card(run: Run, tmp_path: Path) -> None:
    done = run("nc-model", "import", BIGRAMS, "-o", tmp_path / "my.model", "--language", "en")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    header = registry.read_header(tmp_path / "my.model")
    assert header["parameters"]["limit"] == 8000
    assert header["parameters"]["tokens"] == "pyplexity"
    assert header["description"] == "Imported from bigrams.st."
    assert header["command"] == "nc-model import bigrams.st -o my.model --language en"
    assert header["sha256"] in (tmp_path / "my.md").read_text()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["import", BIGRAMS], "import: -o FILE is required"),
        (["import", "-o", "x.model"], "import: give one file"),
        (["import", "en.model", "-o", "x.model"], "import: en.model: already an ncfilters model"),
        (["import", BIGRAMS, "-o", "none/x.model"], "none/x.model: No such file or directory"),
        (["import", BIGRAMS, "-o", "."], ".: Is a directory"),
        (["import", DATA / "harbour-2.arpa", "-o", "x.model"], "a model of KenLM: nc-score -m"),
    ],
)
def test_impossible_requests_are_usage_errors(run: Run, args: list[str | Path], message: str) -> None:
    done = run("nc-model", *args)
    assert done.returncode == 2
    assert message in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1
