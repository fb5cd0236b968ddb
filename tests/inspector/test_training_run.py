"""Training on labelled pages."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ncfilters.errors import UsageError
from ncfilters.inspector.training_run import TrainingRun


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
