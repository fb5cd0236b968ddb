"""The structure kind of model: scores segments by their words, the structure of the page and their surroundings.

    model = load("en")
    model.evidence([document])
    # [{"score": [...], "score_article": [...], "role": [...], "role_probability": [...], …}]

Features describe the text and the position of a segment; a small `network` weighs them together with the surroundings
of the segment. Scores are log2 odds, calibrated on held-out sites. Plain text has no paths and thus no structure: an
n-gram model scores it. Scoring does without numpy.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from ...errors import ModelError
from ...features.document import ModelInput
from ...features.schema import CATEGORIES, NAMES, READS
from ...features.segment_table import SegmentTable, build_table
from ...page.blocks.block_table import BlockTable
from ...record import check_optional
from ...roles import DEFAULT_POLICY, ROLES, score_field
from ..base import Evidence
from ..file_format import Arrays, are_bounded
from . import scores
from .inference import infer
from .layers import AVERAGES, NAME, SHARED, WORD, Layers, array_shapes
from .page_classifier import PageClassifier

if TYPE_CHECKING:
    from ..char_ngram.model import CharNgramModel
    from .parameters import Outputs, StructureParameters

# The prefix of the n-gram model's arrays in files.
PLAIN_PREFIX = "plain."
# The fields of the header that are not in `StructureModel.about`.
_PARAMETERS = ("plain", "names", "phrases", "features", "policies", "roles", "calibration", "whole")

# nc-segment separates the cells of a row by this.
CELL_SEPARATOR = "\t"
# The beginnings of the names of preformatted elements; a whole page of plain text.
_CODE, _PLAIN_PAGE = ("pre", "code"), "body/pre"
_TAG, _ROW = list(CATEGORIES).index("tag"), CATEGORIES["tag"].index("tr")


class StructureModel:
    """An n-gram model for *plain* text, the *parameters* that score segments, and the *page_classifier*, if there is
    one. *about*: further fields of the header, such as `weighs` (see `attribution`)."""

    kind = "structure"
    reads = READS
    mapped = True

    def __init__(
        self,
        plain: CharNgramModel,
        parameters: StructureParameters,
        page_classifier: PageClassifier | None = None,
        about: dict[str, Any] | None = None,
    ) -> None:
        self.plain, self.parameters, self.page_classifier = plain, parameters, page_classifier
        self.about = about or {}
        outputs = parameters.outputs
        self._scoring = _Scoring(dict(outputs.calibrations), outputs.roles, parameters.surroundings)
        # of a model from a file
        self._header: dict[str, Any] = {}
        self._arrays: Mapping[str, Any] = {}

    # ---- scores

    @property
    def writes_roles(self) -> bool:
        """Whether segments of pages get a `role`."""
        return self._scoring.roles

    def evidence(self, documents: Sequence[ModelInput]) -> list[Evidence]:
        """For each document the `score` of its segments: log2 odds (bits) under the first policy. A model of several
        policies also writes those under the others (see `roles.score_field`); a model of roles the most probable `role`
        with its `role_probability`."""
        return self.evidence_with_pages(documents)[0]

    def evidence_with_pages(
        self, documents: Sequence[ModelInput]
    ) -> tuple[list[Evidence], list[dict[str, Any] | None]]:
        """The evidence of each document, and its classification as a page (None for plain text)."""
        scored = [
            (self._plain_evidence(document), None) if is_flat(document) else self._evidence_of_segments(document)
            for document in documents
        ]
        return [evidence for evidence, _ in scored], [page for _, page in scored]

    def _evidence_of_segments(self, document: ModelInput) -> tuple[Evidence, dict[str, Any] | None]:
        """The evidence of a document with structure, and its classification. Sentences have that of their segments, so
        that the text is the same with and without them."""
        segments: Any = document.segments
        if isinstance(segments, BlockTable) or not any("segment" in segment for segment in segments):
            return self._page_evidence(document)
        from ...segmentation import sentences  # start-up: most streams have no sentences

        whole = ModelInput(sentences.join_sentences(segments), document.head)
        evidence, page = self._page_evidence(whole)
        counts = sentences.sentence_counts(segments)
        return {field: sentences.for_sentences(values, counts) for field, values in evidence.items()}, page

    def _page_evidence(self, document: ModelInput) -> tuple[Evidence, dict[str, Any] | None]:
        """The evidence of a document with structure, and its classification."""
        layers, scoring = self.layers, self._scoring
        table = build_table(document)
        inference = infer(layers, table)
        logits, outputs, policies = inference.logits, layers.outputs, len(scoring.calibrations)
        if scoring.surroundings:
            groups, chars = scores.smoothed_groups(table), scores.segment_chars(table)
            of_policies = scores.smooth_logits(logits, outputs, policies, groups, chars)
        else:
            of_policies = scores.first_outputs(logits, outputs, policies)
        odds = scores.calibrated(of_policies, list(scoring.calibrations.values()))
        evidence: Evidence = {}
        for column, policy in enumerate(scoring.calibrations):
            evidence[score_field(policy) if column else "score"] = scores.bits(odds, column, policies)
        if scoring.roles:
            roles, probabilities = scores.roles(logits, outputs, policies, ROLES)
            evidence["role"], evidence["role_probability"] = with_element_roles(table, roles), probabilities
        if self.page_classifier is None:
            return evidence, None
        first = scores.first_outputs(odds, policies, 1)
        page = self.page_classifier.classify(table, inference.characters, inference.hidden, first)
        return evidence, page if page is None or layers.phrases else {**page, "words": False}

    def _plain_evidence(self, document: ModelInput) -> Evidence:
        segments: Any = document.segments
        if isinstance(segments, BlockTable):
            texts = segments.text
        else:
            check_optional(list(segments), "segments", self.reads)
            texts = [segment["text"] for segment in segments]
        if not texts:
            return {"score": []}
        import numpy as np  # start-up: pages do without

        odds = self.plain.score_texts(texts)
        return {"score": np.round(odds.astype(np.float64), 2).tolist()}

    # ---- what a model knows

    def reasons(self, documents: Sequence[ModelInput], count: int) -> list[list[dict[str, Any]] | None]:
        """For each document the strongest reasons of each segment's score (see `attribution`); None for plain text."""
        from . import attribution  # start-up: numpy

        return [
            None if is_flat(document) else attribution.attribute(self.parameters, document, count)
            for document in documents
        ]

    def most_informative(self, count: int) -> dict[str, list[dict[str, Any]]]:
        """The strongest evidence for clean text and for boilerplate: see `attribution`, and that of the n-grams."""
        from . import attribution  # start-up: numpy

        out = attribution.most_informative(self.parameters, self.about.get("weighs"), count)
        return out | {f"{kind}, n-grams": rows for kind, rows in self.plain.most_informative(count).items()}

    def differences(self, other: StructureModel, count: int) -> dict[str, Any]:
        """How another model differs: see `attribution`, and the differences of the n-grams."""
        from . import attribution  # start-up: numpy

        out = attribution.differences(self.parameters, other.parameters, count)
        return out | {f"{what}, n-grams": value for what, value in self.plain.differences(other.plain, count).items()}

    # ---- the file

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

    def arrays(self) -> dict[str, Any]:
        """The arrays for the model file: those of the n-gram model, then those of the network, flat."""
        out: dict[str, Any] = {PLAIN_PREFIX + name: array for name, array in self.plain.arrays().items()}
        out |= {"means": self.parameters.means, "scales": self.parameters.scales}
        out |= self.parameters.means_or_zeros.arrays()
        out |= self.page_classifier.arrays() if self.page_classifier else {}
        return out | {name: array.ravel() for name, array in self.parameters.network.weights.items()}

    @classmethod
    def from_parts(cls, header: dict[str, Any], arrays: Mapping[str, Any]) -> StructureModel:
        """The model in a file's header and arrays, which are read when they are needed. Raises KeyError, TypeError or
        ValueError if they do not fit."""
        if header["features"] != list(NAMES):
            different = set(header["features"]) ^ set(NAMES)
            names = ", ".join(sorted(different)[:5]) + ", …" * (len(different) > 5)
            raise ValueError(f"it was trained on other features ({names}): train it again")
        model = cls.__new__(cls)
        model.about = {name: value for name, value in header.items() if name not in _PARAMETERS}
        model._scoring = _scoring_of(header)
        model._header, model._arrays = header, arrays
        _check_sizes(header, model._buffers, model._scoring.outputs)
        model.page_classifier = (
            PageClassifier.from_parts(header["whole"], model._buffers) if "whole" in header else None
        )
        return model

    @cached_property
    def _buffers(self) -> Mapping[str, Any]:
        """The arrays as buffers, without numpy."""
        own = [name for name in self._arrays if not name.startswith(PLAIN_PREFIX)]
        if isinstance(self._arrays, Arrays):
            return {name: self._arrays.copied(name) for name in own}
        arrays = {name: self._arrays[name] for name in own}
        return {name: array("d" if one.itemsize == 8 else "f", one.tobytes()) for name, one in arrays.items()}

    @cached_property
    def layers(self) -> Layers:
        """The weights of the network for scoring."""
        if not self._header:
            return self.parameters.layers
        return Layers(*_vocabularies(self._header), self._scoring.outputs, self._buffers)

    @cached_property
    def plain(self) -> CharNgramModel:
        """The model for plain text. Raises ModelError if its header and its arrays do not fit."""
        from ..char_ngram.model import CharNgramModel  # start-up: numpy

        own = {name: self._arrays[name] for name in self._arrays if name.startswith(PLAIN_PREFIX)}
        arrays = {name.removeprefix(PLAIN_PREFIX): array for name, array in own.items()}
        try:
            return CharNgramModel.from_parts(self._header["plain"], arrays)
        except (KeyError, TypeError, ValueError) as error:
            source = getattr(self._arrays, "source", "")
            raise ModelError(f"{source}: the parts of the model for plain text do not fit: {error}") from None

    @cached_property
    def parameters(self) -> StructureParameters:
        """The parameters as arrays of numpy, for training and attribution."""
        from .network import Network  # start-up: numpy
        from .parameters import Outputs, StructureParameters, TrainingMeans

        header, arrays, scoring = self._header, self._arrays, self._scoring
        outputs: Outputs = Outputs(scoring.calibrations, scoring.roles)
        names, phrases = _vocabularies(header)
        shapes = array_shapes(len(NAMES), max(len(names), 1), max(len(phrases), 1), len(outputs))
        network = Network({name: arrays[name].reshape(shape) for name, shape in shapes.items()})
        means = TrainingMeans.from_parts(arrays, len(names)) if "typical.names" in arrays else None
        return StructureParameters(
            names, phrases, arrays["means"], arrays["scales"], network, outputs, scoring.surroundings, means
        )


class _Scoring(NamedTuple):
    """What the outputs of the network are: see `parameters.Outputs` and `parameters.StructureParameters`."""

    calibrations: dict[str, tuple[float, float]]
    roles: bool
    surroundings: bool

    @property
    def outputs(self) -> int:
        """The number of outputs."""
        return len(self.calibrations) + (len(ROLES) if self.roles else 0)


def _scoring_of(header: Mapping[str, Any]) -> _Scoring:
    """The outputs that a header describes. A file from before there were policies has one calibration."""
    policies = header["policies"] if "policies" in header else {DEFAULT_POLICY: header["calibration"]}
    calibrations = {str(name): (float(factor), float(shift)) for name, (factor, shift) in policies.items()}
    if not calibrations or not all(map(are_bounded, calibrations.values())):
        raise ValueError("the calibration is not finite, or too large")
    if header.get("roles", list(ROLES)) != list(ROLES):
        raise ValueError(f"it was trained on other roles: {header['roles']}")
    return _Scoring(calibrations, "roles" in header, "around" not in header.get("without", ()))


def _vocabularies(header: Mapping[str, Any]) -> tuple[dict[str, int], dict[str, int]]:
    """The names and the phrases of a header, with their numbers."""
    names, phrases = ({name: number for number, name in enumerate(header[what])} for what in ("names", "phrases"))
    return names, phrases


def _check_sizes(header: Mapping[str, Any], arrays: Mapping[str, Any], outputs: int) -> None:
    """Raises KeyError or ValueError for arrays of other lengths than the header says."""
    if not all(isinstance(name, str) for what in ("names", "phrases") for name in header[what]):
        raise ValueError("a name or a phrase that is no string")
    # an empty vocabulary has one row that is never read
    names, phrases = (max(len(header[what]), 1) for what in ("names", "phrases"))
    sizes = {name: prod(shape) for name, shape in array_shapes(len(NAMES), names, phrases, outputs).items()}
    sizes |= {"means": len(NAMES), "scales": len(NAMES)}
    if "typical.names" in arrays:
        sizes |= {"typical.names": len(header["names"]), "typical.around": SHARED * AVERAGES}
        sizes |= {"typical.slopes": NAME + 2 * WORD}
    for name, size in sizes.items():
        if len(arrays[name]) != size:
            raise ValueError(f"{name}: expected {size} numbers, got {len(arrays[name])}")
        if not are_bounded(arrays[name]):
            raise ValueError(f"{name}: numbers that are not finite, or too large")


def is_flat(document: ModelInput) -> bool:
    """Whether a document has no structure, as plain text."""
    segments: Any = document.segments
    if isinstance(segments, BlockTable):
        return all(tag is None for tag in segments.tag)
    return not any("path" in segment for segment in segments)


def with_element_roles(table: SegmentTable, roles: Sequence[str]) -> list[str]:
    """The role of each segment; that of `text` in a data table and in preformatted elements is `table` and `code`."""
    elements, nodes = table.places.elements, table.places.nodes
    own = [name.startswith(_CODE) for name in elements.names]
    is_code = [False] * len(elements)
    for row in range(1, len(elements)):
        above = elements.parent[row]
        is_code[row] = is_code[above] or above > 0 and own[elements.name[row]]
    out = []
    for role, text, place, kind in zip(roles, table.texts, table.places.place, table.kind):
        if role == "text":
            is_row = CELL_SEPARATOR in text and table.kinds[kind][0][_TAG] == _ROW
            code = is_code[nodes[place]] and elements.path(nodes[place]) != _PLAIN_PAGE
            role = "table" if is_row else "code" if code else role
        out.append(role)
    return out
