"""Training of structure models: it is reproducible, and reads only what it is asked to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from structure_pages import LABELLED, NEW, PLAIN_TEXT, scores, small_model, train_small

from ncfilters.features import schema
from ncfilters.features.document import ModelInput
from ncfilters.scoring import registry
from ncfilters.scoring.structure.model import StructureModel
from ncfilters.training.structure_trainer import STEPS, StructureOptions, train_structure_model


@pytest.fixture(scope="module")
def trained() -> StructureModel:
    return small_model()


def test_the_same_pages_give_the_same_model() -> None:
    first, again = (train_small(passes=2) for _ in range(2))
    assert again.header() == first.header()
    for name, array in first.arrays().items():
        assert again.arrays()[name].tobytes() == array.tobytes(), name
    assert "without" not in first.header()


def changed(**fields: Any) -> ModelInput:
    """A new page with other fields in one of its segments."""
    segments = [{**segment, **(fields if place == 7 else {})} for place, segment in enumerate(NEW[1].segments)]
    return ModelInput(segments, NEW[1].head)


# group → a page that differs from NEW[1] only in what the group reads
DIFFERENT = {
    "names": ModelInput(
        [{**part, "path": part["path"].replace("teasers", "content")} for part in NEW[1].segments], NEW[1].head
    ),
    "element": changed(tag="td", rule="nav"),
}
# What changes if a page has another menu.
MENU_GROUPS = {"position", "relatives", "neighbours", "main", "page", "around"}


@pytest.mark.parametrize("group", DIFFERENT)
def test_groups_left_out_do_not_change_scores(group: str, trained: StructureModel) -> None:
    assert scores(trained, NEW[1]) != scores(trained, DIFFERENT[group])
    # other groups see the rule and the element of neighbours
    groups = ("element", "neighbours", "page", "relatives") if group == "element" else (group,)
    without = train_small(*groups, passes=3)
    assert scores(without, NEW[1]) == scores(without, DIFFERENT[group])


def test_without_surroundings_each_segment_is_scored_alone() -> None:
    alone = train_small(*MENU_GROUPS, "words", passes=3)
    more = ModelInput([*NEW[0].segments, *NEW[0].segments[:3]], NEW[0].head)
    size = len(NEW[0])
    with_them = train_small(passes=1)
    assert scores(with_them, more)[0][:size] != pytest.approx(scores(with_them, NEW[0])[0], rel=1e-3)
    # to rounding: the products of larger matrices are summed in another order
    assert scores(alone, more)[0][:size] == pytest.approx(scores(alone, NEW[0])[0], rel=1e-5)


@pytest.mark.parametrize("group", schema.GROUPS)
def test_each_group_can_be_left_out(group: str, tmp_path: Path) -> None:
    model = train_structure_model(LABELLED, StructureOptions(passes=2, without=(group,)))
    families = schema.GROUP_FAMILIES.get(group, ())
    left_out = {name for family in families for name in schema.FAMILIES[family]}
    assert {name for name, scale in zip(schema.NAMES, model.parameters.scales) if not scale} == left_out
    registry.write_model(tmp_path / "small.model", model, {})
    again = registry.load(str(tmp_path / "small.model"))
    assert isinstance(again, StructureModel)
    assert scores(again, *NEW, PLAIN_TEXT) == scores(model, *NEW, PLAIN_TEXT)
    assert again.reasons(NEW, 3) == model.reasons(NEW, 3)
    assert again.header()["without"] == [group]


def test_without_words_and_names_there_is_a_model(tmp_path: Path) -> None:
    # no name is on the default number of sites here
    model = train_structure_model(LABELLED, StructureOptions(words=False, passes=5))
    assert (list(model.parameters.names), list(model.parameters.phrases)) == ([], [])
    registry.write_model(tmp_path / "xx.model", model, {})
    again = registry.load(str(tmp_path / "xx.model"))
    assert isinstance(again, StructureModel)
    assert scores(again, *NEW) == scores(model, *NEW)
    page = again.evidence_with_pages(NEW)[1][0]
    assert page is not None and page["words"] is False


def test_sites_and_records_of_pages_and_progress() -> None:
    steps: list[int] = []
    train_structure_model(LABELLED, StructureOptions(passes=1), steps.append)
    assert steps == [*range(1, STEPS), STEPS]
    pages = [replace(page, domain="") for page in LABELLED[:4]]
    assert train_structure_model(pages, StructureOptions(passes=1)).kind == "structure"
    with pytest.raises(ValueError, match="has not kept its record"):
        train_structure_model([replace(page, record=None) for page in LABELLED], StructureOptions())


@pytest.mark.parametrize(("number", "sites"), [(0, 0), (2, 1)])
def test_fewer_than_two_sites_are_an_error(number: int, sites: int) -> None:
    with pytest.raises(ValueError, match=f"^pages of {sites} sites: calibration on held-out sites needs at least 2"):
        train_structure_model(LABELLED[:number], StructureOptions())
