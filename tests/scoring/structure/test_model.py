"""The structure kind: trained on invented pages, kept in a file, asked about pages of all sizes, and why."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from structure_pages import NEW, PLAIN_TEXT, scores, train_small

from ncfilters.errors import ModelError
from ncfilters.features import feature_groups, matrix, schema
from ncfilters.features.document import Document
from ncfilters.scoring import registry, scorer
from ncfilters.scoring.structure import attribution, page_classifier
from ncfilters.scoring.structure.model import StructureModel
from ncfilters.scoring.structure.network import HIDDEN, Inputs, Network
from ncfilters.training import examples

Verb = Callable[..., tuple[int, bytes, str]]


@pytest.fixture(scope="module")
def trained() -> StructureModel:
    return train_small()


@pytest.fixture(scope="module")
def file(trained: StructureModel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "small.model"
    registry.write_model(path, trained, {"language": "en", "description": "small"})
    return path


# ---- scores ---------------------------------------------------------------------------------------------------


def test_text_is_above_menus_of_sites_never_seen(trained: StructureModel) -> None:
    for document, found in zip(NEW, scores(trained, *NEW)):
        text = [bits for segment, bits in zip(document.segments, found) if "post-body" in segment["path"]]
        menu = [bits for segment, bits in zip(document.segments, found) if "nav" in segment["path"]]
        assert min(text) > max(menu)
        assert np.mean(text) > 0 > np.mean(menu)


def test_a_file_gives_the_same(trained: StructureModel, file: Path) -> None:
    again = registry.load(str(file))
    assert isinstance(again, StructureModel)
    assert again.evidence_with_pages([*NEW, PLAIN_TEXT]) == trained.evidence_with_pages([*NEW, PLAIN_TEXT])
    assert again.reasons(NEW, 3) == trained.reasons(NEW, 3)
    assert again.header() == trained.header()


def test_every_column_is_in_a_group() -> None:
    families = [family for group in feature_groups.OF_COLUMNS.values() for family in group]
    assert sorted(families) == sorted(schema.FAMILIES)
    assert set(feature_groups.OF_COLUMNS) < set(feature_groups.GROUPS)


def test_plain_text_is_left_to_the_n_grams(trained: StructureModel) -> None:
    evidence, pages = trained.evidence_with_pages([PLAIN_TEXT])
    expected = np.round(trained.plain.score_texts([found["text"] for found in PLAIN_TEXT.segments]), 2)
    assert evidence == [{"score": pytest.approx(expected.tolist())}]
    assert pages == [None]
    assert trained.reasons([PLAIN_TEXT], 3) == [None]


def test_pages_of_no_segment_and_of_one(trained: StructureModel) -> None:
    assert trained.evidence_with_pages([]) == ([], [])
    assert trained.evidence_with_pages([Document([]), Document([])]) == ([{"score": []}] * 2, [None, None])
    (first, second), pages = trained.evidence_with_pages([Document([]), Document(NEW[0].segments[:1])])
    assert (len(first["score"]), len(second["score"])) == (0, 1)
    assert pages[0] is None and pages[1] is not None and np.isfinite(pages[1]["odds"])
    assert trained.reasons([Document([])], 3) == [None]


def test_a_page_of_twenty_thousand_segments(trained: StructureModel) -> None:
    long = Document([*NEW[0].segments, *NEW[1].segments] * 1000)
    long = long[:20_000]
    evidence, pages = trained.evidence_with_pages([NEW[2], long, NEW[3]])
    assert len(evidence[1]["score"]) == len(long)
    assert np.isfinite(evidence[1]["score"]).all()
    assert pages[1] is not None and np.isfinite(pages[1]["odds"])
    for found, alone in zip((evidence[0], evidence[2]), scores(trained, NEW[2], NEW[3])):
        assert found["score"] == pytest.approx(alone, abs=0.011)


def test_neighbours_in_a_batch_do_not_matter(trained: StructureModel) -> None:
    together, apart = trained.evidence_with_pages(NEW), [trained.evidence_with_pages([document]) for document in NEW]
    for number, (evidence, pages) in enumerate(apart):
        assert together[0][number]["score"] == pytest.approx(evidence[0]["score"], abs=0.011)
        assert together[1][number] == {**pages[0], "odds": pytest.approx(pages[0]["odds"], abs=0.011)}  # type: ignore[dict-item]


def test_a_model_of_other_features_is_refused(trained: StructureModel, tmp_path: Path, run: Any) -> None:
    class Other(StructureModel):
        def header(self) -> dict[str, Any]:
            header = super().header()
            return {**header, "features": [*header["features"][:-1], "moon_phase"]}

    other = Other.from_parts(trained.header(), trained.arrays())
    registry.write_model(tmp_path / "other.model", other, {})
    with pytest.raises(ModelError, match="trained on other features than there are: .*moon_phase"):
        registry.load(str(tmp_path / "other.model"))
    done = run("nc-score", "-m", "./other.model", stdin=[{"segments": NEW[0].segments}])
    assert done.returncode == 2
    assert b"moon_phase" in done.stderr and done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("broken", ["typical.around", "whole.odds", "whole.types", "typical.names"])
def test_arrays_of_another_length_are_refused(trained: StructureModel, broken: str) -> None:
    arrays = trained.arrays()
    arrays[broken] = arrays[broken][:-1]
    with pytest.raises(ValueError):
        StructureModel.from_parts(trained.header(), arrays)


# ---- the network ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("windows", ["filled", "some empty"])
def test_slopes_are_those_of_differences(trained: StructureModel, windows: str) -> None:
    """In doubles, away from the edges of units; the loss is a weighted sum of logits."""
    segments = matrix.read(NEW)
    inputs = trained.inputs(segments)
    if windows == "filled":
        inputs.pools.windows = [
            (start, stop, np.where(stop > start, inverse, 0).astype(np.float32))
            for start, stop, inverse in inputs.pools.windows
        ]
    random_ = np.random.default_rng(1)
    errors = random_.standard_normal(len(segments)).astype(np.float32)
    found, below = trained.network.slopes(inputs, trained.network.forward(inputs)[1], errors)

    def loss(weights: dict[str, Any], names: Any, words: Any) -> float:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("ncfilters.scoring.structure.network.np.float32", np.float64)  # what is cast down on the way
            wide = Inputs(inputs.numbers.astype(np.float64), names, words, inputs.pools)
            return float((Network(weights).forward(wide)[0].astype(np.float64) * errors).sum())

    weights = {name: weight.astype(np.float64) for name, weight in trained.network.weights.items()}
    names, words = inputs.names.astype(np.float64), inputs.words.astype(np.float64)
    step = 1e-5
    for name in found:
        if name in ("names", "words"):
            continue
        scale = float(np.abs(found[name]).max())
        for place in random_.integers(0, weights[name].size, 12).tolist():
            up, down = ({**weights, name: weights[name].copy()} for _ in range(2))
            up[name].flat[place] += step
            down[name].flat[place] -= step
            slope = (loss(up, names, words) - loss(down, names, words)) / (2 * step)
            assert found[name].flat[place] == pytest.approx(slope, abs=2e-3 * scale, rel=2e-3), (name, place)
    scale = float(np.abs(below).max())
    for row, column in zip(random_.integers(0, len(segments), 12), random_.integers(0, names.shape[1], 12)):
        moved = names.copy()
        moved[row, column] += step
        slope = (loss(weights, moved, words) - loss(weights, names, words)) / step
        assert below[row, column] == pytest.approx(slope, abs=2e-3 * scale, rel=2e-3)


def test_names_level_by_level_are_the_rows_of_training(trained: StructureModel) -> None:
    segments = matrix.read(NEW)
    rows = examples._name_rows(segments, trained.names)
    assert rows.nnz > len(segments)
    expected = rows @ trained.network.weights["names"]
    assert trained._named(segments) == pytest.approx(expected, abs=1e-5)


# ---- whole pages ----------------------------------------------------------------------------------------------


def test_pages_with_text_and_what_is_left_without(trained: StructureModel) -> None:
    bare = [Document([found for found in document.segments if "post-body" not in found["path"]]) for document in NEW]
    with_text, without = trained.evidence_with_pages(NEW)[1], trained.evidence_with_pages(bare)[1]
    odds = [[page["odds"] for page in pages if page] for pages in (with_text, without)]
    assert len(odds[0]) == len(odds[1]) == len(NEW)
    assert min(odds[0]) > 0 > max(odds[1])


def test_types_of_pages_never_seen(trained: StructureModel) -> None:
    pages = trained.evidence_with_pages(NEW)[1]
    assert [page and page["type"] for page in pages] == ["article", "listing", "article", "listing"]
    for page in pages:
        assert page is not None
        assert sum(page["types"].values()) == pytest.approx(1, abs=0.002)
        assert page["types"][page["type"]] == max(page["types"].values())


def test_expected_f_is_that_of_the_best_cut() -> None:
    """Against trying every cut, on pages in one batch."""
    documents = [
        Document([{"text": "word " * n, "type": "p"} for n in sizes]) for sizes in ((3, 9, 1), (5,), (2, 2, 8, 4))
    ]
    segments = matrix.read(documents)
    logits = np.array([0.5, -1, 2, 1, -3, 0.1, 1.5, -0.2], np.float32)
    found = page_classifier.evidence(segments, logits)[:, list(page_classifier.ODDS).index("fscore")]
    words, share, at = segments.counts.words, 1 / (1 + np.exp(-logits)), 0
    for document, value in zip(documents, found):
        own = sorted(zip(share[at : at + len(document)], words[at : at + len(document)]), reverse=True)
        at += len(document)
        total = sum(p * w for p, w in own)
        cuts = [own[: k + 1] for k in range(len(own))]
        best = max(2 * sum(p * w for p, w in cut) / (sum(w for _, w in cut) + total) for cut in cuts)
        assert value == pytest.approx(best)


# ---- reasons --------------------------------------------------------------------------------------------------


def test_contributions_and_constants_are_the_logit(trained: StructureModel) -> None:
    """Gradient times input is exact: with what the constants add, it is the logit itself."""
    segments = matrix.read(NEW)
    inputs = trained.inputs(segments)
    logits, passed = trained.network.forward(inputs)
    own, around = attribution.slopes(trained.network, passed)
    weights = trained.network.weights
    second = (passed.second > 0) * weights["last"].T
    first = (second @ weights["second"].T)[:, :HIDDEN] * (passed.first > 0)
    constants = first @ weights["first_bias"] + second @ weights["second_bias"] + weights["last_bias"]
    total = (passed.entered * own).sum(axis=1) + (passed.seen[:, HIDDEN:] * around).sum(axis=1) + constants
    assert total == pytest.approx(logits, abs=1e-4)
    pools = attribution.contributed(passed, around, trained.typical).sum(axis=1)
    assert pools == pytest.approx(((passed.seen[:, HIDDEN:] - trained.typical.around) * around).sum(axis=1), abs=1e-4)


def test_reasons_are_all_there_is_if_so_many_are_wanted(trained: StructureModel) -> None:
    """The names on the path sum up to what the vectors of names do, beyond the mean."""
    (found,) = trained.reasons([NEW[0]], 10_000)
    assert found is not None
    segments = matrix.read([NEW[0]])
    inputs = trained.inputs(segments)
    _, passed = trained.network.forward(inputs)
    own, _ = attribution.slopes(trained.network, passed)
    bits = trained.calibration[0] / np.log(2)
    columns = inputs.numbers.shape[1]
    for row, why in enumerate(found):
        every = dict(map(tuple, why["for"] + why["against"]))  # type: ignore[arg-type]
        numbers = inputs.numbers[row] * own[row, :columns] * bits
        for name, value in zip(matrix.NAMES, numbers.tolist()):
            assert every.get(name, 0.0) == pytest.approx(value, abs=0.0051), name
        words = inputs.words[row] @ own[row, columns + inputs.names.shape[1] :] * bits
        said = sum(value for name, value in every.items() if name.startswith(("word:", "heading:")))
        assert said == pytest.approx(words, abs=0.03)


def test_reasons_are_few_sorted_and_of_their_side(trained: StructureModel) -> None:
    (found,) = trained.reasons([NEW[0]], 2)
    assert found is not None and len(found) == len(NEW[0])
    for why in found:
        assert list(why) == ["for", "against"]
        for side, sign in (("for", 1), ("against", -1)):
            sizes = [sign * value for _, value in why[side]]
            assert len(sizes) == 2 and sizes == sorted(sizes, reverse=True) and min(sizes) > 0


def test_nc_score_explains(file: Path, verb: Verb) -> None:
    records = [{"id": "a", "segments": NEW[0].segments}, {"id": "b", "segments": PLAIN_TEXT.segments, "page": "old"}]
    status, out, _ = verb(scorer.main, "-m", file, "--explain", "--", stdin=records)
    assert status == 0
    first, second = map(json.loads, out.splitlines())
    assert all({"score", "reasons"} <= set(found) for found in first["segments"])
    assert max(len(found["reasons"]["for"]) for found in first["segments"]) == 3
    assert first["page"]["type"] == "article"
    assert "page" not in second and not any("reasons" in found for found in second["segments"])


def test_nc_score_does_not_explain_unasked(file: Path, verb: Verb) -> None:
    _, out, _ = verb(scorer.main, "-m", file, stdin=[{"segments": NEW[0].segments}])
    assert not any("reasons" in found for found in json.loads(out)["segments"])


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["-m", "ncleaner-en", "--explain"], "--explain: ncleaner-en is of kind 'ngram': only 'structure' can say why"),
        (["--explain", "0"], "'0' is no number from 1"),
        (["--explain", "crawl.jsonl"], "before a file, give one: --explain 3 crawl.jsonl"),
    ],
)
def test_what_explain_refuses(run: Any, args: list[str], says: str) -> None:
    done = run("nc-score", *args)
    assert done.returncode == 2
    assert says in done.stderr.decode()


# ---- what it weighs -------------------------------------------------------------------------------------------


def test_show_says_what_it_weighs(trained: StructureModel, file: Path, run: Any) -> None:
    weighs = trained.header()["weighs"]
    assert len(weighs) == attribution.WEIGHS and list(weighs.values()) == sorted(weighs.values(), reverse=True)
    read = {*matrix.NAMES, "names on the path", "words", "words of the heading", *attribution.AROUND}
    assert weighs.keys() <= read
    telling = json.loads(run("nc-model", "show", "-f", "json", "-n", "5", file).stdout)["telling"]
    assert [row["reason"] for row in telling["the odds"]] == list(weighs)[:5]
    assert telling["clean"][0]["bits"] > 0 > telling["dirty"][0]["bits"]
    # what one occurrence adds is that of its name among all pulls
    pulls = attribution.pulls(trained)
    assert telling["clean"][0]["bits"] == pytest.approx(max(pulls.values()), abs=0.001)
    assert len(telling["dirty, n-grams"]) == 5
    text = run("nc-model", "show", "-n", "5", file).stdout.decode()
    assert "most telling for the odds" in text
    assert max(map(len, text.splitlines())) < 250  # names by the hundred are not for people


def test_check_and_diff(trained: StructureModel, file: Path, tmp_path: Path, run: Any) -> None:
    assert run("nc-model", "check", file).returncode == 0
    assert run("nc-model", "diff", file, file).stdout == b""
    other = StructureModel.from_parts(trained.header(), trained.arrays())
    other.network.weights["names"] = other.network.weights["names"] * np.float32(2)
    registry.write_model(tmp_path / "other.model", other, {"language": "en", "description": "small"})
    done = run("nc-model", "diff", "-f", "json", file, "./other.model")
    assert done.returncode == 1
    (difference,) = map(json.loads, done.stdout.splitlines())
    assert difference["arrays"] == ["names"]
    names = difference["compared"]["names"]
    assert names["first"] == names["second"] == names["common"] == len(trained.names)
    assert difference["compared"]["changed"]
    for row in difference["compared"]["changed"]:
        assert row["reason"].startswith("name:")
        assert row["second"] == pytest.approx(2 * row["first"], abs=0.011)
    assert run("nc-model", "diff", file, "./other.model").returncode == 1
