"""nc-model: what models are, whether their files are sound, how two differ; on small models made here."""

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
from test_model import put_together, taken_apart

from ncfilters.commands import model, train
from ncfilters.scoring import inspection_report, registry
from ncfilters.scoring.char_ngram import inspect as ngram_inspect
from ncfilters.scoring.char_ngram.alphabet import Alphabet
from ncfilters.scoring.char_ngram.model import CharNgramModel, NgramParameters

ROOT = Path(__file__).resolve().parents[2]
ABOUT = {
    "description": "For tests — é.",
    "language": "en",
    "credits": ["A corpus, CC0", "Another, CC BY 4.0"],
    "seen": {"pages": 1497, "pages left out": 3},
    "command": "nc-train ngram",
}
Said = Callable[..., tuple[int, str, str]]


def trained(
    n: int = 3, q: float = 0.5, fold: str = "ascii", characters: str = "", menu: str = "Home | About"
) -> CharNgramModel:
    return CharNgramModel.train(
        NgramParameters(n, q, Alphabet(fold, characters)),
        [("The text that somebody wrote.", 1.0), ("Then the other text.", 1.0)],
        [(menu, 1.0), ("Log in", 1.0), ("Home", 0.5)],
    )


def written(path: Path, of: Any, **about: Any) -> Path:
    """A model file with its card, as nc-train leaves them."""
    header = registry.write_model(path, of, {**ABOUT, **about})
    registry.card_path(path).write_text(train.card(registry.model_name(path), header), encoding="utf-8")
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return written(tmp_path / "some.model", trained())


@pytest.fixture
def said(capfdbinary: pytest.CaptureFixture[bytes]) -> Said:
    """Runs nc-model here: the status, standard output, standard error."""

    def called(*args: str | Path) -> tuple[int, str, str]:
        capfdbinary.readouterr()
        status = model.main([*map(str, args)])
        out, err = capfdbinary.readouterr()
        return status, out.decode(), err.decode()

    return called


class Oracle:
    """A kind of model that cannot say what it learned."""

    kind = "oracle"

    def __init__(self, numbers: list[float]) -> None:
        self.numbers = numbers

    def evidence(self, documents: Any) -> list[dict[str, list[Any]]]:
        return [{"score": [self.numbers[0]] * len(document)} for document in documents]

    def header(self) -> dict[str, Any]:
        return {"depth": 2}

    def arrays(self) -> dict[str, Any]:
        return {"numbers": np.array(self.numbers, np.float32)}


@pytest.fixture
def oracles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.KINDS, "oracle", lambda header, arrays: Oracle(arrays["numbers"].tolist()))


# ---- n-grams that tell ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "fold"), [(1, "ascii"), (2, "ascii"), (3, "ascii"), (5, "ascii"), (6, "nonlexical")])
def test_the_odds_of_an_n_gram_are_what_a_text_that_has_it_more_scores(n: int, fold: str) -> None:
    some = trained(n, fold=fold)
    odds = dict(zip(some.counts.keys.tolist(), some.odds().tolist()))
    text = "Then the other text."
    codes = [0] * (n - 1) + some.parameters.alphabet.codes(text).tolist() + [0]
    keys = [
        sum(code * some.parameters.alphabet.size**at for at, code in enumerate(reversed(codes[i : i + n])))
        for i in range(len(text) + 1)
    ]
    assert set(keys) <= odds.keys()
    assert sum(odds[key] for key in keys) == pytest.approx(float(some.score_texts([text])[0]), abs=1e-4)


def test_evidence_is_share_times_odds_and_orders_the_rows() -> None:
    some = trained()
    found = some.most_informative(1000)
    for kind, sign in (("clean", 1), ("dirty", -1)):
        rows = found[kind]
        assert len(rows) > 5
        for row in rows:
            assert sign * row["odds"] > 0
            error = 0.005 * (row[kind] + abs(row["odds"]) + 2)  # all three are rounded
            assert row["evidence"] == pytest.approx(sign * row["odds"] * row[kind], abs=error)
        assert [row["evidence"] for row in rows] == sorted((row["evidence"] for row in rows), reverse=True)
        assert some.most_informative(3)[kind] == rows[:3]
    # what comes twice in clean text and never in the menu, and the other way about
    assert {"⊢Th", "ext", "␣te"} <= {row["ngram"] for row in found["clean"][:8]}
    assert [row["ngram"] for row in found["dirty"][:2]] == ["⊢⊢H", "⊢Ho"]


def test_shares_are_of_a_thousand() -> None:
    some = CharNgramModel.train(NgramParameters(1, 0.5, Alphabet("ascii")), [("aab", 1.0)], [("bbbbbbb", 2.0)])
    rows = {row["ngram"]: row for rows in some.most_informative(9).values() for row in rows}
    assert (rows["a"]["clean"], rows["a"]["dirty"]) == (500, 0)
    assert (rows["b"]["clean"], rows["b"]["dirty"]) == (250, 875)
    assert rows["a"]["odds"] > 0 > rows["b"]["odds"]


def test_a_frequent_n_gram_tells_more_than_a_rare_one_with_larger_odds() -> None:
    some = CharNgramModel.train(
        NgramParameters(1, 0.5, Alphabet("ascii")), [("a" * 90 + "z" * 3, 1.0)], [("a" * 30 + "b" * 60, 1.0)]
    )
    first, second = some.most_informative(2)["clean"]
    assert (first["ngram"], second["ngram"]) == ("a", "z")
    assert second["odds"] > first["odds"]


def test_counts_below_zero_or_no_numbers_are_none() -> None:
    some = trained()
    some.dirty = some.dirty.copy()
    some.dirty[0], some.dirty[1] = -5, np.nan
    for rows in some.most_informative(1000).values():
        assert all(row["dirty"] >= 0 for row in rows)


@pytest.mark.parametrize(
    ("fold", "text", "wanted"),
    [
        ("ascii", "a b", ["⊢⊢a", "⊢a␣", "a␣b", "␣b⊣"]),
        ("ascii", "", ["⊢⊢⊣"]),
        ("ascii", "x", ["⊢⊢x", "⊢x⊣"]),
        ("ascii", "é~", ["⊢⊢~", "⊢~~", "~~⊣"]),
        ("nonlexical", "B7", ["⊢⊢a", "⊢a0", "a0⊣"]),
        ("frequent", "éX", ["⊢⊢é", "⊢é⟨Lu⟩", "é⟨Lu⟩⊣"]),
        ("frequent", "\u0301", ["⊢⊢⟨U+0301⟩", "⊢⟨U+0301⟩⊣"]),
    ],
)
def test_n_grams_are_shown(fold: str, text: str, wanted: list[str]) -> None:
    some = CharNgramModel.train(
        NgramParameters(3, 0.5, Alphabet(fold, "é\u0301" if fold == "frequent" else "")), [(text, 1.0)], []
    )
    assert sorted(
        ngram_inspect.readable_ngram(some.parameters.alphabet, 3, int(key)) for key in some.counts.keys
    ) == sorted(wanted)


# ---- show -------------------------------------------------------------------------------------------------------


def test_show_says_what_the_header_and_the_model_say(path: Path, said: Said) -> None:
    status, out, err = said("show", "-n", "2", path)
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


def test_show_as_json_has_the_same(path: Path, said: Said) -> None:
    status, out, _ = said("show", "-f", "json", path, path)
    first, second = (json.loads(line) for line in out.splitlines())
    assert (status, first) == (0, second)
    assert first["header"] == registry.read_header(path)
    assert (first["name"], first["file"], first["size"]) == ("some", str(path), path.stat().st_size)
    assert first["telling"] == trained().most_informative(20)


def test_show_by_name_without_n_grams(path: Path, said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NC_MODELS", str(path.parent))
    status, out, _ = said("show", "some", "-n0")
    assert status == 0
    assert str(path) in out
    assert "telling" not in out
    assert "telling" not in json.loads(said("show", "some", "-n0", "-f", "json")[1])


@pytest.mark.usefixtures("oracles")
def test_a_kind_that_cannot_tell_tells_nothing(tmp_path: Path, said: Said) -> None:
    where = written(tmp_path / "x.model", Oracle([1, 2]))
    status, out, _ = said("show", where)
    assert status == 0
    assert "  kind         oracle\n" in out
    assert "  arrays       numbers  2 <f4\n" in out
    assert "telling" not in out


def test_fields_of_headers_that_nobody_expects(tmp_path: Path, said: Said) -> None:
    odd = {"description": "a\nb\x1b[31mc", "credits": "alone", "seen": [1, {"x": []}], "language": None, "more": True}
    where = tmp_path / "x.model"
    registry.write_model(where, trained(), {"file": "own", **odd})
    header, packed = taken_apart(where)
    put_together(where, {**header, "surrogate": "\ud800"}, packed)
    status, out, err = said("show", "-n0", where)
    assert (status, err) == (0, "")
    assert "  description  a\ufffdb\ufffd[31mc\n" in out
    assert "  credits      alone\n" in out
    assert '  seen         1\n               {"x": []}\n' in out
    assert "  more         true\n" in out
    assert "language" not in out
    assert json.loads(said("show", "-fjson", where)[1])["header"]["surrogate"] == "\ud800"


def test_wide_characters_stay_in_their_columns() -> None:
    rows = [{"ngram": "中文", "odds": 1.0}, {"ngram": "ab", "odds": -12.5}, {"ngram": "é", "odds": 0.0}]
    assert inspection_report.table(rows) == "ngram    odds\n中文     1.00\nab     -12.50\né        0.00\n"
    assert inspection_report.table([]) == "none\n"


# ---- check ------------------------------------------------------------------------------------------------------


def test_check_of_sound_models(path: Path, tmp_path: Path, said: Said) -> None:
    bare = tmp_path / "bare.model"
    registry.write_model(bare, trained(2), ABOUT)
    silent = written(tmp_path / "silent.model", trained(2))
    registry.card_path(silent).write_text("# silent\n")
    status, out, err = said("check", path, bare, silent)
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
    first, second, _ = (json.loads(line) for line in said("check", "-f", "json", path, bare, silent)[1].splitlines())
    assert first == {
        "name": "some",
        "signature": signatures[0],
        "file": str(path),
        "ok": True,
        "problems": [],
        "notes": [],
    }
    assert second["notes"] == ["there is no card bare.md"]


def test_check_of_all_models(path: Path, said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NC_MODELS", str(path.parent))
    status, out, _ = said("check")
    assert status == 0
    assert [line.split()[1] for line in out.splitlines()] == [
        str(found) for found in registry.installed_models().values()
    ]
    assert str(path) in out
    path.write_bytes(path.read_bytes()[:-1])
    status, out, _ = said("check")
    assert status == 1
    bad = [line.split(maxsplit=2) for line in out.splitlines() if not line.startswith("ok ")]
    assert bad == [["bad", str(path), "cut short"]]


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
    (damage_end, "cut short"),
    (damage_byte, "damaged: the checksum is wrong"),
    (damage_fit, "the parts of the model do not fit: q is 2: between 0 and 1"),
    (damage_kind, "a model of kind 'nonsense'; known are "),
    (damage_pickle, "a pickle, which could run code"),
]
BROKEN_CARD = [
    (damage_card, "the card some.md is of another model: the checksum in it is 000000000000…"),
    (damage_card_bytes, "the card some.md cannot be read: not UTF-8"),
    (damage_card_folder, "the card some.md cannot be read: Is a directory"),
]


@pytest.mark.parametrize(("damage", "why"), [*BROKEN, *BROKEN_CARD])
def test_check_goes_on_after_a_bad_model(
    damage: Callable[[Path], None], why: str, path: Path, tmp_path: Path, said: Said
) -> None:
    good = written(tmp_path / "good.model", trained(2))
    damage(path)
    status, out, err = said("check", path, good)
    bad, fine = out.splitlines()
    assert (status, err) == (1, "")
    assert bad.split()[:2] == ["bad", str(path)]
    assert why in bad
    assert bad.count(str(path)) == 1
    assert fine.split()[:2] == ["ok", str(good)]
    result = json.loads(said("check", "-f", "json", path)[1])
    assert result["ok"] is False
    assert result["problems"][0].startswith(why)


@pytest.mark.parametrize(("damage", "why"), BROKEN)
@pytest.mark.parametrize("verb", ["show", "diff"])
def test_a_damaged_model_is_not_shown_or_compared(
    verb: str, damage: Callable[[Path], None], why: str, path: Path, tmp_path: Path, said: Said
) -> None:
    good = written(tmp_path / "good.model", trained(2))
    damage(path)
    status, out, err = said(verb, good, path)
    assert (status, out) == (2, "")
    assert err.startswith(f"nc-model: {path}: {why}")
    assert err.count("\n") == 1


# ---- diff -------------------------------------------------------------------------------------------------------


def test_the_same_is_the_same(path: Path, tmp_path: Path, said: Said) -> None:
    other = written(tmp_path / "other.model", trained())
    assert said("diff", path, other) == (0, "", "")
    header, packed = taken_apart(path)
    packed = zlib.compress(zlib.decompress(packed), 1)
    put_together(other, {**header, "bytes": len(packed)}, packed)
    assert registry.read_header(other)["sha256"] != header["sha256"]
    assert said("diff", path, other) == (0, "", "")
    status, out, _ = said("diff", "-f", "json", path, other)
    found = json.loads(out)
    assert status == 0
    assert (found["same"], found["fields"], found["arrays"]) == (True, {}, [])
    assert "compared" not in found


def test_what_differs(path: Path, tmp_path: Path, said: Said) -> None:
    other = written(tmp_path / "other.model", trained(q=0.3, menu="Home | Help"), language="xx", seen={"pages": 9})
    status, out, err = said("diff", "-n", "3", path, other)
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
    found = json.loads(said("diff", "-f", "json", path, other)[1])
    assert found["fields"] == {
        "language": ["en", "xx"],
        "seen.pages": [1497, 9],
        "seen.pages left out": [3, None],
        "parameters.q": [0.5, 0.3],
    }
    one, two = (set(registry.load(str(where)).arrays()["keys"].tolist()) for where in (path, other))
    assert found["compared"]["ngrams"] == {"first": len(one), "second": len(two), "common": len(one & two)}
    assert len(one & two) < min(len(one), len(two))


def test_changes_are_those_of_the_odds() -> None:
    one, other = trained(), trained(q=0.3, menu="the the the the")
    keys = sorted(set(one.keys.tolist()) & set(other.keys.tolist()))
    odds = [dict(zip(some.counts.keys.tolist(), some.odds().tolist())) for some in (one, other)]
    pairs = {
        ngram_inspect.readable_ngram(one.parameters.alphabet, 3, key): (odds[0][key], odds[1][key]) for key in keys
    }
    found = one.differences(other, 10_000)
    assert found["ngrams"]["common"] == len(keys)
    assert found["correlation"] == pytest.approx(np.corrcoef(np.array([*pairs.values()]).T)[0, 1], abs=1e-4)
    changed = found["changed"]
    for row in changed:
        before, after = pairs[row["ngram"]]
        assert (row["first"], row["second"]) == pytest.approx((before, after), abs=0.006)
        assert row["change"] == pytest.approx(after - before, abs=0.006)
        assert row["effect"] == pytest.approx(abs(after - before) * row["share"], rel=0.02, abs=0.02)
    assert [row["effect"] for row in changed] == sorted((row["effect"] for row in changed), reverse=True)
    # counted by hand: of 1,000 n-grams, over both classes and both models
    rows = {row["ngram"]: row for row in changed}
    total, menu = 30 + 21, 13 + 7 + 2.5
    assert rows["the"]["share"] == pytest.approx(
        1000 * (2 / total / 2 + (2 / total / 2 + 4 / (16 + 7 + 2.5) / 2)) / 2, abs=0.01
    )
    assert rows["⊢⊢L"]["share"] == pytest.approx(1000 * (1 / menu / 2 + 1 / (16 + 7 + 2.5) / 2) / 2, abs=0.01)


@pytest.mark.parametrize("other", [{"n": 2}, {"fold": "nonlexical"}, {"fold": "frequent", "characters": "the"}])
def test_odds_of_other_n_grams_are_not_compared(other: dict[str, Any], path: Path, tmp_path: Path, said: Said) -> None:
    there = written(tmp_path / "other.model", trained(**other))
    status, out, _ = said("diff", path, there)
    assert status == 1
    assert out.endswith("note: n or folding differ: the odds are not compared\n")
    assert "correlation" not in out


def test_correlation_where_there_is_none() -> None:
    one, other = (
        CharNgramModel.train(NgramParameters(3, 0.5, Alphabet("ascii")), [(text, 1.0)], [("", 1.0)])
        for text in ("abc", "xyz")
    )
    found = one.differences(other, 5)
    assert found["ngrams"]["common"] == 1  # the empty text
    assert found["correlation"] is None


@pytest.mark.usefixtures("oracles")
def test_kinds_that_cannot_tell(tmp_path: Path, path: Path, said: Said) -> None:
    one, two = (written(tmp_path / f"{x}.model", Oracle([1, x])) for x in (1, 2))
    status, out, err = said("diff", one, two)
    assert (status, err) == (1, "")
    assert out.endswith("\narrays that differ: numbers\n")
    assert said("diff", one, one) == (0, "", "")
    status, out, err = said("diff", one, path)
    assert (status, out) == (2, "")
    assert err == f"nc-model: {one} is of kind oracle, {path} of kind ngram: nothing to compare\n"


# ---- usage, pipes -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", ["show", "check", "diff"])
def test_models_that_are_not_there(verb: str, path: Path, tmp_path: Path, said: Said) -> None:
    status, out, err = said(verb, path, "nonsense")
    assert (status, out) == (2, "")
    assert err.startswith("nc-model: unknown model 'nonsense': there is ")
    status, out, err = said(verb, path, tmp_path / "no.model")
    assert (status, out, err) == (2, "", f"nc-model: {tmp_path / 'no.model'}: No such file or directory\n")


@pytest.mark.parametrize("args", [["show"], ["diff"], ["diff", "en"], ["diff", "en", "en", "en"]])
def test_as_many_models_as_the_verb_wants(args: list[str], said: Said) -> None:
    status, out, err = said(*args)
    assert (status, out) == (2, "")
    assert err.startswith(f"nc-model: {args[0]}: ")


@pytest.mark.parametrize("args", [[], ["look"], ["show", "-n", "-1", "en"], ["show", "-n", "x"], ["show", "-f", "xml"]])
def test_usage(args: list[str], said: Said) -> None:
    with pytest.raises(SystemExit) as stopped:
        said(*args)
    assert stopped.value.code == 2


def test_no_model_at_all(tmp_path: Path, said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "model_folders", lambda: [tmp_path])
    assert said("check") == (2, "", "nc-model: check: there are no models\n")


@pytest.mark.parametrize(
    ("args", "status"), [(["show", "a"], 1), (["check", "a"], 1), (["diff", "a", "b"], 2), (["diff", "a", "a"], 0)]
)
def test_an_output_that_is_full(args: list[str], status: int, tmp_path: Path) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full here")
    done = piped(args, tmp_path, "> /dev/full; echo $?")
    assert done.stdout == f"{status}\n"
    assert done.stderr == ("nc-model: standard output: No space left on device\n" if status else "")


@pytest.mark.parametrize(
    ("args", "status"),
    [(["show", "a", "-n9999"], 0), (["check", "a"], 0), (["diff", "a", "b"], 1), (["diff", "a", "a"], 0)],
)
def test_a_reader_that_has_seen_enough(args: list[str], status: int, tmp_path: Path) -> None:
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
        "import sys; from ncfilters import inspection\n"
        f"try: inspection.main(['{option}'])\n"
        "finally: sys.exit('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, timeout=60).returncode == 0
