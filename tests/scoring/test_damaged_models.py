"""Damaged and forged model files are refused with an error that names them, or have finite scores."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("hypothesis", reason="hypothesis is not installed")

from fuzz import small_models  # noqa: E402
from ncfilters.errors import ModelError  # noqa: E402

FOREIGN = ("harbour-2.arpa", "storable/bigrams.st")
NUM_KINDS = len(small_models.model_parts())
TRIES = 12


def damaged(whole: bytes) -> Iterator[bytes]:
    """Files that are cut, and files with a flipped bit."""
    at = random.Random(1)
    for _ in range(TRIES):
        place = at.randrange(len(whole))
        yield whole[:place]
        yield whole[:place] + bytes([whole[place] ^ 1 << at.randrange(8)]) + whole[place + 1 :]


def is_refused(path: Path, data: bytes) -> bool:
    """Whether the file is refused; if not, its scores are finite."""
    path.write_bytes(data)
    try:
        small_models.use_model(path)  # fails if a score is not finite
    except ModelError as error:
        assert path.name in str(error)
        return True
    return False


@pytest.mark.parametrize("number", range(NUM_KINDS))
def test_damage_of_our_models_is_always_noticed(number: int, tmp_path: Path) -> None:
    whole = small_models.packed(*small_models.model_parts()[number])
    assert not is_refused(tmp_path / "x.model", whole)
    assert all(is_refused(tmp_path / "x.model", data) for data in damaged(whole) if data != whole)


@pytest.mark.parametrize("number", range(NUM_KINDS))
def test_forged_models_are_refused_or_score(number: int, tmp_path: Path) -> None:
    for data in small_models.forged_files(*small_models.model_parts()[number]):
        is_refused(tmp_path / "x.model", data)


@pytest.mark.parametrize("name", FOREIGN)
def test_damaged_models_of_others_are_refused_or_score(name: str, tmp_path: Path) -> None:
    whole = (small_models.DATA / name).read_bytes()
    for data in damaged(whole):
        is_refused(tmp_path / f"x{Path(name).suffix}", data)
