"""Documents in another language than that of the model that scores them.

others = OtherLanguages("en", "en")
others.count([{"lang": "pl", "lang_probability": 0.99}, {"lang": "en"}])
others.message()    # 'en is for en; 1 of 2 documents is in another language (pl 1): …'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ..record import Record
from ..text.language_tags import primary
from .auto import AUTO

# A document with a lower probability may be in the language of the model.
MIN_PROBABILITY = 0.9
MAX_LISTED = 5


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
                self._others[code] += probability >= MIN_PROBABILITY

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
