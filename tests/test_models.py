"""The models that are shipped are those that today's code makes (models/check); small ones are trained again."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ncfilters.scoring import registry

ROOT = Path(__file__).resolve().parent.parent
NAMES = sorted(path.stem for path in (ROOT / "models").glob("*.model"))
SMALL = [name for name in NAMES if name in ("ncleaner-el", "ncleaner-pl", "ncleaner-ru", "ncleaner-zh")]


def check(*words: str) -> None:
    """Runs models/check on a model, which must be up to date."""
    done = subprocess.run([sys.executable, ROOT / "models" / "check", *words], capture_output=True, check=False)
    if done.stdout.startswith(b"unknown"):
        pytest.skip(done.stdout.decode().strip())
    assert done.returncode == 0, (done.stdout + done.stderr).decode()


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_shipped_models_are_up_to_date(name: str) -> None:
    check(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_small_models_are_the_same_when_trained_again(name: str, data: Callable[[str], Path]) -> None:
    check("--data", str(data("data/daniel-dev.jsonl.xz").parent), name)


@pytest.mark.parametrize("name", NAMES)
def test_headers_have_no_temporary_names(name: str) -> None:
    header = registry.read_header(ROOT / "models" / f"{name}.model")
    if "made" not in header:
        pytest.skip(f"{name}: the header has no fingerprint")
    assert "tmp" not in header["command"]
