"""nc-tune: tables and plots of cross-entropy, F, operating points and learning curves."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import structure_pages
from invented import MIXED, PAGES, Page, labelled, page

from ncfilters.commands import train, tune
from ncfilters.dataset import labelled_pages, labelling
from ncfilters.features.document import ModelInput
from ncfilters.scoring import registry
from ncfilters.scoring.char_ngram.alphabet import Alphabet
from ncfilters.training.cross_validation import FoldOptions, cross_validate
from ncfilters.training.ngram_grid import NgramGrid
from ncfilters.training.ngram_trainer import NgramOptions, frequent_characters, train_ngram
from ncfilters.training.operating_point import PRECISIONS, AlignedWords

OPTIONS = NgramOptions()

Verb = Callable[..., tuple[int, bytes, str]]


def data(verb: Verb, *args: str | Path, pages: list[Page] = PAGES) -> list[dict[str, Any]]:
    status, out, err = verb(tune.main, *args, "-f", "json", stdin=pages)
    assert (status, err) == (0, "")
    found: list[dict[str, Any]] = json.loads(out)
    return found


# ---- the grid -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["entropy", "f"])
def test_each_folding_has_the_values_of_its_grid(verb: Verb, what: str) -> None:
    found = data(verb, what, "--cv", "3", "-n", "2,4", "-q", "0.3,0.8", "--seed", "4", pages=MIXED)
    assert [part["folding"] for part in found] == ["ascii", "nonlexical"]
    pages = labelled(MIXED).pages
    for part in found:
        grid = NgramGrid(pages, Alphabet(part["folding"]), [2, 4], FoldOptions(3, 4))
        values = {(fact["n"], fact["q"]): fact["value"] for fact in part["values"]}
        assert set(values) == {(n, q) for n in (2, 4) for q in (0.3, 0.8)}
        if what == "entropy":
            assert values == grid.entropies([0.3, 0.8])
            best = min(values, key=lambda point: values[point])
        else:
            aligned = AlignedWords(grid.pages)
            assert values == {
                point: 100 * aligned.measure(scores)[2] for point, scores in grid.scores([0.3, 0.8]).items()
            }
            assert 60 < max(values.values()) < 100
            best = max(values, key=lambda point: values[point])
        assert part["best"] == {"n": best[0], "q": best[1]}


def test_the_title_of_the_table_has_the_best_n_and_q(verb: Verb) -> None:
    (part,) = data(verb, "entropy", "--cv", "2", "-n", "1,2,3", "-q", "0.2,0.5", "--folding", "ascii")
    out = verb(tune.main, "entropy", "--cv", "2", "-n", "3,1,2,1", "-q", "0.5,0.2", "--folding", "ascii", stdin=PAGES)[
        1
    ].decode()
    title, header, *rows = out.rstrip("\n").split("\n")
    best, low = part["best"], min(fact["value"] for fact in part["values"])
    assert title.endswith(f"; best n = {best['n']}, q = {best['q']:g}: {low:.3f}")
    assert header.split() == ["folding", "n", "q=0.2", "q=0.5"]
    values = {(fact["n"], fact["q"]): f"{fact['value']:.3f}" for fact in part["values"]}
    assert [row.split() for row in rows] == [["ascii", str(n), values[n, 0.2], values[n, 0.5]] for n in (1, 2, 3)]


def test_the_default_is_the_whole_grid_of_two_foldings(verb: Verb) -> None:
    status, out, _ = verb(tune.main, "f", "--cv", "2", "-f", "tsv", stdin=PAGES)
    rows = [line.split("\t") for line in out.decode().splitlines()]
    header = ["folding", "n", *(f"q=0.{tenth}" for tenth in range(1, 10))]
    assert status == 0
    assert [row[:2] for row in rows] == [
        *(["folding", "n"], *(["ascii", str(n)] for n in range(1, 9))),
        *(["folding", "n"], *(["nonlexical", str(n)] for n in range(1, 9))),
    ]
    assert rows[0] == rows[9] == header
    assert all(0 <= float(cell) <= 100 for row in rows if row != header for cell in row[2:])


def test_frequent_characters_are_those_of_all_pages(verb: Verb) -> None:
    (part,) = data(verb, "entropy", "--cv", "2", "-n", "2", "-q", "0.5", "--folding", "frequent", "--characters", "9")
    pages = labelled(PAGES).pages
    folding = Alphabet("frequent", frequent_characters((text for some in pages for text in some.texts), 9))
    assert len(folding.characters) == 9
    assert part["values"][0]["value"] == NgramGrid(pages, folding, [2], FoldOptions(2)).entropies([0.5])[2, 0.5]


def test_another_seed_makes_other_folds(verb: Verb) -> None:
    options = ["entropy", "--cv", "3", "-n", "3", "-q", "0.5", "--folding", "ascii"]
    first, again, other = (data(verb, *options, "--seed", seed) for seed in "001")
    assert first == again != other


# ---- the operating point --------------------------------------------------------------------------------------


def held_out_scores(pages: list[Page], number: int) -> tuple[AlignedWords, Any]:
    found = list(cross_validate(labelled(pages).pages, lambda some: train_ngram(some, OPTIONS), FoldOptions(number)))
    return AlignedWords([scored.page for scored in found]), np.array([s for scored in found for s in scored.scores])


def test_the_threshold_reaches_the_target_precision(verb: Verb) -> None:
    aligned, scores = held_out_scores(MIXED, 3)
    precision, recall, _ = aligned.measure(scores)
    target = round((precision + 1) / 2, 3)
    (found,) = data(verb, "threshold", "--cv", "3", "--target-precision", str(target), pages=MIXED)
    zero, point = found["points"]
    assert (zero["target"], zero["threshold"], zero["precision"], zero["recall"]) == (None, 0, precision, recall)
    assert point["target"] == target and point["precision"] >= target > precision
    assert (point["precision"], point["recall"], point["F"]) == aligned.measure(scores, point["threshold"])
    # no other threshold has that precision and more recall
    for threshold in scores - 0.001:
        other = aligned.measure(scores, threshold)
        assert other[0] < target or other[1] <= point["recall"]


def test_the_table_has_a_row_for_each_precision_reached(verb: Verb) -> None:
    status, out, _ = verb(tune.main, "threshold", "--cv", "3", "-f", "tsv", stdin=MIXED)
    header, zero, best, *rows = [line.split("\t") for line in out.decode().splitlines()]
    assert (status, header) == (0, ["precision wanted", "threshold (bits)", "precision", "recall", "F"])
    assert (zero[:2], best[0]) == (["", "0.00"], "best F")
    aligned, scores = held_out_scores(MIXED, 3)
    assert float(best[4]) == pytest.approx(100 * max(aligned.measure(scores, t)[2] for t in scores - 0.001), abs=0.01)
    for row in rows:
        precision, recall, f = (100 * value for value in aligned.measure(scores, float(row[1])))  # as printed
        assert row[2:] == [f"{precision:.2f}", f"{recall:.2f}", f"{f:.2f}"]
        assert precision >= 100 * float(row[0])
    assert [float(row[0]) for row in rows] == [
        target for target in PRECISIONS if any(aligned.measure(scores, t)[0] >= target for t in scores - 0.001)
    ]
    assert [float(row[3]) for row in rows] == sorted((float(row[3]) for row in rows), reverse=True)


def kept_words(run: Callable[..., Any], model: Path, threshold: float, pages: list[Any]) -> tuple[float, float]:
    """Precision and recall of the words that nc-select keeps with a threshold."""
    segmented = pages if "segments" in pages[0] else run("nc-segment", stdin=pages).stdout
    scored = run("nc-score", "-m", str(model), stdin=segmented).stdout
    selected = run("nc-select", "-t", f"{threshold:.2f}", "--all", "-f", "jsonl", stdin=scored).stdout
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
    return right / kept, right / gold


def test_nc_select_keeps_what_the_threshold_promises(run: Callable[..., Any], verb: Verb, tmp_path: Path) -> None:
    to = tmp_path / "my.model"
    assert verb(train.main, "ngram", "-o", to, stdin=[page(n) for n in range(100, 130)])[0] == 0
    (found,) = data(verb, "threshold", "-m", to, "--target-precision", "0.715", pages=MIXED)
    point = found["points"][1]
    assert (point["precision"], point["recall"]) == pytest.approx(kept_words(run, to, point["threshold"], MIXED))
    assert point["precision"] >= 0.715 and point["threshold"] != 0


def test_structure_models_read_whole_pages(run: Callable[..., Any], verb: Verb, tmp_path: Path) -> None:
    to = tmp_path / "my.model"
    registry.write_model(to, structure_pages.small_model(), {"language": "en", "description": "Small."})
    pages = [structure_pages.page(number) for number in range(100, 112)]
    for record in pages:  # marks do not decide where scores are calibrated
        record["segments"][-1]["rule"] = record["segments"][6]["rule"] = "links"
    (found,) = data(verb, "threshold", "-m", to, pages=pages)
    for point in found["points"]:
        assert (point["precision"], point["recall"]) == pytest.approx(kept_words(run, to, point["threshold"], pages))


def test_a_precision_out_of_reach_is_a_usage_error(verb: Verb, tmp_path: Path) -> None:
    pages = [
        {"url": f"http://{n}.example", "text": text, "gold": "one two"}
        for n, text in enumerate(["one two three\n\nsix", "one two four\n\nseven"])
    ]
    status, out, err = verb(tune.main, "threshold", "--cv", "2", "--target-precision", "0.7", stdin=pages)
    assert (status, out) == (2, b"")
    assert err == f"nc-tune: {tmp_path / 'input'}: a precision of 0.7 is not reached: the highest is 0.6667\n"


# ---- the learning curve ---------------------------------------------------------------------------------------


def test_the_learning_curve_has_subsets_of_each_size(verb: Verb) -> None:
    options = ["curve", "--cv", "3", "--size", "8,2,4,900", "--subsets", "6"]
    (found,) = data(verb, *options, pages=MIXED)
    assert found["sizes"] == [2, 4, 8, 12]  # all pages outside a fold of six
    for name in ("precision", "recall", "F"):
        assert [len(values) for values in found[name]] == [6, 6, 6, 6]
        assert all(0 <= value <= 100 for values in found[name] for value in values)
    assert len(set(found["F"][0])) > 1  # subsets are random
    assert data(verb, *options, pages=MIXED) == [found]
    assert data(verb, *options, "--seed", "3", pages=MIXED) != [found]
    precision, recall, f = (found[name][0][0] / 100 for name in ("precision", "recall", "F"))
    assert f == pytest.approx(2 * precision * recall / (precision + recall))


def test_the_last_subset_has_all_pages_of_other_sites(verb: Verb) -> None:
    (found,) = data(verb, "curve", "--cv", "3", "--size", "1", "--subsets", "3", pages=MIXED)
    pages = labelled(MIXED).pages
    for place, test in enumerate(labelled_pages.folds(pages, 3)):
        # in the last subset only the order of the pages is random
        rest = [some for some in pages if some not in test]
        model = train_ngram(labelled_pages.LabelledPages(rest), OPTIONS)
        scores = [s for e in model.evidence([ModelInput.of_texts(p.texts) for p in test]) for s in e["score"]]
        expected = [100 * value for value in AlignedWords(test).measure(np.array(scores))]
        assert [found[name][1][place] for name in ("precision", "recall", "F")] == pytest.approx(expected, abs=0.2)


def test_models_are_tested_on_the_pages_of_test(verb: Verb, tmp_path: Path) -> None:
    tests = tmp_path / "tests.jsonl"
    tests.write_text("".join(json.dumps(page(n)) + "\n" for n in range(40, 45)))
    (found,) = data(verb, "curve", "--test", tests, "--size", "3", "--subsets", "4")
    assert found["sizes"] == [3, 12]
    assert [len(values) for values in found["F"]] == [4, 1]
    model = train_ngram(labelled(PAGES), OPTIONS)
    test = labelled([page(n) for n in range(40, 45)]).pages
    scores = [s for e in model.evidence([ModelInput.of_texts(p.texts) for p in test]) for s in e["score"]]
    assert found["F"][1] == pytest.approx([100 * AlignedWords(test).measure(np.array(scores))[2]])


def test_the_table_has_means_and_percentiles(verb: Verb) -> None:
    options = ["curve", "--cv", "3", "--size", "2", "--subsets", "9"]
    (found,) = data(verb, *options, pages=MIXED)
    out = verb(tune.main, *options, "-f", "tsv", stdin=MIXED)[1].decode().splitlines()
    assert out[0].split("\t") == ["training pages", "precision", "recall", "F"]
    low, high = np.percentile(found["F"][0], (5, 95))
    assert out[1].split("\t")[::3] == ["2", f"{np.mean(found['F'][0]):.2f} ({low:.2f}-{high:.2f})"]
    assert len(out) == 3


def test_gold_of_another_file_is_for_test_pages_too(verb: Verb, tmp_path: Path) -> None:
    some = [{"id": p["id"], "url": p["url"], "html": p["html"]} for p in PAGES]
    gold, tests = tmp_path / "gold.jsonl", tmp_path / "tests.jsonl"
    gold.write_text("".join(json.dumps({"id": p["id"], "text": p["gold"]}) + "\n" for p in PAGES))
    tests.write_text("".join(json.dumps(p) + "\n" for p in some[8:]))
    options = ["curve", "--size", "2", "--subsets", "2", "--test"]
    found = data(verb, *options, tests, "--gold", gold, pages=some[:8])
    tests.write_text("".join(json.dumps(p) + "\n" for p in PAGES[8:]))
    assert found == data(verb, *options, tests, pages=PAGES[:8])


# ---- plots ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "names"),
    [
        (["entropy", "-n", "2,3", "-q", "0.3,0.5"], ["entropy-ascii", "entropy-nonlexical"]),
        (["f", "-n", "2", "-q", "0.5", "--folding", "ascii"], ["f-ascii"]),
        (["threshold"], ["precision-recall"]),
        (["threshold", "--target-precision", "0.93"], ["precision-recall"]),
        (["curve", "--size", "2,4", "--subsets", "3"], ["learning-curve"]),
    ],
    ids=["entropy", "f", "threshold", "target", "curve"],
)
def test_plots_are_reproducible(verb: Verb, tmp_path: Path, options: list[str], names: list[str]) -> None:
    pytest.importorskip("matplotlib")
    made = []
    for folder in ("a", "b/deep"):
        assert verb(tune.main, *options, "--cv", "3", "--plot", tmp_path / folder, stdin=MIXED)[0] == 0
        made.append({path.name: path.read_bytes() for path in (tmp_path / folder).iterdir()})
    assert sorted(made[0]) == sorted(f"{name}.{suffix}" for name in names for suffix in ("png", "svg"))
    assert made[0] == made[1]


def test_the_chosen_point_is_in_the_plot(verb: Verb, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    (found,) = data(verb, "threshold", "--cv", "3", "--target-precision", "0.93", pages=MIXED)
    options = ["--cv", "3", "--target-precision", "0.93", "--plot", tmp_path / "plots"]
    assert verb(tune.main, "threshold", *options, stdin=MIXED)[0] == 0
    point = found["points"][1]
    svg = (tmp_path / "plots" / "precision-recall.svg").read_text()
    assert f"P {100 * point['precision']:.1f}, R {100 * point['recall']:.1f}" in svg


# ---- errors -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["f", "--cv", "1"], "--cv 1: must be at least 2"),
        (["entropy", "-n", "3,9"], "n is 9; it must be 1 to 8"),
        (["curve", "-n", "0"], "n is 0; it must be 1 to 8"),
        (["f", "-q", "0.5,1"], "q is 1.0; it must be between 0 and 1"),
        (["f", "-q", "nan"], "q is nan; it must be between 0 and 1"),
        (["f", "--folding", "frequent", "--characters", "-1"], "-1 frequent characters: must not be negative"),
        (["threshold", "--target-precision", "95"], "--target-precision 95: must be above 0 and at most 1"),
        (["threshold", "--target-precision", "0"], "--target-precision 0: must be above 0 and at most 1"),
        (["threshold", "-n", "3,4"], "nc-tune threshold needs a single value of n"),
        (["curve", "--folding", "ascii", "--folding", "nonlexical"], "nc-tune curve needs a single value of folding"),
        (["curve", "--subsets", "0"], "--subsets and --size must be at least 1"),
        (["curve", "--size", "0,5"], "--subsets and --size must be at least 1"),
        (["f", "--target-precision", "0.9"], "--target-precision is an option of nc-tune threshold"),
        (["curve", "-m", "ncleaner-en"], "--model is an option of nc-tune threshold"),
        (["threshold", "--test", "x"], "--test is an option of nc-tune curve"),
        (["entropy", "--size", "3"], "--size is an option of nc-tune curve"),
        (["threshold", "-m", "./none.model"], "none.model: No such file or directory"),
        (["f", "--plot", "/dev/null/x"], "/dev/null/x: Not a directory"),
        (["f", "--gold", "/nowhere"], "/nowhere: No such file or directory"),
        (["curve", "--test", "/nowhere"], "/nowhere: No such file or directory"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_usage_errors_come_before_the_work(verb: Verb, options: list[str], message: str) -> None:
    if "--plot" in options:
        pytest.importorskip("matplotlib")
    bad = [{"id": "bad"}]  # an error if it is read
    assert verb(tune.main, *options, stdin=bad) == (2, b"", f"nc-tune: {message}\n")


def test_a_missing_matplotlib_is_reported_before_the_work(run: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "matplotlib.py").write_text("raise ImportError")
    done = run("nc-tune", "f", "--plot", "plots", stdin=[{"id": "bad"}], PYTHONPATH=str(tmp_path))
    expected = (2, b"", b"nc-tune: plots need matplotlib, which is not installed: pip install 'ncfilters[plots]'\n")
    assert (done.returncode, done.stdout, done.stderr) == expected


@pytest.mark.parametrize("text", ["3,x", "3,", "", "1.5"])
def test_a_bad_list_of_numbers_is_a_usage_error(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        tune.main(["f", "-n", text])
    assert ended.value.code == 2
    assert capsys.readouterr().err.endswith(
        f"argument -n: '{text}' is not a list of numbers such as 1,2,3; try nc-tune --help\n"
    )


@pytest.mark.parametrize("what", ["entropy", "f", "threshold", "curve"])
@pytest.mark.parametrize(
    ("pages", "message"),
    [
        ([], "no training data: no page contains its gold text"),
        ([{"id": "x", "error": {"stage": "nc-segment", "message": "no"}}], "no training data: no page contains"),
        ([{**PAGES[0], "gold": "Another story altogether."}] * 3, "no training data: no page contains its gold text"),
        (PAGES[:1], "10 folds need pages from at least 10 domains (pages: 1, domains: 1): use fewer folds, or pages"),
        ([PAGES[0], PAGES[6]], "10 folds need pages from at least 10 domains (pages: 2, domains: 1)"),
    ],
    ids=["none", "errors", "wrong gold", "one", "one domain"],
)
def test_too_few_pages_are_a_usage_error(
    verb: Verb, tmp_path: Path, what: str, pages: list[Page], message: str
) -> None:
    status, out, err = verb(tune.main, what, stdin=pages)
    assert (status, out) == (2, b"")
    assert err.splitlines()[-1].startswith(f"nc-tune: {tmp_path / 'input'}: {message}")


def test_pages_without_their_gold_text_are_left_out(verb: Verb, tmp_path: Path) -> None:
    bad = {"id": "bad", "url": "http://bad.example", "html": "<p>Some text", "gold": "Another story altogether."}
    options = ["threshold", "--cv", "3", "-f", "json"]
    status, out, err = verb(tune.main, *options, stdin=[bad, *PAGES])
    assert status == 0
    problem = "1 of 13 pages left out: less than a fifth of the gold text is on the page"
    assert err == f"nc-tune: {tmp_path / 'input'}: {problem}\n"
    assert out == verb(tune.main, *options, stdin=PAGES)[1]


def test_failures_are_reported_and_strict_stops(verb: Verb) -> None:
    pages = [{"id": "bad", "html": "<p>x"}, *PAGES]
    options = ["entropy", "-n", "2", "-q", "0.5", "--folding", "ascii", "--cv", "3"]
    status, out, err = verb(tune.main, *options, stdin=pages)
    assert status == 1 and out == verb(tune.main, *options, stdin=PAGES)[1]
    assert err.startswith("nc-tune: record 1 (bad): gold: missing")
    assert verb(tune.main, *options, "--strict", stdin=pages)[:2] == (1, b"")


def test_progress_is_reported(verb: Verb) -> None:
    err = verb(tune.main, "entropy", "--cv", "2", "-n", "2", "--folding", "ascii", "-v", stdin=PAGES)[2]
    assert "nc-tune: 0 of 2 folds done\n" in err and "nc-tune: 2 of 2 folds done\n" in err
    err = verb(tune.main, "curve", "--cv", "2", "--size", "2", "--subsets", "2", "-v", stdin=PAGES)[2]
    assert "nc-tune: 0 of 4 models done\n" in err and "nc-tune: 4 of 4 models done\n" in err
