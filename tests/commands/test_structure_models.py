"""nc-score and nc-model with structure models: explanations, what a model weighs, differences."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from structure_pages import NEW, PLAIN_TEXT, small_model

from ncfilters.commands import score
from ncfilters.scoring import registry
from ncfilters.scoring.structure.model import StructureModel

Verb = Callable[..., tuple[int, bytes, str]]


@pytest.fixture(scope="module")
def trained() -> StructureModel:
    return small_model()


@pytest.fixture(scope="module")
def model_file(trained: StructureModel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "small.model"
    registry.write_model(path, trained, {"language": "en", "description": "small"})
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


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["-m", "ncleaner-en", "--explain"], "ncleaner-en is of kind 'ngram'"),
        (["--explain", "0"], "'0'"),
        (["--explain", "crawl.jsonl"], "--explain 3 crawl.jsonl"),
    ],
)
def test_explain_refuses_what_it_cannot_explain(run: Any, args: list[str], message: str) -> None:
    done = run("nc-score", *args)
    assert done.returncode == 2
    assert "--explain" in done.stderr.decode() and message in done.stderr.decode()


def test_a_model_of_other_features_is_a_usage_error(trained: StructureModel, tmp_path: Path, run: Any) -> None:
    class Other(StructureModel):
        def header(self) -> dict[str, Any]:
            header = super().header()
            return {**header, "features": [*header["features"][:-1], "moon_phase"]}

    other = Other.from_parts(trained.header(), trained.arrays())
    registry.write_model(tmp_path / "other.model", other, {})
    done = run("nc-score", "-m", "./other.model", stdin=[{"segments": NEW[0].segments}])
    assert done.returncode == 2
    assert b"moon_phase" in done.stderr and done.stderr.count(b"\n") == 1


def test_show_prints_what_a_model_weighs(trained: StructureModel, model_file: Path, run: Any) -> None:
    telling = json.loads(run("nc-model", "show", "-f", "json", "-n", "5", model_file).stdout)["telling"]
    assert telling == trained.most_informative(5)
    text = run("nc-model", "show", "-n", "5", model_file).stdout.decode()
    assert "most telling for the odds" in text
    assert max(map(len, text.splitlines())) < 250  # vocabularies are not printed


def test_diff_prints_the_names_that_changed(
    trained: StructureModel, model_file: Path, tmp_path: Path, run: Any
) -> None:
    assert run("nc-model", "check", model_file).returncode == 0
    assert run("nc-model", "diff", model_file, model_file).stdout == b""
    other = StructureModel.from_parts(trained.header(), trained.arrays())
    network = other.parameters.network
    network.weights["names"] = network.weights["names"] * np.float32(2)
    registry.write_model(tmp_path / "other.model", other, {"language": "en", "description": "small"})
    done = run("nc-model", "diff", "-f", "json", model_file, "./other.model")
    assert done.returncode == 1
    (difference,) = map(json.loads, done.stdout.splitlines())
    assert difference["arrays"] == ["names"]
    compared, size = difference["compared"], len(trained.parameters.names)
    assert compared["names"] == {"first": size, "second": size, "common": size}
    assert compared["changed"] and all(row["reason"].startswith("name:") for row in compared["changed"])
    assert run("nc-model", "diff", model_file, "./other.model").returncode == 1
