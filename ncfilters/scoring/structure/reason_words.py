"""The reasons of a structure model in words, for nc-score --explain.

in_words("sig_chars")          # 'the same path but for ids: number of characters'
in_words("word:=read more")    # "the text 'read more'"
"""

from __future__ import annotations

import re

from ...features.schema import DESCRIPTIONS
from .shapes import POOL_WINDOWS

# What the network averages over, by the names of its pools.
AROUND = {
    "around: same parent": "the segments of the same parent element",
    "around: same two steps up": "the segments of the same element two steps up",
    "around: same three steps up": "the segments of the same element three steps up",
    "around: same four steps up": "the segments of the same element four steps up",
    "around: same path but for ids": "the segments with the same path but for ids",
    "around: same two innermost elements": "the segments in the same two innermost elements",
    "around: page": "the whole page",
    **{
        f"around: {size} {side}": f"the {size} segments {side}" for size in POOL_WINDOWS for side in ("before", "after")
    },
    "alike: same path but for ids": "the scores of segments with the same path but for ids",
}
# Prefixes of names that are of the vocabulary.
_VOCABULARY = {
    "name:@": "'{}' in the head or the address of the page",
    "name:": "'{}' on the path",
    "word:=": "the text '{}'",
    "word:": "the words '{}'",
    "heading:": "'{}' in the heading above",
}
# What descriptions say of scales and of missing values, and how they begin.
_SCALE = re.compile(
    r"; .*|, -1 if there is none| \((?:0 if there is none|Dice)\)|, up to \d+(?: of each)?|, in \w+s\b.*"
)
_BEGINNINGS = ((r"\blog of how\b", "how"), (r"\blog of (?:the |its |their )?", "number of "), (r"\b1 if\b", "whether"))


def in_words(name: str) -> str:
    """What a reason is: a feature, names or words, or what is around a segment."""
    for prefix, pattern in _VOCABULARY.items():
        if name.startswith(prefix):
            return pattern.format(name.removeprefix(prefix))
    words = _SCALE.sub("", AROUND.get(name) or DESCRIPTIONS.get(name, name))
    for beginning, other in _BEGINNINGS:
        words = re.sub(beginning, other, words)
    return words
