"""The structure kind of model: scores segments by their words, the structure of the page and their surroundings.

    model = load("en")
    model.evidence([document])
    # [{"score": [...], "score_article": [...], "role": [...], "role_probability": [...], …}]

Features describe the text and the position of a segment; a small `network` weighs them together with the surroundings
of the segment. Scores are log2 odds, calibrated on held-out sites. Plain text has no paths and thus no structure: an
n-gram model scores it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...features.categories import READS
from ...features.document import Document
from ...features.schema import NAMES
from ...features.segment_table import build_table
from ...record import check_optional
from ...roles import DEFAULT_POLICY, ROLES, score_field
from ..base import Evidence
from ..char_ngram.model import CharNgramModel
from . import attribution
from .element_roles import with_element_roles
from .inference import infer
from .network import Network
from .page_classifier import PageClassifier
from .parameters import Outputs, StructureParameters, TrainingMeans

Floats = NDArray[np.float32]

# Segments of a batch of documents: enough for numpy to be fast, few enough for the cache.
BATCH_SEGMENTS = 1 << 13
_ROLE_NAMES = np.array(ROLES, object)
# The prefix of the n-gram model's arrays in files.
PLAIN_PREFIX = "plain."
# The fields of the header that are not in `StructureModel.about`.
_PARAMETERS = ("plain", "names", "phrases", "features", "policies", "roles", "calibration", "whole")


class StructureModel:
    """An n-gram model for *plain* text, the *parameters* that score segments, and the *page_classifier*, if there is
    one. *about*: further fields of the header, such as `weighs` (see `attribution`)."""

    kind = "structure"
    # numpy is fastest with some twenty pages at once
    batch_bytes = 1 << 21
    reads = READS

    def __init__(
        self,
        plain: CharNgramModel,
        parameters: StructureParameters,
        page_classifier: PageClassifier | None = None,
        about: dict[str, Any] | None = None,
    ) -> None:
        self.plain, self.parameters, self.page_classifier = plain, parameters, page_classifier
        self.about = about or {}

    def evidence(self, documents: Sequence[Document]) -> list[Evidence]:
        """For each document the `score` of its segments: log2 odds (bits) under the first policy. A model of several
        policies also writes those under the others (see `roles.score_field`); a model of roles the most probable `role`
        with its `role_probability`."""
        return self.evidence_with_pages(documents)[0]

    def evidence_with_pages(self, documents: Sequence[Document]) -> tuple[list[Evidence], list[dict[str, Any] | None]]:
        """The evidence of each document, and its classification as a page (None for plain text)."""
        out: list[Evidence] = [{"score": []} for _ in documents]
        pages: list[dict[str, Any] | None] = [None] * len(documents)
        structured = []
        for number, document in enumerate(documents):
            if is_flat(document):
                out[number] = self._plain_evidence(document)
            else:
                structured.append(number)
        for numbers in _batches(documents, structured):
            table = build_table([documents[number] for number in numbers])
            inference = infer(self.parameters, table)
            log_odds = self.parameters.calibrate(self.parameters.smooth(inference.logits, table))
            evidence = self._segment_evidence(inference.logits, log_odds)
            ends = np.cumsum(table.sizes).tolist()
            for number, start, end in zip(numbers, [0, *ends], ends):
                own = {field: values[start:end] for field, values in evidence.items()}
                if "role" in own:
                    own["role"] = with_element_roles(documents[number].segments, own["role"])
                out[number] = own
            if self.page_classifier:
                classified = self.page_classifier.classify(
                    table, inference.characters, inference.hidden, log_odds[:, 0]
                )
                for number, page in zip(numbers, classified):
                    pages[number] = page
        return out, pages

    def _segment_evidence(self, logits: Floats, log_odds: Floats) -> Evidence:
        """The fields of segments, from all outputs and the calibrated log odds under each policy."""
        policies = list(self.parameters.outputs.calibrations)
        bits = np.round(log_odds.astype(np.float64) / log(2), 2)
        evidence: Evidence = {"score": bits[:, 0].tolist()}
        for column, policy in enumerate(policies[1:], 1):
            evidence[score_field(policy)] = bits[:, column].tolist()
        if self.parameters.outputs.roles:
            of_roles = np.ascontiguousarray(logits[:, len(policies) :].T, np.float64)
            probability = 1 / np.exp(of_roles - of_roles.max(axis=0)).sum(axis=0)
            evidence["role"] = _ROLE_NAMES[of_roles.argmax(axis=0)].tolist()
            evidence["role_probability"] = np.round(probability, 3).tolist()
        return evidence

    def _plain_evidence(self, document: Document) -> Evidence:
        check_optional(list(document.segments), "segments", self.reads)
        scores = self.plain.score_texts([segment["text"] for segment in document.segments])
        return {"score": np.round(scores.astype(np.float64), 2).tolist()}

    def reasons(self, documents: Sequence[Document], count: int) -> list[list[dict[str, Any]] | None]:
        """For each document the strongest reasons of each segment's score (see `attribution`); None for plain text."""
        return [
            None if is_flat(document) else attribution.attribute(self.parameters, document, count)
            for document in documents
        ]

    def most_informative(self, count: int) -> dict[str, list[dict[str, Any]]]:
        """The strongest evidence for clean text and for boilerplate: see `attribution`, and that of the n-grams."""
        out = attribution.most_informative(self.parameters, self.about.get("weighs"), count)
        return out | {f"{kind}, n-grams": rows for kind, rows in self.plain.most_informative(count).items()}

    def differences(self, other: StructureModel, count: int) -> dict[str, Any]:
        """How another model differs: see `attribution`, and the differences of the n-grams."""
        out = attribution.differences(self.parameters, other.parameters, count)
        return out | {f"{what}, n-grams": value for what, value in self.plain.differences(other.plain, count).items()}

    def header(self) -> dict[str, Any]:
        """The parameters for the model file."""
        return {
            "plain": self.plain.header(),
            "names": list(self.parameters.names),
            "phrases": list(self.parameters.phrases),
            "features": list(NAMES),
            "policies": {name: list(pair) for name, pair in self.parameters.outputs.calibrations.items()},
            **({"roles": list(ROLES)} if self.parameters.outputs.roles else {}),
            **({"whole": self.page_classifier.header()} if self.page_classifier else {}),
            **self.about,
        }

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays for the model file: those of the n-gram model, then those of the network, flat."""
        out: dict[str, NDArray[Any]] = {PLAIN_PREFIX + name: array for name, array in self.plain.arrays().items()}
        out |= {"means": self.parameters.means, "scales": self.parameters.scales}
        out |= self.parameters.means_or_zeros.arrays()
        out |= self.page_classifier.arrays() if self.page_classifier else {}
        return out | {name: array.ravel() for name, array in self.parameters.network.weights.items()}

    @classmethod
    def from_parts(cls, header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> StructureModel:
        """The model in a file's header and arrays. Raises KeyError, TypeError or ValueError if they do not fit."""
        if header["features"] != list(NAMES):
            different = set(header["features"]) ^ set(NAMES)
            raise ValueError(f"it was trained on other features: {', '.join(sorted(different)[:5])}, …")
        plain = {
            name.removeprefix(PLAIN_PREFIX): array for name, array in arrays.items() if name.startswith(PLAIN_PREFIX)
        }
        # an empty vocabulary has one row that is never read
        names, phrases = (max(len(header[what]), 1) for what in ("names", "phrases"))
        outputs = _outputs(header)
        shapes = Network.shapes(len(NAMES), names, phrases, len(outputs))
        network = Network({name: arrays[name].reshape(shape) for name, shape in shapes.items()})
        about = {name: value for name, value in header.items() if name not in _PARAMETERS}
        parameters = StructureParameters(
            {name: place for place, name in enumerate(header["names"])},
            {phrase: place for place, phrase in enumerate(header["phrases"])},
            arrays["means"],
            arrays["scales"],
            network,
            outputs,
            "around" not in about.get("without", ()),
            TrainingMeans.from_parts(arrays, len(header["names"])) if "typical.names" in arrays else None,
        )
        classifier = PageClassifier.from_parts(header["whole"], arrays) if "whole" in header else None
        return cls(CharNgramModel.from_parts(header["plain"], plain), parameters, classifier, about)


def _outputs(header: dict[str, Any]) -> Outputs:
    """The outputs that a header describes. A file from before there were policies has one calibration."""
    policies = header["policies"] if "policies" in header else {DEFAULT_POLICY: header["calibration"]}
    calibrations = {str(name): (float(factor), float(shift)) for name, (factor, shift) in policies.items()}
    if not calibrations or not all(isfinite(value) for pair in calibrations.values() for value in pair):
        raise ValueError("the calibration is not finite")
    if header.get("roles", list(ROLES)) != list(ROLES):
        raise ValueError(f"it was trained on other roles: {header['roles']}")
    return Outputs(calibrations, "roles" in header)


def is_flat(document: Document) -> bool:
    """Whether a document has no structure, as plain text."""
    return not any("path" in segment for segment in document.segments)


def _batches(documents: Sequence[Document], numbers: Sequence[int]) -> Iterator[list[int]]:
    """The *numbers* of documents, in batches of about BATCH_SEGMENTS segments."""
    batch: list[int] = []
    size = 0
    for number in numbers:
        if batch and size + len(documents[number]) > BATCH_SEGMENTS:
            yield batch
            batch, size = [], 0
        batch.append(number)
        size += len(documents[number])
    if batch:
        yield batch
