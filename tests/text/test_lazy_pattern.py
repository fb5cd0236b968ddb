"""Patterns that are compiled when they are used."""

from __future__ import annotations

import re

import pytest

from ncfilters.text.lazy_pattern import LazyPattern, lazy_pattern, lazy_regex


def test_a_pattern_does_what_that_of_re_does() -> None:
    text = "It rained all day."
    for flags in (0, re.I):
        lazy, compiled = lazy_pattern(r"(i)t|a", flags), re.compile(r"(i)t|a", flags)
        assert lazy.findall(text) == compiled.findall(text)
        assert lazy.sub("-", text) == compiled.sub("-", text)
        assert lazy.split(text) == compiled.split(text)
        assert [one.span() for one in lazy.finditer(text, 3)] == [one.span() for one in compiled.finditer(text, 3)]
        assert (lazy.pattern, lazy.flags, lazy.groups) == (compiled.pattern, compiled.flags, compiled.groups)
    assert lazy_pattern(rb"\w+").fullmatch(b"word")
    assert isinstance(lazy, LazyPattern) and lazy.compiled == compiled


def test_an_error_shows_when_the_pattern_is_used() -> None:
    broken = lazy_pattern("(")
    with pytest.raises(re.error):
        broken.search("text")


def test_unknown_names_are_errors() -> None:
    with pytest.raises(AttributeError):
        lazy_pattern("a").replace("a", "b")  # type: ignore[attr-defined]


def test_patterns_of_regex_have_its_classes_and_flags() -> None:
    assert lazy_regex(r"\p{Lu}\w+").findall("Ann and Zoë") == ["Ann", "Zoë"]
    assert lazy_regex(r"ann.\p{L}", re.I | re.S).fullmatch("ANN\nL")
    assert not lazy_regex(r"ann.\p{L}").fullmatch("ANN\nL")
