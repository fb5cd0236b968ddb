"""The compiled core gives the same scores, roles and page types as the Python code, and leaves unusual pages to it."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ncfilters.features.categories import CATEGORIES
from ncfilters.features.document import Document, Head
from ncfilters.record import Segment
from ncfilters.scoring import registry
from ncfilters.scoring.compiled_core import scoring_core
from ncfilters.scoring.structure import compiled
from ncfilters.scoring.structure import model as structure_model
from ncfilters.scoring.structure.model import StructureModel

needs_core = pytest.mark.skipif(
    scoring_core() is None, reason="no compiled core here: python setup.py build_ext --inplace"
)
STEPS = [
    "div#main.post",
    "div.menu",
    "div#main",
    "ul",
    "li#menu-item-7.menu-item",
    "p",
    "nav#Über.ÄHNLICH",
    "",
    "a\nb",
    "pre",
]
WORDS = (
    "Home News the river went along Read more, 12 (see) über uns 我们 about. contact ÉTÉ ΣΟΦΟΣ İstanbul “Yes.” »No.«"
    " 。 はい。 Привет, мир! 👍 🏳️‍🌈 ٣ किताब। ไทย\0nul \x1c\x1d | - _a_ 4.5% $3 [edit] «да.» 한국어 ｆｕｌｌ ⓐ ẞ ǅ 𐐀𐐁"
).split(" ")


def load(name: str) -> StructureModel:
    found = registry.load(name)
    assert isinstance(found, StructureModel)
    return found


@pytest.fixture(scope="module", params=["en", "xx"])
def model(request: pytest.FixtureRequest) -> StructureModel:
    return load(request.param)


def in_python(model: StructureModel, pages: list[Document]) -> tuple[Any, Any]:
    """The evidence and the pages by the Python code."""
    model = StructureModel(model.plain, model.parameters, model.page_classifier)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(structure_model, "compiled_model", lambda *_: None)
        return model.evidence_with_pages(pages)


def segment(rnd: random.Random) -> Segment:
    text = "".join(
        rnd.choice(WORDS) + rnd.choice([" ", " ", " ", "", ". ", "  "]) for _ in range(rnd.choice([0, 1, 2, 9, 60]))
    )
    out: Segment = {"text": text.rstrip() if rnd.random() < 0.8 else text}
    if rnd.random() < 0.95:
        out["path"] = "/".join(rnd.choices(["body", *STEPS], k=rnd.randint(0, 7)))
    for field, names in CATEGORIES.items():
        if rnd.random() < 0.4:
            out[field] = rnd.choice([*names, "", "unknown", "meta:title", ":"])
    for flag in ("bold", "marker", "pre"):
        if rnd.random() < 0.1:
            out[flag] = True
    if rnd.random() < 0.8:
        out["links"] = rnd.choice([0, 0, 4, len(text), len(text) + 9, -3])
    return out


def page(seed: int) -> Document:
    rnd = random.Random(seed)
    segments = [segment(rnd) for _ in range(rnd.choice([1, 2, 5, 40, 200]))]
    segments += rnd.choices(segments, k=rnd.choice([0, 0, 3]))
    title = " ".join(rnd.choices(WORDS, k=rnd.choice([0, 2, 6])))
    names = tuple(rnd.choices(["@no og", "@og:article", "@path blog", "@top org", "@ß"], k=rnd.randint(0, 4)))
    return Document(segments, Head(title, " ".join(rnd.choices(WORDS, k=rnd.choice([0, 0, 12]))), names))


@needs_core
def test_pages_have_the_scores_of_the_python_code(model: StructureModel) -> None:
    pages = [page(seed) for seed in range(150)]
    core = compiled.compiled_model(model.parameters, model.page_classifier)
    assert core and all(core.score(one.segments, one.head) for one in pages if any("path" in s for s in one.segments))
    assert model.evidence_with_pages(pages) == in_python(model, pages)


@needs_core
@pytest.mark.parametrize("level", [0, 1, 2])
def test_sums_are_alike_on_all_processors(model: StructureModel, level: int) -> None:
    pages = [page(seed) for seed in range(150, 200)]
    core = scoring_core()
    best = core.choose_kernels(2)
    expected = model.evidence_with_pages(pages)
    try:
        if core.choose_kernels(level) != level:
            pytest.skip("not this processor")
        assert model.evidence_with_pages(pages) == expected
    finally:
        assert core.choose_kernels(2) == best


@cache
def english() -> StructureModel:
    return load("en")


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
SEGMENTS = st.lists(
    st.fixed_dictionaries(
        {"text": TEXTS, "path": st.text("ab/#.ÄßΣ", max_size=12)},
        optional={
            "links": st.integers(-1, 70),
            "type": st.sampled_from("phl"),
            "tag": st.sampled_from(["h1", "tr", "p"]),
        },
    ),
    min_size=1,
    max_size=8,
)


@needs_core
@settings(max_examples=300, deadline=None)
@given(SEGMENTS, TEXTS, TEXTS)
def test_any_text_has_the_scores_of_the_python_code(segments: list[Segment], title: str, description: str) -> None:
    pages = [Document(segments, Head(title, f"{description} {segments[0]['text']}", ()))]
    assert english().evidence_with_pages(pages) == in_python(english(), pages)


@needs_core
@pytest.mark.parametrize(
    "segments",
    [
        [],
        ({"text": "a", "path": "p"},),
        [{"path": "p"}],
        [{"text": 7, "path": "p"}],
        [{"text": "a", "path": None}],
        [{"text": "a", "path": "p", "tag": ["p"]}],
        [{"text": "a", "path": "p", "links": True}],
        [{"text": "a", "path": "p", "links": 1 << 70}],
        [{"text": "\ud800", "path": "p"}],
        [{"text": "a", "path": "p" * 500}],
        [7],
    ],
    ids=repr,
)
def test_what_is_unusual_is_left_to_python(model: StructureModel, segments: Any) -> None:
    core = compiled.compiled_model(model.parameters, model.page_classifier)
    assert core and core.score(segments, ("", "", ())) is None


@needs_core
def test_an_unknown_kind_of_model_is_left_to_python(model: StructureModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(compiled.FAMILIES, "main", {"other": ""})
    assert compiled.compiled_model(model.parameters, model.page_classifier) is None
