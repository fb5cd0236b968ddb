"""The quality of a page: the word precision of its text, predicted by a linear model (StupidOS, section 4.4).

    registry.load_quality("quality").predict(kept, segments)    # 0.87: 87 of 100 kept words are content

StupidOS predicts the precision of a cleaned page from the number of its segments, their mean length and the share of
text in very short ones (footnote 11). The other features describe how clearly the content of the page stands apart. No
feature depends on the unit of the scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from math import isfinite, log
from typing import TYPE_CHECKING, Any

from ..record import Segment

if TYPE_CHECKING:
    from numpy.typing import NDArray

# The name of the model that is used where none is named.
DEFAULT_QUALITY_MODEL = "quality"
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


def features(kept: Sequence[Segment], segments: Sequence[Segment]) -> list[float]:
    """The values of FEATURES (shape: FEATURES) for the segments *kept*, in order, of all scored *segments* of a page.

    Raises ValueError where the segments kept have no character.
    """
    texts = [segment["text"] for segment in kept]
    lengths = list(map(len, texts))
    number, size = len(kept), sum(lengths)
    if not size:
        raise ValueError("no text was kept")
    paths = {segment.get("path", "") for segment in kept}
    first, last = _span(kept, segments)
    between = [segment["score"] for segment in segments[first:last] if "rule" not in segment]
    around = [segment["score"] for segment in (*segments[:first], *segments[last:]) if "rule" not in segment]
    evidence = sum(map(abs, between)) + sum(map(abs, around))
    positive = sum([segment["score"] for segment in kept if segment["score"] > 0])
    return [
        log(number),
        log(size / number),
        sum([length for length in lengths if length < SHORT_SEGMENT]) / size,
        sum([length for length in lengths if length >= LONG_SEGMENT]) / size,
        log(sum([length * length for length in lengths]) / size),
        log(BRIEF_TEXT / min(size, BRIEF_TEXT)),
        1 - sum(map(len, set(texts))) / size,
        UNKNOWN if paths == {""} else log(len({path.rpartition("/")[0] for path in paths})),
        sum(["hidden" in segment for segment in kept]) / number,
        1 - len(between) / (last - first),
        number / len(segments),
        min(positive / evidence, 1.0) ** 2 if evidence else UNKNOWN,
    ]


def _span(kept: Sequence[Segment], segments: Sequence[Segment]) -> tuple[int, int]:
    """The position of the first segment kept, and the position after the last."""
    first, last = 0, len(segments)
    while segments[first] is not kept[0]:
        first += 1
    while segments[last - 1] is not kept[-1]:
        last -= 1
    return first, last


class QualityModel:
    """A linear model of FEATURES.

    *weights* and *means* (the values for UNKNOWN) are by name. *sd* is the residual standard error on the *pages* that
    it was fitted to (`quality_regression.fit`).
    """

    kind = "quality"

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
        if not all(map(isfinite, [intercept, sd, *chain(*self._terms)])):
            raise ValueError("a weight is not a finite number")

    def predict(self, kept: Sequence[Segment], segments: Sequence[Segment]) -> float:
        """The predicted word precision of a page (0 to 1); 0 where no text is kept. The arguments are those of
        `features`."""
        if not any(segment["text"] for segment in kept):
            return 0.0
        return self.predict_row(features(kept, segments))

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

    def arrays(self) -> dict[str, NDArray[Any]]:
        """None."""
        return {}

    @classmethod
    def from_parts(cls, header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> QualityModel:
        """The model of a file's header. Raises KeyError, TypeError or ValueError where it does not fit."""
        return cls(header["weights"], header["means"], header["intercept"], header["sd"], header["pages"])
