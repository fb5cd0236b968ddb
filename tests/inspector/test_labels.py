"""Labelled pages in a file."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ncfilters.errors import UsageError
from ncfilters.inspector.labels import LabelFile, TrainingRun, key_of, labelled_record

SEGMENTS = [
    {"text": "Home", "type": "l", "path": "body/nav", "score": -3.0, "keep": False},
    {"text": "It rained.", "type": "p", "path": "body/p", "score": 2.0, "keep": True},
]


def page(name: str, text: str = "It rained.") -> dict[str, object]:
    return {"id": name, "html": f"<p>{text}", "gold": {"text": text, "policy": "main"}, "labels": [True]}


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_pages_are_appended(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    labels = LabelFile(str(path))
    labels.save(page("a"))
    labels.save(page("b"))
    labels.save(page("a", "It snowed."))
    assert [line["id"] for line in lines(path)] == ["a", "b", "a"]
    assert len(labels) == 2 and "b" in labels and "c" not in labels
    assert labels.decisions("a") == [True] and labels.decisions("c") is None


def test_the_last_record_of_a_page_stays(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    labels = LabelFile(str(path))
    for one in (page("a"), page("b"), page("a", "It snowed.")):
        labels.save(one)
    path.chmod(0o600)
    with pytest.raises(UsageError, match=r"labels.jsonl: in use by another nc-inspect"):
        LabelFile(str(path))
    labels.compact()
    with pytest.raises(UsageError, match="in use"):
        LabelFile(str(path))
    del labels
    again = LabelFile(str(path))
    assert [(line["id"], line["html"]) for line in lines(path)] == [("a", "<p>It snowed."), ("b", "<p>It rained.")]
    assert path.stat().st_mode & 0o777 == 0o600
    assert again.decisions("b") == [True]
    assert [file.name for file in tmp_path.iterdir()] == ["labels.jsonl"]


@pytest.mark.parametrize("cut", [1, 2, 20, 60])
def test_a_line_that_was_cut_off_is_removed(cut: int, tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    LabelFile(str(path)).save(page("a"))
    whole = path.read_bytes()
    LabelFile(str(path)).save(page("b"))
    path.write_bytes(path.read_bytes()[:-cut])
    labels = LabelFile(str(path))
    assert path.read_bytes().startswith(whole)
    # a line without its line break alone is complete
    assert [line["id"] for line in lines(path)] == (["a", "b"] if cut == 1 else ["a"])
    labels.save(page("c"))
    assert lines(path)[-1]["id"] == "c"


@pytest.mark.parametrize("content", ["some text", "some text\n", '{"id": "a", "text": "no gold"}\n', "[1]\n"])
def test_a_file_of_something_else_is_left_alone(content: str, tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(content)
    with pytest.raises(UsageError, match="not a file of labelled pages"):
        LabelFile(str(path))
    assert path.read_text() == content


def test_a_folder_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="labels.jsonl: No such file"):
        LabelFile(str(tmp_path / "none" / "labels.jsonl"))


def test_the_gold_is_the_text_of_the_kept_segments() -> None:
    document = {"id": "a", "html": "<p>", "segments": SEGMENTS, "models": ["x"], "lang": "en"}
    found = labelled_record(document, SEGMENTS, [True, True], "all")
    assert found == {
        "id": "a",
        "html": "<p>",
        "lang": "en",
        "gold": {"text": "Home\nIt rained.", "policy": "all"},
        "labels": [True, True],
    }
    with pytest.raises(ValueError, match="expected 2 decisions"):
        labelled_record(document, SEGMENTS, [True], "all")


def test_a_document_without_html_keeps_its_segments() -> None:
    found = labelled_record({"id": "a", "text": "Home"}, SEGMENTS, [False, True], "main")
    assert found["segments"] == [{name: s[name] for name in ("text", "type", "path")} for s in SEGMENTS]
    assert "text" not in found and key_of({"url": "u"}) == "u"


def test_nc_train_learns_from_the_file(tmp_path: Path, run: Callable[..., subprocess.CompletedProcess[bytes]]) -> None:
    pytest.importorskip("rapidfuzz", reason="rapidfuzz, of the extra workshop, is not installed")
    labels = LabelFile(str(tmp_path / "labels.jsonl"))
    for number in range(3):
        html = f"<div>Home News {number} Subscribe</div><p>It rained all day in the valley, and nobody went out.</p>"
        document = {"id": f"p{number}", "url": f"http://s{number}.example/", "html": html}
        segments = [
            {"text": f"Home News {number} Subscribe", "type": "p"},
            {"text": "It rained all day in the valley, and nobody went out.", "type": "p"},
        ]
        labels.save(labelled_record(document, segments, [False, True], "main"))
    done = run("nc-train", "ngram", "-o", "new.model", "labels.jsonl")
    assert (done.returncode, (tmp_path / "new.model").exists()) == (0, True), done.stderr


# ---- training run
def test_the_model_lies_beside_the_labels(tmp_path: Path) -> None:
    write = (
        "import sys; print('nc-train: pages: 3', file=sys.stderr); open(sys.argv[3], 'w').write(' '.join(sys.argv[1:]))"
    )
    labels = tmp_path / "labelled.jsonl"
    path, messages = TrainingRun([sys.executable, "-c", write], str(labels)).train("ngram")
    assert path == str(tmp_path / "labelled.ngram.model") and messages == "nc-train: pages: 3"
    assert Path(path).read_text() == f"ngram -o {path} {labels}"


def test_a_failure_is_an_error_with_its_messages() -> None:
    run = TrainingRun([sys.executable, "-c", "import sys; sys.exit('nc-train: no training data')"], "labels.jsonl")
    with pytest.raises(UsageError, match="no training data"):
        run.train("ngram")
    with pytest.raises(UsageError, match="expected ngram or structure"):
        run.train("-o")
