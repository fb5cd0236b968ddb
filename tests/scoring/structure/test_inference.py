"""Inference: it gives what the forward pass of the network gives, whatever the size of blocks."""

from __future__ import annotations

import random

import numpy as np
import pytest
from numpy.typing import NDArray

from ncfilters.features.document import Document
from ncfilters.features.schema import FAMILIES
from ncfilters.features.segment_table import build_table
from ncfilters.record import Segment
from ncfilters.scoring import registry
from ncfilters.scoring.structure import inference
from ncfilters.scoring.structure.inference import PlacePools, infer
from ncfilters.scoring.structure.model import StructureModel
from ncfilters.scoring.structure.network import HIDDEN, POOL_WINDOWS, POOLS
from ncfilters.scoring.structure.parameters import pools

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


def by_forward_pass(shipped: StructureModel, pages: list[Document]) -> NDArray[np.float32]:
    """The logits from the whole feature matrix."""
    table = build_table(pages)
    return shipped.parameters.network.forward(shipped.parameters.inputs(table))[0]


def by_inference(shipped: StructureModel, pages: list[Document]) -> inference.Inference:
    table = build_table(pages)
    return infer(shipped.parameters, table)


@pytest.mark.parametrize("block", [7, 64, 10_000])
def test_blocks_give_the_same_as_one_piece(
    shipped: StructureModel, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = by_forward_pass(shipped, PAGES)
    assert expected.std() > 0.3
    monkeypatch.setattr(inference, "BLOCK_SEGMENTS", block)
    assert by_inference(shipped, PAGES).logits == pytest.approx(expected, abs=1e-3)


def test_the_first_layer_is_that_of_the_forward_pass(shipped: StructureModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inference, "BLOCK_SEGMENTS", 100)
    found = by_inference(shipped, PAGES)
    table = build_table(PAGES)
    inputs = shipped.parameters.inputs(table)
    assert found.hidden == pytest.approx(shipped.parameters.network.forward(inputs)[1].first, abs=1e-3)
    count = found.characters.shape[1]
    assert count == len(FAMILIES["characters"])
    assert found.characters == pytest.approx(inputs.numbers[:, :count], abs=1e-4)


def test_documents_without_segments_have_no_logits(shipped: StructureModel) -> None:
    found = by_inference(shipped, [Document([]), Document([])])
    assert (found.logits.shape, found.hidden.shape) == ((0, len(shipped.parameters.outputs)), (0, HIDDEN))


def test_averages_are_those_of_pools() -> None:
    table = build_table(PAGES)
    values = np.random.default_rng(1).normal(size=(len(table), 5)).astype(np.float32)
    expected = pools(table).averages(values)
    of_paths = PlacePools.of(table)
    of_places, total = of_paths.averages(values.T.astype(np.float64), np.eye(5 * len(POOLS)))
    assert of_places[of_paths.place] == pytest.approx(expected[:, : 5 * len(POOLS)], abs=1e-5)
    parts = [of_paths.window_averages(total, slice(at, min(at + 50, len(table)))).T for at in range(0, len(table), 50)]
    assert np.concatenate(parts) == pytest.approx(expected[:, 5 * len(POOLS) :], abs=1e-5)
    assert np.concatenate(parts).shape == (len(table), 5 * 2 * len(POOL_WINDOWS))


def test_a_page_has_the_same_scores_in_every_batch(shipped: StructureModel) -> None:
    pages = [Document(page(seed, size)) for seed, size in enumerate([40, 1, 0, 700, 3, 33, 250, 250, 2000])]
    together = shipped.evidence_with_pages(pages)
    for size in (1, 2, 4):
        batches = [shipped.evidence_with_pages(pages[at : at + size]) for at in range(0, len(pages), size)]
        assert [one for evidence, _ in batches for one in evidence] == together[0]
        assert [one for _, kinds in batches for one in kinds] == together[1]
