"""What a kind of model is: the class that each derives from, and by which the other packages use it.

    class AllClean(Model):
        kind = "all-clean"

        def evidence(self, documents: Sequence[ModelInput]) -> list[Evidence]:
            return [{"score": [1.0] * len(segments)} for segments in documents]

A kind's module imports this module and never `registry`, which finds kinds by their name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..features.document import ModelInput

if TYPE_CHECKING:
    from numpy.typing import NDArray

# The fields that a model writes for one document: a field's name, and its value for each of the segments.
Evidence = dict[str, list[Any]]


class Model:
    """A model that a file can hold. A kind has a name, and what it does not define is as here."""

    kind: str
    # Whether its arrays are so large that a file holds them uncompressed, to be mapped to memory.
    mapped = False
    # The types of fields that it reads of a segment besides the text, by name; it may raise any exception for others.
    reads: Mapping[str, tuple[type, ...]] = {}
    # The perplexity of a score of 0, which may be set; None for models that compute no perplexity.
    limit: float | None = None
    # How these split texts into tokens (see `tokenizers`).
    tokens = "spaces"
    # Whether it writes the role of segments, and whether it gives reasons for its scores.
    writes_roles = False
    explains = False

    def header(self) -> dict[str, Any]:
        """The parameters for the model file, as JSON."""
        return {}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The learned arrays for the model file by name, each of one dimension."""
        return {}

    @classmethod
    def from_parts(cls, header: dict[str, Any], arrays: Mapping[str, Any]) -> Model:
        """The model of a file's header and arrays. Raises KeyError, TypeError or ValueError where they do not fit."""
        raise NotImplementedError

    def evidence(self, documents: Sequence[ModelInput]) -> list[Evidence]:
        """For each document the fields that the model writes, with one value for each segment.

        One of them is `score`: the log2 odds (bits) that the segment is clean text rather than boilerplate.
        """
        raise NotImplementedError

    def evidence_with_pages(
        self, documents: Sequence[ModelInput]
    ) -> tuple[list[Evidence], Sequence[dict[str, Any] | None]]:
        """The evidence, and for each document the record's field `page`, a classification of the whole, if any."""
        return self.evidence(documents), [None] * len(documents)

    def reasons(self, documents: Sequence[ModelInput], count: int) -> list[list[dict[str, Any]] | None]:
        """For each document the field `reasons` of each segment: `for` and `against`, each up to *count* pairs of name
        and bits, largest first. None for a document whose scores it cannot explain."""
        return [None] * len(documents)

    def most_informative(self, count: int) -> dict[str, list[dict[str, Any]]]:
        """For `clean` and for `dirty`, up to *count* rows with the strongest evidence for it, strongest first; nothing
        where the kind does not tell. Numbers are rounded."""
        return {}

    def differences(self, other: Any, count: int) -> dict[str, Any]:
        """How another model of this kind differs: figures, and up to *count* rows `changed`, largest first."""
        return {}


class NamedModel(NamedTuple):
    """A model that scores segments, under the *name* it was asked for by. The *signature* identifies the model and the
    options it runs with, such as `ncleaner-en@3fa94c0e12ab`; a model without one is not recorded. The *language* is
    that of its header: `xx` for any language, and empty where it is unknown."""

    name: str
    model: Model
    signature: str = ""
    language: str = ""
