"""Decisions on columns are those of the Python modules, by any policy, and so are texts and qualities."""

from __future__ import annotations

import copy
import json
import random

import pytest
from column_pages import evidence, pages, rest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ncfilters.page import compiled_core
from ncfilters.record import Record
from ncfilters.roles import ROLES
from ncfilters.scoring import registry
from ncfilters.selection.column_policy import ColumnPolicy, column_policy_of
from ncfilters.selection.columns import columns_of, read_line, selection_core
from ncfilters.selection.options import ContentOptions, NeighbourOptions, PolicyOptions
from ncfilters.selection.policies import PagePolicy, policy, threshold_policy
from ncfilters.selection.selector import SelectionOptions, select_columns, select_text

SLOW_MACHINES = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

needs_core = pytest.mark.skipif(
    compiled_core.core() is None or selection_core() is None,
    reason="no compiled core here: python setup.py build_ext --inplace",
)
QUALITY = registry.find_quality(None, True)
contents = st.one_of(
    st.just(ContentOptions()),
    st.sampled_from(["article", "all"]).map(ContentOptions),
    st.sampled_from(ROLES).map(lambda role: ContentOptions(included=frozenset([role]))),
    st.sampled_from(ROLES).map(lambda role: ContentOptions("all", excluded=frozenset([role]))),
)
by_page = st.builds(
    PolicyOptions,
    method=st.sampled_from(["auto", "expected", "page", "auto"]),
    favour=st.sampled_from(["precision", "balance", "recall"]),
    rules=st.booleans(),
    content=contents,
)
by_threshold = st.builds(
    PolicyOptions, method=st.just("threshold"), threshold=st.sampled_from([None, 1, -0.5]), rules=st.booleans()
)
options = by_page | by_threshold


def in_python(document: Record, options: PolicyOptions, selection: SelectionOptions) -> Record:
    decide = policy(options)
    return select_text(document, lambda segments, page=None: decide(segments, page), selection, QUALITY)


@needs_core
@SLOW_MACHINES
@given(pages, st.none() | evidence, options)
def test_decisions(segments: list[Record], page: Record | None, options: PolicyOptions) -> None:
    columns, decide = columns_of(segments, ColumnPolicy(options).score_field), ColumnPolicy(options)
    if columns is None or not decide(columns, page):
        return
    expected = policy(options)(copy.deepcopy(segments), page)
    assert columns.kept() == [index for index, keep in enumerate(expected) if keep]


@needs_core
@SLOW_MACHINES
@given(pages, evidence, options, st.sampled_from(["plain", "markdown"]), st.booleans(), st.booleans())
def test_texts_and_qualities(
    segments: list[Record], page: Record, options: PolicyOptions, form: str, title: bool, head_title: bool
) -> None:
    document = {**rest, "segments": segments, "page": page}
    selection = SelectionOptions(form, form == "plain", title=title, head_title=title and head_title)
    if options.content.needs_roles and not all("role" in segment for segment in segments):
        return
    if options.content.needs_roles and not segments:
        return
    expected = in_python(document, options, selection)
    assert select_text(document, policy(options), selection, QUALITY) == expected
    own = ColumnPolicy(options)
    if found := read_line(json.dumps(document).encode(), own.score_field):
        assert select_columns(*found, own, selection, QUALITY) == expected


@needs_core
@pytest.mark.parametrize(
    ("options", "page", "decides"),
    [
        (PolicyOptions(), None, True),
        (PolicyOptions(), {"odds": 1}, True),
        (PolicyOptions("expected"), {"odds": 1}, True),
        (PolicyOptions("expected"), None, False),
        (PolicyOptions("page"), None, False),
        (PolicyOptions("viterbi"), {"odds": 1}, False),
        (PolicyOptions("justext"), None, True),
        (PolicyOptions("justext"), {"odds": 1}, False),  # there is no class
        (PolicyOptions("justext", per_char=True), None, False),
        (PolicyOptions(per_char=True), None, False),
        (PolicyOptions(content=ContentOptions("all")), {"odds": 1}, False),  # the segments have no roles
    ],
    ids=repr,
)
def test_which_policies_decide(options: PolicyOptions, page: Record | None, decides: bool) -> None:
    columns = columns_of([{"text": "It rained.", "type": "p", "score": 2.0}], "score")
    assert ColumnPolicy(options)(columns, page) is decides


CLASSED = (
    ("bad", "short", "neargood", "good"),
    ("short", "neargood", "good", None),
    ("short", "neargood", "bad", "short"),
    (None,),
    ("good", "unknown", 7),
)
PATHS = (None, "", "body/h1", "body/p", "h2#x", "body/div.h1", "body/xh1", "body/h1.é/b", "body/h1x", "h1/é", "a/h12")


def random_page(choose: random.Random) -> list[Record]:
    """Segments with classes, or some without; of some, the rule and other fields that decisions depend on."""
    classes, out = choose.choice(CLASSED), []
    for number in range(choose.randint(0, 12)):
        segment: Record = {"text": "x" * choose.choice((0, 3, 30, 90, 250)), "type": choose.choice("phl")}
        segment["score"] = choose.choice((-6.0, -5.0, -1.4, 0.0, 1.8, 4.9, 5.0))
        if (path := choose.choice(PATHS)) is not None:
            segment["path"] = path
        if (name := choose.choice(classes)) is not None or number == 3:
            segment["class"] = name
        if choose.random() < 0.15:
            segment["rule"] = choose.choice(("embedded", "bars", "embedded"))
        out.append(segment)
    return out


@needs_core
@pytest.mark.parametrize("seed", range(4))
def test_decisions_of_justext(seed: int) -> None:
    choose, decided = random.Random(seed), 0
    for _ in range(1_500):
        neighbours = NeighbourOptions(
            choose.choice((0, 100, 200, 10**30)),
            choose.random() < 0.3,
            choose.random() < 0.4,
            choose.choice((None, None, 2.0)),
        )
        options = PolicyOptions(
            "justext", choose.choice((None, None, 1.0)), rules=choose.random() < 0.7, neighbours=neighbours
        )
        segments, page = random_page(choose), choose.choice((None, None, {"odds": 3.0}))
        own = ColumnPolicy(options)
        columns = columns_of(segments, own.score_field)
        if columns is None or not own(columns, page):
            continue
        decided += 1
        expected = policy(options)(copy.deepcopy(segments), page)
        assert columns.kept() == [index for index, keep in enumerate(expected) if keep], (segments, page, options)
        found = read_line(json.dumps({"segments": segments}).encode(), own.score_field)
        assert found is not None and own(found[1], page) and found[1].kept() == columns.kept()
    assert 500 < decided < 1_300


def test_characters_that_no_other_is_folded_to() -> None:
    own = set("".join(map(chr, range(0x21, 0x7F)))) - set("afhijklnstwy")
    folded = (chr(code).casefold() for code in range(0x80, 0x110000))
    assert not any(own.intersection(characters) for characters in folded)


def test_the_policy_of_a_policy() -> None:
    options = PolicyOptions(favour="recall")
    assert column_policy_of(PagePolicy(options)) is column_policy_of(policy(options)) is not None
    assert column_policy_of(threshold_policy(options)) is None
