"""Grid search: the n and q of n-gram models with the lowest cross-entropy, or the highest F.

for result in search_grid(pages, GridOptions("entropy")):
    print(result.folding, result.best)        # ascii (3, 0.5)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..dataset.labelled_pages import LabelledPage
from ..evaluation.report.tables import Table
from ..scoring.char_ngram.alphabet import Alphabet
from .base import ProgressReport, no_progress
from .cross_validation import FoldOptions
from .ngram_grid import NgramGrid, Point
from .ngram_trainer import frequent_characters
from .operating_point import AlignedWords

# The grid of NCleaner, figure 2, with more values of q.
NS, QS = tuple(range(1, 9)), tuple(tenth / 10 for tenth in range(1, 10))


@dataclass(frozen=True)
class GridOptions:
    """The grid of a search: *measure* is "entropy" or "f", *characters* the size of the alphabet `frequent`."""

    measure: str
    ns: Sequence[int] = NS
    qs: Sequence[float] = QS
    foldings: Sequence[str] = ("ascii", "nonlexical")
    characters: int = 200
    folds: FoldOptions = FoldOptions()


@dataclass(frozen=True)
class GridResult:
    """The cross-entropy (bits per character) or F (per cent) of a folding for each n and q."""

    measure: str
    folding: str
    values: dict[Point, float]

    @property
    def best(self) -> Point:
        """The n and q with the lowest cross-entropy or the highest F; of equal values the smallest n and q."""
        if self.measure == "entropy":
            return min(self.values, key=lambda point: (self.values[point], point))
        return max(self.values, key=lambda point: (self.values[point], -point[0], -point[1]))

    def as_json(self) -> dict[str, Any]:
        """The values as an object."""
        best_n, best_q = self.best
        values = [
            {"folding": self.folding, "n": n, "q": q, "measure": self.measure, "value": value}
            for (n, q), value in self.values.items()
        ]
        return {"folding": self.folding, "best": {"n": best_n, "q": best_q}, "values": values}

    def table(self) -> Table:
        """A row for each n, a column for each q."""
        if self.measure == "entropy":
            title, unit = f"{self.folding}: cross-entropy of held-out text, bits per character", ".3f"
        else:
            title, unit = f"{self.folding}: F of words, pooled over held-out pages, per cent", ".2f"
        ns, qs = (sorted(set(axis)) for axis in zip(*self.values))
        n, q = self.best
        return Table(
            f"{title}; best n = {n}, q = {q:g}: {self.values[self.best]:{unit}}",
            ["folding", "n", *(f"q={q:g}" for q in qs)],
            [[self.folding, str(n), *(format(self.values[n, q], unit) for q in qs)] for n in ns],
        )


def search_grid(
    pages: Sequence[LabelledPage], options: GridOptions, progress: ProgressReport = no_progress
) -> Iterator[GridResult]:
    """The values of each folding in turn, cross-validated. Raises ValueError as `NgramGrid` does."""
    for folding in dict.fromkeys(options.foldings):
        yield GridResult(options.measure, folding, _values(pages, folding, options, progress))


def alphabet_of(folding: str, pages: Sequence[LabelledPage], characters: int) -> Alphabet:
    """The alphabet of a folding, for all pages: the choice of frequent characters is not cross-validated."""
    texts = (text for page in pages for text in page.texts)
    return Alphabet(folding, frequent_characters(texts, characters) if folding == "frequent" else "")


def _values(
    pages: Sequence[LabelledPage], folding: str, options: GridOptions, progress: ProgressReport
) -> dict[Point, float]:
    """The values of one folding. A separate function, because its end frees the n-grams, which are large."""
    done = progress(options.folds.number, "folds")
    grid = NgramGrid(pages, alphabet_of(folding, pages, options.characters), options.ns, options.folds, done)
    if options.measure == "entropy":
        return grid.entropies(options.qs)
    words = AlignedWords(grid.pages)
    return {point: 100 * words.measure(scores).f for point, scores in grid.scores(options.qs).items()}
