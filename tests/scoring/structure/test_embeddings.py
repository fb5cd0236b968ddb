"""Embeddings: names in steps of paths, and their sums."""

from __future__ import annotations

import numpy as np
import pytest

from ncfilters.features.document import Head
from ncfilters.features.dom_tree import build_tree
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


def test_names_further_up_a_path_count_less() -> None:
    vectors = np.array([[1, 0], [0, 1]], np.float32)
    tree = build_tree([["nav.menu/div/nav"]])
    nodes = embeddings.StepEmbeddings({"nav": 0, "menu": 1}, vectors).of_nodes(tree)
    decay = float(embeddings.DECAY)
    assert nodes[tree.node].tolist() == [pytest.approx([1 + decay**2, decay**2])]


def test_names_of_heads_are_summed_up() -> None:
    vectors = np.array([[1, 0], [0, 1]], np.float32)
    index = embeddings.StepEmbeddings({"@og:article": 0, "@top org": 1}, vectors)
    heads = [Head(names=("@top org", "@og:article", "@unknown")), Head()]
    assert index.of_heads(heads).tolist() == [[1, 1], [0, 0]]
