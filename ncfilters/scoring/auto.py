"""The best installed model for the language of each document (nc-score -m auto).

    score = AutoScorer()
    score([{"lang": "de", "segments": [{"text": "Das ist Text.", "path": "body/p"}]}])    # […, "models": ["xx@…"]}]

For the language LANG of a page, it is the first of the models `LANG` (for English, `en`), `xx`, `ncleaner-LANG` and
`ncleaner-nonlexical` that is installed; for plain text, which has no structure, `ncleaner-LANG` comes before `xx`. The
record's `models` says which model scored it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from ..errors import ModelError, RecordError
from ..record import BLOCK_FIELDS, Record, check_optional, parts
from ..streams.runner import attempt
from ..text.language_tags import primary
from . import registry
from .scorer import Scorer

# The name that stands for this choice.
AUTO = "auto"
# Below this probability a document has no language: `en` gains 1.1 points of F over `xx` on WCXB (bench/accuracy.md),
# and loses 4 points or more on the pages of DAnIEL in other languages (`nc-score -m en`; Polish 4, Russian 18).
MIN_PROBABILITY = 0.7
GENERAL = ("xx", "ncleaner-nonlexical")

# A document with a lower probability may be in the language of the model.
MIN_OTHER_PROBABILITY = 0.9
MAX_LISTED = 5


class AutoScorer:
    """Scores each record with the best installed model for its language, as `Scorer` does. Models are loaded when the
    first record needs them.

    A record without `lang` gets one, and its probability. Raises ModelError if no model of GENERAL is installed.
    """

    # the size of batches in bytes of input, as for one structure model
    batch_bytes = 1 << 21
    # as Scorer's: those of pages get one
    writes_roles = True

    def __init__(self, max_reasons: int = 0) -> None:
        self._max_reasons = max_reasons
        self._installed = registry.installed_models().keys()
        self._scorers: dict[str, Scorer] = {}
        if not any(name in self._installed for name in GENERAL):
            raise ModelError(f"{AUTO}: neither {' nor '.join(GENERAL)} is installed")

    def __call__(self, records: list[Record]) -> list[Record | RecordError]:
        """The records with scores, and an error in place of each that cannot be scored."""
        results = [attempt(_prepared, record) for record in records]
        groups: dict[str, list[int]] = {}
        for number, result in enumerate(results):
            if not isinstance(result, RecordError):
                groups.setdefault(self.model_of(result), []).append(number)
        for name, numbers in groups.items():
            scored = self._scorer(name)([result for n in numbers if isinstance(result := results[n], dict)])
            for number, result in zip(numbers, scored):
                results[number] = result
        return results

    def model_of(self, record: Record) -> str:
        """The name of the model for a record with `segments`."""
        is_plain = not any("path" in segment for segment in record["segments"])
        preferred = _preferred(record.get("lang"), record.get("lang_probability", 1), is_plain)
        return next(name for name in preferred if name in self._installed)

    def _scorer(self, name: str) -> Scorer:
        if name not in self._scorers:
            self._scorers[name] = Scorer([registry.load_named(name)], self._max_reasons)
        return self._scorers[name]


def _prepared(record: Record) -> Record:
    """The record with its language. Raises RecordError for segments in which it cannot be identified."""
    from ..segmentation.page_language import with_language  # start-up: other models need no language

    segments = parts(record, "segments", {"text": (str,)})
    check_optional(segments, "segments", BLOCK_FIELDS)
    return with_language(record)


def _preferred(lang: object, probability: object, is_plain: bool) -> Iterator[str]:
    """The names of models for a record with these values of `lang` and `lang_probability`, the best first."""
    code = primary(lang)
    if isinstance(probability, int | float) and probability < MIN_PROBABILITY:
        code = ""
    of_language = [code, f"{registry.NGRAM_MODEL_PREFIX}{code}"] if code else []
    yield from of_language[: 2 if is_plain else 1]
    yield GENERAL[0]
    yield from of_language[1:]
    yield GENERAL[1]


class OtherLanguages:
    """Counts documents whose field `lang` is another *language* than that of the model *name*."""

    def __init__(self, name: str, language: str) -> None:
        self._name, self._language = name, primary(language)
        self._documents = 0
        self._others: Counter[str] = Counter()

    def count(self, records: Iterable[Record]) -> None:
        """Counts documents. Those without a language, or with an uncertain one, are in no other language."""
        for record in records:
            self._documents += 1
            code, probability = primary(record.get("lang")), record.get("lang_probability", 1)
            if code and code != self._language and isinstance(probability, int | float):
                self._others[code] += probability >= MIN_OTHER_PROBABILITY

    def message(self) -> str:
        """What to tell the user; empty if all documents are in the language of the model, or it is for any language."""
        number = self._others.total()
        if not number or self._language in ("", "xx"):
            return ""
        listed = ", ".join(f"{code} {count}" for code, count in self._others.most_common(MAX_LISTED) if count)
        more = ", …" if len(+self._others) > MAX_LISTED else ""
        documents = f"{number} of {self._documents} documents {'is' if number == 1 else 'are'} in another language"
        return (
            f"{self._name} is for {self._language}; {documents} ({listed}{more}): -m {AUTO} chooses the model of each"
        )
