"""Texts that a page has twice."""

from __future__ import annotations

from types import ModuleType

import pytest
from uncompiled import both_forms

from ncfilters.selection.scored_table import table_of

FORMS = both_forms("ncfilters.selection.copies")


def kept(*places: tuple[str, str | None], least: int = 2) -> list[bool]:
    table = table_of([{"text": text} | ({} if path is None else {"path": path}) for text, path in places])
    first, *others = [form.without_copies(table, [True] * len(places), least) for form in FORMS]
    assert others in ([], [first])
    return list(first)


def test_the_second_of_equal_texts_is_dropped() -> None:
    assert kept(("It rained.", "body/p"), ("It rained.", "body/main/p")) == [True, False]


def test_repetitions_in_one_place_stay() -> None:
    assert kept(("It rained.", "body/p#a.b"), ("It rained.", "body/p#c.b"), ("It rained.", "body/p.c")) == [
        True,
        True,
        False,
    ]


def test_short_and_other_texts_stay() -> None:
    assert kept(("It rained.", "body/p"), ("It rained.", "body/b"), least=3) == [True, True]
    assert kept(("It rained.", "body/p"), ("It snowed.", "body/b")) == [True, True]


def test_each_segment_without_a_path_is_in_a_place_of_its_own() -> None:
    assert kept(("It rained.", None), ("It rained.", None)) == [True, False]
    assert kept(("It rained.", ""), ("It rained.", "")) == [True, True]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
def test_rows_that_repeat_a_title(form: ModuleType) -> None:
    texts = ["It rained", "IT RAINED!", "Rained it", "It rained all day", "It rained"]
    table = table_of([{"text": text} for text in texts])
    assert form.rows_of_key(table, [True, True, True, True, False], "it rained", 20) == [0, 1]
    assert form.rows_of_key(table, [True] * 5, "it rained", 9) == [0, 4]


def kept_of(*fields: tuple[str, str, str]) -> list[bool]:
    table = table_of([{"text": text, "path": path, "type": kind} for text, path, kind in fields])
    first, *others = [form.without_echoes(table, [True] * len(fields)) for form in FORMS]
    assert others in ([], [first])
    return list(first)


@pytest.mark.parametrize(
    ("one", "other", "keeps"),
    [
        ("body/div.ssr-variant.hidden-1/div/p", "body/div.ssr-variant.hidden-2/div/p", False),
        ("body/div.ssr-variant.hidden-1/div/p.wet", "body/div.ssr-variant.hidden-1/div/p.wet", False),
        ("body/div/ul.desktop-list/li", "body/div/ul.mobile-list/li", False),
        ("body/div/div.planMobileCopy/p", "body/div/div.planDesktopCopy/p", False),
        ("body/div/div.hide-tablet/p", "body/div/div.show-tablet/p", False),
        ("body/div/h4#mobile-a", "body/div/h4#mobile-b", True),
        ("body/div/li.mobile-a", "body/div/li.mobile-b", True),
        ("body/div.mobile/table/tr", "body/div.desktop/table/tr", True),
        ("body/div/div.a/p.mobile", "body/div/div.b/p.desktop", True),
        ("body/div/div.mobile/p", "body/div/div/p", True),
        ("body/div/div.mobile/p", "body/div/div.mobile/p", True),
        ("body/div/div.automobile/p", "body/div/div.automobiles/p", True),
    ],
)
def test_a_text_for_screens_of_another_width_is_dropped(one: str, other: str, keeps: bool) -> None:
    texts = ("It rained here", one, "p"), ("It was wet", one, "p"), ("It rained here", other, "p")
    assert kept_of(*texts) == [True, True, keeps]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
def test_clones_in_a_carousel_are_dropped(form: ModuleType) -> None:
    logo, clone = ({"text": "Rain Ltd", "path": "body/ul/li"} | hidden for hidden in ({}, {"hidden": "aria"}))
    other = {"text": "Snow Ltd", "path": "body/ul/li", "hidden": "aria"}
    table = table_of([clone, other, logo, clone, logo])
    assert form.without_echoes(table, [True] * 5) == [False, True, True, False, True]
    assert form.without_echoes(table, [True, True, False, True, False]) == [True, True, False, True, False]
    price = table_of([{**logo, "text": "$170"}, {**clone, "text": "$170"}])
    assert form.without_echoes(price, [True] * 2) == [True] * 2


def test_a_text_that_repeats_the_one_before_is_dropped_however_short() -> None:
    title, label, other = (
        ("It rained a lot", "body/div/h2", "h"),
        ("It rained a lot", "body/div", "p"),
        ("No", "p", "p"),
    )
    assert kept_of(title, label) == [True, False]
    assert kept_of(label, title, label) == [False, True, False]
    assert kept_of(title, other, label) == [True] * 3
    name = ("It rained a lot", "body/p/b", "h")
    assert kept_of(title, other, other, name) == [True, True, True, False]
    assert kept_of(title, other, other, other, name) == [True] * 5
    assert kept_of(label, label) == [True] * 2
    assert kept_of(("It rained", "body/div/h2", "h"), ("It rained", "body/div", "p")) == [True] * 2
    assert kept_of(label, ("It rained a lot", "table/tr/td.b", "p")) == [True] * 2


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
def test_what_is_repeated_in_a_row_is_dropped(form: ModuleType) -> None:
    texts = [{"text": f"{place} of the many words of a recipe that stands on its page twice."} for place in range(4)]
    other = {"text": "Serve it warm."}

    def kept_of(*segments: dict[str, str | int | bool]) -> str:
        keeps = form.without_copies(
            table_of([{**one, "path": "body/p"} for one in segments]), [True] * len(segments), 10
        )
        return "".join("-+"[keep] for keep in keeps)

    assert kept_of(*texts, other, *texts) == "+++++----"
    assert kept_of(*texts, *texts, other, *texts) == "++++----+----"
    assert kept_of(*texts, texts[1], texts[0], texts[3], texts[2]) == "++++++++"  # in another order
    assert kept_of(*texts[:2], other, *texts[:2]) == "+++++"  # two
    assert kept_of(*texts[:3], other, *texts[:3]) == "+++++++"  # of few words
    long = [{"text": f"{number} " * 40} for number in range(10, 30)]
    assert kept_of(*texts, *long, *texts) == "+" * 28  # a small share of the page
    for field in ("post", "pre"):
        assert kept_of(*texts, *({**text, field: True} for text in texts)) == "++++++++"
