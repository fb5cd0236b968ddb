"""nc-train --tune: tables and plots of cross-entropy, F, operating points and learning curves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import structure_pages
from conftest import Run, Verb
from invented import MIXED, PAGES, Page, page

from ncfilters.commands import train
from ncfilters.dataset import labelling
from ncfilters.scoring import registry
from ncfilters.training import cross_validation


def tune(verb: Verb, *args: str | Path, pages: list[Page] = PAGES) -> tuple[int, bytes, str]:
    return verb(train.main, "ngram", "--tune", *args, stdin=pages)


def rows(verb: Verb, *args: str | Path, pages: list[Page] = PAGES) -> list[list[str]]:
    """The cells of the table that is printed, without its title."""
    status, out, err = tune(verb, *args, pages=pages)
    assert (status, err) == (0, "")
    return [line.split() for line in out.decode().rstrip("\n").split("\n")[1:]]


def test_the_default_is_the_whole_grid_of_two_foldings(verb: Verb) -> None:
    found = rows(verb, "f", "--cv", "2")
    header = ["folding", "n", *(f"q=0.{tenth}" for tenth in range(1, 10))]
    table = [row for row in found if row[:1] in (["ascii"], ["nonlexical"], ["folding"])]
    assert [row[:2] for row in table if row != header] == [
        [folding, str(n)] for folding in ("ascii", "nonlexical") for n in range(1, 9)
    ]
    assert table[0] == table[9] == header


# ---- the operating point ----
def kept_words(run: Run, model: Path, threshold: str, pages: list[Any]) -> list[str]:
    """Precision and recall (per cent) of the words that nc-select keeps with a threshold."""
    segmented = pages if "segments" in pages[0] else run("nc-segment", stdin=pages).stdout
    scored = run("nc-score", "-m", str(model), stdin=segmented).stdout
    selected = run("nc-select", "-t", threshold, "--all", "-f", "jsonl", stdin=scored).stdout
    kept = right = gold = 0
    for line in selected.splitlines():
        record = json.loads(line)
        counts, matched, expected = labelling.matched_words(
            [part["text"] for part in record["segments"]], record["gold"]
        )
        keep = [part["keep"] for part in record["segments"]]
        kept += sum(count for count, it in zip(counts, keep) if it)
        right += sum(count for count, it in zip(matched, keep) if it)
        gold += expected
    return [f"{100 * right / kept:.2f}", f"{100 * right / gold:.2f}"]


def test_nc_select_keeps_what_a_threshold_promises(run: Run, verb: Verb, tmp_path: Path) -> None:
    to = tmp_path / "my.model"
    assert verb(train.main, "ngram", "-o", to, stdin=[page(n) for n in range(100, 130)])[0] == 0
    _, zero, (*_, best, precision, recall, _), *reached = rows(verb, "threshold", "-m", to, pages=MIXED)
    assert kept_words(run, to, best, MIXED) == [precision, recall]
    assert zero[0] == "0.00" and all(float(row[2]) >= 100 * float(row[0]) for row in reached)


def test_structure_models_read_whole_pages(run: Run, verb: Verb, tmp_path: Path) -> None:
    to = tmp_path / "my.model"
    registry.write_model(to, structure_pages.small_model(), {"language": "en", "description": "Small."})
    pages = [structure_pages.page(number) for number in range(100, 112)]
    for record in pages:  # marks do not decide where scores are calibrated
        record["segments"][-1]["rule"] = record["segments"][6]["rule"] = "links"
    for *_, threshold, precision, recall, _ in rows(verb, "threshold", "-m", to, pages=pages)[1:]:
        assert kept_words(run, to, threshold, pages) == [precision, recall]


# ---- the learning curve, plots ----
@pytest.fixture
def few_subsets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cross_validation, "SIZES", (2, 4))
    monkeypatch.setattr(cross_validation, "SUBSETS", 3)


@pytest.mark.usefixtures("few_subsets")
@pytest.mark.parametrize(("options", "names"), [
    (["entropy", "-n", "2,3", "-q", "0.3,0.5"], ["entropy-ascii", "entropy-nonlexical"]),
    (["f", "-n", "2", "-q", "0.5", "--folding", "ascii"], ["f-ascii"]),
    (["curve"], ["learning-curve"]),
], ids=["entropy", "f", "curve"])  # fmt: skip
def test_plots_are_reproducible(verb: Verb, tmp_path: Path, options: list[str], names: list[str]) -> None:
    pytest.importorskip("matplotlib")
    made = []
    for folder in ("a", "b/deep"):
        assert tune(verb, *options, "--cv", "3", "--plot", tmp_path / folder, pages=MIXED)[0] == 0
        made.append({path.name: path.read_bytes() for path in (tmp_path / folder).iterdir()})
    assert sorted(made[0]) == sorted(f"{name}.{suffix}" for name in names for suffix in ("png", "svg"))
    assert made[0] == made[1]


# ---- errors ----
@pytest.mark.parametrize(("options", "message"), [
    (["f", "--cv", "1"], "--cv 1: must be at least 2"), (["entropy", "-n", "3,9"], "n is 9; it must be 1 to 8"),
    (["curve", "-n", "0"], "n is 0; it must be 1 to 8"), (["f", "-q", "0.5,1"], "q is 1.0; it must be between 0 and 1"),
    (["f", "-q", "nan"], "q is nan; it must be between 0 and 1"),
    (["f", "--folding", "frequent", "--characters", "-1"], "-1 frequent characters: must not be negative"),
    (["threshold", "-n", "3,4"], "-n: one value, or --tune entropy or f"),
    (["curve", "--folding", "ascii,nonlexical"], "--folding: one value, or --tune entropy or f"),
    (["curve", "-m", "ncleaner-en"], "--model is for --tune threshold"),
    (["f", "-o", "x.model"], "--tune writes no model: leave out --output"),
    (["threshold", "--plot", "x"], "--plot is for --tune entropy, f and curve"),
        (["f", "--fit"], "--tune writes no model: leave out --fit"),
    (["threshold", "-m", "./none.model"], "none.model: No such file or directory"),
    (["f", "--plot", "/dev/null/x"], "/dev/null/x: Not a directory"),
    (["f", "--gold", "/nowhere"], "/nowhere: No such file or directory"),
], ids=lambda value: " ".join(value) if isinstance(value, list) else "")  # fmt: skip
def test_usage_errors_come_before_the_work(verb: Verb, options: list[str], message: str) -> None:
    if "--plot" in options:
        pytest.importorskip("matplotlib")
    bad = [{"id": "bad"}]  # an error if it is read
    assert tune(verb, *options, pages=bad) == (2, b"", f"nc-train: {message}\n")


def test_a_missing_matplotlib_is_reported_before_the_work(run: Run, tmp_path: Path) -> None:
    (tmp_path / "matplotlib.py").write_text("raise ImportError")
    options = ["ngram", "--tune", "f", "--plot", "plots"]
    done = run("nc-train", *options, stdin=[{"id": "bad"}], PYTHONPATH=str(tmp_path))
    expected = (2, b"", b"nc-train: plots need matplotlib, which is not installed: pip install 'ncfilters[plots]'\n")
    assert (done.returncode, done.stdout, done.stderr) == expected


@pytest.mark.parametrize("what", ["entropy", "f", "threshold", "curve"])
@pytest.mark.parametrize(("pages", "message"), [
    ([], "no training data: no page contains its gold text"),
    ([{"id": "x", "error": {"stage": "nc-segment", "message": "no"}}], "no training data: no page contains"),
    ([{**PAGES[0], "gold": "Another story altogether."}] * 3, "no training data: no page contains its gold text"),
    (PAGES[:1], "10 folds need pages from at least 10 domains (pages: 1, domains: 1): use fewer folds, or pages"),
    ([PAGES[0], PAGES[6]], "10 folds need pages from at least 10 domains (pages: 2, domains: 1)"),
], ids=["none", "errors", "wrong gold", "one", "one domain"])  # fmt: skip
def test_too_few_pages_are_a_usage_error(
    verb: Verb, tmp_path: Path, what: str, pages: list[Page], message: str
) -> None:
    status, out, err = tune(verb, what, pages=pages)
    assert (status, out) == (2, b"")
    assert err.splitlines()[-1].startswith(f"nc-train: {tmp_path / 'input'}: {message}")


def test_failures_are_reported_and_strict_stops(verb: Verb) -> None:
    pages = [{"id": "bad", "html": "<p>x"}, *PAGES]
    options = ["entropy", "-n", "2", "-q", "0.5", "--folding", "ascii", "--cv", "3"]
    status, out, err = tune(verb, *options, pages=pages)
    assert status == 1 and out == tune(verb, *options)[1]
    assert err.startswith("nc-train: record 1 (bad): gold: missing")
    assert tune(verb, *options, "--strict", pages=pages)[:2] == (1, b"")


def test_progress_is_reported(verb: Verb) -> None:
    err = tune(verb, "entropy", "--cv", "2", "-n", "2", "--folding", "ascii", "-v")[2]
    assert "nc-train: 0 of 2 folds done\n" in err and "nc-train: 2 of 2 folds done\n" in err


def test_nc_tune_names_what_replaces_it(run: Run) -> None:
    done = run("nc-tune", "f", "pages.jsonl")
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
    assert done.stderr.startswith(b"nc-tune: has left: nc-train ngram --tune ")
