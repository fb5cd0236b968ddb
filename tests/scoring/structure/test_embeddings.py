"""Embeddings: names in steps of paths, and their sums."""

from __future__ import annotations

from array import array
from types import ModuleType

import pytest
from uncompiled import both_forms

from ncfilters.features.document import Head, ModelInput
from ncfilters.features.dom_tree import build_tree
from ncfilters.features.phrase_vocabulary import PhraseIndex
from ncfilters.features.segment_table import build_table
from ncfilters.scoring.structure import embeddings

FORMS = pytest.mark.parametrize(
    "form", both_forms("ncfilters.scoring.structure.embeddings"), ids=lambda form: form.__name__
)
VECTORS = array("f", [1, 0, 0, 1])


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


@FORMS
def test_names_further_up_a_path_count_less(form: ModuleType) -> None:
    tree = build_tree(["nav.menu/div/nav"])
    nodes = form.StepEmbeddings({"nav": 0, "menu": 1}, VECTORS, 2).of_nodes(tree)
    node, decay = tree.nodes[0], form.DECAY
    assert nodes[2 * node : 2 * node + 2].tolist() == pytest.approx([1 + decay**2, decay**2])


@FORMS
def test_names_of_a_head_are_summed_up(form: ModuleType) -> None:
    index = form.StepEmbeddings({"@og:article": 0, "@top org": 1}, VECTORS, 2)
    assert index.of_head(Head(names=("@top org", "@og:article", "@unknown"))).tolist() == [1, 1]
    assert index.of_head(Head()).tolist() == [0, 0]


@FORMS
def test_vectors_of_phrases_of_segments_and_of_their_headings(form: ModuleType) -> None:
    texts = [("Read on", "h"), ("Read", "p"), ("None", "p"), ("Read", "p")]
    table = build_table(ModelInput([{"text": text, "type": kind} for text, kind in texts]))
    vectors = form.phrase_vectors(table, PhraseIndex({"read": 0, "on": 1, "=read": 1}), VECTORS, 2)
    assert vectors.tolist() == [0.5, 0.5, 0.5, 0.5, 0, 0, 0.5, 0.5]
    out = array("f", [9] * 10)
    form.fill_phrases(out, 5, 1, vectors, 2, table, 1)
    assert out.tolist() == [9, 0.5, 0.5, 0.5, 0.5, 9, 0, 0, 0.5, 0.5]
