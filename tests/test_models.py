"""The models that are shipped are those that today's code makes (models/check); small ones are trained again."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

from ncfilters.scoring import file_format, registry

NAMES = sorted(path.stem for path in (ROOT / "models").glob("*.model"))
# One of words between spaces, one without spaces: the trainer is the same for all.
SMALL = [name for name in NAMES if name in ("ncleaner-el", "ncleaner-zh")]


def checked(*words: str | Path) -> subprocess.CompletedProcess[bytes]:
    """The finished models/check."""
    return subprocess.run([sys.executable, ROOT / "models" / "check", *words], capture_output=True, check=False)


def check(*words: str) -> None:
    """Runs models/check on models, which must be up to date."""
    done = checked(*words)
    assert done.returncode == 0, (done.stdout + done.stderr).decode()


@pytest.mark.slow
def test_shipped_models_are_up_to_date() -> None:
    check(*NAMES)


@pytest.mark.slow
def test_small_models_are_the_same_when_trained_again(data: Callable[[str], Path]) -> None:
    check("--data", str(data("data/daniel-dev.jsonl.xz").parent), *SMALL)


@pytest.mark.parametrize("name", NAMES)
def test_headers_have_no_temporary_names(name: str) -> None:
    header = registry.read_header(ROOT / "models" / f"{name}.model")
    assert "tmp" not in header["command"]


def test_models_of_other_code_are_stale(run: Callable[..., Any], tmp_path: Path) -> None:
    pages = ROOT / "tests" / "data" / "pages-with-gold.jsonl"
    assert run("nc-train", "ngram", "-o", "x.model", pages).returncode == 0
    path = tmp_path / "x.model"
    header, arrays = file_format.read_file(path)
    assert checked(path).stdout == b"ok       x: the same witness\n"
    assert checked("--data", pages.parent, "--all", path).stdout == b"ok       x: the same data and witness\n"
    assert checked("--data", tmp_path, path).stdout == b"ok       x: its data are not there\n"
    made = header["made"]
    file_format.write_file(path, {**header, "made": {**made, "figures": [*made["figures"][:-1], 99.0]}}, arrays)
    done = checked(path)
    assert done.returncode == 1
    assert done.stdout.startswith(b"stale    x: training: the code makes another model of the same pages (figures")
    file_format.write_file(path, {**header, "made": {**made, "records": "0", "labelled": "0"}}, arrays)
    assert checked("--data", pages.parent, "--all", path).stdout == (
        b"stale    x: data: the model was trained on other records; "
        b"segments: the code makes other segments or labels of the same pages\n"
    )
    del header["made"]
    file_format.write_file(path, header, arrays)
    done = checked(path)
    assert (done.returncode, done.stdout[:9]) == (1, b"unknown  ")
