"""A small structure model for all tests of the package."""

from __future__ import annotations

from pathlib import Path

import pytest
from structure_pages import small_model

from ncfilters.scoring import registry
from ncfilters.scoring.structure.model import StructureModel


@pytest.fixture(scope="session")
def trained() -> StructureModel:
    return small_model()


@pytest.fixture(scope="session")
def model_file(trained: StructureModel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "small.model"
    registry.write_model(path, trained, {"language": "en", "description": "small"})
    return path
