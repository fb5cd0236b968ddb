"""Other systems, and the pages that are held out."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from bench import accuracy, heldout, support, systems
from ncfilters.dataset.gold import domain
from ncfilters.features.schema import CATEGORIES, OTHER

THRESHOLD = systems.Decision("threshold", "balance")


def test_segments_are_selected_by_each_decision() -> None:
    segments = [
        {"text": "Some words here.", "type": "p", "score": 5.0},
        {"text": "Home", "type": "l", "score": 4.0, "rule": "nav"},
        {"text": "Of a script.", "type": "p", "score": -9.0, "rule": "embedded", "origin": "hydration"},
        {"text": "Login", "type": "p", "score": -9.0},
    ]
    page = {"id": 7, "gold": "<p>Some", "segments": segments, "page": {"odds": 5.0}}

    def kept(page: dict[str, Any], decision: systems.Decision) -> list[bool]:
        return [segment["keep"] for segment in systems.select(page, decision)["segments"]]

    assert kept(page, systems.RULES) == [True, False, False, True]
    assert kept(page, systems.EVERYTHING) == [True, True, False, True]
    assert kept(page, THRESHOLD) == [True, True, False, False]
    assert kept({**page, "page": None}, THRESHOLD) == [True, False, False, False]
    line = json.dumps(page).encode()
    assert systems.selected_texts(line, [systems.RULES, THRESHOLD]) == (
        "7",
        ["<p>Some words here.\n<p>Login", "<p>Some words here.\n<l>Home"],
    )


def test_pages_without_segments_have_no_text() -> None:
    error = {"id": 7, "gold": "Some", "error": {"stage": "score", "message": "text: missing"}}
    for page in (error, {"id": 7, "gold": "Some", "segments": []}):
        assert systems.select(page, systems.DEFAULT)["text"] == ""


GOLDS = {
    "main --without title": {"text": "", "title": "Bridge closed", "with": [], "without": []},
    "article": {"text": "", "comments": ""},
    "all": {"markup": "<p>"},
}


@pytest.mark.parametrize("options", GOLDS)
def test_content_is_that_of_the_gold_text_as_nc_select_decides(options: str, tmp_path: Path) -> None:
    roles = {"title": "Bridge closed", "caption": "The old bridge", "comment": "Great news.", "text": "Some text here."}
    segments = [
        {"text": text, "type": "p", "score": 3.0, "role": role, "role_probability": 0.95}
        | {"score_article": 3.0 if role == "text" else -3.0, "score_all": 3.0}
        for role, text in roles.items()
    ]
    page = {"id": 7, "gold": GOLDS[options], "segments": segments, "page": {"odds": 5.0}}
    scored = tmp_path / "scored.jsonl"
    scored.write_text(json.dumps(page) + "\n")
    for decision, asked in ((systems.DEFAULT, f"--policy {options}"), (systems.WITHOUT_OPTIONS, "")):
        form = "cleaneval" if options == "all" else "plain"
        (text,) = systems.selected_texts(scored.read_bytes(), [decision])[1]
        out = support.run_pipe(f"nc-select -f jsonl --as {form} {asked} {scored}", b"")
        assert json.loads(out)["text"] == text
    of_gold, by_default = systems.selected_texts(scored.read_bytes(), [systems.DEFAULT, systems.WITHOUT_OPTIONS])[1]
    assert "Some text here." in of_gold
    assert of_gold != by_default
    without_roles = [{"text": segment["text"], "type": "p", "score": 3.0} for segment in segments]
    assert "Great news." in systems.select({**page, "segments": without_roles}, systems.DEFAULT)["text"]


def test_difference_cells_have_points_interval_and_p() -> None:
    cells = systems.difference_cells([90.0, 80.0, 70.0, 65.0], [80.0, 75.0, 69.0, 70.0])
    assert cells[0] == "+2.75"
    assert len(cells) == 4
    assert systems.difference_cells([1.0, 2.0], [1.0, 2.0], interval=False) == ["+0.00", ""]


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


def test_sites_are_split_and_shared() -> None:
    all_pages = pages(40)
    train, test = heldout.split([*all_pages, {"id": "empty", "url": "", "segments": []}])
    assert not {domain(page) for page in train} & {domain(page) for page in test}
    assert sorted(page["id"] for page in (*train, *test)) == sorted(page["id"] for page in all_pages)
    assert len(test) == pytest.approx(len(all_pages) * 2 / 5, abs=4)
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
