"""jusText's context-free rules: each segment is bad, short, neargood or good, by links, length and stop words.

    rules = rules_model({"the", "of", "is"}, Parameters(length_low=10))
    rules.evidence([Document([{"text": "Home", "links": 4}])])
    # [{"score": [-4.0], "class": ["bad"], "link_density": [1.0], "stopword_density": [0.0]}]

Pomikálek (2011), Removing boilerplate and duplicate content from Web corpora, section 3.2. What the thesis leaves open
is done as the package `justext` 3.0.2 does it; deciding by the neighbours is in `neighbours`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ...features.document import Document
from ...page.dom_path import tag_names

if TYPE_CHECKING:
    from numpy.typing import NDArray

Segment = dict[str, Any]

CLASSES = ("bad", "short", "neargood", "good")
VARIANTS = ("python", "java")
# log2 odds that a segment of the class is text: the mean of those on the CleanEval, WCXB and DAnIEL development sets
# (text: half of the words stand in the gold text).
SCORES = {"bad": -4.0, "short": -1.4, "neargood": 1.8, "good": 3.3}
# Bytes of stop words a model may have: its header must stay below a mebibyte.
MAX_WORDS = 1_000_000

_HEADING = re.compile(r"\bh\d\b")
_HEADLINE = re.compile(r"\bh1\b")
_ITEM = re.compile(r"\b(?:li|dd|dt)\b")


@dataclass(frozen=True)
class Parameters:
    """The thresholds, with jusText's defaults. Lengths are in characters, densities from 0 to 1.

    *max_heading_distance* and, but for the Java edition, *no_headings* are for deciding. The others after *variant* are
    ours: see `PROFILES`.
    """

    length_low: int = 70
    length_high: int = 200
    stopwords_low: float = 0.30
    stopwords_high: float = 0.32
    max_link_density: float = 0.2
    max_heading_distance: int = 200
    no_headings: bool = False
    variant: str = "python"
    # Words are characters: for scripts without spaces.
    spaceless: bool = False
    # A © condemns segments up to this length; None: of any.
    copyright_length: int | None = None
    # `select` condemns where it is an element of the path; else where it is a part of any element's name.
    select_exact: bool = False
    # Items of lists that links or few stop words condemn are left to their neighbours, unless max_link_density does.
    list_items: bool = False
    # Where no segment of a page is good, neargood ones are; where there is none either, short ones with stop words.
    short_pages: bool = False

    def __post_init__(self) -> None:
        """Raises ValueError, naming the parameter and what is accepted."""
        for name in ("length_low", "length_high", "max_heading_distance", "copyright_length"):
            value = getattr(self, name)
            if value is None and name == "copyright_length":
                continue
            if type(value) is not int or value < 0:
                raise ValueError(f"{name}: {value!r}: a whole number from 0 on is wanted (characters)")
        for name in ("stopwords_low", "stopwords_high", "max_link_density"):
            value = getattr(self, name)
            if type(value) not in (int, float) or not 0 <= value <= 1:
                raise ValueError(f"{name}: {value!r}: a number from 0 to 1 is wanted")
        if self.variant not in VARIANTS:
            raise ValueError(f"variant: {self.variant!r}: {' or '.join(VARIANTS)} is wanted")
        for name in ("no_headings", "spaceless", "select_exact", "list_items", "short_pages"):
            if type(getattr(self, name)) is not bool:
                raise ValueError(f"{name}: {getattr(self, name)!r}: true or false is wanted")


# What has other values for scripts without spaces, with a list of the 200 most frequent characters: the best for the 50
# Chinese pages that `models/pages --lang zh` takes from the DAnIEL development set.
SPACELESS: dict[str, Any] = {
    "spaceless": True,
    "length_low": 25,
    "length_high": 50,
    "stopwords_low": 0.20,
    "stopwords_high": 0.25,
}
# Their languages, by code.
SPACELESS_LANGUAGES = frozenset(("zh", "zh-hant", "ja", "th", "lo", "km", "my"))
# What the improved rules have in place of the faithful ones, by name of the profile.
PROFILES: dict[str, dict[str, Any]] = {
    "justext": {
        "stopwords_low": 0.30,
        "stopwords_high": 0.32,
        "copyright_length": None,
        "select_exact": False,
        "list_items": False,
        "short_pages": False,
    },
    "improved": {
        "stopwords_low": 0.25,
        "stopwords_high": 0.27,
        "copyright_length": 200,
        "select_exact": True,
        "list_items": True,
        "short_pages": True,
    },
}
# The parameters that have an option in nc-score.
NAMES = tuple(field.name for field in fields(Parameters) if field.name != "max_heading_distance")


class JusTextRules:
    """The rules with a stop list: a model of the kind `rules`. Make it with `rules_model`."""

    kind = "rules"
    # The fields of segments that are read where they are there.
    reads: Mapping[str, tuple[type, ...]] = {"path": (str,), "tag": (str,), "links": (int,), "type": (str,)}

    def __init__(self, words: frozenset[str], parameters: Parameters) -> None:
        self.words, self.parameters = words, parameters
        self._classified = _classifier(parameters)
        self._counted = _characters(words) if parameters.spaceless else _words(words)

    def header(self) -> dict[str, Any]:
        """The parameters and the stop words, ascending, with a space between them."""
        return {**asdict(self.parameters), "words": " ".join(sorted(self.words))}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """None."""
        return {}

    @classmethod
    def from_parts(cls, header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> JusTextRules:
        """The model of a file's header. Raises KeyError, TypeError or ValueError where it does not fit."""
        parameters = dict(header)
        return rules_model(parameters.pop("words").split(" "), Parameters(**parameters))

    def changed(
        self, words: Iterable[str] | None = None, profile: str | None = None, **parameters: Any
    ) -> JusTextRules:
        """The same with another stop list, another of `PROFILES` or other parameters. Raises ValueError.

        Profiles leave the thresholds of stop words as they are where words are characters.
        """
        p = self.parameters
        if parameters.get("spaceless") and not p.spaceless:
            p = replace(p, **SPACELESS)
        if profile:
            of_profile = PROFILES[profile].items()
            p = replace(p, **{name: value for name, value in of_profile if not (p.spaceless and "stopwords" in name)})
        return rules_model(self.words if words is None else words, replace(p, **parameters))

    def evidence(self, documents: Sequence[Document]) -> list[dict[str, list[Any]]]:
        """For each document, of each segment the `class`, its `score` (bits), `link_density` and `stopword_density`
        (rounded to three digits; the rules see them exact)."""
        return [self._of(document.segments) for document in documents]

    def _of(self, segments: Sequence[Segment]) -> dict[str, list[Any]]:
        classes, links, stopwords = [], [], []
        counted, classified = self._counted, self._classified
        for segment in segments:
            text = segment["text"]
            length = len(text)
            link_density = segment["links"] / length if "links" in segment and length else 0.0
            stops, words = counted(text)
            density = stops / words if words else 0.0
            classes.append(classified(segment, text, length, link_density, density))
            links.append(int(link_density * 1000 + 0.5) / 1000 if link_density else 0.0)
            stopwords.append(int(density * 1000 + 0.5) / 1000 if stops else 0.0)
        if self.parameters.short_pages and "good" not in classes:
            self._lowered(segments, classes, stopwords)
        scores = [SCORES[found] for found in classes]
        return {"score": scores, "class": classes, "link_density": links, "stopword_density": stopwords}

    def _lowered(self, segments: Sequence[Segment], classes: list[str], densities: list[float]) -> None:
        """Makes the best there is good, on a page that has nothing good."""
        if "neargood" in classes:
            classes[:] = ["good" if found == "neargood" else found for found in classes]
            return
        for at, (found, density) in enumerate(zip(classes, densities)):
            if found == "short" and density >= self.parameters.stopwords_high and not is_heading(segments[at]):
                classes[at] = "good"


def rules_model(words: Iterable[str], parameters: Parameters | None = None) -> JusTextRules:
    """The rules with a stop list, in any case. Raises ValueError for an empty list (unless both of its thresholds are
    0) and for one too long for a model.

    Words are those between white space; with `spaceless`, characters, or words of several characters of which each
    counts. A word with white space in it is never met, and left out.
    """
    p = parameters or Parameters()
    chosen = frozenset(word for word in map(str.lower, words) if word.split() == [word])
    if not chosen and (p.stopwords_low > 0 or p.stopwords_high > 0):
        raise ValueError(
            "the stop list is empty: give one that has words (nc-score --stoplist), "
            "or do without: stopwords_low 0 and stopwords_high 0"
        )
    if sum(len(word.encode()) + 1 for word in chosen) > MAX_WORDS:
        raise ValueError(f"a stop list of {len(chosen):,} words: at most {MAX_WORDS:,} bytes are wanted")
    return JusTextRules(chosen, p)


def is_heading(segment: Segment) -> bool:
    """Whether a segment stands in a heading; of plain text, which has no path, whether it looks like one."""
    path = segment.get("path")
    return segment.get("type") == "h" if path is None else "h" in path and _is_heading(path)


@lru_cache(maxsize=1 << 14)
def _is_heading(path: str) -> bool:
    return bool(_HEADING.search(tag_names(path)))


@lru_cache(maxsize=1 << 12)
def _is_headline(path: str) -> bool:
    return bool(_HEADLINE.search(tag_names(path)))


@lru_cache(maxsize=1 << 12)
def _is_item(path: str) -> bool:
    return bool(_ITEM.search(tag_names(path)))


@lru_cache(maxsize=1 << 12)
def _is_select(path: str, exact: bool) -> bool:
    elements = tag_names(path)
    return "select" in elements.split("/") if exact else "select" in elements


def _classifier(p: Parameters) -> Callable[[Segment, str, int, float, float], str]:
    """A function that gives the class of a segment, its text, length, link density and stop-word density."""
    java, headlines = p.variant == "java", p.variant == "java" and not p.no_headings
    most_links, low, high = p.max_link_density, p.length_low, p.length_high
    few, many = p.stopwords_low, p.stopwords_high
    copyright_length, items, exact = p.copyright_length, p.list_items, p.select_exact

    def classified(segment: Segment, text: str, length: int, link_density: float, density: float) -> str:
        path = segment.get("path", "")
        if link_density > most_links or java and _is_image(segment, path):
            return "bad"
        copyrighted = "\xa9" in text or "&copy" in text
        if copyrighted and (copyright_length is None or length <= copyright_length):
            return "bad"
        if headlines and "h1" in path and _is_headline(path):
            return "good"
        if "select" in path and _is_select(path, exact):
            return "bad"
        if length < low:
            return "bad" if segment.get("links", 0) > 0 and not (items and _is_item(path)) else "short"
        if density >= many:
            found = "good" if length > high else "neargood"
        elif density >= few:
            found = "neargood"
        else:
            return "short" if items and _is_item(path) else "bad"
        return "short" if copyrighted else found

    return classified


def _is_image(segment: Segment, path: str) -> bool:
    return segment.get("tag") == "img" or tag_names(path).rpartition("/")[2] == "img"


def _words(stop: frozenset[str]) -> Callable[[str], tuple[int, int]]:
    """A function that counts a text's stop words and its words, which stand between white space."""
    is_stop = stop.__contains__

    def counted(text: str) -> tuple[int, int]:
        words = text.lower().split()
        return sum(map(is_stop, words)), len(words)

    return counted


def _characters(stop: frozenset[str]) -> Callable[[str], tuple[int, int]]:
    """A function that counts a text's characters in stop words (the longest that fits, from left to right), and its
    letters, marks and digits."""
    import regex  # for marks; not for languages that have spaces

    found = regex.compile(r"(?:\L<words>(?!\p{M}))+", words=sorted(stop)).findall if stop else lambda text: []
    letters = regex.compile(r"[\p{L}\p{M}\p{N}]+").findall

    def counted(text: str) -> tuple[int, int]:
        text = text.lower()
        return len("".join(found(text))), len("".join(letters(text)))

    return counted


def of_language(words: Iterable[str], language: str) -> JusTextRules:
    """The rules with a language's stop list: for scripts without spaces with SPACELESS. Raises ValueError."""
    return rules_model(words, Parameters(**(SPACELESS if language in SPACELESS_LANGUAGES else {})))
