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

import numpy as np
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


# ---- show -------------------------------------------------------------------------------------------------------


def test_show_prints_the_header_and_the_ngrams(path: Path, nc_model: NcModel) -> None:
    status, out, err = nc_model("show", "-n", "2", path)
    header = registry.read_header(path)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == f"some@{header['sha256'][:12]}" == registry.signature("some", header)
    assert f"  file         {path} ({path.stat().st_size:,} bytes)" in lines
    assert "  description  For tests — é." in lines
    at = lines.index("  credits      A corpus, CC0")
    assert lines[at + 1] == "               Another, CC BY 4.0"
    assert lines[at + 2 : at + 4] == ["  seen         pages           1,497", "               pages left out  3"]
    assert f"  sha256       {header['sha256']}" in lines
    at = lines.index("most telling for clean")
    assert lines[at + 1].split() == ["ngram", "odds", "clean", "dirty", "evidence"]
    row = trained().most_informative(1)["clean"][0]
    assert lines[at + 2].split() == [row.pop("ngram"), *(f"{value:.2f}" for value in row.values())]
    assert lines[at + 4 : at + 6] == ["", "most telling for dirty"]
    assert len(lines) == at + 9


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
    assert status == 0
    assert str(path) in out
    assert "telling" not in out
    assert "telling" not in json.loads(nc_model("show", "some", "-n0", "-f", "json")[1])


@pytest.mark.usefixtures("oracles")
def test_show_of_a_kind_that_reports_nothing(tmp_path: Path, nc_model: NcModel) -> None:
    where = written(tmp_path / "x.model", Oracle([1, 2]))
    status, out, _ = nc_model("show", where)
    assert status == 0
    assert "  kind         oracle\n" in out
    assert "  arrays       numbers  2 <f4\n" in out
    assert "telling" not in out


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


# ---- check ------------------------------------------------------------------------------------------------------


def test_check_accepts_sound_models(path: Path, tmp_path: Path, nc_model: NcModel) -> None:
    bare = tmp_path / "bare.model"
    registry.write_model(bare, trained(2), ABOUT)
    silent = written(tmp_path / "silent.model", trained(2))
    registry.card_path(silent).write_text("# silent\n")
    status, out, err = nc_model("check", path, bare, silent)
    signatures = [
        registry.signature(registry.model_name(where), registry.read_header(where)) for where in (path, bare, silent)
    ]
    assert (status, err) == (0, "")
    assert [line.split("  ")[0] for line in out.splitlines()] == ["ok"] * 3
    assert [line.split()[1] for line in out.splitlines()] == [str(path), str(bare), str(silent)]
    assert [line.split(maxsplit=2)[2] for line in out.splitlines()] == [
        signatures[0],
        f"{signatures[1]}; there is no card bare.md",
        f"{signatures[2]}; the card silent.md has no checksum",
    ]
    first, second, _ = (
        json.loads(line) for line in nc_model("check", "-f", "json", path, bare, silent)[1].splitlines()
    )
    assert first == {
        "name": "some", "signature": signatures[0], "file": str(path), "ok": True, "problems": [], "notes": [],
    }  # fmt: skip
    assert second["notes"] == ["there is no card bare.md"]


@pytest.mark.usefixtures("oracles")
def test_check_finds_weights_that_are_not_numbers(tmp_path: Path, nc_model: NcModel) -> None:
    where = written(tmp_path / "x.model", Oracle([1, float("nan")]))
    status, out, _ = nc_model("check", where)
    assert status == 1
    assert "numbers: not a number (NaN)" in out


def test_check_without_names_checks_all_models(path: Path, nc_model: NcModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NC_MODELS", str(path.parent))
    status, out, _ = nc_model("check")
    assert status == 0
    assert [line.split()[1] for line in out.splitlines()] == [
        str(found) for found in registry.installed_models().values()
    ]
    assert str(path) in out
    path.write_bytes(path.read_bytes()[:-1])
    status, out, _ = nc_model("check")
    assert status == 1
    bad = [line.split(maxsplit=2) for line in out.splitlines() if not line.startswith("ok ")]
    assert bad == [["bad", str(path), "truncated"]]


def damage_end(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def damage_byte(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))


def damage_fit(path: Path) -> None:
    header, packed = taken_apart(path)
    put_together(path, {**header, "parameters": {**header["parameters"], "q": 2}}, packed)


def damage_kind(path: Path) -> None:
    header, packed = taken_apart(path)
    put_together(path, {**header, "kind": "nonsense"}, packed)


def damage_pickle(path: Path) -> None:
    path.write_bytes(pickle.dumps(os.getcwd))


def damage_card(path: Path) -> None:
    card = registry.card_path(path)
    card.write_text(
        card.read_text(encoding="utf-8").replace(registry.read_header(path)["sha256"], "0" * 64), encoding="utf-8"
    )


def damage_card_bytes(path: Path) -> None:
    registry.card_path(path).write_bytes(b"\xff\xfe\xff")


def damage_card_folder(path: Path) -> None:
    registry.card_path(path).unlink()
    registry.card_path(path).mkdir()


BROKEN = [
    (damage_end, "truncated"),
    (damage_byte, "damaged: the checksum is wrong"),
    (damage_fit, "the parts of the model do not fit: q is 2; it must be between 0 and 1"),
    (damage_kind, "a model of kind 'nonsense'; known are "),
    (damage_pickle, "refused: a pickle file, which can run code"),
]
BROKEN_CARD = [
    (damage_card, "the card some.md is of another model: the checksum in it is 000000000000…"),
    (damage_card_bytes, "the card some.md cannot be read: not UTF-8"),
    (damage_card_folder, "the card some.md cannot be read: Is a directory"),
]


@pytest.mark.parametrize(("damage", "why"), [*BROKEN, *BROKEN_CARD])
def test_check_continues_after_a_damaged_model(
    damage: Callable[[Path], None], why: str, path: Path, tmp_path: Path, nc_model: NcModel
) -> None:
    good = written(tmp_path / "good.model", trained(2))
    damage(path)
    status, out, err = nc_model("check", path, good)
    bad, fine = out.splitlines()
    assert (status, err) == (1, "")
    assert bad.split()[:2] == ["bad", str(path)]
    assert why in bad
    assert bad.count(str(path)) == 1
    assert fine.split()[:2] == ["ok", str(good)]
    result = json.loads(nc_model("check", "-f", "json", path)[1])
    assert result["ok"] is False
    assert result["problems"][0].startswith(why)


@pytest.mark.parametrize(("damage", "why"), BROKEN)
@pytest.mark.parametrize("verb", ["show", "diff"])
def test_damaged_models_are_not_described_or_compared(
    verb: str, damage: Callable[[Path], None], why: str, path: Path, tmp_path: Path, nc_model: NcModel
) -> None:
    good = written(tmp_path / "good.model", trained(2))
    damage(path)
    status, out, err = nc_model(verb, good, path)
    assert (status, out) == (2, "")
    assert err.startswith(f"nc-model: {path}: {why}")
    assert err.count("\n") == 1


# ---- diff -------------------------------------------------------------------------------------------------------


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
    assert status == 0
    assert (found["same"], found["fields"], found["arrays"]) == (True, {}, [])
    assert "compared" not in found


def test_diff_prints_fields_arrays_and_ngrams(path: Path, tmp_path: Path, nc_model: NcModel) -> None:
    other = written(tmp_path / "other.model", trained(q=0.3, menu="Home | Help"), language="xx", seen={"pages": 9})
    status, out, err = nc_model("diff", "-n", "3", path, other)
    assert (status, err) == (1, "")
    blocks = out.split("\n\n")
    assert [line.split()[1].partition("@")[0] for line in blocks[0].splitlines()] == ["some", "other"]
    assert "language\n  < en\n  > xx" in blocks
    assert "parameters.q\n  < 0.5\n  > 0.3" in blocks
    assert "seen.pages\n  < 1,497\n  > 9" in blocks
    assert "seen.pages left out\n  < 3\n  >" in [block.rstrip() for block in blocks]
    assert "arrays that differ: clean, dirty, keys" in blocks
    assert "description" not in out
    assert out.rstrip().splitlines()[-4].split() == ["ngram", "first", "second", "change", "share", "effect"]
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
    there = written(tmp_path / "other.model", trained(**other))
    status, out, _ = nc_model("diff", path, there)
    assert status == 1
    assert out.endswith("note: n or folding differ: the odds are not compared\n")
    assert "correlation" not in out


@pytest.mark.usefixtures("oracles")
def test_diff_of_a_kind_that_reports_nothing(tmp_path: Path, path: Path, nc_model: NcModel) -> None:
    one, two = (written(tmp_path / f"{x}.model", Oracle([1, x])) for x in (1, 2))
    status, out, err = nc_model("diff", one, two)
    assert (status, err) == (1, "")
    assert out.endswith("\narrays that differ: numbers\n")
    assert nc_model("diff", one, one) == (0, "", "")
    status, out, err = nc_model("diff", one, path)
    assert (status, out) == (2, "")
    assert (
        err
        == f"nc-model: {one} is of kind oracle, {path} of kind ngram: models of different kinds cannot be compared\n"
    )


# ---- usage, pipes -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", ["show", "check", "diff"])
def test_missing_models_are_usage_errors(verb: str, path: Path, tmp_path: Path, nc_model: NcModel) -> None:
    status, out, err = nc_model(verb, path, "nonsense")
    assert (status, out) == (2, "")
    assert err.startswith("nc-model: unknown model 'nonsense'; installed models: ")
    status, out, err = nc_model(verb, path, tmp_path / "no.model")
    assert (status, out, err) == (2, "", f"nc-model: {tmp_path / 'no.model'}: No such file or directory\n")


def test_check_without_any_model_is_a_usage_error(
    tmp_path: Path, nc_model: NcModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "model_folders", lambda: [tmp_path])
    assert nc_model("check") == (2, "", "nc-model: check: no models are installed\n")


@pytest.mark.parametrize(
    ("args", "status"), [(["show", "a"], 1), (["check", "a"], 1), (["diff", "a", "b"], 2), (["diff", "a", "a"], 0)]
)
def test_a_full_output_is_an_error(args: list[str], status: int, tmp_path: Path) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full here")
    done = piped(args, tmp_path, "> /dev/full; echo $?")
    assert done.stdout == f"{status}\n"
    assert done.stderr == ("nc-model: standard output: No space left on device\n" if status else "")


@pytest.mark.parametrize(
    ("args", "status"),
    [(["show", "a", "-n9999"], 0), (["check", "a"], 0), (["diff", "a", "b"], 1), (["diff", "a", "a"], 0)],
)
def test_a_closed_pipe_does_not_change_the_status(args: list[str], status: int, tmp_path: Path) -> None:
    done = piped(args, tmp_path, "| true; echo ${PIPESTATUS[0]}")
    assert (done.stdout, done.stderr) == (f"{status}\n", "")


def piped(args: list[str], folder: Path, rest: str) -> subprocess.CompletedProcess[str]:
    written(folder / "a.model", trained())
    written(folder / "b.model", trained(q=0.3))
    words = " ".join(f"./{word}.model" if len(word) == 1 else word for word in args)
    return subprocess.run(
        ["bash", "-c", f"{sys.executable} {ROOT / 'bin' / 'nc-model'} {words} {rest}"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_starts_without_numpy(option: str) -> None:
    code = (
        "import sys; from ncfilters.commands import model\n"
        f"try: model.main(['{option}'])\n"
        "finally: sys.exit('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, timeout=60).returncode == 0


# ---- nc-model import -----------------------------------------------------------------------------------------------


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


# ---- nc-score and nc-model with structure models -------------------------------------------------------------------


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


def test_without_explain_there_are_no_reasons(model_file: Path, verb: Verb) -> None:
    _, out, _ = verb(score.main, "-m", model_file, stdin=[{"segments": NEW[0].segments}])
    assert not any("reasons" in segment for segment in json.loads(out)["segments"])


def test_a_model_of_other_features_is_a_usage_error(structure: StructureModel, tmp_path: Path, run: Any) -> None:
    class Other(StructureModel):
        def header(self) -> dict[str, Any]:
            header = super().header()
            return {**header, "features": [*header["features"][:-1], "moon_phase"]}

    other = Other.from_parts(structure.header(), structure.arrays())
    registry.write_model(tmp_path / "other.model", other, {})
    done = run("nc-score", "-m", "./other.model", stdin=[{"segments": NEW[0].segments}])
    assert done.returncode == 2
    assert b"moon_phase" in done.stderr and done.stderr.count(b"\n") == 1


def test_show_prints_what_a_model_weighs(structure: StructureModel, model_file: Path, run: Any) -> None:
    telling = json.loads(run("nc-model", "show", "-f", "json", "-n", "5", model_file).stdout)["telling"]
    assert telling == structure.most_informative(5)
    text = run("nc-model", "show", "-n", "5", model_file).stdout.decode()
    assert "most telling for the odds" in text
    assert max(map(len, text.splitlines())) < 250  # vocabularies are not printed


def test_diff_prints_the_names_that_changed(
    structure: StructureModel, model_file: Path, tmp_path: Path, run: Any
) -> None:
    assert run("nc-model", "check", model_file).returncode == 0
    assert run("nc-model", "diff", model_file, model_file).stdout == b""
    other = StructureModel.from_parts(structure.header(), structure.arrays())
    network = other.parameters.network
    network.weights["names"] = network.weights["names"] * np.float32(2)
    registry.write_model(tmp_path / "other.model", other, {"language": "en", "description": "small"})
    done = run("nc-model", "diff", "-f", "json", model_file, "./other.model")
    assert done.returncode == 1
    (difference,) = map(json.loads, done.stdout.splitlines())
    assert difference["arrays"] == ["names"]
    compared, size = difference["compared"], len(structure.parameters.names)
    assert compared["names"] == {"first": size, "second": size, "common": size}
    assert compared["changed"] and all(row["reason"].startswith("name:") for row in compared["changed"])
    assert run("nc-model", "diff", model_file, "./other.model").returncode == 1
