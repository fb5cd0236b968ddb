"""The elements around segments, and the words in them."""

from __future__ import annotations

from ncfilters.selection.containers import innermost, words_by_container
from ncfilters.selection.scored_table import table_of

PAGE = table_of([{"text": "one two three", "path": "body/main/div/p"}, {"text": "four", "path": "body/aside/p"}])


def test_words() -> None:
    assert words_by_container(PAGE, [0, 1]) == {"body/": 4, "body/main/": 3, "body/main/div/": 3, "body/aside/": 1}


def test_the_innermost_element_with_a_share_of_the_words() -> None:
    words = words_by_container(PAGE, [0, 1])
    assert innermost(words, 0.9) == "body/"
    assert innermost(words, 0.75) == "body/main/div/"
    assert innermost({}, 0.9) == ""
