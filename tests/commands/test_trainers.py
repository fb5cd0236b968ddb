"""The kinds of model that nc-train knows."""

from __future__ import annotations

import sys

import pytest

from ncfilters.commands.train import option_parser
from ncfilters.commands.trainers import KINDS, take_first_values
from ncfilters.errors import UsageError


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_has_a_trainer_from_the_default_options(kind: str) -> None:
    args = option_parser().parse_args([kind])
    take_first_values(args)
    assert sum(KINDS[kind].trainer(args).counts().values()) == 0


@pytest.mark.parametrize("kind", [kind for kind in KINDS if not KINDS[kind].no_cv])
def test_kinds_to_cross_validate_can_train_on_pages(kind: str) -> None:
    args = option_parser().parse_args([kind])
    take_first_values(args)
    assert hasattr(KINDS[kind].trainer(args), "train")


@pytest.mark.parametrize("options", [["ngram"], ["structure"], ["quality"], ["word", "--cv", "2"]])
def test_kinds_that_label_pages_need_rapidfuzz(monkeypatch: pytest.MonkeyPatch, options: list[str]) -> None:
    monkeypatch.setitem(sys.modules, "rapidfuzz", None)
    args = option_parser().parse_args(options)
    take_first_values(args)
    with pytest.raises(UsageError, match="^labelling pages needs rapidfuzz, which is not installed: pip install"):
        KINDS[args.kind].trainer(args)


def test_structure_needs_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(UsageError, match="^the kind structure needs scipy, which is not installed: pip install"):
        KINDS["structure"].trainer(option_parser().parse_args(["structure"]))
