"""The quality of a page: the word precision of its text, predicted by a linear model (StupidOS, section 4.4).

    registry.load_quality("quality").predict(decided_page(segments, kept))    # 0.87: 87 of 100 kept words are content

StupidOS predicts the precision of a cleaned page from the number of its segments, their mean length and the share of
text in very short ones (footnote 11). The other features describe how clearly the content of the page stands apart. No
feature depends on the unit of the scores.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, compress
from math import log
from typing import Any, NamedTuple

from ..page.element_table import ElementTable
from ..record import Segment
from .base import Model
from .file_format import are_bounded

# The features of a page. "Text" is the text of the segments kept; a share of it is a share of its characters. They were
# selected on the WCXB development pages from some eighty candidates: scores per character, shares of links, list
# items, headings and sentences, and others, add nothing to these. They explain 35 % of the variance of precision on
# sites left out; 33 % where the selection is repeated in each of five folds; StupidOS's three alone explain 7 %.
FEATURES = {
    "segments": "log of the number of segments kept (StupidOS)",
    "mean_length": "log of their mean length in characters (StupidOS)",
    "short": "share of text in segments of less than SHORT_SEGMENT characters (StupidOS)",
    "long": "share of text in segments of LONG_SEGMENT characters or more",
    "typical_length": "log of the mean length of segments, weighted by length",
    "brief": "log of BRIEF_TEXT characters over those of the text; 0 for longer texts",
    "repeated": "share of text that repeats a segment kept before",
    "places": "log of the number of different paths around the elements of segments kept; unknown without paths, as in "
    "plain text",
    "hidden": "share of the segments kept that browsers do not show",
    "gaps": "share of segments with a rule between the first and the last segment kept",
    "kept": "share of the page's segments that is kept",
    "agreement": "squared: the share of the positive scores of segments kept in the absolute scores of all segments "
    "without a rule",
}
# In characters: for each the best of a few values in cross-validation on the WCXB development pages.
SHORT_SEGMENT, LONG_SEGMENT, BRIEF_TEXT = 40, 300, 1000
# The value of a feature that a page does not have. The model uses the feature's mean over the training pages.
UNKNOWN = float("nan")


class DecidedPage(NamedTuple):
    """What is read of all scored segments of a page: columns of equal length, and which of them are *kept*. An
    *element* is 0 where there is none, a *rule* None. *parent*: of each element. Of those kept, *num_hidden* are not
    shown by browsers."""

    kept: Sequence[bool]
    text: Sequence[str]
    score: Sequence[float]
    element: Sequence[int]
    rule: Sequence[str | None]
    parent: Sequence[int]
    num_hidden: int


def features(page: DecidedPage) -> list[float]:
    """The values of FEATURES (shape: FEATURES) for the segments kept of a page.

    Raises ValueError where these have no character.
    """
    text, score, rule = list(page.text), list(page.score), list(page.rule)
    rows = [row for row, keep in enumerate(page.kept) if keep]
    texts = [text[row] for row in rows]
    lengths = [len(own) for own in texts]
    number, size = len(rows), sum(lengths)
    if not size:
        raise ValueError("no text was kept")
    elements = {page.element[row] for row in rows}
    first, last = rows[0], rows[-1] + 1
    between = [score[row] for row in range(first, last) if rule[row] is None]
    around = [score[row] for row in range(first) if rule[row] is None]
    around += [score[row] for row in range(last, len(rule)) if rule[row] is None]
    evidence = sum(map(abs, between)) + sum(map(abs, around))
    positive = sum([score[row] for row in rows if score[row] > 0])
    return [
        log(number),
        log(size / number),
        sum([length for length in lengths if length < SHORT_SEGMENT]) / size,
        sum([length for length in lengths if length >= LONG_SEGMENT]) / size,
        log(sum([length * length for length in lengths]) / size),
        log(BRIEF_TEXT / min(size, BRIEF_TEXT)),
        1 - sum(map(len, set(texts))) / size,
        UNKNOWN if elements == {0} else log(len({page.parent[element] for element in elements})),
        page.num_hidden / number,
        1 - len(between) / (last - first),
        number / len(page.kept),
        min(positive / evidence, 1.0) ** 2 if evidence else UNKNOWN,
    ]


def decided_page(segments: Sequence[Segment], kept: Sequence[bool]) -> DecidedPage:
    """The columns of segments."""
    elements = ElementTable()
    return DecidedPage(
        kept,
        [segment["text"] for segment in segments],
        [segment["score"] for segment in segments],
        [elements.add(segment.get("path", "")) for segment in segments],
        [segment.get("rule") for segment in segments],
        elements.parent,
        sum([keep and "hidden" in segment for segment, keep in zip(segments, kept)]),
    )


class QualityModel(Model):
    """A linear model of FEATURES.

    *weights* and *means* (the values for UNKNOWN) are by name. *sd* is the residual standard error on the *pages* that
    it was fitted to (`quality_trainer.fit`).
    """

    kind = "quality"
    mapped = True

    def __init__(
        self, weights: dict[str, float], means: dict[str, float], intercept: float, sd: float, pages: int
    ) -> None:
        for what, named in (("weights", weights), ("means", means)):
            if named.keys() != FEATURES.keys():
                different = ", ".join(sorted(named.keys() ^ FEATURES.keys()))
                raise ValueError(f"{what} of other features: {different}")
        self.weights, self.means = weights, means
        self.intercept, self.sd, self.pages = intercept, sd, pages
        self._terms = [(weights[name], means[name]) for name in FEATURES]
        if not are_bounded([intercept, sd, *chain(*self._terms)]):
            raise ValueError("a weight is not a finite number, or too large")

    def predict(self, page: DecidedPage) -> float:
        """The predicted word precision of a page (0 to 1); 0 where no text is kept."""
        if not any(compress(page.text, page.kept)):
            return 0.0
        return self.predict_row(features(page))

    def predict_row(self, row: Sequence[float]) -> float:
        """The same for the features of a page."""
        value = self.intercept
        for (weight, mean), given in zip(self._terms, row):
            value += weight * (given if given == given else mean)  # UNKNOWN is not equal to itself
        return min(max(value, 0.0), 1.0)

    def header(self) -> dict[str, Any]:
        """The parameters: the whole model."""
        return {
            "weights": self.weights,
            "means": self.means,
            "intercept": self.intercept,
            "sd": self.sd,
            "pages": self.pages,
        }

    @classmethod
    def from_parts(cls, header: dict[str, Any], arrays: Mapping[str, Any]) -> QualityModel:
        """The model of a file's header. Raises KeyError, TypeError or ValueError where it does not fit."""
        return cls(header["weights"], header["means"], header["intercept"], header["sd"], header["pages"])
