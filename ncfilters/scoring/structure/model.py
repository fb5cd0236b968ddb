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
from typing import TYPE_CHECKING, Any

from ...errors import ModelError
from ...features.document import ModelInput, is_flat
from ...features.schema import CATEGORIES, NAMES, READS
from ...features.segment_table import SegmentTable, build_table
from ...page.blocks.block_table import BlockTable
from ...record import check_optional
from ...roles import ROLES, score_field
from ..base import Evidence, Model
from ..file_format import Arrays, are_bounded
from . import outputs
from .inference import AVERAGES, NAME, SHARED, WORD, Layers, array_shapes, infer
from .outputs import PageClassifier

if TYPE_CHECKING:
    from ..char_ngram.model import CharNgramModel
    from .network import StructureParameters

# The prefix of the n-gram model's arrays in files.
PLAIN_PREFIX = "plain."
# nc-segment separates the cells of a row by this.
CELL_SEPARATOR = "\t"
# The beginnings of the names of preformatted elements; a whole page of plain text.
_CODE, _PLAIN_PAGE = ("pre", "code"), "body/pre"
_TAG, _ROW = list(CATEGORIES).index("tag"), CATEGORIES["tag"].index("tr")


class StructureModel(Model):
    """A model in the *header* and the *arrays* of a file, which are read when they are needed: an n-gram model for
    *plain* text, the *parameters* that score segments, and the *page_classifier*, if there is one.

    The header also tells what `weighs` most (see `attribution`), and which groups of features the model is `without`.
    Raises KeyError, TypeError or ValueError if header and arrays do not fit.
    """

    kind = "structure"
    reads = READS
    mapped = True
    writes_roles = True
    explains = True

    def __init__(self, header: dict[str, Any], arrays: Mapping[str, Any]) -> None:
        if header["features"] != list(NAMES):
            different = set(header["features"]) ^ set(NAMES)
            names = ", ".join(sorted(different)[:5]) + ", …" * (len(different) > 5)
            raise ValueError(f"it was trained on other features ({names}): train it again")
        if header["roles"] != list(ROLES):
            raise ValueError(f"it was trained on other roles: {header['roles']}")
        self._header, self._arrays = header, arrays
        # by the name of the policy, factor and shift of its log odds
        self.calibrations = {
            str(name): (float(factor), float(shift)) for name, (factor, shift) in header["policies"].items()
        }
        if not self.calibrations or not all(map(are_bounded, self.calibrations.values())):
            raise ValueError("the calibration is not finite, or too large")
        # whether the network was trained with averages over the surroundings
        self.surroundings = "around" not in header.get("without", ())
        self._check_sizes()
        self.page_classifier = PageClassifier.from_parts(header["whole"], self._buffers) if "whole" in header else None

    def _check_sizes(self) -> None:
        """Raises KeyError or ValueError for arrays of other lengths than the header says."""
        header = self._header
        if not all(isinstance(name, str) for what in ("names", "phrases") for name in header[what]):
            raise ValueError("a name or a phrase that is no string")
        sizes = {name: prod(shape) for name, shape in self._shapes().items()}
        sizes |= {"means": len(NAMES), "scales": len(NAMES), "typical.names": len(header["names"])}
        sizes |= {"typical.around": SHARED * AVERAGES, "typical.slopes": NAME + 2 * WORD}
        for name, size in sizes.items():
            if len(self._buffers[name]) != size:
                raise ValueError(f"{name}: expected {size} numbers, got {len(self._buffers[name])}")
            if not are_bounded(self._buffers[name]):
                raise ValueError(f"{name}: numbers that are not finite, or too large")

    def _shapes(self) -> dict[str, tuple[int, ...]]:
        """The shapes of the weights; an empty vocabulary has one row that is never read."""
        names, phrases = (max(len(self._header[what]), 1) for what in ("names", "phrases"))
        return array_shapes(len(NAMES), names, phrases, self._num_outputs)

    @property
    def _num_outputs(self) -> int:
        return len(self.calibrations) + len(ROLES)

    # ---- scores

    def evidence(self, documents: Sequence[ModelInput]) -> list[Evidence]:
        """For each document the `score` of its segments: log2 odds (bits) under the first policy. A model of several
        policies also writes those under the others (see `roles.score_field`). Segments of pages get the most probable
        `role` with its `role_probability`."""
        return self.evidence_with_pages(documents)[0]

    def evidence_with_pages(
        self, documents: Sequence[ModelInput]
    ) -> tuple[list[Evidence], list[dict[str, Any] | None]]:
        """The evidence of each document, and its classification as a page (None for plain text)."""
        scored = [
            (self._plain_evidence(document), None)
            if is_flat(document.segments)
            else self._evidence_of_segments(document)
            for document in documents
        ]
        return [evidence for evidence, _ in scored], [page for _, page in scored]

    def _evidence_of_segments(self, document: ModelInput) -> tuple[Evidence, dict[str, Any] | None]:
        """The evidence of a document with structure, and its classification. Sentences have that of their segments, so
        that the text is the same with and without them."""
        segments = document.segments
        if isinstance(segments, BlockTable) or not any("segment" in segment for segment in segments):
            return self._page_evidence(document)
        from ...segmentation import sentences  # start-up: most streams have no sentences

        whole = ModelInput(sentences.join_sentences(segments), document.head)
        evidence, page = self._page_evidence(whole)
        counts = sentences.sentence_counts(segments)
        return {field: sentences.for_sentences(values, counts) for field, values in evidence.items()}, page

    def _page_evidence(self, document: ModelInput) -> tuple[Evidence, dict[str, Any] | None]:
        """The evidence of a document with structure, and its classification."""
        table = build_table(document)
        inference = infer(self.layers, table)
        logits, width, policies = inference.logits, self._num_outputs, len(self.calibrations)
        if self.surroundings:
            groups, chars = outputs.smoothed_groups(table), outputs.segment_chars(table)
            of_policies = outputs.smooth_logits(logits, width, policies, groups, chars)
        else:
            of_policies = outputs.first_outputs(logits, width, policies)
        odds = outputs.calibrated(of_policies, list(self.calibrations.values()))
        evidence: Evidence = {}
        for column, policy in enumerate(self.calibrations):
            evidence[score_field(policy) if column else "score"] = outputs.bits(odds, column, policies)
        roles, probabilities = outputs.roles(logits, width, policies, ROLES)
        evidence["role"], evidence["role_probability"] = with_element_roles(table, roles), probabilities
        if self.page_classifier is None:
            return evidence, None
        first = outputs.first_outputs(odds, policies, 1)
        page = self.page_classifier.classify(table, inference.characters, inference.hidden, first)
        return evidence, page if page is None or self.layers.phrases else {**page, "words": False}

    def _plain_evidence(self, document: ModelInput) -> Evidence:
        check_optional(list(document.segments), "segments", self.reads)
        if not document.segments:
            return {"score": []}
        import numpy as np  # start-up: pages do without

        odds = self.plain.score_texts([segment["text"] for segment in document.segments])
        return {"score": np.round(odds.astype(np.float64), 2).tolist()}

    # ---- what a model knows

    def reasons(self, documents: Sequence[ModelInput], count: int) -> list[list[dict[str, Any]] | None]:
        """For each document the strongest reasons of each segment's score (see `attribution`); None for plain text."""
        from . import attribution  # start-up: numpy

        return [
            None if is_flat(document.segments) else attribution.attribute(self.parameters, document, count)
            for document in documents
        ]

    def most_informative(self, count: int) -> dict[str, list[dict[str, Any]]]:
        """The strongest evidence for clean text and for boilerplate: see `attribution`, and that of the n-grams."""
        from . import attribution  # start-up: numpy

        out = attribution.most_informative(self.parameters, self._header.get("weighs"), count)
        return out | {f"{kind}, n-grams": rows for kind, rows in self.plain.most_informative(count).items()}

    def differences(self, other: StructureModel, count: int) -> dict[str, Any]:
        """How another model differs: see `attribution`, and the differences of the n-grams."""
        from . import attribution  # start-up: numpy

        out = attribution.differences(self.parameters, other.parameters, count)
        return out | {f"{what}, n-grams": value for what, value in self.plain.differences(other.plain, count).items()}

    # ---- the file

    @classmethod
    def of_parameters(
        cls,
        plain: CharNgramModel,
        parameters: StructureParameters,
        page_classifier: PageClassifier | None,
        about: dict[str, Any],
    ) -> StructureModel:
        """The model of parameters that are trained. *about*: further fields of the header."""
        header = {
            "plain": plain.header(),
            "names": list(parameters.names),
            "phrases": list(parameters.phrases),
            "features": list(NAMES),
            "policies": {name: list(pair) for name, pair in parameters.calibrations.items()},
            "roles": list(ROLES),
            **({"whole": page_classifier.header()} if page_classifier else {}),
            **about,
        }
        arrays: dict[str, Any] = {PLAIN_PREFIX + name: array for name, array in plain.arrays().items()}
        arrays |= {"means": parameters.means, "scales": parameters.scales, **parameters.training_means.arrays()}
        arrays |= page_classifier.arrays() if page_classifier else {}
        return cls(header, arrays | {name: array.ravel() for name, array in parameters.network.weights.items()})

    @classmethod
    def from_parts(cls, header: dict[str, Any], arrays: Mapping[str, Any]) -> StructureModel:
        """The model of a file."""
        return cls(header, arrays)

    def header(self) -> dict[str, Any]:
        """The parameters for the model file."""
        return self._header

    def arrays(self) -> dict[str, Any]:
        """The arrays for the model file: those of the n-gram model, then those of the network, flat."""
        return dict(self._arrays)

    @cached_property
    def _buffers(self) -> Mapping[str, Any]:
        """The arrays as buffers, without numpy."""
        own = [name for name in self._arrays if not name.startswith(PLAIN_PREFIX)]
        if isinstance(self._arrays, Arrays):
            return {name: self._arrays.copied(name) for name in own}
        arrays = {name: self._arrays[name] for name in own}
        return {name: array("d" if one.itemsize == 8 else "f", one.tobytes()) for name, one in arrays.items()}

    @cached_property
    def _vocabularies(self) -> tuple[dict[str, int], dict[str, int]]:
        """The names and the phrases, with their numbers."""
        names, phrases = (
            dict(zip(self._header[what], range(len(self._header[what])))) for what in ("names", "phrases")
        )
        return names, phrases

    @cached_property
    def layers(self) -> Layers:
        """The weights of the network for scoring."""
        return Layers(*self._vocabularies, self._num_outputs, self._buffers)

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
        """The parameters as arrays of numpy, for attribution."""
        from .network import Network, StructureParameters, TrainingMeans  # start-up: numpy

        arrays = self._arrays
        network = Network({name: arrays[name].reshape(shape) for name, shape in self._shapes().items()})
        means = TrainingMeans(*(arrays[name] for name in TrainingMeans.ARRAYS))
        scaling = arrays["means"], arrays["scales"]
        return StructureParameters(*self._vocabularies, *scaling, network, means, self.calibrations, self.surroundings)


def with_element_roles(table: SegmentTable, roles: Sequence[str]) -> list[str]:
    """The role of each segment; that of `text` in a data table and in preformatted elements is `table` and `code`."""
    out, is_row = list(roles), [categories[_TAG] == _ROW for categories, _ in table.kinds]
    code = _places_of_code(table)
    kind, place = list(table.kind), list(table.places.place)
    for at, role in enumerate(out):
        if role == "text":
            if is_row[kind[at]] and CELL_SEPARATOR in table.texts[at]:
                out[at] = "table"
            elif code and place[at] in code:
                out[at] = "code"
    return out


def _places_of_code(table: SegmentTable) -> set[int]:
    """The places in preformatted elements."""
    elements = table.places.elements
    names = {number for number, name in enumerate(elements.names) if name.startswith(_CODE)}
    inside = set()
    for row in range(1, len(elements)) if names else ():
        above = elements.parent[row]
        if above in inside or above and elements.name[row] in names:
            inside.add(row)
    nodes = enumerate(table.places.nodes if inside else ())
    return {place for place, row in nodes if row in inside and elements.path(row) != _PLAIN_PAGE}
