"""The trainer of stop lists: the most frequent words of clean text.

trainer = StoplistTrainer(StoplistOptions(size=300, name="Norwegian"))
trainer.add({"text": "Det er en bok på bordet."})
trainer.write(Path("norwegian.txt"), {"language": "no", "credits": [], "seen": trainer.counts()})
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..dataset.gold import clean_text
from ..errors import RecordError
from ..record import Record
from ..scoring.justext import stoplist


@dataclass(frozen=True)
class StoplistOptions:
    """How many words a list has: at most *size*, and as few as cover the share *coverage* (0 to 1) of all running
    words. *name* is the English name of the language. Raises ValueError for values out of range."""

    size: int | None = 500
    coverage: float | None = None
    name: str = ""

    def __post_init__(self) -> None:
        stoplist.most_frequent_words({"a": 1}, self.size, self.coverage)


class StoplistTrainer:
    """Counts the words of clean texts. A record may be a row of a frequency table, with a word as `text` and its
    `count`."""

    def __init__(self, options: StoplistOptions) -> None:
        self._options = options
        self._counts = Counter({"texts": 0, "characters": 0})
        self._texts: list[str] = []
        self._times: list[int] = []

    def add(self, record: Record) -> None:
        """Adds the clean text of a record, weighted by its `count`. Raises RecordError."""
        times = record.get("count", 1)
        if not isinstance(times, int) or isinstance(times, bool) or times < 1:
            raise RecordError("count: expected a whole number, at least 1: the occurrences of the text")
        text = clean_text(record)
        self._texts.append(text)
        self._times.append(times)
        self._counts.update(texts=1, characters=len(text))

    def counts(self) -> dict[str, int]:
        """The numbers of texts and of their characters."""
        return dict(self._counts)

    def write(self, path: Path, about: dict[str, Any]) -> dict[str, Any]:
        """Writes the list; its header. Raises ValueError if there is no word, and OSError."""
        if not any(map(str.strip, self._texts)):
            raise ValueError("no training data: no text")
        counts = stoplist.count_words(self._texts, self._times)
        words = stoplist.most_frequent_words(counts, self._options.size, self._options.coverage)
        header = {
            **about,
            "name": self._options.name,
            "credits": "\n".join(about["credits"]),
            "seen": ", ".join(f"{number} {what}" for what, number in about["seen"].items()),
            "words counted": counts.total(),
            "words": len(words),
            "coverage": round(stoplist.coverage_of(counts, words), 4),
        }
        stoplist.write_stoplist(path, words, {"kind": "stoplist", **header})
        return header
