"""The compiled loops over segments and paths do what the Python code does, and leave to it what is not usual."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

import pytest

from ncfilters.errors import RecordError
from ncfilters.features import compiled, dom_tree, segment_table
from ncfilters.features.document import Document
from ncfilters.record import Record
from ncfilters.scoring import registry
from ncfilters.scoring.scorer import Scorer
from ncfilters.scoring.structure.element_roles import with_element_roles

CORE = compiled.features_core()
needs_core = pytest.mark.skipif(CORE is None, reason="no compiled core here: python setup.py build_ext --inplace")
TEXTS = ["", "Home", "Ala ma kota.", "中文 text", "a\tb", "👍 emoji"]
STEPS = ["body", "div#a.b", "div", "ul", "li", "pre", "code.x", "", "ż#ó", "table", "tr"]
VALUES: dict[str, list[Any]] = {
    "type": ["p", "h", "l", None],
    "tag": ["p", "tr", "h1", "x-y"],
    "rule": ["nav", ""],
    "origin": ["json-ld:text"],
    "hidden": ["display"],
    "bold": [True],
    "marker": ["-"],
    "pre": [True, False],
    "links": [0, 3, True, 1 << 70],
}


def segment(random_: random.Random) -> Record:
    out: Record = {"text": random_.choice(TEXTS)}
    if random_.random() < 0.9:
        out["path"] = "/".join(random_.choices(STEPS, k=random_.randrange(6)))
    for field, values in VALUES.items():
        if random_.random() < 0.5:
            out[field] = random_.choice(values)
    return out


def pages() -> Iterator[list[Record]]:
    for seed in range(300):
        random_ = random.Random(seed)
        yield [segment(random_) for _ in range(random_.randrange(12))]


@needs_core
def test_columns() -> None:
    ours: dict[Any, int] = {}
    theirs: dict[Any, int] = {}
    for page in pages():
        assert CORE.columns(page, ours) == segment_table._columns(page, theirs)
    assert list(ours.items()) == list(theirs.items())


@needs_core
@pytest.mark.parametrize("page", [({"text": "a"},), [{"path": "body"}], [7], [{"text": "a", "tag": ["p"]}]], ids=repr)
def test_columns_of_unusual_segments_are_left_to_python(page: Any) -> None:
    assert CORE.columns(page, {}) is None


def in_python(paths: list[Any], parents: list[int], names: list[str]) -> list[int]:
    node_of = dom_tree._add_nodes(paths, parents, names)
    return [node_of[path] for path in paths]


@needs_core
def test_nodes() -> None:
    ours: tuple[list[int], list[str]] = ([], [])
    theirs: tuple[list[int], list[str]] = ([], [])
    odd = [["/a", "a//b", "a/", "/", "//", ""], ["x" * 400, "y/" * 199 + "z"]]
    for paths in [[one.get("path", "") for one in page] for page in pages()] + odd:
        assert CORE.nodes(paths, *ours, 1 << 17, 400) == in_python(paths, *theirs)
    assert ours == theirs


@needs_core
@pytest.mark.parametrize(
    ("paths", "limits"), [(["a", 7], (100, 400)), (["a", "b" * 401], (100, 400)), (["a/b/c"], (3, 400))]
)
def test_nodes_beyond_a_limit_are_left_to_python(paths: list[Any], limits: tuple[int, int]) -> None:
    parents, names = [0], [""]
    assert CORE.nodes(paths, parents, names, *limits) is None
    assert (parents, names) == ([0], [""])


@needs_core
def test_the_first_equal_text() -> None:
    texts = ["a", "b", "a", "a", "c", "a", "c"]
    assert CORE.first_same(texts, [3, 0, 4]) == [0, 1, 0, 3, 4, 3, 4]
    assert CORE.first_same([], []) == []


@needs_core
def test_fields_are_written_to_all_segments_or_to_none() -> None:
    segments: list[Any] = [{"text": "a"}, {"text": "b", "score": 0}]
    assert CORE.write_fields(segments, {"score": [1.5, 2], "role": ["text", None]}) is True
    assert segments == [{"text": "a", "score": 1.5, "role": "text"}, {"text": "b", "score": 2, "role": None}]
    before = copy.deepcopy(segments)
    assert CORE.write_fields(segments, {"score": [3]}) is False
    assert CORE.write_fields([*segments, 7], {"score": [3, 4, 5]}) is False
    assert segments == before


@needs_core
def test_roles(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = [(page, [("text", "title", "code")[n % 3] for n in range(len(page))]) for page in pages()]
    cases.append(
        ([{"text": "x", "path": path} for path in ("body/pre", "body/pre/code", "code", "a/code")], ["text"] * 4)
    )
    ours = [with_element_roles(page, roles) for page, roles in cases]
    monkeypatch.setattr("ncfilters.scoring.structure.element_roles.features_core", lambda: None)
    assert ours == [with_element_roles(page, roles) for page, roles in cases]
    assert {role for roles in ours for role in roles} == {"text", "title", "code", "table"}


@needs_core
def test_types() -> None:
    types: dict[str, tuple[type, ...]] = {"text": (str,), "score": (int, float)}
    assert compiled.have_types([{"text": "a", "score": 1}, {"text": "", "score": 1.5}], types, {"pre": (bool,)})
    assert compiled.have_types([], types, {})
    for wrong in (
        {"text": "a"},
        {"text": 7, "score": 1},
        {"text": "a", "score": True},
        {"text": "a", "score": 1, "pre": 1},
        7,
    ):
        assert not compiled.have_types([wrong], types, {"pre": (bool,)})
    assert not compiled.have_types(({"text": "a", "score": 1},), types, {})
    assert not compiled.have_types(None, {}, {})


def test_tables_and_errors_are_those_of_python(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = [Document([{**one, "links": 1, "type": "p"} for one in page]) for page in pages()]
    ours = segment_table.build_table(documents)
    for module in (segment_table, dom_tree):
        monkeypatch.setattr(module, "features_core", lambda: None)
    theirs = segment_table.build_table(documents)
    for one, other in (
        (ours.kind, theirs.kind),
        (ours.same, theirs.same),
        (ours.links, theirs.links),
        (ours.tree.node, theirs.tree.node),
        (ours.tree.parent, theirs.tree.parent),
        (ours.flags, theirs.flags),
    ):
        assert one.tolist() == other.tolist()
    assert (ours.texts, ours.tree.steps) == (theirs.texts, theirs.tree.steps)


@pytest.mark.parametrize(
    ("segments", "message"),
    [
        (None, "segments: missing"),
        ([{"text": "a"}, {"text": 7}], r"segments\[1\].text: expected a string, got a number"),
        ([{}], r"segments\[0\].text: missing"),
        ([7], r"segments\[0\]: expected an object"),
    ],
)
def test_errors_are_found_with_and_without_a_core(segments: Any, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scorer = Scorer([registry.load_named("ncleaner-nonlexical")])
    record = {} if segments is None else {"segments": segments}
    for core in (compiled.features_core, lambda: None):
        monkeypatch.setattr(compiled, "features_core", core)
        with pytest.raises(RecordError, match=message):
            raise next(result for result in scorer([record]) if isinstance(result, RecordError))
