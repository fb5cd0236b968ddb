"""The structure kind of model: character n-grams, a page's structure and a segment's surroundings together.

    model = load("en")
    model.evidence([segments])    # [{"score": [...]}]: calibrated log2 odds

The n-gram models inside say what a text is like, `features` where it stands, and a small `network` what that means
beside what is around it. The odds are calibrated on pages of sites that were held out. Without paths, as in plain text,
there is no structure: the first of the n-gram models answers alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import features
from .network import CLIP, NAME, WORD, Inputs, Network, Passed, Pools
from .ngram import Ngram
from .reasons import Typical
from .whole import Whole

Floats = NDArray[np.float32]
# ASCII characters that are no letter stand between the names of a step.
_SPACED = {code: " " for code in range(128) if not chr(code).isalpha() and chr(code) != "\n"}
Segment = dict[str, Any]

# What an element further up a path counts for, of what the one below it does.
DECAY = np.float32(0.8)
WORTH_OF_WORDS = np.float32(0.5)
# Steps of paths whose vectors are remembered.
STEPS = 1 << 15
# Documents are read so many segments at a time: enough for numpy to be quick, little enough for the cache.
SLICE = 1 << 12
# Relatives of a segment (see `features`), in the order of the network's averages.
GROUPS = ("up1", "up2", "up3", "up4", "sig", "sig2")


class Structure:
    """N-gram *scorers*, the vocabulary of *names* on paths and of *phrases*, the *means* and *scales* of numbers, the
    *network*, and the *calibration* of its logits: factor and shift. *whole* says what pages are, if anything does,
    *typical* what is usual (see `reasons`)."""

    kind = "structure"
    # of input that nc-score takes at once: numpy is quick with some fifteen pages
    batch_bytes = 1 << 20
    reads = {"path": (str,), "tag": (str,), "type": (str,), "links": (int,), "rule": (str,), "origin": (str,)}

    def __init__(
        self,
        scorers: Sequence[Ngram],
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
        self.scorers, self.network = list(scorers), network
        self.names = {name: place for place, name in enumerate(names)}
        self.phrases = {phrase: place for place, phrase in enumerate(phrases)}
        self.means, self.scales, self.calibration = means, scales, calibration
        self.about = about or {}
        self.whole, self.typical = whole, typical or Typical.unknown(len(names))
        self._steps: dict[str, int] = {}
        self._vectors = np.zeros((STEPS, NAME), np.float32)

    def evidence(self, documents: Sequence[Sequence[Segment]]) -> list[dict[str, list[Any]]]:
        """For each document, the `score` of its segments: log2 odds (bits)."""
        return self.with_pages(documents)[0]

    def with_pages(
        self, documents: Sequence[Sequence[Segment]]
    ) -> tuple[list[dict[str, list[Any]]], list[dict[str, Any] | None]]:
        """The `evidence` of each document, and what it is as a whole (see `whole`; None without paths)."""
        out: list[dict[str, list[Any]]] = []
        pages: list[dict[str, Any] | None] = []
        for some in _slices(documents):
            segments, inputs, scores, logits, passed = self._judged(some)
            logits = logits * np.float32(self.calibration[0]) + np.float32(self.calibration[1])
            bits = np.round(logits.astype(np.float64) / log(2), 2)
            if self.whole:
                pages += self.whole.said(segments, inputs.numbers, passed.first, logits)
            else:
                pages += [None] * len(some)
            at = 0
            for number, document in enumerate(some, len(out)):
                to = at + len(document)
                values = bits[at:to]
                if is_flat(document):
                    values, pages[number] = np.round(scores[at:to, 0], 2), None
                out.append({"score": values.tolist()})
                at = to
        return out, pages

    def reasons(self, documents: Sequence[Sequence[Segment]], count: int) -> list[list[dict[str, Any]] | None]:
        """For each document the strongest reasons of each segment's score (see `reasons`); None without paths."""
        from . import reasons

        return [None if is_flat(document) else reasons.of(self, [document], count)[0] for document in documents]

    def telling(self, count: int) -> dict[str, list[dict[str, Any]]]:
        """What speaks most for clean text and for boilerplate; see `reasons`."""
        from . import reasons

        return reasons.telling(self, count)

    def compared(self, other: Structure, count: int) -> dict[str, Any]:
        """How another model differs; see `reasons`."""
        from . import reasons

        return reasons.compared(self, other, count)

    def logits(self, documents: Sequence[Sequence[Segment]]) -> tuple[Floats, Floats]:
        """The network's logits for all segments of the documents, and the scores of the n-gram models (segments,
        models)."""
        _, _, scores, logits, _ = self._judged(documents)
        return logits, scores

    def _judged(
        self, documents: Sequence[Sequence[Segment]]
    ) -> tuple[features.Segments, Inputs, Floats, Floats, Passed]:
        """The segments, what the network reads of them, the scores of the n-gram models, the logits, and the way to
        them."""
        segments = features.read(documents)
        scores = self.scored(segments.texts)
        inputs = self.inputs(segments, scores)
        return segments, inputs, scores, *self.network.forward(inputs)

    def scored(self, texts: Sequence[str]) -> Floats:
        """What each n-gram model says of each text (bits; shape: texts, models)."""
        return np.stack([scorer.score_texts(texts) for scorer in self.scorers], axis=1)

    def inputs(self, segments: features.Segments, scores: Floats) -> Inputs:
        """What the network reads of segments."""
        numbers = features.numbers(segments, scores)[:, : len(self.means)]
        columns = numbers.T  # one after the other in memory
        columns -= self.means[:, None]
        columns *= self.scales[:, None]
        np.clip(columns, -CLIP, CLIP, out=columns)
        return Inputs(numbers, self._named(segments), self._worded(segments), pools(segments))

    def _named(self, segments: features.Segments) -> Floats:
        """The vectors of the names on each segment's path, those further up counting less."""
        tree = segments.tree
        rows = self._rows(tree.steps)
        own = self._vectors[rows][tree.step]
        order = np.argsort(tree.depth, kind="stable")
        depths = tree.depth[order]
        starts = np.searchsorted(depths, np.arange(depths[-1] + 2)) if len(depths) else [0]
        for start, stop in zip(starts[1:-1], starts[2:]):  # a level after the one above it
            nodes = order[start:stop]
            own[nodes] += DECAY * own[tree.parent[nodes]]
        named: Floats = own[segments.node]
        return named

    def _rows(self, steps: Sequence[str]) -> NDArray[np.int64]:
        """Where the vectors of steps are remembered."""
        known = self._steps
        new = [step for step in steps if step not in known]
        if new and len(known) + len(new) > len(self._vectors):
            known.clear()
            new = list(steps)
            self._vectors = np.zeros((max(STEPS, 2 * len(new)), NAME), np.float32)
        if new:
            places: list[int] = []
            ends = [0]
            get = self.names.get
            for names in step_names(new):
                places += [place for name in names if (place := get(name)) is not None]
                ends.append(len(places))
            start = len(known)
            self._vectors[start : start + len(new)] = _summed(self.network.weights["names"], places, ends)
            known.update(zip(new, range(start, start + len(new))))
        return np.fromiter(map(known.__getitem__, steps), np.int64, len(steps))

    def _worded(self, segments: features.Segments) -> Floats:
        """The vectors of each segment's first words and of its heading's, side by side."""
        if not self.phrases:
            return np.zeros((len(segments.texts), 2 * WORD), np.float32)
        own, own_at, heading, heading_at = features.indices(segments, self.phrases)
        vectors = self.network.weights["words"]
        words: Floats = np.hstack([_summed(vectors, own, own_at), _summed(vectors, heading, heading_at)])
        words *= WORTH_OF_WORDS
        return words

    def header(self) -> dict[str, Any]:
        """The parameters for the model file."""
        return {
            "scorers": [scorer.header() for scorer in self.scorers],
            "names": list(self.names),
            "phrases": list(self.phrases),
            "features": list(features.names(len(self.scorers))),
            "calibration": list(self.calibration),
            **({"whole": self.whole.header()} if self.whole else {}),
            **self.about,
        }

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays for the model file: those of the n-gram models by number, then the network's, flat."""
        out: dict[str, NDArray[Any]] = {}
        for number, scorer in enumerate(self.scorers):
            out |= {f"{number}.{name}": array for name, array in scorer.arrays().items()}
        out |= {"means": self.means, "scales": self.scales}
        out |= self.typical.arrays() | (self.whole.arrays() if self.whole else {})
        return out | {name: array.ravel() for name, array in self.network.weights.items()}

    @classmethod
    def restored(cls, header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> Structure:
        """The model of a file's header and arrays. Raises KeyError, TypeError or ValueError where they do not fit."""
        known = list(features.names(len(header["scorers"])))
        if header["features"] != known:
            odd = set(header["features"]) ^ set(known)
            raise ValueError(f"it was trained on other features than there are: {', '.join(sorted(odd)[:5])}, …")
        scorers = []
        for number, described in enumerate(header["scorers"]):
            start = f"{number}."
            parts = {name.removeprefix(start): array for name, array in arrays.items() if name.startswith(start)}
            scorers.append(Ngram.restored(described, parts))
        sizes = (
            max(len(header[what]), 1) for what in ("names", "phrases")
        )  # without any there is a row that none reads
        shapes = Network.initial(len(known), *sizes).weights
        network = Network({name: arrays[name].reshape(like.shape) for name, like in shapes.items()})
        factor, shift = header["calibration"]
        if not scorers or not (isfinite(factor) and isfinite(shift)):
            raise ValueError("no n-gram model, or a calibration that is no number")
        about = {name: value for name, value in header.items() if name not in cls._own}
        return cls(
            scorers,
            header["names"],
            header["phrases"],
            arrays["means"],
            arrays["scales"],
            network,
            (factor, shift),
            about,
            Whole.restored(header["whole"], arrays) if "whole" in header else None,
            Typical.restored(arrays, len(header["names"])) if "typical.names" in arrays else None,
        )

    _own = ("scorers", "names", "phrases", "features", "calibration", "whole")


def is_flat(document: Sequence[Segment]) -> bool:
    """Whether segments say nothing of a page's structure, as those of plain text."""
    return not any("path" in segment for segment in document)


def step_names(steps: Sequence[str]) -> list[list[str]]:
    """The names in steps of paths such as `div#main-col.post_body2`: the element's, and the words of its id and classes
    (div, main, col, post, body), in small letters. Numbers name nothing."""
    lines = "\n".join(steps).translate(_SPACED).lower().split("\n") if steps else []
    if len(lines) != len(steps):  # somebody has line breaks in names
        lines = [step.replace("\n", " ").translate(_SPACED).lower() for step in steps]
    return [line.split() for line in lines]


def _slices(documents: Sequence[Sequence[Segment]]) -> Any:
    """The documents, about SLICE segments at a time."""
    some: list[Sequence[Segment]] = []
    size = 0
    for document in documents:
        if some and size + len(document) > SLICE:
            yield some
            some, size = [], 0
        some.append(document)
        size += len(document)
    if some:
        yield some


def pools(segments: features.Segments) -> Pools:
    """How segments are related. A longer one weighs more among its like."""
    weights = np.log1p(segments.chars).astype(np.float32) + np.float32(0.1)
    groups = [segments.groups[name] for name in GROUPS]
    return Pools.of(weights, [*groups, segments.document], segments.first, segments.last)


def _summed(vectors: Floats, places: Any, ends: Any) -> Floats:
    """The sums of *vectors* at *places*, one for each stretch that *ends* bound (one more than there are)."""
    total = np.zeros((len(places) + 1, vectors.shape[1]))
    np.cumsum(vectors[np.asarray(places, np.int64)], axis=0, out=total[1:])
    ends = np.asarray(ends, np.int64)
    sums: Floats = (total[ends[1:]] - total[ends[:-1]]).astype(np.float32)
    return sums
