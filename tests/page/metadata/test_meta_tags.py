"""Metadata in tags."""

from __future__ import annotations

import pytest

from ncfilters.native.page_table import table_of
from ncfilters.page.metadata.meta_tags import declared_address, tag_statements
from ncfilters.page.page_options import PageOptions
from ncfilters.page.profiles import render_record
from ncfilters.page.tree import html_parser
from ncfilters.page.tree.survey import survey
from ncfilters.pipeline import Pipeline


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


CANONICAL = "<link rel=canonical href='https://a.example/news/rain'>"
GRAPH = "<meta property='og:url' content='https://b.example/rain'>"


def address_of(html: str) -> str | None:
    return declared_address(survey(table_of(html_parser.parse_html(html).root)))


@pytest.mark.parametrize(
    "html, expected",
    [
        ("<p>Text.", None),
        (CANONICAL, "https://a.example/news/rain"),
        (GRAPH + CANONICAL, "https://a.example/news/rain"),
        (GRAPH, "https://b.example/rain"),
        (f"<link rel=canonical href=''>{GRAPH}", "https://b.example/rain"),
        (f"<link rel=canonical href='/rain'>{GRAPH}", "https://b.example/rain"),
        ("<link rel=canonical href='/rain'>", None),
        ("<base href='https://c.example/x/'><link rel=canonical href=rain>", "https://c.example/x/rain"),
        ("<base href='https://c.example/x/'>", None),  # of the site, not of the page
        ("<base href='/x/'><link rel=canonical href=rain>", None),
        ("<link rel=canonical href='javascript:go()'>", None),
        ("<link rel=alternate href='https://a.example/feed'>", None),
    ],
)
def test_declared_address(html: str, expected: str | None) -> None:
    assert address_of(html) == expected


def test_the_address_of_the_record_comes_first() -> None:
    page = f"{CANONICAL}<p>Text."
    assert render_record({"html": page})["url"] == "https://a.example/news/rain"
    assert render_record({"html": page, "url": None})["url"] == "https://a.example/news/rain"
    assert render_record({"html": page, "url": "https://c.example/"})["url"] == "https://c.example/"
    assert "url" not in render_record({"html": "<p>Text."})


def test_links_are_resolved_by_it() -> None:
    page = f"{CANONICAL}<p>The <a href='sun'>sun</a> shone."
    (block,) = render_record({"html": page}, PageOptions(markup=True))["blocks"]
    assert block["spans"] == [[4, 7, "link", "https://a.example/news/sun"]]


@pytest.mark.parametrize("form", ["plain", "markdown", "html"])
def test_the_text_of_a_page_is_the_same_with_and_without_its_canonical_address(form: str) -> None:
    page = f"""<title>Rain | A Example</title>{CANONICAL}<nav><a href=/>Home</a> <a href=/news>News</a></nav>
<h1>Rain</h1><p>It rained all day in the town by the sea, and <a href=more>the streets were empty</a>.
<p><img src=rain.jpg alt=Rain>
<footer>© <a href=/>A Example</a></footer>"""
    pipeline = Pipeline("en", form=form)
    known = pipeline.record({"html": page, "url": "https://a.example/news/rain"})
    assert pipeline.record({"html": page})["text"] == known["text"]
