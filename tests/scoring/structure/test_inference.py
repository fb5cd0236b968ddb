"""Inference: it gives what the forward pass of the network gives, whatever the size of blocks."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from made_pages import document
from numpy.typing import NDArray
from uncompiled import both_forms

from ncfilters.features.document import ModelInput
from ncfilters.features.schema import FAMILIES
from ncfilters.features.segment_table import build_table
from ncfilters.record import Segment
from ncfilters.scoring import registry
from ncfilters.scoring.structure import inference, pools
from ncfilters.scoring.structure.inference import infer
from ncfilters.scoring.structure.model import StructureModel
from ncfilters.scoring.structure.shapes import HIDDEN

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


PAGES = [ModelInput(page(seed, size)) for seed, size in enumerate([40, 1, 0, 700, 3, 33])]


@pytest.fixture(scope="module", params=["en", "xx"])
def shipped(request: pytest.FixtureRequest) -> StructureModel:
    found = registry.load(request.param)
    assert isinstance(found, StructureModel)
    return found


def rows(buffer: Any, width: int) -> NDArray[np.float32]:
    return np.asarray(buffer).reshape(-1, width)


@pytest.mark.parametrize("block", [7, 64, 10_000])
@pytest.mark.parametrize("page", PAGES, ids=len)
def test_inference_is_the_forward_pass(
    shipped: StructureModel, page: ModelInput, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inference, "BLOCK_SEGMENTS", block)
    table, parameters = build_table(page), shipped.parameters
    found = infer(shipped.layers, table)
    inputs = parameters.inputs(table)
    logits, activations = parameters.network.forward(inputs)
    assert rows(found.logits, len(parameters.outputs)) == pytest.approx(logits, abs=1e-3)
    assert rows(found.hidden, HIDDEN) == pytest.approx(activations.first, abs=1e-3)
    count = len(FAMILIES["characters"])
    assert rows(found.characters, count) == pytest.approx(inputs.numbers[:, :count], abs=1e-4)


def test_both_forms_of_sums_give_the_same_scores(shipped: StructureModel, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [document(seed) for seed in range(60)]
    expected = shipped.evidence_with_pages(pages)
    plain = both_forms("ncfilters.native.sums")[0]
    for module in (inference, pools):
        monkeypatch.setattr(module, "sums", plain)
    assert shipped.evidence_with_pages(pages) == expected
