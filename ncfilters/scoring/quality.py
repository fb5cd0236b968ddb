"""How clean a page's text will be: its word precision, predicted by a linear model (StupidOS, section 4.4).

    load("quality").of(kept, segments)    # 0.87: of 100 words that were kept, about 87 are text

StupidOS predicts the precision of a cleaned page from the number of its segments, their mean length and the share of
text in very short ones (footnote 11). The other features say how well the page came apart. None is in the units of a
model's scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from math import isfinite, log
from typing import TYPE_CHECKING, Any
from zlib import crc32

from .. import record
from ..errors import ModelError
from ..record import Record
from ..selection.policies import DecisionPolicy, page_of
from . import registry

if TYPE_CHECKING:
    from numpy.typing import NDArray

Segment = Record

# What the model knows of a page. The text is what was kept; a share of it is one of its characters. Chosen on the WCXB
# development pages out of some eighty: scores per character, shares of links, list items, headings and sentences, and
# others, add nothing to these. They explain 35 % of the variance of precision on sites not fitted to; when they are
# chosen anew on the other sites for each of five folds, 33 %; the three of StupidOS alone, 7 %.
FEATURES = {
    "segments": "log of the number of segments kept (StupidOS)",
    "mean_length": "log of their mean length in characters (StupidOS)",
    "short": "share of text in segments of less than SHORT characters (StupidOS)",
    "long": "share of text in segments of LONG characters or more",
    "typical_length": "log of the mean length of segments, each weighed by its length",
    "brief": "log of BRIEF characters over those of the text; 0 for longer texts",
    "repeated": "share of text that repeats a segment kept before",
    "places": "log of the number of different paths around the elements of segments kept; unknown without paths, as in "
    "plain text",
    "hidden": "share of the segments kept that browsers do not show",
    "gaps": "share of segments with a rule among those from the first that was kept to the last",
    "kept": "share of the page's segments that was kept",
    "agreement": "squared: share that the positive scores of what was kept have of all scores of segments without a "
    "rule, signs aside",
}
# Characters: the best of a few values each, cross-validated on the WCXB development pages.
SHORT, LONG, BRIEF = 40, 300, 1000
# A feature that a page says nothing about. The model takes its mean over the pages it was fitted to.
UNKNOWN = float("nan")
# Ridge, in pages: lengths say nearly the same in several ways, and no weight should grow to cancel another.
RIDGE = 1.0
DEFAULT = "quality"  # the model's name
# With fewer pages for each feature a fit is one to their noise.
PAGES_A_FEATURE = 5
FOLDS = 10
DECIMALS = 6  # of weights: more differ from one machine to another


def features(kept: Sequence[Segment], segments: Sequence[Segment]) -> list[float]:
    """The values of FEATURES for the segments that were *kept*, in order, out of all scored *segments* of the page.

    Raises ValueError where no character was kept.
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
        sum([length for length in lengths if length < SHORT]) / size,
        sum([length for length in lengths if length >= LONG]) / size,
        log(sum([length * length for length in lengths]) / size),
        log(BRIEF / min(size, BRIEF)),
        1 - sum(map(len, set(texts))) / size,
        UNKNOWN if paths == {""} else log(len({path.rpartition("/")[0] for path in paths})),
        sum(["hidden" in segment for segment in kept]) / number,
        1 - len(between) / (last - first),
        number / len(segments),
        min(positive / evidence, 1.0) ** 2 if evidence else UNKNOWN,
    ]


def _span(kept: Sequence[Segment], segments: Sequence[Segment]) -> tuple[int, int]:
    """Where the first segment that was kept stands, and behind the last."""
    first, last = 0, len(segments)
    while segments[first] is not kept[0]:
        first += 1
    while segments[last - 1] is not kept[-1]:
        last -= 1
    return first, last


class QualityModel:
    """A linear model of FEATURES: *weights* and *means* (what an UNKNOWN value counts as) by name, and the
    *intercept*. *sd* is the standard deviation of its residuals on the *pages* it was fitted to."""

    kind = "quality"

    def __init__(
        self, weights: dict[str, float], means: dict[str, float], intercept: float, sd: float, pages: int
    ) -> None:
        for what, named in (("weights", weights), ("means", means)):
            if named.keys() != FEATURES.keys():
                odd = ", ".join(sorted(named.keys() ^ FEATURES.keys()))
                raise ValueError(f"{what} of other features: {odd}")
        self.weights, self.means = weights, means
        self.intercept, self.sd, self.pages = intercept, sd, pages
        self._terms = [(weights[name], means[name]) for name in FEATURES]
        if not all(map(isfinite, [intercept, sd, *chain(*self._terms)])):
            raise ValueError("a weight that is no number")

    def of(self, kept: Sequence[Segment], segments: Sequence[Segment]) -> float:
        """The predicted word precision of a page, from 0 to 1; 0 where no text was kept."""
        if not any(segment["text"] for segment in kept):
            return 0.0
        return self.predicted(features(kept, segments))

    def predicted(self, row: Sequence[float]) -> float:
        """The same of the page's features."""
        value = self.intercept
        for (weight, mean), given in zip(self._terms, row):
            value += weight * (given if given == given else mean)  # UNKNOWN is not equal to itself
        return min(max(value, 0.0), 1.0)

    def header(self) -> dict[str, Any]:
        """The parameters, as JSON: all that the model is."""
        return {
            "weights": self.weights,
            "means": self.means,
            "intercept": self.intercept,
            "sd": self.sd,
            "pages": self.pages,
        }

    def arrays(self) -> dict[str, NDArray[Any]]:
        """There are none."""
        return {}

    @classmethod
    def restored(cls, header: dict[str, Any]) -> QualityModel:
        """The model of a file's header. Raises KeyError, TypeError or ValueError where it does not fit."""
        return cls(header["weights"], header["means"], header["intercept"], header["sd"], header["pages"])


def fit(rows: Sequence[Sequence[float]], precisions: Sequence[float]) -> QualityModel:
    """The model of pages, given the features and the word precision (0 to 1) of each: least squares, with RIDGE.

    Raises ValueError for too few pages.
    """
    least = PAGES_A_FEATURE * len(FEATURES)
    if len(rows) < least:
        raise ValueError(f"too few pages to predict quality from: {len(rows)}, of {least} or more")
    return _fitted(rows, precisions)


def _fitted(rows: Sequence[Sequence[float]], precisions: Sequence[float]) -> QualityModel:
    import numpy as np

    given = np.array(rows, np.float64)
    target = np.array(precisions, np.float64)
    known = np.isfinite(given)
    means = np.where(known, given, 0).sum(0) / np.maximum(known.sum(0), 1)
    centred = np.where(known, given - means, 0)
    scale = centred.std(0)
    scale[scale == 0] = 1
    # the ridge is as many pages more, whose precision is the mean whatever a feature's value
    more = np.eye(len(FEATURES)) * RIDGE**0.5
    design = np.concatenate([centred / scale, more])
    solved = np.linalg.lstsq(design, np.concatenate([target - target.mean(), np.zeros(len(more))]), rcond=None)[0]
    weights = solved / scale
    sd = _residual(target, design[: len(rows)] @ solved + target.mean(), len(FEATURES) + 1)
    return QualityModel(_named(weights), _named(means), _rounded(target.mean() - weights @ means), sd, len(rows))


def _residual(target: NDArray[Any], fitted: NDArray[Any], parameters: int) -> float:
    """The residual standard error of predictions, which are clipped as the model clips them."""
    left = target - fitted.clip(0, 1)
    return _rounded((left @ left / (len(target) - parameters)) ** 0.5)


def _named(values: NDArray[Any]) -> dict[str, float]:
    return {name: _rounded(value) for name, value in zip(FEATURES, values)}


def _rounded(value: Any) -> float:
    return round(float(value), DECIMALS) + 0.0  # no -0.0


def held_out(rows: Sequence[Sequence[float]], precisions: Sequence[float], sites: Sequence[str]) -> list[float]:
    """The quality predicted for each page by a model fitted to the pages of other sites, in FOLDS folds of sites.

    *sites* has the domain of each page: pages of a site share their template. Raises ValueError where all are of
    one site.
    """
    folds = [crc32(site.encode("utf-8", "replace")) % FOLDS for site in sites]
    out = [0.0] * len(rows)
    for fold in set(folds):
        others = [at for at, other in enumerate(folds) if other != fold]
        if not others:
            raise ValueError("all pages are of one site: quality is held against other sites")
        fitted = _fitted([rows[at] for at in others], [precisions[at] for at in others])
        for at, own in enumerate(folds):
            if own == fold:
                out[at] = fitted.predicted(rows[at])
    return out


def agreement(predicted: Sequence[float], actual: Sequence[float]) -> dict[str, float]:
    """How predictions hold: share of variance explained (R²), standard error, correlation. 0 where nothing varies."""
    import numpy as np

    given, true = np.array(predicted), np.array(actual)
    error = float(np.square(true - given).mean())
    variance, spread = float(true.var()), float(true.std() * given.std())
    covariance = float(((true - true.mean()) * (given - given.mean())).mean())
    return {
        "R²": round(1 - error / variance, 3) if variance else 0.0,
        "standard error": round(error**0.5, 3),
        "correlation": round(covariance / spread, 3) if spread else 0.0,
    }


def learn(page: Record, decide: DecisionPolicy) -> tuple[list[float], float] | None:
    """The features and the word precision of a page with scored `segments` and `gold`; None where nothing is kept, or
    the gold text has no word.

    The precision is the share of the words that *decide* keeps that is in their longest common subsequence with the
    gold text (`labelling.shares`; NCleaner, section 4, has difflib's alignment). Raises RecordError.
    """
    from ..dataset import labelling
    from ..dataset.gold import gold_of

    gold = gold_of(page).plain
    segments = record.parts(page, "segments", {name: record.SEGMENT_FIELDS[name] for name in ("text", "score")})
    record.check_optional(segments, "segments", {"path": record.SEGMENT_FIELDS["path"]})
    kept = [segment for segment, keep in zip(segments, decide(segments, page_of(page))) if keep]
    texts = [segment["text"] for segment in kept]
    words = [len(labelling.words(text)) for text in texts]
    if not any(words) or not labelling.words(gold):
        return None
    matched = sum(number * (share or 0) for number, share in zip(words, labelling.shares(texts, gold)))
    return features(kept, segments), matched / sum(words)


def load(name: str) -> QualityModel:
    """The quality model of that name, or in that file. Raises model.ModelError."""
    _, found = registry.stored(registry.find(name))
    if not isinstance(found, QualityModel):
        raise ModelError(f"{name}: a model of kind '{found.kind}' scores segments; one of kind 'quality' is wanted")
    return found


def wanted(name: str | None, needed: bool) -> QualityModel | None:
    """The quality model of that name; without one the default, or None where that is not there and not *needed*.

    Raises model.ModelError.
    """
    if name is None and not needed and DEFAULT not in registry.names():
        return None
    return load(name or DEFAULT)
