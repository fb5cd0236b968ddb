"""What the structure kind learns when its network is trained: of whole pages (see `whole`), and what is usual (see
`reasons`).

    trained = Trained(model, networks, fold, documents)
    model.whole = of_pages(trained, made, held_out, has_text, types)
    model.typical, model.about["weighs"] = usual(trained, made)

Odds of pages come from networks that have not seen their site, as those of segments do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..features import matrix
from ..features.document import Document
from ..scoring.structure import attribution, page_classifier
from ..scoring.structure.model import StructureModel, is_flat
from ..scoring.structure.network import NAME, WORD
from . import page_regression

if TYPE_CHECKING:
    from ..scoring.structure.network import Inputs, Network
    from .structure_trainer import Example

Floats = NDArray[np.float32]

# So many pages say what pages with and without content are like, and what is usual; more say no more.
MOST_CONTENT, MOST_USUAL = 1000, 300
# Pages read at once.
TOGETHER = 16


@dataclass
class Trained:
    """A model, the *networks* that have not seen one *fold* each, and the training pages' segments."""

    model: StructureModel
    networks: Sequence[Network]
    fold: NDArray[np.int64]
    documents: Sequence[Document]

    def like(self, network: Network) -> StructureModel:
        """The model with another network, and its memory."""
        m = self.model
        return StructureModel(m.plain, list(m.names), list(m.phrases), m.means, m.scales, network, m.calibration)

    def read(self, places: Sequence[int]) -> Iterator[tuple[list[int], matrix.Segments, Inputs]]:
        """Pages, some at a time, as the model reads them."""
        for start in range(0, len(places), TOGETHER):
            some = list(places[start : start + TOGETHER])
            segments = matrix.read([self.documents[at] for at in some])
            yield some, segments, self.model.inputs(segments)


def of_pages(
    trained: Trained,
    made: Sequence[Example],
    held_out: Sequence[Floats],
    has_text: Sequence[bool | None],
    types: Sequence[str | None],
) -> page_classifier.Whole | None:
    """What pages are told by. *has_text*: whether a page's gold has words, None for what is not to be learned from;
    *types*: the type of each page where it is known. None where no page has structure."""
    structured = [not is_flat(document) for document in trained.documents]
    known = [at for at, there in enumerate(structured) if there and has_text[at] is not None]
    if not known:
        return None
    with_text = _some([at for at in known if has_text[at]], MOST_CONTENT)
    empty = _some([at for at in known if not has_text[at]], MOST_CONTENT)
    text = [_evidence(trained, held_out, at) for at in with_text]
    none = [_evidence(trained, held_out, at) for at in empty]
    shells = [trained.like(network) for network in trained.networks]
    for at in with_text:
        rest = np.flatnonzero(made[at].labels == 0)
        if len(rest):
            none.append(_without(trained, shells[trained.fold[at]], at, rest))
    rows, names = _typed(trained, held_out, [at for at in range(len(types)) if structured[at] and types[at]], types)
    return page_regression.fit(
        np.concatenate([*text, *none]), np.arange(len(text) + len(none)) < len(text), rows, names
    )


def _some(places: Sequence[int], most: int) -> list[int]:
    """Some of the places, evenly, if there are more than *most*."""
    return list(places[:: -(-len(places) // most) or 1])


def _evidence(trained: Trained, held_out: Sequence[Floats], at: int) -> NDArray[np.float64]:
    return page_classifier.evidence(matrix.read([trained.documents[at]]), trained.model.calibrated(held_out[at]))


def _without(trained: Trained, shell: StructureModel, at: int, rest: NDArray[np.int64]) -> NDArray[np.float64]:
    """The evidence of a page of which only *rest* of the segments is left."""
    document = trained.documents[at]
    segments = matrix.read([Document([document.segments[place] for place in rest.tolist()], document.head)])
    logits = shell.network.logits(shell.inputs(segments))
    logits = trained.model.evened(logits, segments)
    return page_classifier.evidence(segments, trained.model.calibrated(logits))


def _typed(
    trained: Trained, held_out: Sequence[Floats], places: Sequence[int], types: Sequence[str | None]
) -> tuple[NDArray[np.float64], list[str | None]]:
    """The numbers that types are told by, of pages of a known type, and their types."""
    rows = [np.zeros((0, page_classifier.TYPICAL))]
    for some, segments, inputs in trained.read(places):
        logits = trained.model.calibrated(np.concatenate([held_out[at] for at in some]))
        _, passed = trained.model.network.forward(inputs)
        about = page_classifier.evidence(segments, logits)
        rows.append(page_classifier.typical(segments, inputs.numbers, passed.first, logits, about))
    return np.concatenate(rows), [types[at] for at in places]


def usual(trained: Trained, made: Sequence[Example]) -> tuple[attribution.Typical, dict[str, float]]:
    """What is usual, over some of the pages' segments, and the inputs that move the odds most: mean absolute bits."""
    model = trained.model
    bits = np.float32(model.calibration[0] / log(2))
    places = _some(range(len(made)), MOST_USUAL)
    rows = sum(len(made[at].labels) for at in places)
    names = sum(np.asarray(made[at].names.sum(axis=0)).ravel() for at in places) / rows
    typical = attribution.Typical.unknown(len(model.names))
    typical.names = np.asarray(names, np.float32)[: len(model.names)]
    ways = [(inputs, model.network.forward(inputs)[1]) for _, _, inputs in trained.read(places)]
    seen = sum(passed.seen.sum(axis=0, dtype=np.float64) for _, passed in ways)[-len(typical.around) :]
    typical.around = (seen / rows).astype(np.float32)
    mean_names = typical.names @ model.network.weights["names"][: len(typical.names)]
    slopes: Any = 0
    sizes: Any = 0
    for inputs, passed in ways:
        own, around = attribution.slopes(model.network, passed)
        columns = inputs.numbers.shape[1]
        named = (inputs.names - mean_names) * own[:, columns : columns + NAME]
        worded = inputs.words * own[:, columns + NAME :]
        parts = [named, worded[:, :WORD], worded[:, WORD:]]
        sums = np.stack([part.sum(axis=1) for part in parts], axis=1)
        pools = attribution.contributed(passed, around, typical)
        added = np.abs(np.hstack([inputs.numbers * own[:, :columns], sums, pools]) * bits)
        sizes = sizes + added.sum(axis=0, dtype=np.float64)
        slopes = slopes + own[:, columns:].sum(axis=0, dtype=np.float64)
    typical.slopes = (slopes / rows).astype(np.float32)
    known_as = (*matrix.NAMES, "names on the path", "words", "words of the heading", *attribution.AROUND)
    return typical, attribution.weighed(dict(zip(known_as, (sizes / rows).tolist())))
