"""Metadata in tags."""

from __future__ import annotations

import random

import pytest

from ncfilters.page.html_parser import parse_html
from ncfilters.page.metadata.meta_tags import tag_statements
from ncfilters.page.metadata.page_sources import page_sources, page_sources_in_python
from ncfilters.page.page_search import search_page
from ncfilters.page.present_selectors import Search


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


@pytest.mark.parametrize("seed", range(3))
def test_the_core_reads_as_python_does(seed: int) -> None:
    rng = random.Random(seed)
    names = "author AUTHOR  og:title og:TITLE\n dc.creator twitter:label1 twitter:data1 twitter:label2 byl x".split(" ")
    names.append("twitter:data2")
    names += [
        "",
        " og:site_name",
        "\u00a0og:type\u00a0",
        "\u212aeywords",
        "keywords",
        "twitter:",
        "date",
        "pubdate",
        "\u0130",
    ]
    contents = ["", " ", "Ann", "Written by", " ESCRITO POR:", "x" * 3000, "\u96e8", None]
    for count in (*range(30), *[30] * 200, 5_000):
        tags = "".join(random_tag(rng, names, contents) for _ in range(count))
        tree = parse_html(f"<svg><meta name=author content=Bo></svg>{tags}")
        assert page_sources(search_page(tree)) == page_sources_in_python(Search(tree))


def random_tag(rng: random.Random, names: list[str], contents: list[str | None]) -> str:
    """A tag with a name or a property, or both, and perhaps a content."""
    kinds = rng.sample(("name", "property", "http-equiv"), rng.choice((0, 1, 1, 1, 2)))
    values = [*((kind, rng.choice(names)) for kind in kinds), ("content", rng.choice(contents))]
    return "<meta " + " ".join(f"{name}='{value}'" for name, value in values if value is not None) + ">"
