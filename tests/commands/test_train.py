"""nc-train: pages with gold text in, a model and its card out; and with --tune, tables and plots."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import structure_pages
from conftest import ROOT, Run, Verb
from invented import MENU, MIXED, PAGES, SUBJECTS, Page, labelled, page, texts

from ncfilters.commands import train
from ncfilters.commands.train import KINDS, make_trainer, option_parser, take_first_values
from ncfilters.dataset import labelling
from ncfilters.dataset.labelled_pages import texts_of
from ncfilters.errors import UsageError
from ncfilters.features.document import ModelInput
from ncfilters.scoring import registry
from ncfilters.scoring.char_ngram.model import CharNgramModel
from ncfilters.scoring.inspection import card as card_of
from ncfilters.scoring.justext import stoplist
from ncfilters.training import cross_validation
from ncfilters.training.ngram_trainer import NgramOptions, train_ngram


def test_the_command_writes_model_and_card(verb: Verb, tmp_path: Path) -> None:
    to = tmp_path / "mine.model"
    about = ["--language", "en", "--description", "For — tests.", "--credit", "Pages, CC0", "--credit", "More, CC BY"]
    status, out, err = verb(train.main, "ngram", "-n", "4", "-q", "0.4", "-o", to, *about, stdin=PAGES)
    assert (status, out) == (0, b"")
    material = labelled(PAGES)
    counts = {"pages": 12} | {
        f"{name} {unit}": count
        for name, some in (("clean", texts_of(material, True)), ("dirty", texts_of(material, False)))
        for unit, count in (("segments", len(some)), ("characters", sum(map(len, texts(some)))))
    }
    assert all(f"nc-train: {what}: {number:,}\n" in err for what, number in counts.items())
    made, header = registry.load(str(to)), registry.read_header(to)
    assert made.header() == {"n": 4, "q": 0.4, "folding": "ascii"}
    expected = train_ngram(material, NgramOptions(4, 0.4, "ascii", 200))
    sample = [ModelInput.of_texts([*MENU, "A neighbour remembered the bridge."])]
    assert made.evidence(sample) == expected.evidence(sample)
    assert (header["language"], header["description"]) == ("en", "For — tests.")
    assert header["credits"] == ["Pages, CC0", "More, CC BY"]
    card = (tmp_path / "mine.md").read_text(encoding="utf-8")
    assert card == card_of("mine", header) and header["sha256"] in card
    shown = ["# mine", "For — tests.", "- kind: ngram", "- language: en", "- n: 4", "- q: 0.4", "- folding: ascii"]
    shown += ["- Pages, CC0", "- More, CC BY", "- pages: 12", f"    {header['command']}"]
    assert {*shown, f"- clean segments: {counts['clean segments']:,}"} <= {*card.splitlines()}
    assert str(tmp_path / "input") not in header["command"] and header["command"].endswith(" input")


@pytest.mark.parametrize("options", [
    ["ngram", "--folding", "frequent"], ["word", "-n", "3"], ["stoplist"], ["ngram", "--cv", "3"],
], ids=" ".join)  # fmt: skip
def test_training_is_reproducible(run: Callable[..., Any], tmp_path: Path, options: list[str]) -> None:
    made = []
    for seed in ("0", "1"):
        done = run("nc-train", *options, "-o", "x.model", stdin=PAGES, PYTHONHASHSEED=seed)
        assert done.returncode == 0, done.stderr
        files = sorted(path for path in tmp_path.iterdir() if path.name.startswith("x."))
        made.append((done.stdout, done.stderr, [(path.name, path.read_bytes()) for path in files]))
    assert made[0] == made[1]
    assert len(made[0][2]) == (1 if "stoplist" in options else 2)
    if options[0] == "ngram":
        assert (b"3 folds" in made[0][0]) == ("--cv" in options)


def test_differential_training_and_fields_of_other_names(verb: Verb, tmp_path: Path) -> None:
    to = tmp_path / "x.model"
    pages = [{"body": some["html"], "cleaned": some["gold"]} for some in PAGES]
    options = ["--differential", "--field", "html=body", "--field", "gold=cleaned"]
    assert verb(train.main, "ngram", *options, "-o", to, stdin=pages)[0] == 0
    expected = train_ngram(labelled(PAGES), NgramOptions(3, 0.5, "ascii", 200, True))
    sample = [ModelInput.of_texts(MENU)]
    assert registry.load(str(to)).evidence(sample) == expected.evidence(sample)
    assert "--differential" in registry.read_header(to)["command"]


def sites(number: int) -> list[Page]:
    """Pages of that many sites, with boilerplate in whole sentences that no other site has."""
    out = []
    for at in range(number):
        some = page(at)
        teasers = "".join(f"<div>{SUBJECTS[at % 6]} was told {word} {at}</div>" for word in ("never", "again", "today"))
        html = some["html"].replace("</body>", teasers + "</body>")
        out.append({**some, "html": html, "url": f"http://site{at % 4}.example/{at}"})
    return out


def test_fit_chooses_bias_and_context_and_keeps_counts(verb: Verb, tmp_path: Path) -> None:
    out = {}
    for name, options in (("plain", []), ("fit", ["--fit"])):
        path = tmp_path / f"{name}.model"
        assert verb(train.main, "ngram", "-n", "2", "-o", path, *options, stdin=sites(12))[0] == 0
        out[name] = registry.load(str(path))
    plain, fitted = out["plain"], out["fit"]
    assert isinstance(plain, CharNgramModel) and isinstance(fitted, CharNgramModel)
    assert not plain.parameters.bias and not plain.parameters.context
    assert fitted.parameters.bias or fitted.parameters.context
    assert (fitted.counts.keys == plain.counts.keys).all() and (fitted.counts.clean == plain.counts.clean).all()
    assert "- bias: " in (tmp_path / "fit.md").read_text()


def test_lang_and_max_pages_choose_pages(verb: Verb, tmp_path: Path) -> None:
    pages = [{**page, "lang": "en" if number % 3 else "el"} for number, page in enumerate(sites(9))]
    to = tmp_path / "mine.model"
    command = ["ngram", "-o", to, "--lang", "en", "--max-pages", "4"]
    assert verb(train.main, *command, stdin=pages)[0] == 0
    header = registry.read_header(to)
    assert header["command"] == "nc-train ngram -o mine.model --lang en --max-pages 4 input"
    assert header["seen"]["pages"] == 4
    chosen = header["made"]["records"]
    assert verb(train.main, *command, stdin=[page for page in pages if page["lang"] == "en"][::-1])[0] == 0
    assert registry.read_header(to)["seen"] == header["seen"]
    assert verb(train.main, "ngram", "-o", to, stdin=pages)[0] == 0
    assert registry.read_header(to)["made"]["records"] != chosen
    assert registry.read_header(to)["made"]["figures"] == header["made"]["figures"]


def test_pages_that_wait_for_their_sites_fail_with_their_ids(verb: Verb, tmp_path: Path) -> None:
    pages, to = [*PAGES, {"id": "z", "text": "x"}], tmp_path / "x.model"
    status, _, err = verb(train.main, "ngram", "-o", to, "--max-pages", "99", stdin=pages)
    assert status == 1 and "nc-train: z: gold: missing" in err and to.exists()


LARGE = {**PAGES[0], "html": PAGES[0]["html"] + "<p>" + "".join(map(chr, range(0x4E00, 0x5000)))}
ONE_FOLD = [{"url": f"http://{n}.example", "text": f"Some text.{more}", "gold": "Some text."}
            for n, more in enumerate(["\n\nHome Login", "", ""])]  # fmt: skip


@pytest.mark.parametrize(("pages", "options", "message"), [
    ([], "", "no training data: no page with gold text"),
    ([{"html": "<p>Some text"}], "", "no training data: no page with gold text"),
    ([{"html": "<p>Some text", "gold": "Something else"}], "", r"no training data: no clean segment \(pages: 1\): "),
    ([{"html": "<p>Some text", "gold": "Some text"}], "", r"no training data: no dirty segment \(pages: 1\): "),
    ([LARGE, PAGES[1]], "-n 8 --folding frequent --characters 3000", "n is 8: too long for an alphabet of "),
    (PAGES, "--cv 7", r"7 folds need pages from at least 7 domains .*domains: 6"),
    (ONE_FOLD, "--cv 3", r"without fold \d of 3: no training data: no dirty segment \(pages: 2\)"),
], ids=["nothing", "no gold", "no match", "all clean", "alphabet", "domains", "fold"])  # fmt: skip
def test_pages_that_do_not_do_are_a_usage_error(
    verb: Verb, tmp_path: Path, pages: list[Page], options: str, message: str
) -> None:
    status, out, err = verb(train.main, "ngram", "-o", tmp_path / "x.model", *options.split(), stdin=pages)
    assert (status, out, (tmp_path / "x.model").exists()) == (2, b"", False)
    assert re.match(f"nc-train: {tmp_path / 'input'}: {message}", err.splitlines()[-1])


def test_a_full_disk_is_reported_with_the_file(verb: Verb) -> None:
    status, out, err = verb(train.main, "ngram", "-o", "/dev/full", stdin=PAGES)
    assert (status, out) == (1, b"")
    assert err.splitlines()[-1] == "nc-train: /dev/full: No space left on device"


# ---- kinds ----
def test_a_word_model_has_a_card(verb: Verb, tmp_path: Path) -> None:
    to = tmp_path / "w.model"
    status, out, err = verb(train.main, "word", "--perplexity-limit", "50", "-o", to, stdin=PAGES)
    assert (status, out) == (0, b"")
    characters = sum(len(page["gold"]) for page in PAGES)
    assert re.match(rf"nc-train: texts: 12\nnc-train: characters: {characters:,}\nnc-train: sentences: \d+\n", err)
    made = registry.load(str(to))
    assert {name: made.header()[name] for name in ("n", "limit")} == {"n": 2, "limit": 50}
    sample = [ModelInput.of_texts(["A neighbour remembered the bridge in winter.", "Zq xw"])]
    known, unknown = made.evidence(sample)[0]["score"]
    assert known > 0 > unknown
    shown = {"- kind: word", "- n: 2", "- texts: 12", "- estimator: pyplexity", "- tokens: pyplexity"}
    assert shown <= {*(tmp_path / "w.md").read_text().splitlines()}


def test_plain_text_makes_a_word_model(verb: Verb, tmp_path: Path) -> None:
    texts, made = ["The cat sat.", "The dog sat on the mat.", "", "[1] \u201cwell\u201d"], []
    for stdin in ("\n".join(texts).encode(), b"\xef\xbb\xbf" + "\r\n".join(texts).encode()):
        status, out, err = verb(train.main, "word", "--lines", "-o", tmp_path / "x.model", stdin=stdin)
        assert (status, out) == (0, b""), err
        made.append(registry.load(str(tmp_path / "x.model")).evidence([ModelInput.of_texts(texts)]))
    assert made[0] == made[1]


def test_plain_text_makes_a_stop_list(verb: Verb, tmp_path: Path) -> None:
    to = tmp_path / "list.txt"
    texts = [{"text": "the cat and the dog"}, {"text": "the end, and 42"}, {"id": "bad", "html": "<p>no gold"}]
    status, out, err = verb(train.main, "stoplist", "--coverage", "0.5", "--language", "en", "-o", to, stdin=texts)
    assert (status, out) == (1, b"")
    assert "record 3 (bad): gold: missing" in err
    assert to.read_text().splitlines()[-2:] == ["the", "and"]
    assert "# language: en\n" in to.read_text() and "# seen: 2 texts, " in to.read_text()
    assert [path.name for path in tmp_path.iterdir() if path.name != "input"] == ["list.txt"]


# ---- cross-validation ----
def test_cross_validation_prints_a_table(verb: Verb, tmp_path: Path) -> None:
    status, out, err = verb(train.main, "ngram", "--cv", "3", "-v", stdin=PAGES)
    assert status == 0
    assert [path.name for path in tmp_path.iterdir()] == ["input"]
    lines = out.decode().splitlines()
    assert lines[0] == "12 pages, per cent"
    pooled = next(line for line in lines if line.startswith("words, pooled")).split()
    assert all(85 < float(cell) <= 100 for cell in pooled[2:])
    assert [line for line in err.splitlines() if "folds" in line][0] == "nc-train: 0 of 3 folds done"
    assert re.search(r"nc-train: 1 of 3 folds done, about \d+ s left", err) and "nc-train: 3 of 3 folds done\n" in err


def test_word_models_are_cross_validated_on_segments(verb: Verb) -> None:
    status, out, _ = verb(train.main, "word", "--perplexity-limit", "100", "--cv", "3", stdin=PAGES)
    precision = float(out.decode().split("words, pooled")[1].split()[1])
    assert (status, precision > 90) == (0, True)


def test_an_interrupt_leaves_no_model(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "bin" / "nc-train"), "ngram", "-o", str(tmp_path / "x.model")]
    heed = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731  # jobs in the background ignore it
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=heed) as process:
        assert process.stdin and process.stderr
        records = [*PAGES, {"id": "told"}]
        process.stdin.write(b"".join(json.dumps(some).encode() + b"\n" for some in records))
        process.stdin.flush()
        assert b"(told)" in process.stderr.readline()  # all of them have been read
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
        assert b"Traceback" not in process.stderr.read()
    assert not (tmp_path / "x.model").exists()


# ---- stop lists ----
def test_a_frequency_table_makes_a_stop_list(verb: Verb, tmp_path: Path) -> None:
    rows = [{"text": "the", "count": 7}, {"text": "don't", "count": 2}, {"text": "of"}, {"text": "1984", "count": 99}]
    out = tmp_path / "x.txt"
    status, _, _ = verb(
        train.main, "stoplist", "-o", out, "-n", "2", "--language", "en", "--name", "English", stdin=rows
    )
    assert status == 0
    words, about = stoplist.read_stoplist(out)
    assert words == {"the", "don"}
    assert (about["name"], about["words counted"], about["coverage"]) == ("English", "12", "0.75")


# ---- the kinds of model that nc-train knows ----
def trainer(*options: str) -> Any:
    args = option_parser().parse_args(options)
    take_first_values(args)
    return make_trainer(args)


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_has_a_trainer_from_the_default_options(kind: str) -> None:
    made = trainer(kind)
    assert sum(made.counts().values()) == 0
    assert KINDS[kind][2] or hasattr(made, "train")


@pytest.mark.parametrize(("options", "library"), [
    *((options, "rapidfuzz") for options in ("ngram", "structure", "quality", "word --cv 2")), ("structure", "scipy"),
])  # fmt: skip
def test_kinds_need_libraries(options: str, library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    what = "labelling pages" if library == "rapidfuzz" else "the kind structure"
    with pytest.raises(UsageError, match=f"^{what} needs {library}, which is not installed: pip install"):
        trainer(*options.split())


# ---- tuning ----
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
