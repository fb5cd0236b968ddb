"""nc-model: descriptions, checks and comparisons of small models, and usage errors."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Run, Verb
from model_files import ABOUT, ORACLE_ENTRY, Oracle, put_together, taken_apart, trained, written
from structure_pages import NEW, PLAIN_TEXT, small_model
from word_lm_corpus import DATA

from ncfilters.commands import model, score
from ncfilters.scoring import registry
from ncfilters.scoring.structure.model import StructureModel

NcModel = Callable[..., tuple[int, str, str]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return written(tmp_path / "some.model", trained())


@pytest.fixture
def nc_model(capfdbinary: pytest.CaptureFixture[bytes]) -> NcModel:
    """Runs nc-model here: the status, standard output, standard error."""

    def called(*args: str | Path) -> tuple[int, str, str]:
        capfdbinary.readouterr()
        status = model.main([*map(str, args)])
        out, err = capfdbinary.readouterr()
        return status, out.decode(), err.decode()

    return called


@pytest.fixture
def oracles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.KINDS, "oracle", ORACLE_ENTRY)


# ---- show ----
def test_show_has_the_same_content_in_json(path: Path, nc_model: NcModel) -> None:
    status, out, _ = nc_model("show", "-f", "json", path, path)
    first, second = (json.loads(line) for line in out.splitlines())
    assert (status, first) == (0, second)
    assert first["header"] == registry.read_header(path)
    assert (first["name"], first["file"], first["size"]) == ("some", str(path), path.stat().st_size)
    assert first["telling"] == trained().most_informative(20)


def test_show_without_ngrams(path: Path, nc_model: NcModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NC_MODELS", str(path.parent))
    status, out, _ = nc_model("show", "some", "-n0")
    assert status == 0 and str(path) in out and "telling" not in out
    assert "telling" not in json.loads(nc_model("show", "some", "-n0", "-f", "json")[1])


@pytest.mark.usefixtures("oracles")
def test_a_kind_that_reports_nothing(path: Path, tmp_path: Path, nc_model: NcModel) -> None:
    one, two, bad = (written(tmp_path / f"{x}.model", Oracle([1, x])) for x in (1, 2, float("nan")))
    status, out, _ = nc_model("show", one)
    assert status == 0 and "telling" not in out
    assert "  kind         oracle\n" in out and "  arrays       numbers  2 <f4\n" in out
    status, out, _ = nc_model("check", bad)
    assert status == 1 and "numbers: not a number (NaN)" in out
    status, out, err = nc_model("diff", one, two)
    assert (status, err) == (1, "") and out.endswith("\narrays that differ: numbers\n")
    assert nc_model("diff", one, one) == (0, "", "")
    other = f"nc-model: {one} is of kind oracle, {path} of kind ngram: models of different kinds cannot be compared\n"
    assert nc_model("diff", one, path) == (2, "", other)


def test_show_prints_unexpected_fields(tmp_path: Path, nc_model: NcModel) -> None:
    odd = {"description": "a\nb\x1b[31mc", "credits": "alone", "seen": [1, {"x": []}], "language": None, "more": True}
    where = tmp_path / "x.model"
    registry.write_model(where, trained(), {"file": "own", **odd})
    header, packed = taken_apart(where)
    put_together(where, {**header, "surrogate": "\ud800"}, packed)
    status, out, err = nc_model("show", "-n0", where)
    assert (status, err) == (0, "")
    assert "  description  a\ufffdb\ufffd[31mc\n" in out
    assert "  credits      alone\n" in out
    assert '  seen         1\n               {"x": []}\n' in out
    assert "  more         true\n" in out
    assert "language" not in out
    assert json.loads(nc_model("show", "-fjson", where)[1])["header"]["surrogate"] == "\ud800"


# ---- check ----
def test_check_accepts_sound_models(path: Path, tmp_path: Path, nc_model: NcModel) -> None:
    bare = tmp_path / "bare.model"
    registry.write_model(bare, trained(2), ABOUT)
    silent = written(tmp_path / "silent.model", trained(2))
    registry.card_path(silent).write_text("# silent\n")
    status, out, err = nc_model("check", "-f", "json", path, bare, silent)
    assert (status, err) == (0, "")
    found = [json.loads(line) for line in out.splitlines()]
    assert found[0] == {
        "name": "some", "signature": registry.signature("some", registry.read_header(path)), "file": str(path),
        "ok": True, "problems": [], "notes": [],
    }  # fmt: skip
    notes = [["there is no card bare.md"], ["the card silent.md has no checksum"]]
    assert [one["notes"] for one in found[1:]] == notes
    told = [line.split(maxsplit=2) for line in nc_model("check", path, bare, silent)[1].splitlines()]
    assert told == [["ok", one["file"], "; ".join([one["signature"], *one["notes"]])] for one in found]


def test_check_without_names_checks_all_models(path: Path, nc_model: NcModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NC_MODELS", str(path.parent))
    status, out, _ = nc_model("check")
    assert [line.split()[1] for line in out.splitlines()] == [*map(str, registry.installed_models().values())]
    assert status == 0 and str(path) in out
    path.write_bytes(path.read_bytes()[:-1])
    status, out, _ = nc_model("check")
    bad = [line.split(maxsplit=2) for line in out.splitlines() if not line.startswith("ok ")]
    assert (status, bad) == (1, [["bad", str(path), "truncated"]])


def rewritten(**changes: Any) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        header, packed = taken_apart(path)
        parameters = {**header["parameters"], **changes.get("parameters", {})}
        put_together(path, {**header, **changes, "parameters": parameters}, packed)

    return damage


def damage_card(path: Path) -> None:
    card, checksum = registry.card_path(path), registry.read_header(path)["sha256"]
    card.write_text(card.read_text(encoding="utf-8").replace(checksum, "0" * 64), encoding="utf-8")


def damage_card_folder(path: Path) -> None:
    registry.card_path(path).unlink()
    registry.card_path(path).mkdir()


BROKEN = [
    (lambda path: path.write_bytes(path.read_bytes()[:-1]), "truncated"),
    (lambda path: path.write_bytes(path.read_bytes()[:-1] + b"\0"), "damaged: the checksum is wrong"),
    (rewritten(parameters={"q": 2}), "the parts of the model do not fit: q is 2; it must be between 0 and 1"),
    (rewritten(kind="nonsense"), "a model of kind 'nonsense'; known are "),
    (lambda path: path.write_bytes(pickle.dumps(os.getcwd)), "refused: a pickle file, which can run code"),
]
BROKEN_CARD = [
    (damage_card, "the card some.md is of another model: the checksum in it is 000000000000…"),
    (lambda path: registry.card_path(path).write_bytes(b"\xff\xfe\xff"), "the card some.md cannot be read: not UTF-8"),
    (damage_card_folder, "the card some.md cannot be read: Is a directory"),
]


@pytest.mark.parametrize(("damage", "why"), [*BROKEN, *BROKEN_CARD])
def test_check_continues_after_a_damaged_model_and_others_do_not(
    damage: Callable[[Path], object], why: str, path: Path, tmp_path: Path, nc_model: NcModel
) -> None:
    good = written(tmp_path / "good.model", trained(2))
    damage(path)
    status, out, err = nc_model("check", path, good)
    bad, fine = out.splitlines()
    assert (status, err, bad.count(str(path))) == (1, "", 1)
    assert bad.split()[:2] == ["bad", str(path)] and why in bad
    assert fine.split()[:2] == ["ok", str(good)]
    result = json.loads(nc_model("check", "-f", "json", path)[1])
    assert result["ok"] is False and result["problems"][0].startswith(why)
    for verb in ("show", "diff") if (damage, why) in BROKEN else ():
        status, out, err = nc_model(verb, good, path)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert err.startswith(f"nc-model: {path}: {why}")


# ---- diff ----
def test_equal_models_have_no_differences(path: Path, tmp_path: Path, nc_model: NcModel) -> None:
    other = written(tmp_path / "other.model", trained())
    assert nc_model("diff", path, other) == (0, "", "")
    header, packed = taken_apart(path)
    packed = zlib.compress(zlib.decompress(packed), 1)
    put_together(other, {**header, "bytes": len(packed)}, packed)
    assert registry.read_header(other)["sha256"] != header["sha256"]
    assert nc_model("diff", path, other) == (0, "", "")
    status, out, _ = nc_model("diff", "-f", "json", path, other)
    found = json.loads(out)
    assert (status, found["same"], found["fields"], found["arrays"]) == (0, True, {}, [])
    assert "compared" not in found


def test_diff_prints_fields_arrays_and_ngrams(path: Path, tmp_path: Path, nc_model: NcModel) -> None:
    other = written(tmp_path / "other.model", trained(q=0.3, menu="Home | Help"), language="xx", seen={"pages": 9})
    status, out, err = nc_model("diff", "-n", "3", path, other)
    assert (status, err) == (1, "") and "description" not in out
    fields = ["language\n  < en\n  > xx", "seen.pages\n  < 1,497\n  > 9", "seen.pages left out\n  < 3\n  >"]
    assert {*fields, "arrays that differ: clean, dirty, keys"} <= {block.rstrip() for block in out.split("\n\n")}
    found = json.loads(nc_model("diff", "-f", "json", path, other)[1])
    assert found["fields"] == {
        "language": ["en", "xx"], "seen.pages": [1497, 9], "seen.pages left out": [3, None], "parameters.q": [0.5, 0.3],
    }  # fmt: skip
    one, two = (set(registry.load(str(where)).arrays()["keys"].tolist()) for where in (path, other))
    assert found["compared"]["ngrams"] == {"first": len(one), "second": len(two), "common": len(one & two)}
    assert len(one & two) < min(len(one), len(two))


@pytest.mark.parametrize("other", [{"n": 2}, {"fold": "nonlexical"}, {"fold": "frequent", "characters": "the"}])
def test_odds_of_other_alphabets_are_not_compared(
    other: dict[str, Any], path: Path, tmp_path: Path, nc_model: NcModel
) -> None:
    status, out, _ = nc_model("diff", path, written(tmp_path / "other.model", trained(**other)))
    assert status == 1 and "correlation" not in out
    assert out.endswith("note: n or folding differ: the odds are not compared\n")


# ---- usage, pipes ----
@pytest.mark.parametrize("verb", ["show", "check", "diff"])
def test_missing_models_are_usage_errors(
    verb: str, path: Path, tmp_path: Path, nc_model: NcModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, out, err = nc_model(verb, path, "nonsense")
    assert (status, out) == (2, "") and err.startswith("nc-model: unknown model 'nonsense'; installed models: ")
    missing = f"nc-model: {tmp_path / 'no.model'}: No such file or directory\n"
    assert nc_model(verb, path, tmp_path / "no.model") == (2, "", missing)
    monkeypatch.setattr(registry, "model_folders", lambda: [tmp_path / "none"])
    assert nc_model("check") == (2, "", "nc-model: check: no models are installed\n")


@pytest.mark.parametrize(("args", "rest", "status"), [
    *((words, "> /dev/full; echo $?", status) for words, status in (("show a", 1), ("diff a b", 2), ("diff a a", 0))),
    *((words, "| true; echo ${PIPESTATUS[0]}", status) for words, status in (("show a -n9999", 0), ("diff a b", 1))),
])  # fmt: skip
def test_a_full_output_is_an_error_and_a_closed_pipe_none(args: str, rest: str, status: int, tmp_path: Path) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full here")
    written(tmp_path / "a.model", trained())
    written(tmp_path / "b.model", trained(q=0.3))
    words = " ".join(f"./{word}.model" if len(word) == 1 else word for word in args.split())
    command = ["bash", "-c", f"{sys.executable} {ROOT / 'bin' / 'nc-model'} {words} {rest}"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    is_told = status and "full" in rest
    told = "nc-model: standard output: No space left on device\n" if is_told else ""
    assert (done.stdout, done.stderr) == (f"{status}\n", told)


# ---- nc-model import ----
BIGRAMS = DATA / "storable" / "bigrams.st"


def test_an_imported_model_has_a_card(run: Run, tmp_path: Path) -> None:
    done = run("nc-model", "import", BIGRAMS, "-o", tmp_path / "my.model", "--language", "en")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    header = registry.read_header(tmp_path / "my.model")
    assert header["parameters"]["limit"] == 8000
    assert header["parameters"]["tokens"] == "pyplexity"
    assert header["description"] == "Imported from bigrams.st."
    assert header["command"] == "nc-model import bigrams.st -o my.model --language en"
    assert header["sha256"] in (tmp_path / "my.md").read_text()


# ---- nc-score and nc-model with structure models ----
@pytest.fixture(scope="module")
def structure() -> StructureModel:
    return small_model()


@pytest.fixture(scope="module")
def model_file(structure: StructureModel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "small.model"
    registry.write_model(path, structure, {"language": "en", "description": "small"})
    return path


def test_explain_adds_reasons_to_pages_with_structure(model_file: Path, verb: Verb) -> None:
    records = [{"id": "a", "segments": NEW[0].segments}, {"id": "b", "segments": PLAIN_TEXT.segments, "page": {}}]
    status, out, _ = verb(score.main, "-m", model_file, "--explain", "--", stdin=records)
    assert status == 0
    first, second = map(json.loads, out.splitlines())
    assert all({"score", "reasons"} <= set(segment) for segment in first["segments"])
    assert max(len(segment["reasons"]["for"]) for segment in first["segments"]) == 3
    assert first["page"]["type"] == "article"
    assert "page" not in second and not any("reasons" in segment for segment in second["segments"])
    _, out, _ = verb(score.main, "-m", model_file, stdin=[{"segments": NEW[0].segments}])
    assert not any("reasons" in segment for segment in json.loads(out)["segments"])


def test_show_prints_what_a_model_weighs(structure: StructureModel, model_file: Path, run: Any) -> None:
    telling = json.loads(run("nc-model", "show", "-f", "json", "-n", "5", model_file).stdout)["telling"]
    assert telling == structure.most_informative(5)
    text = run("nc-model", "show", "-n", "5", model_file).stdout.decode()
    assert "most telling for the odds" in text
    assert max(map(len, text.splitlines())) < 250  # vocabularies are not printed
