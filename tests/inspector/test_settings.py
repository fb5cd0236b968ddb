"""The settings of a view."""

from __future__ import annotations

import pytest

from ncfilters.errors import UsageError
from ncfilters.inspector.settings import Settings
from ncfilters.selection.options import ContentOptions, PolicyOptions


def test_a_query_says_what_differs_from_the_defaults() -> None:
    query = {"model": "xx", "policy": "all", "without": "comment,byline", "favour": "recall", "form": "markdown"}
    content = ContentOptions("all", excluded=frozenset(("comment", "byline")))
    assert Settings.of_query(query) == Settings("xx", PolicyOptions(favour="recall", content=content), "markdown")


def test_without_a_query_the_defaults_hold() -> None:
    default = Settings("en", form="html")
    assert Settings.of_query({}, default) == default
    assert Settings.of_query({}) == Settings()


def test_a_threshold_is_in_bits() -> None:
    assert Settings.of_query({"threshold": "-1.5"}).policy.threshold == -1.5
    assert Settings.of_query({"threshold": " "}).policy.threshold is None


@pytest.mark.parametrize(
    "query",
    [{"form": "pdf"}, {"policy": "best"}, {"with": "nobody"}, {"threshold": "high"}, {"threshold": "nan"}]
    + [{"threshold": "1e9"}, {"favour": "speed"}, {"decide": "coin"}, {"decide": "viterbi", "threshold": "1"}],
)
def test_other_values_are_errors(query: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        Settings.of_query(query)
