"""The words that the metrics compare, as the tools normalise them that introduced the metrics.

unmarked_words("<p>A title\\n<p>Some text")    # ['A', 'title', 'Some', 'text']
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..dataset.gold import Gold
from ..text.scripts import UNSPACED, UNSPACED_LANGUAGES

# The segment markers of CleanEval.
MARKER = re.compile(r"(<[phl]>)", re.I)

# The normalisation of cleaneval.py 1.0 (Evert 2008). It reads bytes: the only white space is ASCII's, and its option -a
# removes every character outside ASCII.
_URL_LINE = re.compile(r"^\s{0,99}URL.*$", re.M | re.A)
_CONTROL = re.compile("[\x00-\x1f]+")
_SPACE = re.compile(r"\s+", re.A)
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_UNSPACED_CHARACTER = re.compile(f"([{UNSPACED}])")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class WordOptions:
    """The definition of a word."""

    ascii: bool = False  # remove characters outside ASCII (cleaneval.py -a)
    by_character: bool = False  # each character of scripts without spaces (Chinese, Thai, Khmer, …) is a word
    unlabelled: bool = False  # all segment markers are `<p>` (cleaneval.py -u)


DEFAULTS = WordOptions()


def cleaneval_words(text: str, options: WordOptions = DEFAULTS) -> list[str]:
    """The words that cleaneval.py compares: segment markers are words, the line with the URL is removed.

    As in cleaneval.py, white space at the start or end adds an empty word.
    """
    text = _CONTROL.sub(" ", _URL_LINE.sub("", text))
    text = _SPACE.sub(" ", MARKER.sub("\n<p> " if options.unlabelled else r"\n\g<1> ", text))
    if options.by_character:
        text = separate_characters(text)
    return _SPACE.split(_NOT_ASCII.sub("", text) if options.ascii else text)


def unmarked_words(text: str, options: WordOptions = DEFAULTS) -> list[str]:
    """The words of *text* between white space, without segment markers and the line with the URL."""
    text = MARKER.sub(" ", _CONTROL.sub(" ", _URL_LINE.sub("", text)))
    if options.by_character:
        text = separate_characters(text)
    return (ascii_only(text) if options.ascii else text).split()


def lowercase_words(text: str, options: WordOptions = DEFAULTS) -> list[str]:
    """The words of the WCXB metric: runs of letters, digits and `_` in lower case."""
    if options.by_character:
        text = separate_characters(text)
    return _WORD.findall((ascii_only(text) if options.ascii else text).lower())


def separate_characters(text: str) -> str:
    """*text* with a space on both sides of each character of a script without spaces."""
    return text if text.isascii() else _UNSPACED_CHARACTER.sub(r" \1 ", text)


def ascii_only(text: str) -> str:
    """The ASCII characters of *text*, with a space for each run of white space in Unicode."""
    return _NOT_ASCII.sub("", " ".join(text.split()))


def counts_by_character(gold: Gold) -> bool:
    """Whether words are characters: by the page's `lang`, or because most letters of the gold text have such a
    script."""
    if re.split("[-_]", gold.lang)[0].lower() in UNSPACED_LANGUAGES:
        return True
    unspaced = len(_UNSPACED_CHARACTER.findall(gold.marked))
    return bool(unspaced) and 2 * unspaced > sum(map(str.isalpha, gold.marked))
