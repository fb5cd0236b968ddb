"""The filter of documents by published rules: marks, drops, and the share of documents that break each rule.

rules = Filtering(chosen("gopher"))
rules.mark({"text": "Rain."})["filter"]    # [{"rule": "gopher.words", "value": 1}, …]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ..record import Record
from .documents import language_of, text_of
from .measures import Measures
from .rules import Rule, broken

# The field with the rules that a document breaks.
FIELD = "filter"


class Filtering:
    """Marks documents, and counts what it marks."""

    def __init__(self, rules: Sequence[Rule], drop: bool = False) -> None:
        self._rules, self._drop = rules, drop
        self.documents = self.failed = 0
        self.broken: Counter[str] = Counter()  # rule → documents that break it
        self.alone: Counter[str] = Counter()  # rule → documents that break no other

    def mark(self, document: Record) -> Record | None:
        """The document with the rules that it breaks in the field `filter`; None if it breaks one and is to be dropped.
        Marks of an earlier run for other rules stay. Raises RecordError for documents without text."""
        text, language = text_of(document), language_of(document)
        marks = broken(Measures(text, language), self._rules, language)
        self.documents += 1
        self.failed += bool(marks)
        names = [mark["rule"] for mark in marks]
        self.broken.update(names)
        if len(names) == 1:
            self.alone.update(names)
        if marks and self._drop:
            return None
        own = {rule.name for rule in self._rules}
        earlier = document.get(FIELD)
        others = [
            mark
            for mark in (earlier if isinstance(earlier, list) else ())
            if isinstance(mark, dict) and mark.get("rule") not in own
        ]
        return {**document, FIELD: [*others, *marks]}

    def report(self) -> Iterator[str]:
        """A line on the documents, and one for each rule that some break."""
        fate = "dropped" if self._drop else "marked"
        yield f"{self.failed:,} of {self.documents:,} documents {fate} ({self._share(self.failed)})"
        for rule in self._rules:
            if count := self.broken[rule.name]:
                only = f", {self.alone[rule.name]:,} by it alone" if len(self._rules) > 1 else ""
                yield f"{rule.name}: {count:,} ({self._share(count)}){only}"

    def _share(self, count: int) -> str:
        return f"{100 * count / max(self.documents, 1):.1f} %"
