"""Which run of a gold text each segment is in."""

from __future__ import annotations

from ncfilters.dataset.gold_runs import matched_runs
from ncfilters.text.words import words

RUNS = [("headline", "Bridge closed"), ("text", "It is closed until autumn, the council says."), ("comments", "Good.")]


def _matched(*texts: str) -> list[tuple[str, bool]]:
    return matched_runs([{"text": text} for text in texts], RUNS, [len(words(text)) for text in texts])


def test_a_segment_has_the_role_of_the_run_that_most_of_its_words_are_in() -> None:
    assert _matched("Home", "Bridge closed", "It is closed until autumn", "", "Good.") == [
        ("", False),
        ("headline", True),
        ("text", True),
        ("", False),
        ("comments", True),
    ]


def test_a_short_part_of_a_run_and_a_segment_of_several_runs_are_not_certain() -> None:
    assert _matched("the council") == [("text", False)]
    assert _matched("Bridge closed. It is closed until") == [("text", False)]
