"""The format of model files: written, read back, mapped, and refused if damaged."""

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
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from model_files import put_together, taken_apart
from word_lm_corpus import train

from ncfilters.errors import ModelError, UsageError
from ncfilters.features.document import ModelInput
from ncfilters.scoring import base, file_format, registry
from ncfilters.scoring.char_ngram.model import CharNgramModel, CharNgramParameters
from ncfilters.scoring.char_ngram.ngrams import Alphabet, CharNgramCounts

ROOT = Path(__file__).resolve().parents[2]
TEXTS = ["Some clean text.", "Home | About", "", "né 中 😀"]


def trained(n: int = 3, fold: str = "ascii", characters: str = "") -> CharNgramModel:
    return CharNgramModel.train(
        CharNgramParameters(n, 0.5, Alphabet(fold, characters)),
        [("Some clean text, é.", 1), ("中文", 0.3)],
        [("Home | About", 1), ("Log in", 1 / 3)],
    )


def scores(of: base.Model) -> list[float]:
    found: list[float] = of.evidence([ModelInput.of_texts(TEXTS)])[0]["score"]
    return found


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A good model file."""
    where = tmp_path / "some.model"
    registry.write_model(where, trained(), {"language": "en", "description": "For tests — é."})
    return where


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
def test_a_model_that_is_read_back_scores_the_same(tmp_path: Path, n: int, fold: str, characters: str) -> None:
    made = trained(n, fold, characters)
    registry.write_model(tmp_path / "x.model", made, {})
    read = registry.load(str(tmp_path / "x.model"))
    assert isinstance(read, CharNgramModel)
    assert read.score_texts(TEXTS).tolist() == made.score_texts(TEXTS).tolist()
    assert scores(read) == scores(made)
    assert (read.header(), read.kind) == (made.header(), "ngram")


def test_equal_models_have_equal_files_and_arrays(tmp_path: Path) -> None:
    for name in ("a.model", "b.model"):
        registry.write_model(tmp_path / name, trained(), {"language": "en", "credits": ["A corpus, CC0"]})
    assert (tmp_path / "a.model").read_bytes() == (tmp_path / "b.model").read_bytes()
    registry.write_model(
        tmp_path / "c.model", registry.load(str(tmp_path / "a.model")), {"language": "en", "credits": ["A corpus, CC0"]}
    )
    assert (tmp_path / "c.model").read_bytes() == (tmp_path / "a.model").read_bytes()
    made = trained()
    counts = CharNgramCounts(*(array.astype(f">{array.dtype.str[1:]}") for array in made.arrays().values()))
    other = CharNgramModel(made.parameters, counts)
    registry.write_model(tmp_path / "a.model", made, {})
    registry.write_model(tmp_path / "b.model", other, {})
    assert (tmp_path / "a.model").read_bytes() == (tmp_path / "b.model").read_bytes()


def test_headers_are_readable_and_returned(path: Path, tmp_path: Path) -> None:
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
    header = registry.write_model(tmp_path / "x.model", trained(), {"seen": {"pages": 3}})
    assert registry.read_header(tmp_path / "x.model") == header
    assert header["seen"] == {"pages": 3}


def test_missing_files_and_folders_are_refused(tmp_path: Path) -> None:
    refused(tmp_path / "missing.model", "No such file")
    (tmp_path / "folder.model").mkdir()
    refused(tmp_path / "folder.model", "directory")
    with pytest.raises(UsageError, match="No such file"):
        registry.write_model(tmp_path / "nowhere" / "x.model", trained(), {})


def test_arrays_that_expand_too_much_are_refused(tmp_path: Path) -> None:
    where = tmp_path / "x.model"
    size = 8 * file_format.MIN_EXPANDED_BYTES
    packed = zlib.compress(bytes(size), 9)
    header = {"kind": "ngram", "parameters": {}, "bytes": len(packed)}
    put_together(where, {**header, "arrays": [{"name": "keys", "dtype": "|u1", "length": size}]}, packed)
    refused(where, "do not fit: arrays of 8,388,608 bytes")


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e20])
def test_counts_that_are_no_numbers_are_refused(path: Path, value: float) -> None:
    header, packed = taken_apart(path)
    arrays = bytearray(zlib.decompress(packed))
    arrays[-4:] = np.float32(value).tobytes()
    again = zlib.compress(bytes(arrays))
    put_together(path, {**header, "bytes": len(again)}, again)
    refused(path, "a count that is no number")


# ---- damaged --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("content", [b"", b"\n", b"PK\x03\x04", b"ncfilters model 2\n{}\n\n", b"ncfilters model 1"])
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    where = tmp_path / "x.model"
    where.write_bytes(content)
    refused(where, "not an ncfilters model")


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickles_are_not_opened(tmp_path: Path, protocol: int) -> None:
    class Dangerous:
        def __reduce__(self) -> tuple[Callable[[str], int], tuple[str]]:
            return Path.touch, (tmp_path / "ran",)  # type: ignore[return-value]

    where = tmp_path / "x.model"
    where.write_bytes(pickle.dumps(Dangerous(), protocol))
    refused(where, "a pickle")
    assert not (tmp_path / "ran").exists()


def test_pickles_of_numpy_and_trailing_bytes_are_refused(tmp_path: Path, path: Path) -> None:
    to = io.BytesIO()
    np.savez(to, a=np.array([{}], object))
    (tmp_path / "x.model").write_bytes(to.getvalue())
    refused(tmp_path / "x.model", "not an ncfilters model")
    data = path.read_bytes()
    path.write_bytes(data + b"x")
    refused(path, "checksum|truncated or damaged")
    for end in (40, data.index(b"\n\n") + 1, len(data) - 1):
        path.write_bytes(data[:end])
        refused(path, "truncated")


def test_the_order_of_header_fields_does_not_matter(path: Path) -> None:
    before = scores(registry.load(str(path)))
    header, packed = taken_apart(path)
    turned = json.dumps(dict(reversed(header.items())), ensure_ascii=False)
    path.write_bytes(file_format.MAGIC + turned.encode() + b"\n\n" + packed)
    assert scores(registry.load(str(path))) == before


@pytest.mark.parametrize("header", [b"[]", b"null", b"7", b'"text"', b"{}", b"{", b"\xff\xfe", b"NaN", b""])
def test_a_header_that_is_no_object_is_refused(tmp_path: Path, header: bytes) -> None:
    (tmp_path / "x.model").write_bytes(file_format.MAGIC + header + b"\n\n")
    refused(tmp_path / "x.model", "truncated or damaged|not an ncfilters model")


def test_headers_without_an_end_or_too_deep_are_refused(tmp_path: Path) -> None:
    (tmp_path / "x.model").write_bytes(file_format.MAGIC + b"{" + b" " * (file_format.MAX_HEADER_BYTES + 10) + b"}\n\n")
    refused(tmp_path / "x.model", "truncated")
    (tmp_path / "x.model").write_bytes(file_format.MAGIC + b"[" * 200_000 + b"\n\n")
    refused(tmp_path / "x.model")


@pytest.mark.parametrize("key", ["kind", "parameters", "arrays", "bytes", "sha256"])
def test_a_header_without_a_field_is_refused(path: Path, key: str) -> None:
    header, packed = taken_apart(path)
    said = json.dumps({k: v for k, v in header.items() if k not in (key, "sha256")}, sort_keys=True)
    header["sha256"] = hashlib.sha256(said.encode() + packed).hexdigest()
    del header[key]
    path.write_bytes(file_format.MAGIC + json.dumps(header).encode() + b"\n\n" + packed)
    refused(path)


TYPES = "|O O object <U8 |S4 <c8 <M8[s] |V8 >i8 f4,f4 nonsense".split()
LENGTHS = [10**6, 10**9, 1 << 40, (1 << 63) - 1, 10**30, "3", None, 2.5, [3], 0, 1, 5, -1, -2]
PARAMETERS: list[dict[str, Any]] = [
    *({"n": n} for n in (9, 0, "3", None, 1000, 1)), {"q": 0}, {"q": 1}, {"q": "0.5"}, {"folding": "latin"},
    {"folding": None}, {"folding": ["ascii"]}, {"folding": "frequent", "characters": 7},
]  # fmt: skip
# What is changed: a field of the header, of the first or of the last array, or of the parameters; and the error.
FORGED: list[tuple[str, Any, str]] = [
    ("kind", "oracle", "kind 'oracle'; known are .*ngram"),
    *(("first dtype", dtype, re.escape(f"an array of type {dtype}")) for dtype in TYPES),
    *(("first dtype", dtype, "do not fit") for dtype in "<f8 <f4 |u1 <i4".split()),
    *(("last length", length, "do not fit") for length in LENGTHS),
    *(("bytes", size, "truncated") for size in (10**9, 10**30)),
    *(("changed parameters", parameters, "do not fit") for parameters in PARAMETERS),
    ("parameters", {}, "do not fit"),
]


@pytest.mark.parametrize(("field", "value", "why"), FORGED)
def test_forged_headers_are_refused(path: Path, field: str, value: Any, why: str) -> None:
    header, packed = taken_apart(path)
    where, _, name = field.rpartition(" ")
    if where == "changed":
        header[name] |= value
    else:
        (header["arrays"][0 if where == "first" else -1] if where else header)[name] = value
    put_together(path, header, packed)
    refused(path, why)


def test_packed_arrays_that_do_not_fit_are_refused(path: Path) -> None:
    header, packed = taken_apart(path)
    arrays = zlib.decompress(packed)
    cut, long = zlib.compress(arrays[:-4]), zlib.compress(arrays + b"more")
    why = {b"no zip": "truncated or damaged", cut: "do not fit", long: "bytes after the last array"}
    for forged, message in why.items():
        put_together(path, {**header, "bytes": len(forged)}, forged)
        refused(path, message)


def test_a_huge_n_is_refused_at_once(path: Path) -> None:
    header, packed = taken_apart(path)
    header["parameters"]["n"] = 10**8
    put_together(path, header, packed)
    load = f"from ncfilters.scoring import registry; registry.load({str(path)!r})"
    done = subprocess.run([sys.executable, "-c", load], cwd=ROOT, capture_output=True, text=True, timeout=4)
    assert "ModelError" in done.stderr


@pytest.mark.parametrize(("keys", "why"), [
    ([-1, 5], "an n-gram outside the alphabet"), ([5, 96**3], "an n-gram outside the alphabet"),
    ([5, 96**3, 7], "an n-gram outside the alphabet"), ([5, 7, 6], "n-grams that do not ascend"),
    ([5, 5, 6], "n-grams that do not ascend"), (np.array([5, 6], np.int32), "arrays of other types or lengths"),
])  # fmt: skip
def test_keys_of_no_ngrams_are_refused(tmp_path: Path, keys: Any, why: str) -> None:
    made = trained()
    made.counts = CharNgramCounts(np.array(keys), *(own[: len(keys)] for own in (made.counts.clean, made.counts.dirty)))
    registry.write_model(tmp_path / "x.model", made, {})
    refused(tmp_path / "x.model", why)


# ---- mapped ---------------------------------------------------------------------------------------------------
@pytest.fixture
def mapped(tmp_path: Path) -> Path:
    """A good model file whose arrays are mapped to memory."""
    where = tmp_path / "some.model"
    registry.write_model(where, train(TEXTS, 3), {"language": "en", "description": "For tests — é."})
    return where


def test_mapped_arrays_are_uncompressed_and_aligned(mapped: Path) -> None:
    made = train(TEXTS, 3)
    data = mapped.read_bytes()
    start = len(file_format.MAPPED_MAGIC) + file_format.CHECKSUM_DIGITS + 1
    header = json.loads(data[start : data.index(b"\n\n")])
    at = data.index(b"\n\n") + 2
    for described, array in zip(header["arrays"], made.arrays().values()):
        at += -at % 64
        assert data[at : at + array.nbytes] == array.tobytes()
        assert described["dtype"] == array.dtype.str
        at += array.nbytes
    assert at == len(data)
    assert registry.read_header(mapped) == header


def test_mapped_files_of_another_length_are_refused(mapped: Path) -> None:
    data = mapped.read_bytes()
    for at, why in ((39, "truncated"), (data.index(b"\n\n"), "truncated"), (len(data) - 1, "truncated")):
        mapped.write_bytes(data[:at])
        refused(mapped, why)
    mapped.write_bytes(data + b"x")
    refused(mapped, r"damaged: [\d,]+ bytes instead of")


@pytest.mark.parametrize("checked", [True, False])
def test_a_changed_byte_in_a_mapped_file_is_detected(
    mapped: Path, checked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The header is always checked; arrays in small files, and others on request."""
    monkeypatch.setattr(file_format, "MAX_VERIFIED_BYTES", 1 << 20 if checked else 0)
    data = mapped.read_bytes()
    start = data.index(b"\n\n") + 2
    for at in [*range(len(file_format.MAPPED_MAGIC), len(data), 53), len(data) - 1]:
        if start <= at < start + -start % 64:
            continue  # padding has no meaning
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


def test_loading_does_not_read_large_arrays(mapped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_format, "MAX_VERIFIED_BYTES", 0)
    read = []
    monkeypatch.setattr(zlib, "crc32", lambda data, start=0: read.append(len(data)) or CRC32(data, start))
    registry.load(str(mapped))
    assert max(read) < 3000  # the header


CRC32 = zlib.crc32


def rewritten(path: Path, version: int, drop: tuple[str, ...]) -> None:
    """Writes a mapped file again as one of this version, without some fields of its header; its checksum is right."""
    data = path.read_bytes()
    end = data.index(b"\n\n")
    header = json.loads(data[data.index(b"\n") : end])
    header = {name: value for name, value in header.items() if name not in drop}
    if "sha256" not in drop:
        del header["sha256"]
        header["sha256"] = hashlib.sha256(json.dumps(header, sort_keys=True).encode()).hexdigest()
    text = json.dumps(header).encode()
    magic = file_format.MAGIC if version == 1 else file_format.MAPPED_MAGIC + f"{zlib.crc32(text):08x}\n".encode()
    text = magic + text + b"\n\n"
    path.write_bytes(text + bytes(-len(text) % 64) + data[end + 2 + -(end + 2) % 64 :])


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("key", ["bytes", "content", "mapped", "arrays", "kind"])
def test_a_mapped_header_without_a_field_is_refused(mapped: Path, key: str, version: int) -> None:
    rewritten(mapped, version, (key, "crc32") if version == 1 or key == "content" else (key,))
    refused(mapped)


def test_mapped_files_of_version_1_are_read(mapped: Path) -> None:
    before, header = scores(registry.load(str(mapped))), registry.read_header(mapped)
    rewritten(mapped, 1, ("crc32",))
    assert scores(registry.load(str(mapped))) == before
    assert registry.read_header(mapped).keys() == header.keys() - {"crc32"}
    data = mapped.read_bytes()
    for at in (data.index(b"{") + 20, len(data) - 1):
        mapped.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        refused(mapped, "damaged")


def test_a_model_in_use_is_replaced_not_overwritten(mapped: Path) -> None:
    loaded = registry.load(str(mapped))
    before = scores(loaded)
    registry.write_model(mapped, train(["something else", "altogether"] * 9), {})
    assert scores(loaded) == before != scores(registry.load(str(mapped)))
    assert [path.name for path in mapped.parent.iterdir()] == [mapped.name]


def test_mapped_arrays_take_no_memory_of_the_process(tmp_path: Path) -> None:
    """The memory of a mapped model is pages of its file, which processes share."""
    path = tmp_path / "large.model"
    rng = np.random.default_rng(1)
    registry.write_model(
        path, train([" ".join(f"w{at}" for at in rng.integers(0, 50_000, 12)) for _ in range(20_000)]), {}
    )
    program = (
        "import pathlib, re, sys; from ncfilters.scoring import registry\n"
        "from ncfilters.scoring.word_lm import interpolated\n"
        "def own(): return int(re.search(r'RssAnon:\\s+(\\d+)', open('/proc/self/status').read())[1])\n"
        "before = own(); loaded = registry.load(sys.argv[1]); print(own() - before)"
    )
    if not Path("/proc/self/status").exists():
        pytest.skip("no /proc")
    done = subprocess.run([sys.executable, "-c", program, str(path)], cwd=ROOT, capture_output=True, text=True)
    assert path.stat().st_size > 2_000_000
    assert int(done.stdout) < 700, done.stderr  # KB, of which most is libraries
