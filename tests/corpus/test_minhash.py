"""MinHash: the curve of theory, similarity, bands for a threshold."""

from __future__ import annotations

import numpy as np
import pytest

from ncfilters.corpus.minhash import Bands, best_bands, shingle_sets, similarity


@pytest.mark.parametrize("similar", [0.5, 0.65, 0.72, 0.8, 0.95])
def test_pairs_share_a_band_as_often_as_theory_says(similar: float) -> None:
    made, bands, pairs, size = np.random.default_rng(1), Bands(14, 8), 2500, 200
    common = round(2 * size * similar / (1 + similar))
    made_sets = [made.integers(0, 1 << 32, 2 * size - common, dtype=np.uint32) for _ in range(pairs)]
    first = bands.of([one[:size] for one in made_sets])
    second = bands.of([np.r_[one[:common], one[size:]] for one in made_sets])
    found = (first == second).any(axis=1).mean()
    exact = common / (2 * size - common)
    # four standard deviations
    assert found == pytest.approx(bands.chance(exact), abs=4 * (0.25 / pairs) ** 0.5)


def test_signatures_are_the_same_everywhere() -> None:
    keys = Bands(2, 3).of([np.array([1, 2, 3], np.uint32), np.array([], np.uint32)])
    assert keys.tolist() == [[-2137245212407579705, 7130000782960916306], [-7513670758573645077, 3209481017453438880]]


def test_similarity_is_that_of_sets() -> None:
    one, other = np.array([1, 2, 2, 3], np.uint32), np.array([3, 2, 4], np.uint32)
    assert similarity(one, other) == 0.5
    assert similarity(one, one) == 1
    assert similarity(one, one[:0]) == 0
    assert similarity(one[:0], one[:0]) == 1


def test_long_sets_are_hashed_in_blocks() -> None:
    many = np.arange(10_000, dtype=np.uint32)
    bands = Bands(4, 2)
    parts = [bands.signature(many[start : start + 3000]) for start in range(0, 10_000, 3000)]
    assert bands.signature(many).tolist() == np.min(parts, axis=0).tolist()


def test_shingles_of_short_texts() -> None:
    sets = shingle_sets(["", "It rained.", "it RAINED", "a b c d e f"], 5)
    assert [len(one) for one in sets] == [0, 1, 1, 2]
    assert sets[1] == sets[2]
    signs = shingle_sets(["!!!", "???", " !!!"], 5)
    assert [len(one) for one in signs] == [1, 1, 1] and signs[0] == signs[2] != signs[1]


@pytest.mark.parametrize(("threshold", "bands"), [(0.72, (14, 8)), (0.5, (25, 5)), (0.8, (9, 14)), (0.9, (5, 25))])
def test_bands_for_a_threshold(threshold: float, bands: tuple[int, int]) -> None:
    found = best_bands(threshold)
    assert (found.count, found.rows) == bands
    assert found.chance(threshold - 0.15) < 0.5 < found.chance(min(threshold + 0.1, 1))
