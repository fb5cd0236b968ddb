"""jusText's context-free rules: each segment is bad, short, neargood or good, by links, length and stop words.

    rules = rules_model({"the", "of", "is"}, JusTextParameters(length_low=10))
    rules.evidence([ModelInput([{"text": "Home", "links": 4}])])
    # [{"score": [-4.0], "class": ["bad"], "link_density": [1.0], "stopword_density": [0.0]}]

Pomikálek (2011), Removing Boilerplate and Duplicate Content from Web Corpora, section 3.2. Where the thesis leaves a
detail open, the rules follow the package `justext` 3.0.2. The context-sensitive classification is in
`selection.justext_context`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from ...checked import Checked
from ...features.document import ModelInput
from ...installed import JUSTEXT_VARIANTS
from ...page.dom_path import tag_names
from ...record import Segment
from ...text.lazy_pattern import lazy_pattern
from ..base import Model

CLASSES = ("bad", "short", "neargood", "good")
# log2 odds that a segment of the class is text: the mean of those on the CleanEval, WCXB and DAnIEL development sets.
# A segment is text if half of its words are in the gold text.
CLASS_SCORES = {"bad": -4.0, "short": -1.4, "neargood": 1.8, "good": 3.3}
# Of the stop words of a model: its header must stay below `file_format.MAX_HEADER_BYTES`.
MAX_STOP_WORD_BYTES = 1_000_000

_HEADING = lazy_pattern(r"\bh\d\b")
_HEADLINE = lazy_pattern(r"\bh1\b")
_LIST_ITEM = lazy_pattern(r"\b(?:li|dd|dt)\b")


class _JusTextParameters(NamedTuple):
    length_low: int = 70
    length_high: int = 200
    stopwords_low: float = 0.30
    stopwords_high: float = 0.32
    max_link_density: float = 0.2
    max_heading_distance: int = 200
    no_headings: bool = False
    variant: str = "python"
    # Words are characters, for scripts without spaces.
    spaceless: bool = False


class JusTextParameters(Checked, _JusTextParameters):
    """The thresholds, with jusText's defaults. Lengths are in characters, densities from 0 to 1.

    *max_heading_distance* and, except in the Java edition, *no_headings* are for `selection.justext_context`. The
    variant `improved` is not jusText's: a © makes segments bad up to `COPYRIGHT_LENGTH`; `select` counts where it is an
    element of the path, not part of the name of any element; list items are short, not bad, unless max_link_density
    makes them bad: their neighbours decide; on a page without good segments, neargood ones are good, and without these,
    short ones with stop words are. Raises ValueError for values that are not accepted.
    """

    __slots__ = ()

    def check(self) -> None:
        """Raises ValueError for values that are not accepted."""
        for name in ("length_low", "length_high", "max_heading_distance"):
            value = getattr(self, name)
            if type(value) is not int or value < 0:
                raise ValueError(f"{name}: expected a whole number of characters, at least 0, got {value!r}")
        for name in ("stopwords_low", "stopwords_high", "max_link_density"):
            value = getattr(self, name)
            if type(value) not in (int, float) or not 0 <= value <= 1:
                raise ValueError(f"{name}: expected a number from 0 to 1, got {value!r}")
        if self.variant not in JUSTEXT_VARIANTS:
            raise ValueError(f"variant: expected {', '.join(JUSTEXT_VARIANTS)}, got {self.variant!r}")
        for name in ("no_headings", "spaceless"):
            if type(getattr(self, name)) is not bool:
                raise ValueError(f"{name}: expected a boolean, got {getattr(self, name)!r}")


# The parameters that differ for scripts without spaces, with a list of the 200 most frequent characters: the best for
# the 50 Chinese pages that `models/pages --lang zh` takes from the DAnIEL development set.
SPACELESS_PARAMETERS: dict[str, Any] = {
    "spaceless": True,
    "length_low": 25,
    "length_high": 50,
    "stopwords_low": 0.20,
    "stopwords_high": 0.25,
}
# The language codes of stop lists in these scripts.
SPACELESS_LANGUAGES = frozenset(("zh", "zh-hant", "ja", "th", "lo", "km", "my"))
# The thresholds of the variant `improved`, but for scripts without spaces; and the characters up to which a © makes a
# segment bad.
IMPROVED_PARAMETERS: dict[str, Any] = {"stopwords_low": 0.25, "stopwords_high": 0.27}
COPYRIGHT_LENGTH = 200


class JusTextRules(Model):
    """The rules with a stop list (*words*, in lower case): a model of the kind `rules`. Create it with `rules_model`,
    which checks the list."""

    kind = "rules"
    # The optional fields of segments that the rules read.
    reads = {"path": (str,), "tag": (str,), "links": (int,), "type": (str,)}

    def __init__(self, words: frozenset[str], parameters: JusTextParameters) -> None:
        self.words, self.parameters = words, parameters
        self._count = _character_counter(words) if parameters.spaceless else _word_counter(words)

    @classmethod
    def from_parts(cls, header: dict[str, Any], arrays: Mapping[str, Any]) -> JusTextRules:
        """The model of a file's header. Raises KeyError, TypeError or ValueError where it does not fit."""
        parameters = dict(header)
        return rules_model(parameters.pop("words").split(" "), JusTextParameters(**parameters))

    def header(self) -> dict[str, Any]:
        """The parameters and the stop words, ascending, separated by spaces."""
        return {**self.parameters._asdict(), "words": " ".join(sorted(self.words))}

    def with_parameters(self, words: Iterable[str] | None = None, **parameters: Any) -> JusTextRules:
        """The same rules with another stop list or other parameters. Raises ValueError."""
        p = self.parameters._asdict()
        if parameters.get("variant") == "improved" and not p["spaceless"]:
            p |= IMPROVED_PARAMETERS
        return rules_model(self.words if words is None else words, JusTextParameters(**p | parameters))

    def evidence(self, documents: Sequence[ModelInput]) -> list[dict[str, list[Any]]]:
        """For each document the `class` of each segment, its `score` (bits), `link_density` and `stopword_density`
        (with three digits; the rules use the exact values)."""
        return [self._evidence(document.segments) for document in documents]

    def _evidence(self, segments: Sequence[Segment]) -> dict[str, list[Any]]:
        classes, link_densities, stopword_densities = [], [], []
        for segment in segments:
            text = segment["text"]
            link_density = segment["links"] / len(text) if "links" in segment and text else 0.0
            stop_words, words = self._count(text)
            stopword_density = stop_words / words if words else 0.0
            classes.append(self._class_of(segment, text, link_density, stopword_density))
            link_densities.append(int(link_density * 1000 + 0.5) / 1000 if link_density else 0.0)
            stopword_densities.append(int(stopword_density * 1000 + 0.5) / 1000 if stop_words else 0.0)
        if self.parameters.variant == "improved" and "good" not in classes:
            self._promote(segments, classes, stopword_densities)
        return {
            "score": [CLASS_SCORES[name] for name in classes],
            "class": classes,
            "link_density": link_densities,
            "stopword_density": stopword_densities,
        }

    def _class_of(self, segment: Segment, text: str, link_density: float, stopword_density: float) -> str:
        p, length, elements = self.parameters, len(text), _elements(segment.get("path", ""))
        java, improved = p.variant == "java", p.variant == "improved"
        if link_density > p.max_link_density or java and (segment.get("tag") == "img" or elements.image):
            return "bad"
        has_copyright = "\xa9" in text or "&copy" in text
        if has_copyright and (not improved or length <= COPYRIGHT_LENGTH):
            return "bad"
        if java and not p.no_headings and elements.h1:
            return "good"
        if elements.select if improved else elements.like_select:
            return "bad"
        if length < p.length_low:
            return "bad" if segment.get("links", 0) > 0 and not (improved and elements.item) else "short"
        if stopword_density >= p.stopwords_high:
            name = "good" if length > p.length_high else "neargood"
        elif stopword_density >= p.stopwords_low:
            name = "neargood"
        else:
            return "short" if improved and elements.item else "bad"
        return "short" if has_copyright else name

    def _promote(self, segments: Sequence[Segment], classes: list[str], stopword_densities: list[float]) -> None:
        """Makes the best segments of a page without good ones good."""
        if "neargood" in classes:
            classes[:] = ["good" if name == "neargood" else name for name in classes]
            return
        for at, (name, density) in enumerate(zip(classes, stopword_densities)):
            if name == "short" and density >= self.parameters.stopwords_high and not is_heading(segments[at]):
                classes[at] = "good"


def rules_model(words: Iterable[str], parameters: JusTextParameters | None = None) -> JusTextRules:
    """The rules with a stop list; letter case does not matter. Raises ValueError for an empty list (unless both
    thresholds of stop words are 0) and for a list that is too long for a model file.

    Words are separated by white space. With `spaceless`, they are characters, or strings of characters of which each
    counts. Entries with white space never match and are left out.
    """
    p = parameters or JusTextParameters()
    stop_words = frozenset(word for word in map(str.lower, words) if word.split() == [word])
    if not stop_words and (p.stopwords_low > 0 or p.stopwords_high > 0):
        raise ValueError(
            "the stop list is empty: give one with words (nc-score --stoplist), "
            "or set stopwords_low and stopwords_high to 0 to use none"
        )
    if sum(len(word.encode()) + 1 for word in stop_words) > MAX_STOP_WORD_BYTES:
        raise ValueError(f"a stop list of {len(stop_words):,} words: the limit is {MAX_STOP_WORD_BYTES:,} bytes")
    return JusTextRules(stop_words, p)


def rules_for_language(words: Iterable[str], language: str) -> JusTextRules:
    """The rules with the stop list of a language (a code), and the parameters for its script. Raises ValueError."""
    return rules_model(words, JusTextParameters(**(SPACELESS_PARAMETERS if language in SPACELESS_LANGUAGES else {})))


def is_heading(segment: Segment) -> bool:
    """Whether a segment is in a heading; in plain text, which has no paths, whether its type is heading."""
    path = segment.get("path")
    return segment.get("type") == "h" if path is None else _elements(path).heading


class _Elements(NamedTuple):
    """What the rules ask of the elements of a path: whether a heading, an h1, a list item or a select is among them,
    whether some name contains select, and whether the last is an image."""

    heading: bool
    h1: bool
    item: bool
    select: bool
    like_select: bool
    image: bool


@lru_cache(maxsize=1 << 14)
def _elements(path: str) -> _Elements:
    tags = tag_names(path)
    names = tags.split("/")
    heading, item = (bool(pattern.search(tags)) for pattern in (_HEADING, _LIST_ITEM))
    h1 = heading and bool(_HEADLINE.search(tags))
    return _Elements(heading, h1, item, "select" in names, "select" in tags, names[-1] == "img")


def _word_counter(stop_words: frozenset[str]) -> Callable[[str], tuple[int, int]]:
    """A function that counts the stop words and the words of a text, which white space separates."""
    is_stop_word = stop_words.__contains__

    def count(text: str) -> tuple[int, int]:
        words = text.lower().split()
        return sum(map(is_stop_word, words)), len(words)

    return count


def _character_counter(stop_words: frozenset[str]) -> Callable[[str], tuple[int, int]]:
    """A function that counts the characters of a text in stop words (the longest match, from left to right), and its
    letters, marks and digits."""
    import regex  # start-up: only scripts without spaces need it, for marks

    stop_strings = regex.compile(r"(?:\L<words>(?!\p{M}))+", words=sorted(stop_words)) if stop_words else None
    letters = regex.compile(r"[\p{L}\p{M}\p{N}]+")

    def count(text: str) -> tuple[int, int]:
        text = text.lower()
        in_stop_words = len("".join(stop_strings.findall(text))) if stop_strings else 0
        return in_stop_words, len("".join(letters.findall(text)))

    return count
