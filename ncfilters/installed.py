"""The folder of the models that are installed with the program.

installed_folder().joinpath("en.model")
"""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def installed_folder() -> Path:
    """The folder of model files and, in it, `stoplists`."""
    return Path(__file__).with_name("models").resolve()
