"""What is no text of a page, whatever its scores."""

from __future__ import annotations

import pytest

from ncfilters.selection.never_text import MAX_NOTE, RULES, reason_of, without_boilerplate
from ncfilters.selection.scored_table import table_of


def test_landmarks_go_and_other_rules_stay() -> None:
    rules = [*sorted(RULES), "bars", "links", None]
    segments = [{"text": "Text.", "rule": rule} for rule in rules]
    assert without_boilerplate(table_of(segments), [True] * len(rules)) == [False] * len(RULES) + [True] * 3


@pytest.mark.parametrize(("words", "is_text"), [(3, False), (4, True)])
def test_widgets_go_unless_they_have_much_of_the_text(words: int, is_text: bool) -> None:
    table = table_of(
        [
            {"text": "word " * words, "rule": "widget", "path": "body/div.social/p"},
            {"text": "word " * 7, "path": "body/p"},
            {"text": "word " * 99, "path": "body/p"},
        ]
    )
    assert without_boilerplate(table, [True, True, False]) == [is_text, True, False]


def test_a_dialog_in_a_widget_goes() -> None:
    path = "body/div.modal/div:dialog#cart/p"
    table = table_of([{"text": "word " * 99, "rule": "widget", "path": path}, {"text": "Rain.", "path": "body/p"}])
    assert without_boilerplate(table, [True, True]) == [False, True]


def test_notes_for_browsers_without_scripts_go_and_texts_stay() -> None:
    note = {"text": "word " * (MAX_NOTE - 1), "origin": "noscript"}
    shown = {"text": "Text that browsers show. " * 30}
    for more, is_text in ("word", False), ("two words", True):
        table = table_of([note, shown, {"text": more, "origin": "noscript"}])
        assert without_boilerplate(table, [True] * 3) == [is_text, True, is_text]
    assert without_boilerplate(table_of([{"text": "word", "origin": "template"}]), [True]) == [True]


@pytest.mark.parametrize(
    "name", ["div.select-menu-list", "ul.dropdown-menu", "div#sort.dropdownMenu", "ul.listbox", "aside.product-facets"]
)
def test_lists_of_choices_go(name: str) -> None:
    table = table_of(
        [{"text": "Abkhazian", "path": f"body/{name}/li"}, {"text": "It rained all day.", "path": "body/p"}]
    )
    assert without_boilerplate(table, [True, True]) == [False, True]


@pytest.mark.parametrize("name", ["ul.menu", "div.dropdown-content", "div.multifaceted", "div.selection"])
def test_other_lists_stay(name: str) -> None:
    assert without_boilerplate(table_of([{"text": "Rain.", "path": f"body/{name}/li"}]), [True]) == [True]


@pytest.mark.parametrize(
    ("path", "is_text"),
    [
        ("body/h2.visually-hidden", False),
        ("body/div/p.card__a11y.screen-reader-only", False),
        ("body/div.sr-only/p", True),
        ("body/table/tr/td.sr-only", True),
    ],
)
def test_blocks_for_screen_readers_go(path: str, is_text: bool) -> None:
    assert without_boilerplate(table_of([{"text": "Results", "path": path}]), [True]) == [is_text]
    assert without_boilerplate(table_of([{"text": "Rain", "path": path, "role": "title"}]), [True]) == [True]


@pytest.mark.parametrize("label", ["Advertisement", "- Anzeige -", "ADVERTISEMENT · Scroll to continue", "Loading..."])
def test_labels_of_advertisements_go(label: str) -> None:
    texts = [label, f"The word {label}", "Advertisements on television"]
    table = table_of([{"text": text} for text in texts])
    assert without_boilerplate(table, [True] * 3) == [False, True, True]


@pytest.mark.parametrize(
    ("name", "is_text"),
    [
        ("div.printfooter", False),
        ("p.visible-print-block", False),
        ("div.print-only", False),
        ("div.hide-for-print", True),
        ("div.blueprint-only", True),
        ("div.printing", True),
    ],
)
def test_short_texts_for_paper_go(name: str, is_text: bool) -> None:
    note = {"text": "Printed from https://example.org/tram", "path": f"body/{name}"}
    assert without_boilerplate(table_of([note]), [True]) == [is_text]
    long = {"text": "word " * (MAX_NOTE + 1), "path": f"body/{name}"}
    assert without_boilerplate(table_of([long]), [True]) == [True]


@pytest.mark.parametrize(
    ("segment", "words"),
    [
        ({"text": "Home", "rule": "nav"}, "rule nav"),
        ({"text": "Switch on scripts.", "origin": "noscript"}, "note for browsers without scripts"),
        ({"text": "Anzeige"}, "label of an advertisement"),
        ({"text": "Oldest first", "path": "body/ul.listbox/li"}, "list of choices"),
        ({"text": "Results list", "path": "body/h2.sr-only"}, "text for screen readers"),
        ({"text": "Retrieved from", "path": "body/div.printfooter"}, "text for paper"),
    ],
)
def test_what_is_dropped_has_a_reason(segment: dict[str, object], words: str) -> None:
    assert reason_of(table_of([segment]), 0) == words


DATA = '{"layoutMobile":2,"buttonAlign":"Center","productTitle":{"hue":213,"brightness":0.83}}'


@pytest.mark.parametrize(
    ("segment", "is_text"),
    [
        ({"text": DATA}, False),
        ({"text": DATA[:-1]}, True),
        ({"text": DATA.replace(":", ": ")}, True),
        ({"text": DATA, "pre": True}, True),
        ({"text": DATA, "spans": [[0, len(DATA), "code"]]}, True),
        ({"text": '{"id":1}'}, True),
        ({"text": '{"a":' + "[" * 5000 + "]" * 5000 + "}"}, True),
    ],
)
def test_data_of_scripts_goes(segment: dict[str, object], is_text: bool) -> None:
    assert without_boilerplate(table_of([segment]), [True]) == [is_text]


def test_nothing_is_kept_that_was_not() -> None:
    assert without_boilerplate(table_of([]), []) == []
    assert without_boilerplate(table_of([{"text": "Text."}]), [False]) == [False]
