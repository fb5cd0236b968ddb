"""Metadata in tags."""

from __future__ import annotations

from ncfilters.page.metadata.meta_tags import tag_statements


def test_tags_by_vocabulary_and_rank() -> None:
    said = tag_statements(
        [
            ("twitter:data1", "4 minutes"),
            ("twitter:label1", "Est. reading time"),
            ("twitter:label2", "Written by"),
            ("twitter:data2", "Ann Lee"),
            ("parsely-author", "Bob"),
            ("author", "Ann"),
            ("citation_author", "Lee, Ann"),
            ("citation_author", "Ode, Bo"),
            ("og:site_name", "Puddle"),
            ("viewport", "width=1"),
        ]
    )
    assert said["meta"]["author"] == [
        ("Ann", "meta author"),
        ("Bob", "meta parsely-author"),
        ("Ann Lee", "meta twitter:data2"),
    ]
    assert [text for text, _ in said["dublin-core"]["author"]] == ["Lee, Ann", "Ode, Bo"]
    assert said["opengraph"] == {"site": [("Puddle", "meta og:site_name")]}


def test_no_tags() -> None:
    assert tag_statements([]) == {}


def test_keywords_for_search_engines_are_no_categories() -> None:
    said = tag_statements([("keywords", "rain, best rain"), ("news_keywords", "Rain")])
    assert said == {"meta": {"categories": [("Rain", "meta news_keywords")]}}


def test_names_in_any_case_and_contents_that_are_bounded() -> None:
    said = tag_statements([(" AUTHOR ", "x" * 3000), ("og:title", ""), (None, "Ann"), ("byl", None), ("", "y")])
    assert said == {"meta": {"author": [("x" * 2000, "meta author")]}}
