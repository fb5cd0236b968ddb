"""The targets of the fuzzer hold on all inputs that are kept: those that once failed, and those that cover the code."""

from __future__ import annotations

import pytest

pytest.importorskip("hypothesis", reason="hypothesis is not installed")
pytest.importorskip("mdit_py_plugins", reason="markdown-it-py and mdit-py-plugins are not installed")

from fuzz import run, seeds, targets  # noqa: E402


@pytest.mark.parametrize("name", targets.TARGETS)
def test_the_corpus(name: str) -> None:
    inputs = run.read_corpus(name)
    assert inputs, "no input is kept"
    for data in inputs:
        targets.TARGETS[name](data)


@pytest.mark.parametrize("name", ["records", "warc", "structured", "forms"])
def test_the_seeds(name: str) -> None:
    for data in seeds.seeds(name):
        targets.TARGETS[name](data)


def test_each_target_is_guided_by_the_coverage_of_its_packages() -> None:
    assert run.PACKAGES.keys() == targets.TARGETS.keys()
    assert "ncfilters.selection.forms.markdown_text" in run.modules(run.PACKAGES["forms"])


def test_a_broken_promise_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(targets.segmenter, "segment_record", lambda *_: {"segments": [{"text": "x", "type": "?"}]})
    with pytest.raises(targets.RecordError):
        targets.TARGETS["html"](b"\0<p>Text")


def test_changed_models_have_checksums_that_are_right() -> None:
    header, arrays = targets.small_models.model_parts()[0]
    same = targets.small_models.changed_file(header, arrays, b"")
    assert targets.small_models.packed(header, arrays) == same
    assert targets.small_models.changed_file(header, arrays, b"\0\1\0\1") != same
