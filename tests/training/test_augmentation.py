"""Data augmentation: which segments move, which stay, and how they are labelled."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ncfilters.dataset.labelled_pages import label_page
from ncfilters.features.document import NO_HEAD, Head, ModelInput
from ncfilters.training import augmentation
from ncfilters.training.examples import TrainingPage


def site_page(host: str, content: int, teasers: int) -> TrainingPage:
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
    segments = [*lists[:3], *text, *lists[3:]]
    labelled = label_page({"url": f"https://{host}/", "segments": segments, "gold": {"text": "\n".join(prose)}})
    return TrainingPage(labelled, ModelInput(segments, Head(f"Paragraphs of {host}")))


PAGES = [site_page(f"site{at}.example", 4, 30) for at in range(6)] + [site_page("list.example", 0, 40)]


def portals(seed: int) -> dict[int, TrainingPage]:
    """The portals of PAGES, all of one fold."""
    return augmentation.portals(PAGES, [0] * len(PAGES), seed)


def fragments(seed: int) -> dict[int, TrainingPage]:
    return augmentation.fragments(PAGES, seed)


def columns(page: TrainingPage) -> list[Any]:
    labelled = page.labelled
    return [page.document.segments, labelled.texts, labelled.types, labelled.marked, labelled.words, labelled.matched]


@pytest.mark.parametrize("make", [fragments, portals])
def test_all_columns_of_a_variant_have_one_length(make: Any) -> None:
    variants = make(3)
    assert len(variants) >= 6
    for source, page in variants.items():
        assert len(set(map(len, columns(page)))) == 1
        assert [segment["text"] for segment in page.document.segments] == page.labelled.texts
        assert page.labelled.domain == PAGES[source].labelled.domain


@pytest.mark.parametrize("make", [fragments, portals])
def test_the_seed_determines_the_variants(make: Any) -> None:
    first, again, other = make(3), make(3), make(4)
    assert first == again
    assert first != other


def test_a_fragment_is_a_piece_of_its_page() -> None:
    for source, page in fragments(0).items():
        texts, own = PAGES[source].labelled.texts, page.labelled.texts
        start = texts.index(own[0])
        assert own == texts[start : start + len(own)]
        assert 1 <= len(own) <= augmentation.MAX_FRAGMENT
        assert all(segment["path"].count("/") <= 3 for segment in page.document.segments)


def test_portals_are_articles_among_boilerplate_of_their_fold() -> None:
    variants = portals(0)
    assert variants.keys() <= set(range(6))  # a list is no article
    for source, page in variants.items():
        article, portal = PAGES[source].labelled, page.labelled
        assert [text for text in portal.texts if article.domain in text] == article.texts  # whole, and in order
        others = [matched for text, matched in zip(portal.texts, portal.matched) if article.domain not in text]
        assert len(others) >= augmentation.RUN[0]
        assert not any(others)
        assert sum(portal.matched) == sum(article.matched)
    fold = [number % 2 for number in range(len(PAGES))]
    fold_of_host = {page.labelled.domain: number for page, number in zip(PAGES, fold)}
    for source, page in augmentation.portals(PAGES, fold, 0).items():
        hosts = {host for host in fold_of_host for text in page.labelled.texts if host in text}
        assert {fold_of_host[host] for host in hosts} == {fold[source]}


def test_layout_by_tables_changes_a_step_alike_everywhere() -> None:
    segments = [
        {"text": "x", "type": "p", "tag": "p", "path": path} for path in ["body/div.a/p", "body/div.a/div.b/p"] * 9
    ]
    seen = set()
    for seed in range(20):
        out = augmentation.lay_out_by_tables(segments, np.random.default_rng(seed))
        assert len({segment["path"] for segment in out}) == 2
        assert all(segment["path"].startswith("body/") for segment in out)
        assert all(segment["path"].rpartition("/")[2].split(".")[0] == segment["tag"] for segment in out)
        seen.update(segment["path"] for segment in out)
    assert {"body/table/tbody/tr/td/p", "body/div.a/p", "body/table/tbody/tr/td"} <= seen
    assert segments[0]["path"] == "body/div.a/p"


@pytest.mark.parametrize("make", [fragments, portals])
def test_some_variants_keep_the_head_of_their_page(make: Any) -> None:
    heads = [
        (page.document.head, PAGES[source].document.head) for seed in range(9) for source, page in make(seed).items()
    ]
    assert {made == own for made, own in heads} == {True, False}
    assert {made for made, own in heads if made != own} == {NO_HEAD}
