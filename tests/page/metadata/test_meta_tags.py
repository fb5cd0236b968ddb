"""Metadata in tags."""

from __future__ import annotations

import random

import pytest

from ncfilters.page.metadata.meta_tags import tag_statements, tag_statements_in_python


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
        "\ud800",
        "\u0130",
    ]
    contents = ["", " ", "Ann", "Written by", " ESCRITO POR:", "x" * 3000, "\u96e8\ud800", None]
    for _ in range(800):
        tags = [(rng.choice([*names, None]), rng.choice(contents)) for _ in range(rng.randrange(30))]
        assert tag_statements(tags) == tag_statements_in_python(tags)
    many = [(rng.choice(names), str(number)) for number in range(20_000)]
    assert tag_statements(many) == tag_statements_in_python(many)
