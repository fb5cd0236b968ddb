"""The work behind bench/accuracy.md: which pages are trained on, what stated odds are worth, and a small run of it."""

from __future__ import annotations

import importlib
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import invented
import pytest

from ncfilters.dataset.gold import domain

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(ROOT / "bench")
    return importlib.import_module


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


# ---- pages ------------------------------------------------------------------------------------------------------


def test_no_site_is_trained_and_tested_on(bench: Any) -> None:
    all_pages = pages(40)
    train, test = bench("heldout").split([*all_pages, {"id": "empty", "url": "", "segments": []}])
    assert not {domain(page) for page in train} & {domain(page) for page in test}
    assert sorted(page["id"] for page in (*train, *test)) == sorted(page["id"] for page in all_pages)
    assert len(test) == pytest.approx(len(all_pages) * 2 / 5, abs=4)


def test_shares_of_the_sites_are_nested_and_whole(bench: Any) -> None:
    all_pages = pages(40)
    few = bench("heldout").few
    eighth, half = few(all_pages, 0.125), few(all_pages, 0.5)
    assert [page for page in half if page in eighth] == eighth
    assert len({domain(page) for page in eighth}) == 5
    assert len({domain(page) for page in half}) == 20
    sites = {domain(page) for page in half}
    assert [page for page in all_pages if domain(page) in sites] == half


def test_what_is_not_shown_goes_by_its_origin(bench: Any) -> None:
    heldout = bench("heldout")
    segments = [{"text": "a"}, {"text": "b", "origin": "json-ld:articleBody"}, {"text": "c", "origin": "noscript"}]
    page = {"id": 1, "segments": segments}
    left = {kind: heldout.shown(page, origins)["segments"] for kind, origins in heldout.EMBEDDED.items()}
    left = {kind: "".join(part["text"] for part in parts) for kind, parts in left.items()}
    assert left == {"noscript": "ab", "json-ld": "ac", "other": "abc"}
    assert len(page["segments"]) == 3


def test_every_origin_is_of_one_kind(bench: Any) -> None:
    from ncfilters.features.segment_table import CATEGORIES, OTHER

    kinds = [origin for origins in bench("heldout").EMBEDDED.values() for origin in origins]
    assert sorted(kinds) == sorted({*CATEGORIES["origin"]} - {OTHER})


def test_a_small_run_takes_of_each_kind_and_of_many_sites(bench: Any) -> None:
    lines = [
        json.dumps({"id": n, "url": f"http://{kind}{n // 5}.example/", "lang": kind}).encode()
        for kind, number in (("el", 20), ("zh", 200))
        for n in range(number)
    ]
    chosen = [json.loads(lines[at]) for at in bench("heldout").spread(lines, 8)]
    assert [page["lang"] for page in chosen] == ["el"] * 4 + ["zh"] * 4
    assert len({page["url"] for page in chosen}) == 8


def test_results_have_files_of_their_own_and_read_what_is_made(bench: Any) -> None:
    heldout, accuracy = bench("heldout"), bench("accuracy")
    jobs = heldout.jobs()
    work = heldout.Work.__new__(heldout.Work)
    work.folder = Path()
    split = {"train", "test", *(f"train, {share}" for share in heldout.SHARES)}
    split |= {f"{part}, no {kind}" for part in ("train", "test") for kind in heldout.EMBEDDED}
    segmented = {f"{some.profile} {name}" for some in heldout.INPUTS.values() for name in some.sets}
    names = [*jobs, *heldout.INPUTS, *split, *segmented, *(f"pages {name}" for name in heldout.SETS)]
    assert len({work.path(name) for name in names}) == len(names)
    for job in jobs.values():
        assert set(job.reads) <= {*heldout.INPUTS, *split}
        assert all(f"{{{read}}}" in job.command for read in job.reads)
    assert {name for _, reads in accuracy.TABLES.values() for name in reads} == set(jobs)


# ---- tables -----------------------------------------------------------------------------------------------------


def test_calibration_by_hand(bench: Any) -> None:
    calibrated = bench("calibrated")
    odds, clean, weights = [0.1, 0.2, 0.9, 1.0], [False, True, True, True], [1.0, 3.0, 1.0, 1.0]
    low, none, high = calibrated.binned(odds, clean, weights, 3)
    assert none is None
    assert low == (2, 4.0, pytest.approx(0.175), 0.75)
    assert high == (2, 2.0, pytest.approx(0.95), 1.0)
    # (4 * |0.175 - 0.75| + 2 * |0.95 - 1|) / 6
    assert calibrated.error_of([low, none, high]) == pytest.approx(40.0)


def test_what_a_page_states(bench: Any) -> None:
    calibrated = bench("calibrated")
    page = {
        "id": "wcxb-dev/1",
        "gold": "one two three four",
        "segments": [
            {"text": "one two three four", "type": "p", "score": 1.0},
            {"text": "menu", "type": "l", "score": -1.0, "rule": "nav"},
        ],
        "page": {"odds": 3.0},
    }
    found = calibrated.stated(json.dumps(page).encode())
    assert found.stated == pytest.approx([2 / 3, 1 / 3])
    assert found.clean == [True, False]
    assert found.weights["words"] == [4.0, 1.0]
    assert found.weights["as in training"] == pytest.approx([2 / 4**0.8, 1 / 4**0.8])
    assert found.precision == pytest.approx(2 / 3)
    page["gold"] = "some text that is somewhere else"
    assert calibrated.stated(json.dumps(page).encode()) is None


def test_ways_to_decide(bench: Any) -> None:
    measured = bench("measured")
    segments = [
        {"text": "Some words here.", "type": "p", "score": 5.0},
        {"text": "Home", "type": "l", "score": 4.0, "rule": "nav"},
        {"text": "Of a script.", "type": "p", "score": -9.0, "rule": "embedded", "origin": "hydration"},
        {"text": "Login", "type": "p", "score": -9.0},
    ]
    page = {"odds": 5.0}
    assert measured.decided(segments, measured.RULES, page) == [True, False, False, True]
    assert measured.decided(segments, measured.EVERYTHING, page) == [True, True, False, True]
    assert measured.decided(segments, ("threshold", "balance"), page) == [True, True, False, False]
    assert measured.decided(segments, ("threshold", "balance"), None) == [True, False, False, False]
    line = json.dumps({"id": 7, "gold": "<p>Some", "segments": segments, "page": page}).encode()
    assert measured.selected(line, [measured.RULES, ("threshold", "balance")]) == (
        "7",
        ["<p>Some words here.\n<p>Login", "<p>Some words here.\n<l>Home"],
    )


def test_differences(bench: Any) -> None:
    measured = bench("measured")
    cells = measured.difference([90.0, 80.0, 70.0, 65.0], [80.0, 75.0, 69.0, 70.0])
    assert cells[0] == "+2.75"
    assert len(cells) == 4
    assert measured.difference([1.0, 2.0], [1.0, 2.0], interval=False) == ["+0.00", ""]


def test_paragraphs_are_filled(bench: Any) -> None:
    said = bench("accuracy").said("\n## Of {n}\n\n{n} " + "word " * 60 + "\nend\n\n", n=3)
    assert said.startswith("\n## Of 3\n\n3 word")
    assert said.endswith(" end\n\n")
    assert max(map(len, said.splitlines())) <= 120


# ---- a small run ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three sets of invented pages."""
    folder = tmp_path_factory.mktemp("data")
    for name, start in (("wcxb-dev", 0), ("cleaneval-dev", 30), ("daniel-dev", 60)):
        made = [invented.page(number) for number in range(start, start + 10)]
        for number, page in enumerate(made):
            page |= {"id": f"{name}/{number}", "lang": "en", "url": f"http://site{start + number}.example/"}
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(page) + "\n" for page in made))
    return folder


def ran(*args: str | Path) -> tuple[str, str]:
    """What a run of the command says, and what it says it is doing."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "bench" / "accuracy.py"), *map(str, args)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def test_a_run_goes_on_where_one_was(sets: Path, tmp_path: Path) -> None:
    args = (sets, "--work", tmp_path, "--pages", "8")
    first, told = ran(*args, "--only", "calibration")
    assert "en …" in told
    assert "on 8 pages of wcxb-dev, 8 pages of cleaneval-dev, 8 pages of daniel-dev" in " ".join(first.split())
    assert "Segments of 24 pages" in first
    assert "| wcxb-dev |" in first
    again, told = ran(*args, "--only", "calibration")
    assert "en …" not in told
    assert again == first
    curve, told = ran(*args, "--only", "curve")
    assert "en …" not in told
    assert "half …" in told
    rows = [line.split(" | ")[:2] for line in curve.splitlines() if line.startswith("| ")]
    assert rows[2:] == [
        ["| an eighth", "2 pages of 2 sites"],
        ["| a quarter", "4 pages of 4 sites"],
        ["| half", "7 pages of 7 sites"],
        ["| all", "14 pages of 14 sites"],
        ["| more", "4 folds of 5, of 24 pages of 24 sites"],
    ]
    # of other data nothing is taken over
    _, told = ran(sets, "--work", tmp_path, "--pages", "7", "--only", "calibration")
    assert "en …" in told


def test_a_set_that_is_not_there(sets: Path, tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "bench" / "accuracy.py"), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.endswith("no wcxb-dev.jsonl or wcxb-dev.jsonl.xz in it\n")
