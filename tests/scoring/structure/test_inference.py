"""The quick way through the network against the plain one, whatever is read together."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ncfilters.features import matrix
from ncfilters.features.document import Document
from ncfilters.scoring import registry
from ncfilters.scoring.structure import inference
from ncfilters.scoring.structure.inference import Kin
from ncfilters.scoring.structure.model import StructureModel, pools
from ncfilters.scoring.structure.network import HIDDEN, POOLS, WINDOWS

Segment = dict[str, Any]

STEPS = ["div#main.post", "div.menu", "ul", "li#menu-item-7.menu-item", "p", "section", "nav#Über.uns"]
WORDS = "Home News the river went along Read more, 12 (see) über uns 我们 about. contact".split()


def page(seed: int, size: int) -> list[Segment]:
    rnd = random.Random(seed)
    paths = ["/".join(["body", *rnd.choices(STEPS, k=rnd.randint(0, 6))]) for _ in range(size // 4 + 1)]
    return [
        {
            "text": " ".join(rnd.choices(WORDS, k=rnd.choice([0, 1, 2, 30]))),
            "type": rnd.choice("pphl"),
            "path": (path := rnd.choice(paths)),
            "tag": path.rpartition("/")[2].partition("#")[0].partition(".")[0],
            "links": rnd.choice([0, 0, 4]),
            **({"rule": "nav"} if rnd.random() < 0.2 else {}),
        }
        for _ in range(size)
    ]


PAGES = [Document(page(seed, size)) for seed, size in enumerate([40, 1, 0, 700, 3, 33])]


@pytest.fixture(scope="module", params=["en", "xx"])
def shipped(request: pytest.FixtureRequest) -> StructureModel:
    found = registry.load(request.param)
    assert isinstance(found, StructureModel)
    return found


def plainly(shipped: StructureModel, pages: list[Document]) -> NDArray[np.float32]:
    """The logits from the matrix of all numbers."""
    segments = matrix.read(pages)
    return shipped.network.forward(shipped.inputs(segments))[0]


def quickly(shipped: StructureModel, pages: list[Document]) -> inference.Judged:
    segments = matrix.read(pages)
    return inference.judged(shipped, segments)


@pytest.mark.parametrize("block", [7, 64, 10_000])
def test_blocks_give_what_one_piece_does(shipped: StructureModel, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = plainly(shipped, PAGES)
    assert expected.std() > 0.3
    monkeypatch.setattr(inference, "BLOCK", block)
    assert quickly(shipped, PAGES).logits == pytest.approx(expected, abs=1e-3)


def test_the_first_layer_and_the_characters(shipped: StructureModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inference, "BLOCK", 100)
    found = quickly(shipped, PAGES)
    segments = matrix.read(PAGES)
    inputs = shipped.inputs(segments)
    assert found.hidden == pytest.approx(shipped.network.forward(inputs)[1].first, abs=1e-3)
    count = found.characters.shape[1]
    assert count == len(matrix.FAMILIES["characters"])
    assert found.characters == pytest.approx(inputs.numbers[:, :count], abs=1e-4)


def test_no_segments(shipped: StructureModel) -> None:
    found = quickly(shipped, [Document([]), Document([])])
    assert (found.logits.shape, found.hidden.shape) == ((0,), (0, HIDDEN))


def test_averages_are_those_of_pools() -> None:
    segments = matrix.read(PAGES)
    values = np.random.default_rng(1).normal(size=(len(segments), 5)).astype(np.float32)
    expected = pools(segments).averages(values)
    kin = Kin.of(segments)
    of_places, total = kin.averages(values.T)
    assert of_places.T[kin.place] == pytest.approx(expected[:, : 5 * len(POOLS)], abs=1e-5)
    parts = [kin.around(total, slice(at, min(at + 50, len(segments)))).T for at in range(0, len(segments), 50)]
    assert np.concatenate(parts) == pytest.approx(expected[:, 5 * len(POOLS) :], abs=1e-5)
    assert np.concatenate(parts).shape == (len(segments), 5 * 2 * len(WINDOWS))


def test_parts_are_the_numbers() -> None:
    segments = matrix.read(PAGES)
    whole = matrix.numbers(segments)
    seen: list[int] = []
    for part in matrix.parts(segments):
        values = part.values if part.rows is None else part.values[:, part.rows]
        assert (whole[:, part.columns] == values.T).all(), part.name
        seen += part.columns.tolist()
    assert sorted(seen) == list(range(len(matrix.NAMES)))
