"""Held-out results: pages are split by site, samples are spread, and jobs read what other jobs write."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from bench import accuracy, heldout
from ncfilters.dataset.gold import domain
from ncfilters.features.categories import CATEGORIES, OTHER


def pages(number: int) -> list[dict[str, Any]]:
    """Segmented pages of sites of one to four pages."""
    rnd = random.Random(1)
    sites = [site for site in range(number) for _ in range(rnd.randint(1, 4))]
    return [
        {
            "id": f"wcxb-dev/{at}",
            "url": f"http://site{site}.example/{at}",
            "segments": [{"text": "a", "origin": "meta"}],
        }
        for at, site in enumerate(sites)
    ]


def test_no_site_is_trained_and_tested_on() -> None:
    all_pages = pages(40)
    train, test = heldout.split([*all_pages, {"id": "empty", "url": "", "segments": []}])
    assert not {domain(page) for page in train} & {domain(page) for page in test}
    assert sorted(page["id"] for page in (*train, *test)) == sorted(page["id"] for page in all_pages)
    assert len(test) == pytest.approx(len(all_pages) * 2 / 5, abs=4)


def test_shares_of_sites_are_nested() -> None:
    all_pages = pages(40)
    share_of_sites = heldout.share_of_sites
    eighth, half = share_of_sites(all_pages, 0.125), share_of_sites(all_pages, 0.5)
    assert [page for page in half if page in eighth] == eighth
    assert len({domain(page) for page in eighth}) == 5
    assert len({domain(page) for page in half}) == 20
    sites = {domain(page) for page in half}
    assert [page for page in all_pages if domain(page) in sites] == half


def test_embedded_content_is_removed_by_origin() -> None:
    segments = [{"text": "a"}, {"text": "b", "origin": "json-ld:articleBody"}, {"text": "c", "origin": "noscript"}]
    page = {"id": 1, "segments": segments}
    left = {
        kind: heldout.without_origins(page, origins)["segments"] for kind, origins in heldout.EMBEDDED_ORIGINS.items()
    }
    left = {kind: "".join(part["text"] for part in parts) for kind, parts in left.items()}
    assert left == {"noscript": "ab", "json-ld": "ac", "other": "abc"}
    assert len(page["segments"]) == 3


def test_each_origin_is_of_one_kind() -> None:
    kinds = [origin for origins in heldout.EMBEDDED_ORIGINS.values() for origin in origins]
    assert sorted(kinds) == sorted({*CATEGORIES["origin"]} - {OTHER})


def test_a_sample_has_all_kinds_and_many_sites() -> None:
    lines = [
        json.dumps({"id": n, "url": f"http://{kind}{n // 5}.example/", "lang": kind}).encode()
        for kind, number in (("el", 20), ("zh", 200))
        for n in range(number)
    ]
    chosen = [json.loads(lines[at]) for at in heldout.spread(lines, 8)]
    assert [page["lang"] for page in chosen] == ["el"] * 4 + ["zh"] * 4
    assert len({page["url"] for page in chosen}) == 8


def test_results_have_distinct_files_and_known_inputs() -> None:
    jobs = heldout.jobs()
    split = {"train", "test", *(f"train, {share}" for share in heldout.SHARES)}
    split |= {f"{part}, no {kind}" for part in ("train", "test") for kind in heldout.EMBEDDED_ORIGINS}
    segmented = {f"{some.profile} {name}" for some in heldout.INPUTS.values() for name in some.sets}
    names = [*jobs, *heldout.INPUTS, *split, *segmented, *(f"pages {name}" for name in heldout.SETS)]
    assert len({heldout.result_path(Path(), name) for name in names}) == len(names)
    for job in jobs.values():
        assert set(job.reads) <= {*heldout.INPUTS, *split}
        assert all(f"{{{read}}}" in job.command for read in job.reads)
    assert {name for _, reads in accuracy.TABLES.values() for name in reads} == set(jobs)
