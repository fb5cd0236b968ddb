"""The words that the metrics compare, as the tools normalise them that introduced the metrics.

    unmarked_words("<p>A title\\n<p>Some text")    # ['A', 'title', 'Some', 'text']

In scripts without spaces (Chinese, Japanese, Thai, Lao, Burmese, Khmer) each character is a word, if asked for.
"""

from __future__ import annotations

import re

from ..dataset.gold import Gold
from ..text.scripts import UNSPACED, UNSPACED_LANGUAGES

# The segment markers of CleanEval.
MARKER = re.compile(r"(<[phl]>)", re.I)

# The normalisation of cleaneval.py 1.0 (Evert 2008). It reads bytes: the only white space is ASCII's, and its option -a
# removes every character outside ASCII.
_URL_LINE = re.compile(r"^\s*URL.*$", re.M | re.A)
_CONTROL = re.compile("[\x00-\x1f]+")
_SPACE = re.compile(r"\s+", re.A)
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_UNSPACED_CHARACTER = re.compile(f"([{UNSPACED}])")
_WORD = re.compile(r"\w+")


def cleaneval_words(text: str, unlabelled: bool = False, ascii: bool = False, by_character: bool = False) -> list[str]:
    """The words that cleaneval.py compares: segment markers are words, the line with the URL is removed.

    As in cleaneval.py, white space at the start or end adds an empty word. With *unlabelled* all markers are `<p>`;
    with *ascii* other characters are removed; with *by_character* each character of scripts without spaces is a word.
    """
    text = _CONTROL.sub(" ", _URL_LINE.sub("", text))
    text = _SPACE.sub(" ", MARKER.sub("\n<p> " if unlabelled else r"\n\g<1> ", text))
    if by_character:
        text = separate_characters(text)
    return _SPACE.split(_NOT_ASCII.sub("", text) if ascii else text)


def unmarked_words(text: str, ascii: bool = False, by_character: bool = False) -> list[str]:
    """The words of *text* between white space, without segment markers and the line with the URL."""
    text = MARKER.sub(" ", _CONTROL.sub(" ", _URL_LINE.sub("", text)))
    if by_character:
        text = separate_characters(text)
    return (ascii_only(text) if ascii else text).split()


def lowercase_words(text: str, ascii: bool = False, by_character: bool = False) -> list[str]:
    """The words of the WCXB metric: runs of letters, digits and `_` in lower case."""
    if by_character:
        text = separate_characters(text)
    return _WORD.findall((ascii_only(text) if ascii else text).lower())


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
