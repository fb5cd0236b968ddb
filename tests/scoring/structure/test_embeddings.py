"""Tests of naming: names in steps of paths."""

from __future__ import annotations

import pytest

from ncfilters.scoring.structure import embeddings


@pytest.mark.parametrize(
    ("step", "names"),
    [
        ("div#main-col.post_body2", ["div", "main", "col", "post", "body"]),
        ("p", ["p"]),
        ("div.7.wrapInner", ["div", "wrapinner"]),
        ("div#a\nb", ["div", "a", "b"]),
        ("", []),
    ],
)
def test_names_of_a_step(step: str, names: list[str]) -> None:
    assert embeddings.step_names([step]) == [names]
    assert embeddings.step_names(["p", step, "li"]) == [["p"], names, ["li"]]


def test_no_steps_have_no_names() -> None:
    assert embeddings.step_names([]) == []
