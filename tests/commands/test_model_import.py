"""nc-model import and nc-model arpa: word models from other programs' files, and back."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from word_lm_corpus import DATA

from ncfilters.scoring import registry

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


def test_an_imported_model_has_a_card_and_an_arpa_file(run: Run, tmp_path: Path) -> None:
    path = DATA / "harbour-2.arpa"
    done = run("nc-model", "import", path, "-o", tmp_path / "my.model", "--language", "en", "--limit", "300")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    header = registry.read_header(tmp_path / "my.model")
    assert header["parameters"]["limit"] == 300
    assert header["parameters"]["tokens"] == "spaces"
    assert header["description"] == "Imported from harbour-2.arpa."
    assert header["command"] == "nc-model import harbour-2.arpa -o my.model --language en --limit 300"
    assert header["sha256"] in (tmp_path / "my.md").read_text()
    done = run("nc-model", "arpa", tmp_path / "my.model")
    assert (done.returncode, done.stderr) == (0, b"")
    assert sorted(done.stdout.split(b"\n")) == sorted(path.read_bytes().split(b"\n"))
    again = run("nc-model", "arpa", tmp_path / "my.model", "-o", tmp_path / "out.arpa")
    assert (again.returncode, again.stdout) == (0, b"")
    assert (tmp_path / "out.arpa").read_bytes() == done.stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["import", DATA / "harbour-2.arpa"], "import: -o FILE is required"),
        (["import", "-o", "x.model"], "import: give one file"),
        (["import", "en.model", "-o", "x.model"], "import: en.model: already an ncfilters model"),
        (["import", DATA / "harbour-2.arpa", "-o", "none/x.model"], "none/x.model: No such file or directory"),
        (["import", DATA / "harbour-2.arpa", "-o", "."], ".: Is a directory"),
        (["arpa"], "arpa: give one model"),
        (["arpa", "ncleaner-en"], "a model of kind 'ngram'; only word models have ARPA files"),
        (["arpa", "x.model"], "x.model: No such file or directory"),
    ],
)
def test_impossible_requests_are_usage_errors(run: Run, args: list[str | Path], message: str) -> None:
    done = run("nc-model", *args)
    assert done.returncode == 2
    assert message in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1


def test_an_arpa_file_that_cannot_be_written_is_an_error(run: Run) -> None:
    done = run("nc-model", "arpa", DATA / "harbour-2.arpa", "-o", "none/x.arpa")
    assert (done.returncode, done.stderr) == (2, b"nc-model: none/x.arpa: No such file or directory\n")
    if Path("/dev/full").exists():
        done = run("nc-model", "arpa", DATA / "harbour-2.arpa", "-o", "/dev/full")
        assert (done.returncode, done.stderr) == (1, b"nc-model: /dev/full: No space left on device\n")
