"""Model files: written and read, found by name, and refused with their name when anything is wrong with them."""

from __future__ import annotations

import hashlib
import io
import json
import pickle
import re
import subprocess
import sys
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from word_lm_corpus import train

from ncfilters.errors import ModelError
from ncfilters.features.document import Document
from ncfilters.scoring import base, file_format, registry
from ncfilters.scoring.char_ngram.alphabet import Alphabet
from ncfilters.scoring.char_ngram.counts import NgramCounts
from ncfilters.scoring.char_ngram.model import CharNgramModel, NgramParameters

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = sorted((ROOT / "models").glob("*.model"))
TEXTS = ["Some clean text.", "Home | About", "", "né 中 😀"]


def trained(n: int = 3, fold: str = "ascii", characters: str = "") -> CharNgramModel:
    return CharNgramModel.train(
        NgramParameters(n, 0.5, Alphabet(fold, characters)),
        [("Some clean text, é.", 1), ("中文", 0.3)],
        [("Home | About", 1), ("Log in", 1 / 3)],
    )


def scores(of: base.Model) -> list[float]:
    found: list[float] = of.evidence([Document.of_texts(TEXTS)])[0]["score"]
    return found


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A good model file."""
    where = tmp_path / "some.model"
    registry.write_model(where, trained(), {"language": "en", "description": "For tests — é."})
    return where


def taken_apart(path: Path) -> tuple[dict[str, Any], bytes]:
    data = path.read_bytes()
    end = data.index(b"\n\n")
    return json.loads(data[len(file_format.MAGIC) : end]), data[end + 2 :]


def put_together(path: Path, header: dict[str, Any], packed: bytes) -> None:
    """A file whose checksum is right, whatever else is wrong."""
    said = json.dumps({key: value for key, value in header.items() if key != "sha256"}, sort_keys=True)
    header = {**header, "sha256": hashlib.sha256(said.encode() + packed).hexdigest()}
    path.write_bytes(file_format.MAGIC + json.dumps(header).encode() + b"\n\n" + packed)


def refused(path: Path, why: str | None = None) -> None:
    with pytest.raises(ModelError, match=why) as caught:
        registry.load(str(path))
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


# ---- written and read -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "fold", "characters"),
    [(1, "ascii", ""), (3, "ascii", ""), (6, "nonlexical", ""), (8, "ascii", ""), (4, "frequent", "é中 a")],
)
def test_what_is_read_scores_as_what_was_written(tmp_path: Path, n: int, fold: str, characters: str) -> None:
    made = trained(n, fold, characters)
    registry.write_model(tmp_path / "x.model", made, {})
    read = registry.load(str(tmp_path / "x.model"))
    assert isinstance(read, CharNgramModel)
    assert read.score_texts(TEXTS).tolist() == made.score_texts(TEXTS).tolist()
    assert scores(read) == scores(made)
    assert (read.header(), read.kind) == (made.header(), "ngram")


def test_the_same_model_is_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.model", "b.model"):
        registry.write_model(tmp_path / name, trained(), {"language": "en", "credits": ["A corpus, CC0"]})
    assert (tmp_path / "a.model").read_bytes() == (tmp_path / "b.model").read_bytes()
    registry.write_model(
        tmp_path / "c.model", registry.load(str(tmp_path / "a.model")), {"language": "en", "credits": ["A corpus, CC0"]}
    )
    assert (tmp_path / "c.model").read_bytes() == (tmp_path / "a.model").read_bytes()


def test_the_header_is_for_reading(path: Path) -> None:
    first, _, rest = path.read_bytes().partition(b"\n")
    assert first == b"ncfilters model 1"
    header = json.loads(rest.partition(b"\n\n")[0])
    assert header["kind"] == "ngram"
    assert header["parameters"] == {"n": 3, "q": 0.5, "folding": "ascii"}
    assert header["description"] == "For tests — é."
    assert "For tests — é.".encode() in path.read_bytes()
    assert [(array["name"], array["dtype"]) for array in header["arrays"]] == [
        ("keys", "<i8"),
        ("clean", "<f4"),
        ("dirty", "<f4"),
    ]


def test_write_returns_the_header_that_read_finds(tmp_path: Path) -> None:
    header = registry.write_model(tmp_path / "x.model", trained(), {"seen": {"pages": 3}})
    assert registry.read_header(tmp_path / "x.model") == header
    assert header["seen"] == {"pages": 3}


def test_arrays_are_little_endian_whatever_they_were(tmp_path: Path) -> None:
    made = trained()
    counts = NgramCounts(*(array.astype(f">{array.dtype.str[1:]}") for array in made.arrays().values()))
    other = CharNgramModel(made.parameters, counts)
    registry.write_model(tmp_path / "a.model", made, {})
    registry.write_model(tmp_path / "b.model", other, {})
    assert (tmp_path / "a.model").read_bytes() == (tmp_path / "b.model").read_bytes()


def test_a_folder_that_is_not_there_is_an_oserror(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        registry.write_model(tmp_path / "nowhere" / "x.model", trained(), {})


# ---- damaged --------------------------------------------------------------------------------------------------


def test_missing_or_no_file(tmp_path: Path) -> None:
    refused(tmp_path / "missing.model", "No such file")
    (tmp_path / "folder.model").mkdir()
    refused(tmp_path / "folder.model", "directory")


@pytest.mark.parametrize("content", [b"", b"\n", b"PK\x03\x04", b"ncfilters model 2\n{}\n\n", b"ncfilters model 1"])
def test_no_model_of_ours(tmp_path: Path, content: bytes) -> None:
    where = tmp_path / "x.model"
    where.write_bytes(content)
    refused(where, "no model of ours")


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_is_not_opened(tmp_path: Path, protocol: int) -> None:
    class Dangerous:
        def __reduce__(self) -> tuple[Callable[[str], int], tuple[str]]:
            return Path.touch, (tmp_path / "ran",)  # type: ignore[return-value]

    where = tmp_path / "x.model"
    where.write_bytes(pickle.dumps(Dangerous(), protocol))
    refused(where, "a pickle")
    assert not (tmp_path / "ran").exists()


def test_numpy_files_are_not_opened(tmp_path: Path) -> None:
    to = io.BytesIO()
    np.savez(to, a=np.array([{}], object))
    (tmp_path / "x.model").write_bytes(to.getvalue())
    refused(tmp_path / "x.model", "no model of ours")


def test_cut_short_anywhere(path: Path) -> None:
    data = path.read_bytes()
    header_end = data.index(b"\n\n")
    for at in [*range(1, 40), *range(40, len(data), 97), header_end, header_end + 1, header_end + 2, len(data) - 1]:
        path.write_bytes(data[:at])
        refused(path, "cut short|no model of ours")


def test_more_than_there_should_be(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"x")
    refused(path, "checksum|cut short, or damaged")


def test_a_byte_changed_anywhere(path: Path) -> None:
    data = path.read_bytes()
    for at in [*range(len(file_format.MAGIC), len(data), 53), len(data) - 1]:
        if data[at : at + 1].isspace():
            continue  # the header's white space is not checked: it says nothing
        path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        refused(path, "damaged")


@pytest.mark.parametrize(
    "change",
    [{"language": "xx"}, {"kind": "other"}, {"parameters": {"n": 2, "q": 0.5, "folding": "ascii"}}, {"new": 1}],
)
def test_a_header_changed_by_hand(path: Path, change: dict[str, Any]) -> None:
    header, packed = taken_apart(path)
    path.write_bytes(file_format.MAGIC + json.dumps({**header, **change}).encode() + b"\n\n" + packed)
    refused(path, "the checksum is wrong")


def test_a_header_written_out_otherwise_is_the_same(path: Path) -> None:
    before = scores(registry.load(str(path)))
    header, packed = taken_apart(path)
    turned = json.dumps(dict(reversed(header.items())), ensure_ascii=False)
    path.write_bytes(file_format.MAGIC + turned.encode() + b"\n\n" + packed)
    assert scores(registry.load(str(path))) == before


@pytest.mark.parametrize("header", [b"[]", b"null", b"7", b'"text"', b"{}", b"{", b"\xff\xfe", b"NaN", b""])
def test_a_header_that_is_none(tmp_path: Path, header: bytes) -> None:
    (tmp_path / "x.model").write_bytes(file_format.MAGIC + header + b"\n\n")
    refused(tmp_path / "x.model", "cut short, or damaged|no model of ours")


def test_a_header_without_an_end(tmp_path: Path) -> None:
    (tmp_path / "x.model").write_bytes(file_format.MAGIC + b"{" + b" " * (file_format.MAX_HEADER_BYTES + 10) + b"}\n\n")
    refused(tmp_path / "x.model", "cut short")


def test_a_header_nested_without_end(tmp_path: Path) -> None:
    (tmp_path / "x.model").write_bytes(file_format.MAGIC + b"[" * 200_000 + b"\n\n")
    refused(tmp_path / "x.model")


@pytest.mark.parametrize("key", ["kind", "parameters", "arrays", "bytes", "sha256"])
def test_a_header_without_a_part(path: Path, key: str) -> None:
    header, packed = taken_apart(path)
    said = json.dumps({k: v for k, v in header.items() if k not in (key, "sha256")}, sort_keys=True)
    header["sha256"] = hashlib.sha256(said.encode() + packed).hexdigest()
    del header[key]
    path.write_bytes(file_format.MAGIC + json.dumps(header).encode() + b"\n\n" + packed)
    refused(path)


def test_an_unknown_kind_says_what_is_known(path: Path) -> None:
    header, packed = taken_apart(path)
    put_together(path, {**header, "kind": "oracle"}, packed)
    refused(path, "kind 'oracle'; known are .*ngram")


@pytest.mark.parametrize(
    "dtype", ["|O", "O", "object", "<U8", "|S4", "<c8", "<M8[s]", "|V8", ">i8", "f4,f4", "nonsense"]
)
def test_an_array_of_a_type_that_is_not_allowed(path: Path, dtype: str) -> None:
    header, packed = taken_apart(path)
    header["arrays"][0]["dtype"] = dtype
    put_together(path, header, packed)
    refused(path, re.escape(f"an array of type {dtype}"))


@pytest.mark.parametrize("dtype", ["<f8", "<f4", "|u1", "<i4"])
def test_keys_of_a_type_that_does_not_fit(path: Path, dtype: str) -> None:
    header, packed = taken_apart(path)
    header["arrays"][0]["dtype"] = dtype
    put_together(path, header, packed)
    refused(path, "do not fit")


def test_keys_too_narrow_for_the_alphabet(tmp_path: Path) -> None:
    made = trained(8)
    made.counts = replace(made.counts, keys=np.arange(len(made.counts.keys), dtype=np.int32))
    registry.write_model(tmp_path / "x.model", made, {})
    refused(tmp_path / "x.model", "do not fit")


@pytest.mark.parametrize("length", [10**6, 10**9, 1 << 40, (1 << 63) - 1, "3", None, 2.5, [3]])
def test_an_array_that_is_said_to_be_longer_than_it_is(path: Path, length: Any) -> None:
    header, packed = taken_apart(path)
    header["arrays"][-1]["length"] = length
    put_together(path, header, packed)
    refused(path, "do not fit")


def test_an_array_longer_than_any_machine(path: Path) -> None:
    header, packed = taken_apart(path)
    header["arrays"][-1]["length"] = 10**30
    put_together(path, header, packed)
    refused(path, "do not fit")


@pytest.mark.parametrize("length", [0, 1, 5])
def test_arrays_of_different_lengths(path: Path, length: int) -> None:
    header, packed = taken_apart(path)
    header["arrays"][-1]["length"] = length
    put_together(path, header, packed)
    refused(path, "do not fit")


@pytest.mark.parametrize("length", [-1, -2])
def test_a_negative_length(path: Path, length: int) -> None:
    header, packed = taken_apart(path)
    header["arrays"][-1]["length"] = length
    put_together(path, header, packed)
    refused(path, "do not fit")


@pytest.mark.parametrize("size", [10**9, 10**30])
def test_bytes_that_are_not_there(path: Path, size: int) -> None:
    header, packed = taken_apart(path)
    put_together(path, {**header, "bytes": size}, packed)
    refused(path, "cut short")


def test_arrays_that_are_not_compressed(path: Path) -> None:
    header, packed = taken_apart(path)
    put_together(path, {**header, "bytes": 6}, b"no zip")
    refused(path, "cut short, or damaged")


def test_arrays_cut_short_within_a_whole_file(path: Path) -> None:
    header, packed = taken_apart(path)
    packed = zlib.compress(zlib.decompress(packed)[:-4], 9)
    put_together(path, {**header, "bytes": len(packed)}, packed)
    refused(path, "do not fit")


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"n": 9},
        {"n": 0},
        {"n": "3"},
        {"n": None},
        {"n": 1000},
        {"n": 1},
        {"q": 0},
        {"q": 1},
        {"q": "0.5"},
        {"folding": "latin"},
        {"folding": None},
        {"folding": ["ascii"]},
        {"folding": "frequent", "characters": 7},
    ],
)
def test_parameters_that_make_no_model(path: Path, parameters: dict[str, Any]) -> None:
    header, packed = taken_apart(path)
    header["parameters"] = {**header["parameters"], **parameters} if parameters else {}
    put_together(path, header, packed)
    refused(path, "do not fit")


def test_an_n_beyond_all_bounds_is_refused_at_once(path: Path) -> None:
    header, packed = taken_apart(path)
    header["parameters"]["n"] = 10**8
    put_together(path, header, packed)
    load = f"from ncfilters.scoring import registry; registry.load({str(path)!r})"
    done = subprocess.run([sys.executable, "-c", load], cwd=ROOT, capture_output=True, text=True, timeout=4)
    assert "ModelError" in done.stderr


@pytest.mark.parametrize("keys", [[-1, 5], [5, 96**3], [5, 96**3, 7]])
def test_n_grams_outside_the_alphabet(tmp_path: Path, keys: list[int]) -> None:
    made = trained()
    made.counts = NgramCounts(np.array(keys), *(own[: len(keys)] for own in (made.counts.clean, made.counts.dirty)))
    registry.write_model(tmp_path / "x.model", made, {})
    refused(tmp_path / "x.model", "an n-gram outside the alphabet")


@pytest.mark.parametrize("keys", [[5, 7, 6], [5, 5, 6]])
def test_n_grams_that_do_not_ascend(tmp_path: Path, keys: list[int]) -> None:
    made = trained()
    made.counts = NgramCounts(np.array(keys), made.counts.clean[:3], made.counts.dirty[:3])
    registry.write_model(tmp_path / "x.model", made, {})
    refused(tmp_path / "x.model", "n-grams that do not ascend")


def test_bytes_that_no_array_has(path: Path) -> None:
    header, packed = taken_apart(path)
    packed = zlib.compress(zlib.decompress(packed) + b"more", 9)
    put_together(path, {**header, "bytes": len(packed)}, packed)
    refused(path, "bytes behind the last array")


# ---- mapped ---------------------------------------------------------------------------------------------------


@pytest.fixture
def mapped(tmp_path: Path) -> Path:
    """A good model file whose arrays are mapped to memory."""
    where = tmp_path / "some.model"
    registry.write_model(where, train(TEXTS, 3), {"language": "en", "description": "For tests — é."})
    return where


def test_mapped_arrays_stand_in_the_file_as_they_are(mapped: Path) -> None:
    made = train(TEXTS, 3)
    data = mapped.read_bytes()
    header = json.loads(data[len(file_format.MAGIC) : data.index(b"\n\n")])
    at = data.index(b"\n\n") + 2
    for described, array in zip(header["arrays"], made.arrays().values()):
        at += -at % 64
        assert data[at : at + array.nbytes] == array.tobytes()
        assert described["dtype"] == array.dtype.str
        at += array.nbytes
    assert at == len(data)
    assert registry.read_header(mapped) == header


def test_mapped_and_cut_short_anywhere(mapped: Path) -> None:
    data = mapped.read_bytes()
    for at in [*range(1, 40), *range(40, len(data), 97), data.index(b"\n\n"), len(data) - 1]:
        mapped.write_bytes(data[:at])
        refused(mapped, "cut short|no model of ours|damaged")
    mapped.write_bytes(data + b"x")
    refused(mapped, "1 bytes behind the last array")


@pytest.mark.parametrize("checked", [True, False])
def test_a_byte_changed_anywhere_in_a_mapped_file(mapped: Path, checked: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The header is always checked; arrays in small files, and where that is asked for: else they do no harm."""
    monkeypatch.setattr(file_format, "CHECKED", 1 << 20 if checked else 0)
    data = mapped.read_bytes()
    start = data.index(b"\n\n") + 2
    for at in [*range(len(file_format.MAGIC), len(data), 53), len(data) - 1]:
        if data[at : at + 1].isspace() and at < start or start <= at < start + -start % 64:
            continue  # white space says nothing
        mapped.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        if checked or at < start:
            refused(mapped, "damaged")
        else:
            try:
                assert all(np.isfinite(scores(registry.load(str(mapped)))))
            except ModelError as error:
                assert "do not fit" in str(error)
            with pytest.raises(ModelError, match="the checksum is wrong"):
                registry.read_model(mapped, verify=True)


def test_nothing_of_a_large_file_is_read(mapped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_format, "CHECKED", 0)
    read = []
    monkeypatch.setattr(hashlib, "sha256", lambda data=b"": read.append(len(data)) or DIGEST(data))
    registry.load(str(mapped))
    assert max(read) < 3000  # the header


DIGEST = hashlib.sha256


@pytest.mark.parametrize("key", ["bytes", "content", "mapped"])
def test_a_mapped_header_without_a_part(mapped: Path, key: str) -> None:
    data = mapped.read_bytes()
    end = data.index(b"\n\n")
    header = json.loads(data[len(file_format.MAGIC) : end])
    del header[key], header["sha256"]
    header["sha256"] = hashlib.sha256(json.dumps(header, sort_keys=True).encode()).hexdigest()
    text = file_format.MAGIC + json.dumps(header).encode() + b"\n\n"
    mapped.write_bytes(text + bytes(-len(text) % 64) + data[end + 2 + -(end + 2) % 64 :])
    refused(mapped)


def test_a_model_in_use_is_replaced_and_not_written_over(mapped: Path) -> None:
    loaded = registry.load(str(mapped))
    before = scores(loaded)
    registry.write_model(mapped, train(["something else", "altogether"] * 9), {})
    assert scores(loaded) == before != scores(registry.load(str(mapped)))
    assert [path.name for path in mapped.parent.iterdir()] == [mapped.name]


def test_processes_share_one_copy(tmp_path: Path) -> None:
    """What a model takes of memory is pages of its file, which are everybody's."""
    path = tmp_path / "large.model"
    rng = np.random.default_rng(1)
    registry.write_model(
        path, train([" ".join(f"w{at}" for at in rng.integers(0, 50_000, 12)) for _ in range(20_000)]), {}
    )
    program = (
        "import re, sys; from ncfilters.scoring import registry; from ncfilters.scoring.word_lm import model\n"
        "def own(): return int(re.search(r'RssAnon:\\s+(\\d+)', open('/proc/self/status').read())[1])\n"
        "before = own(); loaded = registry.load(sys.argv[1]); print(own() - before)"
    )
    if not Path("/proc/self/status").exists():
        pytest.skip("no /proc")
    done = subprocess.run([sys.executable, "-c", program, str(path)], cwd=ROOT, capture_output=True, text=True)
    assert path.stat().st_size > 2_000_000
    assert int(done.stdout) < 700, done.stderr  # KB, of which most is libraries


# ---- found by name --------------------------------------------------------------------------------------------


def test_nc_models_comes_first_and_in_its_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder, language in (("one", "aa"), ("two", "bb")):
        (tmp_path / folder).mkdir()
        registry.write_model(tmp_path / folder / "en.model", trained(), {"language": language})
    registry.write_model(tmp_path / "two" / "mine.model", trained(), {})
    before = registry.installed_models()
    assert before["en"] == ROOT / "models" / "en.model"
    monkeypatch.setenv("NC_MODELS", f"{tmp_path / 'one'}:{tmp_path / 'missing'}::{tmp_path / 'two'}")
    assert registry.find("en") == tmp_path / "one" / "en.model"
    assert registry.find("mine") == tmp_path / "two" / "mine.model"
    assert registry.installed_models().keys() == before.keys() | {"mine"}
    assert registry.find("ncleaner-en") == before["ncleaner-en"]
    monkeypatch.setenv("NC_MODELS", f"{tmp_path / 'two'}:{tmp_path / 'one'}")
    assert registry.find("en") == tmp_path / "two" / "en.model"
    monkeypatch.setenv("NC_MODELS", "")
    assert registry.installed_models() == before


def test_a_name_is_no_file_and_a_file_no_name(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    with pytest.raises(ModelError, match=r"unknown model 'some': there is .*en.*\./some\.model"):
        registry.load("some")
    assert registry.load("some.model").kind == registry.load("./some.model").kind == "ngram"
    path.rename("some")
    assert registry.load("./some").kind == "ngram"


def test_no_model_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "model_folders", lambda: [tmp_path])
    with pytest.raises(ModelError, match="unknown model 'en': there is none"):
        registry.load("en")


# ---- what is shipped ------------------------------------------------------------------------------------------


def test_the_models_that_are_promised_are_there() -> None:
    ncleaner = (f"ncleaner-{name}" for name in "en nonlexical el pl ru zh".split())
    promised = {"en", "quality", "quality-text", "perplexity-en", *ncleaner}
    assert promised <= {path.stem for path in SHIPPED}


@pytest.mark.parametrize("shipped", SHIPPED, ids=lambda path: path.stem)
def test_a_shipped_model(shipped: Path) -> None:
    # the n-grams of words are what they are
    assert shipped.stat().st_size <= (20_000_000 if shipped.stem == "perplexity-en" else 3_000_000)
    header = registry.read_header(shipped)
    assert header["language"] and header["description"] and header["credits"] and header["normalised"]
    assert header["command"].startswith("nc-train ")
    card = shipped.with_suffix(".md").read_text(encoding="utf-8")
    assert header["sha256"] in card
    assert header["command"] in card
    assert all(credit in card for credit in header["credits"])
    if header["kind"] == "quality":
        assert registry.read_model(shipped)[1].kind == header["kind"]
        return
    text, menu = SAMPLES.get(header["language"], SAMPLES["en"])
    found = registry.load(shipped.stem).evidence([Document.of_texts([menu, text, text, menu])])[0]["score"]
    # a menu is not what no model of words expects, but less than a sentence is
    between = max(found[0], found[3]) if header["kind"] == "word" else 0
    assert min(found[1:3]) > between >= max(found[0], found[3])


# A sentence and a menu that were written for this test.
SAMPLES = {
    "en": (
        "The committee met on Tuesday and agreed, after a long discussion, to repair the bridge.",
        "Home | About us | Contact | Log in | Privacy policy",
    ),
    "el": (
        "Η επιτροπή συνεδρίασε την Τρίτη και αποφάσισε, ύστερα από μακρά συζήτηση, να επισκευάσει τη γέφυρα, "
        "που είναι κλειστή από τον περασμένο χειμώνα λόγω των πλημμυρών.",
        "Αρχική | Επικοινωνία | Σύνδεση | Όροι χρήσης",
    ),
    "pl": (
        "Komisja zebrała się we wtorek i po długiej dyskusji postanowiła naprawić most, który od zimy pozostaje "
        "zamknięty z powodu powodzi. Prace mają się rozpocząć w maju i potrwać co najmniej pół roku.",
        "Strona główna | Kontakt | Zaloguj się | Regulamin",
    ),
    "ru": (
        "Комиссия собралась во вторник и после долгого обсуждения решила отремонтировать мост, который с зимы "
        "закрыт из-за наводнения. Работы должны начаться в мае и продлятся не менее полугода.",
        "Главная | Контакты | Войти | Реклама",
    ),
    "zh": (
        "委员会星期二开会，经过长时间讨论，决定修复去年冬天因洪水而关闭的大桥。工程将于五月开始，预计至少需要半年。",
        "首页 | 登录 | 联系我们",
    ),
}


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("ncleaner-en", {"n": 3, "q": 0.5, "folding": "ascii"}),
        ("ncleaner-nonlexical", {"n": 6, "q": 0.4, "folding": "nonlexical"}),
    ],
)
def test_the_papers_models_have_the_papers_parameters(name: str, parameters: dict[str, Any]) -> None:
    assert registry.read_header(registry.find(name))["parameters"] == parameters


def test_every_card_has_its_model() -> None:
    assert {path.stem for path in (ROOT / "models").glob("*.md")} == {path.stem for path in SHIPPED}
