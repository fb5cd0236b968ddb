"""Features that segments share, and the main text (test_matrix has the numbers of a page)."""

from __future__ import annotations

from types import ModuleType

import pytest
from made_pages import document
from uncompiled import both_forms

from ncfilters.features.document import ModelInput
from ncfilters.features.segment_table import build_table

FORMS = pytest.mark.parametrize(
    "form", both_forms("ncfilters.features.shared_features"), ids=lambda form: form.__name__
)
PROSE = "We walked along the river for a whole day, and then it rained."


@FORMS
def test_logs_of_large_counts_are_bounded(form: ModuleType) -> None:
    assert form.log_count(1) == pytest.approx(0.6931472)
    assert form.log_count(1 << 40) == form.log_count((1 << 14) - 1) == pytest.approx(9.7040605)


@FORMS
def test_a_share_of_nothing_is_zero(form: ModuleType) -> None:
    assert (form.share(0, 0), form.share(1, 4)) == (0, 0.25)


@FORMS
@pytest.mark.parametrize(
    ("page", "element", "segments"),
    [
        ([(PROSE, "body/div/p"), (PROSE, "body/main/p"), (PROSE, "body/main/div")], "main", (1, 2)),
        ([("Home", "body/nav/p")], "", (0, 0)),
        ([(PROSE, "body/div/p"), (PROSE, "body/main/p")], "div", (0, 0)),  # the first of two
    ],
)
def test_the_main_text_is_the_parent_with_most_prose(
    form: ModuleType, page: list[tuple[str, str]], element: str, segments: tuple[int, int]
) -> None:
    table = build_table(ModelInput([{"text": text, "path": path} for text, path in page]))
    shared = form.SharedFeatures(table)
    shared.compute()
    assert (shared.main_group >= 0) == bool(element)
    if element:
        assert table.tree.steps[table.tree.step[table.tree.members[shared.main_group]]] == element
        assert (shared.main_first, shared.main_last) == segments


@pytest.mark.parametrize("seed", range(20))
def test_both_forms_give_the_same(seed: int) -> None:
    table = build_table(document(seed))
    found = []
    for form in both_forms("ncfilters.features.shared_features"):
        shared = form.SharedFeatures(table)
        shared.compute()
        found.append([bytes(part) for part in (shared.groups, shared.places, shared.page, shared.first, shared.each)])
    assert found[0] == found[-1]
