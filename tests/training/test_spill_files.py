"""Temporary files: what is appended is read back, and blocks cover an array."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ncfilters.training.spill_files import MIN_BLOCK, NgramRuns, WordSpellings, append, blocks, column, reserve


def test_appended_values_are_read_back(tmp_path: Path) -> None:
    assert column(tmp_path / "none", np.uint64).tolist() == []
    for values in ([3, 1], [], [2]):
        append(tmp_path / "some", np.array(values, np.uint64))
    assert column(tmp_path / "some", np.uint64).tolist() == [3, 1, 2]


def test_a_reserved_array_is_written_to_its_file(tmp_path: Path) -> None:
    assert len(reserve(tmp_path / "none", np.uint32, 0)) == 0
    reserve(tmp_path / "some", np.uint32, 3)[1] = 7
    assert column(tmp_path / "some", np.uint32).tolist() == [0, 7, 0]


def test_runs_keep_keys_counts_and_starts(tmp_path: Path) -> None:
    runs = NgramRuns(tmp_path, 2)
    runs.add(np.array([1, 5], np.uint64), np.array([2, 1]))
    runs.add(np.array([4], np.uint64), np.array([9]))
    assert (runs.keys().tolist(), runs.counts().tolist(), runs.starts) == ([1, 5, 4], [2, 1, 9], [0, 2, 3])


def test_spellings_are_bytes_and_ends(tmp_path: Path) -> None:
    spellings = WordSpellings(tmp_path)
    spellings.add([b"a", "é".encode()])
    spellings.add([b"cat"])
    data, ends = spellings.columns()
    assert (data.tobytes(), ends.tolist()) == ("aécat".encode(), [1, 3, 6])


@pytest.mark.parametrize(("length", "size"), [(0, 100), (1, 100), (1000, 100), (1001, 100), (500, 1)])
def test_blocks_cover_an_array(length: int, size: int) -> None:
    slices = list(blocks(length, size))
    assert [at for some in slices for at in range(some.start, some.stop)] == list(range(length))
    assert all(some.stop - some.start <= max(size, MIN_BLOCK) for some in slices)
