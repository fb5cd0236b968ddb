"""Pages made of pages: what is moved, what stays, what is labelled how."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ncfilters.dataset import labelled_pages
from ncfilters.features.document import NO_HEAD, Document, Head
from ncfilters.training import augmentation
from ncfilters.training.augmentation import Source


def source(host: str, content: int, teasers: int) -> Source:
    """A page with some paragraphs of gold text and a list of teasers."""
    prose = [
        f"Paragraph {at} of {host} says many a word, so that it is as long as prose has to be here, or longer."
        for at in range(content)
    ]
    text = [{"text": line, "type": "p", "tag": "p", "path": "body/main#m/div.post/p", "links": 0} for line in prose]
    lists = [
        {"text": f"Teaser {at} on {host}", "type": "l", "tag": "li", "path": "body/div.rail/ul.teasers/li", "links": 9}
        for at in range(teasers)
    ]
    record = {
        "url": f"https://{host}/",
        "segments": [*lists[:3], *text, *lists[3:]],
        "gold": {"text": "\n".join(prose)},
    }
    page = labelled_pages.label_page(record)
    document = Document(record["segments"], Head(f"Paragraphs of {host}"))
    return Source(page, document)


SOURCES = [source(f"site{at}.example", 4, 30) for at in range(6)] + [source("list.example", 0, 40)]


def parts(variant: augmentation.Variant) -> list[Any]:
    page = variant.page
    return [variant.document.segments, page.texts, page.types, page.marked, page.words, page.matched]


@pytest.mark.parametrize("make", [augmentation.fragments, augmentation.portals])
def test_parts_are_of_one_length_and_the_same_again(make: Any) -> None:
    made, again = make(SOURCES, 3), make(SOURCES, 3)
    assert len(made) >= 6
    for variant, same in zip(made, again):
        assert len(set(map(len, parts(variant)))) == 1
        assert variant.document == same.document
        assert [s["text"] for s in variant.document.segments] == variant.page.texts
        assert variant.page.domain == SOURCES[variant.source].page.domain
    assert any(one.document != other.document for one, other in zip(made, make(SOURCES, 4)))


def test_a_fragment_is_a_piece_of_its_page() -> None:
    for variant in augmentation.fragments(SOURCES, 0):
        texts = SOURCES[variant.source].page.texts
        start = texts.index(variant.page.texts[0])
        assert variant.page.texts == texts[start : start + len(variant.page.texts)]
        assert 1 <= len(variant.page.texts) <= augmentation.MOST_OF_FRAGMENT
        assert all(segment["path"].count("/") <= 3 for segment in variant.document.segments)


def test_a_portal_is_an_article_among_what_is_boilerplate_there() -> None:
    made = augmentation.portals(SOURCES, 0)
    assert {variant.source for variant in made} <= set(range(6))  # a list is no article
    for variant in made:
        host = SOURCES[variant.source].page
        own = [text for text in variant.page.texts if host.domain in text]
        assert own == host.texts  # whole, and in order
        others = [m for text, m in zip(variant.page.texts, variant.page.matched) if host.domain not in text]
        assert len(others) >= augmentation.RUN[0]
        assert not any(others)
        assert sum(variant.page.matched) == sum(host.matched)


def test_runs_are_of_the_same_fold() -> None:
    folded = [replace(source, fold=number % 2) for number, source in enumerate(SOURCES)]
    fold_of = {source.page.domain: source.fold for source in folded}
    for variant in augmentation.portals(folded, 0):
        hosts = {host for host in fold_of for text in variant.page.texts if host in text}
        assert {fold_of[host] for host in hosts} == {folded[variant.source].fold}


def test_layout_by_tables_is_the_same_for_the_same_step() -> None:
    document = [
        {"text": "x", "type": "p", "tag": "p", "path": path} for path in ["body/div.a/p", "body/div.a/div.b/p"] * 9
    ]
    seen = set()
    for seed in range(20):
        out = augmentation.laid_out_by_tables(document, np.random.default_rng(seed))
        assert len({segment["path"] for segment in out}) == 2
        assert all(segment["path"].startswith("body/") for segment in out)
        assert all(segment["path"].rpartition("/")[2].split(".")[0] == segment["tag"] for segment in out)
        seen.update(segment["path"] for segment in out)
    assert {"body/table/tbody/tr/td/p", "body/div.a/p", "body/table/tbody/tr/td"} <= seen
    assert document[0]["path"] == "body/div.a/p"


@pytest.mark.parametrize("make", [augmentation.fragments, augmentation.portals])
def test_some_know_the_head_of_their_page(make: Any) -> None:
    made = [variant for seed in range(9) for variant in make(SOURCES, seed)]
    heads = {variant.document.head == SOURCES[variant.source].document.head for variant in made}
    assert heads == {True, False}
    assert {v.document.head for v in made if v.document.head != SOURCES[v.source].document.head} == {NO_HEAD}
