"""The protocols that kinds of model implement, by which the other packages use them.

    class AllClean:
        kind = "all-clean"

        def evidence(self, documents: Sequence[ModelInput]) -> list[Evidence]:
            return [{"score": [1.0] * len(segments)} for segments in documents]

A kind's module imports this module and never `registry`, which finds kinds by their name.
"""

# Start-up: annotations are no strings here, for NamedTuple compiles strings.

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

from ..features.document import ModelInput

if TYPE_CHECKING:
    from numpy.typing import NDArray

# The fields that a model writes for one document: a field's name, and its value for each of the segments.
Evidence = dict[str, list[Any]]


class StorableModel(Protocol):
    """A model that a file can hold: a kind, parameters and arrays.

    Its class has a class method or its module a function that makes the model of these again (see `registry.KINDS`).
    """

    @property
    def kind(self) -> str:
        """The name of the kind."""

    def header(self) -> dict[str, Any]:
        """The parameters, as JSON."""

    def arrays(self) -> "dict[str, NDArray[Any]]":
        """The learned arrays by name, each of one dimension."""


class Model(StorableModel, Protocol):
    """A model that scores segments."""

    def evidence(self, documents: Sequence[ModelInput]) -> list[Evidence]:
        """For each document the fields that the model writes, with one value for each segment.

        One of them is `score`: the log2 odds (bits) that the segment is clean text rather than boilerplate.
        """


@runtime_checkable
class MappedModel(Protocol):
    """A model with arrays so large that a file holds them uncompressed, to be mapped to memory."""

    mapped: bool


@runtime_checkable
class FieldReadingModel(Protocol):
    """A model that reads more of a segment than its text, and raises any exception for values of other types."""

    @property
    def reads(self) -> Mapping[str, tuple[type, ...]]:
        """The types it accepts, by the name of the field."""


@runtime_checkable
class PerplexityModel(Protocol):
    """A model that writes a perplexity. *limit* is the perplexity that has the score 0; it may be set."""

    limit: float


@runtime_checkable
class TokenizingModel(Protocol):
    """A model that splits texts into tokens. *tokens* names the tokenization (see `tokenizers`)."""

    @property
    def tokens(self) -> str: ...


@runtime_checkable
class PageScoringModel(Protocol):
    """A model that also classifies whole pages."""

    def evidence_with_pages(
        self, documents: Sequence[ModelInput]
    ) -> tuple[list[Evidence], list[dict[str, Any] | None]]:
        """The evidence as `Model.evidence` returns it, and for each document the record's field `page`, if any."""


@runtime_checkable
class RoleModel(Protocol):
    """A model that may write the role of segments."""

    @property
    def writes_roles(self) -> bool: ...


@runtime_checkable
class ExplainingModel(Protocol):
    """A model that attributes its scores to what it reads."""

    def reasons(self, documents: Sequence[ModelInput], count: int) -> list[list[dict[str, Any]] | None]:
        """For each document the field `reasons` of each segment: `for` and `against`, each up to *count* pairs of name
        and bits, largest first. None for a document whose scores it cannot explain."""


@runtime_checkable
class InspectableModel(Protocol):
    """A model that reports what it has learned. Numbers in the rows are rounded."""

    def most_informative(self, count: int) -> dict[str, list[dict[str, Any]]]:
        """For `clean` and for `dirty`, up to *count* rows with the strongest evidence for it, strongest first."""

    def differences(self, other: Any, count: int) -> dict[str, Any]:
        """How another model of this kind differs: figures, and up to *count* rows `changed`, largest first."""


class NamedModel(NamedTuple):
    """A model that scores segments, under the *name* it was asked for by. The *signature* identifies the model and the
    options it runs with, such as `ncleaner-en@3fa94c0e12ab`; a model without one is not recorded. The *language* is
    that of its header: `xx` for any language, and empty where it is unknown."""

    name: str
    model: Model
    signature: str = ""
    language: str = ""
