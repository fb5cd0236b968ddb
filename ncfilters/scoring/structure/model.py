"""The structure kind of model: words, a page's structure and a segment's surroundings together.

    model = load("en")
    model.evidence([document])    # [{"score": [...]}]: calibrated log2 odds

Numbers and words say what a text is like, `features` where it stands, and a small `network` what that means beside
what is around it. The odds are calibrated on pages of sites that were held out. Without paths, as in plain text, there
is no structure: an n-gram model answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...features import matrix
from ...features.document import Document
from ...features.phrase_vocabulary import Phrases
from ...features.segment_table import READS
from ...record import check_optional
from ..char_ngram.model import CharNgramModel
from . import inference
from .attribution import Typical
from .embeddings import Steps, worded
from .network import CLIP, POOLS, WORD, Inputs, Network, Pools
from .page_classifier import Whole

Floats = NDArray[np.float32]

# Documents are read so many segments at a time: enough for numpy to be quick, little enough for the cache.
SLICE = 1 << 13
# What the names of the n-gram model's arrays begin with in files.
PLAIN = "plain."
# Relatives of a segment (see `features`), in the order of the network's averages.
GROUPS = POOLS[:-1]
# Segments with the same path but for ids share their fate more often than the network knows: so much of a logit is the
# mean of theirs, none of which counts for more than so much. It brings 0.2 points of F on WCXB.
ALIKE, SHARE_OF_ALIKE, FURTHEST = "sig", 0.75, 8.0


class StructureModel:
    """An n-gram model for *plain* text; the vocabulary of *names* on paths and of *phrases*, the *means* and *scales*
    of numbers, the *network*, and the *calibration* of its logits: factor and shift. *whole* says what pages are, if
    anything does, *typical* what is usual (see `reasons`)."""

    kind = "structure"
    # of input that nc-score takes at once: numpy is quick with some twenty pages
    batch_bytes = 1 << 21
    reads = READS

    def __init__(
        self,
        plain: CharNgramModel,
        names: Sequence[str],
        phrases: Sequence[str],
        means: Floats,
        scales: Floats,
        network: Network,
        calibration: tuple[float, float] = (1.0, 0.0),
        about: dict[str, Any] | None = None,
        whole: Whole | None = None,
        typical: Typical | None = None,
    ) -> None:
        self.plain, self.network = plain, network
        self.names = {name: place for place, name in enumerate(names)}
        self.phrases = {phrase: place for place, phrase in enumerate(phrases)}
        self.means, self.scales, self.calibration = means, scales, calibration
        self.about = about or {}
        self.whole, self.typical = whole, typical or Typical.unknown(len(names))
        self.steps, self.words = Steps(self.names, network.weights["names"]), Phrases(self.phrases)

    def evidence(self, documents: Sequence[Document]) -> list[dict[str, list[Any]]]:
        """For each document, the `score` of its segments: log2 odds (bits)."""
        return self.evidence_with_pages(documents)[0]

    def evidence_with_pages(
        self, documents: Sequence[Document]
    ) -> tuple[list[dict[str, list[Any]]], list[dict[str, Any] | None]]:
        """The `evidence` of each document, and what it is as a whole (see `whole`; None without paths)."""
        flat = [number for number, document in enumerate(documents) if is_flat(document)]
        out: list[dict[str, list[Any]]] = [{"score": []} for _ in documents]
        pages: list[dict[str, Any] | None] = [None] * len(documents)
        for number in flat:
            check_optional(list(documents[number].segments), "segments", self.reads)
            scores = self.plain.score_texts([segment["text"] for segment in documents[number].segments])
            out[number]["score"] = np.round(scores.astype(np.float64), 2).tolist()
        for numbers in _slices(documents, sorted(set(range(len(documents))) - set(flat))):
            segments = matrix.read([documents[number] for number in numbers])
            found = inference.judged(self, segments)
            logits = self.calibrated(self.evened(found.logits, segments))
            bits = np.round(logits.astype(np.float64) / log(2), 2).tolist()
            ends = np.cumsum(segments.documents).tolist()
            for number, start, end in zip(numbers, [0, *ends], ends):
                out[number]["score"] = bits[start:end]
            if self.whole:
                for number, page in zip(numbers, self.whole.said(segments, found.characters, found.hidden, logits)):
                    pages[number] = page
        return out, pages

    def evened(self, logits: Floats, segments: matrix.Segments) -> Floats:
        """The network's logits, each nearer to those of segments that are alike."""
        alike = segments.grouping[ALIKE][segments.tree.place]
        return evened(logits, alike, segments.chars, self.about.get("without", ()))

    def calibrated(self, logits: Floats) -> Floats:
        """Natural log odds, from the network's logits, evened."""
        odds: Floats = logits * np.float32(self.calibration[0]) + np.float32(self.calibration[1])
        return odds

    def reasons(self, documents: Sequence[Document], count: int) -> list[list[dict[str, Any]] | None]:
        """For each document the strongest reasons of each segment's score (see `reasons`); None without paths."""
        from . import attribution

        return [None if is_flat(document) else attribution.of(self, [document], count)[0] for document in documents]

    def most_informative(self, count: int) -> dict[str, list[dict[str, Any]]]:
        """What speaks most for clean text and for boilerplate; see `reasons`."""
        from . import attribution

        return attribution.most_informative(self, count)

    def differences(self, other: StructureModel, count: int) -> dict[str, Any]:
        """How another model differs; see `reasons`."""
        from . import attribution

        return attribution.differences(self, other, count)

    def inputs(self, segments: matrix.Segments) -> Inputs:
        """What the network reads of segments."""
        numbers = matrix.numbers(segments)
        columns = numbers.T  # one after the other in memory
        columns -= self.means[:, None]
        columns *= self.scales[:, None]
        np.clip(columns, -CLIP, CLIP, out=columns)
        return Inputs(numbers, self._named(segments), self._worded(segments), pools(segments))

    def _named(self, segments: matrix.Segments) -> Floats:
        """The vectors of the names on each segment's path, those further up counting less, and of its page's head."""
        return self.steps.named(segments.tree)[segments.node] + self.steps.of_heads(segments.heads)[segments.document]

    def _worded(self, segments: matrix.Segments) -> Floats:
        """The vectors of each segment's first words and of its heading's, side by side."""
        if not self.phrases:
            return np.zeros((len(segments.texts), 2 * WORD), np.float32)
        words, own, above = worded(segments, self.words, self.network.weights["words"])
        return np.hstack([words[own], words[above]])

    def header(self) -> dict[str, Any]:
        """The parameters for the model file."""
        return {
            "plain": self.plain.header(),
            "names": list(self.names),
            "phrases": list(self.phrases),
            "features": list(matrix.NAMES),
            "calibration": list(self.calibration),
            **({"whole": self.whole.header()} if self.whole else {}),
            **self.about,
        }

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays for the model file: those of the n-gram model, then the network's, flat."""
        out: dict[str, NDArray[Any]] = {PLAIN + name: array for name, array in self.plain.arrays().items()}
        out |= {"means": self.means, "scales": self.scales}
        out |= self.typical.arrays() | (self.whole.arrays() if self.whole else {})
        return out | {name: array.ravel() for name, array in self.network.weights.items()}

    @classmethod
    def from_parts(cls, header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> StructureModel:
        """The model of a file's header and arrays. Raises KeyError, TypeError or ValueError where they do not fit."""
        if header["features"] != list(matrix.NAMES):
            odd = set(header["features"]) ^ set(matrix.NAMES)
            raise ValueError(f"it was trained on other features than there are: {', '.join(sorted(odd)[:5])}, …")
        plain = {name.removeprefix(PLAIN): array for name, array in arrays.items() if name.startswith(PLAIN)}
        # without any there is a row that nobody reads
        sizes = (max(len(header[what]), 1) for what in ("names", "phrases"))
        shapes = Network.shapes(len(matrix.NAMES), *sizes)
        network = Network({name: arrays[name].reshape(shape) for name, shape in shapes.items()})
        factor, shift = header["calibration"]
        if not (isfinite(factor) and isfinite(shift)):
            raise ValueError("a calibration that is no number")
        about = {name: value for name, value in header.items() if name not in cls._own}
        return cls(
            CharNgramModel.from_parts(header["plain"], plain),
            header["names"],
            header["phrases"],
            arrays["means"],
            arrays["scales"],
            network,
            (factor, shift),
            about,
            Whole.from_parts(header["whole"], arrays) if "whole" in header else None,
            Typical.from_parts(arrays, len(header["names"])) if "typical.names" in arrays else None,
        )

    _own = ("plain", "names", "phrases", "features", "calibration", "whole")


def evened(logits: Floats, alike: NDArray[np.int64], chars: Floats, without: Sequence[str] = ()) -> Floats:
    """Logits, brought nearer to the mean of those of segments that are *alike* (numbers of groups), weighed by their
    characters; as they are *without* what is `around` (see `ablation`)."""
    if "around" in without:
        return logits
    bounded = np.clip(logits, -FURTHEST, FURTHEST)
    weights = chars.astype(np.float64) + 1
    means = np.bincount(alike, weights * bounded) / np.bincount(alike, weights)
    out: Floats = ((1 - SHARE_OF_ALIKE) * bounded + SHARE_OF_ALIKE * means[alike]).astype(np.float32)
    return out


def is_flat(document: Document) -> bool:
    """Whether segments say nothing of a page's structure, as those of plain text."""
    return not any("path" in segment for segment in document.segments)


def _slices(documents: Sequence[Document], numbers: Sequence[int]) -> Iterator[list[int]]:
    """Which documents are read together, of those with the *numbers*: about SLICE segments."""
    some: list[int] = []
    size = 0
    for number in numbers:
        if some and size + len(documents[number]) > SLICE:
            yield some
            some, size = [], 0
        some.append(number)
        size += len(documents[number])
    if some:
        yield some


def pools(segments: matrix.Segments) -> Pools:
    """How segments are related."""
    groups = [segments.groups[name] for name in GROUPS]
    return Pools.of(segments.weights, [*groups, segments.document], segments.first, segments.last)
