"""The benchmark of language identification."""

from __future__ import annotations

from bench import language

PAGES = [
    language.Page("press, el", "el", [{"text": "Home"}], "Το τραμ"),
    language.Page("press, el", "el", [{"text": "Home"}], "Home"),
    language.Page("numbers", "", [{"text": "7"}], "7"),
]


def test_accuracy_counts_pages_of_each_group() -> None:
    identify = language.identifier(language.OURS)
    assert language.accuracy(PAGES, identify, lambda page: page.sample) == {"press, el": (1, 2), "numbers": (1, 1)}
    assert language.accuracy(PAGES, identify, language.first_text)["press, el"] == (0, 2)


def test_texts_are_cut_into_parts() -> None:
    assert language.parts([{"lang": "en", "text": "abcdefg"}], 3) == [("en", "abc"), ("en", "def")]
    assert language.parts([{"lang": "en", "text": "ab"}], 3) == [("en", "ab")]


def test_tables_have_a_column_for_each_identifier() -> None:
    names = [language.OURS]
    assert "| press, el | 2 | 50.0 | 0.0 |\n" in language.page_table(PAGES, names)
    (row,) = list(language.cost_table(PAGES, names))[2:]
    assert row.startswith("| ours | 0.")
    assert language.installed()[:2] == [language.OURS, "Resiliparse"]
