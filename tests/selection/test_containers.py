"""The elements around segments, and the words in them."""

from __future__ import annotations

from ncfilters.selection.containers import Containers, innermost, words_by_container
from ncfilters.selection.scored_table import table_of

PAGE = table_of([{"text": "one two three", "path": "body/main/div/p"}, {"text": "four", "path": "body/aside/p"}])


def test_words() -> None:
    assert words_by_container(PAGE, [0, 1]) == {"body/": 4, "body/main/": 3, "body/main/div/": 3, "body/aside/": 1}


def test_the_innermost_element_with_a_share_of_the_words() -> None:
    words = words_by_container(PAGE, [0, 1])
    assert innermost(words, 0.9) == "body/"
    assert innermost(words, 0.75) == "body/main/div/"
    assert innermost({}, 0.9) == ""


def test_text_around() -> None:
    around = Containers(PAGE, [True, True]).has_text_around
    assert around("body/main/div/ul", 1, 1) and around("body/main/ul", 1, 1) and around("body/main/a/b/ul", 3, 1)
    assert not around("body/main/a/b/ul", 2, 1)
    assert not around("body/aside/ul", 1, 2)  # little text
    assert not around("body/ul", 1, 2)  # all of the page
    assert not around("body/main/ul", 1, 0)  # before the text
